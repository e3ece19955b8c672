/* renderer.h: a draw list as pixels, by OpenGL 3.3 core.
 * Draws to the framebuffer that is bound; creates no context and no window. Edges are antialiased
 * in the shaders, so the framebuffer needs no samples. The same list gives the same pixels on the
 * same driver. One thread, that of the context. */
#ifndef HEADLIGHT_GFX_RENDERER_H
#define HEADLIGHT_GFX_RENDERER_H

#include <stdbool.h>

#include "base/err.h"
#include "draw/draw.h"
#include "gfx/fonts.h"

typedef struct Renderer Renderer;

/* Make what drawing needs in the current context, one of context.h. fonts is borrowed.
 * shader_folder is NULL for the built-in shaders. Fails when a shader does not compile or memory
 * runs out. Release with renderer_release while the context is current. */
bool renderer_create(Renderer **out, GfxFonts *fonts, const char *shader_folder, Err *err);
void renderer_release(Renderer *renderer);

/* Draw list, which was ended by draw_end, over the whole framebuffer of this size in pixels. The
 * result is opaque. Values that cells borrow must still be alive. */
void renderer_draw(Renderer *renderer, const DrawList *list, int width_px, int height_px);

/* The same where the framebuffer still holds, untouched, what the last call drew: only what list
 * changes is drawn, with the same pixels as if all of it were. With keeps false it holds something
 * else, and everything is drawn; the next call may then be told that it is kept. */
void renderer_redraw(Renderer *renderer, const DrawList *list, int width_px, int height_px,
                     bool keeps);

#endif
