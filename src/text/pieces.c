#include "text/pieces.h"

#include <limits.h>
#include <string.h>
#include <strings.h>
#include <utf8proc.h>

#include "base/utf8.h"
#include "base/util.h"

typedef enum PieceClass {
    PIECE_NONE,
    PIECE_BLANK,
    PIECE_LETTER,
    PIECE_NUMBER,
    PIECE_OTHER
} PieceClass;

static PieceClass class_of(uint32_t c) {
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)c);
    if (c == ' ' || (c >= '\t' && c <= '\r') || c == 0x85 ||
        (category >= UTF8PROC_CATEGORY_ZS && category <= UTF8PROC_CATEGORY_ZP))
        return PIECE_BLANK;
    if (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO)
        return PIECE_LETTER;
    return category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO ? PIECE_NUMBER
                                                                                : PIECE_OTHER;
}

bool piece_is_blank(uint32_t c) {
    return class_of(c) == PIECE_BLANK;
}

/* Return the class of the character at `at` and set *end after it. PIECE_NONE at the text's end. */
static PieceClass class_at(const char *text, size_t size, size_t at, size_t *end) {
    size_t bytes = 0;
    PieceClass class = at < size ? class_of(utf8_decode(text, size, at, &bytes)) : PIECE_NONE;
    *end = at + bytes;
    return class;
}

/* Return the bytes of the English clitic that starts at `at`, or 0. */
static size_t clitic_bytes(const char *text, size_t size, size_t at, bool any_case) {
    static const char *const ENDS[] = {"s", "t", "re", "ve", "m", "ll", "d"};
    for (size_t i = 0; text[at] == '\'' && i < ARRAY_COUNT(ENDS); i++) {
        size_t bytes = strlen(ENDS[i]);
        if (bytes < size - at &&
            (any_case ? strncasecmp : strncmp)(text + at + 1, ENDS[i], bytes) == 0)
            return 1 + bytes;
    }
    return any_case && size - at > 2 && memcmp(text + at, "'ſ", 3) == 0 ? 3 : 0;
}

static bool is_line_end(char c) {
    return c == '\r' || c == '\n';
}

static size_t run_end(const char *text, size_t size, size_t at, PieceClass class, int most) {
    size_t next;
    for (int i = 0; i < most && class_at(text, size, at, &next) == class; i++)
        at = next;
    return at;
}

/* Return the end of the blanks at `at`. If text follows, exclude the last of several blanks; but if
 * by_lines is set and there are line ends among the blanks, stop after the last line end. */
static size_t blanks_end(const char *text, size_t size, size_t at, bool by_lines) {
    size_t end = at, last = at, lines = at, next;
    for (; class_at(text, size, end, &next) == PIECE_BLANK; end = next) {
        last = end;
        lines = by_lines && is_line_end(text[end]) ? next : lines;
    }
    return lines > at ? lines : end == size || last == at ? end : last;
}

size_t piece_end(const PiecePattern *p, const char *text, size_t size, size_t at) {
    size_t clitic = clitic_bytes(text, size, at, p->leads), end, next;
    if (clitic > 0)
        return at + clitic;
    PieceClass class = class_at(text, size, at, &end), after = class_at(text, size, end, &next);
    bool leads = p->leads && class != PIECE_NUMBER && !is_line_end(text[at]);
    if (class == PIECE_LETTER || (leads && after == PIECE_LETTER))
        return run_end(text, size, end, PIECE_LETTER, INT_MAX);
    if (class == PIECE_BLANK) {
        bool joins = text[at] == ' ' && after != PIECE_BLANK && after != PIECE_NONE &&
                     (after != PIECE_NUMBER || !p->leads);
        if (!joins)
            return blanks_end(text, size, at, p->leads);
        class = after;
        end = next;
    }
    end = run_end(text, size, end, class,
                  class == PIECE_NUMBER && p->digits > 0 ? p->digits - 1 : INT_MAX);
    while (class == PIECE_OTHER && p->leads && end < size && is_line_end(text[end]))
        end++;
    return end;
}
