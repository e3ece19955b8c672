/* Any bytes as a tour: each of its moments has a state string and words. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "document/tour.h"
#include "lines_mutator.h"
#include "views/settings.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

static const char *const LINES[] = {
    "# Headlight tour 1",
    "title = One",
    "state = text=a b&d-model=4&heads=1&pin=1,2",
    "+state = mask=causal",
    "scale = 1.5",
    "stage = hall",
    "tempo = 2",
    "== one: First",
    "== two: Second",
    "hold = 3.5",
    "move = pin 0.8",
    "frame = heads.matrix.1 window.text",
    "light = heads.matrix.1 cell(1,2)",
    "caption = “a” gives {A(1,2):%} of {entropy(2):.3f}",
    "note = n",
    "say = s",
    "hint = h",
    "expect = A(1,*) >= 0.5",
    "ask = pin(1,*) : Click the word",
    "guess = A(1,*) : Which word?",
    "branch = b two : Go there",
    "at 0 caption = c",
    "at 1.5 light = row(1)",
    "at 2 state = heads=2&train-step=auto",
    "at 2 play train-step 0..400 over 8",
    "at 2 play merge 0..1 over 1e9 by change",
    "at 1 type \" a longer & text\" 9/s word",
    "at 3 key Ctrl+Shift+R",
    "at 3600 key 5",
};

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    return lines_mutate(data, size, most, seed, LINES, sizeof LINES / sizeof *LINES);
}

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
            for (int key = 0; key < moment.keys; key++)
                if (tour_line(&tour, tour_key(&tour, i, key)->value) < 1)
                    abort();
            if (moment.keys > tour.steps[i].cue_count || !(tour_seconds(&tour, i) > 0))
                abort();
            text_out_release(&state);
        }
    tour_release(&tour);
    return 0;
}
