/* tour_load.h: loads tours for verbs, by their files or the ids of those that ship. */
#ifndef HEADLIGHT_SHELL_TOUR_LOAD_H
#define HEADLIGHT_SHELL_TOUR_LOAD_H

#include "document/tour.h"

/* Read a tour over *out; release it with tour_release. Faults are listed in faults. */
bool tour_load(Tour *out, TourFaults *faults, const char *name, Err *err);

/* Print notes on standard error, and fail with the first error. */
bool tour_report(const TourFaults *faults, const char *name, Err *err);

#endif
