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

#define NAME_MAX_BYTES 160

typedef struct Names {
    char bytes[COMPARISON_MAX][NAME_MAX_BYTES];
    const char *at[COMPARISON_MAX];
} Names;

/* Name each column by its scheme and the schemes of single matrices: "he_uniform;W_Q=zeros". */
static void name_columns(Names *names, const ViewContext *c) {
    for (int i = 0; i < c->settings->compare.schemes.count; i++) {
        char *name = names->bytes[i];
        names->at[i] = name;
        size_t used = (size_t)snprintf(name, NAME_MAX_BYTES, "%s", column_scheme(c, i)->entry.id);
        for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
            if (column_own(c, i, p) >= 0 && used < NAME_MAX_BYTES)
                used += (size_t)snprintf(name + used, NAME_MAX_BYTES - used, ";%s=%s",
                                         PARAMS[p].entry.id, SCHEMES[column_own(c, i, p)].entry.id);
    }
}

/* Return a summary over the computed seeds, or of the shown seed. */
static StudySummary column_summary(const void *context, int column, int layer, StudyStat stat) {
    const ViewContext *c = context;
    const Study *seeds = compare_is_of(c, COMPARISON_COLUMNS) ? compare_seeds_shown(c) : NULL;
    double one = compare_value(c, column, stat);
    return seeds != NULL ? study_summary(seeds, column, layer, stat)
                         : (StudySummary){one, 0, one, one, 1};
}

static uint32_t bit(StudyStat stat) {
    return (uint32_t)1 << stat;
}

/* Return the values expected on this X by column and statistic, in scratch. */
static const double *expected_on_x(const ViewContext *c) {
    int count = compare_comparison(c)->plan.scheme_count;
    double *out = arena_push(c->scratch, (size_t)count * STUDY_STAT_COUNT * sizeof *out), chance;
    for (int i = 0; i < count; i++)
        for (StudyStat s = 0; s < STUDY_STAT_COUNT; s++)
            compare_theory(&out[i * STUDY_STAT_COUNT + (int)s], &chance, c, i, s);
    return out;
}

/* Return the table of the columns, or of the cases of other parts. */
static StudyTable set_table(const ViewContext *c, Names *names) {
    static const char *const cases[] = {"meant", "drawn"};
    uint32_t stats = study_text_in_files();
    if (compare_table(c) == TABLE_ALL)
        stats |= bit(STUDY_SATURATION_A) | bit(STUDY_RANK_A) | bit(STUDY_RANK_W_QK);
    StudyTable table = {.plan = &compare_comparison(c)->plan,
                        .stats = stats,
                        .expected_x = expected_on_x(c),
                        .context = c,
                        .summary = column_summary};
    if (compare_is_of(c, COMPARISON_COLUMNS)) {
        name_columns(names, c);
        table.names = names->at;
    } else if (compare_is_of(c, COMPARISON_BROKEN))
        table.names = cases;
    table.seeds = column_summary(c, 0, 0, STUDY_STD_W_Q).seeds;
    return table;
}

static StudyTable stack_table(const ViewContext *c, Names *names) {
    StudyTable table = study_table(compare_study_shown(c, COMPARE_STACK),
                                   study_text_in_files() | bit(STUDY_RESIDUAL_Y));
    name_columns(names, c);
    table.names = names->at;
    return table;
}

static StudyTable table_of(const ViewContext *c, Names *names) {
    return c->settings->compare.part == COMPARE_DEPTH ? stack_table(c, names) : set_table(c, names);
}

static void table_csv(TextOut *out, const ViewContext *c) {
    Names names;
    StudyTable table = table_of(c, &names);
    study_text_csv(out, &table);
}

static void table_json(TextOut *out, const ViewContext *c, const char *state) {
    Names names;
    StudyTable table = table_of(c, &names);
    study_text_json(out, &table, state);
}

static void map_csv(TextOut *out, const ViewContext *c) {
    const StdGrid *grid = compare_std_grid(c);
    int done = atomic_load(&grid->done);
    text_out(out, "sigma_W_Q,sigma_W_K,entropy.A,norm.grad\n");
    for (int i = 0; i < STD_GRID_SIDE; i++)
        for (int j = 0; j < STD_GRID_SIDE && i + j < done; j++) {
            text_out(out, "%.9g,%.9g,", std_grid_std(i), std_grid_std(j));
            text_out_number(out, (double)grid->entropy[i][j], "");
            text_out(out, ",");
            text_out_number(out, (double)grid->gradient[i][j], "");
            text_out(out, "\n");
        }
}

static void grid_json(TextOut *out, const char *key, const float (*at)[STD_GRID_SIDE], int done) {
    text_out(out, ",\n\"%s\": [", key);
    for (int i = 0; i < STD_GRID_SIDE; i++) {
        text_out(out, "%s\n [", i > 0 ? "," : "");
        for (int j = 0; j < STD_GRID_SIDE; j++) {
            text_out(out, "%s", j > 0 ? ", " : "");
            text_out_number(out, i + j < done ? (double)at[i][j] : (double)NAN, "null");
        }
        text_out(out, "]");
    }
    text_out(out, "]");
}

/* Rows are standard deviations of W_Q, columns of W_K. */
static void map_json(TextOut *out, const ViewContext *c, const char *state) {
    const StdGrid *grid = compare_std_grid(c);
    Names names;
    name_columns(&names, c);
    text_out(out, "{\"state\": ");
    text_out_quoted(out, state);
    text_out(out, ",\n\"sigma\": [");
    for (int i = 0; i < STD_GRID_SIDE; i++)
        text_out(out, "%s%.9g", i > 0 ? ", " : "", std_grid_std(i));
    text_out(out, "]");
    grid_json(out, "entropy.A", grid->entropy, atomic_load(&grid->done));
    grid_json(out, "norm.grad", grid->gradient, atomic_load(&grid->done));
    text_out(out, ",\n\"schemes\": [");
    for (int i = 0; i < c->settings->compare.schemes.count; i++) {
        double query = 0, key = 0;
        compare_stds(c, i, &query, &key);
        text_out(out, "%s\n {\"id\": \"%s\", \"sigma_W_Q\": ", i > 0 ? "," : "", names.at[i]);
        text_out_number(out, query, "null");
        text_out(out, ", \"sigma_W_K\": ");
        text_out_number(out, key, "null");
        text_out(out, "}");
    }
    text_out(out, "]}\n");
}

static void scale_csv(TextOut *out, const ViewContext *c) {
    static const StudyStat stats[] = {STUDY_STD_S, STUDY_SATURATION_A};
    double value, expected;
    Names names;
    name_columns(&names, c);
    text_out(out, "scheme,d_k,stat,value,expected\n");
    for (int s = 0; s < c->settings->compare.schemes.count; s++)
        for (int i = 0; i < COMPARE_WIDTHS; i++)
            for (int k = 0; k < 2; k++)
                if (compare_width_value(&value, &expected, c, s, i, stats[k])) {
                    text_out(out, "%s,%d,%s,", names.at[s], compare_width(i),
                             STUDY_STATS[stats[k]].entry.id);
                    text_out_number(out, value, "");
                    text_out(out, ",");
                    text_out_number(out, expected, "");
                    text_out(out, "\n");
                }
}

static void scale_json(TextOut *out, const ViewContext *c, const char *state) {
    static const StudyStat stats[] = {STUDY_STD_S, STUDY_SATURATION_A};
    double value, expected;
    Names names;
    name_columns(&names, c);
    text_out(out, "{\"state\": ");
    text_out_quoted(out, state);
    text_out(out, ",\n\"schemes\": [");
    for (int s = 0; s < c->settings->compare.schemes.count; s++) {
        text_out(out, "%s\n {\"id\": \"%s\", \"widths\": [", s > 0 ? "," : "", names.at[s]);
        for (int i = 0; compare_width_value(&value, &expected, c, s, i, stats[0]); i++) {
            text_out(out, "%s\n  {\"d_k\": %d", i > 0 ? "," : "", compare_width(i));
            for (int k = 0; k < 2; k++) {
                compare_width_value(&value, &expected, c, s, i, stats[k]);
                text_out(out, ", \"%s\": {\"value\": ", STUDY_STATS[stats[k]].entry.id);
                text_out_number(out, value, "null");
                text_out(out, ", \"expected\": ");
                text_out_number(out, expected, "null");
                text_out(out, "}");
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
        char lines[PYTORCH_MAX];
        pytorch_lines(lines, &plan.schemes[i].plan, &plan.shape);
        text_out(out, "%s# %s\n%s", i > 0 ? "\n" : "", SCHEMES[plan.schemes[i].scheme].entry.label,
                 lines);
    }
}

/* True if the Results have the data of the part on screen. */
static bool is_there(const ViewContext *c) {
    ResultsRequest request = {0};
    compare_request(&request, c->session, c->settings, c->memory);
    return c->memory->compare != NULL && results_request_is_drawable(c->run, &request);
}

bool compare_results(const ViewContext *asked, ViewResult result, TextOut *out) {
    Settings settings;
    ViewContext shown = compare_shown(asked, &settings);
    const ViewContext *c = &shown;
    ComparePart part = (ComparePart)c->settings->compare.part;
    if (!is_there(asked))
        return false;
    if (result == RESULT_PYTORCH)
        pytorch(out, c);
    else if (result == RESULT_CSV)
        (part == COMPARE_MAP ? map_csv : part == COMPARE_SCALE ? scale_csv : table_csv)(out, c);
    else {
        char *state = state_make(c->session, NULL);
        if (state != NULL)
            (part == COMPARE_MAP     ? map_json
             : part == COMPARE_SCALE ? scale_json
                                     : table_json)(out, c, state);
        out->failed = out->failed || state == NULL;
        free(state);
    }
    return !out->failed;
}
