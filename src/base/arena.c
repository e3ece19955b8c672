#include "base/arena.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"

uint64_t arena_padded(uint64_t bytes) {
    return (bytes + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
}

bool arena_reserve(Arena *arena, uint64_t bytes, Err *err) {
    uint64_t wanted = arena_padded(bytes > 0 ? bytes : 1);
    arena->used = 0;
    if (arena->bytes != NULL && arena->capacity >= wanted && arena->capacity / 4 <= wanted)
        return true;
    arena_release(arena);
    if (wanted <= SIZE_MAX)
        arena->bytes = heap_get_aligned(ARENA_ALIGN, (size_t)wanted);
    if (arena->bytes == NULL)
        return err_fail(err, "memory",
                        "%.1f MB could not be allocated; use fewer tokens, heads or columns",
                        (double)wanted / 1e6);
    arena->capacity = (size_t)wanted;
    return true;
}

void *arena_push(Arena *arena, size_t bytes) {
    size_t padded = (size_t)arena_padded(bytes);
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

Part *part_share(Part *part) {
    if (part != NULL)
        atomic_fetch_add(&part->owners, 1);
    return part;
}

void part_release(Part **part) {
    Part *gone = *part;
    *part = NULL;
    if (gone == NULL || atomic_fetch_sub(&gone->owners, 1) > 1)
        return;
    arena_release(&gone->arena);
    free(gone);
}

Arena *part_own(Part **part, Err *err) {
    if (*part != NULL && atomic_load(&(*part)->owners) == 1)
        return &(*part)->arena;
    part_release(part);
    *part = heap_get_zero(1, sizeof **part);
    if (*part == NULL)
        return err_null(err, "memory", "too little; close other programs");
    atomic_init(&(*part)->owners, 1);
    return &(*part)->arena;
}

Arena *part_reserve(Part **part, uint64_t bytes, Err *err) {
    Arena *arena = part_own(part, err);
    return arena != NULL && arena_reserve(arena, bytes, err) ? arena : NULL;
}
