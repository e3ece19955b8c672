#include "ui/formula.h"

#include <string.h>

#include "base/utf8.h"
#include "ui/label.h"

#define SCRIPT_SIZE 0.70f
#define SCRIPT_DROP 0.20f
#define SCRIPT_RISE 0.38f

/* The pen: where the next piece goes, and whether it leaves ink. */
typedef struct Pen {
    Ui *ui;
    Colour colour;
    bool ink;
} Pen;

static float formula_span(Pen *pen, Vec2 at, float size, const char *markup, size_t bytes);

static float pen_write(Pen *pen, Vec2 at, Font font, float size, const char *text, size_t bytes) {
    if (pen->ink) {
        DrawText run = {.at = at, .size = size, .font = font, .colour = pen->colour};
        draw_text_run(pen->ui->list, &run, text, bytes);
    }
    return label_width(pen->ui, font, size, text, bytes);
}

/* The argument that starts at at: one character, or what a pair of braces holds. *next is behind
 * it. */
static size_t argument(const char *markup, size_t bytes, size_t at, size_t *from, size_t *next) {
    if (at < bytes && markup[at] == '{') {
        size_t end = at + 1;
        for (int depth = 1; end < bytes; end++) {
            depth += markup[end] == '{' ? 1 : markup[end] == '}' ? -1 : 0;
            if (depth == 0)
                break;
        }
        *from = at + 1;
        *next = end < bytes ? end + 1 : bytes;
        return end - at - 1;
    }
    *from = at;
    *next = utf8_next(markup, bytes, at);
    return *next - at;
}

static float pen_script(Pen *pen, Vec2 at, float size, bool raised, const char *markup,
                        size_t bytes, size_t *next) {
    size_t from, count = argument(markup, bytes, *next, &from, next);
    float shift = size * (raised ? -SCRIPT_RISE : SCRIPT_DROP);
    Vec2 origin = {at.x + size * 0.03f, at.y + shift};
    return formula_span(pen, origin, size * SCRIPT_SIZE, markup + from, count) + size * 0.05f;
}

static float pen_radical(Pen *pen, Vec2 at, float size, const char *markup, size_t bytes,
                         size_t *next) {
    size_t from, count = argument(markup, bytes, *next, &from, next);
    float sign = pen_write(pen, at, FONT_MATH, size, "√", strlen("√"));
    float inner = formula_span(pen, (Vec2){at.x + sign, at.y}, size, markup + from, count);
    if (pen->ink) {
        float y = at.y - size * 0.79f, left = at.x + sign - size * 0.04f;
        draw_line(pen->ui->list, (Vec2){left, y}, (Vec2){at.x + sign + inner, y}, size * 0.05f,
                  pen->colour);
    }
    return sign + inner;
}

static bool is_variable(uint32_t c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= 0x3B1 && c <= 0x3C9);
}

/* The bytes from at that are set in one face: letters, or anything that is no letter or markup. */
static size_t plain_run(const char *markup, size_t bytes, size_t at, bool *italic) {
    size_t end = at, length;
    *italic = is_variable(utf8_decode(markup, bytes, at, &length));
    while (end < bytes && strchr("_^\"{}", markup[end]) == NULL) {
        uint32_t c = utf8_decode(markup, bytes, end, &length);
        if (is_variable(c) != *italic || (c == 0x221A && end > at))
            break;
        end += length;
    }
    return end - at;
}

static float pen_quoted(Pen *pen, Vec2 at, float size, const char *markup, size_t bytes,
                        size_t *next) {
    const char *close = memchr(markup + *next, '"', bytes - *next);
    size_t count = close != NULL ? (size_t)(close - markup) - *next : bytes - *next;
    float width = pen_write(pen, at, FONT_MATH, size, markup + *next, count);
    *next += count + (close != NULL);
    return width;
}

static float formula_span(Pen *pen, Vec2 start, float size, const char *markup, size_t bytes) {
    size_t at = 0;
    Vec2 pen_at = start;
    while (at < bytes) {
        size_t length;
        uint32_t c = utf8_decode(markup, bytes, at, &length);
        if (c == '_' || c == '^') {
            at += 1;
            pen_at.x += pen_script(pen, pen_at, size, c == '^', markup, bytes, &at);
        } else if (c == 0x221A && at + length < bytes && markup[at + length] == '{') {
            at += length;
            pen_at.x += pen_radical(pen, pen_at, size, markup, bytes, &at);
        } else if (c == '"') {
            at += 1;
            pen_at.x += pen_quoted(pen, pen_at, size, markup, bytes, &at);
        } else if (c == '{' || c == '}') {
            at += 1;
        } else {
            bool italic;
            size_t run = plain_run(markup, bytes, at, &italic);
            run = run > 0 ? run : length;
            pen_at.x += pen_write(pen, pen_at, italic ? FONT_MATH_ITALIC : FONT_MATH, size,
                                  markup + at, run);
            at += run;
        }
    }
    return pen_at.x - start.x;
}

float formula_width(Ui *ui, float size, const char *markup) {
    Pen pen = {ui, 0, false};
    return formula_span(&pen, (Vec2){0, 0}, size, markup, strlen(markup));
}

float formula_draw(Ui *ui, Vec2 at, float size, Colour colour, const char *markup) {
    Pen pen = {ui, colour, true};
    return formula_span(&pen, at, size, markup, strlen(markup));
}
