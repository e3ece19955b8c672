#include "base/arena.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"

size_t arena_padded(size_t bytes) {
    assert(bytes <= SIZE_MAX - ARENA_ALIGN);
    return (bytes + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
}

bool arena_reserve(Arena *arena, size_t bytes, Err *err) {
    size_t wanted = arena_padded(bytes > 0 ? bytes : 1);
    arena->used = 0;
    if (arena->bytes != NULL && arena->capacity >= wanted && arena->capacity / 4 <= wanted)
        return true;
    arena_release(arena);
    arena->bytes = heap_get_aligned(ARENA_ALIGN, wanted);
    if (arena->bytes == NULL)
        return err_fail(err, "memory",
                        "%.1f MB could not be allocated; use fewer tokens, heads or columns",
                        (double)wanted / 1e6);
    arena->capacity = wanted;
    return true;
}

void *arena_push(Arena *arena, size_t bytes) {
    size_t padded = arena_padded(bytes);
    assert(arena->capacity - arena->used >= padded);
    void *at = arena->bytes + arena->used;
    arena->used += padded;
    return at;
}

void *arena_push_zero(Arena *arena, size_t bytes) {
    void *at = arena_push(arena, bytes);
    memset(at, 0, bytes);
    return at;
}

void arena_release(Arena *arena) {
    free(arena->bytes);
    *arena = (Arena){0};
}
