#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "model/attention/block.h"
#include "model/attention/position.h"
#include "ui/button.h"
#include "ui/formula.h"
#include "ui/tooltip.h"
#include "views/inspector/inspector.h"

#define CHIP_H       40
#define CHIP_PAD     10 /* px left and right of a chip's words */
#define CHIP_PAD_MIN 6  /* px: CHIP_PAD in a narrow inspector */
#define CHIP_SIZE    22
#define BETWEEN      4
#define HEADING_H    40
#define HEADING_AWAY 20
#define BACK_BYTES   18 /* maximum bytes of a token's name on the back button */
#define SOURCES_MAX  8

/* The vectors that the inspector can show in place of the cell. */
typedef enum Piece { PIECE_NONE, PIECE_X_QUERY, PIECE_X_KEY, PIECE_QUERY, PIECE_KEY } Piece;

/* An input of a number. A click on its chip shows a vector in the inspector (piece), or sets the
 * option `key` to `value`, which shows a matrix in its own view. */
typedef struct Source {
    char formula[24];
    const char *help;
    Piece piece;
    const char *key, *value, *product; /* product: the product to show in the W_QK view, or NULL */
} Source;

typedef struct Sources {
    Source at[SOURCES_MAX];
    int count;
} Sources;

static const AttnShape *shape_of(const ViewContext *c, AttnCell cell) {
    return &c->run->layers[cell.layer].shape[c->run->form];
}

static void add_vector(Sources *s, const char *letter, int token, Piece piece, const char *help) {
    Source *source = &s->at[s->count++];
    *source = (Source){.piece = piece, .help = help};
    snprintf(source->formula, sizeof source->formula, "%s_{%d}", letter, token + 1);
}

/* Add a matrix to the inputs. In other layers than the first it has no chip, because the W_QK view
 * only shows the first layer. */
static void add_matrix(Sources *s, AttnCell cell, const char *formula, const char *help) {
    if (cell.layer > 0)
        return;
    Source *source = &s->at[s->count++];
    *source = (Source){.key = "view", .value = "wqk", .product = "qk", .help = help};
    snprintf(source->formula, sizeof source->formula, "%s", formula);
}

static float chips_place(Rect out[SOURCES_MAX], const ViewContext *c, const Sources *s,
                         float width) {
    float room = width - (float)(s->count - 1) * BETWEEN;
    for (int i = 0; i < s->count; i++)
        room -= out[i].w = formula_width(c->ui, CHIP_SIZE, s->at[i].formula);
    float pad = fminf(fmaxf(room / (2 * (float)s->count), CHIP_PAD_MIN), CHIP_PAD);
    Vec2 at = {0, 0};
    for (int i = 0; i < s->count; i++) {
        float w = out[i].w + 2 * pad;
        if (at.x > 0 && at.x + w > width + 0.5f)
            at = (Vec2){0, at.y + CHIP_H + BETWEEN};
        out[i] = (Rect){at.x, at.y, w, CHIP_H};
        at.x += w + BETWEEN;
    }
    return at.y + CHIP_H + BETWEEN;
}

static void chips_draw(const ViewContext *c, Rect *rest, AttnCell cell, const Sources *s) {
    Ui *ui = c->ui;
    Rect at[SOURCES_MAX];
    float chips = chips_place(at, c, s, rest->w), heading = HEADING_AWAY + HEADING_H;
    if (rest->h < chips + BETWEEN)
        return;
    rect_cut_top(rest, rest->h < chips + heading ? BETWEEN : HEADING_AWAY);
    if (rest->h >= chips + HEADING_H)
        text_in(ui, rect_cut_top(rest, HEADING_H), TEXT_HEADING, "Comes from");
    Rect area = rect_cut_top(rest, chips);
    for (int i = 0; i < s->count; i++) {
        const Source *source = &s->at[i];
        Rect place = {area.x + at[i].x, area.y + at[i].y, at[i].w, at[i].h};
        UiId id = ui_id("comes from", i);
        UiState state = button_ground(ui, id, place, 8, ui->theme->raised);
        text_in(ui, place, TEXT_NAME | TEXT_CENTRE, "%s", source->formula);
        tooltip(ui, id, place, NULL, source->help);
        if (!state.clicked)
            continue;
        if (source->piece != PIECE_NONE) {
            c->memory->inspector = (InspectorMemory){(int)source->piece, cell};
            ui->again = true;
            continue;
        }
        edit_push_state(c->edits, "head", "%d", cell.head + 1);
        view_set(c, source->key, source->value, 0);
        if (source->product != NULL)
            view_set(c, "wqk-product", source->product, 0);
    }
}

void provenance_chips(const ViewContext *c, Rect *rest, AttnCell cell) {
    Sources s = {.count = 0};
    const char *view = VIEWS[c->settings->view].entry.id;
    add_vector(&s, "x", cell.query, PIECE_X_QUERY, "The query's vector before the layer.");
    if (cell.key != cell.query)
        add_vector(&s, "x", cell.key, PIECE_X_KEY, "The key's vector before the layer.");
    if (attn_has_factors(shape_of(c, cell))) {
        add_vector(&s, "q", cell.query, PIECE_QUERY, "What the query asks for in this head.");
        add_vector(&s, "k", cell.key, PIECE_KEY, "What the key offers in this head.");
        add_matrix(&s, cell, "W_Q", "In the view W_QK, show the weights that make queries.");
        add_matrix(&s, cell, "W_K", "In the view W_QK, show the weights that make keys.");
    } else {
        add_matrix(&s, cell, "W_{QK}", "In the view W_QK, show the weights that make scores.");
    }
    /* the option that shows the scores in the current view, or in Heads */
    bool steps = strcmp(view, "steps") == 0, graph = strcmp(view, "graph") == 0;
    s.at[s.count++] = (Source){.formula = "S",
                               .help = "The scores of all pairs, which enter the softmax.",
                               .key = graph   ? "graph-value"
                                      : steps ? "steps-step"
                                              : "show",
                               .value = steps ? "3" : "scores"};
    chips_draw(c, rest, cell, &s);
}

bool provenance_end(const ViewContext *c) {
    bool was = c->memory->inspector.piece != PIECE_NONE;
    c->memory->inspector.piece = PIECE_NONE;
    return was;
}

static void back(const ViewContext *c, Rect *rest, AttnCell cell) {
    const unsigned style = TEXT_BODY | TEXT_BRIGHT | TEXT_PLAIN;
    const char *pair = PAIR_NAME(c, cell.query, cell.key, BACK_BYTES);
    Rect line = rect_cut_top(rest, CHIP_H);
    line.w = fminf(text_width(c->ui, style, "‹  %s", pair) + 2 * CHIP_PAD, line.w);
    UiId id = ui_id("comes from back", 0);
    UiState state = button_ground(c->ui, id, line, 8, c->ui->theme->raised);
    text_in(c->ui, rect_inset(line, CHIP_PAD, 0), style, "‹  %s", pair);
    tooltip(c->ui, id, line, NULL, "Back to the number that uses this vector (Esc).");
    if (state.clicked)
        c->ui->again = provenance_end(c);
}

static void piece_title(const ViewContext *c, Rect *rest, int token, const char *formula) {
    rect_cut_top(rest, 12);
    Rect line = rect_cut_top(rest, HEADING_H);
    float width = formula_width(c->ui, 26, formula);
    formula_draw(c->ui, (Vec2){rect_right(line) - width, line.y + 28}, 26, c->ui->theme->text_1,
                 formula);
    line.w -= width + 12;
    inspector_token(c, line, TEXT_TITLE, token);
}

/* Draw a vector as bars on a colour scale from −most to most (0: its largest magnitude). Below,
 * write its length or the entry under the pointer. */
static void vector(const ViewContext *c, Rect *rest, const char *name, const char *formula,
                   const float *values, int count, float most) {
    double square = 0;
    inspector_section(c, rest, name, formula);
    int over = inspector_bars(c, rest, values, count, most);
    for (int m = 0; m < count; m++)
        square += (double)values[m] * (double)values[m];
    rect_cut_top(rest, 6);
    Rect line = rect_cut_top(rest, INSPECTOR_LINE);
    text_right(c->ui, &line, TEXT_NUMBER, "%s",
               over >= 0 ? DIGITS(values[over]) : PRINT("length %s", FIXED(sqrt(square), 3)));
    text_in(c->ui, line, TEXT_BODY, "%s",
            over >= 0 ? PRINT("number %d", over + 1)
                      : PRINT("%d number%s", count, count == 1 ? "" : "s"));
}

static void sentence(const ViewContext *c, Rect *rest, const char *text) {
    text_wrap(c->ui, rest, TEXT_BODY | TEXT_PLAIN, text);
    rect_cut_top(rest, 4);
}

/* Explain a token's row of X: x = e + p, with the word's vector and the position's vector, all on
 * the scale of x. If the parts are unknown, show x alone. */
static void input_piece(const ViewContext *c, Rect *rest, AttnCell cell, int token) {
    const Options *o = &c->session->options;
    cell.query = cell.key = token;
    const CellStory s = cell_story(c->run, cell, -1, c->scratch);
    int D = s.shape->D;
    Mat x = mat_rows(&c->run->X, token, 1);
    float most = mat_largest(&x);
    const char *name = PRINT("x_{%d}", token + 1), *position = PRINT("p_{%d}", token + 1);
    const char *help = c->run->notes[token].source == EMBED_TRAINED
                           ? "The token's row of E, trained with the layer, from the weights file."
                           : registry_entry(&EMBEDDINGS, o->embedding)->help;
    piece_title(c, rest, token, name);
    sentence(c, rest,
             session_streams(c->session) ? "The token's row of X: the residual stream that enters "
                                           "this layer from the embedding and the layers below."
             : s.is_given
                 ? "The token's row of X, from the weights file."
                 : "The token's row of X: its vector before the layer, the same for all heads.");
    vector(c, rest, "Input", s.word != NULL ? PRINT("%s = e + %s", name, position) : name, s.x, D,
           most);
    if (block_owns_input(s.shape) && s.shape->block == BLOCK_PRE_NORM)
        sentence(c, rest,
                 s.shape->traits.norm.rms
                     ? "The layer reads RMSNorm(x): this row divided by its root mean square."
                     : "The layer reads LN(x): this row minus its mean, divided by its standard "
                       "deviation.");
    if (s.is_given)
        return;
    if (s.word != NULL)
        vector(c, rest, "Word", "e", s.word, D, most);
    sentence(c, rest, help);
    inspector_token_note(c, rest, token);
    if (s.word == NULL)
        return;
    vector(c, rest, "Position", position, s.position, D, most);
    sentence(c, rest, registry_entry(&POSITIONS, o->positions)->help);
}

static void projection_piece(const ViewContext *c, Rect *rest, AttnCell cell, bool is_key) {
    const CellStory s = cell_story(c->run, cell, -1, c->scratch);
    int token = is_key ? cell.key : cell.query;
    const float *values = is_key ? s.key : s.query;
    const char *matrix = is_key ? "W_K" : "W_Q", *x = block_owns_input(s.shape) ? "x'" : "x";
    const char *name = PRINT("%s_{%d}", is_key ? "k" : "q", token + 1);
    piece_title(c, rest, token, name);
    sentence(c, rest,
             PRINT(is_key ? "What the token offers to queries in head %d."
                          : "What the token asks for in head %d.",
                   cell.head + 1));
    vector(c, rest, is_key ? "Key" : "Query", PRINT("%s = %s_{%d} %s", name, x, token + 1, matrix),
           values, s.query_count, 0);
    inspector_largest_terms(c, rest, values, s.query_count);
    if (s.shape->rope)
        sentence(c, rest, "Rotated by its position: RoPE.");
    Sources sources = {.count = 0};
    add_vector(&sources, "x", token, is_key ? PIECE_X_KEY : PIECE_X_QUERY,
               "The token's vector before the layer.");
    add_matrix(&sources, cell, matrix, "Show these weights in the view W_QK.");
    chips_draw(c, rest, cell, &sources);
}

bool provenance_piece(const ViewContext *c, Rect *rest, AttnCell cell) {
    const InspectorMemory *memory = &c->memory->inspector;
    Piece piece = (Piece)memory->piece;
    bool is_vector = piece == PIECE_QUERY || piece == PIECE_KEY;
    if (piece == PIECE_NONE || !attn_cell_is_set(cell) || !attn_cell_equal(memory->of, cell) ||
        (is_vector && !attn_has_factors(shape_of(c, cell))))
        return false;
    back(c, rest, cell);
    if (is_vector)
        projection_piece(c, rest, cell, piece == PIECE_KEY);
    else
        input_piece(c, rest, cell, piece == PIECE_X_KEY ? cell.key : cell.query);
    return true;
}
