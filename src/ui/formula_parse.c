#include "ui/formula_parse.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"
#include "base/util.h"

#define DEPTH_MAX 12 /* most levels of nesting; brackets nested deeper are ordinary characters */

typedef struct Reader {
    Formula *formula;
    const char *text;
    size_t bytes, at;
    int depth;
} Reader;

/* A character with its role, and the text drawn in its place. */
typedef struct Symbol {
    uint32_t code;
    FormulaRole role;
    const char *shown; /* NULL: draw the character itself */
} Symbol;

static const Symbol SYMBOLS[] = {
    {'=', ROLE_RELATION, NULL},    {'<', ROLE_RELATION, NULL},
    {'>', ROLE_RELATION, NULL},    {0x2248, ROLE_RELATION, NULL},
    {0x2264, ROLE_RELATION, NULL}, {0x2265, ROLE_RELATION, NULL},
    {0x2208, ROLE_RELATION, NULL}, {0x2192, ROLE_RELATION, NULL},
    {0x2260, ROLE_RELATION, NULL}, {0x221D, ROLE_RELATION, NULL},
    {'~', ROLE_RELATION, "∼"},     {'+', ROLE_OPERATOR, NULL},
    {'-', ROLE_OPERATOR, "−"},     {0x2212, ROLE_OPERATOR, NULL},
    {0xB1, ROLE_OPERATOR, NULL},   {0xD7, ROLE_OPERATOR, NULL},
    {0xB7, ROLE_PRODUCT, NULL},    {',', ROLE_COMMA, NULL},
    {';', ROLE_COMMA, NULL},       {':', ROLE_COMMA, NULL},
    {0x3A3, ROLE_SUM, "∑"},        {0x2211, ROLE_SUM, NULL},
    {0x220F, ROLE_SUM, NULL},      {'\'', ROLE_ORDINARY, "′"},
    {'/', ROLE_STROKE, NULL},      {UTF8_REPLACEMENT, ROLE_ORDINARY, "\uFFFD"},
};

/* Unicode characters that are sub- or superscripts themselves. */
static const struct {
    uint32_t code;
    const char *text;
    bool is_high;
} SCRIPT_CHARACTERS[] = {
    {0xB2, "2", true},    {0xB3, "3", true},    {0xB9, "1", true},    {0x2070, "0", true},
    {0x2074, "4", true},  {0x2075, "5", true},  {0x2076, "6", true},  {0x2077, "7", true},
    {0x2078, "8", true},  {0x2079, "9", true},  {0x207B, "−", true},  {0x1D40, "T", true},
    {0x22A4, "⊤", true},  {0x2080, "0", false}, {0x2081, "1", false}, {0x2082, "2", false},
    {0x2083, "3", false}, {0x2084, "4", false}, {0x2085, "5", false}, {0x2086, "6", false},
    {0x2087, "7", false}, {0x2088, "8", false}, {0x2089, "9", false},
};

static const char *const NAMES[] = {"LN", "RMSNorm", "MLP", "FFN"};

static int read_row(Reader *r, const char *ends);
static int read_scripts(Reader *r, int base);

static uint32_t peek(const Reader *r, size_t *length) {
    *length = 0;
    return r->at < r->bytes ? utf8_decode(r->text, r->bytes, r->at, length) : 0;
}

static bool is_letter(uint32_t c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(uint32_t c) {
    return c >= '0' && c <= '9';
}

static bool is_small_greek(uint32_t c) {
    return c >= 0x3B1 && c <= 0x3C9;
}

static bool is_mark(uint32_t c) {
    return (c >= 0x300 && c <= 0x36F) || c == 0x20D7;
}

/* Add a node and return its index, or FORMULA_NONE if the formula has no room for more. */
static int add(Reader *r, FormulaKind kind, FormulaRole role) {
    if (r->formula->count == FORMULA_NODES)
        return FORMULA_NONE;
    int node = r->formula->count++;
    r->formula->nodes[node] = (FormulaNode){.kind = kind,
                                            .role = role,
                                            .font = FONT_MATH,
                                            .child = FORMULA_NONE,
                                            .next = FORMULA_NONE,
                                            .low = FORMULA_NONE,
                                            .high = FORMULA_NONE};
    return node;
}

static int add_text(Reader *r, FormulaRole role, Font font, const char *text, size_t bytes) {
    int node = add(r, FORMULA_TEXT, role);
    if (node != FORMULA_NONE) {
        r->formula->nodes[node].text = text;
        r->formula->nodes[node].bytes = bytes;
        r->formula->nodes[node].font = font;
    }
    return node;
}

static int add_around(Reader *r, FormulaKind kind, FormulaRole role, int child) {
    int node = add(r, kind, role);
    if (node == FORMULA_NONE)
        return child;
    r->formula->nodes[node].child = child;
    return node;
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
 * mark belongs to that letter alone. Like all read_ functions, return the index of the node that
 * was read. */
static int read_letters(Reader *r) {
    size_t from = r->at, length;
    while (r->at < r->bytes && is_letter((unsigned char)r->text[r->at]))
        r->at++;
    if (is_mark(peek(r, &length)) && r->at - from > 1)
        r->at--;
    bool word = is_word(r->text + from, r->at - from);
    return add_text(r, word ? ROLE_WORD : ROLE_ORDINARY, word ? FONT_MATH : FONT_MATH_ITALIC,
                    r->text + from, r->at - from);
}

/* Read a number. A point or comma belongs to the number if a digit follows it directly. */
static int read_number(Reader *r) {
    size_t from = r->at;
    while (r->at < r->bytes) {
        bool joins = r->text[r->at] == '.' || r->text[r->at] == ',';
        bool more = r->at + 1 < r->bytes && is_digit((unsigned char)r->text[r->at + 1]);
        if (!is_digit((unsigned char)r->text[r->at]) && !(joins && more))
            break;
        r->at++;
    }
    return add_text(r, ROLE_ORDINARY, FONT_MATH, r->text + from, r->at - from);
}

static int read_quoted(Reader *r) {
    size_t from = ++r->at;
    const char *close = memchr(r->text + from, '"', r->bytes - from);
    size_t to = close != NULL ? (size_t)(close - r->text) : r->bytes;
    r->at = close != NULL ? to + 1 : to;
    return add_text(r, ROLE_WORD, FONT_MATH, r->text + from,
                    utf8_first_invalid(r->text + from, to - from));
}

static int read_symbol(Reader *r) {
    size_t length, from = r->at;
    uint32_t c = peek(r, &length);
    r->at += length;
    Font font = is_small_greek(c) ? FONT_MATH_ITALIC : FONT_MATH;
    for (size_t i = 0; i < ARRAY_COUNT(SYMBOLS); i++) {
        const char *shown = SYMBOLS[i].shown;
        if (SYMBOLS[i].code == c)
            return add_text(r, SYMBOLS[i].role, font, shown != NULL ? shown : r->text + from,
                            shown != NULL ? strlen(shown) : length);
    }
    return add_text(r, ROLE_ORDINARY, font, r->text + from, length);
}

static uint32_t closing(uint32_t open) {
    return open == '(' ? ')' : open == '[' ? ']' : open == '{' ? '}' : '|';
}

/* True if the bracket contains a semicolon, which ends a row of a matrix. */
static bool holds_semicolon(const Reader *r) {
    int depth = 0;
    for (size_t at = r->at; at < r->bytes && depth >= 0; at++) {
        char c = r->text[at];
        if (c == ';' && depth == 0)
            return true;
        depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
    }
    return false;
}

/* Append empty cells to a matrix until its last row has all columns. Return the last cell. */
static int fill_cells(Reader *r, int last, int count) {
    for (; count > 0; count--) {
        int cell = add(r, FORMULA_ROW, ROLE_ORDINARY);
        if (cell == FORMULA_NONE)
            break;
        r->formula->nodes[last].next = cell;
        last = cell;
    }
    return last;
}

/* Read the rows of a matrix after its bracket. The first row sets the number of columns; if a later
 * row has more, its surplus cells form the next row. */
static int read_matrix(Reader *r) {
    int matrix = add(r, FORMULA_MATRIX, ROLE_FENCE), last = FORMULA_NONE, column = 0;
    FormulaNode *nodes = r->formula->nodes;
    if (matrix == FORMULA_NONE)
        return matrix;
    nodes[matrix].open = '[';
    nodes[matrix].close = ']';
    for (char end = ','; end != ']';) {
        int cell = read_row(r, ",;]");
        if (cell == FORMULA_NONE)
            break;
        *(last == FORMULA_NONE ? &nodes[matrix].child : &nodes[last].next) = cell;
        last = cell;
        column++;
        end = ']';
        if (r->at < r->bytes)
            end = r->text[r->at++];
        if (end == ',')
            continue;
        int columns = nodes[matrix].columns > 0 ? nodes[matrix].columns : column;
        nodes[matrix].columns = columns;
        last = fill_cells(r, last, (columns - column % columns) % columns);
        column = 0;
    }
    return matrix;
}

static int read_fence(Reader *r, uint32_t open) {
    r->at++;
    if (open == '[' && holds_semicolon(r))
        return read_matrix(r);
    const char ends[] = {(char)closing(open), '\0'};
    int fence = add_around(r, FORMULA_FENCE, ROLE_FENCE, read_row(r, ends));
    bool closed = r->at < r->bytes && r->text[r->at] == ends[0];
    r->at += closed;
    if (fence != FORMULA_NONE && r->formula->nodes[fence].kind == FORMULA_FENCE) {
        r->formula->nodes[fence].open = open;
        r->formula->nodes[fence].close = closed ? (uint32_t)(unsigned char)ends[0] : 0;
    }
    return fence;
}

/* Read the argument of _, ^ or √: the contents of braces or parentheses, or one piece. */
static int read_argument(Reader *r) {
    size_t length;
    uint32_t c = peek(r, &length);
    if (length == 0)
        return FORMULA_NONE;
    if ((c == '{' || c == '(') && r->depth < DEPTH_MAX) {
        const char ends[] = {(char)closing(c), '\0'};
        r->at++;
        int row = read_row(r, ends);
        r->at += r->at < r->bytes && r->text[r->at] == ends[0];
        return row;
    }
    if (is_letter(c))
        return read_letters(r);
    if (c == '"')
        return read_quoted(r);
    return is_digit(c) ? read_number(r) : read_symbol(r);
}

/* True if c opens a bracket. A bar | opens one if another bar follows. */
static bool opens(const Reader *r, uint32_t c, const char *ends) {
    if (r->depth >= DEPTH_MAX)
        return false;
    if (c == '|')
        return strchr(ends, '|') == NULL && memchr(r->text + r->at + 1, '|', r->bytes - r->at - 1);
    return c == '(' || c == '[' || c == '{';
}

/* Read a radical. √ over one letter includes its scripts, as in √d_k. */
static int read_radical(Reader *r, size_t length) {
    r->at += length;
    r->depth++;
    int radical = add(r, FORMULA_RADICAL, ROLE_ORDINARY), inner = read_argument(r);
    r->depth--;
    if (radical == FORMULA_NONE)
        return inner;
    bool is_one = inner != FORMULA_NONE && r->formula->nodes[inner].kind == FORMULA_TEXT;
    r->formula->nodes[radical].child = is_one ? read_scripts(r, inner) : inner;
    return radical;
}

static int read_piece(Reader *r, const char *ends) {
    size_t length;
    uint32_t c = peek(r, &length);
    if (opens(r, c, ends))
        return read_fence(r, c);
    if (c == 0x221A && r->depth < DEPTH_MAX)
        return read_radical(r, length);
    if (is_letter(c))
        return read_letters(r);
    if (c == '"')
        return read_quoted(r);
    return is_digit(c) ? read_number(r) : read_symbol(r);
}

/* Read a character that is a script itself. Return FORMULA_NONE if c is not. */
static int read_script_character(Reader *r, uint32_t c, size_t length, bool *is_high) {
    for (size_t i = 0; i < ARRAY_COUNT(SCRIPT_CHARACTERS); i++) {
        if (SCRIPT_CHARACTERS[i].code != c)
            continue;
        r->at += length;
        *is_high = SCRIPT_CHARACTERS[i].is_high;
        const char *text = SCRIPT_CHARACTERS[i].text;
        return add_text(r, ROLE_ORDINARY, FONT_MATH, text, strlen(text));
    }
    return FORMULA_NONE;
}

/* Attach a script to a base and return the node of both. If base already has a script at the other
 * place (low or high), add this one to the same node. */
static int attach_script(Reader *r, int base, int script, bool is_high) {
    FormulaNode *nodes = r->formula->nodes;
    bool free = nodes[base].kind == FORMULA_SCRIPTS &&
                (is_high ? nodes[base].high : nodes[base].low) == FORMULA_NONE;
    int scripts = free ? base : add_around(r, FORMULA_SCRIPTS, nodes[base].role, base);
    if (nodes[scripts].kind == FORMULA_SCRIPTS)
        *(is_high ? &nodes[scripts].high : &nodes[scripts].low) = script;
    return scripts;
}

/* Read the marks and scripts that follow a piece. */
static int read_scripts(Reader *r, int base) {
    size_t length;
    for (uint32_t c; base != FORMULA_NONE && (c = peek(r, &length), length > 0);) {
        bool is_high = c == '^';
        int script;
        if (is_mark(c)) {
            r->at += length;
            FormulaRole role = r->formula->nodes[base].role;
            int accent = add_around(r, FORMULA_ACCENT, role, base);
            if (accent != base)
                r->formula->nodes[accent].open = c;
            base = accent;
            continue;
        }
        if (c == '_' || c == '^') {
            r->at++;
            r->depth++;
            script = read_argument(r);
            r->depth--;
        } else {
            script = read_script_character(r, c, length, &is_high);
        }
        if (script == FORMULA_NONE)
            break;
        base = attach_script(r, base, script, is_high);
    }
    return base;
}

/* True if a fraction ends before a node with this role. */
static bool ends_fraction(FormulaRole role) {
    return role == ROLE_RELATION || role == ROLE_OPERATOR || role == ROLE_SIGN ||
           role == ROLE_COMMA || role == ROLE_WORD || role == ROLE_STROKE;
}

/* True if `fence` is the bracket directly after a function name, as in softmax(…). */
static bool takes_fence(const FormulaNode *nodes, int word, int fence) {
    return word != FORMULA_NONE && fence != FORMULA_NONE && nodes[word].role == ROLE_WORD &&
           nodes[fence].role == ROLE_FENCE && nodes[fence].blanks == 0;
}

/* Return the first node of the numerator. It extends back to a relation, operator, comma or word
 * and, if no blank precedes the slash, at most to a blank. Return FORMULA_NONE if the numerator is
 * empty. */
static int numerator_start(const FormulaNode *nodes, int row, int stroke) {
    int first = FORMULA_NONE;
    for (int i = nodes[row].child, before = FORMULA_NONE; i != stroke;
         before = i, i = nodes[i].next) {
        if (ends_fraction(nodes[i].role))
            first = FORMULA_NONE;
        else if (takes_fence(nodes, before, i))
            first = first == FORMULA_NONE ? before : first;
        else if (first == FORMULA_NONE || (nodes[stroke].blanks == 0 && nodes[i].blanks > 0))
            first = i;
    }
    return first;
}

/* Return the last node of the denominator, by the rules of numerator_start. If no blank precedes
 * the slash, the denominator also ends at a product sign. */
static int denominator_end(const FormulaNode *nodes, int stroke) {
    int last = nodes[stroke].next;
    bool is_wide = nodes[stroke].blanks > 0;
    bool starts =
        last != FORMULA_NONE && (!ends_fraction(nodes[last].role) || nodes[last].role == ROLE_WORD);
    if (!starts)
        return FORMULA_NONE;
    for (int i = nodes[last].next; i != FORMULA_NONE; last = i, i = nodes[i].next) {
        bool apart = !is_wide && (nodes[i].blanks > 0 || nodes[i].role == ROLE_PRODUCT);
        if (!takes_fence(nodes, last, i) && (ends_fraction(nodes[i].role) || apart))
            break;
    }
    return last;
}

/* Replace the nodes from the first of the numerator to the last of the denominator by a
 * fraction. */
static void build_fraction(Reader *r, int row, int stroke) {
    FormulaNode *nodes = r->formula->nodes;
    int first = numerator_start(nodes, row, stroke), last = denominator_end(nodes, stroke);
    nodes[stroke].role = ROLE_ORDINARY;
    if (first == FORMULA_NONE || last == FORMULA_NONE || r->formula->count + 2 > FORMULA_NODES)
        return;
    int over = add(r, FORMULA_ROW, ROLE_ORDINARY), under = add(r, FORMULA_ROW, ROLE_ORDINARY);
    int *link = &nodes[row].child;
    while (*link != first)
        link = &nodes[*link].next;
    *link = stroke;
    for (int i = first; i != FORMULA_NONE; i = nodes[i].next)
        if (nodes[i].next == stroke)
            nodes[i].next = FORMULA_NONE;
    nodes[over].child = first;
    nodes[under].child = nodes[stroke].next;
    nodes[stroke].next = nodes[last].next;
    nodes[last].next = FORMULA_NONE;
    nodes[stroke].kind = FORMULA_FRACTION;
    nodes[stroke].role = ROLE_FRACTION;
    nodes[stroke].is_wide = nodes[stroke].blanks > 0;
    nodes[stroke].blanks = nodes[first].blanks;
    nodes[first].blanks = nodes[nodes[under].child].blanks = 0;
    nodes[stroke].child = over;
    nodes[stroke].low = under;
}

/* Change an operator without a left operand to a sign, and a colon after a blank to a relation. */
static void settle_role(FormulaNode *node, const FormulaNode *before) {
    bool joins = before != NULL && (before->role == ROLE_ORDINARY || before->role == ROLE_FENCE);
    if (node->role == ROLE_OPERATOR && !joins)
        node->role = ROLE_SIGN;
    if (node->bytes == 1 && node->text[0] == ':' && node->blanks > 0)
        node->role = ROLE_RELATION;
}

/* Read pieces up to one of the characters in ends. That character is not consumed. */
static int read_row(Reader *r, const char *ends) {
    int row = add(r, FORMULA_ROW, ROLE_ORDINARY), last = FORMULA_NONE, blanks = 0;
    FormulaNode *nodes = r->formula->nodes;
    r->depth++;
    while (row != FORMULA_NONE && r->at < r->bytes &&
           (r->text[r->at] == '\0' || strchr(ends, r->text[r->at]) == NULL)) {
        if (r->text[r->at] == ' ') {
            r->at++, blanks++;
            continue;
        }
        int piece = read_scripts(r, read_piece(r, ends));
        if (piece == FORMULA_NONE) {
            r->at = r->formula->count == FORMULA_NODES ? r->bytes : r->at;
            continue;
        }
        nodes[piece].blanks = blanks, blanks = 0;
        settle_role(&nodes[piece], last != FORMULA_NONE ? &nodes[last] : NULL);
        *(last == FORMULA_NONE ? &nodes[row].child : &nodes[last].next) = piece;
        last = piece;
    }
    r->depth--;
    for (int i = row != FORMULA_NONE ? nodes[row].child : row; i != FORMULA_NONE; i = nodes[i].next)
        if (nodes[i].role == ROLE_STROKE)
            build_fraction(r, row, i);
    return row;
}

int formula_parse(Formula *out, const char *markup, size_t bytes) {
    Reader reader = {.formula = out, .text = markup, .bytes = bytes};
    out->count = 0;
    return read_row(&reader, "");
}
