#include "lab/race_text.h"

#include <stdio.h>

void race_text_header(TextOut *out, const Race *race) {
    text_out(out, "step,loss,held_out,score");
    for (int n = 0; n < RACE_NORM_COUNT; n++)
        if (race_trains(race, n))
            text_out(out, ",norm.grad.%s", race_norm_name(n));
}

static void csv_number(TextOut *out, float value) {
    text_out(out, ",");
    text_out_number(out, (double)value, "");
}

void race_text_csv(TextOut *out, const Race *race, int column, const char *prefix) {
    for (int step = 0; step < race_done(race, column); step++) {
        const RaceRecord *record = race_record(race, column, step);
        text_out(out, "%s%d", prefix, step);
        csv_number(out, record->loss);
        csv_number(out, record->held_out);
        csv_number(out, record->score);
        for (int n = 0; n < RACE_NORM_COUNT; n++)
            if (race_trains(race, n))
                csv_number(out, record->norm[n]);
        text_out(out, "\n");
    }
}

static void json_number(TextOut *out, const char *key, float value) {
    text_out(out, ", \"%s\": ", key);
    text_out_number(out, (double)value, "null");
}

void race_text_json(TextOut *out, const Race *race, int column) {
    text_out(out, "[");
    for (int step = 0; step < race_done(race, column); step++) {
        const RaceRecord *record = race_record(race, column, step);
        text_out(out, "%s\n  {\"step\": %d", step > 0 ? "," : "", step);
        json_number(out, "loss", record->loss);
        if (race_measured(race, step) == step) {
            json_number(out, "held_out", record->held_out);
            json_number(out, "score", record->score);
        }
        for (int n = 0; n < RACE_NORM_COUNT; n++)
            if (race_trains(race, n)) {
                char key[48];
                snprintf(key, sizeof key, "norm.grad.%s", race_norm_name(n));
                json_number(out, key, record->norm[n]);
            }
        text_out(out, "}");
    }
    text_out(out, "]");
}
