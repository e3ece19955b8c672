/* chart_parts.h: shared by the files of the chart: chart.c, chart_curves.c and chart_names.c. */
#ifndef HEADLIGHT_UI_CHART_PARTS_H
#define HEADLIGHT_UI_CHART_PARTS_H

#include "ui/chart.h"
#include "ui/label.h"

#define CHART_MARK_SIZE  9
#define CHART_MARK_LARGE 13 /* at the crossings of a chart with a flag */
#define CHART_NAME_SIZE  16
#define CHART_NAME_LINE  22
#define CHART_WORDS_GAP  10 /* px between words and their line */
#define CHART_PIECES_MAX 2048
#define CHART_NAMES_GAP  16 /* px between the plot and the names at its right */
#define CHART_FLAG_H     36 /* px over the plot for the flag */

typedef struct ChartPiece {
    Vec2 from, to;
} ChartPiece;

/* Collects where curves leave the plot, to be labelled after all curves are drawn, and the pieces
 * of curves that the labels must not hide. */
typedef struct ChartLeaving {
    ChartPiece pieces[CHART_PIECES_MAX];
    int piece_count;
    Vec2 tips[CHART_SERIES_MAX];
    const char *words[CHART_SERIES_MAX];
    int count;
    bool backward; /* see Chart.backward */
} ChartLeaving;

/* Return the x of a point of a series, and the index of the point nearest to x, or -1. */
float chart_x(const ChartSeries *s, int i);

/* Like chart_nearest, for the readout: if the chart has x_name, only a point at exactly x
 * counts. */
int chart_read(const Chart *chart, const ChartSeries *s, float x);

/* Return the place of a point; an infinite value is placed a few plots away, so that a line to it
 * has a direction. chart_holds: true if the place is inside the plot. */
Vec2 chart_point(Rect plot, const Chart *chart, const ChartSeries *s, int i);
bool chart_holds(Rect plot, Vec2 at);

/* Draw words to the right of x if they fit there, else to the left, on a pill that hides the
 * curves. Words wider than the plot are wrapped. y is their top, or their bottom if upward. Return
 * their height. */
float chart_words_next_to(Ui *ui, Rect plot, float x, float y, bool upward, const LabelStyle *style,
                          const char *text);

void chart_series_draw(Ui *ui, Rect plot, ChartLeaving *leaving, const Chart *chart,
                       const ChartSeries *s);
void chart_leaving_draw(Ui *ui, Rect plot, const ChartLeaving *leaving);

/* Draw at the right of the plot each curve's name, and its value at x, or its last value if x is
 * NaN. */
void chart_names_draw(Ui *ui, Rect plot, Rect names, const Chart *chart, float x);

/* Draw the flag on the line at marked_x. */
void chart_flag_draw(Ui *ui, Rect plot, const Chart *chart);

/* Draw the line at x with a disc on each curve that it crosses. */
void chart_readout_draw(Ui *ui, Rect plot, const Chart *chart, float x);

#endif
