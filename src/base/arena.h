/* arena.h: memory with one lifetime, given back all at once.
 * Room is reserved first, which can fail; pushing then cannot. */
#ifndef HEADLIGHT_BASE_ARENA_H
#define HEADLIGHT_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define ARENA_ALIGN 64 /* bytes: a cache line, and enough for any vector load */

/* The most bytes for one purpose: 4 GB, or half of what 32-bit pointers reach. */
#define ARENA_BYTES_MAX ((size_t)(SIZE_MAX / 2 < 4ull << 30 ? SIZE_MAX / 2 : 4ull << 30))

typedef struct Arena {
    unsigned char *bytes; /* owned; NULL before the first reserve */
    size_t capacity, used;
} Arena;

/* The bytes that a push of this size takes, its alignment included. */
size_t arena_padded(size_t bytes);

/* Forget all that was pushed and make room for this many bytes. The block is kept when it is
 * large enough and not more than four times too large. On failure the arena is empty. */
bool arena_reserve(Arena *arena, size_t bytes, Err *err);

/* Room for bytes, aligned and NOT cleared; asserts that it was reserved. */
void *arena_push(Arena *arena, size_t bytes);

/* As arena_push, cleared. */
void *arena_push_zero(Arena *arena, size_t bytes);

void arena_release(Arena *arena);

#endif
