/* Any bytes as a picture file: no state, or one with an end. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/picture_state.h"
#include "check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *state;
    Err err;
    if (picture_state_find(&state, (const char *)data, size, &err) && strlen(state) > size)
        abort();
    free(state);
    return 0;
}
