/* text.h: the width of text, and the places of the runs in a line. Deterministic for one set of
 * installed fonts. Sizes are device pixels, rounded to whole ones and limited to the range from 1
 * to FONTS_SIZE_MAX; a size that is not a number counts as 1. One thread. Proportional text is
 * measured once at a large size and scaled, because its advances are not hinted. In the mono fonts
 * each advance is a whole number of pixels, so that changing digits never move or blur. */
#ifndef HEADLIGHT_GFX_TEXT_H
#define HEADLIGHT_GFX_TEXT_H

#include <stddef.h>

#include "draw/font.h"
#include "gfx/fonts.h"
#include "gfx/itemize.h"

/* Return the interface for measuring text. Borrows fonts. */
TextMeasure text_measure(GfxFonts *fonts);

/* Return the whole number of pixels at which text of this size is drawn. */
int text_size_px(float size_px);

/* Called for each run from left to right. x is the left end of the run, from the start of the
 * line. */
typedef void (*TextRunFn)(void *context, const TextRun *run, float x, float width);

/* Lay text out in one line, calling run_fn (may be NULL) for each run, and return the width. */
float text_layout(GfxFonts *fonts, Font font, int size_px, const char *text, size_t bytes,
                  TextDirection direction, TextRunFn run_fn, void *context);

/* Copy a run's text for SDL_ttf: valid UTF-8 without control characters, ended by NUL. A run that
 * does not fit is cut at a character. */
void text_copy_run(char *out, size_t capacity, const TextRun *run);

/* Measure text as SDL_ttf draws it. Return false if memory ran out. */
bool text_size(TTF_Font *ttf, const char *text, int *width, int *height);

/* Set a run's direction and script in SDL_ttf. Without these SDL_ttf does not join Arabic
 * letters. */
void text_shape_for(TTF_Font *ttf, const TextRun *run);

/* Return the factor by which a bitmap face is scaled. */
float text_bitmap_scale(TTF_Font *ttf, int size_px);

#define TEXT_RUN_BYTES 4096 /* bytes of the longest run */

/* Size of the box for a character that no font has, as multiples of the text's size. */
#define TEXT_BOX_ADVANCE 0.62f
#define TEXT_BOX_HEIGHT  0.70f

#endif
