/* race_text.h: the numbers of one column of a race as text. Pure. */
#ifndef HEADLIGHT_LAB_RACE_TEXT_H
#define HEADLIGHT_LAB_RACE_TEXT_H

#include "base/text_out.h"
#include "lab/race.h"

/* Write the columns "step,loss,held_out,score" and the gradient norms without a line end; and one
 * row per step, each starting with prefix. Values not measured or not finite are empty. */
void race_text_header(TextOut *out, const Race *race);
void race_text_csv(TextOut *out, const Race *race, int column, const char *prefix);

/* Write a list with one object per step. Values not measured are absent, values not finite are
 * null. */
void race_text_json(TextOut *out, const Race *race, int column);

#endif
