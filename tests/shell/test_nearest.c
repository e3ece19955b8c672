#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "shell/nearest.h"

static int distance(const char *a, const char *b) {
    int forth = nearest_distance(a, strlen(a), b, strlen(b), 9);
    assert_int_equal(nearest_distance(b, strlen(b), a, strlen(a), 9), forth);
    return forth;
}

static void distances_count_single_slips(void **state) {
    (void)state;
    assert_int_equal(distance("heads", "heads"), 0);
    assert_int_equal(distance("heads", "head"), 1);
    assert_int_equal(distance("heads", "haeds"), 1);
    assert_int_equal(distance("heads", "heats"), 1);
    assert_int_equal(distance("", "abc"), 3);
    assert_int_equal(distance("kitten", "sitting"), 3);
    assert_int_equal(distance("abcdefghij", "klmnopqrst"), 10);
    assert_int_equal(nearest_distance("abcdef", 6, "uvwxyz", 6, 2), 3);
}

static const char *option(const char *word, const Verb *verb) {
    static char near[80];
    nearest_option(near, sizeof near, verb, word, strlen(word));
    return near;
}

static void suggestions_are_near_or_none(void **state) {
    (void)state;
    const Verb layer = {.groups = CALL_STATE}, plain = {.groups = CALL_JSON};
    assert_string_equal(option("haeds", &layer), "heads");
    assert_string_equal(option("dmodel", &layer), "d-model");
    assert_string_equal(option("d_model", &layer), "d-model");
    assert_string_equal(option("temprature", &layer), "temperature");
    assert_string_equal(option("embeding", &layer), "embedding");
    assert_string_equal(option("quux", &layer), "");
    assert_string_equal(option("", &layer), "");
    assert_string_equal(option("haeds", &plain), "");
    assert_string_equal(option("jsno", &plain), "json");
}

static void a_long_word_is_no_trouble(void **state) {
    (void)state;
    char word[5000];
    memset(word, 'x', sizeof word);
    word[sizeof word - 1] = '\0';
    const Verb layer = {.groups = CALL_STATE | CALL_PICTURE};
    assert_string_equal(option(word, &layer), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_count_single_slips),
        cmocka_unit_test(suggestions_are_near_or_none),
        cmocka_unit_test(a_long_word_is_no_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
