#include <math.h>
#include <string.h>

#include "base/text_out.h"
#include "support/test.h"

TEST(text_grows_and_is_ended) {
    TextOut out = {0};
    for (int i = 0; i < 1000; i++)
        text_out(&out, "%d,%s\n", i, "words");
    assert_false(out.failed);
    assert_int_equal(strlen(out.at), out.used);
    assert_memory_equal(out.at, "0,words\n1,words\n", 16);
    assert_string_equal(out.at + out.used - 10, "999,words\n");
    text_out_reset(&out);
    text_out(&out, "again");
    assert_string_equal(out.at, "again");
    text_out_release(&out);
    assert_null(out.at);
}

TEST(numbers_and_strings_are_json) {
    LOCAL(text_out_release) TextOut out = {0};
    text_out_number(&out, 0.1F, "null");
    text_out(&out, " ");
    text_out_number(&out, NAN, "null");
    text_out(&out, " ");
    text_out_number(&out, -INFINITY, "");
    text_out_quoted(&out, "a\"b\\c\nd – e");
    assert_string_equal(out.at, "0.100000001 null \"a\\\"b\\\\c\\u000ad – e\"");
}
