/* itemize.h: cuts text into runs of one face, script and direction, from left to right on screen.
 * To add a script, add a row to the table BLOCKS in itemize.c. A character stays together with its
 * marks, joiners and modifiers: no run begins inside a grapheme cluster. Right-to-left text is
 * ordered by the levels of the Unicode bidirectional algorithm (bidi.h). */
#ifndef HEADLIGHT_GFX_ITEMIZE_H
#define HEADLIGHT_GFX_ITEMIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
