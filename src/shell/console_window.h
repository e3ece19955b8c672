/* console_window.h: the presenter's own window (app/console.h), on another display than the hall's
 * if there is one. The processor draws it. */
#ifndef HEADLIGHT_SHELL_CONSOLE_WINDOW_H
#define HEADLIGHT_SHELL_CONSOLE_WINDOW_H

#include <SDL.h>

#include "app/console.h"
#include "gfx/soft.h"

/* Zeroed is closed. */
typedef struct ConsoleWindow {
    SDL_Window *window; /* NULL while it is closed */
    Console console;
    Soft *soft;
    DrawList list;
    uint64_t shown_hash;
    bool is_exposed;
} ConsoleWindow;

/* After a frame: open, draw or close the window as the app asks. hall's list is the frame's. */
void console_window_frame(ConsoleWindow *w, App *app, SDL_Window *hall, const DrawList *list,
                          GfxFonts *fonts, JobPool pool);

/* Change an event of this window to the event that it means in the hall's. True if it means none
 * there. */
bool console_window_event(ConsoleWindow *w, App *app, SDL_Event *event, Vec2 pixels_per_unit);

/* Return the time of the next frame without input; INFINITY while it is closed. */
double console_window_next_s(const ConsoleWindow *w);

void console_window_close(ConsoleWindow *w);

#endif
