/* A column's measures: what was measured as its mark, what theory expects as a tick, on one axis
 * across columns; over many seeds the spread of a seed and, narrowing, that of the mean. */
#include "views/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "ui/axis.h"
#include "ui/formula.h"
#include "ui/tooltip.h"

#define HEAD_H  22
#define ROW_H   27
#define NAME_W  64
#define VALUE_W 66
#define TRACK_H 5
#define WORDS_H 40
#define TIGHT_W 300  /* a narrower column leaves the expected number to the tick */
#define APART   0.10 /* of what is expected: from here on a word says why */

/* One line of the table: a word, and the matrix it is of. */
typedef struct Measure {
    StudyStat stat;
    const char *word, *of;
    bool logarithmic;
} Measure;

static const Measure MEASURES[] = {
    {STUDY_STD_Q, "std", "Q", true},           {STUDY_STD_K, "std", "K", true},
    {STUDY_STD_S, "std", "S", true},           {STUDY_ENTROPY_A, "Entropy", "", false},
    {STUDY_MAX_A, "Max A", "", false},         {STUDY_STD_Z, "std", "Z", true},
    {STUDY_STD_Y, "std", "Y", true},           {STUDY_SATURATION_A, "Saturation", "", false},
    {STUDY_RANK_A, "Rank", "A", false},        {STUDY_RANK_W_QK, "Rank", "W_{QK}", false},
    {STUDY_STD_GRAD_W_Q, "std", "∂W_Q", true}, {STUDY_STD_GRAD_W_K, "std", "∂W_K", true},
    {STUDY_STD_GRAD_W_V, "std", "∂W_V", true}, {STUDY_STD_GRAD_W_O, "std", "∂W_O", true},
    {STUDY_STD_GRAD_X, "std", "∂X", true},
};
#define FEW 5

/* Of a case that is looked at: the weights and what follows from them. */
static const Measure CASE[] = {
    {STUDY_STD_W_Q, "std", "W_Q", true},       {STUDY_STD_W_O, "std", "W_O", true},
    {STUDY_STD_Q, "std", "Q", true},           {STUDY_STD_K, "std", "K", true},
    {STUDY_STD_S, "std", "S", true},           {STUDY_STD_Y, "std", "Y", true},
    {STUDY_ENTROPY_A, "Entropy", "", false},   {STUDY_MAX_A, "Max A", "", false},
    {STUDY_STD_GRAD_W_K, "std", "∂W_K", true},
};

static int measure_count(const ViewContext *c) {
    static const int counts[] = {[TABLE_FEW] = FEW,
                                 [TABLE_ALL] = (int)ARRAY_COUNT(MEASURES),
                                 [TABLE_CASE] = (int)ARRAY_COUNT(CASE)};
    return counts[c->memory->compare->set->table];
}

static const Measure *measures_of(const ViewContext *c) {
    return c->memory->compare->set->table == TABLE_CASE ? CASE : MEASURES;
}

float compare_table_height(const ViewContext *c) {
    return HEAD_H + ROW_H * (float)measure_count(c) + WORDS_H;
}

/* Of the columns alone; a case that is looked at has one seed. */
static const Study *seeds_of(const ViewContext *c) {
    const CompareMemory *m = c->memory->compare;
    return m->set == &m->sets[SET_COLUMNS] ? compare_seeds_shown(c) : NULL;
}

static StudySummary summary_of(const ViewContext *c, int column, StudyStat stat) {
    const Study *seeds = seeds_of(c);
    return seeds != NULL ? study_summary(seeds, column, 0, stat)
                         : (StudySummary){NAN, NAN, NAN, NAN, 0};
}

/* The ends that hold every column's values. */
static Axis axis_for(const ViewContext *c, const Measure *measure) {
    const CompareMemory *m = c->memory->compare;
    float lo = INFINITY, hi = -INFINITY;
    for (int i = 0; i < m->set->lineup.plan.scheme_count; i++) {
        StudySummary over = summary_of(c, i, measure->stat);
        float values[] = {m->set->lineup.values[i][measure->stat],
                          (float)m->set->lineup.expected[i][measure->stat], (float)over.least,
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
                    : measure->stat == STUDY_RANK_W_QK ? (float)m->set->lineup.plan.shape.K
                                                       : 1;
        return (Axis){0, top, false, false};
    }
    if (!(lo <= hi))
        return (Axis){0.1f, 10, true, false};
    float wider = fmaxf(powf(hi / lo, 0.12f), 1.3f);
    return (Axis){lo / wider, hi * wider, true, false};
}

static float place_on(Rect track, const Axis *axis, double value) {
    float at = axis_at(axis, (float)value);
    return track.x + track.w * fmaxf(fminf(at, 1), 0);
}

static void band_draw(const ViewContext *c, Rect track, const Axis *axis, double lo, double hi,
                      float height, Colour colour) {
    double least = axis->logarithmic ? (double)axis->lo : 0;
    float from = place_on(track, axis, fmax(lo, least)), to = place_on(track, axis, hi);
    Rect band = {from, track.y + track.h / 2 - height / 2, fmaxf(to - from, 1), height};
    draw_fill(c->ui->list, band, fminf(2, height / 2), colour);
}

/* Of one seed 95 of 100 values lie in the wide band; of the mean's in the narrow one. */
static void bands_draw(const ViewContext *c, Rect track, const Axis *axis, int column,
                       StudySummary over) {
    double n = over.seeds, wide = over.deviation, narrow = 1.96 * over.deviation / sqrt(n);
    if (!isfinite(over.mean) || over.seeds < 2)
        return;
    Colour colour = compare_colour(c, column);
    band_draw(c, track, axis, over.mean - wide, over.mean + wide, 9, colour_fade(colour, 0.35f));
    band_draw(c, track, axis, over.mean - narrow, over.mean + narrow, 15,
              colour_fade(colour, 0.75f));
}

static void track_draw(const ViewContext *c, Rect track, const Measure *measure, int column) {
    const CompareMemory *m = c->memory->compare;
    const Theme *theme = c->ui->theme;
    Axis axis = axis_for(c, measure);
    float middle = track.y + track.h / 2;
    double measured = (double)m->set->lineup.values[column][measure->stat];
    double expected = m->set->lineup.expected[column][measure->stat];
    draw_fill(c->ui->list, (Rect){track.x, middle - TRACK_H / 2.0f, track.w, TRACK_H}, 2.5f,
              theme->hover);
    bands_draw(c, track, &axis, column, summary_of(c, column, measure->stat));
    if (isfinite(expected)) {
        float x = place_on(track, &axis, expected);
        draw_fill(c->ui->list, (Rect){x - 1, middle - 8, 2.5f, 16}, 1, theme->text_1);
    }
    if (isfinite(measured)) {
        Vec2 at = {place_on(track, &axis, measured), middle};
        mark_draw(c->ui, compare_mark(column), at, 14, theme->canvas);
        mark_draw(c->ui, compare_mark(column), at, 10.5f, compare_colour(c, column));
    }
}

static void value_text(char out[32], double value) {
    if (isnan(value))
        snprintf(out, 32, "–");
    else
        axis_value_text(out, 32, (float)value);
}

/* What a row says in words, with what its bands are. */
static void row_tip(const ViewContext *c, Rect row, const Measure *measure, int column) {
    char text[320], mean[32], deviation[32];
    const Entry *entry = &STUDY_STATS[measure->stat].entry;
    StudySummary over = summary_of(c, column, measure->stat);
    snprintf(text, sizeof text, "%s", entry->help);
    if (over.seeds > 1 && isfinite(over.mean)) {
        value_text(mean, over.mean);
        value_text(deviation, over.deviation);
        snprintf(text, sizeof text,
                 "%s Over %d seeds the mean is %s and the deviation %s: the pale band. The strong "
                 "one holds the mean itself and narrows.",
                 entry->help, over.seeds, mean, deviation);
    }
    UiId id = ui_id("measure", column * STUDY_STAT_COUNT + (int)measure->stat);
    tooltip_on(c->ui, id, row, ui_over(c->ui, row), &(Tooltip){entry->label, text, NULL});
}

static void row_draw(const ViewContext *c, Rect row, const Measure *measure, int column) {
    const CompareMemory *m = c->memory->compare;
    const Theme *theme = c->ui->theme;
    bool tight = row.w < TIGHT_W;
    char text[32];
    Rect whole = row, name = rect_cut_left(&row, tight ? 44 : NAME_W + 22);
    LabelStyle style = {FONT_SANS, 16, theme->text_2, LABEL_LEFT};
    bool named = measure->of[0] != '\0';
    float used = tight && named ? 0 : label_draw(c->ui, name, &style, measure->word);
    FormulaStyle formula = {.size = 19, .colour = theme->text_1};
    rect_cut_left(&name, used + (used > 0 ? 7 : 0));
    if (named)
        formula_label(c->ui, name, &formula, measure->of);
    StudySummary over = summary_of(c, column, measure->stat);
    double value =
        over.seeds > 1 ? over.mean : (double)m->set->lineup.values[column][measure->stat];
    value_text(text, value);
    style = (LabelStyle){FONT_MONO_BOLD, 16, theme->text_1, LABEL_RIGHT};
    label_draw(c->ui, rect_cut_left(&row, tight ? 58 : VALUE_W), &style, text);
    rect_cut_left(&row, 14);
    value_text(text, m->set->lineup.expected[column][measure->stat]);
    style = (LabelStyle){FONT_MONO, 16, theme->text_2, LABEL_RIGHT};
    if (!tight)
        label_draw(c->ui, rect_cut_right(&row, VALUE_W - 4), &style, text);
    rect_cut_right(&row, 8);
    track_draw(c, row, measure, column);
    row_tip(c, whole, measure, column);
}

/* Why Q and K are not as expected: theory has X of deviation 1 and mean 0. */
static void words_of(char out[200], const ViewContext *c, int column) {
    const CompareMemory *m = c->memory->compare;
    const float *values = m->set->lineup.values[column];
    double Q = m->set->lineup.expected[column][STUDY_STD_Q],
           S = m->set->lineup.expected[column][STUDY_STD_S];
    double x = (double)values[STUDY_STD_X], off_Q = (double)values[STUDY_STD_Q] / Q - 1;
    double off_S = (double)values[STUDY_STD_S] / S - 1;
    char off[32];
    out[0] = '\0';
    if (m->set == &m->sets[SET_QUIZ]) /* there the disagreement is the question */
        return;
    if (!isfinite(off_S) || fabs(off_S) < APART) {
        if (isfinite(off_S))
            snprintf(out, 200, "Scores are as wide as expected.");
        return;
    }
    snprintf(off, sizeof off, "%.0f %% %s", fabs(off_S) * 100, off_S < 0 ? "narrower" : "wider");
    if (fabs(x - 1) >= APART / 2 && (x < 1) == (off_S < 0))
        snprintf(out, 200, "Scores %s: X has deviation %.2f, not 1.", off, x);
    else if (fabs(off_Q) < APART)
        snprintf(out, 200, "Scores %s: these %d tokens are not independent.", off, c->run->T);
    else
        snprintf(out, 200, "Scores %s: entries of X go together.", off);
}

static void words_draw(const ViewContext *c, Rect place, int column) {
    char text[200];
    words_of(text, c, column);
    LabelStyle style = {FONT_SANS, 15, c->ui->theme->text_2, LABEL_LEFT};
    label_wrap(c->ui, place, &style, text);
}

float compare_table_draw(const ViewContext *c, Rect place, int column) {
    Rect rest = place, head = rect_cut_top(&rest, HEAD_H);
    LabelStyle style = {FONT_SANS, 14, c->ui->theme->text_3, LABEL_RIGHT};
    if (place.w >= TIGHT_W) {
        Rect left = head;
        left.w = NAME_W + 22 + VALUE_W;
        const Study *seeds = seeds_of(c);
        char text[48];
        if (seeds != NULL)
            snprintf(text, sizeof text, "mean of %d", study_seeds_in(seeds));
        label_draw(c->ui, left, &style, seeds != NULL ? text : "measured");
        label_draw(c->ui, head, &style, "expected");
    }
    for (int i = 0; i < measure_count(c); i++)
        row_draw(c, rect_cut_top(&rest, ROW_H), &measures_of(c)[i], column);
    words_draw(c, rest, column);
    return compare_table_height(c);
}
