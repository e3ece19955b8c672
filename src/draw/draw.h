/* draw.h: the draw list, the plain data at the waist of the program.
 * Everything above appends to it; everything below turns it into pixels, SVG or an assertion.
 * Coordinates are logical pixels; a back end multiplies by scale. Pure. */
#ifndef HEADLIGHT_DRAW_DRAW_H
#define HEADLIGHT_DRAW_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/geom.h"
#include "draw/colour.h"
#include "draw/font.h"
#include "draw/palette.h"

typedef enum DrawKind {
    DRAW_BOX,
    DRAW_CURVE,
    DRAW_TRIANGLE,
    DRAW_CELLS,
    DRAW_TEXT,
} DrawKind;

/* A rectangle with round corners (radius at most half its shorter side; a circle is a square with
 * all of it). Filled from fill at its left edge to fill_right at its right edge; its border lies
 * inside. Dashes follow the outline; dash_on == 0 is solid. */
typedef struct DrawBox {
    Rect rect;
    float radius, border;
    float dash_on, dash_off;
    Colour fill, fill_right, stroke;
} DrawBox;

/* A cubic Bézier curve with butt ends; a straight line when its control points lie on it.
 * Colour and width pass from the start's to the end's. */
typedef struct DrawCurve {
    Vec2 from, control_1, control_2, to;
    float width_from, width_to;
    float dash_on, dash_off;
    Colour colour_from, colour_to;
} DrawCurve;

typedef struct DrawTriangle {
    Vec2 a, b, c;
    Colour colour_a, colour_b, colour_c;
} DrawTriangle;

/* A value that is not a weight: see draw_cells. */
#define DRAW_CELL_MASKED (-__builtin_inff())

/* A matrix as coloured cells that fill rect. values[i * stride + j] is borrowed until the next
 * app_frame. lo and hi are the ends of the palette; values beyond are clamped to them.
 * DRAW_CELL_MASKED is drawn as the masked cell with its stroke, NaN (and +inf) as a cross.
 * gap is the ground left between cells. With a signed palette a minus is also drawn as a dash
 * (cells of 10 px and more, see palette_dash) or at half height (smaller), so that sign needs no
 * colour; not where has_numbers says that each value is written over its cell.
 * before, if it is not NULL, is what the cells show at way 0, (rows, cols) without a gap between
 * rows, borrowed alike and on a scale of its own; each cell's colour passes from there to values'.
 * way is 0 to 1, and with sweep 0 every cell's own; with a larger one the cells on the right set
 * off later: cell_way. At 1 there is no before. */
typedef struct DrawCells {
    Rect rect;
    int rows, cols, stride;
    const float *values;
    uint64_t hash; /* of shape and values: set by draw_cells */
    float lo, hi, gap;
    const float *before;
    uint64_t before_hash; /* set by draw_cells */
    float before_lo, before_hi, way, sweep;
    int palette; /* row of PALETTES */
    bool has_numbers;
    Colour ground, masked, masked_stroke, wrong; /* gap and dash; masked cell; the cross */
} DrawCells;

/* One line of text. at is the left end of the baseline, whatever the text's direction; the text
 * turns about it, clockwise. */
typedef struct DrawText {
    Vec2 at;
    float size, angle_rad;
    Font font;
    TextDirection direction;
    Colour colour;
    uint32_t text_at, text_bytes; /* in DrawList.text */
} DrawText;

/* One command. Nothing is drawn outside clip. Higher layers are drawn later. */
typedef struct DrawCommand {
    DrawKind kind;
    int layer;
    Rect clip;
    union {
        DrawBox box;
        DrawCurve curve;
        DrawTriangle triangle;
        DrawCells cells;
        DrawText text;
    } as;
} DrawCommand;

/* A list for one frame. Owns its arrays, which grow and are kept between frames. What there was
 * no memory for is dropped and counted, never half written. */
typedef struct DrawList {
    DrawCommand *commands;
    size_t command_count, command_capacity;
    char *text;
    size_t text_used, text_capacity;
    float width, height; /* logical pixels */
    float scale;         /* device pixels in one logical pixel */
    Colour ground;
    size_t dropped;
    int layer; /* given to commands as they are appended */
    Rect clip;
} DrawList;

/* Empty the list for a new frame. */
void draw_begin(DrawList *list, float width, float height, float scale, Colour ground);

/* Put the layers in order, each keeping its own order. Call once, when all is appended. */
void draw_end(DrawList *list);

void draw_release(DrawList *list);

/* The rectangle that later commands are clipped to, within the one in force, which is returned
 * and is to be given back to draw_clip_restore. */
Rect draw_clip(DrawList *list, Rect rect);
void draw_clip_restore(DrawList *list, Rect previous);

void draw_box(DrawList *list, const DrawBox *box);
void draw_curve(DrawList *list, const DrawCurve *curve);
void draw_triangle(DrawList *list, const DrawTriangle *triangle);
void draw_cells(DrawList *list, const DrawCells *cells);
void draw_text_run(DrawList *list, const DrawText *style, const char *text, size_t bytes);

/* How far the cells of column j of cols have got. */
static inline float cell_way(float way, float sweep, int j, int cols) {
    float own = way * (1 + sweep) - sweep * ((float)j + 0.5f) / (float)cols;
    return own < 0 ? 0 : own > 1 ? 1 : own;
}

/* Shorthands for the commonest of them. A fill that is not seen is left out. */
void draw_fill(DrawList *list, Rect rect, float radius, Colour fill);
void draw_ring(DrawList *list, Rect rect, float radius, float border, Colour stroke);
void draw_line(DrawList *list, Vec2 from, Vec2 to, float width, Colour colour);

/* A logical coordinate moved to the nearest device pixel's edge. */
float draw_snap(const DrawList *list, float coordinate);

/* A hash of all that is to be seen: equal hashes, equal pictures. Call after draw_end. */
uint64_t draw_hash(const DrawList *list);

#endif
