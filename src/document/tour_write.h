/* tour_write.h: changes of a tour's file. Each function appends the whole file as it is after one
 * change. Every line that the change does not concern keeps its bytes, comments included; only
 * blank lines between steps are made even. Pure. */
#ifndef HEADLIGHT_DOCUMENT_TOUR_WRITE_H
#define HEADLIGHT_DOCUMENT_TOUR_WRITE_H

#include "document/tour.h"

#define TOUR_HEADER (-1) /* in place of a step: the lines before the first */

/* Insert a step before the at-th, with an id of its own. */
void tour_write_step(TextOut *out, const Tour *tour, int at, const char *title, const char *state);

/* Set a key of a step or of the header to one line of text; "" removes the key. "title" of a step
 * is in its first line, and stays if value is "". */
void tour_write_key(TextOut *out, const Tour *tour, int step, const char *key, const char *value);

/* Move a step so that it is the to-th. */
void tour_write_move(TextOut *out, const Tour *tour, int step, int to);

/* Leave a step out. */
void tour_write_without(TextOut *out, const Tour *tour, int step);

#endif
