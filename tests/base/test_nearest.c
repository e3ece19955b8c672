#include <string.h>

#include "base/registry.h"
#include "base/util.h"
#include "support/test.h"

static int distance(const char *a, const char *b) {
    int forth = nearest_distance(a, strlen(a), b, strlen(b), 9);
    assert_int_equal(nearest_distance(b, strlen(b), a, strlen(a), 9), forth);
    return forth;
}

TEST(distances_count_single_slips) {
    assert_int_equal(distance("heads", "heads"), 0);
    assert_int_equal(distance("heads", "head"), 1);
    assert_int_equal(distance("heads", "haeds"), 1);
    assert_int_equal(distance("heads", "heats"), 1);
    assert_int_equal(distance("", "abc"), 3);
    assert_int_equal(distance("kitten", "sitting"), 3);
    assert_int_equal(distance("abcdefghij", "klmnopqrst"), 10);
    assert_int_equal(nearest_distance("abcdef", 6, "uvwxyz", 6, 2), 3);
}

static const char *entry(const char *word) {
    static const Entry ROWS[] = {{"reroll", "", "", ""}, {"escape", "", "", ""}};
    static const Registry NAMES = {"names", "name", ROWS, sizeof ROWS[0], ARRAY_COUNT(ROWS)};
    static char near[80];
    nearest_entry(near, sizeof near, &NAMES, word, strlen(word));
    return near;
}

TEST(suggestions_are_near_or_none) {
    char word[5000];
    memset(word, 'x', sizeof word);
    word[sizeof word - 1] = '\0';
    assert_string_equal(entry("rerol"), "reroll");
    assert_string_equal(entry("ecsape"), "escape");
    assert_string_equal(entry("quux"), "");
    assert_string_equal(entry(""), "");
    assert_string_equal(entry(word), "");
}
