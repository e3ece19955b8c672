/* context.h: the OpenGL context for drawing by a graphics card, 3.3 core and forward compatible,
 * for an SDL window, shown or not. */
#ifndef HEADLIGHT_GFX_CONTEXT_H
#define HEADLIGHT_GFX_CONTEXT_H

#include <SDL.h>
#include <stdbool.h>

/* True if the system has the device file of a graphics card. Without one OpenGL would run in
 * software. Then the program draws by itself and loads no driver, because a driver would take half
 * of the memory and of the start time. If true, call context_is_software after context_create. */
bool context_may_have_card(void);

/* Set the properties of the context. Call after SDL has started and before the window is created.
 * Also asks graphics drivers not to write to standard error. */
void context_request(void);

/* Create the context of a window and make it current. Return NULL if there is none or it is older
 * than 3.3. */
SDL_GLContext context_create(SDL_Window *window);

/* True if the current context draws with the processor, not with a graphics card. */
bool context_is_software(void);

#endif
