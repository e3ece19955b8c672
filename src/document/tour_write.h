/* tour_write.h: changes to a tour's file. Each function appends the whole file after one change.
 * All other lines keep their bytes, including comments; only blank lines between steps are made
 * uniform. Pure. */
#ifndef HEADLIGHT_DOCUMENT_TOUR_WRITE_H
#define HEADLIGHT_DOCUMENT_TOUR_WRITE_H

#include "document/tour.h"

/* Stands for the lines before the first step, in place of a step's index. */
#define TOUR_HEADER (-1)

/* Insert a step before step `at`, with a unique id. */
void tour_write_step(TextOut *out, const Tour *tour, int at, const char *title, const char *state);

/* Set a key of a step or of the header to one line of text; "" removes the key. A step's "title" is
 * in its first line; "" does not remove it. */
void tour_write_key(TextOut *out, const Tour *tour, int step, const char *key, const char *value);

void tour_write_move(TextOut *out, const Tour *tour, int step, int to);

void tour_write_without(TextOut *out, const Tour *tour, int step);

#endif
