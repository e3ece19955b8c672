/* heap.h: memory from the system's heap, to be freed with free(). The program allocates only here,
 * so that it can tell afterwards whether memory ran short: a view may leave out what it had no
 * memory for, but a verb must not report an incomplete picture as complete. Not pure: the shortage
 * belongs to the whole process. Any thread may call these functions. */
#ifndef HEADLIGHT_BASE_HEAP_H
#define HEADLIGHT_BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>

/* Return uninitialised memory, or NULL if there is too little. */
void *heap_get(size_t bytes);

/* Like heap_get for an array of count elements, but zeroed. */
void *heap_get_zero(size_t count, size_t element_bytes);

/* Like heap_get, at a multiple of align. bytes must be a multiple of align, too. */
void *heap_get_aligned(size_t align, size_t bytes);

/* Return memory of this size with the contents of `at` (or NULL), which is freed. On failure return
 * NULL and leave `at` unchanged. */
void *heap_resize(void *at, size_t bytes);

/* Return a copy of text[0..bytes) that ends with NUL, or NULL. */
char *heap_copy(const char *text, size_t bytes);

/* True if an allocation failed since the program started. */
bool heap_was_short(void);

/* For tests: forget any shortage, and fail only the allocation with this number, from 1 for the
 * next one; 0 fails none. */
void heap_fail_at(long number);

#endif
