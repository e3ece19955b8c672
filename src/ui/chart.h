/* chart.h: a small line chart: several series with marks, linear or logarithmic axes, lines for
 * what is expected, and a readout where the pointer or the arrows are.
 * Nothing is faked: a gap (NaN) is left open, and a curve that leaves the plot ends in an arrow at
 * its edge with a word on where it goes. */
#ifndef HEADLIGHT_UI_CHART_H
#define HEADLIGHT_UI_CHART_H

#include "ui/axis.h"
#include "ui/mark.h"

#define CHART_SERIES_MAX 16

/* y has count values; x as many, rising, or NULL for x_first, x_first + 1, … . All borrowed for
 * the call. name and leaves may be NULL. */
typedef struct ChartSeries {
    const float *y, *x;
    float x_first;
    int count;
    const char *name;   /* at the curve's right end, with its value at the readout, else its last */
    const char *leaves; /* at the arrow of a curve that leaves the plot: "overflow at 12"; of one
                           that is never in it, where it would have come nearest */
    Colour colour;
    Mark mark;
    bool dashed; /* what is expected or of second rank */
    float width; /* 0 for 2.6 */
} ChartSeries;

/* A line across the plot at a value of x (upright) or of y; label may be NULL. */
typedef struct ChartLine {
    float at;
    bool upright;
    const char *label;
    Colour colour;
} ChartLine;

/* What charts with the same x share: where any of them is hovered, all of them are read. All zero
 * while none is. */
typedef struct ChartHover {
    UiId by;
    float x;
} ChartHover;

typedef struct Chart {
    Axis x, y;
    const ChartSeries *series;
    int series_count;       /* up to CHART_SERIES_MAX */
    const ChartLine *lines; /* dashed 2 5 */
    int line_count;
    float marked_x;         /* where the readout stands when nothing is hovered, or where it says no
                               values and is but the handle; NaN for none */
    float band_lo, band_hi; /* a shaded range of x; equal for none */
    bool names;             /* leave room at the right for names and last values */
    float names_w;          /* how much; 0 for that of the longest name */
    bool readout;           /* values at the readout's line are written beside it */
    bool draggable;         /* the readout's line is a handle: a drag or an arrow moves it */
    bool without_keys;      /* a draggable one, whose owner takes the keys */
    bool steps;             /* to every whole x rather than to those of the first series */
    const char *x_name;     /* formula markup, "d_k =": it stands with its number below the plot, on
                               the readout's line, and is the handle of a draggable one; values are
                               then said of points that stand at it alone. Or NULL */
    ChartHover *shared;     /* or NULL */
    float handle_w;         /* of what is drawn at chart_handle; 0 for nothing */
    int mark_every; /* marks at every so many x alone, each curve's a little after the one before's;
                       0 for at every point, unless they are many */
    const char *flag; /* what stands on the line at marked_x, before its number: "step". Then the
                         line stays there, with the curves' marks and values, whatever is hovered;
                         NULL for nothing */
    bool backward;    /* curves run to the left: what leaves the plot does so there */
} Chart;

typedef struct ChartState {
    Rect plot; /* inside the axes */
    bool hovered;
    bool moved;      /* by a drag or a key: x is where the handle is to go */
    float x;         /* of the readout: hovered, here or where it is shared, else marked; NaN for
                        none */
    uint64_t serial; /* of the drag: one undo step */
} ChartState;

/* Draw chart in rect, the axes' numbers included. While it has the focus, arrows move a draggable
 * readout to the next x of its first series, or the next whole one (Shift: by ten), Home and End to
 * the ends of the series. */
ChartState chart_draw(Ui *ui, UiId id, Rect rect, const Chart *chart);

/* The series' value at the x nearest to x, or NaN. */
float chart_value(const ChartSeries *series, float x);

/* What is said of a curve where a line crosses it: its name with its mark, or NULL, and its value.
 */
typedef struct ChartWord {
    float y; /* the height that it is of, px */
    Mark mark;
    Colour colour;
    const char *name, *value;
    bool is_wrong; /* the value is a word of warning */
} ChartWord;

/* Words, up to CHART_SERIES_MAX, beside a line at x px, on its right where bounds has room there:
 * each at its height or, that no two touch, as near to it as that allows. */
void chart_words_draw(Ui *ui, Rect bounds, float x, const ChartWord *words, int count);

/* The room at a chart's right for a series of that name, whatever its value. */
float chart_name_width(const Ui *ui, const char *name);

/* The place of a handle so wide under a plot, among the axis's numbers, at x px or as near as it
 * does not leave the plot. */
Rect chart_handle(Rect plot, float x, float width);

/* That handle with formula markup on it, and the width that it takes. */
float chart_handle_width(const Ui *ui, const char *markup);
void chart_handle_draw(Ui *ui, Rect plot, float x, const char *markup);

/* Where a point of chart lies in a plot. */
Vec2 chart_place(Rect plot, const Chart *chart, float x, float y);

#endif
