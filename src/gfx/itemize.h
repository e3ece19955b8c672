/* itemize.h: cuts text into runs of one face, script and direction, from left to right on screen. A
 * character stays together with its marks, joiners and modifiers: no run begins inside a grapheme
 * cluster. Right-to-left text is ordered by the levels of the Unicode bidirectional algorithm
 * (bidi.h). */
#ifndef HEADLIGHT_GFX_ITEMIZE_H
#define HEADLIGHT_GFX_ITEMIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gfx/fonts.h"
#include "gfx/script.h"

#define ITEMIZE_CLUSTERS 256 /* most clusters handled at a time, and so most runs */

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

#endif
