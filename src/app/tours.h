/* tours.h: the tours that ship, as a registry; assets/tours/ID.tour holds each. */
#ifndef HEADLIGHT_APP_TOURS_H
#define HEADLIGHT_APP_TOURS_H

#include "base/registry.h"

/* entry.label is the title in the file. question is the id of the row of QUESTIONS that opens the
 * tour; "" for none. */
typedef struct TourRow {
    Entry entry;
    const char *question;
} TourRow;

extern const TourRow TOURS[];
extern const Registry TOUR_REGISTRY;

/* Return the id of the tour that a question opens, or NULL. */
const char *tour_of_question(const char *question);

#endif
