#include "text/steps.h"

#include <string.h>
#include <utf8proc.h>

#include "base/utf8.h"
#include "text/grapheme.h"

static bool is_ascii(const char *text, size_t at, size_t end) {
    while (at < end && (unsigned char)text[at] < 0x80)
        at++;
    return at == end;
}

/* Append bytes for a range of in; unchanged bytes keep their places. */
static void put(Flow *out, const Flow *in, size_t at, size_t end, const char *bytes, size_t count) {
    if (count == end - at && memcmp(in->text + at, bytes, count) == 0)
        flow_copy(out, in, at, end);
    else
        flow_put(out, bytes, count, in->spots[at].from, in->spots[end - 1].to);
}

#define FORM_BYTES  128  /* a longer grapheme is cut */
#define FORM_POINTS 2048 /* no character becomes more than 18 */

/* Normal forms join and reorder characters only within a grapheme. */
void step_form(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step) {
    utf8proc_int32_t points[FORM_POINTS];
    char bytes[4 * FORM_POINTS];
    utf8proc_option_t form = (utf8proc_option_t)step->form;
    if (is_ascii(in->text, at, end)) {
        flow_copy(out, in, at, end);
        return;
    }
    for (size_t next, used = 0; at < end; at = next, used = 0) {
        const char *text = in->text + at;
        size_t size = grapheme_at(in->text, end, at).bytes;
        size = size > FORM_BYTES ? utf8_floor(text, size, FORM_BYTES) : size;
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

static bool is_number(uint32_t c) {
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)c);
    return category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO;
}

static void cut_digits(Flow *out, const Flow *in, size_t at, size_t end, bool each) {
    bool before = false;
    for (size_t next = at, bytes; at < end; at = next) {
        bool number = is_number(utf8_decode(in->text, end, at, &bytes));
        next = at + bytes;
        out->begins = out->begins || number != before || (number && each);
        flow_copy(out, in, at, next);
        before = number;
    }
}

void step_digits(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step) {
    (void)step;
    cut_digits(out, in, at, end, false);
}

void step_each_digit(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step) {
    (void)step;
    cut_digits(out, in, at, end, true);
}

void step_lead(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step) {
    (void)step;
    if (in->text[at] != ' ')
        flow_put(out, " ", 1, in->spots[at].from, in->spots[at].from);
    flow_copy(out, in, at, end);
}
