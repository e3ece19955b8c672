/* chart.h: a small line chart with several series and marks, linear or logarithmic axes, reference
 * lines, and a readout at the pointer or the marked x.
 * A NaN leaves a gap. A curve that leaves the plot ends in an arrow at the edge, with a label that
 * says where it goes. */
#ifndef HEADLIGHT_UI_CHART_H
#define HEADLIGHT_UI_CHART_H

#include "ui/axis.h"
#include "ui/mark.h"

#define CHART_SERIES_MAX 16

/* y has count values. x has count rising values, or is NULL for x_first, x_first + 1, … . All
 * borrowed for the call. name and leaves may be NULL. */
typedef struct ChartSeries {
    const float *y, *x;
    float x_first;
    int count;
    /* Name at the curve's right end. A value follows it: the value at the readout or, without a
     * readout, the last value (in a backward chart, the first). */
    const char *name;
    /* Label of the arrow where the curve leaves the plot, such as "overflow at 12"; if the curve is
     * entirely outside, shown at the nearest edge. */
    const char *leaves;
    const char *leaves_brief; /* shorter form of leaves for a narrow plot; may be NULL */
    Colour colour;
    Mark mark;
    bool dashed;
    float width; /* px; 0 for 2.6 */
} ChartSeries;

/* A line across the plot at a value of x (upright) or of y. label may be NULL. */
typedef struct ChartLine {
    float at;
    bool upright;
    const char *label;
    Colour colour;
} ChartLine;

/* Shared by charts with the same x: hovering one of them shows the readout in all. All zero if none
 * is hovered. */
typedef struct ChartHover {
    UiId by;
    float x;
} ChartHover;

typedef struct Chart {
    Axis x, y;
    const ChartSeries *series;
    int series_count; /* at most CHART_SERIES_MAX */
    const ChartLine *lines;
    int line_count;
    /* X of the readout while nothing is hovered; NaN for none. */
    float marked_x;
    float band_lo, band_hi; /* ends of a shaded range of x; none if both are equal */
    bool names;             /* reserve space at the right for names and last values */
    float names_w;          /* width of that space; 0: the width that the longest name needs */
    bool readout;           /* true if values are written next to the readout's line */
    /* True if the readout's line is a handle that a drag or an arrow key moves. */
    bool draggable;
    bool without_keys; /* true if the readout is draggable, but the owner handles its keys */
    /* True if the handle stops at every whole x, false at every x of the first series. */
    bool steps;
    /* Formula markup such as "d_k =", or NULL. It is shown below the plot with the x of the
     * readout, as the handle if draggable. Values are read only from points at exactly this x. */
    const char *x_name;
    /* The hover that charts with the same x axis share; NULL for none. */
    ChartHover *shared;
    float handle_w; /* width of the label that the owner draws at chart_handle; 0 for none */
    /* Marks are drawn at every mark_every-th x, shifted from curve to curve; 0: at every point, or
     * none if there are many. */
    int mark_every;
    const char *flag; /* Word such as "step" for a flag above the line at marked_x; NULL: no flag.
                         With a flag, the line, its marks and its values stay at marked_x. If the
                         pointer is at an earlier x, that x gets a second, grey line and flag. */
    bool backward;    /* true if curves run from right to left and leave the plot at the left */
} Chart;

typedef struct ChartState {
    Rect plot; /* the area inside the axes */
    bool hovered;
    bool moved; /* true after a drag or a key: x is the new place of the handle */
    /* X of the readout: the x hovered here or in a chart that shares it, otherwise marked_x; NaN
     * for none. */
    float x;
    uint64_t serial; /* serial of the drag, which is one undo step */
} ChartState;

/* Draw the chart in rect, axis numbers included. While it has the focus, an arrow key moves a
 * draggable readout to the next x of the first series or, with chart->steps, by 1 (Shift: by 10).
 * Home and End move it to the first and the last x. */
ChartState chart_draw(Ui *ui, UiId id, Rect rect, const Chart *chart);

/* Return the series' value at its point nearest to x, or NaN. */
float chart_value(const ChartSeries *series, float x);

/* A label where a vertical line crosses a curve: the curve's mark, name (or NULL) and value. */
typedef struct ChartWord {
    float y; /* px: the height at which the label should be if it overlaps no other */
    Mark mark;
    Colour colour;
    const char *name, *value;
    bool is_wrong; /* true if the value is a warning */
} ChartWord;

/* Draw at most CHART_SERIES_MAX labels next to a vertical line at x px, on its right if bounds has
 * room there. Labels that would overlap move apart. */
void chart_words_draw(Ui *ui, Rect bounds, float x, const ChartWord *words, int count);

/* Return the width that a chart reserves at its right for this name together with any value. */
float chart_name_width(const Ui *ui, const char *name);

/* Return the place of a handle of this width below the plot. It is centred at x px, but extends at
 * most 8 px beyond the plot. */
Rect chart_handle(Rect plot, float x, float width);

/* Return the width of a handle with this formula markup. chart_handle_draw draws it. */
float chart_handle_width(const Ui *ui, const char *markup);
void chart_handle_draw(Ui *ui, Rect plot, float x, const char *markup);

/* Return the position on screen of the point (x, y) in a chart's plot. */
Vec2 chart_place(Rect plot, const Chart *chart, float x, float y);

#endif
