/* compare_write.h: writes the results of an initialisation study as text. A number that does not
 * exist or is not finite is null in JSON and empty in CSV. */
#ifndef HEADLIGHT_SHELL_COMPARE_WRITE_H
#define HEADLIGHT_SHELL_COMPARE_WRITE_H

#include "base/text_out.h"
#include "document/session.h"
#include "lab/study.h"

/* Write one object: the state string, the number of seeds, and for each scheme its statistics by
 * key. With several layers there is a list of such objects, the lowest layer first. */
void compare_write_json(TextOut *to, const Study *study, const double *expected_x,
                        const Session *session);

/* Write a header line and one line for each scheme, layer (from 1) and statistic. */
void compare_write_csv(TextOut *to, const Study *study, const double *expected_x,
                       const Session *session);

#endif
