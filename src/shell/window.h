/* window.h: the program's main window, created with SDL, and its OpenGL context if a graphics card
 * draws. */
#ifndef HEADLIGHT_SHELL_WINDOW_H
#define HEADLIGHT_SHELL_WINDOW_H

#include <SDL.h>
#include <stdbool.h>

#include "app/app.h"
#include "base/err.h"
#include "base/geom.h"
#include "gfx/soft.h"

#define WINDOW_CURSORS 5 /* in the order of Cursor */

typedef struct Window {
    SDL_Window *window;
    SDL_GLContext context; /* context of a graphics card; NULL if there is none */
    SDL_Cursor *cursors[WINDOW_CURSORS];
    Cursor cursor;
    /* True if the program itself made the window fill the display, because the window manager did
     * not. */
    bool is_stretched;
    SDL_Rect before; /* place of the window before it was stretched */
    bool has_video;
    bool is_fitted; /* see window_fit_frame */
    char title[512];
    float frame_s;      /* seconds from one refresh of the display to just before the next */
    float text_density; /* the scale that the desktop sets for text (Xft.dpi); usually 1 */
} Window;

/* Open a window of about this size, smaller on a small display. If a graphics card draws, also make
 * its context current. Without a card, or without a driver for OpenGL 3.3, the processor draws.
 * Text input is off. If there is no display, or if the display needs OpenGL and there is none, fail
 * and say what to do. Call window_release even on failure. */
bool window_create(Window *window, int width, int height, Err *err);

/* Close the window and open it again without a context, because the graphics card is not usable.
 * Fails like window_create. */
bool window_leave_card(Window *window, Err *err);

void window_release(Window *window);

/* Find the size of the picture in pixels, and the number of pixels per unit of the pointer's
 * coordinates. */
void window_size_px(const Window *window, int *width_px, int *height_px, Vec2 *pixels_per_unit);

/* Move the window to a display, counted from 1, if it exists. display 0: the second display, for
 * the audience. */
void window_place(Window *window, int display);

/* Enlarge the window by the scale of the desktop's text. Call only if the user did not choose its
 * size. */
void window_grow(Window *window);

/* Show the drawn picture: with OpenGL if there is a context, otherwise the picture of gfx/soft.
 * all: true if the whole window must be drawn. Return false if the window's size has changed since
 * the picture was drawn. */
bool window_show(Window *window, Soft *soft, bool all);

/* Shrink a window that, with its frame, is larger than the display; maximize it if it is too wide
 * and too high. Call it after events of the window, because the frame's size is not known at first.
 * It does this at most once, and once more after full screen. */
void window_fit_frame(Window *window);

bool window_is_minimized(const Window *window);

/* Return the window's size in the units of window_create; {0, 0} if it is maximized or in full
 * screen. */
OptionPair window_size(const Window *window);

bool window_is_driver(const char *name);

/* True if the middle button can paste the selection of any program, as on X11 and Wayland. */
bool window_has_selection(void);

void window_set_title(Window *window, const char *title);

void window_show_cursor(Window *window, Cursor cursor);
void window_toggle_fullscreen(Window *window);

/* Turn text input on or off. Text events arrive only while it is on, so that plain letters can be
 * shortcuts. caret: where an input method shows its window, in pixels. */
void window_take_text(Window *window, bool takes_text, Rect caret_px);

#endif
