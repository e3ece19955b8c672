/* What leaves the Compare view by the clipboard: the numbers as `headlight compare` writes them,
 * and the schemes as lines of PyTorch. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/pytorch.h"
#include "session/state.h"
#include "views/compare.h"

/* Grows; what there was no memory for makes it failed, never cut. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
put(CopyText *to, const char *format, ...) {
    char part[PYTORCH_MAX + 256];
    va_list list;
    va_start(list, format);
    int bytes = vsnprintf(part, sizeof part, format, list);
    va_end(list);
    size_t wanted = to->used + (size_t)bytes + 1;
    if (wanted > to->capacity && !to->failed) {
        char *grown = realloc(to->at, 2 * wanted);
        to->failed = grown == NULL;
        to->at = grown != NULL ? grown : to->at;
        to->capacity = grown != NULL ? 2 * wanted : to->capacity;
    }
    if (to->failed || bytes < 0 || (size_t)bytes >= sizeof part)
        return;
    memcpy(to->at + to->used, part, (size_t)bytes + 1);
    to->used += (size_t)bytes;
}

static void put_text(CopyText *to, const char *text) {
    for (; strlen(text) > 512; text += 512)
        put(to, "%.512s", text);
    put(to, "%s", text);
}

static void put_number(CopyText *to, double value, const char *none) {
    if (isfinite(value))
        put(to, "%.9g", value);
    else
        put(to, "%s", none);
}

/* Over the seeds that are in, or the one that is shown. */
static StudySummary summary_of(const ViewContext *c, int column, StudyStat stat) {
    const Study *seeds = compare_seeds_shown(c);
    double one = (double)c->memory->compare->sets[SET_COLUMNS].lineup.values[column][stat];
    return seeds != NULL ? study_summary(seeds, column, 0, stat)
                         : (StudySummary){one, 0, one, one, 1};
}

static int seeds_of(const ViewContext *c) {
    return summary_of(c, 0, STUDY_STD_W_Q).seeds;
}

static void copy_csv(CopyText *to, const ViewContext *c) {
    const CompareSet *set = &c->memory->compare->sets[SET_COLUMNS];
    put(to, "scheme,layer,stat,mean,sd,expected\n");
    for (int i = 0; i < set->lineup.plan.scheme_count; i++)
        for (StudyStat s = 0; s < STUDY_STAT_COUNT; s++) {
            StudySummary summary = summary_of(c, i, s);
            if (!STUDY_STATS[s].in_files)
                continue;
            put(to, "%s,1,%s,", compare_scheme(c, i)->entry.id, STUDY_STATS[s].entry.id);
            put_number(to, summary.mean, "");
            put(to, ",");
            put_number(to, summary.deviation, "");
            put(to, ",");
            put_number(to, set->lineup.expected[i][s], "");
            put(to, "\n");
        }
}

static void json_stats(CopyText *to, const ViewContext *c, int column) {
    const CompareSet *set = &c->memory->compare->sets[SET_COLUMNS];
    const char *between = "";
    for (StudyStat s = 0; s < STUDY_STAT_COUNT; s++) {
        StudySummary summary = summary_of(c, column, s);
        if (!STUDY_STATS[s].in_files)
            continue;
        put(to, "%s\n   \"%s\": {\"mean\": ", between, STUDY_STATS[s].entry.id);
        put_number(to, summary.mean, "null");
        put(to, ", \"sd\": ");
        put_number(to, summary.deviation, "null");
        put(to, ", \"expected\": ");
        put_number(to, set->lineup.expected[column][s], "null");
        put(to, "}");
        between = ",";
    }
}

/* A state string has no byte that JSON would escape. */
static void copy_json(CopyText *to, const ViewContext *c) {
    char *state = state_make(c->session);
    to->failed = to->failed || state == NULL;
    put(to, "{\"state\": \"");
    put_text(to, state != NULL ? state : "");
    put(to, "\",\n\"seeds\": %d,\n\"schemes\": [", seeds_of(c));
    free(state);
    for (int i = 0; i < c->memory->compare->sets[SET_COLUMNS].lineup.plan.scheme_count; i++) {
        put(to, "%s\n {\"id\": \"%s\", \"stats\": {", i > 0 ? "," : "",
            compare_scheme(c, i)->entry.id);
        json_stats(to, c, i);
        put(to, "}}");
    }
    put(to, "]}\n");
}

static void copy_pytorch(CopyText *to, const ViewContext *c) {
    const StudyPlan *plan = &c->memory->compare->sets[SET_COLUMNS].lineup.plan;
    for (int i = 0; i < plan->scheme_count; i++) {
        char lines[PYTORCH_MAX];
        pytorch_lines(lines, &plan->schemes[i].plan, &plan->shape);
        put(to, "%s# %s\n%s", i > 0 ? "\n" : "", compare_scheme(c, i)->entry.label, lines);
    }
}

void compare_copy(const ViewContext *c, CompareCopy what) {
    static void (*const copies[])(CopyText *, const ViewContext *) = {
        [COPY_CSV] = copy_csv, [COPY_JSON] = copy_json, [COPY_PYTORCH] = copy_pytorch};
    CopyText *to = &c->memory->compare->copy;
    to->used = 0;
    to->failed = false;
    copies[what](to, c);
    if (to->failed)
        return;
    c->ui->copied = to->at;
    c->ui->copied_bytes = to->used;
}
