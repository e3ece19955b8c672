/* Any bytes as JSON: the result is written as JSON that reads back as an equal value. */
#include <stdint.h>
#include <string.h>

#include "base/text_out.h"
#include "check.h"
#include "io/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    json_error_t error;
    TextOut out = {0};
    json_t *value = json_read((const char *)data, size, &error);
    if (value == NULL) {
        check(error.text[0] != '\0');
        return 0;
    }
    json_put(&out, value, JSON_COMPACT);
    check(!out.failed);
    json_t *again = json_read(out.at, out.used, &error);
    check(again != NULL && json_equal(value, again));
    json_decref(value);
    json_decref(again);
    text_out_release(&out);
    return 0;
}
