/* Any bytes as a tour: every moment of it has a state string and words. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "document/tour.h"
#include "views/settings.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const double times[] = {0, 1, 7.5, INFINITY};
    Tour tour;
    TourFaults faults;
    Err err;
    if (!tour_read(&tour, (const char *)data, size, &PICTURE_OPTIONS, &faults, &err))
        return 0;
    if (faults.errors > faults.count)
        abort();
    for (int i = 0; i < tour.step_count && i < 16; i++)
        for (size_t t = 0; t < sizeof times / sizeof times[0]; t++) {
            TextOut state = {0};
            TourMoment moment = tour_at(&state, &tour, i, times[t]);
            if (moment.keys > tour.steps[i].cue_count || !(tour_seconds(&tour, i) > 0))
                abort();
            text_out_release(&state);
        }
    tour_release(&tour);
    return 0;
}
