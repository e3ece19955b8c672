#include <string.h>

#include "base/arena.h"
#include "support/test.h"

TEST(a_sole_owner_fills_its_own_memory_again) {
    Part *part = NULL;
    Arena *first = part_reserve(&part, 100, &told);
    assert_non_null(arena_push(first, 100));
    assert_ptr_equal(part_reserve(&part, 100, &told), first);
    assert_int_equal(first->used, 0);
    part_release(&part);
    assert_null(part);
    part_release(&part); /* none */
    assert_null(part_share(part));
}

TEST(what_is_shared_stays_as_it_is) {
    Part *part = NULL;
    char *bytes = arena_push(part_reserve(&part, 8, &told), 8);
    strcpy(bytes, "before");
    Part *other = part_share(part);
    assert_ptr_equal(other, part);
    Arena *own = part_reserve(&other, 8, &told);
    assert_ptr_not_equal(other, part);
    strcpy(arena_push(own, 8), "after");
    assert_string_equal(bytes, "before");
    part_release(&part);
    part_release(&other);
}
