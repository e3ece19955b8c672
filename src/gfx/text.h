/* text.h: cuts text into runs of one face, script and direction, from left to right on screen, and
 * measures them. To add a script, add a row to the table BLOCKS in text.c. A character stays
 * together with its marks, joiners and modifiers: no run begins inside a grapheme cluster.
 * Right-to-left text is ordered by the levels of the Unicode bidirectional algorithm (bidi.h).
 * Deterministic for one set of installed fonts. Sizes are device pixels, rounded to whole ones and
 * limited to the range from 1 to FONTS_SIZE_MAX; a size that is not a number counts as 1. One
 * thread. Proportional text is measured once at a large size and scaled, because its advances are
 * not hinted. In the mono fonts each advance is a whole number of pixels, so that changing digits
 * never move or blur. */
#ifndef HEADLIGHT_GFX_TEXT_H
#define HEADLIGHT_GFX_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "draw/font.h"
#include "gfx/fonts.h"

#define ITEMIZE_CLUSTERS 256 /* most clusters handled at a time, and so most runs */

/* A script, named by its four-letter ISO 15924 code. */
typedef struct Script {
    const char *code;
    bool is_shaped; /* true if letters change with their neighbours */
} Script;

typedef struct TextRun {
    const char *text; /* points into the given text */
    size_t bytes;
    int face; /* FONTS_NO_FACE: draw a box for each cluster */
    int clusters;
    bool is_rtl;
    const Script *script;
} TextRun;

/* Cut the beginning of text into at most ITEMIZE_CLUSTERS runs of at most run_clusters clusters
 * each. *taken is the number of bytes in these runs, at least 1 if bytes > 0. In the two mono fonts
 * each cluster of a script without shaping is a run of its own, so that columns of digits align.
 * Malformed bytes count as U+FFFD. */
int itemize(TextRun runs[ITEMIZE_CLUSTERS], size_t *taken, GfxFonts *fonts, Font font,
            const char *text, size_t bytes, TextDirection direction, int run_clusters);

/* True if a code point is invisible by design: joiners, selectors, direction marks. */
bool itemize_is_ignorable(uint32_t code_point);

/* Return the script of a code point, or NULL if it takes the script of its neighbours (punctuation,
 * digits, symbols, marks). Source: Unicode 15, Scripts.txt, by blocks. */
const Script *script_of(uint32_t code_point);

extern const Script SCRIPT_LATIN;

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
