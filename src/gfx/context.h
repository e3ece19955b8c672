/* context.h: the OpenGL context that drawing by a card needs, 3.3 core and forward compatible, for
 * an SDL window, shown or not. */
#ifndef HEADLIGHT_GFX_CONTEXT_H
#define HEADLIGHT_GFX_CONTEXT_H

#include <SDL.h>
#include <stdbool.h>

#include "base/err.h"

/* Whether there is a card that OpenGL may be drawn by, as far as the system's devices tell. Where
 * there is none OpenGL is software, and this program draws by itself: a driver's compiler and its
 * threads, half of what a window then takes of memory and of time to start, are never loaded. Where
 * the answer is true the context knows better: context_is_software. */
bool context_may_have_card(void);

/* Say which context is wanted. To be called after SDL has started and before the window is made.
 * Graphics drivers are asked not to write messages of their own to standard error. */
void context_request(void);

/* Make the context of a window and make it current. Fails, naming the renderer and version that
 * there is and what to do, when it is older than 3.3 or there is none. */
bool context_create(SDL_GLContext *context, SDL_Window *window, Err *err);

/* Whether the current context is drawn by the processor. */
bool context_is_software(void);

#endif
