/* The comparison that the part on screen requests from the Results. */
#include <math.h>
#include <string.h>

#include "views/compare/compare.h"

static ComparisonKind kind_of(int part) {
    static const ComparisonKind kinds[COMPARE_PART_COUNT] = {
        [COMPARE_COLUMNS] = COMPARISON_COLUMNS, [COMPARE_DEPTH] = COMPARISON_NONE,
        [COMPARE_MAP] = COMPARISON_NONE,        [COMPARE_SCALE] = COMPARISON_COLUMNS,
        [COMPARE_ROOT] = COMPARISON_COLUMNS,    [COMPARE_TWICE] = COMPARISON_NONE,
        [COMPARE_FUSED] = COMPARISON_CASES,     [COMPARE_QUIZ] = COMPARISON_BROKEN,
    };
    return kinds[part];
}

/* Return the request for the chosen columns, whatever part is on screen. */
static ComparisonRequest columns_of(const CompareSettings *chosen) {
    ComparisonRequest request;
    memset(&request, 0, sizeof request);
    request.kind = COMPARISON_COLUMNS;
    request.schemes = chosen->schemes;
    memcpy(request.own, chosen->own, sizeof request.own);
    request.spread = (ComparisonSpread)chosen->spread;
    return request;
}

void compare_request(ResultsRequest *request, const Session *session, const Settings *settings,
                     const ViewMemory *memory) {
    (void)session, (void)memory;
    const CompareSettings *chosen = &settings->compare;
    ComparisonRequest *comparison = &request->comparison;
    ComparisonKind kind = kind_of(chosen->part);
    if (kind == COMPARISON_COLUMNS)
        *comparison = columns_of(chosen);
    else if (kind == COMPARISON_CASES)
        compare_fused_schemes(&comparison->schemes);
    else if (kind == COMPARISON_BROKEN)
        comparison->bug = compare_quiz_bug(chosen);
    if (kind != COMPARISON_NONE)
        comparison->spread = (ComparisonSpread)chosen->spread;
    comparison->kind = kind;
}

ViewContext compare_shown(const ViewContext *c, Settings *settings) {
    ViewContext out = *c;
    ComparisonKind kind = kind_of(c->settings->compare.part);
    *settings = *c->settings;
    out.settings = settings;
    if (kind == COMPARISON_NONE || !results_comparison_is_current(c->run))
        return out;
    const ComparisonRequest *has = &c->run->comparison->request;
    settings->compare.spread = (int)has->spread;
    if (has->kind == COMPARISON_COLUMNS && kind == COMPARISON_COLUMNS) {
        settings->compare.schemes = has->schemes;
        memcpy(settings->compare.own, has->own, sizeof has->own);
    }
    return out;
}

StudyPlan compare_plan(const ViewContext *c, unsigned parts, int layers, int seeds) {
    ComparisonRequest request = columns_of(&c->settings->compare);
    StudyPlan plan = results_comparison_plan(c->run, &request, parts);
    plan.layers = layers;
    plan.seeds = seeds;
    return plan;
}

void compare_stds(const ViewContext *c, int column, double *query, double *key) {
    StudyPlan plan = compare_plan(c, STUDY_FORWARD, 1, 1);
    double *const out[] = {query, key};
    for (AttnParam p = ATTN_W_Q; p <= ATTN_W_K; p++)
        *out[p] = plan.given[p].rows > 0
                      ? (double)NAN
                      : expect_weights(&plan.shape, &plan.schemes[column].plan, p);
}

double compare_value(const ViewContext *c, int column, StudyStat stat) {
    bool is_rank = stat == STUDY_RANK_A || stat == STUDY_RANK_W_QK;
    return (double)(is_rank ? compare_rank(c, column, stat)
                            : compare_comparison(c)->values[column][stat]);
}

CompareTable compare_table(const ViewContext *c) {
    if (!compare_is_of(c, COMPARISON_COLUMNS))
        return TABLE_CASE;
    return (CompareTable)c->settings->compare.measures;
}
