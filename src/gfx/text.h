/* text.h: how wide text is, and where the runs of a line stand.
 * Deterministic for one set of installed fonts. Sizes are device pixels, rounded to whole ones
 * and kept within 1 and FONTS_SIZE_MAX; a size that is not a number counts as 1. One thread.
 *
 * Proportional text is measured once at a large size and scaled, because its advances are not
 * hinted; in the mono fonts each advance is a whole number of pixels, so that digits which change
 * never move or blur. */
#ifndef HEADLIGHT_GFX_TEXT_H
#define HEADLIGHT_GFX_TEXT_H

#include <stddef.h>

#include "draw/font.h"
#include "gfx/fonts.h"
#include "gfx/itemize.h"

/* The measure for everything above the waist. Borrows fonts. */
TextMeasure text_measure(GfxFonts *fonts);

/* The whole size that text of this size is drawn at. */
int text_size_px(float size_px);

/* Called for each run from left to right; x is its left end from the start of the line. */
typedef void (*TextRunFn)(void *context, const TextRun *run, float x, float width);

/* Lay text out in one line, calling run_fn (which may be NULL), and return the width. */
float text_layout(GfxFonts *fonts, Font font, int size_px, const char *text, size_t bytes,
                  TextDirection direction, TextRunFn run_fn, void *context);

/* Copy a run's text as valid UTF-8 with an end mark, without controls: what SDL_ttf is given.
 * A run that does not fit is cut at a character. */
void text_copy_run(char *out, size_t capacity, const TextRun *run);

/* The size of text as SDL_ttf draws it; false if memory ran out. */
bool text_size(TTF_Font *ttf, const char *text, int *width, int *height);

/* Give SDL_ttf a run's direction and script, without which it does not join Arabic. */
void text_shape_for(TTF_Font *ttf, const TextRun *run);

/* How large a bitmap face is drawn: the factor from its own pixels. */
float text_bitmap_scale(TTF_Font *ttf, int size_px);

#define TEXT_RUN_BYTES 4096 /* room for the longest run */

/* The box that stands for a character no font has, in pixels at 1 px size. */
#define TEXT_BOX_ADVANCE 0.62f
#define TEXT_BOX_HEIGHT  0.70f

#endif
