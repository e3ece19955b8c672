/* A column's measures, each on an axis that all columns share. A mark is the measured value, a tick
 * the value that theory expects on this X, and a band the standard deviation of one draw. Every
 * measure has a grey tick for unit X. With many seeds, a row shows their distribution and the
 * confidence interval of the mean. */
#include "views/compare/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "base/util.h"
#include "ui/axis.h"
#include "ui/formula.h"
#include "ui/prose.h"
#include "ui/tooltip.h"

#define HEAD_H        22
#define ROW_H         27
#define NAME_W        64
#define VALUE_W       62
#define RIGHT_W       104
#define UNIT_NUMBER_W 92
#define TRACK_H       5
#define WORD_SIZE     15
#define WORDS_GAP     4
#define TIGHT_W       300 /* a narrower column writes no expected number and shows only the tick */
#define UNIT_W        400 /* a column this wide writes the number for unit X, too */
#define BAND_H        19  /* height of the mean's confidence interval */
#define CHANCE_H      13  /* height of the band of one seed: mean ± standard deviation */

/* One line of the table: a word and the symbol that it describes. */
typedef struct Measure {
    StudyStat stat;
    const char *word, *of;
    bool logarithmic;
    const char *brief; /* the word in a narrow column; NULL for word, "" for none */
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
#define FEW       5 /* the short table has the first measures of the list, */
#define GRADIENTS 6 /* that of gradients the last: Y and gradients */

/* The measures of a case: its weights and their consequences. */
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
    static const Measures sets[] = {[TABLE_FEW] = {MEASURES, FEW},
                                    [TABLE_ALL] = {MEASURES, ALL},
                                    [TABLE_GRADIENTS] = {MEASURES + ALL - GRADIENTS, GRADIENTS},
                                    [TABLE_CASE] = {CASE, ARRAY_COUNT(CASE)}};
    return sets[compare_table(c)];
}

/* Return the study over many seeds, or NULL. A case has one seed. */
static const Study *seeds_of(const ViewContext *c) {
    return compare_is_of(c, COMPARISON_COLUMNS) ? compare_seeds_shown(c) : NULL;
}

static StudySummary summary_of(const ViewContext *c, int column, StudyStat stat) {
    const Study *seeds = seeds_of(c);
    return seeds != NULL ? study_summary(seeds, column, 0, stat)
                         : (StudySummary){NAN, NAN, NAN, NAN, 0};
}

/* Return the value expected on unit X, or NaN if it is not shown. */
static double shown_expected(const ViewContext *c, int column, StudyStat stat) {
    return compare_table(c) == TABLE_FEW ? NAN : compare_comparison(c)->expected[column][stat];
}

/* Round to a sixteenth of a decade, so that the ends of an axis stay while seeds arrive. */
static float snap(float value, float (*to)(float)) {
    return powf(10, to(log10f(value) * 16) / 16);
}

/* Return an axis that contains the values of every column. */
static Axis axis_for(const ViewContext *c, const Measure *measure) {
    const Comparison *comparison = compare_comparison(c);
    float lo = INFINITY, hi = -INFINITY;
    for (int i = 0; i < comparison->plan.scheme_count; i++) {
        StudySummary over = summary_of(c, i, measure->stat);
        double expected, chance;
        compare_theory(&expected, &chance, c, i, measure->stat);
        float values[] = {(float)compare_value(c, i, measure->stat),
                          (float)shown_expected(c, i, measure->stat),
                          (float)(expected - chance),
                          (float)(expected + chance),
                          (float)over.least,
                          (float)over.most};
        for (size_t k = 0; k < ARRAY_COUNT(values); k++) {
            if (!isfinite(values[k]) || (measure->logarithmic && values[k] <= 0))
                continue;
            lo = fminf(lo, values[k]);
            hi = fmaxf(hi, values[k]);
        }
    }
    if (!measure->logarithmic) {
        float top = measure->stat == STUDY_ENTROPY_A   ? logf(fmaxf((float)c->run->T, 2))
                    : measure->stat == STUDY_RANK_A    ? (float)c->run->T
                    : measure->stat == STUDY_RANK_W_QK ? (float)comparison->plan.shape.K
                                                       : 1;
        return (Axis){0, top, false, false};
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

/* Draw the 95 % confidence interval of the mean over all seeds. */
static void band_draw(const ViewContext *c, Rect track, const Axis *axis, int column,
                      StudySummary over) {
    double reach = 1.96 * over.std / sqrt(over.seeds);
    if (!isfinite(over.mean) || over.seeds < 2)
        return;
    double least = axis->logarithmic ? (double)axis->lo : 0;
    float from = place_on(track, axis, fmax(over.mean - reach, least));
    float to = place_on(track, axis, over.mean + reach);
    Rect band = {from, track.y + track.h / 2 - BAND_H / 2.0f, fmaxf(to - from, 1.5f), BAND_H};
    draw_fill(c->ui->list, band, 0, column_colour(c, column));
}

static void tick_draw(const ViewContext *c, Rect track, const Axis *axis, double value,
                      float height, Colour colour) {
    if (!isfinite(value))
        return;
    float x = place_on(track, axis, value), middle = track.y + track.h / 2;
    draw_fill(c->ui->list, (Rect){x - 1, middle - height / 2, 2.5f, height}, 1, colour);
}

/* Draw a band of ± one standard deviation of a single draw around the value expected on this X. */
static void chance_draw(const ViewContext *c, Rect track, const Axis *axis, double value,
                        double chance) {
    double least = axis->logarithmic ? (double)axis->lo : 0;
    float from = place_on(track, axis, fmax(value - chance, least));
    float to = place_on(track, axis, value + chance), middle = track.y + track.h / 2;
    if (isfinite(chance))
        draw_fill(c->ui->list,
                  (Rect){from, middle - CHANCE_H / 2.0f, fmaxf(to - from, 2), CHANCE_H}, 3,
                  c->ui->theme->control);
}

static void track_draw(const ViewContext *c, Rect track, const Measure *measure, int column) {
    const Theme *theme = c->ui->theme;
    Axis axis = axis_for(c, measure);
    float middle = track.y + track.h / 2;
    double measured = compare_value(c, column, measure->stat), theory, chance;
    bool is_case = compare_is_of(c, COMPARISON_BROKEN);
    double unit = shown_expected(c, column, measure->stat);
    draw_fill(c->ui->list, (Rect){track.x, middle - TRACK_H / 2.0f, track.w, TRACK_H}, 2.5f,
              theme->hover);
    compare_theory(&theory, &chance, c, column, measure->stat);
    compare_seeds_shape(c, track, measure->stat, column, &axis);
    if (!is_case)
        chance_draw(c, track, &axis, theory, chance);
    band_draw(c, track, &axis, column, summary_of(c, column, measure->stat));
    tick_draw(c, track, &axis, unit, is_case ? 16 : 12, is_case ? theme->text_1 : theme->text_3);
    if (!is_case)
        tick_draw(c, track, &axis, theory, 16, theme->text_1);
    if (isfinite(measured)) {
        Vec2 at = {place_on(track, &axis, measured), middle};
        mark_draw(c->ui, column_mark(column), at, 14, theme->canvas);
        mark_draw(c->ui, column_mark(column), at, 10.5f, column_colour(c, column));
    }
}

/* Write a value. Tiny values are the rounding of a sum that is 0. */
static void value_text(char *out, double value) {
    if (isnan(value))
        snprintf(out, 32, "–");
    else
        axis_value_text(out, 32, fabs(value) < 2e-7 ? 0 : (float)value);
}

/* Append the expected value, or why there is none. */
static void add_expected(char *out, size_t capacity, const ViewContext *c, const Measure *measure,
                         int column, double value) {
    char words[200];
    size_t used = strlen(out);
    if (compare_is_of(c, COMPARISON_BROKEN) ||
        isnan(value)) /* the difference is what the question asks for */
        return;
    compare_theory_words(words, c, column, measure->stat, value);
    bool known = words[0] != '\0';
    if (!known)
        compare_why_none(words, c, column, measure->stat);
    snprintf(out + used, capacity - used, known ? "%s" : " %s", words);
}

/* Draw a tooltip that explains a row and its bands. */
static void row_tip(const ViewContext *c, Rect row, UiId id, const Measure *measure, int column,
                    bool hovered) {
    char text[900], mean[32], std[32];
    const Entry *entry = &STUDY_STATS[measure->stat].entry;
    StudySummary over = summary_of(c, column, measure->stat);
    bool many = over.seeds > 1 && isfinite(over.mean);
    double value = compare_value(c, column, measure->stat);
    snprintf(text, sizeof text, "%s", entry->help);
    add_expected(text, sizeof text, c, measure, column, many ? over.mean : value);
    if (many) {
        size_t used = strlen(text);
        value_text(mean, over.mean);
        value_text(std, over.std);
        snprintf(text + used, sizeof text - used,
                 " Over %d seeds the mean is %s, the tall band, and the standard deviation %s. "
                 "Click to see their distribution.",
                 over.seeds, mean, std);
    }
    tooltip_on(c->ui, id, row, hovered, &(Tooltip){entry->label, text, NULL, NULL});
}

/* A click switches every column between this measure over the seeds and the histogram. */
static void row_control(const ViewContext *c, Rect row, const Measure *measure, int column) {
    UiId id = ui_id("measure", column * STUDY_STAT_COUNT + (int)measure->stat);
    bool many = seeds_of(c) != NULL, chosen = c->settings->compare.over == (int)measure->stat;
    if (!many) {
        row_tip(c, row, id, measure, column, ui_over(c->ui, row));
        return;
    }
    UiState state = ui_control(c->ui, id, row, UI_NO_FOCUS);
    if (state.hovered || chosen)
        draw_fill(c->ui->list, rect_inset(row, -6, 1), 6,
                  state.hovered ? c->ui->theme->hover : c->ui->theme->raised);
    if (state.clicked)
        view_set(c, "compare-over", chosen ? "none" : STUDY_STATS[measure->stat].entry.id, 0);
    row_tip(c, row, id, measure, column, state.hovered);
}

/* Return the mean over many seeds, or the value of the one seed. */
static double value_of(const ViewContext *c, int column, StudyStat stat) {
    StudySummary over = summary_of(c, column, stat);
    return over.seeds > 1 ? over.mean : compare_value(c, column, stat);
}

/* Draw a number, smaller if it is long. Never cut it, because its first digits alone are another
 * number. */
static void number_draw(const ViewContext *c, Rect place, LabelStyle style, const char *text) {
    float width = label_width(c->ui, style.font, style.size, text, strlen(text));
    if (width > place.w)
        style.size *= place.w / width;
    width = label_width(c->ui, style.font, style.size, text, strlen(text)) + 1;
    label_draw(c->ui, (Rect){rect_right(place) - width, place.y, width, place.h}, &style, text);
}

/* Draw at the right of a row the value expected on this X ± one draw, or the intended value of a
 * case. The number is bold if the measured value is far from it. */
static void right_draw(const ViewContext *c, Rect place, const Measure *measure, int column) {
    char text[64];
    double value, chance, measured = value_of(c, column, measure->stat);
    LabelStyle style = {FONT_SANS, 16, c->ui->theme->text_2, LABEL_RIGHT};
    if (compare_is_of(c, COMPARISON_BROKEN)) {
        value_text(text, compare_comparison(c)->expected[column][measure->stat]);
    } else if (compare_theory(&value, &chance, c, column, measure->stat)) {
        compare_theory_text(text, value, chance);
        if (compare_is_news(c, column, measure->stat, measured))
            style = (LabelStyle){FONT_SANS_BOLD, 16, c->ui->theme->warn, LABEL_RIGHT};
    } else
        snprintf(text, sizeof text, "–");
    number_draw(c, place, style, text);
}

/* True if a row has a number for unit X. */
static bool has_unit(const ViewContext *c, float width) {
    CompareTable table = compare_table(c);
    return (table == TABLE_ALL || table == TABLE_GRADIENTS) && width >= UNIT_W;
}

static void row_draw(const ViewContext *c, Rect row, const Measure *measure, int column) {
    const Theme *theme = c->ui->theme;
    float row_w = row.w;
    bool tight = row_w < TIGHT_W;
    char text[32];
    row_control(c, row, measure, column);
    Rect name = rect_cut_left(&row, tight ? 58 : NAME_W + 22);
    LabelStyle style = {FONT_SANS, 16, theme->text_2, LABEL_LEFT};
    bool named = measure->of[0] != '\0';
    const char *word = tight && measure->brief != NULL ? measure->brief : measure->word;
    float used = label_draw(c->ui, name, &style, word);
    FormulaStyle formula = {.size = 19, .colour = theme->text_1};
    rect_cut_left(&name, used + (used > 0 ? tight ? 4 : 7 : 0));
    if (named)
        formula_label(c->ui, name, &formula, measure->of);
    value_text(text, value_of(c, column, measure->stat));
    style = (LabelStyle){FONT_MONO_BOLD, 16, theme->text_1, LABEL_RIGHT};
    number_draw(c, rect_cut_left(&row, VALUE_W), style, text);
    rect_cut_left(&row, tight ? 10 : 14);
    style = (LabelStyle){FONT_MONO, 16, theme->text_3, LABEL_RIGHT};
    value_text(text, shown_expected(c, column, measure->stat));
    if (has_unit(c, row_w))
        number_draw(c, rect_cut_right(&row, UNIT_NUMBER_W), style, text);
    if (!tight)
        right_draw(c, rect_cut_right(&row, RIGHT_W), measure, column);
    rect_cut_right(&row, 12);
    track_draw(c, row, measure, column);
}

static LabelStyle words_style(const ViewContext *c) {
    return (LabelStyle){FONT_SANS, WORD_SIZE, c->ui->theme->text_2, LABEL_LEFT};
}

/* All columns have the height that the longest note needs. */
float compare_table_height(const ViewContext *c, float width) {
    LabelStyle style = words_style(c);
    int most = 0;
    for (int i = 0;
         i < compare_comparison(c)->plan.scheme_count && !compare_is_of(c, COMPARISON_BROKEN);
         i++) {
        const char *text = compare_words(c, i);
        int own = text[0] != '\0' ? prose_lines(c->ui, &style, text, width) : 0;
        most = own > most ? own : most;
    }
    float words_h = most > 0 ? WORDS_GAP + style.size * LABEL_LINE * (float)most : 0;
    return HEAD_H + ROW_H * (float)measures_of(c).count + words_h;
}

/* Draw the heading "unit X" with the largest relative error of an expectation. */
static void unit_head_draw(const ViewContext *c, Rect place, const LabelStyle *style) {
    char text[32];
    double bound = expect_bound(&compare_comparison(c)->plan.shape);
    snprintf(text, sizeof text, "unit X ±%.0f %%", ceil(100 * bound));
    label_draw(c->ui, place, style, text);
}

void compare_table_draw(const ViewContext *c, Rect place, int column) {
    Rect rest = place, head = rect_cut_top(&rest, HEAD_H);
    LabelStyle style = {FONT_SANS, 14, c->ui->theme->text_3, LABEL_RIGHT};
    if (place.w >= TIGHT_W) {
        Rect left = head;
        left.w = NAME_W + 22 + VALUE_W;
        const Study *seeds = seeds_of(c);
        label_draw(c->ui, left, &style,
                   seeds != NULL ? PRINT("mean of %s", GROUPED(study_seeds_in(seeds)))
                                 : "measured");
        if (has_unit(c, place.w))
            unit_head_draw(c, rect_cut_right(&head, UNIT_NUMBER_W), &style);
        label_draw(c->ui, head, &style,
                   compare_is_of(c, COMPARISON_BROKEN) ? "expected" : "expected on this X");
    }
    Measures measures = measures_of(c);
    for (int i = 0; i < measures.count; i++)
        row_draw(c, rect_cut_top(&rest, ROW_H), &measures.at[i], column);
    rect_cut_top(&rest, WORDS_GAP);
    style = words_style(c);
    if (!compare_is_of(c, COMPARISON_BROKEN) && compare_words(c, column)[0] != '\0')
        prose_wrap(c->ui, rest, &style, compare_words(c, column));
}
