#include "ui/formula.h"

#include <math.h>
#include <string.h>

#include "ui/formula_layout.h"

/* Height of an accent above the baseline of its own text, as a share of the letter size. */
#define MARK_TOP    0.68f
#define SMALLER     0.95f /* factor by which formula_label reduces the size in each try */
#define SMALLEST    0.6f
#define STROKE_THIN 0.035f

typedef struct Pen {
    Ui *ui;
    const FormulaNode *nodes;
    Colour colour;
} Pen;

static void draw_node(const Pen *pen, int node, Vec2 origin);

static void write(const Pen *pen, Vec2 at, Font font, float size, const char *text, size_t bytes) {
    DrawText run = {.at = at, .size = size, .font = font, .colour = pen->colour};
    draw_text_run(pen->ui->list, &run, text, bytes);
}

/* Draw a horizontal bar on whole device pixels, so that it is sharp. */
static void draw_rule(const Pen *pen, float x, float y, float width, float size) {
    float pixel = 1 / pen->ui->list->scale;
    float thick = fmaxf(pixel, draw_snap(pen->ui->list, FORMULA_RULE * size));
    draw_fill(pen->ui->list, (Rect){x, draw_snap(pen->ui->list, y - thick / 2), width, thick}, 0,
              pen->colour);
}

static void draw_stroke(const Pen *pen, Vec2 from, Vec2 to, float width) {
    draw_line(pen->ui->list, from, to, fmaxf(width, 1 / pen->ui->list->scale), pen->colour);
}

/* Draw half of a parenthesis, from its thin end to its thick middle. */
static void draw_arc(const Pen *pen, Vec2 end, Vec2 middle, float size) {
    float thin = fmaxf(0.03f * size, 1 / pen->ui->list->scale);
    Vec2 knee = {middle.x, end.y + (middle.y - end.y) * 0.45f};
    draw_curve(pen->ui->list, &(DrawCurve){.from = end,
                                           .control_1 = {(end.x + middle.x) / 2,
                                                         end.y + (middle.y - end.y) * 0.15f},
                                           .control_2 = knee,
                                           .to = middle,
                                           .width_from = thin,
                                           .width_to = thin * 2.4f,
                                           .colour_from = pen->colour,
                                           .colour_to = pen->colour});
}

/* Draw a square bracket: a vertical stroke with a foot at each end that points to the contents. */
static void draw_square(const Pen *pen, Rect place, bool opens, float size) {
    float pixel = 1 / pen->ui->list->scale;
    float thick = fmaxf(pixel, draw_snap(pen->ui->list, FORMULA_RULE * size));
    float post = draw_snap(pen->ui->list, opens ? place.x : rect_right(place) - thick);
    float foot = 0.16f * size, left = opens ? post : post + thick - foot;
    float top = draw_snap(pen->ui->list, place.y), bottom = rect_bottom(place);
    bottom = draw_snap(pen->ui->list, bottom) - thick;
    draw_fill(pen->ui->list, (Rect){post, top, thick, bottom + thick - top}, 0, pen->colour);
    draw_fill(pen->ui->list, (Rect){left, top, foot, thick}, 0, pen->colour);
    draw_fill(pen->ui->list, (Rect){left, bottom, foot, thick}, 0, pen->colour);
}

/* Draw a bracket that is as tall as place. A brace is drawn as a parenthesis with a point. */
static void draw_tall(const Pen *pen, Rect place, uint32_t code, float size) {
    bool opens = code == '(' || code == '[' || code == '{';
    float in = rect_right(place) - 0.06f * size, out = place.x + 0.08f * size;
    Vec2 middle = {opens ? out : place.x + place.w - 0.08f * size, place.y + place.h / 2};
    float end_x = opens ? in : place.x + 0.06f * size;
    if (code == '[' || code == ']') {
        Rect inner = rect_inset(place, 0.06f * size, 0);
        draw_square(pen, inner, opens, size);
    } else if (code == '|') {
        draw_stroke(pen, (Vec2){rect_centre(place).x, place.y},
                    (Vec2){rect_centre(place).x, rect_bottom(place)}, FORMULA_RULE * size);
    } else {
        draw_arc(pen, (Vec2){end_x, place.y}, middle, size);
        draw_arc(pen, (Vec2){end_x, rect_bottom(place)}, middle, size);
    }
    if (code == '{' || code == '}')
        draw_stroke(pen, middle, (Vec2){middle.x + (opens ? -0.08f : 0.08f) * size, middle.y},
                    FORMULA_RULE * size);
}

static void draw_bracket(const Pen *pen, const FormulaNode *n, Vec2 at, uint32_t code, bool opens,
                         float width) {
    if (code == 0)
        return;
    float left = opens ? at.x : at.x + n->width - width;
    if (formula_is_tall(n)) {
        draw_tall(pen, (Rect){left, at.y - n->ascent, width, n->ascent + n->descent}, code,
                  n->size);
        return;
    }
    const char *text = formula_bracket(code);
    write(pen, (Vec2){left + (code == '|' ? 0.03f * n->size : 0), at.y}, FONT_MATH, n->size, text,
          strlen(text));
}

static void draw_fence(const Pen *pen, const FormulaNode *n, Vec2 at) {
    const FormulaNode *inner = &pen->nodes[n->child];
    draw_bracket(pen, n, at, n->open, true, inner->x);
    draw_node(pen, n->child, at);
    draw_bracket(pen, n, at, n->close, false, n->width - inner->x - inner->width);
}

static void draw_children(const Pen *pen, const FormulaNode *n, Vec2 at) {
    for (int i = n->child; i != FORMULA_NONE; i = pen->nodes[i].next)
        draw_node(pen, i, at);
}

static void draw_matrix(const Pen *pen, const FormulaNode *n, Vec2 at) {
    const float bracket = 0.30f * n->size;
    Rect place = {at.x, at.y - n->ascent, bracket, n->ascent + n->descent};
    draw_tall(pen, place, n->open, n->size);
    draw_children(pen, n, at);
    place.x = at.x + n->width - bracket;
    draw_tall(pen, place, n->close, n->size);
}

static void draw_fraction(const Pen *pen, const FormulaNode *n, Vec2 at) {
    draw_node(pen, n->child, at);
    draw_node(pen, n->low, at);
    if (n->is_built) {
        draw_rule(pen, at.x + 0.03f * n->size, at.y - FORMULA_AXIS * n->size,
                  n->width - 0.06f * n->size, n->size);
        return;
    }
    float stroke = label_width(pen->ui, FONT_MATH, n->size, "/", 1);
    float room = pen->nodes[n->low].x - pen->nodes[n->child].width - stroke;
    Vec2 start = {at.x + pen->nodes[n->child].width + room / 2, at.y};
    write(pen, start, FONT_MATH, n->size, "/", 1);
}

/* Draw a hook, a thick stroke down, a thin stroke up, and the bar over the radicand. */
static void draw_radical(const Pen *pen, const FormulaNode *n, Vec2 at) {
    float size = n->size, top = at.y - n->ascent + FORMULA_RULE / 2 * size;
    float bottom = at.y + fmaxf(n->descent * 0.6f, 0.04f * size), left = at.x + 0.04f * size;
    float bar = at.x + (FORMULA_RADICAL_W - 0.05f) * size;
    Vec2 hook = {left, at.y - 0.24f * size}, knee = {left + 0.13f * size, at.y - 0.33f * size};
    Vec2 foot = {left + 0.27f * size, bottom}, tip = {bar, top};
    draw_stroke(pen, hook, knee, STROKE_THIN * size);
    draw_stroke(pen, (Vec2){knee.x - 0.01f * size, knee.y - 0.01f * size}, foot, 0.07f * size);
    draw_stroke(pen, (Vec2){foot.x - 0.015f * size, foot.y + 0.01f * size}, tip,
                STROKE_THIN * size);
    draw_rule(pen, bar - 0.01f * size, top, at.x + n->width - bar, size);
    if (n->child != FORMULA_NONE)
        draw_node(pen, n->child, at);
}

/* Centre the mark above its letter; for an italic letter, a little to the right. */
static void draw_accent(const Pen *pen, const FormulaNode *n, Vec2 at) {
    const FormulaNode *base = &pen->nodes[n->child];
    const char *mark = formula_mark(n->open);
    float size = n->size, middle = at.x + base->width / 2;
    middle += base->font == FONT_MATH_ITALIC ? 0.06f * size : 0;
    draw_node(pen, n->child, at);
    if (mark == NULL) {
        float half = fmaxf(base->width / 2 - 0.04f * size, 0.14f * size);
        draw_rule(pen, middle - half, at.y - base->ascent - 0.11f * size, 2 * half, size);
        return;
    }
    bool is_arrow = n->open == 0x20D7;
    float mark_size = is_arrow ? 0.6f * size : size;
    float width = label_width(pen->ui, FONT_MATH, mark_size, mark, strlen(mark));
    float lift = is_arrow ? base->ascent : base->ascent - (MARK_TOP - 0.20f) * size;
    write(pen, (Vec2){middle - width / 2, at.y - lift}, FONT_MATH, mark_size, mark, strlen(mark));
}

static void draw_scripts(const Pen *pen, const FormulaNode *n, Vec2 at) {
    draw_node(pen, n->child, at);
    if (n->low != FORMULA_NONE)
        draw_node(pen, n->low, at);
    if (n->high != FORMULA_NONE)
        draw_node(pen, n->high, at);
}

static void draw_letters(const Pen *pen, const FormulaNode *n, Vec2 at) {
    write(pen, at, n->font, n->size, n->text, n->bytes);
}

static void draw_node(const Pen *pen, int node, Vec2 origin) {
    static void (*const DRAW[])(const Pen *, const FormulaNode *, Vec2) = {
        [FORMULA_TEXT] = draw_letters,    [FORMULA_ROW] = draw_children,
        [FORMULA_SCRIPTS] = draw_scripts, [FORMULA_FRACTION] = draw_fraction,
        [FORMULA_RADICAL] = draw_radical, [FORMULA_ACCENT] = draw_accent,
        [FORMULA_FENCE] = draw_fence,     [FORMULA_MATRIX] = draw_matrix,
    };
    const FormulaNode *n = &pen->nodes[node];
    DRAW[n->kind](pen, n, (Vec2){origin.x + n->x, origin.y + n->y});
}

static FormulaSize size_of(const FormulaNode *root) {
    return (FormulaSize){root->width, root->ascent, root->descent};
}

FormulaSize formula_measure(const Ui *ui, const FormulaStyle *style, const char *markup,
                            size_t bytes) {
    Formula formula;
    int root = formula_parse(&formula, markup, bytes);
    formula_layout(ui, &formula, root, style->size, style->is_displayed);
    return size_of(&formula.nodes[root]);
}

FormulaSize formula_set(Ui *ui, Vec2 at, const FormulaStyle *style, const char *markup,
                        size_t bytes) {
    Formula formula;
    int root = formula_parse(&formula, markup, bytes);
    formula_layout(ui, &formula, root, style->size, style->is_displayed);
    Pen pen = {ui, formula.nodes, style->colour};
    draw_node(&pen, root, at);
    FormulaSize size = size_of(&formula.nodes[root]);
    Rect place = {at.x, at.y - size.ascent, size.width, size.ascent + size.descent};
    ui_point(ui, place, markup, bytes);
    return size;
}

float formula_label(Ui *ui, Rect rect, const FormulaStyle *style, const char *markup) {
    FormulaStyle fitted = *style;
    size_t bytes = strlen(markup);
    FormulaSize size = formula_measure(ui, &fitted, markup, bytes);
    while (size.width > rect.w && fitted.size > style->size * SMALLEST) {
        fitted.size *= SMALLER;
        size = formula_measure(ui, &fitted, markup, bytes);
    }
    float spare = rect.w - size.width, up = 0.66f * fitted.size, down = 0;
    if (style->is_displayed)
        up = size.ascent, down = size.descent;
    float shift = style->align == LABEL_LEFT ? 0 : style->align == LABEL_RIGHT ? spare : spare / 2;
    Vec2 at = {rect.x + shift, rect.y + (rect.h + up - down) / 2};
    return formula_set(ui, at, &fitted, markup, bytes).width;
}

float formula_width(const Ui *ui, float size, const char *markup) {
    return formula_measure(ui, &(FormulaStyle){.size = size}, markup, strlen(markup)).width;
}

float formula_draw(Ui *ui, Vec2 at, float size, Colour colour, const char *markup) {
    FormulaStyle style = {.size = size, .colour = colour};
    return formula_set(ui, at, &style, markup, strlen(markup)).width;
}
