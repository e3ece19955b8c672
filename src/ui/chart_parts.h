/* chart_parts.h: declarations for chart.c and chart_curves.c only. */
#ifndef HEADLIGHT_UI_CHART_PARTS_H
#define HEADLIGHT_UI_CHART_PARTS_H

#include "ui/chart.h"
#include "ui/label.h"

#define CHART_NAME_SIZE  16
#define CHART_PIECES_MAX 2048
#define CHART_NAMES_GAP  16 /* px between the plot and the names at its right */
#define CHART_FLAG_H     36 /* px above the plot for the flag */

typedef struct ChartPiece {
    Vec2 from, to;
} ChartPiece;

/* The places where curves leave the plot, and the pieces of curves that the labels of these places
 * must not hide. The labels are drawn after all curves. */
typedef struct ChartLeaving {
    ChartPiece pieces[CHART_PIECES_MAX];
    int piece_count;
    Vec2 tips[CHART_SERIES_MAX];
    const char *words[CHART_SERIES_MAX];
    int count;
    bool backward;
} ChartLeaving;

float chart_x(const ChartSeries *s, int i);

/* Return the index of the point that the readout shows at x: the nearest one; if the chart has
 * x_name, only a point at exactly x. -1 for none. */
int chart_read(const Chart *chart, const ChartSeries *s, float x);

/* Draw a label to the right of x or, if it does not fit there and the left has more room, to the
 * left. A background hides the curves behind it. A label that does not fit is wrapped. y is its top
 * or, if upward, its bottom. Return its height. */
float chart_words_next_to(Ui *ui, Rect plot, float x, float y, bool upward, const LabelStyle *style,
                          const char *text);

void chart_series_draw(Ui *ui, Rect plot, ChartLeaving *leaving, const Chart *chart,
                       const ChartSeries *s);
void chart_leaving_draw(Ui *ui, Rect plot, const ChartLeaving *leaving);

/* Draw each curve's name at the right of the plot, with its value at x; if x is NaN, with its last
 * value. */
void chart_names_draw(Ui *ui, Rect plot, Rect names, const Chart *chart, float x);

void chart_flag_draw(Ui *ui, Rect plot, const Chart *chart);

/* Draw the vertical line of the readout at x. Mark each curve that it crosses by a disc or, in a
 * chart with a flag, by the mark of the curve. */
void chart_readout_draw(Ui *ui, Rect plot, const Chart *chart, float x);

#endif
