/* heap.h: memory from the heap, to be freed with free(). Only this file allocates, except for
 * libraries and src/web. So a shortage of memory is recorded: a view may then omit something, but a
 * command must not report an incomplete picture as complete. Not pure: the record belongs to the
 * process. Thread: any. */
#ifndef HEADLIGHT_BASE_HEAP_H
#define HEADLIGHT_BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>

/* Return uninitialised memory, or NULL. */
void *heap_get(size_t bytes);

/* Return count elements filled with zeros, or NULL. */
void *heap_get_zero(size_t count, size_t element_bytes);

/* Return uninitialised memory at a multiple of align, or NULL. bytes is a multiple of align. */
void *heap_get_aligned(size_t align, size_t bytes);

/* Resize the memory `at` (may be NULL) like realloc. On failure return NULL; `at` is unchanged. */
void *heap_resize(void *at, size_t bytes);

/* Return the array `at` (may be NULL) if it has room for count elements; otherwise resize it to
 * twice that room and set *capacity. On failure return NULL and leave `at` unchanged. */
void *heap_grow(void *at, size_t *capacity, size_t count, size_t element_bytes);

/* Return a copy of text[0..bytes) that ends with NUL, or NULL. */
char *heap_copy(const char *text, size_t bytes);

/* True if an allocation failed since the program started. */
bool heap_was_short(void);

/* For tests: reset heap_was_short, and let one allocation fail: the one with this number, counted
 * from 1; 0 for none. */
void heap_fail_at(long number);

#endif
