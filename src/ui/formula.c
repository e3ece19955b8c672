#include "ui/formula.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "base/util.h"

#define DEPTH_MAX 12    /* maximum nesting; deeper brackets are ordinary characters */
#define SMALLER   0.95f /* factor by which formula_label reduces the size in each try */
#define SMALLEST  0.6f
/* The lengths below are multiples of the letter size. */
#define SCRIPT_SIZE   0.70f
#define SCRIPT_LEAST  0.45f /* smallest size of nested scripts, as a share of the formula's size */
#define SCRIPT_DROP   0.20f
#define SCRIPT_RISE   0.38f
#define SCRIPT_BEFORE 0.03f
#define SCRIPT_AFTER  0.04f
/* Extents of STIX capitals, small letters, descenders and brackets. */
#define CAP          0.66f
#define LOWER        0.46f
#define TAIL         0.22f
#define BRACKET_UP   0.74f
#define BRACKET_DOWN 0.24f
#define RULE         0.045f /* thickness of a bar */
#define RADICAL_W    0.62f  /* width from the hook to the start of the bar */
#define MARK_UP      0.48f  /* distance from a letter's top down to the baseline of its hat */

/* The role of a piece, which decides the space around it. */
typedef enum Role {
    ROLE_ORDINARY,
    ROLE_WORD,     /* upright letters */
    ROLE_OPERATOR, /* + − × */
    ROLE_SIGN,     /* an operator without a left operand */
    ROLE_PRODUCT,  /* · */
    ROLE_RELATION,
    ROLE_COMMA,
    ROLE_STROKE,
    ROLE_SUM,
    ROLE_FENCE, /* brackets and their contents */
} Role;

/* Space around a piece. Between two pieces, only the larger space is used. */
static const float ROOM[] = {
    [ROLE_OPERATOR] = 0.22f, [ROLE_RELATION] = 0.28f, [ROLE_SUM] = 0.10f,
    [ROLE_PRODUCT] = 0.05f,  [ROLE_FENCE] = 0,
};

static const struct {
    Role role;
    const char *characters;
} ROLES[] = {{ROLE_RELATION, "=<>≈≤≥∈→≠∝~"},
             {ROLE_OPERATOR, "+-−±×"},
             {ROLE_PRODUCT, "·"},
             {ROLE_COMMA, ",;:"},
             {ROLE_SUM, "Σ∑∏"},
             {ROLE_STROKE, "/"}};

/* Characters that are drawn as another character. */
static const char *const SHOWN[][2] = {{"~", "∼"}, {"-", "−"}, {"Σ", "∑"}, {"'", "′"}};

/* Superscript characters, except the digits from U+2070 on. */
static const struct {
    uint32_t code;
    const char *text;
} RAISED[] = {{0xB2, "2"}, {0xB3, "3"}, {0xB9, "1"}, {0x207B, "−"}, {0x1D40, "T"}, {0x22A4, "⊤"}};

/* Letters lower than capitals, and letters that reach below the baseline. */
static const char LOW[] = "acegmnopqrsuvwxyz.,:;αγεηικμνοπρςστυφχψω";
static const char TAILED[] = "gjpqyf,;Qβγζημξρφχψ∑";

static const char *const NAMES[] = {"LN", "RMSNorm", "MLP", "FFN"};

/* Reads the markup once, from left to right, and draws each piece. */
typedef struct Setter {
    const Ui *ui;
    const FormulaStyle *style;
    bool draws; /* false to measure only */
    const char *text;
    size_t bytes, at;
    int depth;
} Setter;

/* Letters, a number, a symbol, an opening bracket or a radical sign. */
typedef struct Token {
    Role role;
    Font font;
    const char *text; /* text to draw: borrowed from the markup, or static */
    size_t bytes;
    uint32_t code; /* code point of a bracket or √; otherwise 0 */
    int blanks;    /* number of blanks in front of it */
} Token;

/* The size of a piece; ascent and descent are measured from its baseline. */
typedef struct Piece {
    float width, ascent, descent;
    bool is_letters; /* true: scripts have fixed heights; false: the heights depend on the piece */
    bool is_italic;
} Piece;

static Piece set_row(Setter *s, Vec2 at, float size, const char *ends);
static Piece set_scripts(Setter *s, Piece base, Vec2 at, float size);

static uint32_t peek(const Setter *s, size_t *length) {
    *length = 0;
    return s->at < s->bytes ? utf8_decode(s->text, s->bytes, s->at, length) : 0;
}

static bool is_letter(uint32_t c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(uint32_t c) {
    return c >= '0' && c <= '9';
}

static bool is_mark(uint32_t c) {
    return c == 0x302 || c == 0x304;
}

/* True if the letters form a word, which is upright: all in lower case except the first, or a known
 * name. Letters that are all i, j, k or l are indices, not a word. */
static bool is_word(const char *text, size_t bytes) {
    bool small = bytes > 1, index = true;
    for (size_t i = 0; i < bytes; i++) {
        small &= i == 0 || text[i] >= 'a';
        index &= text[i] >= 'i' && text[i] <= 'l';
    }
    for (size_t i = 0; i < ARRAY_COUNT(NAMES); i++)
        small |= strlen(NAMES[i]) == bytes && memcmp(NAMES[i], text, bytes) == 0;
    return small && !index;
}

/* Read a run of letters. The last letter is left out if a combining mark follows it, because the
 * mark belongs to that letter alone. */
static Token read_letters(Setter *s) {
    size_t from = s->at, length;
    while (s->at < s->bytes && is_letter((unsigned char)s->text[s->at]))
        s->at++;
    if (is_mark(peek(s, &length)) && s->at - from > 1)
        s->at--;
    bool word = is_word(s->text + from, s->at - from);
    return (Token){.role = word ? ROLE_WORD : ROLE_ORDINARY,
                   .font = word ? FONT_MATH : FONT_MATH_ITALIC,
                   .text = s->text + from,
                   .bytes = s->at - from};
}

/* Read a number. A point or comma belongs to the number if a digit follows it directly. */
static Token read_number(Setter *s) {
    size_t from = s->at;
    while (s->at < s->bytes) {
        bool joins = s->text[s->at] == '.' || s->text[s->at] == ',';
        bool more = s->at + 1 < s->bytes && is_digit((unsigned char)s->text[s->at + 1]);
        if (!is_digit((unsigned char)s->text[s->at]) && !(joins && more))
            break;
        s->at++;
    }
    return (Token){.font = FONT_MATH, .text = s->text + from, .bytes = s->at - from};
}

static Token read_quoted(Setter *s) {
    size_t from = ++s->at;
    const char *close = memchr(s->text + from, '"', s->bytes - from);
    size_t to = close != NULL ? (size_t)(close - s->text) : s->bytes;
    s->at = close != NULL ? to + 1 : to;
    return (Token){.role = ROLE_WORD,
                   .font = FONT_MATH,
                   .text = s->text + from,
                   .bytes = utf8_first_invalid(s->text + from, to - from)};
}

static bool is_among(const char *characters, const char *character, size_t bytes) {
    return memmem(characters, strlen(characters), character, bytes) != NULL;
}

static Token read_symbol(Setter *s) {
    size_t length;
    uint32_t c = peek(s, &length);
    Token token = {.font = c >= 0x3B1 && c <= 0x3C9 ? FONT_MATH_ITALIC : FONT_MATH,
                   .text = s->text + s->at,
                   .bytes = length};
    s->at += length;
    if (c == UTF8_REPLACEMENT) /* the byte may be malformed */
        token.text = "\uFFFD", token.bytes = length = strlen("\uFFFD");
    for (size_t i = 0; i < ARRAY_COUNT(ROLES); i++)
        if (is_among(ROLES[i].characters, token.text, length))
            token.role = ROLES[i].role;
    for (size_t i = 0; i < ARRAY_COUNT(SHOWN); i++)
        if (is_among(SHOWN[i][0], token.text, length))
            return (Token){token.role, token.font, SHOWN[i][1], strlen(SHOWN[i][1]), 0, 0};
    return token;
}

static Token read_text(Setter *s) {
    size_t length;
    uint32_t c = peek(s, &length);
    return is_letter(c)  ? read_letters(s)
           : c == '"'    ? read_quoted(s)
           : is_digit(c) ? read_number(s)
                         : read_symbol(s);
}

/* Read the next token of a row that ends at one of `ends`. A bar | opens a bracket if another bar
 * follows. */
static Token read_token(Setter *s, const char *ends) {
    size_t length;
    uint32_t c = peek(s, &length);
    bool is_bar = c == '|' && strchr(ends, '|') == NULL &&
                  memchr(s->text + s->at + 1, '|', s->bytes - s->at - 1) != NULL;
    bool opens = c == '(' || c == '[' || c == '{' || is_bar;
    if (s->depth >= DEPTH_MAX || (!opens && c != 0x221A))
        return read_text(s);
    s->at += length;
    return (Token){.role = opens ? ROLE_FENCE : ROLE_ORDINARY, .code = c};
}

static float gap(const Setter *s, const Token *left, const Token *right, float size) {
    float room = fmaxf(ROOM[left->role], ROOM[right->role]);
    if (right->role == ROLE_STROKE || left->role == ROLE_STROKE)
        return ((right->role == ROLE_STROKE ? right : left)->blanks > 0 ? 0.18f : 0.03f) * size;
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
    bool is_script = size < s->style->size * 0.8f;
    return (is_script ? room * 0.4f : room) * size;
}

static void include(Piece *whole, const Piece *part, Vec2 at) {
    whole->width = fmaxf(whole->width, at.x + part->width);
    whole->ascent = fmaxf(whole->ascent, part->ascent - at.y);
    whole->descent = fmaxf(whole->descent, part->descent + at.y);
}

static float write(const Setter *s, Vec2 at, Font font, float size, const char *text,
                   size_t bytes) {
    DrawText run = {.at = at, .size = size, .font = font, .colour = s->style->colour};
    if (s->draws)
        draw_text_run(s->ui->list, &run, text, bytes);
    return label_width(s->ui, font, size, text, bytes);
}

/* Set letters with the ascent and descent of the actual letters. The ascent that the font reports
 * is that of its tallest letter. */
static Piece set_text(const Setter *s, const Token *token, Vec2 at, float size) {
    size_t length;
    float up = 0, down = 0;
    for (size_t i = 0; i < token->bytes; i += length) {
        utf8_decode(token->text, token->bytes, i, &length);
        up = fmaxf(up, is_among(LOW, token->text + i, length) ? LOWER : CAP);
        down = fmaxf(down, is_among(TAILED, token->text + i, length) ? TAIL : 0);
    }
    return (Piece){.width = write(s, at, token->font, size, token->text, token->bytes),
                   .ascent = up * size,
                   .descent = down * size,
                   .is_letters = token->role != ROLE_SUM,
                   .is_italic = token->font == FONT_MATH_ITALIC};
}

/* Draw a horizontal bar on whole device pixels, so that it is sharp. */
static void draw_rule(const Setter *s, float x, float y, float width, float size) {
    DrawList *list = s->ui->list;
    float thick = fmaxf(1 / list->scale, draw_snap(list, RULE * size));
    if (s->draws)
        draw_fill(list, (Rect){x, draw_snap(list, y - thick / 2), width, thick}, 0,
                  s->style->colour);
}

static void draw_stroke(const Setter *s, Vec2 from, Vec2 to, float width) {
    if (s->draws)
        draw_line(s->ui->list, from, to, fmaxf(width, 1 / s->ui->list->scale), s->style->colour);
}

/* Set the argument of _, ^ or √: the contents of braces or parentheses, or one piece. Return false
 * if there is none. */
static bool set_argument(Setter *s, Piece *out, Vec2 at, float size) {
    size_t length;
    uint32_t c = peek(s, &length);
    if (length == 0)
        return false;
    if (s->depth < DEPTH_MAX && (c == '{' || c == '(')) {
        const char ends[] = {c == '{' ? '}' : ')', '\0'};
        s->at++;
        *out = set_row(s, at, size, ends);
        s->at += s->at < s->bytes;
    } else {
        Token token = read_text(s);
        *out = set_text(s, &token, at, size);
    }
    return true;
}

/* Set a radical: a hook, a thick stroke down, a thin stroke up, and the bar over the radicand. √
 * over one letter includes its scripts, as in √d_k. */
static Piece set_radical(Setter *s, Vec2 at, float size) {
    Piece radical = {.width = RADICAL_W * size, .ascent = CAP * size}, inner = {0};
    Vec2 start = {at.x + RADICAL_W * size, at.y};
    s->depth++;
    set_argument(s, &inner, start, size);
    s->depth--;
    if (inner.is_letters)
        inner = set_scripts(s, inner, start, size);
    include(&radical, &inner, (Vec2){RADICAL_W * size, 0});
    radical.ascent += (0.13f + RULE) * size;
    radical.width += 0.08f * size;
    float top = at.y - radical.ascent + RULE / 2 * size, left = at.x + 0.04f * size;
    float bottom = at.y + fmaxf(radical.descent * 0.6f, 0.04f * size);
    float bar = at.x + (RADICAL_W - 0.05f) * size;
    Vec2 hook = {left, at.y - 0.24f * size}, knee = {left + 0.13f * size, at.y - 0.33f * size};
    Vec2 foot = {left + 0.27f * size, bottom}, tip = {bar, top};
    draw_stroke(s, hook, knee, 0.035f * size);
    draw_stroke(s, (Vec2){knee.x - 0.01f * size, knee.y - 0.01f * size}, foot, 0.07f * size);
    draw_stroke(s, (Vec2){foot.x - 0.015f * size, foot.y + 0.01f * size}, tip, 0.035f * size);
    draw_rule(s, bar - 0.01f * size, top, at.x + radical.width - bar, size);
    return radical;
}

static float set_bracket(const Setter *s, Vec2 at, float size, char bracket) {
    float beside = bracket == '|' ? 0.03f * size : 0;
    return write(s, (Vec2){at.x + beside, at.y}, FONT_MATH, size, &bracket, 1) + 2 * beside;
}

/* Set brackets and their contents. A missing closing bracket is not drawn. */
static Piece set_fence(Setter *s, char open, Vec2 at, float size) {
    const char ends[] = {open == '(' ? ')' : open == '[' ? ']' : open == '{' ? '}' : '|', '\0'};
    float left = set_bracket(s, at, size, open);
    Piece inner = set_row(s, (Vec2){at.x + left, at.y}, size, ends);
    Piece fence = {.width = left + inner.width,
                   .ascent = fmaxf(inner.ascent, BRACKET_UP * size),
                   .descent = fmaxf(inner.descent, BRACKET_DOWN * size)};
    if (s->at < s->bytes) {
        fence.width += set_bracket(s, (Vec2){at.x + fence.width, at.y}, size, ends[0]);
        s->at++;
    }
    return fence;
}

/* Centre a hat or a bar above the base; above an italic letter, a little to the right. */
static void set_mark(const Setter *s, uint32_t mark, Piece *base, Vec2 at, float size) {
    float middle = at.x + base->width / 2 + (base->is_italic ? 0.06f * size : 0);
    if (mark == 0x304) {
        float half = fmaxf(base->width / 2 - 0.04f * size, 0.14f * size);
        draw_rule(s, middle - half, at.y - base->ascent - 0.11f * size, 2 * half, size);
    } else {
        float width = label_width(s->ui, FONT_MATH, size, "ˆ", strlen("ˆ"));
        Vec2 start = {middle - width / 2, at.y - base->ascent + MARK_UP * size};
        write(s, start, FONT_MATH, size, "ˆ", strlen("ˆ"));
    }
    base->ascent += 0.20f * size;
    base->is_letters = base->is_italic = false;
}

/* Return the text of a script character such as ² or ₁; NULL for other characters. */
static const char *script_of(uint32_t c, bool *is_high) {
    static const char *const digits[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    *is_high = c < 0x2080 || c > 0x2089;
    if (!*is_high || c == 0x2070 || (c >= 0x2074 && c <= 0x2079))
        return digits[c % 16];
    for (size_t i = 0; i < ARRAY_COUNT(RAISED); i++)
        if (RAISED[i].code == c)
            return RAISED[i].text;
    return NULL;
}

/* Set the marks and scripts that follow a base. Return the base with them. A second script of the
 * same kind is set after the first one: in x^2^3, x^2 is the base of 3. */
static Piece set_scripts(Setter *s, Piece base, Vec2 at, float size) {
    Piece whole = base, script;
    bool has[2] = {false, false}, is_high;
    size_t length;
    float less = fmaxf(size * SCRIPT_SIZE, s->style->size * SCRIPT_LEAST);
    for (uint32_t c; c = peek(s, &length), length > 0;) {
        const char *text = script_of(c, &is_high);
        bool is_sign = c == '_' || c == '^', has_any = has[0] || has[1];
        if (is_sign)
            is_high = c == '^';
        if (!is_sign && text == NULL && !is_mark(c))
            break;
        if (has_any && (is_mark(c) || has[is_high])) {
            whole.width += SCRIPT_AFTER * size;
            base = whole;
            base.is_letters = base.is_italic = has[0] = has[1] = false;
        }
        s->at += length;
        if (is_mark(c)) {
            set_mark(s, c, &base, at, size);
            whole = base;
            continue;
        }
        float drop = SCRIPT_DROP * size, rise = SCRIPT_RISE * size;
        if (!base.is_letters) {
            drop = fmaxf(drop, base.descent - 0.02f * size);
            rise = fmaxf(rise, base.ascent - (CAP - SCRIPT_RISE) * size);
        }
        Vec2 by = {base.width + SCRIPT_BEFORE * size, is_high ? -rise : drop};
        Vec2 start = {at.x + by.x, at.y + by.y};
        s->depth++;
        bool is_set = true;
        if (is_sign)
            is_set = set_argument(s, &script, start, less);
        else
            script = set_text(s, &(Token){.font = FONT_MATH, .text = text, .bytes = strlen(text)},
                              start, less);
        s->depth--;
        if (!is_set)
            break;
        include(&whole, &script, by);
        has[is_high] = true;
        whole.is_letters = whole.is_italic = false;
    }
    whole.width += has[0] || has[1] ? SCRIPT_AFTER * size : 0;
    return whole;
}

static bool is_end(const Setter *s, const char *ends) {
    return s->at == s->bytes || (s->text[s->at] != '\0' && strchr(ends, s->text[s->at]) != NULL);
}

static Piece set_row(Setter *s, Vec2 at, float size, const char *ends) {
    Piece row = {0};
    Token before;
    bool is_first = true;
    s->depth++;
    while (!is_end(s, ends)) {
        int blanks = 0;
        for (; s->at < s->bytes && s->text[s->at] == ' '; s->at++)
            blanks++;
        if (is_end(s, ends))
            break;
        Token token = read_token(s, ends);
        token.blanks = blanks;
        bool joins = !is_first && (before.role == ROLE_ORDINARY || before.role == ROLE_FENCE);
        if (token.role == ROLE_OPERATOR && !joins)
            token.role = ROLE_SIGN;
        if (token.role == ROLE_COMMA && token.text[0] == ':' && blanks > 0)
            token.role = ROLE_RELATION;
        row.width += is_first ? 0 : gap(s, &before, &token, size);
        Vec2 start = {at.x + row.width, at.y};
        Piece piece = token.code == 0        ? set_text(s, &token, start, size)
                      : token.code == 0x221A ? set_radical(s, start, size)
                                             : set_fence(s, (char)token.code, start, size);
        piece = set_scripts(s, piece, start, size);
        include(&row, &piece, (Vec2){row.width, 0});
        before = token;
        is_first = false;
    }
    s->depth--;
    return row;
}

static FormulaSize set(const Ui *ui, bool draws, Vec2 at, const FormulaStyle *style,
                       const char *markup, size_t bytes) {
    Setter setter = {.ui = ui, .style = style, .draws = draws, .text = markup, .bytes = bytes};
    Piece row = set_row(&setter, at, style->size, "");
    return (FormulaSize){row.width, row.ascent, row.descent};
}

FormulaSize formula_measure(const Ui *ui, const FormulaStyle *style, const char *markup,
                            size_t bytes) {
    return set(ui, false, (Vec2){0, 0}, style, markup, bytes);
}

FormulaSize formula_set(Ui *ui, Vec2 at, const FormulaStyle *style, const char *markup,
                        size_t bytes) {
    FormulaSize size = set(ui, true, at, style, markup, bytes);
    Rect place = {at.x, at.y - size.ascent, size.width, size.ascent + size.descent};
    ui_point(ui, place, markup, bytes);
    return size;
}

float formula_label(Ui *ui, Rect rect, const FormulaStyle *style, const char *markup) {
    FormulaStyle fitted = *style;
    size_t bytes = strlen(markup);
    float width = formula_width(ui, fitted.size, markup);
    while (width > rect.w && fitted.size > style->size * SMALLEST) {
        fitted.size *= SMALLER;
        width = formula_width(ui, fitted.size, markup);
    }
    float spare = rect.w - width;
    float shift = style->align == LABEL_LEFT ? 0 : style->align == LABEL_RIGHT ? spare : spare / 2;
    Vec2 at = {rect.x + shift, rect.y + (rect.h + CAP * fitted.size) / 2};
    return formula_set(ui, at, &fitted, markup, bytes).width;
}

float formula_width(const Ui *ui, float size, const char *markup) {
    return formula_measure(ui, &(FormulaStyle){.size = size}, markup, strlen(markup)).width;
}

float formula_draw(Ui *ui, Vec2 at, float size, Colour colour, const char *markup) {
    FormulaStyle style = {.size = size, .colour = colour};
    return formula_set(ui, at, &style, markup, strlen(markup)).width;
}
