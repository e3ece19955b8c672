#include "ui/formula_layout.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "base/util.h"
#include "ui/label.h"

#define SCRIPT_SIZE   0.70f
#define SCRIPT_DROP   0.20f
#define SCRIPT_RISE   0.38f
#define SCRIPT_LEAST  0.45f /* smallest size of nested scripts, as a share of the formula's size */
#define SCRIPT_BEFORE 0.03f
#define SCRIPT_AFTER  0.04f
/* extents of STIX capitals, small letters and descenders, as shares of the size */
#define CAP          0.66f
#define LOWER        0.46f
#define TAIL         0.22f
#define BRACKET_UP   0.74f /* how far the font's own brackets extend above and below the baseline */
#define BRACKET_DOWN 0.24f
#define BRACKET_W    0.30f /* width of a tall bracket, which is drawn without the font */
/* Size of a numerator or denominator, as a share of the formula's size. */
#define PART_SIZE 0.85f
#define CELL_GAP  0.80f
#define ROW_GAP   0.35f

typedef struct Setter {
    const Ui *ui;
    FormulaNode *nodes;
    float size; /* letter size of the whole formula */
    bool is_displayed;
} Setter;

static void set_node(const Setter *s, int node, float size);

/* Space around a node by its role, as a multiple of the letter size. Between two nodes, only the
 * larger space is used. */
static const float ROOM[] = {
    [ROLE_OPERATOR] = 0.22f, [ROLE_RELATION] = 0.28f, [ROLE_SUM] = 0.10f, [ROLE_PRODUCT] = 0.05f,
    [ROLE_FRACTION] = 0.06f, [ROLE_FENCE] = 0,        [ROLE_WORD] = 0,
};

static float room_of(FormulaRole role) {
    return (size_t)role < ARRAY_COUNT(ROOM) ? ROOM[role] : 0;
}

static float gap(const Setter *s, const FormulaNode *left, const FormulaNode *right, float size) {
    bool is_script = size < s->size * 0.8f;
    float room = fmaxf(room_of(left->role), room_of(right->role));
    if (right->role == ROLE_COMMA || left->role == ROLE_SIGN)
        room = 0;
    if (left->role == ROLE_COMMA)
        room = right->blanks > 1 ? 1 : right->blanks > 0 ? 0.22f : 0.05f;
    else if (right->role == ROLE_RELATION || left->role == ROLE_RELATION)
        room = ROOM[ROLE_RELATION];
    else if (right->blanks > 0 && (left->role == ROLE_WORD || right->role == ROLE_WORD))
        room = 0.25f;
    else if (right->blanks > 0)
        room = fmaxf(room, 0.20f);
    return (is_script ? room * 0.4f : room) * size;
}

/* Set ascent and descent from the actual letters. The ascent that the font reports is that of its
 * tallest letter. */
static void set_text_extent(FormulaNode *n) {
    size_t length;
    float up = 0, down = 0;
    for (size_t at = 0; at < n->bytes; at += length) {
        uint32_t c = utf8_decode(n->text, n->bytes, at, &length);
        bool is_small = (c < 0x80 && strchr("acegmnopqrsuvwxyz.,:;", (int)c) != NULL) ||
                        (c >= 0x3B1 && c <= 0x3C9 && c != 0x3B2 && c != 0x3B4 && c != 0x3B8 &&
                         c != 0x3BB && c != 0x3B6 && c != 0x3BE);
        bool has_tail = (c < 0x80 && strchr("gjpqyf,;Q", (int)c) != NULL) || c == 0x3B2 ||
                        c == 0x3B3 || c == 0x3B6 || c == 0x3B7 || c == 0x3BC || c == 0x3BE ||
                        c == 0x3C1 || c == 0x3C6 || c == 0x3C7 || c == 0x3C8 || c == 0x2211;
        up = fmaxf(up, is_small ? LOWER : CAP);
        down = fmaxf(down, has_tail ? TAIL : 0);
    }
    n->ascent = up * n->size;
    n->descent = down * n->size;
}

static void set_text(const Setter *s, FormulaNode *n) {
    if (n->role == ROLE_SUM && s->is_displayed)
        n->size *= 1.4f;
    n->width = label_width(s->ui, n->font, n->size, n->text, n->bytes);
    set_text_extent(n);
}

static void include(FormulaNode *n, const FormulaNode *child) {
    n->ascent = fmaxf(n->ascent, child->ascent - child->y);
    n->descent = fmaxf(n->descent, child->descent + child->y);
    n->width = fmaxf(n->width, child->x + child->width);
}

static void set_row(const Setter *s, FormulaNode *n) {
    float x = 0;
    const FormulaNode *before = NULL;
    for (int i = n->child; i != FORMULA_NONE; i = s->nodes[i].next) {
        FormulaNode *piece = &s->nodes[i];
        set_node(s, i, n->size);
        x += before != NULL ? gap(s, before, piece, n->size) : 0;
        piece->x = x;
        x += piece->width;
        include(n, piece);
        before = piece;
    }
    n->width = x;
}

/* Place the limits of a sum above and below it, centred. */
static void set_limits(const Setter *s, FormulaNode *n) {
    FormulaNode *base = &s->nodes[n->child];
    FormulaNode *parts[] = {n->low != FORMULA_NONE ? &s->nodes[n->low] : NULL,
                            n->high != FORMULA_NONE ? &s->nodes[n->high] : NULL};
    float width = base->width, space = 0.10f * n->size;
    for (int i = 0; i < 2; i++)
        width = parts[i] != NULL ? fmaxf(width, parts[i]->width) : width;
    base->x = (width - base->width) / 2;
    include(n, base);
    if (parts[0] != NULL) {
        parts[0]->x = (width - parts[0]->width) / 2;
        parts[0]->y = base->descent + space + parts[0]->ascent;
    }
    if (parts[1] != NULL) {
        parts[1]->x = (width - parts[1]->width) / 2;
        parts[1]->y = -(base->ascent + space + parts[1]->descent);
    }
}

/* Place scripts next to the base; next to a tall base, at its corners. */
static void set_side_scripts(const Setter *s, FormulaNode *n) {
    const FormulaNode *base = &s->nodes[n->child];
    bool is_letter = base->kind == FORMULA_TEXT && base->role != ROLE_SUM;
    float drop = SCRIPT_DROP * n->size, rise = SCRIPT_RISE * n->size;
    if (!is_letter) {
        drop = fmaxf(drop, base->descent - 0.02f * n->size);
        rise = fmaxf(rise, base->ascent - (CAP - SCRIPT_RISE) * n->size);
    }
    float x = base->width + SCRIPT_BEFORE * n->size;
    if (n->low != FORMULA_NONE) {
        s->nodes[n->low].x = x;
        s->nodes[n->low].y = drop;
    }
    if (n->high != FORMULA_NONE) {
        s->nodes[n->high].x = x;
        s->nodes[n->high].y = -rise;
    }
}

static void set_scripts(const Setter *s, FormulaNode *n) {
    const FormulaNode *base = &s->nodes[n->child];
    set_node(s, n->child, n->size);
    const int scripts[] = {n->low, n->high};
    for (int i = 0; i < 2; i++)
        if (scripts[i] != FORMULA_NONE)
            set_node(s, scripts[i], fmaxf(n->size * SCRIPT_SIZE, s->size * SCRIPT_LEAST));
    bool over = base->role == ROLE_SUM && s->is_displayed;
    if (over)
        set_limits(s, n);
    else
        set_side_scripts(s, n);
    include(n, base);
    for (int i = 0; i < 2; i++)
        if (scripts[i] != FORMULA_NONE)
            include(n, &s->nodes[scripts[i]]);
    n->width += over ? 0 : SCRIPT_AFTER * n->size;
}

/* Remove the parentheses around a numerator or denominator, which the bar makes unnecessary. */
static void strip_parentheses(const Setter *s, int *row) {
    int only = s->nodes[*row].child;
    bool is_fence = only != FORMULA_NONE && s->nodes[only].next == FORMULA_NONE &&
                    s->nodes[only].kind == FORMULA_FENCE && s->nodes[only].open == '(';
    if (is_fence && s->nodes[only].child != FORMULA_NONE)
        *row = s->nodes[only].child;
}

static void set_built_fraction(const Setter *s, FormulaNode *n) {
    strip_parentheses(s, &n->child);
    strip_parentheses(s, &n->low);
    FormulaNode *over = &s->nodes[n->child], *under = &s->nodes[n->low];
    float size = n->size * PART_SIZE, space = 0.12f * n->size;
    set_node(s, n->child, size);
    set_node(s, n->low, size);
    float width = fmaxf(over->width, under->width) + 0.16f * n->size;
    float half = FORMULA_RULE / 2 * n->size, axis = FORMULA_AXIS * n->size;
    over->x = (width - over->width) / 2;
    under->x = (width - under->width) / 2;
    over->y = -(axis + half + space + over->descent);
    under->y = -axis + half + space + under->ascent;
    include(n, over);
    include(n, under);
    n->width = width;
}

static void set_fraction(const Setter *s, FormulaNode *n) {
    n->is_built = s->is_displayed && n->size > s->size * 0.8f;
    if (n->is_built) {
        set_built_fraction(s, n);
        return;
    }
    FormulaNode *over = &s->nodes[n->child], *under = &s->nodes[n->low];
    float stroke = label_width(s->ui, FONT_MATH, n->size, "/", 1);
    float space = (n->is_wide ? 0.18f : 0.03f) * n->size;
    set_node(s, n->child, n->size);
    set_node(s, n->low, n->size);
    under->x = over->width + stroke + 2 * space;
    include(n, over);
    include(n, under);
}

static void set_radical(const Setter *s, FormulaNode *n) {
    n->width = FORMULA_RADICAL_W * n->size;
    n->ascent = CAP * n->size;
    if (n->child == FORMULA_NONE)
        return;
    FormulaNode *inner = &s->nodes[n->child];
    set_node(s, n->child, n->size);
    inner->x = n->width;
    include(n, inner);
    n->ascent += (0.13f + FORMULA_RULE) * n->size;
    n->width += 0.08f * n->size;
}

static void set_accent(const Setter *s, FormulaNode *n) {
    set_node(s, n->child, n->size);
    include(n, &s->nodes[n->child]);
    n->ascent += 0.20f * n->size;
}

bool formula_is_tall(const FormulaNode *n) {
    return n->kind == FORMULA_MATRIX || n->ascent > 0.95f * n->size || n->descent > 0.45f * n->size;
}

static float bracket_width(const Setter *s, const FormulaNode *n, uint32_t code) {
    if (code == 0)
        return 0;
    if (formula_is_tall(n))
        return BRACKET_W * n->size;
    const char *text = formula_bracket(code);
    return label_width(s->ui, FONT_MATH, n->size, text, strlen(text)) +
           (code == '|' ? 0.06f * n->size : 0);
}

/* Extend the brackets equally far above and below the axis, so that they enclose the contents. */
static void set_fence(const Setter *s, FormulaNode *n) {
    FormulaNode *inner = &s->nodes[n->child];
    set_node(s, n->child, n->size);
    n->ascent = fmaxf(inner->ascent, BRACKET_UP * n->size);
    n->descent = fmaxf(inner->descent, BRACKET_DOWN * n->size);
    if (formula_is_tall(n)) {
        float axis = FORMULA_AXIS * n->size;
        float reach = fmaxf(n->ascent - axis, n->descent + axis) + 0.06f * n->size;
        n->ascent = axis + reach;
        n->descent = reach - axis;
    }
    inner->x = bracket_width(s, n, n->open);
    n->width = inner->x + inner->width + bracket_width(s, n, n->close);
}

/* Return the width of the widest cell of a column. */
static float column_width(const Setter *s, const FormulaNode *n, int column) {
    float width = 0;
    int at = 0;
    for (int i = n->child; i != FORMULA_NONE; i = s->nodes[i].next, at++)
        width = at % n->columns == column ? fmaxf(width, s->nodes[i].width) : width;
    return width;
}

/* Centre cells in their columns. Return the total width. */
static float place_columns(const Setter *s, FormulaNode *n) {
    float x = BRACKET_W * n->size;
    for (int column = 0; column < n->columns; column++) {
        float width = column_width(s, n, column);
        int at = 0;
        for (int i = n->child; i != FORMULA_NONE; i = s->nodes[i].next, at++)
            if (at % n->columns == column)
                s->nodes[i].x = x + (width - s->nodes[i].width) / 2;
        x += width + (column + 1 < n->columns ? CELL_GAP * n->size : 0);
    }
    return x + BRACKET_W * n->size;
}

/* Place rows from the first baseline down. Return the bottom of the last row. */
static float place_rows(const Setter *s, FormulaNode *n) {
    float bottom = 0;
    for (int i = n->child; i != FORMULA_NONE;) {
        float ascent = CAP * n->size, descent = 0;
        int at = 0;
        for (int k = i; k != FORMULA_NONE && at < n->columns; k = s->nodes[k].next, at++) {
            ascent = fmaxf(ascent, s->nodes[k].ascent);
            descent = fmaxf(descent, s->nodes[k].descent);
        }
        float y = bottom + (i == n->child ? 0 : ROW_GAP * n->size) + ascent;
        for (at = 0; i != FORMULA_NONE && at < n->columns; i = s->nodes[i].next, at++)
            s->nodes[i].y = y;
        bottom = y + descent;
    }
    return bottom;
}

static void set_matrix(const Setter *s, FormulaNode *n) {
    for (int i = n->child; i != FORMULA_NONE; i = s->nodes[i].next)
        set_node(s, i, n->size);
    n->columns = n->columns > 0 ? n->columns : 1;
    n->width = place_columns(s, n);
    float height = place_rows(s, n), axis = FORMULA_AXIS * n->size;
    for (int i = n->child; i != FORMULA_NONE; i = s->nodes[i].next)
        s->nodes[i].y -= height / 2 + axis;
    n->ascent = height / 2 + axis + 0.12f * n->size;
    n->descent = height / 2 - axis + 0.12f * n->size;
}

static void set_node(const Setter *s, int node, float size) {
    static void (*const SET[])(const Setter *, FormulaNode *) = {
        [FORMULA_SCRIPTS] = set_scripts, [FORMULA_FRACTION] = set_fraction,
        [FORMULA_RADICAL] = set_radical, [FORMULA_ACCENT] = set_accent,
        [FORMULA_FENCE] = set_fence,     [FORMULA_MATRIX] = set_matrix,
        [FORMULA_ROW] = set_row,         [FORMULA_TEXT] = set_text,
    };
    FormulaNode *n = &s->nodes[node];
    n->size = size;
    n->x = n->y = n->width = n->ascent = n->descent = 0;
    SET[n->kind](s, n);
}

void formula_layout(const Ui *ui, Formula *formula, int node, float size, bool is_displayed) {
    Setter setter = {ui, formula->nodes, size, is_displayed};
    if (node != FORMULA_NONE)
        set_node(&setter, node, size);
}

const char *formula_mark(uint32_t combining) {
    static const struct {
        uint32_t code;
        const char *text;
    } MARKS[] = {{0x300, "ˋ"},  {0x301, "ˊ"},  {0x302, "ˆ"}, {0x303, "˜"},
                 {0x304, NULL}, {0x305, NULL}, {0x306, "˘"}, {0x307, "˙"},
                 {0x308, "¨"},  {0x30A, "˚"},  {0x30C, "ˇ"}, {0x20D7, "→"}};
    for (size_t i = 0; i < ARRAY_COUNT(MARKS); i++)
        if (MARKS[i].code == combining)
            return MARKS[i].text;
    return "ˆ";
}

const char *formula_bracket(uint32_t code) {
    static const char *const TEXTS[] = {"(", ")", "[", "]", "{", "}", "|"};
    for (size_t i = 0; i < ARRAY_COUNT(TEXTS); i++)
        if ((uint32_t)(unsigned char)TEXTS[i][0] == code)
            return TEXTS[i];
    return "";
}
