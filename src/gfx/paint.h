/* paint.h: draw commands turned into instances of the pipelines: one file for each kind.
 * Everything here is in device pixels, y downwards. */
#ifndef HEADLIGHT_GFX_PAINT_H
#define HEADLIGHT_GFX_PAINT_H

#include "draw/draw.h"
#include "gfx/atlas.h"
#include "gfx/batch.h"
#include "gfx/cell_textures.h"
#include "gfx/fonts.h"

typedef struct Painter {
    Batcher *batcher;
    Atlas *atlas;
    CellTextures *cells;
    GfxFonts *fonts;
    const DrawList *list;         /* for its text and its scale */
    PixelRect frame;              /* the framebuffer */
    PixelRect clip;               /* of the command in hand, within frame */
    PixelRect touched;            /* all that it has been found to draw to, so far */
    bool is_rehearsal;            /* only find that: nothing is added */
    void (*flush)(void *context); /* draw what was gathered, so that textures may be replaced */
    void *context;
} Painter;

/* Add one instance that stays within bounds. It is left out where clip hides it, and cut by the
 * scissor where clip crosses it, unless is_cut says that the caller has cut it to clip itself. */
void paint_add(Painter *painter, Pipeline pipeline, Rect bounds, bool is_cut,
               const uint32_t *words);

/* The same of a pipeline that has a texture of its own, and perhaps one before it, else 0. */
void paint_add_textured(Painter *painter, Pipeline pipeline, unsigned texture, unsigned before,
                        Rect bounds, bool is_cut, const uint32_t *words);

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
