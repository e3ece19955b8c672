/* paint.h: converts draw commands to items, the instances that both rasterisers draw; one paint_*.c
 * for each kind of command. Everything is in device pixels, y downwards. */
#ifndef HEADLIGHT_GFX_PAINT_H
#define HEADLIGHT_GFX_PAINT_H

#include "draw/draw.h"
#include "gfx/atlas.h"
#include "gfx/fonts.h"
#include "gfx/pixel_rect.h"

#define PAINT_WORDS 24 /* words of the largest item */

typedef enum Pipeline {
    PIPELINE_SOLID,
    PIPELINE_BOX,
    PIPELINE_CURVE,
    PIPELINE_TRIANGLE,
    PIPELINE_CELLS,
    PIPELINE_CELLS_FADE, /* cells that fade from other values to these */
    PIPELINE_TEXT,
    PIPELINE_COUNT
} Pipeline;

/* The number of words of an item in each pipeline, a multiple of four. */
extern const int PAINT_WORD_COUNTS[PIPELINE_COUNT];

/* One instance of a pipeline. The shaders in shaders/ define the meaning of its words. */
typedef struct PaintItem {
    Pipeline pipeline;
    uint32_t words[PAINT_WORDS];
    Rect bounds;             /* every pixel that it may change */
    PixelRect clip;          /* the pixels that may change; set by paint_add */
    bool is_clipped;         /* bounds exceed the command's clip; set by paint_add */
    const AtlasSheet *sheet; /* for text: the sheet of its image */
    const DrawCells *cells;  /* for cells; lives as long as the list */
} PaintItem;

typedef struct Painter {
    Atlas *atlas;
    GfxFonts *fonts;
    const DrawList *list;
    PixelRect frame, clip; /* the whole picture, and the part that the current command may change */
    bool lacks_memory;     /* something could not be drawn because memory ran out */
    void (*add)(const struct Painter *painter, const PaintItem *item); /* copies the item */
    void (*flush)(void *context); /* draws what was added, so that the atlas may be cleared */
    void *context;
} Painter;

/* Add every command of the list. */
void paint_list(Painter *painter);

/* Add one item, unless all of it lies outside the clip. */
void paint_add(Painter *painter, PaintItem *item);

/* Cut a quad to the clip. Return false if nothing is left. */
bool paint_cut(const Painter *painter, Rect *quad);

/* Add the items of one command. previous and next are the neighbours in the list if they are
 * triangles, else NULL; an edge shared with one of them is drawn without a seam. */
void paint_box(Painter *painter, const DrawBox *draw);
void paint_curve(Painter *painter, const DrawCurve *draw);
void paint_triangle(Painter *painter, const DrawTriangle *triangle, const DrawTriangle *previous,
                    const DrawTriangle *next);
void paint_cells(Painter *painter, const DrawCells *cells);
void paint_text(Painter *painter, const DrawText *text);

/* Return the bits of a float. */
uint32_t paint_word(float value);

/* True if a colour is not fully transparent. */
static inline bool paint_is_visible(Colour colour) {
    return (colour & 0xFFu) != 0;
}

#endif
