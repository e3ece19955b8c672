/* Any bytes as a session with its settings: the result can be written and read again. */
#include <stdint.h>
#include <stdlib.h>

#include "check.h"
#include "document/document.h"
#include "pairs_mutator.h"
#include "views/settings.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    PairsMutator pairs = {{&STATE_OPTIONS, &PICTURE_OPTIONS}, '\n'};
    return pairs_mutate(data, size, most, seed, &pairs);
}

static Weights *load(const char *path, const WeightsRequest *wish, Err *err) {
    (void)wish;
    err_fail(err, path, "is not read here");
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Err err;
    Session session, again;
    Settings settings, settings_again;
    StateExtra extra = {.table = &PICTURE_OPTIONS,
                        .values = &settings,
                        .values_bytes = sizeof settings,
                        .load = load};
    DocumentFaults faults;
    DocumentKept kept = {.shown = NULL};
    option_set_standard(&settings, &PICTURE_OPTIONS);
    check(session_init(&session, &err) && session_init(&again, &err));
    if (document_read(&session, &extra, &kept, (const char *)data, size, &faults, &err)) {
        size_t wrote;
        char *file = document_write(&wrote, &session, &extra, &kept, &err);
        check(file != NULL && session_check(&session, &err));
        option_set_standard(&settings_again, &PICTURE_OPTIONS);
        extra.values = &settings_again;
        check(document_read(&again, &extra, NULL, file, wrote, &faults, &err));
        check(faults.count == 0 && !faults.is_cut && session_equal(&session, &again));
        check(option_values_equal(&PICTURE_OPTIONS, &settings, &settings_again));
        free(file);
    }
    free(kept.shown);
    session_release(&session);
    session_release(&again);
    return 0;
}
