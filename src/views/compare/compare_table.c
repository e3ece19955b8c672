/* The measures of a column, each on an axis that all columns share. A mark is the measured value, a
 * tick the value that theory expects on this X (lab/theory_on_input.h), and a band the standard
 * deviation of one draw. A grey tick is the value expected on unit X, an X of independent entries
 * of standard deviation 1. With many seeds, a row shows their distribution and the confidence
 * interval of the mean. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "base/util.h"
#include "ui/text.h"
#include "ui/tooltip.h"
#include "views/compare/compare.h"

#define HEAD_H        22
#define ROW_H         27
#define NAME_W        86
#define NAME_TIGHT    58
#define VALUE_W       62
#define RIGHT_W       104
#define UNIT_NUMBER_W 92
#define TRACK_H       5
#define WORDS         TEXT_NOTE /* text style of the note below a column */
#define WORDS_GAP     4
/* Px: a narrower column shows the expected value only as a tick, not as a number. */
#define TIGHT_W  300
#define UNIT_W   400 /* px: a column at least this wide also has the number for unit X */
#define BAND_H   19  /* height of the mean's confidence interval */
#define CHANCE_H 13  /* height of the band: expected value ± standard deviation of one draw */
#define SHAPE_H  21  /* height of the distribution over the seeds */

/* A measured value is reported as far from the expected value if their difference exceeds both
 * limits: NEAR, relative to the expected value, and FAR, in standard deviations of one draw. */
#define NEAR 0.05
#define FAR  3

#define UNIT_NEAR  0.01 /* largest difference of the rms from 1 with which an X counts as unit X */
#define UNIT_APART 0.1  /* largest mean cosine of X's rows with which they count as independent */

typedef struct Measure {
    StudyStat stat;
    const char *word, *of;
    bool logarithmic;
    const char *brief; /* `word` in a narrow column, "" for no word; NULL if `word` fits */
} Measure;

static const Measure MEASURES[] = {
    {STUDY_STD_Q, "std", "Q", true, ""},
    {STUDY_STD_K, "std", "K", true, ""},
    {STUDY_STD_S, "std", "S", true, ""},
    {STUDY_ENTROPY_A, "Entropy", "", false, "Entr."},
    {STUDY_MAX_A, "Mean max", "", false, "max"},
    {STUDY_SATURATION_A, "Saturation", "", false, "Satur."},
    {STUDY_RANK_A, "Rank", "A", false, "rk"},
    {STUDY_RANK_W_QK, "Rank", "W_{QK}", false, "rk"},
    {STUDY_STD_Z, "std", "Z", true, ""},
    {STUDY_STD_Y, "std", "Y", true, ""},
    {STUDY_STD_GRAD_W_Q, "std", "∂W_Q", true, ""},
    {STUDY_STD_GRAD_W_K, "std", "∂W_K", true, ""},
    {STUDY_STD_GRAD_W_V, "std", "∂W_V", true, ""},
    {STUDY_STD_GRAD_W_O, "std", "∂W_O", true, ""},
    {STUDY_STD_GRAD_X, "std", "∂X", true, ""},
};
#define FEW 5 /* the short table has the first FEW rows of MEASURES */
/* The table of gradients has the last GRADIENTS rows of MEASURES: Y and the gradients. */
#define GRADIENTS 6

static const Measure CASE[] = {
    {STUDY_STD_W_Q, "std", "W_Q", true, ""},
    {STUDY_STD_W_O, "std", "W_O", true, ""},
    {STUDY_STD_Q, "std", "Q", true, ""},
    {STUDY_STD_K, "std", "K", true, ""},
    {STUDY_STD_S, "std", "S", true, ""},
    {STUDY_STD_Y, "std", "Y", true, ""},
    {STUDY_ENTROPY_A, "Entropy", "", false, "Entr."},
    {STUDY_MAX_A, "Mean max", "", false, "max"},
    {STUDY_SATURATION_A, "Saturation", "", false, "Satur."},
    {STUDY_STD_GRAD_W_K, "std", "∂W_K", true, ""},
};

typedef struct Measures {
    const Measure *at;
    int count;
} Measures;

static Measures measures_of(const ViewContext *c) {
    enum { ALL = ARRAY_COUNT(MEASURES) };
    static const Measures sets[] = {[MEASURES_FEW] = {MEASURES, FEW},
                                    [MEASURES_ALL] = {MEASURES, ALL},
                                    [MEASURES_GRADIENTS] = {MEASURES + ALL - GRADIENTS, GRADIENTS},
                                    [MEASURES_CASE] = {CASE, ARRAY_COUNT(CASE)}};
    return sets[compare_measures(c)];
}

static const Study *seeds_of(const ViewContext *c) {
    return compare_is_of(c, COMPARISON_COLUMNS) ? compare_seeds_shown(c) : NULL;
}

bool compare_x_is_unit(const ViewContext *c) {
    const TheoryOnInput *theory = &compare_comparison(c)->theory[0];
    return fabs(theory->rms - 1) < UNIT_NEAR && !(fabs(theory->common) > UNIT_APART);
}

/* With many seeds each seed has its own A. Then theory has a value on this X only for statistics of
 * weights and, if all seeds have the same X, for the statistics in of_x, which need X but not A.
 * For other statistics theory has a value only if X is unit X. */
bool compare_theory(double *value, double *chance, const ViewContext *c, int column,
                    StudyStat stat) {
    static const StudyStat of_x[] = {STUDY_STD_Q,     STUDY_STD_K, STUDY_STD_V,       STUDY_STD_S,
                                     STUDY_ENTROPY_A, STUDY_MAX_A, STUDY_SATURATION_A};
    const Comparison *comparison = compare_comparison(c);
    if (STUDY_STATS[stat].of_weight) { /* a statistic of weights does not depend on X */
        *value = comparison->expected[column][stat];
        *chance = 0;
        return isfinite(*value);
    }
    bool known = seeds_of(c) == NULL;
    for (size_t i = 0; i < ARRAY_COUNT(of_x); i++)
        known = known || (stat == of_x[i] && !comparison->plan.draws_x);
    double otherwise = compare_x_is_unit(c) ? comparison->expected[column][stat] : NAN;
    *value = known ? comparison->theory[column].value[stat] : otherwise;
    *chance = known ? comparison->theory[column].chance[stat] : NAN;
    return isfinite(*value);
}

typedef struct Row {
    const Measure *measure;
    int column;
    StudySummary over; /* summary over many seeds; over.seeds is 0 if there is one seed */
    /* Value of the shown seed; value to write: with many seeds their mean, else `measured`. */
    double measured, value;
    double unit;           /* value expected on unit X */
    double theory, chance; /* value expected on this X, and the standard deviation of one draw */
    bool is_news; /* true if `value` differs from `theory` by more than NEAR and FAR allow */
} Row;

static Row row_of(const ViewContext *c, const Measure *measure, int column) {
    const Study *seeds = seeds_of(c);
    StudyStat stat = measure->stat;
    Row row = {.measure = measure,
               .column = column,
               .over = {NAN, NAN, NAN, NAN, 0},
               .measured = compare_value(c, column, stat),
               .unit = compare_comparison(c)->expected[column][stat]};
    if (seeds != NULL)
        row.over = study_summary(seeds, column, 0, stat);
    row.value = row.over.seeds > 1 ? row.over.mean : row.measured;
    compare_theory(&row.theory, &row.chance, c, column, stat);
    double off = fabs(row.value - row.theory);
    row.is_news = off > NEAR * row.theory && off > FAR * row.chance;
    return row;
}

/* Write "1.4 ± 0.2", rounded to the first digit of the standard deviation, or to its second if the
 * first is 1; only the value if the standard deviation is below 0.4 % of it. */
static const char *theory_text(char out[64], double value, double chance) {
    bool known = chance > 0.004 * value;
    int decimals = known ? (int)ceil(-log10(chance)) : 0;
    if (known && chance * pow(10, decimals) < 1.95)
        decimals++;
    bool is_short = known && decimals <= 4;
    decimals = decimals > 0 ? decimals : 0;
    snprintf(out, 64, known ? "%s\u00A0±\u00A0%s" : "%s",
             is_short ? FIXED(value, decimals) : AXIS_VALUE((float)value),
             is_short ? FIXED(chance, decimals) : AXIS_VALUE((float)chance));
    return out;
}

/* Write a value. A tiny value is only the rounding error of a sum that is 0, and is written as
 * 0. */
static const char *value_text(char out[32], double value) {
    return isnan(value) ? "–" : axis_value_text(out, 32, fabs(value) < 2e-7 ? 0 : (float)value);
}

static const char *why_no_scores(const Comparison *comparison, int column) {
    const StudyPlan *plan = &comparison->plan;
    const SchemePlan *draw = &plan->schemes[column].plan;
    SchemeLaw query = SCHEMES[draw->scheme[ATTN_W_Q]].law,
              key = SCHEMES[draw->scheme[ATTN_W_K]].law;
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (plan->given[p].rows > 0)
            return "Weights from a file are not random, so theory has no expected value.";
    if (query == SCHEME_PAIRED || key == SCHEME_PAIRED)
        return "W_Q is made from W_K, so theory has no formula for the scores.";
    if (query == SCHEME_FIXED && key == SCHEME_FIXED)
        return "Nothing is random: scores are products of X with itself.";
    return "Theory has no formula for the scores if W_QK is cut to a lower rank.";
}

/* Return a note that applies to the whole column, or "". */
static const char *column_words(const ViewContext *c, int column) {
    const Comparison *comparison = compare_comparison(c);
    const double *expected = comparison->expected[column];
    int open = 0;
    for (int i = 0; i < c->run->mask.T; i++)
        open += mask_open_keys(&c->run->mask, i);
    return compare_is_of(c, COMPARISON_BROKEN) ? ""
           : open == 0                         ? "No key is open to any query: there are no scores."
           : expected[STUDY_STD_S] == 0
               ? "Every score is 0: each query reads all of its keys equally."
           : isfinite(expected[STUDY_ENTROPY_A]) ? ""
                                                 : why_no_scores(comparison, column);
}

static void expected_words(char out[320], const ViewContext *c, const Row *row) {
    const Comparison *comparison = compare_comparison(c);
    StudyStat stat = row->measure->stat;
    char text[64], unit[96] = "";
    out[0] = '\0';
    if (compare_is_of(c, COMPARISON_BROKEN) || isnan(row->value))
        return; /* in Spot the bug these words would give the answer away; without a value there is
                   nothing to compare */
    if (!isnan(row->unit))
        snprintf(unit, sizeof unit, " Expected on unit X: %s, accurate to %s %%.",
                 AXIS_VALUE((float)row->unit),
                 FIXED(100 * expect_bound(&comparison->plan.shape), 1));
    if (isfinite(row->theory)) {
        bool is_rough = stat == STUDY_STD_GRAD_W_Q || stat == STUDY_STD_GRAD_W_K;
        snprintf(out, 320,
                 row->is_news ? " Expected on this X: %s, so the measured value is %s σ off.%s%s"
                              : " Expected on this X: %s.%.0s%s%s",
                 theory_text(text, row->theory, row->chance),
                 FIXED(fabs(row->value - row->theory) / row->chance, 1),
                 is_rough ? " The ± is accurate to within 50 %." : "", unit);
    } else if (unit[0] != '\0') {
        snprintf(out, 320, "%s", unit);
    } else {
        bool scores = isfinite(comparison->expected[row->column][STUDY_ENTROPY_A]);
        snprintf(out, 320, " %s",
                 stat == STUDY_RANK_A ? "Theory knows the rank of A only if all scores are 0 and "
                                        "all keys are open: it is 1."
                 : stat == STUDY_RANK_W_QK || scores ? "Theory has no formula for this value here."
                                                     : why_no_scores(comparison, row->column));
    }
}

/* Return a value rounded by `to` (floorf or ceilf) to a sixteenth of a decade, so that the ends of
 * an axis stay the same while more seeds are computed. */
static float snap(float value, float (*to)(float)) {
    return powf(10, to(log10f(value) * 16) / 16);
}

static Axis axis_for(const ViewContext *c, const Measure *measure) {
    const Comparison *comparison = compare_comparison(c);
    float lo = INFINITY, hi = -INFINITY;
    if (!measure->logarithmic) {
        float top = measure->stat == STUDY_ENTROPY_A   ? logf(fmaxf((float)c->run->T, 2))
                    : measure->stat == STUDY_RANK_A    ? (float)c->run->T
                    : measure->stat == STUDY_RANK_W_QK ? (float)comparison->plan.shape.K
                                                       : 1;
        return (Axis){0, top, false, false};
    }
    for (int i = 0; i < comparison->plan.scheme_count; i++) {
        Row row = row_of(c, measure, i);
        const double values[] = {row.measured,
                                 compare_measures(c) == MEASURES_FEW ? NAN : row.unit,
                                 row.theory - row.chance,
                                 row.theory + row.chance,
                                 row.over.least,
                                 row.over.most};
        for (size_t k = 0; k < ARRAY_COUNT(values); k++) {
            float value = (float)values[k];
            if (!isfinite(value) || value <= 0)
                continue;
            lo = fminf(lo, value);
            hi = fmaxf(hi, value);
        }
    }
    if (!(lo <= hi))
        return (Axis){0.1f, 10, true, false};
    float wider = fmaxf(powf(hi / lo, 0.12f), 1.3f);
    return (Axis){snap(lo / wider, floorf), snap(hi * wider, ceilf), true, false};
}

static float place_on(Rect track, const Axis *axis, double value) {
    float at = axis_at(axis, (float)value);
    return track.x + track.w * fmaxf(fminf(at, 1), 0);
}

/* Return the rectangle of value ± reach on a track, with a minimum width. */
static Rect span_of(Rect track, const Axis *axis, double value, double reach, float least,
                    float height) {
    double lo = fmax(value - reach, axis->logarithmic ? (double)axis->lo : 0);
    float from = place_on(track, axis, lo), to = place_on(track, axis, value + reach);
    return (Rect){from, track.y + track.h / 2 - height / 2, fmaxf(to - from, least), height};
}

static void tick_draw(const ViewContext *c, Rect track, const Axis *axis, double value,
                      float height, Colour colour) {
    if (!isfinite(value))
        return;
    float x = place_on(track, axis, value), middle = track.y + track.h / 2;
    draw_fill(c->ui->list, (Rect){x - 1, middle - height / 2, 2.5f, height}, 1, colour);
}

/* Count only the seeds that are new since the last frame, because there may be 10,000. If the study
 * or the axis has changed, count all seeds again. */
static void bins_count(SeedBins *bins, const Study *study, uint64_t key, StudyStat stat,
                       const Axis *axis) {
    int in = study_seeds_in(study);
    if (bins->values != study->values || bins->key != key || bins->in > in ||
        axis->lo != bins->axis.lo || axis->hi != bins->axis.hi)
        *bins = (SeedBins){.values = study->values, .key = key, .axis = *axis};
    for (; bins->in < in; bins->in++)
        for (int i = 0; i < study->plan.scheme_count; i++) {
            float value = study_value(study, i, bins->in, 0, stat);
            float at = axis_at(axis, value) * SEED_BINS;
            if (isfinite(value))
                bins->counts[i][(int)fminf(fmaxf(at, 0), SEED_BINS - 1)]++;
        }
}

/* Draw the distribution of the seeds, mirrored at the middle of the track, so that its height is
 * not taken for a value. */
static void shape_draw(const ViewContext *c, Rect track, const Row *row, const Axis *axis) {
    CompareMemory *m = c->memory->compare;
    const Study *study = seeds_of(c);
    if (study == NULL)
        return;
    SeedBins *bins = &m->bins[row->measure->stat];
    const int *counts = bins->counts[row->column];
    int most = 1;
    bins_count(bins, study, m->jobs[COMPARE_SEEDS].key, row->measure->stat, axis);
    for (int b = 0; b < SEED_BINS; b++)
        most = counts[b] > most ? counts[b] : most;
    Colour colour = colour_fade(column_colour(c, row->column), 0.45f);
    for (int b = 0; b < SEED_BINS; b++) {
        float height = fmaxf(SHAPE_H * (float)counts[b] / (float)most, 1);
        if (counts[b] > 0)
            draw_fill(c->ui->list,
                      (Rect){track.x + track.w * (float)b / SEED_BINS,
                             track.y + (track.h - height) / 2, track.w / SEED_BINS, height},
                      0, colour);
    }
}

static void track_draw(const ViewContext *c, Rect track, const Row *row) {
    const Theme *theme = c->ui->theme;
    DrawList *list = c->ui->list;
    Axis axis = axis_for(c, row->measure);
    float middle = track.y + track.h / 2;
    bool is_case = compare_is_of(c, COMPARISON_BROKEN);
    draw_fill(list, (Rect){track.x, middle - TRACK_H / 2.0f, track.w, TRACK_H}, 2.5f, theme->hover);
    shape_draw(c, track, row, &axis);
    if (!is_case && isfinite(row->chance))
        draw_fill(list, span_of(track, &axis, row->theory, row->chance, 2, CHANCE_H), 3,
                  theme->control);
    /* half of the 95 % confidence interval of the mean */
    double reach = 1.96 * row->over.std / sqrt(row->over.seeds);
    if (isfinite(row->over.mean) && row->over.seeds > 1)
        draw_fill(list, span_of(track, &axis, row->over.mean, reach, 1.5f, BAND_H), 0,
                  column_colour(c, row->column));
    if (compare_measures(c) != MEASURES_FEW)
        tick_draw(c, track, &axis, row->unit, is_case ? 16 : 12,
                  is_case ? theme->text_1 : theme->text_3);
    if (!is_case)
        tick_draw(c, track, &axis, row->theory, 16, theme->text_1);
    if (isfinite(row->measured)) {
        Vec2 at = {place_on(track, &axis, row->measured), middle};
        mark_draw(c->ui, column_mark(row->column), at, 14, theme->canvas);
        mark_draw(c->ui, column_mark(row->column), at, 10.5f, column_colour(c, row->column));
    }
}

/* With many seeds, a click makes every column show the distribution of this measure, or the
 * histogram again if it is already shown. */
static void row_control(const ViewContext *c, Rect place, const Row *row) {
    StudyStat stat = row->measure->stat;
    const Entry *entry = &STUDY_STATS[stat].entry;
    UiId id = ui_id("measure", row->column * STUDY_STAT_COUNT + (int)stat);
    bool chosen = c->settings->compare.over == (int)stat, hovered = ui_over(c->ui, place);
    if (row->over.seeds > 0) {
        UiState state = ui_control(c->ui, id, place, UI_NO_FOCUS);
        hovered = state.hovered;
        if (hovered || chosen)
            draw_fill(c->ui->list, rect_inset(place, -6, 1), 6,
                      hovered ? c->ui->theme->hover : c->ui->theme->raised);
        if (state.clicked)
            view_set(c, "compare-over", chosen ? "none" : entry->id, 0);
    }
    char text[1000], expected[320], seeds[300] = "", mean[32], std[32];
    expected_words(expected, c, row);
    if (row->over.seeds > 1 && isfinite(row->over.mean))
        snprintf(seeds, sizeof seeds,
                 " Over %d seeds the mean is %s (the tall band is its 95 %% confidence interval), "
                 "the standard deviation %s. Click to see the distribution.",
                 row->over.seeds, value_text(mean, row->over.mean), value_text(std, row->over.std));
    snprintf(text, sizeof text, "%s%s%s", entry->help, expected, seeds);
    tooltip_on(c->ui, id, place, hovered, &(Tooltip){.title = entry->label, .text = text});
}

/* Draw a number, smaller if it is long. Never cut it, because its first digits alone would be a
 * different number. */
static void number_draw(const ViewContext *c, Rect place, unsigned styled, const char *text) {
    LabelStyle style = text_style(c->ui, styled | TEXT_RIGHT | TEXT_PX(16));
    float width = label_width(c->ui, style.font, style.size, text, strlen(text));
    if (width > place.w)
        style.size *= place.w / width;
    width = label_width(c->ui, style.font, style.size, text, strlen(text)) + 1;
    label_draw(c->ui, (Rect){rect_right(place) - width, place.y, width, place.h}, &style, text);
}

static bool has_unit(const ViewContext *c, float width) {
    CompareMeasures table = compare_measures(c);
    return (table == MEASURES_ALL || table == MEASURES_GRADIENTS) && width >= UNIT_W;
}

static void row_draw(const ViewContext *c, Rect place, const Measure *measure, int column) {
    const Row row = row_of(c, measure, column);
    bool tight = place.w < TIGHT_W, unit = has_unit(c, place.w);
    char text[64];
    row_control(c, place, &row);
    Rect name = rect_cut_left(&place, tight ? NAME_TIGHT : NAME_W);
    float used = text_in(c->ui, name, TEXT_CAPTION, "%s",
                         tight && measure->brief != NULL ? measure->brief : measure->word);
    rect_cut_left(&name, used + (used > 0 ? tight ? 4 : 7 : 0));
    if (measure->of[0] != '\0')
        text_in(c->ui, name, TEXT_FORMULA | TEXT_PX(19), "%s", measure->of);
    number_draw(c, rect_cut_left(&place, VALUE_W), TEXT_NUMBER | TEXT_BOLD,
                value_text(text, row.value));
    rect_cut_left(&place, tight ? 10 : 14);
    if (unit)
        number_draw(c, rect_cut_right(&place, UNIT_NUMBER_W), TEXT_NUMBER | TEXT_FAINT,
                    value_text(text, row.unit));
    /* Write the value expected on this X, or the intended value of a broken initialisation. Bold
     * means that the measured value is far from the expected one. */
    bool has_theory = !compare_is_of(c, COMPARISON_BROKEN) && isfinite(row.theory);
    if (!tight)
        number_draw(c, rect_cut_right(&place, RIGHT_W),
                    has_theory && row.is_news ? TEXT_STRONG | TEXT_WARN : TEXT_BODY,
                    has_theory ? theory_text(text, row.theory, row.chance)
                    : compare_is_of(c, COMPARISON_BROKEN) ? value_text(text, row.unit)
                                                          : "–");
    rect_cut_right(&place, 12);
    track_draw(c, place, &row);
}

/* Every column is as high as the one with the longest note. */
float compare_table_height(const ViewContext *c, float width) {
    float words_h = 0;
    for (int i = 0; i < compare_comparison(c)->plan.scheme_count; i++)
        if (column_words(c, i)[0] != '\0')
            words_h = fmaxf(words_h,
                            WORDS_GAP + text_wrap_height(c->ui, WORDS, column_words(c, i), width));
    return HEAD_H + ROW_H * (float)measures_of(c).count + words_h;
}

void compare_table_draw(const ViewContext *c, Rect place, int column) {
    Rect rest = place, head = rect_cut_top(&rest, HEAD_H), left = head;
    const unsigned style = TEXT_NOTE | TEXT_PX(14) | TEXT_PLAIN | TEXT_FAINT | TEXT_RIGHT;
    const Study *seeds = seeds_of(c);
    left.w = NAME_W + VALUE_W;
    if (place.w >= TIGHT_W) {
        text_in(c->ui, left, style, "%s",
                seeds != NULL ? PRINT("mean of %s", GROUPED(study_seeds_in(seeds))) : "measured");
        if (has_unit(c, place.w)) /* ± is the largest relative error of a value for unit X */
            text_in(c->ui, rect_cut_right(&head, UNIT_NUMBER_W), style, "unit X ±%.0f %%",
                    ceil(100 * expect_bound(&compare_comparison(c)->plan.shape)));
        text_in(c->ui, head, style,
                compare_is_of(c, COMPARISON_BROKEN) ? "expected" : "expected on this X");
    }
    Measures measures = measures_of(c);
    for (int i = 0; i < measures.count; i++)
        row_draw(c, rect_cut_top(&rest, ROW_H), &measures.at[i], column);
    rect_cut_top(&rest, WORDS_GAP);
    text_wrap(c->ui, &rest, WORDS, column_words(c, column));
}
