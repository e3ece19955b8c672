/* text.h: cuts text into runs of one face, script and direction, from left to right on screen, and
 * measures them. To add a script, add a row to BLOCKS in text.c. No run begins inside a grapheme
 * cluster: a character with its marks, joiners and modifiers. Right-to-left text is ordered by
 * bidi.h.
 *
 * Proportional text is measured once at a large size and scaled, because its advances are not
 * hinted. In the mono fonts each advance is a whole number of pixels, so that changing digits never
 * move or blur. Sizes are device pixels, rounded to whole ones from 1 to FONTS_SIZE_MAX; NaN counts
 * as 1. Deterministic for one set of installed fonts. One thread. */
#ifndef HEADLIGHT_GFX_TEXT_H
#define HEADLIGHT_GFX_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "draw/font.h"
#include "gfx/fonts.h"

#define ITEMIZE_CLUSTERS 256 /* maximum number of clusters, and so of runs, at a time */

/* code: ISO 15924. */
typedef struct Script {
    const char *code;
    bool is_shaped; /* letters change with their neighbours */
} Script;

typedef struct TextRun {
    const char *text; /* borrowed from the given text */
    size_t bytes;
    int face; /* FONTS_NO_FACE: a box for each cluster */
    int clusters;
    bool is_rtl;
    const Script *script;
} TextRun;

/* Cut the beginning of text into at most ITEMIZE_CLUSTERS runs of at most run_clusters clusters.
 * *taken: the bytes in these runs, at least 1 if bytes > 0. In the mono fonts each cluster is a
 * run, unless its script is shaped, so that digits align. Malformed bytes count as U+FFFD. */
int itemize(TextRun runs[ITEMIZE_CLUSTERS], size_t *taken, GfxFonts *fonts, Font font,
            const char *text, size_t bytes, TextDirection direction, int run_clusters);

/* True for invisible code points: joiners, selectors, direction marks. */
bool itemize_is_ignorable(uint32_t code_point);

/* Return the script of a code point; NULL for punctuation, digits, symbols and marks, which take
 * that of their neighbours. Source: Unicode 15, Scripts.txt, by blocks. */
const Script *script_of(uint32_t code_point);

extern const Script SCRIPT_LATIN;

/* Borrows fonts. */
TextMeasure text_measure(GfxFonts *fonts);

/* Return the whole pixels at which text of this size is drawn. */
int text_size_px(float size_px);

/* Called for each run from left to right. x: its left end, from the start of the line. */
typedef void (*TextRunFn)(void *context, const TextRun *run, float x, float width);

/* Lay text out in one line, call run_fn (may be NULL) for each run, and return the width. */
float text_layout(GfxFonts *fonts, Font font, int size_px, const char *text, size_t bytes,
                  TextDirection direction, TextRunFn run_fn, void *context);

/* Copy a run's text for SDL_ttf: valid UTF-8 without control characters, ended by NUL, cut at a
 * character if too long. */
void text_copy_run(char *out, size_t capacity, const TextRun *run);

/* Measure text as SDL_ttf draws it. Return false if memory ran out. */
bool text_size(TTF_Font *ttf, const char *text, int *width, int *height);

/* Set a run's direction and script in SDL_ttf, which otherwise does not join Arabic letters. */
void text_shape_for(TTF_Font *ttf, const TextRun *run);

/* Return the factor by which images of a bitmap face are scaled for text of this size. */
float text_bitmap_scale(TTF_Font *ttf, int size_px);

#define TEXT_RUN_BYTES 4096 /* maximum bytes of a run */

/* The box for a character that no font has, as multiples of the text's size. */
#define TEXT_BOX_ADVANCE 0.62f
#define TEXT_BOX_HEIGHT  0.70f

#endif
