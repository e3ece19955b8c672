/* paint.h: converts draw commands to items, which both rasterisers draw. Each kind of command has
 * its own paint_*.c. Coordinates are device pixels, y downwards. */
#ifndef HEADLIGHT_GFX_PAINT_H
#define HEADLIGHT_GFX_PAINT_H

#include "base/geom.h"
#include "draw/draw.h"
#include "gfx/atlas.h"
#include "gfx/fonts.h"

#define PAINT_WORDS  20   /* words of the largest item; the shaders read four at a time */
#define PAINT_TEXELS 1024 /* colours of a palette */

typedef struct PaintEdges {
    float left, top, right, bottom;
} PaintEdges;

/* Shaders read items as 32-bit words, so every member has 32 bits. */
typedef struct PaintBox {
    PaintEdges edges;
    float radius, border, dash_on, dash_off;
    Colour fill, fill_right, stroke;
    float alpha; /* factor for the alpha of all three colours */
} PaintBox;

/* A short piece of a curve. Its ends are lines across the curve, which the neighbouring pieces
 * share. */
typedef struct PaintCurve {
    Vec2 at[2], normal[2];
    float half_width[2];
    Colour colour[2];
    /* Length of the curve up to each end, and of the whole curve. */
    float along[2], length;
    float dash_on, dash_period;
    uint32_t unused; /* makes the number of words even */
} PaintCurve;

typedef struct PaintTriangle {
    Vec2 at[3], drawn[3]; /* drawn: the corners moved outwards, to make room for soft edges */
    Colour colour[3];
    /* Bit i: a neighbour shares the edge opposite corner i, which is then not soft. */
    uint32_t shared;
} PaintTriangle;

/* How cells mark a negative value. */
typedef enum PaintMinus { MINUS_PLAIN, MINUS_DASH, MINUS_HALF } PaintMinus;

typedef struct PaintCells {
    PaintEdges edges;
    uint32_t rows, cols, palette, minus; /* minus: a PaintMinus */
    Colour ground, masked, stroke, wrong;
    float lo, hi, before_lo, before_hi;
    /* way: progress of the fade, 1 without earlier values. */
    float way, sweep, gap, thickness;
} PaintCells;

/* An image of a run of text. edges are relative to `about`, about which the text rotates. */
typedef struct PaintText {
    PaintEdges edges, texels; /* texels: edges of the image in the sheet */
    Vec2 about;
    float cosine, sine;
    Colour colour;
    uint32_t sheet; /* an AtlasSheetKind */
} PaintText;

typedef struct PaintItem {
    DrawKind kind;
    PixelRect clip;         /* area of all pixels that the item may change; set by paint_add */
    const DrawCells *cells; /* the command of an item with cells; lives as long as the list */
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
    PixelRect frame, clip; /* the whole picture, and the clip of the current command */
    bool lacks_memory;     /* something is missing because memory ran out */
    void (*add)(void *context, const PaintItem *item); /* copies the item */
    /* draws the items added so far, so that the atlas may be cleared */
    void (*flush)(void *context);
    void *context;
} Painter;

/* by DrawKind */
extern const int PAINT_WORD_COUNTS[];

/* Return PALETTE_COUNT palettes of PAINT_TEXELS colours; owned; NULL if memory runs out. */
Colour *paint_palettes(void);

void paint_list(Painter *painter);

/* Add one item, unless its bounds lie outside the clip. */
void paint_add(Painter *painter, PaintItem *item, Rect bounds);

/* Add the items of one command. previous, next: the neighbours in the list if they are triangles,
 * else NULL; an edge shared with them is drawn without a seam. */
void paint_box(Painter *painter, const DrawBox *draw);
void paint_curve(Painter *painter, const DrawCurve *draw);
void paint_triangle(Painter *painter, const DrawTriangle *triangle, const DrawTriangle *previous,
                    const DrawTriangle *next);
void paint_cells(Painter *painter, const DrawCells *cells);
void paint_text(Painter *painter, const DrawText *text);

static inline PaintEdges paint_edges(Rect r) {
    return (PaintEdges){r.x, r.y, rect_right(r), rect_bottom(r)};
}

static inline bool paint_is_visible(Colour colour) {
    return (colour & 0xFFu) != 0;
}

#endif
