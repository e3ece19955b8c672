/* The numbers of one column of a race as text. */
#include "lab/race.h"

void race_text_header(TextOut *out, const Race *race) {
    text_out(out, "step,loss,held_out,score");
    for (int n = 0; n < RACE_NORM_COUNT; n++)
        if (race_trains(race, n))
            text_out(out, ",norm.grad.%s", race_norm_name(n));
}

void race_text_csv(TextOut *out, const Race *race, int column, const char *prefix) {
    for (int step = 0; step < race_done(race, column); step++) {
        const RaceRecord *record = race_record(race, column, step);
        text_out(out, "%s%d,%s,%s,%s", prefix, step, CSV(record->loss), CSV(record->held_out),
                 CSV(record->score));
        for (int n = 0; n < RACE_NORM_COUNT; n++)
            if (race_trains(race, n))
                text_out(out, ",%s", CSV(record->norm[n]));
        text_out(out, "\n");
    }
}

void race_text_json(TextOut *out, const Race *race, int column) {
    text_out(out, "[");
    for (int step = 0; step < race_done(race, column); step++) {
        const RaceRecord *record = race_record(race, column, step);
        text_out(out, "%s\n  {\"step\": %d, \"loss\": %s", step > 0 ? "," : "", step,
                 JSON(record->loss));
        if (race_measured(race, step) == step)
            text_out(out, ", \"held_out\": %s, \"score\": %s", JSON(record->held_out),
                     JSON(record->score));
        for (int n = 0; n < RACE_NORM_COUNT; n++)
            if (race_trains(race, n))
                text_out(out, ", \"norm.grad.%s\": %s", race_norm_name(n), JSON(record->norm[n]));
        text_out(out, "}");
    }
    text_out(out, "]");
}
