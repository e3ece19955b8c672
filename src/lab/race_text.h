/* race_text.h: the numbers of one column of a race as text. Pure. */
#ifndef HEADLIGHT_LAB_RACE_TEXT_H
#define HEADLIGHT_LAB_RACE_TEXT_H

#include "base/text_out.h"
#include "lab/race.h"

/* The columns "step,loss,held_out,score" and the norms of the gradients, without a line's end; and
 * a row a step, each begun with prefix. What was not measured or is not finite is empty. */
void race_text_header(TextOut *out, const Race *race);
void race_text_csv(TextOut *out, const Race *race, int column, const char *prefix);

/* A list with an object a step; what was not measured is absent, what is not finite is null. */
void race_text_json(TextOut *out, const Race *race, int column);

#endif
