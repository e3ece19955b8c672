#include "base/picture_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/heap.h"

#define PNG_MARK    "\x89PNG\r\n\x1A\n"
#define CHUNK_BYTES 12 /* bytes of a PNG chunk around its data */

/* The part of a file that is not read yet. */
typedef struct Span {
    const char *at;
    size_t size;
} Span;

static bool begins_with(Span span, const char *mark, size_t bytes) {
    return span.size >= bytes && memcmp(span.at, mark, bytes) == 0;
}

static Span skip(Span span, size_t bytes) {
    return (Span){span.at + bytes, span.size - bytes};
}

/* Move the start behind the next occurrence of mark. Return false if there is none. */
static bool seek(Span *span, const char *mark) {
    size_t bytes = strlen(mark);
    for (; span->size >= bytes; *span = skip(*span, 1))
        if (memcmp(span->at, mark, bytes) == 0) {
            *span = skip(*span, bytes);
            return true;
        }
    return false;
}

static bool skip_string(Span *span) {
    const char *end = span->size > 0 ? memchr(span->at, '\0', span->size) : NULL;
    if (end != NULL)
        *span = skip(*span, (size_t)(end - span->at) + 1);
    return end != NULL;
}

/* Find the state in the data of a PNG chunk iTXt: a keyword, two bytes about compression, a
 * language, a translated keyword and the text. */
static bool read_text_chunk(Span *state, Span data) {
    static const char keyword[] = PICTURE_STATE_KEYWORD;
    if (!begins_with(data, keyword, sizeof keyword))
        return false;
    data = skip(data, sizeof keyword);
    if (data.size < 2 || data.at[0] != 0)
        return false;
    data = skip(data, 2);
    *state = data;
    bool has_language = skip_string(state);
    return has_language && skip_string(state);
}

static bool find_in_png(Span *state, Span file) {
    file = skip(file, sizeof PNG_MARK - 1);
    while (file.size >= CHUNK_BYTES) {
        const unsigned char *at = (const unsigned char *)file.at;
        size_t size = (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
        if (size > file.size - CHUNK_BYTES)
            return false;
        if (memcmp(at + 4, "iTXt", 4) == 0 && read_text_chunk(state, (Span){file.at + 8, size}))
            return true;
        file = skip(file, size + CHUNK_BYTES);
    }
    return false;
}

static bool find_between(Span *state, Span file, const char *begin, const char *end) {
    Span rest = file;
    if (!seek(&rest, begin))
        return false;
    *state = rest;
    if (!seek(&rest, end))
        return false;
    state->size = (size_t)(rest.at - state->at) - strlen(end);
    return true;
}

/* Find the string after "/Keywords (", up to the next closing bracket that no backslash escapes. */
static bool find_in_pdf(Span *state, Span file) {
    size_t bytes = 0;
    if (!seek(&file, "/Keywords ("))
        return false;
    while (bytes < file.size && file.at[bytes] != ')')
        bytes += file.at[bytes] == '\\' ? 2 : 1;
    *state = (Span){file.at, bytes};
    return bytes < file.size;
}

/* Copy the state. Replace the escapes of XML or, if has_backslashes, of PDF by their characters. */
static void copy(char *out, Span state, bool has_backslashes) {
    static const struct {
        const char *written;
        char meant;
    } names[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    for (size_t i = 0; i < state.size; i++) {
        char c = state.at[i];
        if (has_backslashes && c == '\\' && i + 1 < state.size)
            c = state.at[++i];
        for (size_t n = 0; !has_backslashes && n < sizeof names / sizeof *names; n++) {
            size_t bytes = strlen(names[n].written);
            if (begins_with(skip(state, i), names[n].written, bytes)) {
                c = names[n].meant;
                i += bytes - 1;
                break;
            }
        }
        *out++ = c;
    }
    *out = '\0';
}

bool picture_state_find(char **state, const char *bytes, size_t size, Err *err) {
    Span file = {bytes, size}, found;
    bool is_png = begins_with(file, PNG_MARK, sizeof PNG_MARK - 1);
    bool is_pdf = begins_with(file, "%PDF-", 5);
    *state = NULL;
    bool has = is_png   ? find_in_png(&found, file)
               : is_pdf ? find_in_pdf(&found, file)
                        : find_between(&found, file, "<state xmlns=\"" PICTURE_STATE_SPACE "\">",
                                       "</state>");
    if (!has || found.size > PICTURE_STATE_MAX)
        return err_fail(err, "picture",
                        "contains no state to restore; open a picture that Headlight saved");
    *state = heap_get(found.size + 1);
    if (*state == NULL)
        return err_fail(err, "memory", "too little for the picture's state");
    if (is_png) {
        memcpy(*state, found.at, found.size);
        (*state)[found.size] = '\0';
    } else {
        copy(*state, found, is_pdf);
    }
    return true;
}
