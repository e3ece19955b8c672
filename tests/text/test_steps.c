/* The table of a Precompiled normalizer: what may replace a character, and what not. */
#include "text/steps.h"

#include <stdlib.h>
#include <string.h>

#include "support/test.h"

#define UNITS 1024

static void put_word(unsigned char *table, size_t at, uint32_t value) {
    for (int byte = 0; byte < 4; byte++)
        table[4 * at + (size_t)byte] = (unsigned char)(value >> 8 * byte);
}

/* Return "xax" after a table that replaces "a" by the form from byte `from` on. */
static const char *replaced(const char *form, size_t size, uint32_t from) {
    static char text[600];
    enum { ROOT = 256, LEAVES = 512 };
    Charsmap map;
    Flow in = {0}, out = {0};
    unsigned char *table = calloc(1, 4 + 4 * UNITS + size + 1);
    assert_non_null(table);
    put_word(table, 0, 4 * UNITS);
    put_word(table, 1, ROOT << 10);
    put_word(table, 1 + (ROOT ^ 'a'), 'a' | 1 << 8 | LEAVES << 10);
    put_word(table, 1 + (ROOT ^ 'a' ^ LEAVES), 1u << 31 | from);
    memcpy(table + 4 + 4 * UNITS, form, size);
    assert_true(charsmap_take(&map, table, 4 + 4 * UNITS + size + 1));
    flow_start(&in, "xax", 0, 3);
    step_charsmap(&out, &in, 0, 3, &(VocabularyStep){.charsmap = &map});
    assert_true(!out.failed && out.size < sizeof text);
    memcpy(text, out.text, out.size);
    text[out.size] = '\0';
    flow_release(&in);
    flow_release(&out);
    free(map.bytes);
    return text;
}

TEST(a_form_replaces_a_character) {
    assert_string_equal(replaced("b\xC3\xA9", 3, 0), "xb\xC3\xA9x");
    assert_string_equal(replaced("b\xC3\xA9", 3, 1), "x\xC3\xA9x");
    assert_string_equal(replaced("b", 1, 1), "xx");
}

TEST(what_is_no_text_replaces_nothing) {
    assert_string_equal(replaced("b\xC3\xA9", 3, 2), "xax");
    assert_string_equal(replaced("\xFF", 1, 0), "xax");
    assert_string_equal(replaced("b", 1, 2), "xax");
}

/* Otherwise each character of a text could have megabytes looked through. */
TEST(a_long_form_replaces_nothing) {
    char form[256];
    memset(form, 'b', sizeof form);
    assert_int_equal(strlen(replaced(form, 255, 0)), 257);
    assert_string_equal(replaced(form, 256, 0), "xax");
}

TEST_ALL(NULL, NULL)
