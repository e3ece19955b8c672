/* advance.h: measures text nearly as the window's fonts do, from a table, for tests of room.
 * Records the words that were cut for lack of room. Pure except for its own Advance. */
#ifndef HEADLIGHT_TESTS_SUPPORT_ADVANCE_H
#define HEADLIGHT_TESTS_SUPPORT_ADVANCE_H

#include "support/script.h"
#include "support/words.h"

#define ADVANCE_CUTS 64

typedef struct Advance {
    char whole[256];              /* the last measured text that does not end with an ellipsis */
    char cuts[ADVANCE_CUTS][256]; /* shortened texts, each once */
    int cut_count;
} Advance;

/* A code point of the table is as wide as in Inter 4.0 and STIX 1.1, of JetBrains Mono or beyond
 * the table 0.6 em; kerning is left out. */
TextMeasure advance_measure(Advance *advance);

/* A picture and its description. */
typedef struct Sight {
    const Script *script;
    const char *state;
} Sight;

/* Print a fault of a word of the Sight, up to a number of them, and count it; on may be NULL. */
void sight_fault(void *sight, const char *what, const Word *word, const Word *on);

/* Report each shortened text that is no part of the sentence. */
void sight_check_cuts(Sight *sight, const Advance *advance);

/* For TEST_EACH(NULL, sight_check): the test fails if a fault was reported. */
int sight_check(void **state);

#endif
