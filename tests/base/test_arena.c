#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "support/test.h"

TEST(padding_is_whole_lines) {
    assert_int_equal(arena_padded(0), 0);
    assert_int_equal(arena_padded(1), ARENA_ALIGN);
    assert_int_equal(arena_padded(ARENA_ALIGN), ARENA_ALIGN);
    assert_int_equal(arena_padded(ARENA_ALIGN + 1), 2 * ARENA_ALIGN);
}

TEST(pushes_are_aligned_and_apart) {
    LOCAL(arena_release) Arena arena = {0};
    size_t bytes = 0;
    for (size_t size = 0; size < 200; size += 13)
        bytes += arena_padded(size);
    must(arena_reserve(&arena, bytes, &told));
    unsigned char *last = NULL;
    for (size_t size = 0; size < 200; size += 13) {
        unsigned char *at = arena_push(&arena, size);
        assert_int_equal((uintptr_t)at % ARENA_ALIGN, 0);
        assert_true(last == NULL || at >= last);
        memset(at, (int)size, size);
        last = at + size;
    }
    assert_int_equal(arena.used, bytes);
}

TEST(zeroed_pushes_are_zero) {
    LOCAL(arena_release) Arena arena = {0};
    must(arena_reserve(&arena, 1000, &told));
    memset(arena.bytes, 0xFF, arena.capacity);
    unsigned char *at = arena_push_zero(&arena, 777);
    for (int i = 0; i < 777; i++)
        assert_int_equal(at[i], 0);
}

TEST(reserving_again_keeps_or_changes_the_block) {
    Arena arena = {0};
    must(arena_reserve(&arena, 4096, &told));
    unsigned char *first = arena.bytes;
    arena_push(&arena, 100);
    must(arena_reserve(&arena, 2048, &told)); /* half: reused */
    assert_ptr_equal(arena.bytes, first);
    assert_int_equal(arena.used, 0);
    must(arena_reserve(&arena, 64, &told)); /* a 64th: freed and replaced */
    assert_true(arena.capacity < 4096);
    must(arena_reserve(&arena, 1 << 20, &told));
    assert_true(arena.capacity >= 1 << 20);
    arena_release(&arena);
    assert_null(arena.bytes);
    assert_int_equal(arena.capacity, 0);
    arena_release(&arena);
}

TEST(nothing_can_be_reserved) {
    LOCAL(arena_release) Arena arena = {0};
    must(arena_reserve(&arena, 0, &told));
    assert_non_null(arena_push(&arena, 0));
}

/* An impossible size fails with a message and leaves an arena that can be used again. */
TEST(too_much_is_told_not_fatal) {
    LOCAL(arena_release) Arena arena = {0}, other = {0};
    size_t half = (size_t)PTRDIFF_MAX - 4096; /* of all addresses: with 32 bits, one may succeed */
    assert_true(arena_reserve(&arena, 100, &told));
    arena_reserve(&other, half, &told);
    assert_false(arena_reserve(&arena, half, &told));
    arena_release(&other);
    assert_int_equal(told.kind, ERR_FAILED);
    assert_true(told.what[0] != '\0' && told.why[0] != '\0');
    assert_null(arena.bytes);
    assert_int_equal(arena.capacity, 0);
    assert_true(arena_reserve(&arena, 100, &told));
}

TEST(pushing_past_the_reserve_stops_the_program) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        Arena arena = {0};
        signal(SIGABRT, SIG_DFL);
        if (freopen("/dev/null", "w", stderr) == NULL || !arena_reserve(&arena, 64, &told))
            _exit(2);
        arena_push(&arena, 64);
        arena_push(&arena, 1);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}
