#include "io/json.h"

#include <stdbool.h>
#include <stdio.h>

static size_t count_values(const char *text, size_t size) {
    size_t count = 1;
    bool quoted = false;
    for (size_t i = 0; i < size; i++) {
        if (quoted && text[i] == '\\')
            i++;
        else if (text[i] == '"')
            quoted = !quoted;
        else
            count += !quoted && (text[i] == ',' || text[i] == '[' || text[i] == '{');
    }
    return count;
}

json_t *json_read_most(const char *text, size_t size, size_t most, json_error_t *error) {
    *error = (json_error_t){0};
    if (count_values(text, size) <= most)
        return json_loadb(text, size, JSON_REJECT_DUPLICATES, error);
    snprintf(error->text, sizeof error->text, "more than %zu values", most);
    return NULL;
}

json_t *json_read(const char *text, size_t size, json_error_t *error) {
    return json_read_most(text, size, JSON_VALUES_MAX, error);
}
