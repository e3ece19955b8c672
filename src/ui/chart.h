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
    const char *name;   /* shown at the curve's right end, with the value at the readout or else the
                           last value */
    const char *leaves; /* label of the arrow where the curve leaves the plot: "overflow at 12"; for
                           a curve entirely outside, shown at the nearest edge */
    Colour colour;
    Mark mark;
    bool dashed; /* for expected or secondary curves */
    float width; /* 0 for 2.6 */
} ChartSeries;

/* A line across the plot at a value of x (upright) or of y. label may be NULL. */
typedef struct ChartLine {
    float at;
    bool upright;
    const char *label;
    Colour colour;
} ChartLine;

/* Shared by charts with the same x: hovering one shows the readout in all. All zero if none is
 * hovered. */
typedef struct ChartHover {
    UiId by;
    float x;
} ChartHover;

typedef struct Chart {
    Axis x, y;
    const ChartSeries *series;
    int series_count;       /* at most CHART_SERIES_MAX */
    const ChartLine *lines; /* dashed 2 5 */
    int line_count;
    float marked_x; /* x of the readout if nothing is hovered; a readout without values is only a
                       handle; NaN for none */
    float band_lo, band_hi; /* a shaded range of x; equal for none */
    bool names;             /* reserve space at the right for names and last values */
    float names_w;          /* width of that space; 0 for the width of the longest name */
    bool readout;           /* write the values next to the readout's line */
    bool draggable;         /* the readout's line is a handle; a drag or an arrow key moves it */
    bool without_keys;      /* draggable, but the owner handles the keys */
    bool steps;             /* move to every whole x, not to those of the first series */
    const char *x_name; /* formula markup or NULL, "d_k =": shown with the x of the readout below
                           the plot, as the handle if draggable. Values are then read only from
                           points at exactly this x */
    ChartHover *shared; /* NULL if no other chart shares x */
    float handle_w;     /* width of the label that the owner draws at chart_handle; 0 for none */
    int mark_every; /* draw marks only at every mark_every-th x, shifted from curve to curve; 0 for
                       every point, or none if there are many */
    const char
        *flag; /* text before the number on the line at marked_x: "step". The line, its marks and
                  values then stay there while the pointer hovers elsewhere; NULL for none */
    bool backward; /* curves run from right to left and leave the plot at the left */
} Chart;

typedef struct ChartState {
    Rect plot; /* inside the axes */
    bool hovered;
    bool moved; /* true after a drag or a key: x is the new place of the handle */
    float x;    /* the readout's x: hovered here or in a chart that shares it, else marked; NaN for
                   none */
    uint64_t serial; /* serial of the drag, which is one undo step */
} ChartState;

/* Draw the chart in rect, axis numbers included.
 * While it has the focus, arrows move a draggable readout to the next x of the first series or the
 * next whole x (Shift: ten), Home and End to the ends. */
ChartState chart_draw(Ui *ui, UiId id, Rect rect, const Chart *chart);

/* Return the series' value at the x nearest to x, or NaN. */
float chart_value(const ChartSeries *series, float x);

/* The label where a vertical line crosses a curve: its name with its mark, or NULL, and its
 * value. */
typedef struct ChartWord {
    float y; /* px, wanted height */
    Mark mark;
    Colour colour;
    const char *name, *value;
    bool is_wrong; /* the value is a warning text */
} ChartWord;

/* Draw at most CHART_SERIES_MAX labels next to a vertical line at x px, on its right if bounds has
 * room there. Labels that would overlap move apart. */
void chart_words_draw(Ui *ui, Rect bounds, float x, const ChartWord *words, int count);

/* Return the width that a chart reserves at its right for this name with any value. */
float chart_name_width(const Ui *ui, const char *name);

/* Return the place of a handle of this width below the plot, centred at x px and moved inside the
 * plot's ends. */
Rect chart_handle(Rect plot, float x, float width);

/* Return the width of a handle with this formula markup, and draw it. */
float chart_handle_width(const Ui *ui, const char *markup);
void chart_handle_draw(Ui *ui, Rect plot, float x, const char *markup);

/* Return the position of a point of the chart. */
Vec2 chart_place(Rect plot, const Chart *chart, float x, float y);

#endif
