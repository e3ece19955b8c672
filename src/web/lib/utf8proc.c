#include <utf8proc.h>

/* Implemented in browser.js. */
int browser_category(int32_t c);
bool browser_is_ignorable(int32_t c);
int32_t browser_small(int32_t c);
bool browser_breaks(int32_t before, int32_t after, bool continues);
ptrdiff_t browser_fold(const uint8_t *text, ptrdiff_t bytes, int32_t *points, ptrdiff_t capacity,
                       const char *form);

utf8proc_category_t utf8proc_category(utf8proc_int32_t c) {
    return (utf8proc_category_t)browser_category(c);
}

const utf8proc_property_t *utf8proc_get_property(utf8proc_int32_t c) {
    static const utf8proc_property_t is_ignorable = {true}, is_not = {false};
    return browser_is_ignorable(c) ? &is_ignorable : &is_not;
}

utf8proc_int32_t utf8proc_tolower(utf8proc_int32_t c) {
    return browser_small(c);
}

/* The browser remembers the characters since the last break. state tells whether they belong to
 * this text. */
bool utf8proc_grapheme_break_stateful(utf8proc_int32_t before, utf8proc_int32_t after,
                                      utf8proc_int32_t *state) {
    bool breaks = browser_breaks(before, after, *state != 0);
    *state = !breaks;
    return breaks;
}

utf8proc_ssize_t utf8proc_decompose(const utf8proc_uint8_t *text, utf8proc_ssize_t bytes,
                                    utf8proc_int32_t *points, utf8proc_ssize_t capacity,
                                    utf8proc_option_t options) {
    bool whole = (options & UTF8PROC_COMPOSE) != 0;
    const char *form = options & UTF8PROC_CASEFOLD ? ""
                       : options & UTF8PROC_COMPAT ? (whole ? "NFKC" : "NFKD")
                                                   : (whole ? "NFC" : "NFD");
    return browser_fold(text, bytes, points, capacity, form);
}

/* Do nothing, because browser_fold has composed the text already. */
utf8proc_ssize_t utf8proc_normalize_utf32(utf8proc_int32_t *points, utf8proc_ssize_t count,
                                          utf8proc_option_t options) {
    (void)points, (void)options;
    return count;
}
