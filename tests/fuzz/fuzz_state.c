/* Any bytes as a state string: no crash, and the session's own string reads back to an equal
 * session. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "document/state.h"
#include "pairs_mutator.h"
#include "views/settings.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    PairsMutator pairs = {{&STATE_OPTIONS, &PICTURE_OPTIONS}, '&'};
    return pairs_mutate(data, size, most, seed, &pairs);
}

/* Weights without tensors, of any name but an empty one. */
static Weights *load(const char *path, const WeightsRequest *wish, Err *err) {
    (void)wish;
    if (path[0] != '\0')
        return weights_new(path, err);
    err_fail(err, path, "has no name");
    return NULL;
}

static const OptionTable NO_OPTIONS = {NULL, 0};

static void same_again(const Session *session) {
    Err err;
    Session again;
    char *string = state_make(session, NULL);
    if (string == NULL || !session_init(&again, &err))
        abort();
    StateExtra extra = {.table = &NO_OPTIONS, .values = &again, .load = load};
    if (!state_read(&again, &extra, string, strlen(string), &err) ||
        !session_equal(session, &again))
        abort();
    session_release(&again);
    free(string);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Err err;
    Session session;
    Settings settings;
    uint64_t fixed = 0;
    StateExtra extra = {.table = &PICTURE_OPTIONS,
                        .values = &settings,
                        .values_bytes = sizeof settings,
                        .load = load,
                        .fixed = &fixed};
    option_set_standard(&settings, &PICTURE_OPTIONS);
    if (!session_init(&session, &err))
        abort();
    state_is_begun(&extra, (const char *)data, size);
    if (state_read(&session, size % 2 == 0 ? &extra : NULL, (const char *)data, size, &err))
        same_again(&session);
    session_release(&session);
    return 0;
}
