/* draw.h: the draw list, the plain data between the program's two halves. The app and the views
 * append to it; back ends turn it into pixels, SVG or a test's assertion. Coordinates are logical
 * pixels; a back end multiplies them by scale. Pure. */
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

/* A rectangle with round corners. radius is at most half the shorter side, which makes a square a
 * circle. The fill runs from fill at the left edge to fill_right at the right edge. The border lies
 * inside. Dashes follow the outline; dash_on == 0 is solid. */
typedef struct DrawBox {
    Rect rect;
    float radius, border;
    float dash_on, dash_off;
    Colour fill, fill_right, stroke;
} DrawBox;

/* A cubic Bézier curve with butt ends; straight if its control points lie on the line. Colour and
 * width change from the start to the end. */
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

/* The value of a masked cell: see DrawCells. */
#define DRAW_CELL_MASKED (-__builtin_inff())

/* A matrix drawn as coloured cells that fill rect.
 * values[i * stride + j] is borrowed until the next app_frame. lo and hi are the ends of the
 * palette; values beyond them are clamped. DRAW_CELL_MASKED draws a masked cell with its stroke.
 * NaN and +inf draw a cross. gap is the space between cells.
 * A signed palette also marks a negative value without colour: by a dash if cells are 10 px or
 * larger (palette_dash), by half height if smaller. has_numbers turns this off, because each value
 * is then written in its cell.
 * before (rows, cols), not NULL during an animation, holds the cells at way 0. It has no gap
 * between rows, is borrowed like values and has its own scale. Each cell's colour moves from before
 * to values while way goes from 0 to 1. With sweep > 0, cells further right start later (cell_way).
 * At way 1 before is ignored. */
typedef struct DrawCells {
    Rect rect;
    const float *values, *before;
    uint64_t hash, before_hash; /* hashes of shape and values; draw_cells sets them */
    int rows, cols, stride;
    int palette; /* row of PALETTES */
    float lo, hi, gap, before_lo, before_hi, way, sweep;
    /* A bool, stored as an int so that there is no padding, because draw_hash includes all
     * bytes. */
    int has_numbers;
    /* Colours of gap and dash, of a masked cell, of its stroke, of a cross. */
    Colour ground, masked, masked_stroke, wrong;
} DrawCells;

/* One line of text. at is the left end of the baseline, whatever the direction of the text. The
 * text rotates clockwise about at. */
typedef struct DrawText {
    Vec2 at;
    float size, angle_rad;
    Font font;
    TextDirection direction;
    Colour colour;
    uint32_t text_at, text_bytes; /* offset and length in DrawList.text */
} DrawText;

/* One command. Pixels outside clip are not drawn. Higher layers are drawn later. */
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

/* The commands of one frame. Owns its arrays, which grow and are reused for the next frame. If
 * memory runs out, a command is dropped as a whole and counted in `dropped`. */
typedef struct DrawList {
    DrawCommand *commands;
    size_t command_count, command_capacity;
    char *text;
    size_t text_used, text_capacity;
    struct DrawPart *parts; /* see part.h; not hashed, because parts are not visible */
    size_t part_count, part_capacity;
    float width, height; /* logical pixels */
    float scale;         /* device pixels in one logical pixel */
    Colour ground;
    size_t dropped;
    int layer; /* the layer of commands that are appended from now on */
    Rect clip;
    /* ids of parts to scroll to, separated by spaces; or NULL; see ui/scroll.h */
    const char *reveal;
    /* rectangle around the parts named by `reveal` that were drawn so far, visible or not */
    Rect revealed;
    float *values; /* owned: values copied by draw_own_cells */
} DrawList;

/* Empty the list for a new frame. */
void draw_begin(DrawList *list, float width, float height, float scale, Colour ground);

/* Sort the commands by layer; the order within a layer stays. Call once, after the last command. */
void draw_end(DrawList *list);

void draw_release(DrawList *list);

/* Clip later commands to rect within the current clip. Return the current clip, which the caller
 * passes to draw_clip_restore. */
Rect draw_clip(DrawList *list, Rect rect);
void draw_clip_restore(DrawList *list, Rect previous);

void draw_box(DrawList *list, const DrawBox *box);
void draw_curve(DrawList *list, const DrawCurve *curve);
void draw_triangle(DrawList *list, const DrawTriangle *triangle);
void draw_cells(DrawList *list, const DrawCells *cells);
void draw_text_run(DrawList *list, const DrawText *style, const char *text, size_t bytes);

/* Return the progress of column j of cols: see DrawCells.sweep. */
static inline float cell_way(float way, float sweep, int j, int cols) {
    float own = way * (1 + sweep) - sweep * ((float)j + 0.5f) / (float)cols;
    return own < 0 ? 0 : own > 1 ? 1 : own;
}

/* Append the first count commands of another list to the current layer of this list, in their
 * order. The other list must be ended. The values of cells stay borrowed. */
void draw_append(DrawList *list, const DrawList *from, size_t count);

/* Copy the values of all cells, so that the list stays valid after the next app_frame. The list
 * must be ended. Animations of cells end. Return false if memory runs out. */
bool draw_own_cells(DrawList *list);

/* Shorthands for the most common commands. draw_fill skips a transparent fill. */
void draw_fill(DrawList *list, Rect rect, float radius, Colour fill);
void draw_ring(DrawList *list, Rect rect, float radius, float border, Colour stroke);
void draw_line(DrawList *list, Vec2 from, Vec2 to, float width, Colour colour);

/* Return a logical coordinate rounded to the nearest edge of a device pixel. */
float draw_snap(const DrawList *list, float coordinate);

/* Return the rectangle of a box at `scale` device pixels per logical pixel. Its edges lie on whole
 * pixels, except for circles, which snapping would deform, and for extents below half a pixel. */
Rect draw_box_rect(const DrawBox *box, float scale);

/* Return the rectangle of a matrix in whole device pixels. Set *gap to the gap between its cells:
 * at least one pixel for a gap above 0, at most half a cell. */
Rect draw_cells_rect(float *gap, const DrawCells *cells, float scale);

/* How cells mark a negative value, unless they show numbers: by a dash of this thickness if the
 * cell is at least this large (logical pixels), and the value's magnitude is at least this share of
 * the scale's lower end, because dashes on smaller values would be noise. A smaller cell is filled
 * to half its height. */
#define DRAW_CELL_LARGE     10.0f
#define DRAW_DASH_THICKNESS 2.0f
#define DRAW_MINUS_FROM     0.12f

/* Return a hash of everything visible: equal hashes mean equal pictures. Call after draw_end. */
uint64_t draw_hash(const DrawList *list);

#endif
