/* Any bytes as JSON: the result is written as JSON that reads back as an equal value. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "io/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    json_error_t error;
    json_t *value = json_read((const char *)data, size, &error);
    if (value == NULL) {
        check(error.text[0] != '\0');
        return 0;
    }
    char *text = json_dumps(value, JSON_COMPACT);
    check(text != NULL);
    json_t *again = json_read(text, strlen(text), &error);
    check(again != NULL && json_equal(value, again));
    json_decref(value);
    json_decref(again);
    free(text);
    return 0;
}
