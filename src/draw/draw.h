/* draw.h: the draw list: plain data that the app and the views append to, and that back ends turn
 * into pixels, SVG or a test's assertion. Coordinates are logical pixels; a back end multiplies
 * them by scale. Pure. */
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

/* A rectangle with round corners. radius is at most half the shorter side. The fill changes from
 * fill at the left to fill_right at the right edge. The border lies inside. Dashes follow the
 * outline; dash_on == 0 is solid. */
typedef struct DrawBox {
    Rect rect;
    float radius, border;
    float dash_on, dash_off;
    Colour fill, fill_right, stroke;
} DrawBox;

/* A cubic Bézier curve with butt ends. Colour and width change from the start to the end. */
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

#define DRAW_CELL_MASKED (-__builtin_inff())

/* A matrix drawn as coloured cells that fill rect, with gap between them. values[i * stride + j] is
 * borrowed until the next app_frame. lo and hi are the ends of the palette; values beyond them are
 * clamped. A value DRAW_CELL_MASKED is a masked cell, with a stroke across it; NaN and +inf draw a
 * cross.
 *
 * A signed palette also marks a negative value by shape: by a dash if cells are 10 px or larger
 * (palette_dash), by a cell of half the height if they are smaller. With has_numbers it does not,
 * because each value is then written in its cell.
 *
 * Animation, if before is not NULL: each cell's colour changes from that of before[i * cols + j],
 * between before_lo and before_hi, to that of values. way is the progress, 0 to 1. With sweep > 0,
 * cells further right start later (cell_way). before is borrowed like values. */
typedef struct DrawCells {
    Rect rect;
    const float *values, *before;
    uint64_t hash, before_hash; /* hashes of shape and values; set by draw_cells */
    int rows, cols, stride;
    int palette; /* row of PALETTES */
    float lo, hi, gap, before_lo, before_hi, way, sweep;
    /* A bool, stored as an int, because draw_hash could not hash a struct with padding. */
    int has_numbers;
    /* Colours: gaps and dashes, masked cells, their strokes, crosses. */
    Colour ground, masked, masked_stroke, wrong;
} DrawCells;

/* One line of text. at is the left end of the baseline, also for text that reads from right to
 * left. angle_rad rotates clockwise about at. */
typedef struct DrawText {
    Vec2 at;
    float size, angle_rad;
    Font font;
    TextDirection direction;
    Colour colour;
    uint32_t text_at, text_bytes; /* place of the text in DrawList.text */
} DrawText;

/* Pixels outside clip are not drawn. Higher layers are drawn later. */
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

/* The commands of one frame. Owns its arrays, which are reused for the next frame. If memory runs
 * out, a whole command is dropped and counted in `dropped`. */
typedef struct DrawList {
    DrawCommand *commands;
    size_t command_count, command_capacity;
    char *text;
    size_t text_used, text_capacity;
    struct DrawPart *parts; /* see part.h; not hashed, because parts are not visible */
    size_t part_count, part_capacity;
    float width, height; /* logical pixels */
    float scale;         /* device pixels per logical pixel */
    Colour ground;
    size_t dropped;
    int layer; /* layer of the commands that are appended next */
    Rect clip;
    /* ids of parts to scroll to (ui/scroll.h), separated by spaces; or NULL */
    const char *reveal;
    /* bounds of the parts of `reveal` that were drawn so far, visible or not */
    Rect revealed;
    float *values; /* owned: values copied by draw_own_cells */
} DrawList;

/* Empty the list for a new frame. */
void draw_begin(DrawList *list, float width, float height, float scale, Colour ground);

/* Sort the commands by layer, stably. Call once, after the last command. */
void draw_end(DrawList *list);

void draw_release(DrawList *list);

/* Clip later commands to rect within the current clip. Return the current clip, for
 * draw_clip_restore. */
Rect draw_clip(DrawList *list, Rect rect);
void draw_clip_restore(DrawList *list, Rect previous);

void draw_box(DrawList *list, const DrawBox *box);
void draw_curve(DrawList *list, const DrawCurve *curve);
void draw_triangle(DrawList *list, const DrawTriangle *triangle);
void draw_cells(DrawList *list, const DrawCells *cells);
void draw_text_run(DrawList *list, const DrawText *style, const char *text, size_t bytes);

/* Return the progress of one column of a matrix with cols columns. */
static inline float cell_way(float way, float sweep, int j, int cols) {
    float own = way * (1 + sweep) - sweep * ((float)j + 0.5f) / (float)cols;
    return own < 0 ? 0 : own > 1 ? 1 : own;
}

/* Append the first count commands of another list to the current layer. Call after draw_end of that
 * list. The values of cells stay borrowed. */
void draw_append(DrawList *list, const DrawList *from, size_t count);

/* Copy the values of all cells, so that the list stays valid after the next app_frame. Call after
 * draw_end. Animations of cells end. Return false if memory runs out. */
bool draw_own_cells(DrawList *list);

/* draw_fill skips a transparent fill. */
void draw_fill(DrawList *list, Rect rect, float radius, Colour fill);
void draw_ring(DrawList *list, Rect rect, float radius, float border, Colour stroke);
/* Draw a disc with a border inside its edge; fill and stroke may be transparent. */
void draw_disc(DrawList *list, Vec2 centre, float radius, Colour fill, float border, Colour stroke);
void draw_fill_triangle(DrawList *list, Vec2 a, Vec2 b, Vec2 c, Colour fill);
void draw_line(DrawList *list, Vec2 from, Vec2 to, float width, Colour colour);

/* Round a logical coordinate to the nearest edge of a device pixel. */
float draw_snap(const DrawList *list, float coordinate);

/* Return the rectangle of a box in device pixels. Its edges lie on whole pixels, except those of
 * circles, which would no longer be round, and of extents below half a pixel. */
Rect draw_box_rect(const DrawBox *box, float scale);

/* Return the rectangle of a matrix in whole device pixels. *gap: the gap between its cells, at
 * least one pixel unless it is 0, at most half a cell. */
Rect draw_cells_rect(float *gap, const DrawCells *cells, float scale);

/* Dashes mark negative values in cells of at least DRAW_CELL_LARGE logical pixels. Values above
 * DRAW_MINUS_FROM * lo get none, because dashes on values near 0 would be noise. In a smaller cell,
 * any negative value fills half the height. */
#define DRAW_CELL_LARGE     10.0f
#define DRAW_DASH_THICKNESS 2.0f
#define DRAW_MINUS_FROM     0.12f

/* Return a hash of everything visible: equal hashes mean equal pictures. Call after draw_end. */
uint64_t draw_hash(const DrawList *list);

#endif
