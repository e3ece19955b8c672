/* A shortage of memory is recorded, whichever function met it, and so is no other event. */
#include <stdlib.h>

#include "base/heap.h"
#include "base/util.h"
#include "support/test.h"

#define HUGE_BYTES (SIZE_MAX / 64 * 64) /* half of it may be available with 32-bit addresses */

static void *get(size_t bytes) {
    return heap_get(bytes);
}

static void *get_zero(size_t bytes) {
    return heap_get_zero(bytes / 2, 2);
}

static void *get_aligned(size_t bytes) {
    return heap_get_aligned(64, bytes);
}

static void *resize(size_t bytes) {
    return heap_resize(NULL, bytes);
}

static void *copy(size_t bytes) {
    static const char text[64] = "copied";
    return bytes <= sizeof text ? heap_copy(text, bytes) : heap_get(bytes);
}

static void *(*const FUNCTIONS[])(size_t bytes) = {get, get_zero, get_aligned, resize, copy};

TEST(what_cannot_be_had_is_recorded) {
    volatile size_t huge = HUGE_BYTES; /* or the compiler sees that no array is this large */
    for (size_t i = 0; i < ARRAY_COUNT(FUNCTIONS); i++) {
        heap_fail_at(0);
        void *at = FUNCTIONS[i](64);
        assert_non_null(at);
        free(at);
        assert_false(heap_was_short());
        assert_null(FUNCTIONS[i](huge));
        assert_true(heap_was_short());
    }
    heap_fail_at(0);
}

TEST(a_test_chooses_the_one_that_fails) {
    for (size_t i = 0; i < ARRAY_COUNT(FUNCTIONS); i++) {
        heap_fail_at(2);
        for (int number = 1; number <= 3; number++) {
            LOCAL(free_at) void *at = FUNCTIONS[i](64);
            assert_true((at == NULL) == (number == 2));
            assert_true(heap_was_short() == (number >= 2));
        }
    }
    heap_fail_at(0);
    assert_false(heap_was_short());
}

TEST(nothing_is_memory_too) {
    for (size_t i = 0; i < ARRAY_COUNT(FUNCTIONS); i++) {
        LOCAL(free_at) void *at = FUNCTIONS[i](0);
        assert_true(at != NULL || FUNCTIONS[i] == get_aligned);
    }
}

TEST(a_resized_block_stays_after_a_failure) {
    LOCAL(free_at) char *text = heap_copy("words", 5);
    assert_string_equal(text, "words");
    heap_fail_at(1);
    assert_null(heap_resize(text, 100));
    assert_string_equal(text, "words");
    text = heap_resize(text, 100);
    assert_string_equal(text, "words");
    heap_fail_at(0);
}
