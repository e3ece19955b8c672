#include "text/steps.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/heap.h"
#include "base/utf8.h"
#include "base/util.h"
#include "text/grapheme.h"

/* A text of n bytes may grow to at most FLOW_GROWTH·n + FLOW_MORE bytes. */
#define FLOW_GROWTH 32
#define FLOW_MORE   4096

void flow_release(Flow *flow) {
    free(flow->text);
    free(flow->spots);
    *flow = (Flow){0};
}

/* Append bytes that replace the range from..to of the original text. */
static void flow_put(Flow *out, const char *bytes, size_t count, uint32_t from, uint32_t to) {
    size_t size = out->size + count, room = out->room > 0 ? out->room : 256;
    while (room < size)
        room *= 2;
    out->failed = out->failed || size > FLOW_MORE + (size_t)to * FLOW_GROWTH;
    if (!out->failed && room > out->room) {
        char *text = heap_resize(out->text, room);
        out->text = text != NULL ? text : out->text;
        FlowSpot *spots = heap_resize(out->spots, room * sizeof *spots);
        out->spots = spots != NULL ? spots : out->spots;
        out->failed = text == NULL || spots == NULL;
        out->room = out->failed ? out->room : room;
    }
    for (size_t i = 0; i < count && !out->failed; i++, out->begins = false) {
        out->text[out->size] = bytes[i];
        out->spots[out->size++] = (FlowSpot){from, to, out->begins};
    }
}

void flow_start(Flow *out, const char *text, size_t at, size_t end) {
    out->begins = true;
    for (; at < end; at++)
        flow_put(out, text + at, 1, (uint32_t)at, (uint32_t)at + 1);
}

/* Append the bytes at..end of another flow, each with its range of the original text. */
static void flow_copy(Flow *out, const Flow *in, size_t at, size_t end) {
    for (; at < end; at++)
        flow_put(out, in->text + at, 1, in->spots[at].from, in->spots[at].to);
}

void flow_cut(Flow *out, const Flow *in, size_t at, size_t end) {
    out->begins = true;
    flow_copy(out, in, at, end);
}

size_t flow_piece_end(const Flow *flow, size_t at) {
    for (at++; at < flow->size && !flow->spots[at].begins;)
        at++;
    return at;
}

/* Append bytes that replace a range of `in`. If the bytes are unchanged, each keeps its own range
 * of the original text. */
static void put(Flow *out, const Flow *in, size_t at, size_t end, const char *bytes, size_t count) {
    if (count == end - at && memcmp(in->text + at, bytes, count) == 0)
        flow_copy(out, in, at, end);
    else
        flow_put(out, bytes, count, in->spots[at].from, in->spots[end - 1].to);
}

/* Maximum bytes that are normalised at once; a longer grapheme is done in parts. */
#define FORM_BYTES 128
/* Room for the result. ASCII does not change, so at most 64 characters in FORM_BYTES do, and each
 * becomes at most 18 code points. */
#define FORM_POINTS 2048

#define CHARSMAP_FORM_MAX 255 /* a longer replacement, in bytes, is not used */

/* Work by graphemes, because normal forms join and reorder characters only within a grapheme. */
void step_form(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step) {
    utf8proc_int32_t points[FORM_POINTS];
    char bytes[4 * FORM_POINTS];
    utf8proc_option_t form = (utf8proc_option_t)step->form;
    if (utf8_is_ascii(in->text + at, end - at)) {
        flow_copy(out, in, at, end);
        return;
    }
    for (size_t next, used = 0; at < end; at = next, used = 0) {
        const char *text = in->text + at;
        size_t most = end - at > FORM_BYTES ? utf8_floor(text, end - at, FORM_BYTES) : end - at;
        size_t size = grapheme_at(text, most, 0).bytes;
        next = at + size;
        utf8proc_ssize_t count = utf8proc_decompose(
            (const utf8proc_uint8_t *)text, (utf8proc_ssize_t)size, points, FORM_POINTS, form);
        if (count >= 0 && count <= FORM_POINTS)
            count = utf8proc_normalize_utf32(points, count, form);
        out->failed = out->failed || count < 0 || count > FORM_POINTS;
        for (utf8proc_ssize_t i = 0; i < count && !out->failed; i++)
            used += utf8_encode(bytes + used, (uint32_t)points[i]);
        put(out, in, at, next, bytes, used);
    }
}

void step_pattern(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step) {
    for (size_t next; at < end; at = next) {
        next = piece_end(&step->pattern, in->text, end, at);
        out->begins = true;
        flow_copy(out, in, at, next);
    }
}

void step_cut(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step) {
    StepCut before = STEP_ALONE;
    for (size_t bytes; at < end; at += bytes) {
        StepCut now = step->cut(utf8_decode(in->text, end, at, &bytes));
        out->begins = out->begins || now != before || now == STEP_ALONE;
        if (now != STEP_DROP)
            flow_copy(out, in, at, at + bytes);
        before = now;
    }
}

static utf8proc_category_t category(uint32_t c) {
    return utf8proc_category((utf8proc_int32_t)c);
}

static bool is_within(uint32_t c, utf8proc_category_t first, utf8proc_category_t last) {
    return category(c) >= first && category(c) <= last;
}

static bool is_number(uint32_t c) {
    return is_within(c, UTF8PROC_CATEGORY_ND, UTF8PROC_CATEGORY_NO);
}

StepCut cut_digits(uint32_t c) {
    return is_number(c) ? STEP_OTHER_RUN : STEP_RUN;
}

StepCut cut_each_digit(uint32_t c) {
    return is_number(c) ? STEP_ALONE : STEP_RUN;
}

StepCut cut_blanks(uint32_t c) {
    return piece_is_blank(c) ? STEP_DROP : STEP_RUN;
}

StepCut cut_punctuation(uint32_t c) {
    bool is_ascii_mark = (c >= '!' && c <= '/') || (c >= ':' && c <= '@') ||
                         (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
    return is_ascii_mark || is_within(c, UTF8PROC_CATEGORY_PC, UTF8PROC_CATEGORY_PO) ? STEP_ALONE
                                                                                     : STEP_RUN;
}

StepCut cut_bert(uint32_t c) {
    return piece_is_blank(c) ? STEP_DROP : cut_punctuation(c);
}

/* Classify characters as the regular expression \w does. \w matches letters, marks, letter-like and
 * decimal numbers, connectors, joiners, and those symbols that Unicode calls alphabetic: letters in
 * circles and squares. */
StepCut cut_words(uint32_t c) {
    bool circled = (c >= 0x24B6 && c <= 0x24E9) || (c >= 0x1F130 && c <= 0x1F149) ||
                   (c >= 0x1F150 && c <= 0x1F169) || (c >= 0x1F170 && c <= 0x1F189);
    bool word = is_within(c, UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_NL) ||
                category(c) == UTF8PROC_CATEGORY_PC || c == 0x200C || c == 0x200D || circled;
    return piece_is_blank(c) ? STEP_DROP : word ? STEP_RUN : STEP_OTHER_RUN;
}

void step_map(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step) {
    char bytes[16];
    for (size_t length; at < end; at += length) {
        uint32_t c = utf8_decode(in->text, end, at, &length);
        put(out, in, at, at + length, bytes, step->map(bytes, c));
    }
}

size_t map_lower(char out[16], uint32_t c) {
    size_t bytes = utf8_encode(out, (uint32_t)utf8proc_tolower((utf8proc_int32_t)c));
    /* U+0130 is the only character whose lower case has two code points. */
    return c == 0x130 ? bytes + utf8_encode(out + bytes, 0x307) : bytes;
}

size_t map_marks(char out[16], uint32_t c) {
    return category(c) == UTF8PROC_CATEGORY_MN ? 0 : utf8_encode(out, c);
}

size_t map_all_marks(char out[16], uint32_t c) {
    return is_combining_mark(c) ? 0 : utf8_encode(out, c);
}

size_t map_clean(char out[16], uint32_t c) {
    if (piece_is_blank(c) &&
        (c == '\t' || c == '\n' || c == '\r' || category(c) != UTF8PROC_CATEGORY_CC))
        return utf8_encode(out, ' ');
    bool drops = c == UTF8_REPLACEMENT || category(c) == UTF8PROC_CATEGORY_CN ||
                 is_within(c, UTF8PROC_CATEGORY_CC, UTF8PROC_CATEGORY_CO);
    return drops ? 0 : utf8_encode(out, c);
}

size_t map_han(char out[16], uint32_t c) {
    static const uint32_t RANGES[][2] = {{0x4E00, 0x9FFF},   {0x3400, 0x4DBF},   {0x20000, 0x2A6DF},
                                         {0x2A700, 0x2B73F}, {0x2B740, 0x2B81F}, {0x2B920, 0x2CEAF},
                                         {0xF900, 0xFAFF},   {0x2F800, 0x2FA1F}};
    bool han = false;
    for (size_t i = 0; i < ARRAY_COUNT(RANGES); i++)
        han = han || (c >= RANGES[i][0] && c <= RANGES[i][1]);
    size_t used = han + utf8_encode(out + han, c);
    out[0] = han ? ' ' : out[0];
    out[used] = ' ';
    return used + han;
}

static bool has_at(const Flow *in, size_t at, size_t end, const VocabularyStep *step) {
    return step->from_bytes > 0 && step->from_bytes <= end - at &&
           memcmp(in->text + at, step->from, step->from_bytes) == 0;
}

void step_lead(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step) {
    uint32_t from = in->spots[at].from;
    if (!has_at(in, at, end, step) && (from == 0 || !step->only_first))
        flow_put(out, step->to, step->to_bytes, from, from);
    flow_copy(out, in, at, end);
}

void step_replace(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step) {
    for (size_t next; at < end; at = next) {
        next = at;
        while (has_at(in, next, end, step) && (step->left || next == at))
            next += step->from_bytes;
        if (next == at || (step->left && next == at + step->from_bytes)) {
            next = next == at ? at + 1 : next;
            flow_copy(out, in, at, next);
            continue;
        }
        flow_put(out, step->to, step->to_bytes, in->spots[at].from, in->spots[next - 1].to);
    }
}

void step_cut_at(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step) {
    for (size_t next; at < end; at = next) {
        bool found = has_at(in, at, end, step);
        next = at + (found ? step->from_bytes : 1);
        out->begins = out->begins || (found && step->left);
        flow_copy(out, in, at, next);
        out->begins = found && step->right;
    }
}

void step_strip(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step) {
    size_t bytes;
    while (step->left && at < end && piece_is_blank(utf8_decode(in->text, end, at, &bytes)))
        at += bytes;
    for (size_t last; step->right && at < end; end = last) {
        last = utf8_previous(in->text, end, end);
        if (!piece_is_blank(utf8_decode(in->text, end, last, &bytes)))
            break;
    }
    flow_copy(out, in, at, end);
}

static uint32_t word_at(const unsigned char *at) {
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Refuse a table without its final NUL, because charsmap_find reads a replacement up to its NUL. */
bool charsmap_take(Charsmap *map, unsigned char *bytes, size_t size) {
    uint32_t trie = size >= 4 ? word_at(bytes) : 1;
    *map = (Charsmap){.bytes = bytes};
    if (trie % 4 != 0 || trie == 0 || trie >= size - 4 || bytes[size - 1] != '\0')
        return false;
    map->units = trie / 4;
    map->form_size = size - 4 - trie;
    return true;
}

static uint32_t offset_of(uint32_t unit) {
    return (unit >> 10) << ((unit & 1u << 9) >> 6);
}

static bool read_unit(uint32_t *out, const Charsmap *map, uint32_t at) {
    *out = at < map->units ? word_at(map->bytes + 4 + 4 * (size_t)at) : 0;
    return at < map->units;
}

/* Return the replacement of the shortest prefix of text that has one, and set *bytes to its length;
 * NULL if no prefix has one, or if the replacement is too long or not UTF-8. */
static const char *charsmap_find(const Charsmap *map, const char *text, size_t size,
                                 size_t *bytes) {
    const char *forms = (const char *)map->bytes + 4 + 4 * map->units;
    uint32_t unit, at = 0;
    if (!read_unit(&unit, map, at))
        return NULL;
    at ^= offset_of(unit);
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        at ^= c;
        if (c == 0 || !read_unit(&unit, map, at) || (unit & (1u << 31 | 0xff)) != c)
            return NULL;
        at ^= offset_of(unit);
        if ((unit >> 8 & 1) == 0)
            continue;
        uint32_t place = read_unit(&unit, map, at) ? unit & ~(1u << 31) : UINT32_MAX;
        if (place >= map->form_size)
            return NULL;
        *bytes = strnlen(forms + place, CHARSMAP_FORM_MAX + 1);
        return *bytes > CHARSMAP_FORM_MAX || utf8_first_invalid(forms + place, *bytes) < *bytes
                   ? NULL
                   : forms + place;
    }
    return NULL;
}

/* Replace a grapheme of at most 5 bytes as a whole if a replacement is found; otherwise replace
 * each of its characters. Hugging Face's library does the same. */
void step_charsmap(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step) {
    for (size_t next; at < end; at = next) {
        size_t bytes, used = grapheme_at(in->text, end, at).bytes;
        next = at + used;
        const char *form =
            used < 6 ? charsmap_find(step->charsmap, in->text + at, used, &bytes) : NULL;
        if (form != NULL) {
            put(out, in, at, next, form, bytes);
            continue;
        }
        for (size_t length; at < next; at += length) {
            utf8_decode(in->text, next, at, &length);
            form = charsmap_find(step->charsmap, in->text + at, length, &bytes);
            if (form != NULL)
                put(out, in, at, at + length, form, bytes);
            else
                flow_copy(out, in, at, at + length);
        }
    }
}
