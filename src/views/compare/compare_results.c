/* The results of Compare as text: numbers as CSV and JSON, with the keys of `headlight compare`,
 * and schemes as lines of PyTorch. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/state.h"
#include "lab/pytorch.h"
#include "lab/study_text.h"
#include "views/compare/compare.h"
#include "views/shared/matrix_results.h"

#define NAME_BYTES 160

/* Return the columns' names in scratch memory: the scheme, then the schemes of single matrices, as
 * in "he_uniform;W_Q=zeros". */
static const char **names_of(const ViewContext *c) {
    int count = c->settings->compare.schemes.count;
    const char **names = arena_push(c->scratch, (size_t)count * sizeof *names);
    for (int i = 0; i < count; i++) {
        char *name = arena_push(c->scratch, NAME_BYTES);
        names[i] = name;
        size_t used = (size_t)snprintf(name, NAME_BYTES, "%s", column_scheme(c, i)->entry.id);
        for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
            if (column_own(c, i, p) >= 0 && used < NAME_BYTES)
                used += (size_t)snprintf(name + used, NAME_BYTES - used, ";%s=%s",
                                         PARAMS[p].entry.id, SCHEMES[column_own(c, i, p)].entry.id);
    }
    return names;
}

static StudySummary column_summary(const void *context, int column, int layer, StudyStat stat) {
    const ViewContext *c = context;
    const Study *seeds = compare_is_of(c, COMPARISON_COLUMNS) ? compare_seeds_shown(c) : NULL;
    double one = compare_value(c, column, stat);
    return seeds != NULL ? study_summary(seeds, column, layer, stat)
                         : (StudySummary){one, 0, one, one, 1};
}

static StudyTable table_of(const ViewContext *c) {
    static const char *const cases[] = {"meant", "drawn"};
    uint32_t stats = study_text_in_files();
    if (c->settings->compare.part == COMPARE_DEPTH) {
        StudyTable stack =
            study_table(compare_study_shown(c, COMPARE_STACK), stats | 1u << STUDY_RESIDUAL_Y);
        stack.names = names_of(c);
        return stack;
    }
    if (compare_measures(c) == MEASURES_ALL)
        stats |= 1u << STUDY_SATURATION_A | 1u << STUDY_RANK_A | 1u << STUDY_RANK_W_QK;
    const StudyPlan *plan = &compare_comparison(c)->plan;
    size_t values = (size_t)plan->scheme_count * STUDY_STAT_COUNT;
    double *expected = arena_push(c->scratch, values * sizeof *expected), chance;
    for (int i = 0; i < plan->scheme_count; i++)
        for (StudyStat s = 0; s < STUDY_STAT_COUNT; s++)
            compare_theory(&expected[i * STUDY_STAT_COUNT + (int)s], &chance, c, i, s);
    return (StudyTable){.plan = plan,
                        .names = compare_is_of(c, COMPARISON_COLUMNS)  ? names_of(c)
                                 : compare_is_of(c, COMPARISON_BROKEN) ? cases
                                                                       : NULL,
                        .seeds = column_summary(c, 0, 0, STUDY_STD_W_Q).seeds,
                        .stats = stats,
                        .expected_x = expected,
                        .context = c,
                        .summary = column_summary};
}

static void map_csv(TextOut *out, const ViewContext *c) {
    const StdGrid *grid = compare_std_grid(c);
    int done = atomic_load(&grid->done);
    text_out(out, "sigma_W_Q,sigma_W_K,entropy.A,norm.grad\n");
    for (int i = 0; i < STD_GRID_SIDE; i++)
        for (int j = 0; j < STD_GRID_SIDE && i + j < done; j++) {
            text_out(out, "%s,%s,%s,%s\n", CSV(std_grid_std(i)), CSV(std_grid_std(j)),
                     CSV(grid->entropy[i][j]), CSV(grid->gradient[i][j]));
        }
}

static void grid_json(TextOut *out, const char *key, const float (*at)[STD_GRID_SIDE], int done) {
    text_out(out, ",\n\"%s\": [", key);
    for (int i = 0; i < STD_GRID_SIDE; i++) {
        text_out(out, "%s\n [", i > 0 ? "," : "");
        for (int j = 0; j < STD_GRID_SIDE; j++) {
            text_out(out, "%s%s", j > 0 ? ", " : "", JSON(i + j < done ? at[i][j] : NAN));
        }
        text_out(out, "]");
    }
    text_out(out, "]");
}

/* Rows are standard deviations of W_Q, columns those of W_K. */
static void map_json(TextOut *out, const ViewContext *c) {
    const StdGrid *grid = compare_std_grid(c);
    const char **names = names_of(c);
    text_out(out, "\"sigma\": [");
    for (int i = 0; i < STD_GRID_SIDE; i++)
        text_out(out, "%s%.9g", i > 0 ? ", " : "", std_grid_std(i));
    text_out(out, "]");
    grid_json(out, "entropy.A", grid->entropy, atomic_load(&grid->done));
    grid_json(out, "norm.grad", grid->gradient, atomic_load(&grid->done));
    text_out(out, ",\n\"schemes\": [");
    for (int i = 0; i < c->settings->compare.schemes.count; i++) {
        double query = 0, key = 0;
        compare_stds(c, i, &query, &key);
        text_out(out, "%s\n {\"id\": \"%s\", \"sigma_W_Q\": %s, \"sigma_W_K\": %s}",
                 i > 0 ? "," : "", names[i], JSON(query), JSON(key));
    }
    text_out(out, "]}\n");
}

static const StudyStat SCALE_STATS[] = {STUDY_STD_S, STUDY_SATURATION_A};

static void scale_csv(TextOut *out, const ViewContext *c) {
    double value, expected;
    const char **names = names_of(c);
    text_out(out, "scheme,d_k,stat,value,expected\n");
    for (int s = 0; s < c->settings->compare.schemes.count; s++)
        for (int i = 0; i < COMPARE_WIDTHS; i++)
            for (int k = 0; k < 2; k++)
                if (compare_width_value(&value, &expected, c, s, i, SCALE_STATS[k]))
                    text_out(out, "%s,%d,%s,%s,%s\n", names[s], compare_width(i),
                             STUDY_STATS[SCALE_STATS[k]].entry.id, CSV(value), CSV(expected));
}

static void scale_json(TextOut *out, const ViewContext *c) {
    double value, expected;
    const char **names = names_of(c);
    text_out(out, "\"schemes\": [");
    for (int s = 0; s < c->settings->compare.schemes.count; s++) {
        text_out(out, "%s\n {\"id\": \"%s\", \"widths\": [", s > 0 ? "," : "", names[s]);
        for (int i = 0; compare_width_value(&value, &expected, c, s, i, SCALE_STATS[0]); i++) {
            text_out(out, "%s\n  {\"d_k\": %d", i > 0 ? "," : "", compare_width(i));
            for (int k = 0; k < 2; k++) {
                compare_width_value(&value, &expected, c, s, i, SCALE_STATS[k]);
                text_out(out, ", \"%s\": {\"value\": %s, \"expected\": %s}",
                         STUDY_STATS[SCALE_STATS[k]].entry.id, JSON(value), JSON(expected));
            }
            text_out(out, "}");
        }
        text_out(out, "]}");
    }
    text_out(out, "]}\n");
}

static void pytorch(TextOut *out, const ViewContext *c) {
    bool fused = c->settings->compare.part == COMPARE_FUSED;
    StudyPlan plan = fused ? compare_comparison(c)->plan : compare_plan(c, STUDY_FORWARD, 1, 1);
    for (int i = 0; i < plan.scheme_count; i++) {
        text_out(out, i > 0 ? "\n" : "");
        pytorch_lines(out, SCHEMES[plan.schemes[i].scheme].entry.label, &plan.schemes[i].plan,
                      &plan.shape);
    }
}

static void csv(TextOut *out, const ViewContext *c) {
    if (c->settings->compare.part == COMPARE_MAP)
        map_csv(out, c);
    else if (c->settings->compare.part == COMPARE_SCALE)
        scale_csv(out, c);
    else {
        StudyTable table = table_of(c);
        study_text_csv(out, &table);
    }
}

static void json(TextOut *out, const ViewContext *c) {
    int part = c->settings->compare.part;
    if (part == COMPARE_MAP || part == COMPARE_SCALE) {
        results_json(out, c);
        text_out(out, ",\n");
        (part == COMPARE_MAP ? map_json : scale_json)(out, c);
        return;
    }
    StudyTable table = table_of(c);
    char *state = state_make(c->session, NULL);
    if (state != NULL)
        study_text_json(out, &table, state);
    out->failed = out->failed || state == NULL;
    free(state);
}

bool compare_results(const ViewContext *asked, ViewResult result, TextOut *out) {
    Settings settings;
    ViewContext shown = compare_shown(asked, &settings);
    ResultsRequest request = {0};
    compare_request(&request, asked->session, asked->settings);
    /* the page "Bank, twice" compares no schemes, so it has no numbers to write */
    bool is_twice = asked->settings->compare.part == COMPARE_TWICE;
    if (!results_request_is_drawable(asked->run, &request) ||
        (is_twice && result != RESULT_PYTORCH))
        return false;
    (result == RESULT_PYTORCH ? pytorch : result == RESULT_CSV ? csv : json)(out, &shown);
    return !out->failed;
}
