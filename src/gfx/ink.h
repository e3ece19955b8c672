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
    float *cover;      /* owned; width * height, rows top-down: 0 to 1 of each pixel */
    uint8_t *coverage; /* owned; the same as bytes, within touched, after ink_end */
    int width, height;
    PixelRect touched;
} Ink;

void ink_release(Ink *ink);

/* Begin an empty picture. False for want of memory. */
bool ink_begin(Ink *ink, int width, int height);

/* Add a curve of one width, at most INK_WIDTH_MAX, without dashes, in device pixels, where it lies
 * within clip. Its alpha is that of colour_from. */
void ink_curve(Ink *ink, const DrawCurve *curve, const PixelRect *clip);

/* Fill coverage within touched. */
void ink_end(Ink *ink);

#endif
