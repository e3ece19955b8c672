/* browser.h: functions of browser.js that the page's C code calls. Sizes and places are device
 * pixels of the canvas; colours are as in draw/colour.h; texts are UTF-8 with their length. */
#ifndef HEADLIGHT_WEB_BROWSER_H
#define HEADLIGHT_WEB_BROWSER_H

#include <stdbool.h>
#include <stddef.h>

#include "draw/colour.h"

/* A gradient from one point to another; a plain colour if both colours are equal. */
typedef struct Shade {
    float from_x, from_y, to_x, to_y;
    Colour from, to;
} Shade;

typedef struct BoxShape {
    float x, y, w, h, radius;
} BoxShape;

typedef struct Dashes {
    /* Width of the line; lengths of a dash and a gap; on is 0 for a solid line. */
    float width, on, off;
} Dashes;

/* These functions draw inside the rectangle of the last browser_clip. points are pairs of x and y;
 * count is the number of points, two for each line in browser_lines. */
void browser_begin(int width, int height, Colour ground);
void browser_clip(float x, float y, float w, float h);
void browser_fill_box(const BoxShape *box, const Shade *shade);
void browser_stroke_box(const BoxShape *box, const Dashes *line, Colour colour);
void browser_curve(const float points[8], const Dashes *line, const Shade *shade);
void browser_fill(const float *points, int count, const Shade *shade);
void browser_lines(const float *points, int count, float width, Colour colour);
void browser_text(int font, int size, int direction, float x, float y, float angle_rad,
                  Colour colour, const char *text, size_t bytes);
void browser_image(const unsigned char *rgba, int x, int y, int w, int h);

/* Functions that measure text. metrics: ascent, descent, heights of H and x. */
float browser_width(int font, int size, const char *text, size_t bytes);
void browser_metrics(float metrics[4], int font, int size);

void browser_title(const char *title);
void browser_cursor(int cursor);
void browser_take_text(bool is_on, float x, float y, float w, float h);
void browser_copy(const char *text, size_t bytes);
void browser_ask_paste(void);
void browser_fullscreen(void);
void browser_choose_file(void);

/* Report one control that Tab reaches; `at` is its index in tab order. After all of them,
 * browser_controls_end reports their number. */
void browser_control(int at, float x, float y, float w, float h, const char *name, bool has_focus);
void browser_controls_end(int count);

/* Write the state into the page's address, after a short delay. */
void browser_address(const char *state);

/* Store a file for the next visit, or delete it if bytes is NULL. Return false if the browser
 * refuses. */
bool browser_keep(const char *name, const char *bytes, size_t size);
void browser_download(const char *name, const char *bytes, size_t size);

/* Save the canvas as a PNG with the state string in it: as a download or, if name is NULL, on the
 * clipboard. */
void browser_png(const char *name, const char *state);

#endif
