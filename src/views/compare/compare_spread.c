/* A column's histogram, with the expected density over it. */
#include "base/number.h"
#include "ui/histogram.h"
#include "ui/text.h"
#include "views/compare/compare.h"

#define TITLE_H 24

/* Write the number of values outside the range. */
static void outside_draw(const ViewContext *c, Rect line, const ComparisonCounts *of) {
    if (of->outside == 0)
        return;
    text_in(c->ui, line, TEXT_NOTE | TEXT_RIGHT, of->is_log ? "%s smaller" : "%s beyond",
            GROUPED(of->outside));
}

/* Return an explanation of the curve. */
static const char *curve_words(ComparisonSpread spread) {
    if (spread == SPREAD_A)
        return "The dots: the softmax of independent normal scores as wide as theory expects on "
               "unit X; the logarithm of a weight's odds is taken as normal.";
    return spread < SPREAD_W_Q
               ? "The dots: a normal with the standard deviation that theory expects on this X."
               : "The dots: the distribution of the scheme.";
}

void compare_spread_draw(const ViewContext *c, Rect place, int column) {
    const ComparisonCounts *of = &compare_comparison(c)->counts[column];
    ComparisonSpread spread = (ComparisonSpread)c->settings->compare.spread;
    if (compare_seeds_draw(c, place, column))
        return;
    Rect line = {place.x, place.y, place.w, TITLE_H};
    Rect plot = {place.x, place.y + TITLE_H, place.w, place.h - TITLE_H};
    Histogram histogram = {.counts = of->counts,
                           .bins = COMPARISON_BINS,
                           .lo = of->lo,
                           .hi = of->hi,
                           .logarithmic = of->is_log,
                           .all = of->all,
                           .meaning = curve_words(spread),
                           .colour = column_colour(c, column)};
    if (spread == SPREAD_S) {
        histogram.band_lo = -1;
        histogram.band_hi = 1;
    }
    if (of->has_curve) {
        histogram.expected = of->curve;
        histogram.expected_count = COMPARISON_PLACES;
    }
    text_in(c->ui, line, TEXT_CAPTION, "%s", registry_entry(&SPREADS, (int)spread)->label);
    if (of->outside > 0)
        outside_draw(c, line, of);
    else if (column == 0 && histogram.expected != NULL && place.w > 220) {
        /* Draw the legend of the dots, in the first column. */
        float used = text_in(c->ui, line, TEXT_NOTE | TEXT_RIGHT, "expected");
        float right = rect_right(line) - used - 6, y = line.y + line.h / 2;
        for (int i = 0; i < 5; i++)
            draw_fill(c->ui->list, (Rect){right - 6 * (float)(i + 1), y, 2.5f, 2}, 1,
                      c->ui->theme->text_1);
    }
    if (of->all > 0)
        histogram_draw(c->ui, ui_id("compare spread", column), plot, &histogram);
}
