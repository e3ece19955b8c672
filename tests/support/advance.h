/* advance.h: text nearly as wide as the window's fonts set it, from a table, for laws about what
 * has room. Keeps in mind which words were cut for want of it. Pure but for its own Advance. */
#ifndef HEADLIGHT_TESTS_SUPPORT_ADVANCE_H
#define HEADLIGHT_TESTS_SUPPORT_ADVANCE_H

#include <stdbool.h>

#include "draw/font.h"

#define ADVANCE_CUTS 64

typedef struct Advance {
    char whole[256]; /* the last text that was measured and does not end as a cut one does */
    char cuts[ADVANCE_CUTS][256]; /* what was shortened, once each */
    int cut_count;
} Advance;

/* A code point of the table is as wide as in Inter 4.0 and STIX 1.1, of JetBrains Mono or beyond
 * the table 0.6 em; kerning is left out. */
TextMeasure advance_measure(Advance *advance);

#endif
