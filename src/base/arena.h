/* arena.h: a block of memory whose allocations are all freed together.
 * Reserving can fail; pushing into reserved memory cannot. */
#ifndef HEADLIGHT_BASE_ARENA_H
#define HEADLIGHT_BASE_ARENA_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define ARENA_ALIGN 64 /* alignment in bytes: a cache line, enough for any vector load */

/* Largest size in bytes of one arena: 4 GB, or half of what 32-bit pointers reach. */
#define ARENA_BYTES_MAX ((size_t)(SIZE_MAX / 2 < 4ull << 30 ? SIZE_MAX / 2 : 4ull << 30))

typedef struct Arena {
    unsigned char *bytes; /* owned; NULL before the first reserve */
    size_t capacity, used;
} Arena;

/* Return the bytes that arena_push takes for this size, with padding. The result has 64 bits, so
 * that sums of sizes do not overflow if size_t has 32. */
uint64_t arena_padded(uint64_t bytes);

/* Discard everything and reserve this number of bytes. The block is reused if it is large enough
 * and at most four times as large as needed. On failure the arena is empty. */
bool arena_reserve(Arena *arena, uint64_t bytes, Err *err);

/* Return aligned, uninitialised memory. Asserts that it was reserved. */
void *arena_push(Arena *arena, size_t bytes);

void *arena_push_zero(Arena *arena, size_t bytes);

void arena_release(Arena *arena);

/* Memory that may have several owners, and is changed only while it has one. part_share and
 * part_release may be called in any thread. */
typedef struct Part {
    atomic_int owners;
    Arena arena;
} Part;

/* Add an owner and return part, which may be NULL. */
Part *part_share(Part *part);

/* Remove an owner and set *part to NULL. The last owner frees the memory. */
void part_release(Part **part);

/* Return an arena that this owner may fill. If *part is NULL or has other owners, first replace it
 * by a new part. Return NULL if memory runs out. */
Arena *part_own(Part **part, Err *err);

/* Like part_own, but empty, with this number of bytes reserved. */
Arena *part_reserve(Part **part, uint64_t bytes, Err *err);

#endif
