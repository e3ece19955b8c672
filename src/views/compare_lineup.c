/* What the view asks of the Run, and what it shows of that: the columns of the part that is shown.
 */
#include <math.h>
#include <string.h>

#include "lab/bugs.h"
#include "views/compare.h"

/* The parts that show columns, and which. */
static LineupKind kind_of(int part) {
    static const LineupKind kinds[COMPARE_PART_COUNT] = {
        [COMPARE_COLUMNS] = LINEUP_COLUMNS, [COMPARE_DEPTH] = LINEUP_NONE,
        [COMPARE_MAP] = LINEUP_NONE,        [COMPARE_SCALE] = LINEUP_COLUMNS,
        [COMPARE_FUSED] = LINEUP_CASES,     [COMPARE_QUIZ] = LINEUP_BUG,
    };
    return kinds[part];
}

/* The columns that are chosen, whatever part is shown. */
static LineupWish columns_of(const CompareSettings *chosen) {
    LineupWish wish;
    memset(&wish, 0, sizeof wish);
    wish.kind = LINEUP_COLUMNS;
    wish.schemes = chosen->schemes;
    memcpy(wish.own, chosen->own, sizeof wish.own);
    wish.spread = (LineupSpread)chosen->spread;
    return wish;
}

void compare_wish(RunWish *wish, const Session *session, const Settings *settings,
                  const ViewMemory *memory) {
    (void)session, (void)memory;
    const CompareSettings *chosen = &settings->compare;
    LineupWish *lineup = &wish->lineup;
    LineupKind kind = kind_of(chosen->part);
    if (kind == LINEUP_COLUMNS)
        *lineup = columns_of(chosen);
    else if (kind == LINEUP_CASES)
        compare_fused_schemes(&lineup->schemes);
    else if (kind == LINEUP_BUG)
        lineup->bug = compare_quiz_bug(chosen);
    if (kind != LINEUP_NONE)
        lineup->spread = (LineupSpread)chosen->spread;
    lineup->kind = kind;
}

ViewContext compare_shown(const ViewContext *c, Settings *settings) {
    ViewContext out = *c;
    LineupKind kind = kind_of(c->settings->compare.part);
    *settings = *c->settings;
    out.settings = settings;
    if (kind == LINEUP_NONE || !run_lineup_is_current(c->run))
        return out;
    const LineupWish *has = &c->run->lineup->wish;
    settings->compare.spread = (int)has->spread;
    if (has->kind == LINEUP_COLUMNS && kind == LINEUP_COLUMNS) {
        settings->compare.schemes = has->schemes;
        memcpy(settings->compare.own, has->own, sizeof has->own);
    }
    return out;
}

StudyPlan compare_plan(const ViewContext *c, unsigned parts, int layers, int seeds) {
    LineupWish wish = columns_of(&c->settings->compare);
    StudyPlan plan = run_lineup_plan(c->run, &wish, parts);
    plan.layers = layers;
    plan.seeds = seeds;
    return plan;
}

void compare_deviations(const ViewContext *c, int column, double *query, double *key) {
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
                            : compare_lineup(c)->values[column][stat]);
}

CompareTable compare_table(const ViewContext *c) {
    if (!compare_is_of(c, LINEUP_COLUMNS))
        return TABLE_CASE;
    return c->settings->compare.measures == MEASURES_ALL ? TABLE_ALL : TABLE_FEW;
}
