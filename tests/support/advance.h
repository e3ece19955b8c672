/* advance.h: measures text nearly as the window's fonts do, from a table, for tests of room.
 * Records the words that were cut for lack of room. Pure except for its own Advance. */
#ifndef HEADLIGHT_TESTS_SUPPORT_ADVANCE_H
#define HEADLIGHT_TESTS_SUPPORT_ADVANCE_H

#include <stdbool.h>

#include "draw/font.h"

#define ADVANCE_CUTS 64

typedef struct Advance {
    char whole[256];              /* the last measured text that does not end with an ellipsis */
    char cuts[ADVANCE_CUTS][256]; /* shortened texts, each once */
    int cut_count;
} Advance;

/* A code point of the table is as wide as in Inter 4.0 and STIX 1.1, of JetBrains Mono or beyond
 * the table 0.6 em; kerning is left out. */
TextMeasure advance_measure(Advance *advance);

#endif
