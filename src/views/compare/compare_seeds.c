/* The distribution of a measure over the seeds: small in each row of the table, and large instead
 * of the histogram for the chosen measure, with the shown seed marked. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/axis.h"
#include "ui/histogram.h"
#include "ui/text.h"
#include "views/compare/compare.h"

#define SHAPE_H 21 /* height of the small distribution */
#define TITLE_H 24

static int bin_of(const Axis *axis, float value) {
    float at = axis_at(axis, value) * SEED_BINS;
    return at < 0 ? 0 : at >= SEED_BINS ? SEED_BINS - 1 : (int)at;
}

/* Count the seeds that arrived since the last frame, or all if the axis has changed. */
static void count(SeedBins *bins, const Study *study, StudyStat stat, const Axis *axis) {
    int in = study_seeds_in(study), schemes = study->plan.scheme_count;
    bool same = bins->values == study->values && bins->in <= in && axis->lo == bins->axis.lo &&
                axis->hi == bins->axis.hi && axis->logarithmic == bins->axis.logarithmic;
    if (!same) {
        memset(bins, 0, sizeof *bins);
        bins->values = study->values;
        bins->axis = *axis;
    }
    for (; bins->in < in; bins->in++)
        for (int i = 0; i < schemes; i++) {
            float value = study_value(study, i, bins->in, 0, stat);
            if (isfinite(value))
                bins->counts[i][bin_of(axis, value)]++;
        }
}

/* The shape is mirrored about the middle of the track, so its height is not mistaken for a value.
 */
void compare_seeds_shape(const ViewContext *c, Rect track, StudyStat stat, int column,
                         const Axis *axis) {
    const Study *study = compare_seeds_shown(c);
    if (study == NULL || !compare_is_of(c, COMPARISON_COLUMNS))
        return;
    SeedBins *bins = &c->memory->compare->bins[stat];
    count(bins, study, stat, axis);
    unsigned most = 1;
    for (int b = 0; b < SEED_BINS; b++)
        most = bins->counts[column][b] > most ? bins->counts[column][b] : most;
    Colour colour = colour_fade(column_colour(c, column), 0.45f);
    for (int b = 0; b < SEED_BINS; b++) {
        float from = track.x + track.w * (float)b / SEED_BINS;
        float height = SHAPE_H * (float)bins->counts[column][b] / (float)most;
        if (height > 0)
            draw_fill(c->ui->list,
                      (Rect){from, track.y + (track.h - fmaxf(height, 1)) / 2, track.w / SEED_BINS,
                             fmaxf(height, 1)},
                      0, colour);
    }
}

/* Choose ends that contain every seed, the expected value and the shown seed. */
static void range_of(ComparisonCounts *out, const ViewContext *c, const Study *study, int column,
                     StudyStat stat) {
    StudySummary over = study_summary(study, column, 0, stat);
    double values[] = {over.least, over.most, compare_comparison(c)->expected[column][stat],
                       compare_value(c, column, stat)};
    double lo = over.least, hi = over.most;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        lo = isfinite(values[i]) ? fmin(lo, values[i]) : lo;
        hi = isfinite(values[i]) ? fmax(hi, values[i]) : hi;
    }
    double margin = hi > lo ? 0.04 * (hi - lo) : fmax(fabs(hi) * 0.1, 1e-6);
    out->lo = (float)(lo - margin);
    out->hi = (float)(hi + margin);
}

/* Fill a histogram with the values of all seeds. Return how many are smaller than `shown`. */
static int count_large(ComparisonCounts *out, const Study *study, int column, StudyStat stat,
                       float shown) {
    int in = study_seeds_in(study), below = 0;
    memset(out->counts, 0, sizeof out->counts);
    for (int s = 0; s < in; s++) {
        float value = study_value(study, column, s, 0, stat);
        float at = (value - out->lo) / (out->hi - out->lo) * COMPARISON_BINS;
        below += value < shown;
        if (at >= 0 && at < COMPARISON_BINS)
            out->counts[(int)at]++;
    }
    return below;
}

static float place_in(Rect plot, const ComparisonCounts *of, double value) {
    return plot.x + plot.w * ((float)value - of->lo) / (of->hi - of->lo);
}

static void marks_draw(const ViewContext *c, Rect plot, const ComparisonCounts *of, int column,
                       StudyStat stat) {
    double expected = compare_comparison(c)->expected[column][stat],
           shown = compare_value(c, column, stat);
    if (isfinite(expected)) /* the exact number of dashes does not matter */
        /* NOLINTNEXTLINE(clang-analyzer-security.FloatLoopCounter) */
        for (float y = plot.y; y < rect_bottom(plot) - 3; y += 7)
            draw_fill(c->ui->list, (Rect){place_in(plot, of, expected) - 1, y, 2, 4}, 0,
                      c->ui->theme->text_1);
    if (!isfinite(shown))
        return;
    Vec2 at = {place_in(plot, of, shown), rect_bottom(plot) - 7};
    mark_draw(c->ui, column_mark(column), at, 17, c->ui->theme->canvas);
    mark_draw(c->ui, column_mark(column), at, 13, c->ui->theme->text_1);
}

static void title_draw(const ViewContext *c, Rect line, StudyStat stat, int below, int in) {
    text_left(c->ui, &line, TEXT_CAPTION, "%s, %s seeds", STUDY_STATS[stat].entry.label,
              GROUPED(in));
    text_in(c->ui, line, TEXT_NOTE | TEXT_RIGHT, "%s below this seed\n",
            PERCENT((double)below / in));
}

bool compare_seeds_draw(const ViewContext *c, Rect place, int column) {
    const Study *study = compare_is_of(c, COMPARISON_COLUMNS) ? compare_seeds_shown(c) : NULL;
    int chosen = c->settings->compare.over;
    if (study == NULL || chosen < 0)
        return false;
    StudyStat stat = (StudyStat)chosen;
    StudySummary over = study_summary(study, column, 0, stat);
    if (!isfinite(over.mean))
        return false;
    ComparisonCounts of;
    double wide = over.std;
    range_of(&of, c, study, column, stat);
    int below = count_large(&of, study, column, stat, (float)compare_value(c, column, stat));
    Histogram histogram = {.counts = of.counts,
                           .bins = COMPARISON_BINS,
                           .lo = of.lo,
                           .hi = of.hi,
                           .band_lo = (float)(over.mean - wide),
                           .band_hi = (float)(over.mean + wide),
                           .all = over.seeds,
                           .colour = column_colour(c, column)};
    title_draw(c, (Rect){place.x, place.y, place.w, TITLE_H}, stat, below, over.seeds);
    Rect plot = {place.x, place.y + TITLE_H, place.w, place.h - TITLE_H};
    histogram_draw(c->ui, ui_id("compare spread", column), plot, &histogram);
    plot.h -= AXIS_X_HEIGHT;
    marks_draw(c, plot, &of, column, stat);
    return true;
}
