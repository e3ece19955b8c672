/* The values that theory expects on the current X (lab/theory_on_input.h), or why it has none. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/util.h"
#include "views/compare/compare.h"

#define NEAR       0.05 /* relative difference too small to be reported */
#define UNIT_NEAR  0.01 /* largest distance of the rms from 1 for an X that counts as unit X */
#define UNIT_APART 0.1  /* largest mean cosine of its rows that counts as independent */
#define FAR        3    /* standard deviations of one draw; larger differences are reported */

void compare_theory_text(char out[64], double value, double chance) {
    char number[24], by[24];
    bool known = chance > 0.004 * value;
    int decimals = known ? (int)ceil(-log10(chance)) : 0;
    if (known && chance * pow(10, decimals) < 1.95)
        decimals++;
    if (!known || decimals > 4) {
        axis_value_text(number, sizeof number, (float)value);
        axis_value_text(by, sizeof by, (float)chance);
    } else {
        number_format_fixed(number, sizeof number, value, decimals > 0 ? decimals : 0);
        number_format_fixed(by, sizeof by, chance, decimals > 0 ? decimals : 0);
    }
    snprintf(out, 64, known ? "%s\u00A0±\u00A0%s" : "%s", number, by);
}

bool compare_x_is_unit(const ViewContext *c) {
    const TheoryOnInput *theory = &compare_comparison(c)->theory[0];
    return fabs(theory->rms - 1) < UNIT_NEAR && !(fabs(theory->common) > UNIT_APART);
}

/* Over many seeds theory has only the numbers that follow from X alone, because the others depend
 * on the A of one seed. For unit X theory has all. */
bool compare_theory(double *value, double *chance, const ViewContext *c, int column,
                    StudyStat stat) {
    static const StudyStat of_x[] = {STUDY_STD_Q,     STUDY_STD_K, STUDY_STD_V,       STUDY_STD_S,
                                     STUDY_ENTROPY_A, STUDY_MAX_A, STUDY_SATURATION_A};
    const Comparison *comparison = compare_comparison(c);
    if (STUDY_STATS[stat].of_weight) { /* the statistic does not depend on X */
        *value = comparison->expected[column][stat];
        *chance = 0;
        return isfinite(*value);
    }
    bool known = !compare_is_of(c, COMPARISON_COLUMNS) || compare_seeds_shown(c) == NULL;
    for (size_t i = 0; i < ARRAY_COUNT(of_x); i++)
        known = known || (stat == of_x[i] && !comparison->plan.draws_x);
    double otherwise = compare_x_is_unit(c) ? comparison->expected[column][stat] : NAN;
    *value = known ? comparison->theory[column].value[stat] : otherwise;
    *chance = known ? comparison->theory[column].chance[stat] : NAN;
    return isfinite(*value);
}

bool compare_is_news(const ViewContext *c, int column, StudyStat stat, double measured) {
    double value, chance;
    compare_theory(&value, &chance, c, column, stat);
    double off = fabs(measured - value);
    return off > NEAR * value && off > FAR * chance;
}

void compare_theory_words(char out[200], const ViewContext *c, int column, StudyStat stat,
                          double measured) {
    double value, chance;
    char text[64], unit[64] = "", number[32];
    double expected = compare_comparison(c)->expected[column][stat];
    axis_value_text(number, sizeof number, (float)expected);
    if (!isnan(expected))
        snprintf(unit, sizeof unit, " On unit X: %s, within %.1f %%.", number,
                 100 * expect_bound(&compare_comparison(c)->plan.shape));
    if (!compare_theory(&value, &chance, c, column, stat)) {
        snprintf(out, 200, "%s", unit);
        return;
    }
    bool is_news = compare_is_news(c, column, stat, measured);
    bool is_rough = stat == STUDY_STD_GRAD_W_Q || stat == STUDY_STD_GRAD_W_K;
    number_format_fixed(number, sizeof number, fabs(measured - value) / chance, 1);
    compare_theory_text(text, value, chance);
    snprintf(out, 200,
             is_news ? " Expected on this X: %s, so it is %s σ off.%s%s"
                     : " Expected on this X: %s.%.0s%s%s",
             text, number, is_rough ? " The ± is right within a half." : "", unit);
}

/* Return why theory expects nothing of the scores and of everything that follows from them. */
static const char *why_none(const Comparison *comparison, int column) {
    const StudyPlan *plan = &comparison->plan;
    const SchemePlan *draw = &plan->schemes[column].plan;
    SchemeLaw query = SCHEMES[draw->scheme[ATTN_W_Q]].law,
              key = SCHEMES[draw->scheme[ATTN_W_K]].law;
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (plan->given[p].rows > 0)
            return "Weights from a file are not random, so theory expects nothing of them.";
    if (query == SCHEME_PAIRED || key == SCHEME_PAIRED)
        return "W_Q is made from W_K: the scores have no closed form.";
    if (query == SCHEME_FIXED && key == SCHEME_FIXED)
        return "Nothing is random: scores are products of X with itself.";
    return "After a cut to a lower rank the scores have no closed form.";
}

void compare_why_none(char out[200], const ViewContext *c, int column, StudyStat stat) {
    const Comparison *comparison = compare_comparison(c);
    bool scores = isfinite(comparison->expected[column][STUDY_ENTROPY_A]);
    if (stat == STUDY_RANK_A)
        snprintf(out, 200, "Theory has it only if all scores are 0: then it is 1.");
    else if (stat == STUDY_RANK_W_QK || scores)
        snprintf(out, 200, "It has no closed form here.");
    else
        snprintf(out, 200, "%s", why_none(comparison, column));
}

static bool none_open(const Mask *mask) {
    for (int i = 0; i < mask->T; i++)
        if (mask_open_keys(mask, i) > 0)
            return false;
    return true;
}

const char *compare_words(const ViewContext *c, int column) {
    double expected = compare_comparison(c)->expected[column][STUDY_ENTROPY_A];
    if (none_open(&c->run->mask))
        return "No key is open to any query: there are no scores.";
    if (compare_comparison(c)->expected[column][STUDY_STD_S] == 0)
        return "Every score is 0: each query reads all of its keys equally.";
    return isfinite(expected) ? "" : why_none(compare_comparison(c), column);
}
