/* A column's measures: what was measured as its mark, what theory expects as a tick, on one axis
 * across columns; over many seeds the spread of a seed and, narrowing, that of the mean. */
#include "views/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/rng.h"
#include "base/util.h"
#include "ui/axis.h"
#include "ui/formula.h"
#include "ui/prose.h"
#include "ui/tooltip.h"

#define HEAD_H    22
#define ROW_H     27
#define NAME_W    64
#define VALUE_W   66
#define TRACK_H   5
#define WORD_SIZE 15
#define WORDS_GAP 4
#define TIGHT_W   300 /* a narrower column leaves the expected number to the tick */
#define BAND_H    19  /* of the mean's own uncertainty */

/* One line of the table: a word, and the matrix it is of. */
typedef struct Measure {
    StudyStat stat;
    const char *word, *of;
    bool logarithmic;
    const char *brief; /* the word where there is little room; NULL for the word, "" for none */
} Measure;

static const Measure MEASURES[] = {
    {STUDY_STD_Q, "std", "Q", true, ""},
    {STUDY_STD_K, "std", "K", true, ""},
    {STUDY_STD_S, "std", "S", true, ""},
    {STUDY_ENTROPY_A, "Entropy", "", false, "Entr."},
    {STUDY_MAX_A, "Max A", "", false, NULL},
    {STUDY_STD_Z, "std", "Z", true, ""},
    {STUDY_STD_Y, "std", "Y", true, ""},
    {STUDY_SATURATION_A, "Saturation", "", false, "Satur."},
    {STUDY_RANK_A, "Rank", "A", false, "rk"},
    {STUDY_RANK_W_QK, "Rank", "W_{QK}", false, "rk"},
    {STUDY_STD_GRAD_W_Q, "std", "∂W_Q", true, ""},
    {STUDY_STD_GRAD_W_K, "std", "∂W_K", true, ""},
    {STUDY_STD_GRAD_W_V, "std", "∂W_V", true, ""},
    {STUDY_STD_GRAD_W_O, "std", "∂W_O", true, ""},
    {STUDY_STD_GRAD_X, "std", "∂X", true, ""},
};
#define FEW 5

/* Of a case that is looked at: the weights and what follows from them. */
static const Measure CASE[] = {
    {STUDY_STD_W_Q, "std", "W_Q", true, ""},
    {STUDY_STD_W_O, "std", "W_O", true, ""},
    {STUDY_STD_Q, "std", "Q", true, ""},
    {STUDY_STD_K, "std", "K", true, ""},
    {STUDY_STD_S, "std", "S", true, ""},
    {STUDY_STD_Y, "std", "Y", true, ""},
    {STUDY_ENTROPY_A, "Entropy", "", false, "Entr."},
    {STUDY_MAX_A, "Max A", "", false, NULL},
    {STUDY_STD_GRAD_W_K, "std", "∂W_K", true, ""},
};

static int measure_count(const ViewContext *c) {
    static const int counts[] = {[TABLE_FEW] = FEW,
                                 [TABLE_ALL] = (int)ARRAY_COUNT(MEASURES),
                                 [TABLE_CASE] = (int)ARRAY_COUNT(CASE)};
    return counts[compare_table(c)];
}

static const Measure *measures_of(const ViewContext *c) {
    return compare_table(c) == TABLE_CASE ? CASE : MEASURES;
}

/* Of the columns alone; a case that is looked at has one seed. */
static const Study *seeds_of(const ViewContext *c) {
    return compare_is_of(c, LINEUP_COLUMNS) ? compare_seeds_shown(c) : NULL;
}

static StudySummary summary_of(const ViewContext *c, int column, StudyStat stat) {
    const Study *seeds = seeds_of(c);
    return seeds != NULL ? study_summary(seeds, column, 0, stat)
                         : (StudySummary){NAN, NAN, NAN, NAN, 0};
}

/* To a power of a fourth of a decade's root, so that an end stays while seeds come in. */
static float snap(float value, float (*to)(float)) {
    return powf(10, to(log10f(value) * 16) / 16);
}

/* The ends that hold every column's values. */
static Axis axis_for(const ViewContext *c, const Measure *measure) {
    const Lineup *lineup = compare_lineup(c);
    float lo = INFINITY, hi = -INFINITY;
    for (int i = 0; i < lineup->plan.scheme_count; i++) {
        StudySummary over = summary_of(c, i, measure->stat);
        float values[] = {(float)compare_value(c, i, measure->stat),
                          (float)lineup->expected[i][measure->stat], (float)over.least,
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
                    : measure->stat == STUDY_RANK_W_QK ? (float)lineup->plan.shape.K
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

/* Of 100 such bands 95 hold the mean over all seeds. */
static void band_draw(const ViewContext *c, Rect track, const Axis *axis, int column,
                      StudySummary over) {
    double reach = 1.96 * over.deviation / sqrt(over.seeds);
    if (!isfinite(over.mean) || over.seeds < 2)
        return;
    double least = axis->logarithmic ? (double)axis->lo : 0;
    float from = place_on(track, axis, fmax(over.mean - reach, least));
    float to = place_on(track, axis, over.mean + reach);
    Rect band = {from, track.y + track.h / 2 - BAND_H / 2.0f, fmaxf(to - from, 1.5f), BAND_H};
    draw_fill(c->ui->list, band, 0, compare_colour(c, column));
}

static void track_draw(const ViewContext *c, Rect track, const Measure *measure, int column) {
    const Theme *theme = c->ui->theme;
    Axis axis = axis_for(c, measure);
    float middle = track.y + track.h / 2;
    double measured = compare_value(c, column, measure->stat);
    double expected = compare_lineup(c)->expected[column][measure->stat];
    draw_fill(c->ui->list, (Rect){track.x, middle - TRACK_H / 2.0f, track.w, TRACK_H}, 2.5f,
              theme->hover);
    compare_seeds_shape(c, track, measure->stat, column, &axis);
    band_draw(c, track, &axis, column, summary_of(c, column, measure->stat));
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

/* Rounding leaves a little of what is 0 by the sums that it comes from. */
static void value_text(char out[32], double value) {
    if (isnan(value))
        snprintf(out, 32, "–");
    else
        axis_value_text(out, 32, fabs(value) < 2e-7 ? 0 : (float)value);
}

/* Against what is expected, and why, or why nothing is. */
static void add_expected(char *out, size_t capacity, const ViewContext *c, const Measure *measure,
                         int column, double value, int seeds) {
    char why[COMPARE_WHY_MAX], text[32];
    size_t used = strlen(out);
    double expected = compare_lineup(c)->expected[column][measure->stat];
    bool is_case = compare_is_of(c, LINEUP_BUG);
    if (is_case || isnan(value)) /* where the disagreement is the question, nothing is said of it */
        return;
    if (isnan(expected)) {
        compare_why_none(why, c, column, measure->stat);
        snprintf(out + used, capacity - used, " %s", why);
        return;
    }
    value_text(text, expected);
    compare_why(why, c, column, measure->stat, value, seeds);
    snprintf(out + used, capacity - used, why[0] != '\0' ? " Expected %s. %s." : " Expected %s.",
             text, why);
}

/* What a row says in words, with what its bands are. */
static void row_tip(const ViewContext *c, Rect row, UiId id, const Measure *measure, int column,
                    bool hovered) {
    char text[900], mean[32], deviation[32];
    const Entry *entry = &STUDY_STATS[measure->stat].entry;
    StudySummary over = summary_of(c, column, measure->stat);
    bool many = over.seeds > 1 && isfinite(over.mean);
    double value = compare_value(c, column, measure->stat);
    snprintf(text, sizeof text, "%s", entry->help);
    add_expected(text, sizeof text, c, measure, column, many ? over.mean : value,
                 many ? over.seeds : 1);
    if (many) {
        size_t used = strlen(text);
        value_text(mean, over.mean);
        value_text(deviation, over.deviation);
        snprintf(text + used, sizeof text - used,
                 " Over %d seeds the mean is %s, the tall band, and the deviation %s. Click to see "
                 "how they lie.",
                 over.seeds, mean, deviation);
    }
    tooltip_on(c->ui, id, row, hovered, &(Tooltip){entry->label, text, NULL});
}

/* A click shows the measure over the seeds in every column, or the histogram again. */
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

/* Of the seeds where there are many, else of the one. */
static double value_of(const ViewContext *c, int column, StudyStat stat) {
    StudySummary over = summary_of(c, column, stat);
    return over.seeds > 1 ? over.mean : compare_value(c, column, stat);
}

/* Smaller where it is long: a number that is cut is another number. */
static void number_draw(const ViewContext *c, Rect place, LabelStyle style, const char *text) {
    float width = label_width(c->ui, style.font, style.size, text, strlen(text));
    if (width > place.w)
        style.size *= place.w / width;
    label_draw(c->ui, place, &style, text);
}

static void row_draw(const ViewContext *c, Rect row, const Measure *measure, int column) {
    const Theme *theme = c->ui->theme;
    bool tight = row.w < TIGHT_W;
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
    value_text(text, compare_lineup(c)->expected[column][measure->stat]);
    style = (LabelStyle){FONT_MONO, 16, theme->text_2, LABEL_RIGHT};
    if (!tight)
        number_draw(c, rect_cut_right(&row, VALUE_W - 4), style, text);
    rect_cut_right(&row, 8);
    track_draw(c, row, measure, column);
}

static LabelStyle words_style(const ViewContext *c) {
    return (LabelStyle){FONT_SANS, WORD_SIZE, c->ui->theme->text_2, LABEL_LEFT};
}

/* Of a case in the quiz the disagreement is the question. */
static void words_of(char out[COMPARE_WORDS_MAX], const ViewContext *c, int column) {
    CompareMeasured shown = {.count = measure_count(c), .seeds = 1};
    out[0] = '\0';
    if (compare_is_of(c, LINEUP_BUG))
        return;
    for (int i = 0; i < shown.count; i++) {
        shown.stats[i] = measures_of(c)[i].stat;
        shown.values[i] = value_of(c, column, shown.stats[i]);
    }
    if (seeds_of(c) != NULL)
        shown.seeds = study_seeds_in(seeds_of(c));
    compare_words(out, c, column, &shown);
}

/* Setting words takes longer than making them, and they seldom change. */
static int lines_of(const ViewContext *c, CompareWordsSet *set, const LabelStyle *style,
                    const char *text, float width) {
    uint64_t key = rng_hash(text, strlen(text)) | 1;
    if (key != set->key || width != set->width)
        set->lines = text[0] != '\0' ? prose_lines(c->ui, style, text, width) : 0;
    set->key = key;
    set->width = width;
    return set->lines;
}

/* The columns stand side by side, so that the longest words make room for those of all. What they
 * once took they keep, and some from the start, lest all below moves with every other draw. */
float compare_table_height(const ViewContext *c, float width) {
    static const int least[] = {[TABLE_FEW] = 3, [TABLE_ALL] = 6, [TABLE_CASE] = 3};
    CompareMemory *m = c->memory->compare;
    LabelStyle style = words_style(c);
    char text[COMPARE_WORDS_MAX];
    CompareWordsRoom room = {compare_table(c), c->settings->compare.schemes.count, width, 0};
    bool is_same = room.table == m->room.table && room.columns == m->room.columns &&
                   fabsf(room.width - m->room.width) <= SCROLL_BAR; /* with it, and without */
    float rows_h = HEAD_H + ROW_H * (float)measure_count(c);
    if (compare_is_of(c, LINEUP_BUG)) /* which has no words */
        return rows_h;
    room.lines = is_same ? m->room.lines : least[room.table];
    for (int i = 0; i < compare_lineup(c)->plan.scheme_count; i++) {
        words_of(text, c, i);
        int own = lines_of(c, &m->words[i], &style, text, width);
        room.lines = own > room.lines ? own : room.lines;
    }
    m->room = room;
    return rows_h + WORDS_GAP + style.size * LABEL_LINE * (float)room.lines;
}

static void words_draw(const ViewContext *c, Rect place, int column) {
    LabelStyle style = words_style(c);
    char text[COMPARE_WORDS_MAX];
    words_of(text, c, column);
    if (text[0] != '\0')
        prose_wrap(c->ui, place, &style, text);
}

void compare_table_draw(const ViewContext *c, Rect place, int column) {
    Rect rest = place, head = rect_cut_top(&rest, HEAD_H);
    LabelStyle style = {FONT_SANS, 14, c->ui->theme->text_3, LABEL_RIGHT};
    if (place.w >= TIGHT_W) {
        Rect left = head;
        left.w = NAME_W + 22 + VALUE_W;
        const Study *seeds = seeds_of(c);
        char text[48], count[24];
        number_format_grouped(count, sizeof count, seeds != NULL ? study_seeds_in(seeds) : 0);
        snprintf(text, sizeof text, "mean of %s", count);
        label_draw(c->ui, left, &style, seeds != NULL ? text : "measured");
        label_draw(c->ui, head, &style, "expected");
    }
    for (int i = 0; i < measure_count(c); i++)
        row_draw(c, rect_cut_top(&rest, ROW_H), &measures_of(c)[i], column);
    rect_cut_top(&rest, WORDS_GAP);
    words_draw(c, rest, column);
}
