/* paint.h: converts draw commands to items, which both rasterisers draw. Each kind of command has
 * its own paint_*.c. Everything is in device pixels, y downwards. */
#ifndef HEADLIGHT_GFX_PAINT_H
#define HEADLIGHT_GFX_PAINT_H

#include "base/geom.h"
#include "draw/draw.h"
#include "gfx/atlas.h"
#include "gfx/fonts.h"

#define PAINT_WORDS  20   /* words of the largest item; the shaders read them four at a time */
#define PAINT_TEXELS 1024 /* number of colours in each palette */

typedef struct PaintEdges {
    float left, top, right, bottom;
} PaintEdges;

/* The items. The shaders read them as 32-bit words, so every member has 32 bits. */
typedef struct PaintBox {
    PaintEdges edges;
    float radius, border, dash_on, dash_off;
    Colour fill, fill_right, stroke;
    float alpha; /* multiplies the alpha of all three colours */
} PaintBox;

/* One short piece of a curve. Its two ends are lines across the curve, which the neighbouring
 * pieces share. */
typedef struct PaintCurve {
    Vec2 at[2], normal[2];
    float half_width[2];
    Colour colour[2];
    /* Length of the curve up to each end of this piece, and of the whole curve. */
    float along[2], length;
    float dash_on, dash_period;
    uint32_t unused; /* makes the number of words even, as for the other items */
} PaintCurve;

typedef struct PaintTriangle {
    Vec2 at[3], drawn[3]; /* the corners; the corners moved outwards to make room for soft edges */
    Colour colour[3];
    /* Bit i is set if a neighbour shares the edge opposite corner i, which is then not soft. */
    uint32_t shared;
} PaintTriangle;

/* How cells mark a negative value. */
typedef enum PaintMinus { MINUS_PLAIN, MINUS_DASH, MINUS_HALF } PaintMinus;

typedef struct PaintCells {
    PaintEdges edges;
    uint32_t rows, cols, palette, minus; /* minus: a PaintMinus */
    Colour ground, masked, stroke, wrong;
    float lo, hi, before_lo, before_hi;
    /* way: progress of the fade, 1 if there are no earlier values. */
    float way, sweep, gap, thickness;
} PaintCells;

/* An image of a run of text. Its edges are relative to the point that the text rotates about. */
typedef struct PaintText {
    PaintEdges edges, texels; /* edges of the image, and of its place in the sheet in texels */
    Vec2 about;
    float cosine, sine;
    Colour colour;
    uint32_t sheet; /* an AtlasSheetKind */
} PaintText;

typedef struct PaintItem {
    DrawKind kind;
    PixelRect clip;         /* every pixel that the item may change; set by paint_add */
    const DrawCells *cells; /* for cells: the draw command, which lives as long as the list */
    union {
        PaintBox box;
        PaintCurve curve;
        PaintTriangle triangle;
        PaintCells cells;
        PaintText text;
        uint32_t words[PAINT_WORDS];
    } as;
} PaintItem;

typedef struct Painter {
    Atlas *atlas;
    GfxFonts *fonts;
    const DrawList *list;
    PixelRect frame, clip; /* the whole picture, and the part that the current command may change */
    bool lacks_memory;     /* true if something could not be drawn because memory ran out */
    void (*add)(void *context, const PaintItem *item); /* copies the item */
    /* Draws the items added so far, so that the atlas may be cleared. */
    void (*flush)(void *context);
    void *context;
} Painter;

/* For each DrawKind, the number of words in its item. */
extern const int PAINT_WORD_COUNTS[];

/* Return PALETTE_COUNT palettes of PAINT_TEXELS colours, owned by the caller; NULL if memory runs
 * out. */
Colour *paint_palettes(void);

/* Add every command of the list. */
void paint_list(Painter *painter);

/* Add one item, unless its bounds lie completely outside the clip. */
void paint_add(Painter *painter, PaintItem *item, Rect bounds);

/* Add the items of one command. previous and next are the neighbours in the list if they are
 * triangles, else NULL; an edge shared with one of them is drawn without a seam. */
void paint_box(Painter *painter, const DrawBox *draw);
void paint_curve(Painter *painter, const DrawCurve *draw);
void paint_triangle(Painter *painter, const DrawTriangle *triangle, const DrawTriangle *previous,
                    const DrawTriangle *next);
void paint_cells(Painter *painter, const DrawCells *cells);
void paint_text(Painter *painter, const DrawText *text);

static inline PaintEdges paint_edges(Rect r) {
    return (PaintEdges){r.x, r.y, rect_right(r), rect_bottom(r)};
}

/* True if a colour is not fully transparent. */
static inline bool paint_is_visible(Colour colour) {
    return (colour & 0xFFu) != 0;
}

#endif
