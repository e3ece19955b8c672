#include "base/heap.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_bool was_short;
/* For tests: number of allocations until the one that fails; 0 for none. */
static atomic_long until_failure;

static bool is_to_fail(void) {
    return atomic_load(&until_failure) > 0 && atomic_fetch_sub(&until_failure, 1) == 1;
}

static void *noted(void *at) {
    if (at == NULL)
        atomic_store(&was_short, true);
    return at;
}

void *heap_get(size_t bytes) {
    return noted(is_to_fail() ? NULL : malloc(bytes > 0 ? bytes : 1));
}

void *heap_get_zero(size_t count, size_t element_bytes) {
    bool is_empty = count == 0 || element_bytes == 0;
    return noted(is_to_fail() ? NULL : is_empty ? calloc(1, 1) : calloc(count, element_bytes));
}

void *heap_get_aligned(size_t align, size_t bytes) {
    return noted(is_to_fail() ? NULL : aligned_alloc(align, bytes));
}

void *heap_resize(void *at, size_t bytes) {
    return noted(is_to_fail() ? NULL : realloc(at, bytes > 0 ? bytes : 1));
}

void *heap_grow(void *at, size_t *capacity, size_t count, size_t element_bytes) {
    if (count <= *capacity)
        return at;
    void *grown = heap_resize(at, 2 * count * element_bytes);
    *capacity = grown != NULL ? 2 * count : *capacity;
    return grown;
}

char *heap_copy(const char *text, size_t bytes) {
    char *copy = heap_get(bytes + 1);
    if (copy != NULL) {
        memcpy(copy, text, bytes);
        copy[bytes] = '\0';
    }
    return copy;
}

bool heap_was_short(void) {
    return atomic_load(&was_short);
}

void heap_fail_at(long number) {
    atomic_store(&was_short, false);
    atomic_store(&until_failure, number);
}
