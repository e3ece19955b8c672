/* Why a number is not the one that theory expects, or why theory expects none. Theory has an X of
 * independent entries of deviation 1, so what X is like instead explains most of it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "views/compare.h"

#define APART   0.10 /* of what is expected: from here on a word says why */
#define NEAR_BY 0.07 /* an explanation that comes as near as this holds */
#define COMMON  0.10 /* of the tokens' squares; less is no explanation */

/* How X is not as theory has it. */
typedef struct InputFacts {
    double deviation; /* of its entries */
    double common;    /* mean product of two tokens' rows over their mean square; 0 where they are
                         independent, 1 where they are all the same */
} InputFacts;

static InputFacts input_of(const Lineup *lineup, int column) {
    const float *values = lineup->values[column];
    double T = lineup->plan.shape.T, apart = (double)values[STUDY_RESIDUAL_X];
    double share = 1 - apart * apart; /* of the squares, in the mean over tokens */
    return (InputFacts){(double)values[STUDY_STD_X], T > 1 ? (T * share - 1) / (T - 1) : 0};
}

static double off(const Lineup *lineup, int column, StudyStat stat, double value) {
    return value / lineup->expected[column][stat] - 1;
}

static bool is_score(StudyStat stat) {
    return stat == STUDY_STD_Q || stat == STUDY_STD_K || stat == STUDY_STD_V || stat == STUDY_STD_S;
}

static bool is_softmax(StudyStat stat) {
    return stat == STUDY_ENTROPY_A || stat == STUDY_MAX_A || stat == STUDY_SATURATION_A;
}

static bool is_heavy(StudyStat stat) {
    return stat == STUDY_STD_GRAD_W_Q || stat == STUDY_STD_GRAD_W_K || stat == STUDY_STD_GRAD_X;
}

static void in_common(char out[160], const InputFacts *x) {
    char share[32];
    number_format_percent(share, sizeof share, x->common);
    snprintf(out, 160, "the tokens have %s in common", share);
}

/* Of Q, K, V and S, which grow with X once, and S twice. */
static void why_scores(char out[160], const InputFacts *x, StudyStat stat, double away, int T) {
    char number[32];
    number_format_fixed(number, sizeof number, x->deviation, 2);
    double grows = stat == STUDY_STD_S ? x->deviation * x->deviation : x->deviation;
    if (fabs((1 + away) / grows - 1) < NEAR_BY ||
        (fabs(grows - 1) > NEAR_BY && (grows < 1) == (away < 0)))
        snprintf(out, 160, "X has deviation %s, not 1", number);
    else if (fabs(x->common) > COMMON)
        in_common(out, x);
    else
        snprintf(out, 160,
                 T < 40 ? "these %d tokens are few, and this is one draw"
                        : "entries of these %d tokens go together",
                 T);
}

void compare_why(char out[160], const ViewContext *c, int column, StudyStat stat, double value) {
    const Lineup *lineup = compare_lineup(c);
    InputFacts x = input_of(lineup, column);
    double away = off(lineup, column, stat, value);
    double scores = off(lineup, column, STUDY_STD_S, (double)lineup->values[column][STUDY_STD_S]);
    out[0] = '\0';
    if (!isfinite(away) || fabs(away) < APART)
        return;
    if (is_score(stat))
        why_scores(out, &x, stat, away, lineup->plan.shape.T);
    else if (is_softmax(stat))
        snprintf(out, 160,
                 fabs(scores) < APART ? "the scores of a row are not independent normals"
                 : scores > 0         ? "the scores are wider than expected"
                                      : "the scores are narrower than expected");
    else if (is_heavy(stat) && away < 0)
        snprintf(out, 160, "a few seeds with large gradients make most of the expected square");
    else if (fabs(x.common) > COMMON)
        in_common(out, &x);
    else
        snprintf(out, 160, "%s",
                 fabs(x.deviation - 1) > NEAR_BY ? "X is not of deviation 1" : "this is one draw");
}

/* Why theory has nothing to say of the scores, and so of all that follows from them. */
static const char *why_none(const Lineup *lineup, int column) {
    const StudyPlan *plan = &lineup->plan;
    const SchemePlan *draw = &plan->schemes[column].plan;
    SchemeLaw query = SCHEMES[draw->scheme[ATTN_W_Q]].law,
              key = SCHEMES[draw->scheme[ATTN_W_K]].law;
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (plan->given[p].rows > 0)
            return "Weights from a file are not drawn: theory expects nothing of them.";
    if (query == SCHEME_PAIRED || key == SCHEME_PAIRED)
        return "W_Q is made from W_K: no closed form is known for their scores.";
    if (query == SCHEME_FIXED && key == SCHEME_FIXED)
        return "Nothing is drawn: scores are products of X with itself.";
    return "For this form no closed form of the scores is known.";
}

void compare_why_none(char out[200], const ViewContext *c, int column, StudyStat stat) {
    const Lineup *lineup = compare_lineup(c);
    bool scores = isfinite(lineup->expected[column][STUDY_STD_S]);
    if (stat == STUDY_RANK_A)
        snprintf(out, 200, "Theory has it where all scores are 0 alone: it is 1 then.");
    else if (stat == STUDY_RANK_W_QK || scores)
        snprintf(out, 200, "No closed form is known for it here.");
    else
        snprintf(out, 200, "%s", why_none(lineup, column));
}

/* How wide it is against what is expected: "29 % wider", "2.3 × as wide". */
static void off_text(char out[48], double away) {
    char share[32];
    number_format_percent(share, sizeof share, fabs(away));
    if (away >= 1)
        snprintf(out, 48, "%.1f × as wide", 1 + away);
    else
        snprintf(out, 48, "%s %s", share, away < 0 ? "narrower" : "wider");
}

static size_t add_sentence(char *out, size_t capacity, const ViewContext *c, int column,
                           const char *name, StudyStat stat, double value) {
    char why[160], text[48];
    compare_why(why, c, column, stat, value);
    if (why[0] == '\0')
        return 0;
    off_text(text, off(compare_lineup(c), column, stat, value));
    return (size_t)snprintf(out, capacity, "%s %s: %s. ", name, text, why);
}

static bool none_open(const Mask *mask) {
    for (int i = 0; i < mask->T; i++)
        if (mask_open_keys(mask, i) > 0)
            return false;
    return true;
}

void compare_words(char out[COMPARE_WORDS_MAX], const ViewContext *c, int column, double S,
                   double Y) {
    const Lineup *lineup = compare_lineup(c);
    out[0] = '\0';
    if (none_open(&c->run->mask)) {
        snprintf(out, COMPARE_WORDS_MAX, "No key is open to any query: there are no scores.");
        return;
    }
    if (!isfinite(lineup->expected[column][STUDY_STD_S])) {
        snprintf(out, COMPARE_WORDS_MAX, "%s", why_none(lineup, column));
        return;
    }
    if (lineup->expected[column][STUDY_STD_S] == 0) {
        snprintf(out, COMPARE_WORDS_MAX,
                 "Every score is 0: each query reads all of its keys alike.");
        return;
    }
    size_t used = add_sentence(out, COMPARE_WORDS_MAX, c, column, "Scores", STUDY_STD_S, S);
    if (used == 0)
        used = (size_t)snprintf(out, COMPARE_WORDS_MAX, "Scores are as wide as expected. ");
    if (isfinite(Y) && used < COMPARE_WORDS_MAX)
        add_sentence(out + used, COMPARE_WORDS_MAX - used, c, column, "Y", STUDY_STD_Y, Y);
}
