/* A column's histogram, with the density that is expected of its values drawn over it. */
#include "views/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "ui/histogram.h"
#include "ui/prose.h"

#define TITLE_H 24
#define PLOT_H  100 /* with the numbers below */
#define PLACES  97

/* Counts that the density would give: of a bin about each place. */
static void expected_counts(float *out, const LineupCounts *of) {
    double width = (double)(of->hi - of->lo);
    for (int i = 0; i < PLACES; i++) {
        double x = (double)of->lo + width * i / (PLACES - 1);
        double density = distribution_density(of->expected, x);
        out[i] = (float)((double)of->all * width / LINEUP_BINS * density);
    }
}

/* What lies beyond the range is said, so that nothing is left out in silence. */
static void outside_draw(const ViewContext *c, Rect line, const LineupCounts *of) {
    if (of->outside == 0)
        return;
    char text[64], count[32];
    number_format_grouped(count, sizeof count, of->outside);
    snprintf(text, sizeof text, "%s beyond", count);
    LabelStyle style = {FONT_SANS, 15, c->ui->theme->text_2, LABEL_RIGHT};
    label_draw(c->ui, line, &style, text);
}

/* The legend stands in the first column: what the dots are. */
static void legend_draw(const ViewContext *c, Rect line) {
    LabelStyle style = {FONT_SANS, 15, c->ui->theme->text_2, LABEL_RIGHT};
    float used = label_draw(c->ui, line, &style, "expected");
    float right = rect_right(line) - used - 6, y = line.y + line.h / 2;
    for (int i = 0; i < 5; i++)
        draw_fill(c->ui->list, (Rect){right - 6 * (float)(i + 1), y, 2.5f, 2}, 1,
                  c->ui->theme->text_1);
}

float compare_spread_draw(const ViewContext *c, Rect place, int column) {
    const LineupCounts *of = &compare_lineup(c)->counts[column];
    LineupSpread spread = (LineupSpread)c->settings->compare.spread;
    float curve[PLACES];
    if (compare_seeds_draw(c, place, column))
        return TITLE_H + PLOT_H;
    Rect line = {place.x, place.y, place.w, TITLE_H};
    Rect plot = {place.x, place.y + TITLE_H, place.w, PLOT_H};
    Histogram histogram = {.counts = of->counts,
                           .bins = LINEUP_BINS,
                           .lo = of->lo,
                           .hi = of->hi,
                           .colour = compare_colour(c, column)};
    if (spread == SPREAD_S) {
        histogram.band_lo = -1;
        histogram.band_hi = 1;
    }
    if (of->expected.kind != DISTRIBUTION_NONE) {
        expected_counts(curve, of);
        histogram.expected = curve;
        histogram.expected_count = PLACES;
    }
    LabelStyle style = {FONT_SANS, 16, c->ui->theme->text_2, LABEL_LEFT};
    prose_draw(c->ui, line, &style, registry_entry(&SPREADS, (int)spread)->label);
    if (of->outside > 0)
        outside_draw(c, line, of);
    else if (column == 0 && histogram.expected != NULL && place.w > 220)
        legend_draw(c, line);
    if (of->all > 0)
        histogram_draw(c->ui, plot, &histogram);
    return TITLE_H + PLOT_H;
}
