#include "lab/study_text.h"

#include <math.h>

uint32_t study_text_in_files(void) {
    uint32_t stats = 0;
    for (StudyStat s = 0; s < STUDY_STAT_COUNT; s++)
        stats |= (STUDY_STATS[s].parts & ~(unsigned)STUDY_FILES) == 0 ? (uint32_t)1 << s : 0;
    return stats;
}

static StudySummary summary_of(const void *context, int scheme, int layer, StudyStat stat) {
    return study_summary(context, scheme, layer, stat);
}

StudyTable study_table(const Study *study, uint32_t stats) {
    return (StudyTable){.plan = &study->plan,
                        .seeds = study_seeds_in(study),
                        .stats = stats,
                        .context = study,
                        .summary = summary_of};
}

static const char *name_of(const StudyTable *table, int scheme) {
    if (table->names != NULL)
        return table->names[scheme];
    return registry_entry(&SCHEME_REGISTRY, table->plan->schemes[scheme].scheme)->id;
}

static double expected_x(const StudyTable *table, int scheme, int layer, StudyStat stat) {
    int at = scheme * table->plan->layers + layer;
    return table->expected_x != NULL ? table->expected_x[at * STUDY_STAT_COUNT + (int)stat] : NAN;
}

static void csv_layer(TextOut *out, const StudyTable *table, int scheme, int layer) {
    double expected[STUDY_STAT_COUNT];
    study_expect(expected, table->plan, scheme, layer);
    for (StudyStat s = 0; s < STUDY_STAT_COUNT; s++) {
        if ((table->stats >> s & 1) == 0)
            continue;
        StudySummary summary = table->summary(table->context, scheme, layer, s);
        text_out(out, "%s,%d,%s,%s,%s,%s,%s\n", name_of(table, scheme), layer + 1,
                 STUDY_STATS[s].entry.id, CSV(summary.mean), CSV(summary.std), CSV(expected[s]),
                 CSV(expected_x(table, scheme, layer, s)));
    }
}

void study_text_csv(TextOut *out, const StudyTable *table) {
    text_out(out, "scheme,layer,stat,mean,sd,expected,expected_x\n");
    for (int s = 0; s < table->plan->scheme_count; s++)
        for (int l = 0; l < table->plan->layers; l++)
            csv_layer(out, table, s, l);
}

static void json_layer(TextOut *out, const StudyTable *table, int scheme, int layer) {
    double expected[STUDY_STAT_COUNT];
    const char *between = "";
    study_expect(expected, table->plan, scheme, layer);
    text_out(out, "{");
    for (StudyStat s = 0; s < STUDY_STAT_COUNT; s++) {
        if ((table->stats >> s & 1) == 0)
            continue;
        StudySummary summary = table->summary(table->context, scheme, layer, s);
        text_out(out,
                 "%s\n   \"%s\": {\"mean\": %s, \"sd\": %s, \"expected\": %s, "
                 "\"expected_x\": %s}",
                 between, STUDY_STATS[s].entry.id, JSON(summary.mean), JSON(summary.std),
                 JSON(expected[s]), JSON(expected_x(table, scheme, layer, s)));
        between = ",";
    }
    text_out(out, "}");
}

static void json_scheme(TextOut *out, const StudyTable *table, int scheme) {
    int layers = table->plan->layers;
    text_out(out, "\n {\"id\": \"%s\", \"stats\": %s", name_of(table, scheme),
             layers > 1 ? "[" : "");
    for (int l = 0; l < layers; l++) {
        text_out(out, "%s", l > 0 ? ",\n  " : "");
        json_layer(out, table, scheme, l);
    }
    text_out(out, "%s", layers > 1 ? "]}" : "}");
}

void study_text_json(TextOut *out, const StudyTable *table, const char *state) {
    text_out(out, "{\"state\": ");
    text_out_quoted(out, state);
    text_out(out, ",\n\"seeds\": %d,\n\"schemes\": [", table->seeds);
    for (int s = 0; s < table->plan->scheme_count; s++) {
        text_out(out, "%s", s > 0 ? "," : "");
        json_scheme(out, table, s);
    }
    text_out(out, "]}\n");
}
