/* compare_write.h: the results of an initialisation study as text. A number that is none, or that
 * is not finite, is null in JSON and nothing in CSV. */
#ifndef HEADLIGHT_SHELL_COMPARE_WRITE_H
#define HEADLIGHT_SHELL_COMPARE_WRITE_H

#include "base/text_out.h"
#include "document/session.h"
#include "lab/study.h"

/* One object: the state string, the number of seeds, and for each scheme its statistics by key.
 * With several layers, a list of such objects, the lowest layer first. */
void compare_write_json(TextOut *to, const Study *study, const double *expected_x,
                        const Session *session);

/* A head line and one line for each scheme, layer (from 1) and statistic. */
void compare_write_csv(TextOut *to, const Study *study, const double *expected_x,
                       const Session *session);

#endif
