/* context.h: the OpenGL context of an SDL window, shown or not: 3.3 core, forward compatible. */
#ifndef HEADLIGHT_GFX_CONTEXT_H
#define HEADLIGHT_GFX_CONTEXT_H

#include <SDL.h>
#include <stdbool.h>

/* True if the system has the device file of a graphics card. Without one OpenGL would run in
 * software; then the program draws by itself and loads no driver, which would take half of the
 * memory and of the start time. If true, still call context_is_software after context_create. */
bool context_may_have_card(void);

/* Set the context's properties, after SDL has started and before the window is created. Also ask
 * graphics drivers not to write to standard error. */
void context_request(void);

/* Create a window's context and make it current. Return NULL if there is none or it is older
 * than 3.3. */
SDL_GLContext context_create(SDL_Window *window);

/* True if the current context draws without a graphics card. */
bool context_is_software(void);

#endif
