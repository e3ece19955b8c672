#include "base/registry.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"

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

#define NEAREST_MAX 48 /* longer names never match */

int nearest_distance(const char *a, size_t a_bytes, const char *b, size_t b_bytes, int limit) {
    int cost[NEAREST_MAX + 1][NEAREST_MAX + 1];
    if (a_bytes > NEAREST_MAX || b_bytes > NEAREST_MAX)
        return limit + 1;
    for (size_t i = 0; i <= a_bytes; i++)
        cost[i][0] = (int)i;
    for (size_t j = 0; j <= b_bytes; j++)
        cost[0][j] = (int)j;
    for (size_t i = 1; i <= a_bytes; i++)
        for (size_t j = 1; j <= b_bytes; j++) {
            bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            const int ways[] = {cost[i - 1][j] + 1, cost[i][j - 1] + 1,
                                cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
                                is_swap ? cost[i - 2][j - 2] + 1 : limit + 1};
            cost[i][j] = limit + 1;
            for (size_t k = 0; k < ARRAY_COUNT(ways); k++)
                cost[i][j] = ways[k] < cost[i][j] ? ways[k] : cost[i][j];
        }
    return cost[a_bytes][b_bytes] <= limit ? cost[a_bytes][b_bytes] : limit + 1;
}

Nearest nearest_begin(const char *word, size_t bytes) {
    int limit = bytes < 6 ? 1 : (int)(bytes / 3);
    return (Nearest){word, "", bytes, limit + 1};
}

void nearest_try(Nearest *nearest, const char *id) {
    int distance = id[0] == '\0' ? nearest->distance
                                 : nearest_distance(nearest->word, nearest->bytes, id, strlen(id),
                                                    nearest->distance);
    if (distance < nearest->distance) {
        nearest->distance = distance;
        nearest->best = id;
    }
}

void nearest_entry(char *out, size_t capacity, const Registry *registry, const char *word,
                   size_t bytes) {
    Nearest nearest = nearest_begin(word, bytes);
    for (int i = 0; i < registry->count; i++)
        nearest_try(&nearest, registry_entry(registry, i)->id);
    snprintf(out, capacity, "%s", nearest.best);
}
