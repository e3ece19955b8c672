#include "ui/label.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "draw/bidi.h"

#define LABEL_SHRINK 0.8f /* smallest factor by which text is made smaller to fit */
#define LABEL_LEAST  13   /* smallest letter size to which text is made smaller */

float label_width(const Ui *ui, Font font, float size, const char *text, size_t bytes) {
    float scale = ui->list->scale;
    return ui->measure->width(ui->measure->context, font, size * scale, text, bytes) / scale;
}

/* Draw text that fits. `width` is its width, `at` the left end of its baseline. */
static void label_run(Ui *ui, Vec2 at, const LabelStyle *style, TextDirection direction,
                      const char *text, size_t bytes, float width) {
    DrawText run = {.at = at,
                    .size = style->size,
                    .font = style->font,
                    .direction = direction,
                    .colour = style->colour};
    draw_text_run(ui->list, &run, text, bytes);
    Rect place = {at.x, at.y - style->size, width, style->size * 1.2f};
    ui_point(ui, place, text, bytes);
}

/* Write the longest prefix of text that fits into width together with an ellipsis. Return its
 * number of bytes. */
static size_t label_cut(const Ui *ui, char out[LABEL_CUT_MAX], const LabelStyle *style,
                        const char *text, size_t bytes, float width) {
    size_t low = 0, high = bytes < LABEL_CUT_MAX - 4 ? bytes : LABEL_CUT_MAX - 4;
    while (low < high) {
        size_t middle = utf8_next(text, bytes, utf8_floor(text, bytes, (low + high) / 2));
        middle = middle > high ? high : middle;
        memcpy(out, text, middle);
        memcpy(out + middle, "…", strlen("…"));
        bool fits = label_width(ui, style->font, style->size, out, middle + 3) <= width;
        size_t below = utf8_previous(text, bytes, middle);
        if (fits)
            low = middle;
        else
            high = below > low ? below : low;
    }
    low = utf8_floor(text, bytes, low);
    memcpy(out, text, low);
    memcpy(out + low, "…", strlen("…"));
    return low + strlen("…");
}

const char *label_fit(const Ui *ui, char room[LABEL_CUT_MAX], const LabelStyle *style,
                      const char *text, size_t *bytes, float width) {
    if (label_width(ui, style->font, style->size, text, *bytes) <= width + 0.5f)
        return text;
    *bytes = label_cut(ui, room, style, text, *bytes, width);
    if (label_width(ui, style->font, style->size, room, *bytes) > width + 0.5f)
        *bytes = 0;
    return room;
}

float label_shrunk(float size, float wanted, float width) {
    float least = fmaxf(LABEL_SHRINK * size, fminf(LABEL_LEAST, size));
    float fits = wanted > width + 0.5f ? size * width / wanted : size;
    return fits >= least ? fits : size;
}

static float line_draw(Ui *ui, Rect rect, const LabelStyle *usual, TextDirection direction,
                       const char *text, size_t bytes) {
    char room[LABEL_CUT_MAX];
    LabelStyle small = *usual, *style = &small;
    float wanted = label_width(ui, style->font, style->size, text, bytes);
    small.size = label_shrunk(style->size, wanted, rect.w);
    text = label_fit(ui, room, style, text, &bytes, rect.w);
    float width = label_width(ui, style->font, style->size, text, bytes);
    float scale = ui->list->scale;
    FontMetrics m = ui->measure->metrics(ui->measure->context, style->font, style->size * scale);
    float spare = rect.w - width;
    float shift = style->align == LABEL_LEFT ? 0 : style->align == LABEL_RIGHT ? spare : spare / 2;
    Vec2 at = {rect.x + shift, rect.y + rect.h / 2 + m.cap_height / scale / 2};
    label_run(ui, at, style, direction, text, bytes, width);
    return width;
}

float label_draw_bytes(Ui *ui, Rect rect, const LabelStyle *usual, const char *text, size_t bytes) {
    return line_draw(ui, rect, usual, TEXT_AUTO, text, bytes);
}

float label_draw(Ui *ui, Rect rect, const LabelStyle *style, const char *text) {
    return label_draw_bytes(ui, rect, style, text, strlen(text));
}

float label_at(Ui *ui, Vec2 at, const LabelStyle *style, const char *text) {
    float width = label_width(ui, style->font, style->size, text, strlen(text));
    if (style->align == LABEL_RIGHT)
        at.x -= width;
    if (style->align == LABEL_CENTRE)
        at.x -= width / 2;
    label_run(ui, at, style, TEXT_AUTO, text, strlen(text), width);
    return width;
}

void label_turned(Ui *ui, Vec2 at, float angle_rad, const LabelStyle *style, const char *text) {
    DrawText run = {.at = at,
                    .size = style->size,
                    .angle_rad = angle_rad,
                    .font = style->font,
                    .colour = style->colour};
    draw_text_run(ui->list, &run, text, strlen(text));
}

static float plain_width(const Ui *ui, const LabelStyle *style, const char *text, size_t bytes) {
    return label_width(ui, style->font, style->size, text, bytes);
}

/* Return the number of bytes of a word that fit on one line: all if the word fits or can be made
 * smaller to fit, otherwise the part that fits, at least one character. */
static size_t word_part(const Ui *ui, const LabelStyle *style, LabelMeasure *measure,
                        const char *text, size_t size, float width) {
    float wanted = measure(ui, style, text, size);
    size_t fits = utf8_next(text, size, 0), next = fits;
    if (wanted <= width || label_shrunk(style->size, wanted, width) < style->size)
        return size;
    while (next < size && measure(ui, style, text, next) <= width) {
        fits = next;
        next = utf8_next(text, size, next);
    }
    return fits;
}

size_t label_line_bytes(const Ui *ui, const LabelStyle *style, LabelMeasure *measure,
                        const char *text, float width) {
    size_t fits = 0, at = 0, size = strlen(text);
    while (at < size) {
        size_t end = at + strcspn(text + at, " ");
        if (fits > 0 && measure(ui, style, text, end) > width)
            break;
        fits = at > 0 ? end : word_part(ui, style, measure, text, end, width);
        if (fits < end)
            break;
        at = end + strspn(text + end, " ");
    }
    return fits;
}

int label_lines(const Ui *ui, const LabelStyle *style, const char *text, float width) {
    int lines = 0;
    for (; *text != '\0'; lines++) {
        text += label_line_bytes(ui, style, plain_width, text, width);
        text += strspn(text, " ");
    }
    return lines;
}

/* Give every line the direction and the side of the whole text, not those of the line's own first
 * letter. */
float label_wrap(Ui *ui, Rect rect, const LabelStyle *usual, const char *text) {
    TextDirection direction = bidi_direction(text, strlen(text));
    LabelStyle aligned = *usual, *style = &aligned;
    if (direction == TEXT_RTL && style->align == LABEL_LEFT)
        style->align = LABEL_RIGHT;
    float line = style->size * LABEL_LINE, used = 0;
    while (*text != '\0') {
        size_t bytes = label_line_bytes(ui, style, plain_width, text, rect.w);
        Rect row = {rect.x, rect.y + used, rect.w, line};
        line_draw(ui, row, style, direction, text, bytes);
        used += line;
        text += bytes;
        text += strspn(text, " ");
    }
    return used;
}
