/* Any bytes as a session and as settings: what is read can be written and read again. */
#include <stdint.h>
#include <stdlib.h>

#include "app/app.h"
#include "document/document.h"

static void check(bool holds) {
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Err err;
    Session session, again;
    Settings settings;
    DocumentFaults faults;
    const char *bytes = (const char *)data;
    char path[DOCUMENT_PATH_MAX];
    option_set_standard(&settings, &PICTURE_OPTIONS);
    app_read_settings(&settings, bytes, size);
    check(session_init(&session, &err) && session_init(&again, &err));
    if (document_read(&session, NULL, path, bytes, size, &faults, &err)) {
        size_t wrote;
        char *file = document_write(&wrote, &session, NULL, path, &err);
        check(file != NULL && session_check(&session, &err));
        check(document_read(&again, NULL, NULL, file, wrote, &faults, &err) && faults.count == 0);
        check(session_equal(&session, &again));
        free(file);
    }
    session_release(&session);
    session_release(&again);
    return 0;
}
