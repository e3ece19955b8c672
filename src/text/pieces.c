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

static bool is_blank(uint32_t c) {
    return c == ' ' || (c >= '\t' && c <= '\r') || c == 0x85;
}

static PieceClass class_of(uint32_t c) {
    if (is_blank(c))
        return PIECE_BLANK;
    switch (utf8proc_category((utf8proc_int32_t)c)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
        return PIECE_LETTER;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
        return PIECE_NUMBER;
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
        return PIECE_BLANK;
    default:
        return PIECE_OTHER;
    }
}

bool piece_is_blank(uint32_t c) {
    return class_of(c) == PIECE_BLANK;
}

/* Return the class of the character at `at` and set *end to its end; PIECE_NONE past the last. */
static PieceClass class_at(const char *text, size_t size, size_t at, size_t *end) {
    size_t bytes = 0;
    *end = at;
    if (at >= size)
        return PIECE_NONE;
    if ((text[at] >= 'a' && text[at] <= 'z') || (text[at] >= 'A' && text[at] <= 'Z')) {
        *end = at + 1;
        return PIECE_LETTER;
    }
    uint32_t c = utf8_decode(text, size, at, &bytes);
    *end = at + bytes;
    return class_of(c);
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

/* Return the end of the blanks at `at`, without the last of several if text follows. */
static size_t blanks_end(const char *text, size_t size, size_t at) {
    size_t end = at, last = at, next;
    while (class_at(text, size, end, &next) == PIECE_BLANK) {
        last = end;
        end = next;
    }
    return end == size || last == at ? end : last;
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

/* Return the end after the last line end among the blanks at `at`; `at` if they have none. */
static size_t lines_end(const char *text, size_t size, size_t at) {
    size_t end = at, last = at, next;
    for (; class_at(text, size, end, &next) == PIECE_BLANK; end = next)
        last = is_line_end(text[end]) ? next : last;
    return last;
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
        size_t lines = p->leads ? lines_end(text, size, at) : at;
        if (!joins)
            return lines > at ? lines : blanks_end(text, size, at);
        class = after;
        end = next;
    }
    end = run_end(text, size, end, class,
                  class == PIECE_NUMBER && p->digits > 0 ? p->digits - 1 : INT_MAX);
    while (class == PIECE_OTHER && p->leads && end < size && is_line_end(text[end]))
        end++;
    return end;
}
