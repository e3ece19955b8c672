/* Any bytes as a state string: never a crash, and what was read writes a string that reads back
 * to the same session. */
#include <stdint.h>
#include <stdlib.h>

#include "document/state.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void same_again(const Session *session) {
    Err err;
    Session again;
    size_t bytes = state_write(NULL, 0, session, NULL);
    char *string = malloc(bytes + 1);
    if (string == NULL || !session_init(&again, &err))
        abort();
    state_write(string, bytes + 1, session, NULL);
    if (!state_read(&again, NULL, string, bytes, &err) || !session_equal(session, &again))
        abort();
    session_release(&again);
    free(string);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Err err;
    Session session;
    if (!session_init(&session, &err))
        abort();
    if (state_read(&session, NULL, (const char *)data, size, &err))
        same_again(&session);
    session_release(&session);
    return 0;
}
