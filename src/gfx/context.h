/* context.h: the OpenGL context that drawing by a card needs, 3.3 core and forward compatible, for
 * an SDL window, shown or not. */
#ifndef HEADLIGHT_GFX_CONTEXT_H
#define HEADLIGHT_GFX_CONTEXT_H

#include <SDL.h>
#include <stdbool.h>

/* True if the system's devices show a graphics card. Without one OpenGL is software, and the
 * program draws by itself: it never loads a driver, which would take half of the memory and of the
 * time to start. If true, ask context_is_software after context_create. */
bool context_may_have_card(void);

/* Say which context is wanted. Call it after SDL has started and before the window is made. Asks
 * graphics drivers not to write messages of their own to standard error. */
void context_request(void);

/* Make the context of a window and make it current. NULL if it is older than 3.3 or there is none.
 */
SDL_GLContext context_create(SDL_Window *window);

/* True if the processor draws for the current context. */
bool context_is_software(void);

#endif
