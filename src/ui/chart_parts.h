/* chart_parts.h: what the files of the chart share: chart.c, chart_curves.c and chart_names.c. */
#ifndef HEADLIGHT_UI_CHART_PARTS_H
#define HEADLIGHT_UI_CHART_PARTS_H

#include "ui/chart.h"
#include "ui/label.h"

#define CHART_MARK_SIZE  9
#define CHART_MARK_LARGE 13 /* where the line of a chart with a flag crosses a curve */
#define CHART_NAME_SIZE  16
#define CHART_NAME_LINE  22
#define CHART_BESIDE     10 /* of words from the line that they are of */
#define CHART_PIECES_MAX 2048
#define CHART_NAMES_GAP  16 /* from the plot to the names at its right */
#define CHART_FLAG_H     36 /* room over the plot for the flag */

typedef struct ChartPiece {
    Vec2 from, to;
} ChartPiece;

/* Where curves leave the plot, each once, to be said when all of them are drawn, and the pieces of
 * curves that are not to be hidden by it. */
typedef struct ChartLeaving {
    ChartPiece pieces[CHART_PIECES_MAX];
    int piece_count;
    Vec2 tips[CHART_SERIES_MAX];
    const char *words[CHART_SERIES_MAX];
    int count;
    bool backward; /* as the chart has it */
} ChartLeaving;

/* The x of a point of a series, and the index of the point nearest to an x, or -1. */
float chart_x(const ChartSeries *s, int i);
int chart_nearest(const ChartSeries *s, float x);

/* The same of what the readout says: where chart says its x, none but a point that stands there. */
int chart_read(const Chart *chart, const ChartSeries *s, float x);

/* Where a point of a series lies, what is infinite a few plots away, so that a line to it has a
 * direction; and whether that is in the plot. */
Vec2 chart_point(Rect plot, const Chart *chart, const ChartSeries *s, int i);
bool chart_holds(Rect plot, Vec2 at);

/* Words beside x, on its right where they fit there, else on its left, on a pill so that no curve
 * crosses them; in lines where they are wider than the plot. y is their top, or with upward their
 * bottom. Returns their height. */
float chart_words_beside(Ui *ui, Rect plot, float x, float y, bool upward, const LabelStyle *style,
                         const char *text);

void chart_series_draw(Ui *ui, Rect plot, ChartLeaving *leaving, const Chart *chart,
                       const ChartSeries *s);
void chart_leaving_draw(Ui *ui, Rect plot, const ChartLeaving *leaving);

/* At the right of the plot: each curve's name, and its value at x or, that being no number, at its
 * end. */
void chart_names_draw(Ui *ui, Rect plot, Rect names, const Chart *chart, float x);

/* What stands on the line at marked_x. */
void chart_flag_draw(Ui *ui, Rect plot, const Chart *chart);

/* The line at x with a disc on each curve that it crosses. */
void chart_readout_draw(Ui *ui, Rect plot, const Chart *chart, float x);

#endif
