#include "shell/nearest_option.h"

#include <stdio.h>

#include "base/nearest.h"

static void try_table(Nearest *nearest, const OptionTable *table) {
    for (int i = 0; i < table->count; i++)
        nearest_try(nearest, table->rows[i].entry.id);
}

void nearest_option(char *out, size_t capacity, const Verb *verb, const char *word, size_t bytes) {
    Nearest nearest = nearest_begin(word, bytes);
    unsigned groups = verb->groups | CALL_GENERAL;
    for (int i = 0; i < CALL_OPTION_REGISTRY.count; i++)
        if ((CALL_OPTIONS[i].group & groups) != 0)
            nearest_try(&nearest, CALL_OPTIONS[i].entry.id);
    if ((groups & CALL_STATE) != 0)
        try_table(&nearest, &STATE_OPTIONS);
    for (int i = 0; i < PICTURE_OPTIONS.count; i++)
        if (call_has_picture(groups, &PICTURE_OPTIONS.rows[i]))
            nearest_try(&nearest, PICTURE_OPTIONS.rows[i].entry.id);
    snprintf(out, capacity, "%s", nearest.best);
}
