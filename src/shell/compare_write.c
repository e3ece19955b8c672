#include "shell/compare_write.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "session/state.h"

static const char *scheme_id(const StudyPlan *plan, int scheme) {
    return registry_entry(&SCHEME_REGISTRY, plan->schemes[scheme].scheme)->id;
}

/* Nine digits: all that a float32 has. */
static void put_number(FILE *to, double value, const char *none) {
    if (isfinite(value))
        fprintf(to, "%.9g", value);
    else
        fputs(none, to);
}

static void put_stat(FILE *to, const Study *study, int scheme, int layer, StudyStat stat,
                     double expected) {
    StudySummary summary = study_summary(study, scheme, layer, stat);
    fputs("{\"mean\": ", to);
    put_number(to, summary.mean, "null");
    fputs(", \"sd\": ", to);
    put_number(to, summary.deviation, "null");
    fputs(", \"expected\": ", to);
    put_number(to, expected, "null");
    fputc('}', to);
}

static void put_layer(FILE *to, const Study *study, int scheme, int layer) {
    const char *between = "";
    double expected[STUDY_STAT_COUNT];
    study_expect(expected, &study->plan, scheme, layer);
    fputc('{', to);
    for (StudyStat s = 0; s < STUDY_STAT_COUNT; s++) {
        if (!STUDY_STATS[s].in_files)
            continue;
        fprintf(to, "%s\n   \"%s\": ", between, STUDY_STATS[s].entry.id);
        put_stat(to, study, scheme, layer, s, expected[s]);
        between = ",";
    }
    fputc('}', to);
}

static void put_scheme(FILE *to, const Study *study, int scheme) {
    int layers = study->plan.layers;
    fprintf(to, "\n {\"id\": \"%s\", \"stats\": ", scheme_id(&study->plan, scheme));
    if (layers > 1)
        fputc('[', to);
    for (int l = 0; l < layers; l++) {
        if (l > 0)
            fputs(",\n  ", to);
        put_layer(to, study, scheme, l);
    }
    fputs(layers > 1 ? "]}" : "}", to);
}

/* The text with quotes around it; false for want of memory. */
static bool put_string(FILE *to, const char *text) {
    json_t *string = json_string(text);
    bool put = string != NULL && json_dumpf(string, to, JSON_ENCODE_ANY) == 0;
    json_decref(string);
    return put;
}

bool compare_write_json(FILE *to, const Study *study, const Session *session) {
    char *state = state_make(session);
    fputs("{\"state\": ", to);
    bool put = state != NULL && put_string(to, state);
    free(state);
    fprintf(to, ",\n\"seeds\": %d,\n\"schemes\": [", study->plan.seeds);
    for (int s = 0; s < study->plan.scheme_count; s++) {
        fputs(s > 0 ? "," : "", to);
        put_scheme(to, study, s);
    }
    fputs("]}\n", to);
    return put;
}

static void put_row(FILE *to, const Study *study, int scheme, int layer, StudyStat stat,
                    double expected) {
    StudySummary summary = study_summary(study, scheme, layer, stat);
    double numbers[] = {summary.mean, summary.deviation, expected};
    fprintf(to, "%s,%d,%s", scheme_id(&study->plan, scheme), layer + 1, STUDY_STATS[stat].entry.id);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        fputc(',', to);
        put_number(to, numbers[i], "");
    }
    fputc('\n', to);
}

bool compare_write_csv(FILE *to, const Study *study, const Session *session) {
    (void)session;
    fputs("scheme,layer,stat,mean,sd,expected\n", to);
    double expected[STUDY_STAT_COUNT];
    for (int s = 0; s < study->plan.scheme_count; s++)
        for (int l = 0; l < study->plan.layers; l++) {
            study_expect(expected, &study->plan, s, l);
            for (StudyStat stat = 0; stat < STUDY_STAT_COUNT; stat++)
                if (STUDY_STATS[stat].in_files)
                    put_row(to, study, s, l, stat, expected[stat]);
        }
    return true;
}
