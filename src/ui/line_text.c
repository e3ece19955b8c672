#include "ui/line_text.h"

#include <string.h>
#include <utf8proc.h>

#include "base/utf8.h"
#include "draw/bidi.h"

/* number of bytes before the caret at which the search for graphemes begins */
#define LOOK_BACK 64
#define STEP_MAX  2048 /* maximum bytes around the caret whose visual order is computed */

typedef enum Kind { KIND_BLANK, KIND_SIGN, KIND_WORD, KIND_HAN, KIND_HIRAGANA, KIND_KATAKANA } Kind;

size_t line_text_next(const char *text, size_t size, size_t at) {
    size_t length;
    int32_t state = 0;
    if (at >= size)
        return size;
    int32_t before = (int32_t)utf8_decode(text, size, at, &length);
    at += length;
    while (at < size) {
        int32_t after = (int32_t)utf8_decode(text, size, at, &length);
        if (utf8proc_grapheme_break_stateful(before, after, &state))
            break;
        before = after;
        at += length;
    }
    return at;
}

size_t line_text_previous(const char *text, size_t size, size_t at) {
    size_t start = at > LOOK_BACK ? utf8_floor(text, size, at - LOOK_BACK) : 0, last = start;
    if (at == 0)
        return 0;
    for (size_t next = start; next < at && next < size; next = line_text_next(text, size, next))
        last = next;
    return last;
}

size_t line_text_floor(const char *text, size_t size, size_t at) {
    return at < size ? line_text_previous(text, size, at + 1) : size;
}

static Kind kind_of_category(utf8proc_category_t category) {
    switch (category) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
        return KIND_WORD;
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_CC:
        return KIND_BLANK;
    default:
        return KIND_SIGN;
    }
}

/* Apostrophes and underscores belong to words. */
static Kind kind_at(const char *text, size_t size, size_t at) {
    size_t length;
    uint32_t c = utf8_decode(text, size, at, &length);
    if (c == '_' || c == '\'' || c == 0x2019)
        return KIND_WORD;
    if (c >= 0x3041 && c <= 0x309F)
        return KIND_HIRAGANA;
    if (c >= 0x30A1 && c <= 0x30FF)
        return KIND_KATAKANA;
    bool is_han = (c >= 0x3400 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) ||
                  (c >= 0x20000 && c <= 0x3FFFF) || c == 0x3005;
    return is_han ? KIND_HAN : kind_of_category(utf8proc_category((utf8proc_int32_t)c));
}

size_t line_text_word_next(const char *text, size_t size, size_t at) {
    if (at < size)
        for (Kind kind = kind_at(text, size, at); at < size && kind_at(text, size, at) == kind;)
            at = line_text_next(text, size, at);
    while (at < size && kind_at(text, size, at) == KIND_BLANK)
        at = line_text_next(text, size, at);
    return at;
}

static Kind kind_before(const char *text, size_t size, size_t at) {
    return kind_at(text, size, line_text_previous(text, size, at));
}

size_t line_text_word_previous(const char *text, size_t size, size_t at) {
    while (at > 0 && kind_before(text, size, at) == KIND_BLANK)
        at = line_text_previous(text, size, at);
    if (at > 0)
        for (Kind kind = kind_before(text, size, at);
             at > 0 && kind_before(text, size, at) == kind;)
            at = line_text_previous(text, size, at);
    return at;
}

void line_text_word_at(size_t *from, size_t *to, const char *text, size_t size, size_t at) {
    *from = *to = at;
    if (size == 0)
        return;
    size_t probe = at < size ? at : line_text_previous(text, size, size);
    Kind kind = kind_at(text, size, probe);
    for (*from = probe; *from > 0 && kind_before(text, size, *from) == kind;)
        *from = line_text_previous(text, size, *from);
    for (*to = probe; *to < size && kind_at(text, size, *to) == kind;)
        *to = line_text_next(text, size, *to);
}

/* The graphemes around a caret, in visual order. */
typedef struct Visual {
    size_t at[STEP_MAX + 1]; /* start of each grapheme; after the last one, its end */
    uint8_t levels[STEP_MAX];
    int order[STEP_MAX];
    int count;
} Visual;

static void find_visual(Visual *visual, const char *text, size_t size, size_t caret) {
    uint8_t levels[STEP_MAX];
    size_t from = caret > STEP_MAX / 2 ? caret - STEP_MAX / 2 : 0;
    from = line_text_floor(text, size, from);
    size_t to = from + STEP_MAX < size ? line_text_floor(text, size, from + STEP_MAX) : size;
    to = to > from + STEP_MAX ? from + STEP_MAX : to;
    bidi_levels(levels, text + from, to - from, TEXT_AUTO);
    visual->count = 0;
    for (size_t at = from; at < to; at = line_text_next(text, to, at)) {
        visual->levels[visual->count] = levels[at - from];
        visual->at[visual->count++] = at;
    }
    visual->at[visual->count] = to;
    bidi_order(visual->order, visual->levels, visual->count);
}

/* Return the place of the caret on screen: the number of graphemes to its left. */
static int gap_of(const Visual *visual, size_t caret, bool leads) {
    int here = 0;
    while (here < visual->count && visual->at[here] < caret)
        here++;
    bool before = here == visual->count || (here > 0 && !leads);
    int grapheme = before ? here - 1 : here;
    for (int place = 0; place < visual->count; place++)
        if (visual->order[place] == grapheme)
            return place + ((visual->levels[grapheme] % 2 == 0) == before);
    return 0;
}

/* Move the caret past the next grapheme on the given side, to which the caret then belongs. */
size_t line_text_step(const char *text, size_t size, size_t at, bool *leads, bool right) {
    if (!bidi_is_needed(text, size)) {
        *leads = false;
        return right ? line_text_next(text, size, at) : line_text_previous(text, size, at);
    }
    Visual visual = {0};
    find_visual(&visual, text, size, at);
    int gap = gap_of(&visual, at, *leads);
    if (right ? gap >= visual.count : gap <= 0)
        return at;
    int passed = visual.order[right ? gap : gap - 1];
    bool is_rtl = visual.levels[passed] % 2 == 1;
    *leads = is_rtl == right;
    return is_rtl == right ? visual.at[passed] : visual.at[passed + 1];
}

bool line_text_is_rtl(const char *text, size_t size, size_t at) {
    if (!bidi_is_needed(text, size))
        return false;
    uint8_t levels[STEP_MAX];
    size_t from = at > STEP_MAX / 2 ? utf8_floor(text, size, at - STEP_MAX / 2) : 0;
    size_t bytes = size - from < STEP_MAX ? size - from : STEP_MAX;
    bidi_levels(levels, text + from, bytes, TEXT_AUTO);
    size_t probe = at > from ? at - 1 - from : 0;
    return probe < bytes && levels[probe] % 2 == 1;
}
