/* The histogram of a column: the values of a quantity with the density that theory expects, if any;
 * or the chosen measure over many seeds, with the shown seed marked. */
#include <math.h>

#include "base/number.h"
#include "ui/bars.h"
#include "ui/text.h"
#include "views/compare/compare.h"

#define TITLE_H 24

static const char *curve_words(ComparisonSpread spread) {
    if (spread == SPREAD_A)
        return "The dots show the distribution expected for an X with independent entries of std "
               "1. It assumes independent normal scores and a normal distribution of a weight's "
               "log-odds.";
    return spread < SPREAD_W_Q ? "The dots show a normal distribution with the standard deviation "
                                 "that theory expects on this X."
                               : "The dots show the distribution from which the scheme samples.";
}

static void find_ends(Histogram *histogram, StudySummary over, double expected, double shown) {
    double lo = over.least, hi = over.most;
    lo = isfinite(expected) ? fmin(lo, expected) : lo;
    hi = isfinite(expected) ? fmax(hi, expected) : hi;
    lo = isfinite(shown) ? fmin(lo, shown) : lo;
    hi = isfinite(shown) ? fmax(hi, shown) : hi;
    double margin = hi > lo ? 0.04 * (hi - lo) : fmax(fabs(hi) * 0.1, 1e-6);
    histogram->lo = (float)(lo - margin);
    histogram->hi = (float)(hi + margin);
}

/* Draw the distribution of the chosen measure. Return false if there is none. */
static bool seeds_draw(const ViewContext *c, Rect place, int column) {
    const Study *study = compare_is_of(c, COMPARISON_COLUMNS) ? compare_seeds_shown(c) : NULL;
    StudyStat stat = (StudyStat)c->settings->compare.over;
    if (study == NULL || c->settings->compare.over < 0)
        return false;
    StudySummary over = study_summary(study, column, 0, stat);
    if (!isfinite(over.mean))
        return false;
    float counts[COMPARISON_BINS] = {0};
    double expected = compare_comparison(c)->expected[column][stat];
    double shown = compare_value(c, column, stat);
    Histogram histogram = {.counts = counts,
                           .bins = COMPARISON_BINS,
                           .band_lo = (float)(over.mean - over.std),
                           .band_hi = (float)(over.mean + over.std),
                           .all = over.seeds,
                           .colour = column_colour(c, column)};
    int below = 0;
    find_ends(&histogram, over, expected, shown);
    for (int s = 0; s < study_seeds_in(study); s++) {
        float value = study_value(study, column, s, 0, stat);
        below += value < (float)shown;
        histogram_add(counts, COMPARISON_BINS, histogram.lo, histogram.hi, &value, 1);
    }
    Rect line = rect_cut_top(&place, TITLE_H);
    text_left(c->ui, &line, TEXT_CAPTION, "%s, %s seeds", STUDY_STATS[stat].entry.label,
              GROUPED(over.seeds));
    text_in(c->ui, line, TEXT_NOTE | TEXT_RIGHT, "%s below this seed\n",
            PERCENT((double)below / over.seeds));
    histogram_draw(c->ui, ui_id("compare spread", column), place, &histogram);
    place.h -= AXIS_X_HEIGHT;
    float per_unit = place.w / (histogram.hi - histogram.lo);
    float expected_x = place.x + ((float)expected - histogram.lo) * per_unit;
    float shown_x = place.x + ((float)shown - histogram.lo) * per_unit;
    for (int i = 0; isfinite(expected) && place.y + 7 * (float)i < rect_bottom(place) - 3; i++)
        draw_fill(c->ui->list, (Rect){expected_x - 1, place.y + 7 * (float)i, 2, 4}, 0,
                  c->ui->theme->text_1);
    if (isfinite(shown)) {
        Vec2 at = {shown_x, rect_bottom(place) - 7};
        mark_draw(c->ui, column_mark(column), at, 17, c->ui->theme->canvas);
        mark_draw(c->ui, column_mark(column), at, 13, c->ui->theme->text_1);
    }
    return true;
}

void compare_spread_draw(const ViewContext *c, Rect place, int column) {
    const ComparisonCounts *of = &compare_comparison(c)->counts[column];
    ComparisonSpread spread = (ComparisonSpread)c->settings->compare.spread;
    if (seeds_draw(c, place, column))
        return;
    Rect line = rect_cut_top(&place, TITLE_H);
    Histogram histogram = {.counts = of->counts,
                           .bins = COMPARISON_BINS,
                           .lo = of->lo,
                           .hi = of->hi,
                           .logarithmic = of->is_log,
                           .all = of->all,
                           .band_lo = spread == SPREAD_S ? -1 : 0,
                           .band_hi = spread == SPREAD_S ? 1 : 0,
                           .meaning = curve_words(spread),
                           .colour = column_colour(c, column)};
    if (of->has_curve) {
        histogram.expected = of->curve;
        histogram.expected_count = COMPARISON_PLACES;
    }
    text_in(c->ui, line, TEXT_CAPTION, "%s", registry_entry(&SPREADS, (int)spread)->label);
    if (of->outside > 0)
        text_in(c->ui, line, TEXT_NOTE | TEXT_RIGHT, of->is_log ? "%s smaller" : "%s beyond",
                GROUPED(of->outside));
    else if (column == 0 && of->has_curve && place.w > 220) {
        float used = text_in(c->ui, line, TEXT_NOTE | TEXT_RIGHT, "expected");
        float right = rect_right(line) - used - 6, y = line.y + line.h / 2;
        for (int i = 0; i < 5; i++)
            draw_fill(c->ui->list, (Rect){right - 6 * (float)(i + 1), y, 2.5f, 2}, 1,
                      c->ui->theme->text_1);
    }
    if (of->all > 0)
        histogram_draw(c->ui, ui_id("compare spread", column), place, &histogram);
}
