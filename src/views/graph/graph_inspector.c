/* The inspector of the Graph view: what a token reads, who reads it, and the numbers of each step
 * of its walk. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "ui/bars.h"
#include "ui/text.h"
#include "views/graph/graph.h"
#include "views/inspector/inspector.h"

#define ROW      30
#define NAME_W   116 /* width of a name with its position */
#define VALUE_W  84  /* least width of a value */
#define ROWS_MAX 9

typedef struct TokenRow {
    int token;
    float value;
    bool drawn;
} TokenRow;

static int heavier(const void *left, const void *right) {
    const TokenRow *a = left, *b = right;
    float x = fabsf(a->value), y = fabsf(b->value);
    return x != y ? (x < y ? 1 : -1) : a->token - b->token;
}

/* Mark the tokens that share a drawn edge of the lowest layer with this token. Return their number.
 */
static int mark_drawn(bool *is_drawn, const ViewContext *c, int token, bool column) {
    const GraphData *d = graph_data(c);
    int head = c->session->options.head - 1, count = 0;
    for (int i = 0; i < d->count; i++) {
        const Edge *edge = &d->edges[i];
        if ((column ? edge->key : edge->query) != token || d->head_of[i] != head ||
            d->layer_of[i] != 0)
            continue;
        is_drawn[column ? edge->query : edge->key] = true;
        count++;
    }
    return count;
}

/* Collect the open tokens of a row or column of values, largest first. */
static int gather(TokenRow *rows, const ViewContext *c, const HeadValues *values, int token,
                  bool column) {
    int count = 0;
    for (int i = 0; i < c->run->T; i++) {
        int query = column ? i : token, key = column ? token : i;
        float value = head_value(values, query, key);
        if (mask_row(&c->run->mask, query)[key] && isfinite(value))
            rows[count++] = (TokenRow){i, value, false};
    }
    qsort(rows, (size_t)count, sizeof *rows, heavier);
    return count;
}

static void row_bar(const ViewContext *c, Rect bar, const TokenRow *row, float most) {
    Colour colour =
        row->drawn ? view_head_colour(c, c->session->options.head - 1) : c->ui->theme->control;
    if (row->value < 0)
        colour = palette_colour(c->ui->theme->signed_palette, 0);
    float length = most > 0 ? bar.w * fabsf(row->value) / most : 0;
    draw_fill(c->ui->list, (Rect){bar.x, bar.y + bar.h / 2 - 4, fmaxf(length, 1), 8}, 2, colour);
}

/* The layout that all rows of a list share. */
typedef struct RowStyle {
    float most, value_w; /* value of the longest bar; px of the widest number */
    int decimals;
} RowStyle;

static RowStyle row_style(const ViewContext *c, const TokenRow *rows, int count, int decimals) {
    RowStyle style = {count > 0 ? fabsf(rows[0].value) : 0, VALUE_W, decimals};
    for (int i = 0; i < count; i++)
        style.value_w = fmaxf(style.value_w, text_width(c->ui, TEXT_NUMBER, "%s",
                                                        FIXED((double)rows[i].value, decimals)));
    return style;
}

static void token_row(const ViewContext *c, Rect *rest, const TokenRow *row, AttnCell cell,
                      const RowStyle *set) {
    Rect line = rect_cut_top(rest, ROW);
    UiId id = ui_id("graph row", cell.query * TOKENS_MAX + cell.key);
    UiState state = ui_control(c->ui, id, line, UI_NO_FOCUS);
    if (state.hovered) {
        draw_fill(c->ui->list, rect_inset(line, -6, 0), 6, c->ui->theme->hover);
        view_light_row(c, cell);
    }
    if (state.clicked)
        view_toggle_pin(c, cell);
    unsigned ink = row->drawn ? TEXT_BRIGHT : TEXT_DIM;
    Rect name = rect_cut_left(&line, NAME_W);
    text_in(c->ui, rect_cut_left(&name, text_width(c->ui, TEXT_COUNT, "00") + 6), TEXT_COUNT, "%d",
            row->token + 1);
    inspector_token(c, name, TEXT_BODY | ink, row->token);
    rect_cut_left(&line, 6);
    text_in(c->ui, rect_cut_right(&line, set->value_w), TEXT_NUMBER | TEXT_RIGHT | ink, "%s",
            FIXED((double)row->value, set->decimals));
    rect_cut_right(&line, 8);
    row_bar(c, line, row, set->most);
}

static void heading(const ViewContext *c, Rect *rest, const char *name, const char *note) {
    rect_cut_top(rest, 14);
    Rect line = rect_cut_top(rest, 34);
    text_right(c->ui, &line, TEXT_BODY | TEXT_FAINT, "%s", note);
    rect_cut_right(&line, 2);
    text_in(c->ui, line, TEXT_HEADING, "%s", name);
}

/* List a token's keys or readers. In a walk every open edge is drawn. */
static void token_list(const ViewContext *c, Rect *rest, int token, bool column, int rows_max,
                       const HeadValues *values, const char *name) {
    bool walks = graph_walks(c), scores = c->settings->graph_value == GRAPH_SCORES;
    Arena scratch = *c->scratch;
    TokenRow *rows = arena_push(c->scratch, sizeof *rows * (size_t)c->run->T);
    bool *is_drawn = arena_push_zero(c->scratch, sizeof *is_drawn * (size_t)c->run->T);
    int count = gather(rows, c, values, token, column);
    int drawn = mark_drawn(is_drawn, c, token, column);
    char note[64];
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += (double)rows[i].value;
        rows[i].drawn = walks || is_drawn[rows[i].token];
    }
    if (count == 0)
        note[0] = '\0';
    else if (walks)
        snprintf(note, sizeof note, "%d open key%s", count, count == 1 ? "" : "s");
    else if (column)
        snprintf(note, sizeof note, scores ? "sum %s" : "received %s", FIXED(sum, 2));
    else
        snprintf(note, sizeof note, "%d of %d drawn", drawn, count);
    heading(c, rest, name, note);
    int listed = count < rows_max ? count : rows_max;
    RowStyle set = row_style(c, rows, listed, scores ? 2 : 3);
    for (int i = 0; i < listed && rest->h > ROW; i++) {
        AttnCell cell = {0, c->session->options.head - 1, column ? rows[i].token : token,
                         column ? token : rows[i].token};
        token_row(c, rest, &rows[i], cell, &set);
    }
    if (count == 0)
        text_in(c->ui, rect_cut_top(rest, ROW), TEXT_BODY,
                column ? "nobody may read it" : "nothing to read");
    *c->scratch = scratch;
}

static void token_title(const ViewContext *c, Rect *rest, int token) {
    int head = c->session->options.head - 1;
    bool is_pinned = view_pin(c).query >= 0;
    Rect line = rect_cut_top(rest, 40);
    text_right(c->ui, &line, TEXT_BODY | TEXT_FAINT, "%s",
               view_lit_token(c) >= 0 ? "Hovered"
               : is_pinned            ? "Pinned"
                                      : "Strongest");
    rect_cut_right(&line, 4);
    inspector_token(c, line, TEXT_TITLE, token);
    text_in(c->ui, inspector_head_line(c, rest, head), TEXT_BODY, "Head %d · token %d", head + 1,
            token + 1);
}

/* Show the query's z, computed here from a and v, next to the z of the layer's pass. */
static void sum_section(const ViewContext *c, Rect *rest, int query) {
    const AttnShape *shape = &c->run->layers[0].shape[c->run->form];
    int head = c->session->options.head - 1;
    Mat Z = attn_head_value(&results_trace(c->run, 0)->Z, shape, head);
    const float *z = mat_row(&Z, query);
    char note[64];
    double square = 0;
    for (int m = 0; m < Z.cols; m++)
        square += (double)z[m] * (double)z[m];
    snprintf(note, sizeof note, "length %s", FIXED(sqrt(square), 3));
    heading(c, rest, "What arrives", note);
    bars_draw(c->ui, rect_cut_top(rest, 90),
              &(Bars){.values = z, .count = Z.cols, .palette = c->ui->theme->signed_palette});
    text_in(c->ui, rect_cut_top(rest, ROW), TEXT_BODY, "z_%d, %d number%s", query + 1, Z.cols,
            Z.cols == 1 ? "" : "s");
}

static void walk_sections(const ViewContext *c, Rect *rest, int query, int step) {
    int head = c->session->options.head - 1, rows = step == STEP_SUM ? 6 : 14;
    HeadValues scores = {.of = results_scores(c->run, 0, head)};
    HeadValues weights = {.of = results_weights(c->run, 0, head)};
    if (step == STEP_MEET)
        token_list(c, rest, query, false, rows, &scores, "Scores");
    else
        token_list(c, rest, query, false, rows, &weights, "Weights");
    if (step == STEP_SOFTMAX) {
        double sum = 0;
        for (int j = 0; j < c->run->T; j++)
            sum += (double)head_value(&weights, query, j);
        text_in(c->ui, rect_cut_top(rest, ROW), TEXT_BODY, "they sum to %s", FIXED(sum, 6));
    }
    if (step == STEP_SUM)
        sum_section(c, rest, query);
}

/* Say that edges may show renormalised weights while the list shows the weights themselves. */
static void rescaling_words(const ViewContext *c, Rect *rest, int token) {
    double left = graph_left(c, c->session->options.head - 1, token);
    char text[96];
    if (left == 1 || !(left > 0))
        return;
    snprintf(text, sizeof text, "The edges show a / %s: what is left sums to 1.", FIXED(left, 3));
    text_wrap(c->ui, rest, TEXT_BODY, text);
}

static void token_sections(const ViewContext *c, Rect *rest, int token) {
    Arena scratch = *c->scratch;
    HeadValues values = graph_values(c, c->session->options.head - 1);
    token_list(c, rest, token, false, ROWS_MAX, &values, "reads");
    rescaling_words(c, rest, token);
    if (rest->h > 120)
        token_list(c, rest, token, true, 5, &values, "is read by");
    *c->scratch = scratch;
    AttnCell cell = view_rest(c);
    if (attn_cell_is_set(cell) && cell.query == token)
        provenance_chips(c, rest, cell);
}

void graph_inspector(const ViewContext *c, Rect area) {
    int token = graph_token(c), head = c->session->options.head - 1;
    Rect rest = rect_inset(area, 24, 20), clip = draw_clip(c->ui->list, area);
    bool walking = graph_walks(c);
    AttnCell focus = view_focus(c); /* a lit cell may belong to the previous text */
    if (attn_cell_is_set(c->hover->lit) && view_lit_token(c) < 0 && attn_cell_is_set(focus)) {
        inspector_cell(c, &rest, focus);
    } else if (provenance_piece(c, &rest, view_rest(c))) {
    } else if (token >= 0) {
        token_title(c, &rest, token);
        if (walking)
            walk_sections(c, &rest, token, graph_step(c));
        else
            token_sections(c, &rest, token);
    } else {
        text_wrap(c->ui, &rest, TEXT_BODY,
                  "Hover a token to see what it reads. Click it to follow the message that reaches "
                  "it, step by step.");
    }
    if (rest.h > 120)
        inspector_head(c, &rest, head);
    draw_clip_restore(c->ui->list, clip);
}
