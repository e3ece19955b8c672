/* itemize.h: text cut into runs of one face, script and direction, in the order they are seen.
 * A character keeps its marks, joiners and modifiers: no run begins inside a grapheme cluster.
 * Right-to-left text is ordered by the levels of the Unicode bidirectional algorithm (bidi.h). */
#ifndef HEADLIGHT_GFX_ITEMIZE_H
#define HEADLIGHT_GFX_ITEMIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gfx/fonts.h"
#include "gfx/script.h"

#define ITEMIZE_CLUSTERS 256 /* the most that are looked at together, and so the most runs */

typedef struct TextRun {
    const char *text; /* within the text that was given */
    size_t bytes;
    int face; /* FONTS_NO_FACE: one box for each cluster */
    int clusters;
    bool is_rtl;
    const Script *script;
} TextRun;

/* Cut the beginning of text into at most ITEMIZE_CLUSTERS runs of at most run_clusters clusters
 * each; *taken tells how many bytes they cover, at least 1 where bytes > 0. In the two mono fonts
 * a cluster of a script that is not shaped is a run of its own, so that columns of digits line up.
 * Malformed bytes count as U+FFFD. */
int itemize(TextRun runs[ITEMIZE_CLUSTERS], size_t *taken, GfxFonts *fonts, Font font,
            const char *text, size_t bytes, TextDirection direction, int run_clusters);

/* Whether a code point has nothing to show by design: joiners, selectors, marks of order. */
bool itemize_is_ignorable(uint32_t code_point);

#endif
