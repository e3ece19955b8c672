/* ink.h: many thin curves of one colour as one picture, drawn by the processor. A software OpenGL
 * spends a microsecond and more on each of the thousands of slivers that a graph's edges are cut
 * into; here a pixel of a curve costs a nanosecond or two. Pure: knows no OpenGL.
 * Curves of one colour that lie over each other cover the same whatever their order. */
#ifndef HEADLIGHT_GFX_INK_H
#define HEADLIGHT_GFX_INK_H

#include "draw/draw.h"
#include "gfx/batch.h"

#define INK_WIDTH_MAX 4.0f /* device pixels: where a wider curve turns, a notch would be seen */

/* All zero is empty. */
typedef struct Ink {
    PixelRect area;    /* of the frame, which alone is drawn */
    float *cover;      /* owned; 0 to 1 of each pixel of the area, rows top-down */
    uint8_t *coverage; /* owned; the same as bytes, after ink_end */
    size_t capacity;   /* pixels */
} Ink;

void ink_release(Ink *ink);

/* The pixels that a curve may touch, of those in clip; right <= left where there are none, as of a
 * curve that is not finite. */
PixelRect ink_reach(const DrawCurve *curve, const PixelRect *clip);

/* Begin an empty picture of an area that is not empty. False for want of memory. */
bool ink_begin(Ink *ink, const PixelRect *area);

/* Add a curve of one width, at most INK_WIDTH_MAX, without dashes, in device pixels of the frame.
 * Its alpha is that of colour_from. */
void ink_curve(Ink *ink, const DrawCurve *curve);

/* Fill coverage. */
void ink_end(Ink *ink);

#endif
