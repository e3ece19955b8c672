/* renderer.h: a draw list as pixels, by OpenGL 3.3 core, or by this program itself where OpenGL
 * would be drawn by the processor anyway (soft.h). Creates no context and no window. Edges are
 * antialiased by the distance to them, so nothing is sampled more than once. The same list gives
 * the same pixels on the same driver. One thread, that of the context. */
#ifndef HEADLIGHT_GFX_RENDERER_H
#define HEADLIGHT_GFX_RENDERER_H

#include <stdbool.h>

#include "base/err.h"
#include "draw/draw.h"
#include "gfx/fonts.h"
#include "gfx/target.h"

typedef struct Renderer Renderer;

/* Make what drawing to targets of this kind needs: of TARGET_CARD, in the current context, one of
 * context.h; of TARGET_SOFT there need be none. fonts is borrowed. shader_folder is NULL for the
 * built-in shaders. Fails when a shader does not compile or memory runs out. Release with
 * renderer_release while the context is current. */
bool renderer_create(Renderer **out, TargetKind kind, GfxFonts *fonts, const char *shader_folder,
                     Err *err);
void renderer_release(Renderer *renderer);

/* Draw list, which was ended by draw_end, over the whole of the target, which becomes of this size
 * in pixels. The result is opaque. Values that cells borrow must still be alive. Where the target
 * holds what was drawn last, only what list changes is drawn, with the same pixels as if all of it
 * were; for all of it, set its is_drawn to false. A card without memory for the target draws to the
 * window's own framebuffer; the processor then draws nothing, and false is returned. */
bool renderer_draw(Renderer *renderer, const DrawList *list, Target *target, int width_px,
                   int height_px);

#endif
