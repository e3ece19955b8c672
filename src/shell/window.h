/* window.h: the program's one window, by SDL, and its OpenGL context where a card draws. */
#ifndef HEADLIGHT_SHELL_WINDOW_H
#define HEADLIGHT_SHELL_WINDOW_H

#include <SDL.h>
#include <stdbool.h>

#include "app/app.h"
#include "base/err.h"
#include "base/geom.h"
#include "gfx/soft.h"
#include "shell/fullscreen.h"

#define WINDOW_CURSORS 4 /* in the order of Cursor */

typedef struct Window {
    SDL_Window *window;
    SDL_GLContext context; /* of a graphics card; NULL if there is none */
    SDL_Cursor *cursors[WINDOW_CURSORS];
    Cursor cursor;
    Fullscreen full;
    bool has_video;
    bool is_fitted; /* see window_fit_frame */
    char title[512];
    float frame_s;      /* between two refreshes of the display */
    float text_density; /* of the desktop's text, in the window's units: 1 on an ordinary display */
} Window;

/* Open a window of about this size, or smaller on a small display, and make its context current if
 * it has one: without a card or a driver that draws OpenGL 3.3, the processor draws. Text input is
 * off. Fails, saying what to do, without a display, or if the display shows no picture without
 * OpenGL and OpenGL is missing. Release in any case. */
bool window_create(Window *window, int width, int height, Err *err);

/* Open it again without a context, because the card turned out to be of no use. Fails like
 * window_create. */
bool window_leave_card(Window *window, Err *err);

void window_release(Window *window);

/* The size to draw at, in pixels, and how many of them there are to one unit of the pointer. */
void window_size_px(const Window *window, int *width_px, int *height_px, Vec2 *pixels_per_unit);

/* Move the window to a display, counted from 1; 0 is the second one if there are two, which is a
 * hall's. */
void window_place(Window *window, int display);

/* Where the desktop's text is drawn larger, a window of no size of a person's own is, too. */
void window_grow(Window *window);

/* Show what was drawn at its size: by OpenGL if it has a context, else the picture of soft. all
 * says that nothing of what was shown is left. False if it has another size by now. */
bool window_show(Window *window, Soft *soft, bool all);

/* The frame that a window manager lays around a window as large as the display would push a part of
 * it out of sight: once that frame is known, make the window fit. To be called after events of the
 * window; does something once at most, and once more after the window filled the display. */
void window_fit_frame(Window *window);

bool window_is_minimized(const Window *window);

/* The size in the units that window_create takes; {0, 0} while it fills the display. */
OptionPair window_size(const Window *window);

/* Whether what is selected anywhere is to be had by the middle button, as on X11 and Wayland. */
bool window_has_selection(void);

void window_set_title(Window *window, const char *title);

void window_show_cursor(Window *window, Cursor cursor);
void window_toggle_fullscreen(Window *window);

/* Text events come only while this is on, so that plain letters can be shortcuts. caret is where
 * an input method shows its window, in pixels. */
void window_take_text(Window *window, bool takes_text, Rect caret_px);

#endif
