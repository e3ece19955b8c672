#include "ui/label.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "draw/bidi.h"
#include "ui/formula.h"

#define LABEL_SHRINK 0.8f /* smallest factor by which text is made smaller to fit */
#define LABEL_LEAST  13   /* smallest letter size to which text is made smaller */
/* Factor for the size of formulas: letters of STIX are smaller than those of Inter. */
#define FORMULA_SIZE 1.12f
#define WORD_MAX     2048 /* maximum bytes of a measured word; a longer word is broken */

/* A run of words with the blanks around them, or a single mathematical name. */
typedef struct Piece {
    const char *text;
    size_t bytes;
    bool is_name;
} Piece;

float label_width(const Ui *ui, Font font, float size, const char *text, size_t bytes) {
    float scale = ui->list->scale;
    return ui->measure->width(ui->measure->context, font, size * scale, text, bytes) / scale;
}

static bool is_prose(const LabelStyle *style) {
    return style->align >= LABEL_PROSE;
}

static bool is_name(const char *word, size_t bytes) {
    static const char transposed[] = "ᵀ";
    const size_t length = sizeof transposed - 1;
    bool is_transposed = bytes > length && memcmp(word + bytes - length, transposed, length) == 0;
    return bytes > 1 &&
           (memchr(word, '_', bytes) != NULL || memchr(word, '^', bytes) != NULL || is_transposed);
}

static size_t word_bytes(const char *text, size_t bytes) {
    size_t end = 0;
    while (end < bytes && text[end] != ' ')
        end++;
    while (end > 1 && strchr(".,:;", text[end - 1]) != NULL)
        end--;
    return end;
}

static bool is_letter(const LabelStyle *style, const char *text) {
    return is_prose(style) && ((text[0] | 0x20) >= 'a' && (text[0] | 0x20) <= 'z') &&
           text[1] == '\0';
}

static bool piece_next(Piece *piece, const char **text, size_t *bytes) {
    if (*bytes == 0)
        return false;
    size_t end = word_bytes(*text, *bytes);
    *piece = (Piece){.text = *text, .bytes = end, .is_name = is_name(*text, end)};
    while (!piece->is_name && end < *bytes) {
        size_t next = end + strspn(*text + end, ".,:; ");
        next = next < *bytes ? next : *bytes;
        size_t more = word_bytes(*text + next, *bytes - next);
        piece->bytes = end = next;
        if (is_name(*text + next, more))
            break;
        piece->bytes = end = next + more;
    }
    *text += end;
    *bytes -= end;
    return true;
}

static int align_of(const LabelStyle *style) {
    return style->align % LABEL_PROSE;
}

static FormulaStyle formula_of(const LabelStyle *style) {
    return (FormulaStyle){style->size * FORMULA_SIZE, style->colour, align_of(style)};
}

static float piece_width(const Ui *ui, const LabelStyle *style, const Piece *piece) {
    FormulaStyle formula = formula_of(style);
    return piece->is_name ? formula_measure(ui, &formula, piece->text, piece->bytes).width
                          : label_width(ui, style->font, style->size, piece->text, piece->bytes);
}

static float bytes_width(const Ui *ui, const LabelStyle *style, const char *text, size_t bytes) {
    Piece piece;
    float width = 0;
    if (!is_prose(style))
        return label_width(ui, style->font, style->size, text, bytes);
    while (piece_next(&piece, &text, &bytes))
        width += piece_width(ui, style, &piece);
    return width;
}

float label_text_width(const Ui *ui, const LabelStyle *style, const char *text) {
    return is_letter(style, text) ? formula_width(ui, style->size * FORMULA_SIZE, text)
                                  : bytes_width(ui, style, text, strlen(text));
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

/* Write the longest prefix of text that fits into width with an ellipsis. Return its bytes. */
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

static void pieces_draw(Ui *ui, Vec2 at, const LabelStyle *style, const char *text, size_t bytes) {
    FormulaStyle formula = formula_of(style);
    for (Piece piece; piece_next(&piece, &text, &bytes);) {
        float width = piece_width(ui, style, &piece);
        if (piece.is_name)
            formula_set(ui, at, &formula, piece.text, piece.bytes);
        else
            label_run(ui, at, style, TEXT_AUTO, piece.text, piece.bytes, width);
        at.x += width;
    }
}

/* Draw one line of text. If it must be cut, names in it are not drawn as formulas. */
static float line_draw(Ui *ui, Rect rect, const LabelStyle *usual, TextDirection direction,
                       const char *text, size_t bytes) {
    char room[LABEL_CUT_MAX];
    LabelStyle small = *usual, *style = &small;
    small.size = label_shrunk(style->size, bytes_width(ui, style, text, bytes), rect.w);
    float width = bytes_width(ui, style, text, bytes);
    bool is_cut = width > rect.w + 0.5f;
    if (is_cut) {
        small.size = label_shrunk(style->size,
                                  label_width(ui, style->font, style->size, text, bytes), rect.w);
        text = label_fit(ui, room, style, text, &bytes, rect.w);
        width = label_width(ui, style->font, style->size, text, bytes);
    }
    float scale = ui->list->scale, spare = rect.w - width;
    FontMetrics m = ui->measure->metrics(ui->measure->context, style->font, style->size * scale);
    int align = align_of(style);
    float shift = align == LABEL_LEFT ? 0 : align == LABEL_RIGHT ? spare : spare / 2;
    Vec2 at = {rect.x + shift, rect.y + rect.h / 2 + m.cap_height / scale / 2};
    if (is_cut || !is_prose(style)) {
        label_run(ui, at, style, direction, text, bytes, width);
    } else {
        pieces_draw(ui, at, style, text, bytes);
        ui_point(ui, (Rect){at.x, rect.y, width, rect.h}, text, bytes);
    }
    return width;
}

float label_draw_bytes(Ui *ui, Rect rect, const LabelStyle *usual, const char *text, size_t bytes) {
    return line_draw(ui, rect, usual, TEXT_AUTO, text, bytes);
}

float label_draw(Ui *ui, Rect rect, const LabelStyle *style, const char *text) {
    FormulaStyle formula = formula_of(style);
    if (is_letter(style, text))
        return formula_label(ui, rect, &formula, text);
    return label_draw_bytes(ui, rect, style, text, strlen(text));
}

float label_at(Ui *ui, Vec2 at, const LabelStyle *style, const char *text) {
    float width = label_text_width(ui, style, text);
    if (align_of(style) == LABEL_RIGHT)
        at.x -= width;
    if (align_of(style) == LABEL_CENTRE)
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

/* Return the number of bytes of a word that fit on one line: all if the word fits or can be made
 * smaller to fit, otherwise the part that fits, at least one character. */
static size_t word_part(const Ui *ui, const LabelStyle *style, const char *text, size_t size,
                        float width) {
    size = size > WORD_MAX ? utf8_floor(text, size, WORD_MAX) : size;
    float wanted = bytes_width(ui, style, text, size);
    size_t fits = utf8_next(text, size, 0), next = fits;
    if (wanted <= width || label_shrunk(style->size, wanted, width) < style->size)
        return size;
    while (next < size && bytes_width(ui, style, text, next) <= width) {
        fits = next;
        next = utf8_next(text, size, next);
    }
    return fits;
}

/* Return the number of bytes in the first line of text at this width: the words that fit or, if not
 * even one fits, the part of the first word that fits, at least one character. */
static size_t line_bytes(const Ui *ui, const LabelStyle *style, const char *text, float width) {
    size_t fits = 0, at = 0, size = strlen(text);
    while (at < size) {
        size_t end = at + strcspn(text + at, " ");
        if (fits > 0 && bytes_width(ui, style, text, end) > width)
            break;
        fits = at > 0 ? end : word_part(ui, style, text, end, width);
        if (fits < end)
            break;
        at = end + strspn(text + end, " ");
    }
    return fits;
}

int label_lines(const Ui *ui, const LabelStyle *style, const char *text, float width) {
    int lines = 0;
    for (; *text != '\0'; lines++) {
        text += line_bytes(ui, style, text, width);
        text += strspn(text, " ");
    }
    return lines;
}

float label_shrink(const Ui *ui, LabelStyle *style, const char *text, float width, float height) {
    for (;;) {
        float used = (float)label_lines(ui, style, text, width) * style->size * LABEL_LINE;
        if (used <= height || style->size <= 6)
            return used;
        /* The height grows with the square of the size. */
        style->size = fmaxf(fminf(style->size - 1, style->size * sqrtf(height / used)), 6);
    }
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
        size_t bytes = line_bytes(ui, style, text, rect.w);
        Rect row = {rect.x, rect.y + used, rect.w, line};
        line_draw(ui, row, style, direction, text, bytes);
        used += line;
        text += bytes;
        text += strspn(text, " ");
    }
    return used;
}
