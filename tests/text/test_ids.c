#include <string.h>

#include "base/util.h"
#include "support/test.h"
#include "text/ids.h"

TEST(commas_and_blanks_separate_ids) {
    static const struct {
        const char *text;
        int count;
        Token first, last;
    } CASES[] = {{"", 0, {0, 0, 0}, {0, 0, 0}},
                 {" ,\n", 0, {0, 0, 0}, {0, 0, 0}},
                 {"5", 1, {0, 1, 5}, {0, 1, 5}},
                 {"5,17,2", 3, {0, 1, 5}, {5, 1, 2}},
                 {" 50256 ,\t7\n", 2, {1, 5, 50256}, {9, 1, 7}},
                 {"a;b", 1, {0, 3, -1}, {0, 3, -1}}};
    for (size_t i = 0; i < ARRAY_COUNT(CASES); i++) {
        Token tokens[4];
        TokenList list = {.at = tokens, .capacity = 4};
        assert_true(ids_split(&list, CASES[i].text, strlen(CASES[i].text), NULL, NULL));
        assert_int_equal(list.total, CASES[i].count);
        if (list.total == 0)
            continue;
        assert_memory_equal(&tokens[0], &CASES[i].first, sizeof(Token));
        assert_memory_equal(&tokens[list.total - 1], &CASES[i].last, sizeof(Token));
    }
}

TEST(a_number_is_an_id) {
    static const char *const WRONG[] = {"", "-1", "+1", "1.5", "x", "1x", "0x1", "2147483648"};
    assert_int_equal(ids_number("0", 1), 0);
    assert_int_equal(ids_number("50256", 5), 50256);
    assert_int_equal(ids_number("2147483647", 10), 2147483647);
    for (size_t i = 0; i < ARRAY_COUNT(WRONG); i++)
        assert_int_equal(ids_number(WRONG[i], strlen(WRONG[i])), -1);
}
