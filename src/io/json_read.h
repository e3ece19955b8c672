/* json_read.h: JSON text read in order where it lies, without a tree of values, which for a hostile
 * text takes many times the text's own memory. First the whole is checked; then what is expected is
 * asked for, value by value. Pure: reads and writes that memory alone.
 * Source: RFC 8259. Stricter: no text may hold a NUL, and nothing is nested deeper than
 * JSON_DEPTH_MAX. Names that are given twice are left to the caller. */
#ifndef HEADLIGHT_IO_JSON_READ_H
#define HEADLIGHT_IO_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JSON_DEPTH_MAX 64

/* Where a text is no JSON: the offset of the first byte that cannot be, which is the text's size
 * where it ends too early; and the entry of the outermost object, and of one within that, which it
 * is in: their names as they stand in the text, of size 0 where there are none. */
#define JSON_WITHIN 2
typedef struct JsonWrong {
    size_t at;
    struct JsonSpan {
        const char *at;
        size_t size;
    } within[JSON_WITHIN];
} JsonWrong;

/* Whether text is one value; where not, what is wrong. */
bool json_check(JsonWrong *wrong, const char *text, size_t size);

/* A place in text that has been checked. What does not find what it asks for leaves the place as it
 * is. */
typedef struct JsonIn {
    char *at;
    const char *end;
} JsonIn;

typedef struct JsonText {
    char *bytes; /* UTF-8 ending in a NUL that is not counted, in the memory of what was read */
    size_t size;
} JsonText;

/* Go into a list by '[' or into an object by '{'. */
bool json_enter(JsonIn *in, char bracket);

/* Within one: go to the next entry, or past the end by ']' or '}', where there is none. */
bool json_next(JsonIn *in, char bracket);

/* Take a text, which is decoded where it stands; the name of an object's entry, too, with the colon
 * after it. */
bool json_text(JsonText *out, JsonIn *in);
bool json_name(JsonText *out, JsonIn *in);

/* Take a whole number from 0 to INT64_MAX, written without fraction and exponent. */
bool json_whole(uint64_t *out, JsonIn *in);

/* Pass over a value of any kind. */
void json_skip(JsonIn *in);

#endif
