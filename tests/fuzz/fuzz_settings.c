/* Any bytes as a file of settings: the result is written as text that reads back as equal settings.
 */
#include <stdint.h>

#include "app/desk.h"
#include "base/utf8.h"
#include "check.h"
#include "pairs_mutator.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    PairsMutator pairs = {{&PICTURE_OPTIONS, NULL}, '\n'};
    return pairs_mutate(data, size, most, seed, &pairs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Settings settings, again;
    DocumentFaults faults = {.count = 0};
    option_set_standard(&settings, &PICTURE_OPTIONS);
    option_set_standard(&again, &PICTURE_OPTIONS);
    settings_read(NULL, &settings, (const char *)data, size, &faults);
    for (int i = 0; i < faults.count && i < DOCUMENT_FAULTS_MAX; i++) {
        const char *why = faults.at[i].err.why;
        check(why[0] != '\0' && utf8_first_invalid(why, strlen(why)) == strlen(why));
    }
    for (int i = 0; i < PICTURE_OPTIONS.count; i++) {
        char value[OPTION_TEXT_MAX];
        Err err;
        option_get(value, &PICTURE_OPTIONS.rows[i], &settings);
        check(option_set(&again, &PICTURE_OPTIONS.rows[i], value, strlen(value), &err));
    }
    check(option_values_equal(&PICTURE_OPTIONS, &settings, &again));
    return 0;
}
