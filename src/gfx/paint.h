/* paint.h: draw commands turned into instances of the pipelines: one file for each kind.
 * Everything here is in device pixels, y downwards. */
#ifndef HEADLIGHT_GFX_PAINT_H
#define HEADLIGHT_GFX_PAINT_H

#include "draw/draw.h"
#include "gfx/atlas.h"
#include "gfx/batch.h"
#include "gfx/cell_textures.h"
#include "gfx/fonts.h"

/* An instance of a pipeline: what its shaders read, and where. */
typedef struct PaintItem {
    Pipeline pipeline;
    const uint32_t *words;    /* PIPELINE_TEXELS texels of them */
    Rect bounds;              /* all it may touch */
    bool is_cut;              /* it has been cut to the clip; else it may cross that */
    bool is_whole;            /* of a curve: all of it, see soft.h, rather than a piece */
    unsigned texture, before; /* of an item that has any, where OpenGL draws */
    const AtlasSheet *sheet;  /* of text */
    const DrawCells *cells;   /* of cells, in memory as long as the list */
} PaintItem;

typedef struct Painter {
    Atlas *atlas;
    CellTextures *cells; /* NULL where OpenGL does not draw */
    GfxFonts *fonts;
    const DrawList *list; /* for its text and its scale */
    PixelRect frame;      /* the framebuffer */
    PixelRect clip;       /* of the command in hand, within frame */
    PixelRect touched;    /* all that it has been found to draw to, so far */
    bool cuts_curves;     /* into pieces; else those of one width and colour are added whole */
    bool is_rehearsal;    /* only find that: nothing is added */
    void (*add)(const struct Painter *painter, const PaintItem *item);
    void (*flush)(void *context); /* draw what was added, so that what it refers to may go */
    void *context;                /* theirs */
} Painter;

/* Add one item. It is left out where clip hides it, and cut where clip crosses it. */
void paint_add(Painter *painter, const PaintItem *item);

/* A quad's part inside the clip; false where there is none. */
bool paint_cut(const Painter *painter, Rect *quad);

/* Each draws one command; sizes and colours as in draw.h. previous and next are the triangles
 * beside it in the list, or NULL: an edge shared with one of them is drawn without a seam. */
void paint_box(Painter *painter, const DrawBox *draw);
void paint_curve(Painter *painter, const DrawCurve *draw);
void paint_triangle(Painter *painter, const DrawTriangle *triangle, const DrawTriangle *previous,
                    const DrawTriangle *next);
void paint_cells(Painter *painter, const DrawCells *cells);
void paint_text(Painter *painter, const DrawText *text);

/* Whether a colour can be seen at all. */
static inline bool paint_is_visible(Colour colour) {
    return (colour & 0xFFu) != 0;
}

#endif
