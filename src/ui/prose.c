#include "ui/prose.h"

#include <stdbool.h>
#include <string.h>

#include "ui/formula.h"

#define LINE_HEIGHT 1.45f /* line height as a multiple of the letter size */
/* Factor for the size of formulas: letters of STIX are smaller than those of Inter. */
#define FORMULA_SIZE 1.12f

/* A run of words with the blanks around them, or a single mathematical name. */
typedef struct Piece {
    const char *text;
    size_t bytes;
    bool is_name;
} Piece;

static bool is_name(const char *word, size_t bytes) {
    static const char transposed[] = "ᵀ";
    const size_t length = sizeof transposed - 1;
    bool is_transposed = bytes > length && memcmp(word + bytes - length, transposed, length) == 0;
    return bytes > 1 &&
           (memchr(word, '_', bytes) != NULL || memchr(word, '^', bytes) != NULL || is_transposed);
}

/* Return the number of bytes of a word without the punctuation after it. */
static size_t word_bytes(const char *text, size_t bytes) {
    size_t end = 0;
    while (end < bytes && text[end] != ' ')
        end++;
    while (end > 1 && strchr(".,:;", text[end - 1]) != NULL)
        end--;
    return end;
}

static bool is_letter(const char *text) {
    return ((text[0] | 0x20) >= 'a' && (text[0] | 0x20) <= 'z') && text[1] == '\0';
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

static float piece_width(const Ui *ui, const LabelStyle *style, const Piece *piece) {
    if (!piece->is_name)
        return label_width(ui, style->font, style->size, piece->text, piece->bytes);
    FormulaStyle formula = {.size = style->size * FORMULA_SIZE};
    return formula_measure(ui, &formula, piece->text, piece->bytes).width;
}

static float bytes_width(const Ui *ui, const LabelStyle *style, const char *text, size_t bytes) {
    Piece piece;
    float width = 0;
    while (piece_next(&piece, &text, &bytes))
        width += piece_width(ui, style, &piece);
    return width;
}

float prose_width(const Ui *ui, const LabelStyle *style, const char *text) {
    if (is_letter(text))
        return formula_width(ui, style->size * FORMULA_SIZE, text);
    return bytes_width(ui, style, text, strlen(text));
}

static void piece_draw(Ui *ui, Rect rect, const LabelStyle *style, const Piece *piece) {
    if (!piece->is_name) {
        LabelStyle words = *style;
        words.align = LABEL_LEFT;
        rect.w += 1;
        label_draw_bytes(ui, rect, &words, piece->text, piece->bytes);
        return;
    }
    float scale = ui->list->scale;
    FontMetrics m = ui->measure->metrics(ui->measure->context, style->font, style->size * scale);
    FormulaStyle formula = {.size = style->size * FORMULA_SIZE, .colour = style->colour};
    Vec2 at = {rect.x, rect.y + rect.h / 2 + m.cap_height / scale / 2};
    formula_set(ui, at, &formula, piece->text, piece->bytes);
}

/* Draw text, smaller if it is too wide. If it is still too wide, cut it like a label, and do not
 * draw names in it as formulas. */
static float bytes_draw(Ui *ui, Rect rect, const LabelStyle *usual, const char *text,
                        size_t bytes) {
    LabelStyle small = *usual, *style = &small;
    small.size = label_shrunk(style->size, bytes_width(ui, style, text, bytes), rect.w);
    float width = bytes_width(ui, style, text, bytes), spare = rect.w - width;
    if (spare < -0.5f)
        return label_draw_bytes(ui, rect, style, text, bytes);
    Piece piece;
    const char *whole = text;
    size_t whole_bytes = bytes;
    rect.x += style->align == LABEL_LEFT ? 0 : style->align == LABEL_RIGHT ? spare : spare / 2;
    while (piece_next(&piece, &text, &bytes)) {
        rect.w = piece_width(ui, style, &piece);
        piece_draw(ui, rect, style, &piece);
        rect.x += rect.w;
    }
    Rect place = {rect.x - width, rect.y, width, rect.h};
    ui_point(ui, place, whole, whole_bytes);
    return width;
}

float prose_draw(Ui *ui, Rect rect, const LabelStyle *style, const char *text) {
    if (is_letter(text)) {
        FormulaStyle formula = {style->size * FORMULA_SIZE, style->colour, style->align};
        return formula_label(ui, rect, &formula, text);
    }
    return bytes_draw(ui, rect, style, text, strlen(text));
}

float prose_wrap(Ui *ui, Rect rect, const LabelStyle *style, const char *text) {
    float line = style->size * LINE_HEIGHT, used = 0;
    while (*text != '\0') {
        size_t bytes = label_line_bytes(ui, style, bytes_width, text, rect.w);
        bytes_draw(ui, (Rect){rect.x, rect.y + used, rect.w, line}, style, text, bytes);
        used += line;
        text += bytes;
        text += strspn(text, " ");
    }
    return used;
}

int prose_lines(const Ui *ui, const LabelStyle *style, const char *text, float width) {
    int lines = 0;
    for (; *text != '\0'; lines++) {
        text += label_line_bytes(ui, style, bytes_width, text, width);
        text += strspn(text, " ");
    }
    return lines;
}

void prose_heading(Ui *ui, Rect *rest, const LabelStyle *style, float height, const char *text) {
    float wanted = prose_width(ui, style, text);
    if (wanted <= rest->w || label_shrunk(style->size, wanted, rest->w) < style->size) {
        prose_draw(ui, rect_cut_top(rest, height), style, text);
        return;
    }
    float line = style->size * LINE_HEIGHT;
    int more = prose_lines(ui, style, text, rest->w) - 1;
    Rect lines = rect_cut_top(rest, height + (float)more * line);
    lines.y += (height - line) / 2;
    prose_wrap(ui, lines, style, text);
}
