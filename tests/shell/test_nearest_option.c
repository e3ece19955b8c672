#include <string.h>

#include "shell/nearest_option.h"
#include "support/test.h"

static const char *option(const char *word, const Verb *verb) {
    static char near[80];
    nearest_option(near, sizeof near, verb, word, strlen(word));
    return near;
}

TEST(suggestions_are_near_or_none) {
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

TEST(a_long_word_is_no_trouble) {
    char word[5000];
    memset(word, 'x', sizeof word);
    word[sizeof word - 1] = '\0';
    const Verb layer = {.groups = CALL_STATE | CALL_PICTURE};
    assert_string_equal(option(word, &layer), "");
}
