#include "base/registry.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

const Entry *registry_entry(const Registry *registry, int index) {
    assert(index >= 0 && index < registry->count);
    return (const Entry *)(const void *)((const char *)registry->rows +
                                         (size_t)index * registry->row_bytes);
}

int registry_find(const Registry *registry, const char *id, size_t id_bytes) {
    for (int i = 0; i < registry->count; i++) {
        const char *candidate = registry_entry(registry, i)->id;
        if (strlen(candidate) == id_bytes && memcmp(candidate, id, id_bytes) == 0)
            return i;
    }
    return -1;
}

void registry_ids(const Registry *registry, char *out, size_t capacity) {
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < registry->count; i++) {
        const char *id = registry_entry(registry, i)->id;
        int wrote = snprintf(out + used, capacity - used, "%s%s", i > 0 ? ", " : "", id);
        if (wrote < 0 || (size_t)wrote >= capacity - used) {
            if (used + sizeof ", …" <= capacity)
                memcpy(out + used, ", …", sizeof ", …");
            else
                out[used] = '\0';
            return;
        }
        used += (size_t)wrote;
    }
}
