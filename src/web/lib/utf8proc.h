/* utf8proc.h: the functions of utf8proc that the core calls, implemented by the browser. See
 * <utf8proc.h> for the contracts. The library and the browser give equal answers for characters
 * that both know; a browser's Unicode is newer. */
#ifndef HEADLIGHT_WEB_UTF8PROC_H
#define HEADLIGHT_WEB_UTF8PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t utf8proc_uint8_t;
typedef int32_t utf8proc_int32_t;
typedef ptrdiff_t utf8proc_ssize_t;

/* Categories, in the order of CATEGORIES in browser.js. */
typedef enum utf8proc_category_t {
    UTF8PROC_CATEGORY_CN,
    UTF8PROC_CATEGORY_LU,
    UTF8PROC_CATEGORY_LL,
    UTF8PROC_CATEGORY_LT,
    UTF8PROC_CATEGORY_LM,
    UTF8PROC_CATEGORY_LO,
    UTF8PROC_CATEGORY_MN,
    UTF8PROC_CATEGORY_MC,
    UTF8PROC_CATEGORY_ME,
    UTF8PROC_CATEGORY_ND,
    UTF8PROC_CATEGORY_NL,
    UTF8PROC_CATEGORY_NO,
    UTF8PROC_CATEGORY_PC,
    UTF8PROC_CATEGORY_PD,
    UTF8PROC_CATEGORY_PS,
    UTF8PROC_CATEGORY_PE,
    UTF8PROC_CATEGORY_PI,
    UTF8PROC_CATEGORY_PF,
    UTF8PROC_CATEGORY_PO,
    UTF8PROC_CATEGORY_SM,
    UTF8PROC_CATEGORY_SC,
    UTF8PROC_CATEGORY_SK,
    UTF8PROC_CATEGORY_SO,
    UTF8PROC_CATEGORY_ZS,
    UTF8PROC_CATEGORY_ZL,
    UTF8PROC_CATEGORY_ZP,
    UTF8PROC_CATEGORY_CC,
    UTF8PROC_CATEGORY_CF,
    UTF8PROC_CATEGORY_CS,
    UTF8PROC_CATEGORY_CO,
} utf8proc_category_t;

typedef struct utf8proc_property_t {
    bool ignorable;
} utf8proc_property_t;

/* Options. CASEFOLD ignores the others; it does exactly what its only caller needs. */
typedef enum utf8proc_option_t {
    UTF8PROC_STABLE = 2,
    UTF8PROC_COMPAT = 4,
    UTF8PROC_COMPOSE = 8,
    UTF8PROC_DECOMPOSE = 16,
    UTF8PROC_IGNORE = 32,
    UTF8PROC_CASEFOLD = 1024,
} utf8proc_option_t;

utf8proc_category_t utf8proc_category(utf8proc_int32_t c);
const utf8proc_property_t *utf8proc_get_property(utf8proc_int32_t c);
utf8proc_int32_t utf8proc_tolower(utf8proc_int32_t c);
bool utf8proc_grapheme_break_stateful(utf8proc_int32_t before, utf8proc_int32_t after,
                                      utf8proc_int32_t *state);
utf8proc_ssize_t utf8proc_decompose(const utf8proc_uint8_t *text, utf8proc_ssize_t bytes,
                                    utf8proc_int32_t *points, utf8proc_ssize_t capacity,
                                    utf8proc_option_t options);
utf8proc_ssize_t utf8proc_normalize_utf32(utf8proc_int32_t *points, utf8proc_ssize_t count,
                                          utf8proc_option_t options);

#endif
