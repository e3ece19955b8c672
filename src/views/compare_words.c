/* Why a number is not the one that theory expects, or why theory expects none. Theory has an X of
 * independent entries of deviation 1; what it expects of the X that is there, and of what this draw
 * made of it, is computed (lab/given.h), and what then remains is told by how far one draw lies
 * from the next. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/util.h"
#include "views/compare.h"

#define COMMON 0.10 /* less of the tokens' squares is no explanation */
#define NEAR   0.05 /* of what is expected: too little to be told */
#define FAR    2.5  /* deviations of a draw, beyond which it is told how many */

/* What a number follows from most closely. */
typedef enum Cause { OF_X, OF_SCORES, OF_READING, OF_Z, OF_SOFTMAX, CAUSE_COUNT } Cause;

static const struct {
    StudyStat stat;
    Cause cause;
    const char *name;
} ROWS[] = {
    {STUDY_STD_Q, OF_X, "Q"},
    {STUDY_STD_K, OF_X, "K"},
    {STUDY_STD_V, OF_X, "V"},
    {STUDY_STD_S, OF_X, "S"},
    {STUDY_ENTROPY_A, OF_SCORES, "entropy"},
    {STUDY_MAX_A, OF_SCORES, "max A"},
    {STUDY_SATURATION_A, OF_SCORES, "saturation"},
    {STUDY_STD_Z, OF_READING, "Z"},
    {STUDY_STD_GRAD_W_V, OF_READING, "∂W_V"},
    {STUDY_STD_Y, OF_Z, "Y"},
    {STUDY_STD_GRAD_W_O, OF_Z, "∂W_O"},
    {STUDY_STD_GRAD_W_Q, OF_SOFTMAX, "∂W_Q"},
    {STUDY_STD_GRAD_W_K, OF_SOFTMAX, "∂W_K"},
    {STUDY_STD_GRAD_X, OF_SOFTMAX, "∂X"},
};

/* Text that grows by pieces; what no longer fits is left out. */
typedef struct Words {
    char *out;
    size_t capacity, used;
} Words;

static void say(Words *words, const char *format, ...) {
    va_list arguments;
    size_t left = words->capacity - words->used;
    va_start(arguments, format);
    int length = vsnprintf(words->out + words->used, left, format, arguments);
    va_end(arguments);
    if (length > 0)
        words->used += (size_t)length < left ? (size_t)length : left - 1;
}

/* "1.4 ± 0.2": to the chance's first figure, or its second where that is a 1 before it. No line
 * ends within it. */
static void given_text(char out[64], double value, double chance) {
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

/* Means over n seeds lie nearer by √n; what this draw alone has made says nothing of them. */
typedef struct Judged {
    const Given *given;
    double value, chance; /* of what is given; not numbers where nothing is known */
    bool is_apart;        /* what was measured from what theory expects */
    double misses;        /* by so many chances; 0 where that is not worth a word */
} Judged;

static Judged judge(const ViewContext *c, int column, StudyStat stat, Cause cause, double measured,
                    int seeds) {
    const Lineup *lineup = compare_lineup(c);
    const Given *given = &lineup->given[column];
    bool known = seeds <= 1 || (cause == OF_X && !lineup->plan.draws_x);
    double away = measured / lineup->expected[column][stat] - 1;
    Judged out = {.given = given,
                  .value = known ? given->value[stat] : NAN,
                  .chance = known ? given->chance[stat] / sqrt(seeds) : NAN,
                  .is_apart = isfinite(away) && fabs(away) >= 0.10};
    /* The chance of a softmax's figure is itself known from its heads alone: Student's law, nearly.
     */
    double few = cause == OF_SCORES ? 1 + 2.0 / fmax(lineup->plan.shape.H - 1, 1) : 1;
    double off = fabs(measured - out.value);
    if (off > NEAR * out.value && off > FAR * few * out.chance)
        out.misses = off / out.chance;
    return out;
}

/* What it is that numbers of a kind follow from. */
static void say_cause(Words *words, const Given *given, Cause cause) {
    char number[32], share[32];
    bool common = fabs(given->common) > COMMON;
    number_format_percent(share, sizeof share, given->common);
    if (cause == OF_X) {
        number_format_fixed(number, sizeof number, given->rms, 2);
        say(words, "On this X (rms %s", number);
        say(words, common ? ", tokens %s in common)" : ")", share);
    } else if (cause == OF_SCORES) {
        axis_value_text(number, sizeof number, (float)given->width);
        say(words, "With rows of scores this wide (%s)", number);
    } else if (cause == OF_READING) {
        say(words,
            common ? "With what heads read here (rows %s in common)" : "With what heads read here",
            share);
    } else
        say(words, cause == OF_Z ? "With this Z" : "With these A");
    say(words, " expect ");
}

static void say_misses(Words *words, const Judged *judged) {
    char number[32];
    if (judged->misses == 0)
        return;
    number_format_fixed(number, sizeof number, judged->misses, 1);
    say(words, " (%s σ off)", number);
}

/* Where theory does not reach the X that is there, it is said what is known. */
static void say_unknown(Words *words, const ViewContext *c, int column, Cause cause, int seeds) {
    const SchemePlan *draw = &compare_lineup(c)->plan.schemes[column].plan;
    bool fixed = false;
    for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
        fixed = fixed || SCHEMES[draw->scheme[p]].law == SCHEME_FIXED;
    if (cause == OF_X && fixed)
        say(words, "Nothing is drawn here, so that it is X itself that is measured");
    else if (seeds > 1)
        say(words, "It follows from the scores and from X, whose tokens are not independent");
    else
        say(words, "X does not have independent entries of deviation 1");
}

static const char *row_name(StudyStat stat, Cause *cause) {
    for (size_t i = 0; i < ARRAY_COUNT(ROWS); i++)
        if (ROWS[i].stat == stat) {
            *cause = ROWS[i].cause;
            return ROWS[i].name;
        }
    return NULL;
}

void compare_why(char out[COMPARE_WHY_MAX], const ViewContext *c, int column, StudyStat stat,
                 double value, int seeds) {
    Words words = {out, COMPARE_WHY_MAX, 0};
    Cause cause;
    char text[64];
    out[0] = '\0';
    if (row_name(stat, &cause) == NULL)
        return;
    Judged judged = judge(c, column, stat, cause, value, seeds);
    if (!judged.is_apart)
        return;
    if (!isfinite(judged.value)) {
        say_unknown(&words, c, column, cause, seeds);
        return;
    }
    given_text(text, judged.value, judged.chance);
    say_cause(&words, judged.given, cause);
    say(&words, "%s", text);
    say_misses(&words, &judged);
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

/* One sentence for all numbers of a kind that are apart from what is expected; those of which the
 * same is expected share that. */
static void say_kind(Words *words, const ViewContext *c, int column, Cause cause,
                     const CompareMeasured *shown) {
    char before[64] = "", text[64];
    Judged last = {0};
    bool begun = false;
    for (int i = 0; i < shown->count; i++) {
        Cause own;
        const char *name = row_name(shown->stats[i], &own);
        if (name == NULL || own != cause)
            continue;
        Judged judged = judge(c, column, shown->stats[i], cause, shown->values[i], shown->seeds);
        if (!judged.is_apart || !isfinite(judged.value))
            continue;
        given_text(text, judged.value, judged.chance);
        if (!begun)
            say_cause(words, judged.given, cause);
        else if (strcmp(text, before) != 0 || last.misses != judged.misses) {
            say(words, "\u00A0%s", before);
            say_misses(words, &last);
        }
        say(words, begun ? ", %s" : "%s", name);
        snprintf(before, sizeof before, "%s", text);
        last = judged;
        begun = true;
    }
    if (!begun)
        return;
    say(words, "\u00A0%s", before);
    say_misses(words, &last);
    say(words, ". ");
}

static bool none_open(const Mask *mask) {
    for (int i = 0; i < mask->T; i++)
        if (mask_open_keys(mask, i) > 0)
            return false;
    return true;
}

void compare_words(char out[COMPARE_WORDS_MAX], const ViewContext *c, int column,
                   const CompareMeasured *shown) {
    const Lineup *lineup = compare_lineup(c);
    Words words = {out, COMPARE_WORDS_MAX, 0};
    out[0] = '\0';
    if (none_open(&c->run->mask))
        say(&words, "No key is open to any query: there are no scores.");
    else if (!isfinite(lineup->expected[column][STUDY_STD_S]))
        say(&words, "%s", why_none(lineup, column));
    else if (lineup->expected[column][STUDY_STD_S] == 0)
        say(&words, "Every score is 0: each query reads all of its keys alike.");
    else
        for (Cause cause = 0; cause < CAUSE_COUNT; cause++)
            say_kind(&words, c, column, cause, shown);
    if (words.used == 0)
        say(&words, "All is as expected, or within %d %% of it.", (int)(100 * 0.10 + 0.5));
}
