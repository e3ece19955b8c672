/* console_window.h: the presenter's own window (app/console.h), drawn by the processor. If there
 * are two displays, it opens on the one that the audience does not see. */
#ifndef HEADLIGHT_SHELL_CONSOLE_WINDOW_H
#define HEADLIGHT_SHELL_CONSOLE_WINDOW_H

#include <SDL.h>

#include "app/console.h"
#include "gfx/soft.h"

/* All zero is a closed window. */
typedef struct ConsoleWindow {
    SDL_Window *window; /* NULL while it is closed */
    Console console;
    Soft *soft;
    DrawList list;
    uint64_t shown_hash;
    bool is_exposed;
} ConsoleWindow;

/* After a frame of the window that the audience sees: open, draw or close the presenter's window,
 * as the app requests. list is the draw list of that frame. */
void console_window_frame(ConsoleWindow *w, App *app, SDL_Window *hall, const DrawList *list,
                          GfxFonts *fonts, JobPool pool);

/* Convert an event of this window to an event of the audience's window. Return true if the event
 * has no meaning there. */
bool console_window_event(ConsoleWindow *w, App *app, SDL_Event *event, Vec2 pixels_per_unit);

/* Return the time at which the next frame is due without input; INFINITY while the window is
 * closed. */
double console_window_next_s(const ConsoleWindow *w);

void console_window_close(ConsoleWindow *w);

#endif
