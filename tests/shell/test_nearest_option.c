#include <string.h>

#include "shell/nearest_option.h"
#include "support/test.h"

static const char *option(const char *word, const Verb *verb) {
    static char near[80];
    nearest_option(near, sizeof near, verb, word, strlen(word));
    return near;
}

static void suggestions_are_near_or_none(void **state) {
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
    char word[5000];
    memset(word, 'x', sizeof word);
    word[sizeof word - 1] = '\0';
    const Verb layer = {.groups = CALL_STATE | CALL_PICTURE};
    assert_string_equal(option(word, &layer), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(suggestions_are_near_or_none),
        cmocka_unit_test(a_long_word_is_no_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
