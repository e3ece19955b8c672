/* The inspector of the Graph view: the keys that a token reads and the queries that read it or,
 * while the message to it is shown step by step, the numbers of the step. */
#include <math.h>

#include "base/utf8.h"
#include "ui/bars.h"
#include "ui/text.h"
#include "views/graph/graph_parts.h"
#include "views/inspector/inspector.h"

#define ROW          30
#define NAME_W       116 /* width in px of a name with its position */
#define VALUE_W      84  /* minimum width of a value */
#define ROWS_MAX     9
#define ROWS_WALK    14 /* maximum number of rows of any list */
#define ROWS_SUM     6
#define ROWS_READERS 5

typedef struct TokenRow {
    int token;
    float value;
    bool drawn;
} TokenRow;

static void token_row(const ViewContext *c, Rect line, const TokenRow *row, AttnCell cell,
                      float most, int decimals, float value_w) {
    Ui *ui = c->ui;
    UiId id = ui_id("graph row", cell.query * TOKENS_MAX + cell.key);
    UiState state = ui_control(ui, id, line, UI_NO_FOCUS);
    unsigned ink = row->drawn ? TEXT_BRIGHT : TEXT_DIM;
    if (state.hovered) {
        draw_fill(ui->list, rect_inset(line, -6, 0), 6, ui->theme->hover);
        view_light_row(c, cell);
    }
    if (state.clicked)
        view_toggle_pin(c, cell);
    Rect name = rect_cut_left(&line, NAME_W);
    text_in(ui, rect_cut_left(&name, text_width(ui, TEXT_COUNT, "00") + 6), TEXT_COUNT, "%d",
            row->token + 1);
    inspector_token(c, name, TEXT_BODY | ink, row->token);
    rect_cut_left(&line, 6);
    text_in(ui, rect_cut_right(&line, value_w), TEXT_NUMBER | TEXT_RIGHT | ink, "%s",
            FIXED((double)row->value, decimals));
    rect_cut_right(&line, 8);
    Colour colour = row->value < 0 ? palette_colour(ui->theme->signed_palette, 0)
                    : row->drawn   ? view_head_colour(c, cell.head)
                                   : ui->theme->control;
    float length = most > 0 ? line.w * fabsf(row->value) / most : 0;
    draw_fill(ui->list, (Rect){line.x, line.y + line.h / 2 - 4, fmaxf(length, 1), 8}, 2, colour);
}

static void heading(const ViewContext *c, Rect *rest, const char *name, const char *note) {
    rect_cut_top(rest, 14);
    Rect line = rect_cut_top(rest, 34);
    text_right(c->ui, &line, TEXT_BODY | TEXT_FAINT, "%s", note);
    rect_cut_right(&line, 2);
    text_in(c->ui, line, TEXT_HEADING, "%s", name);
}

/* List a token's open keys or, if column, the queries that read it, the largest value first. While
 * the steps of the message are shown, every edge is drawn, so no row is dim. Return the sum of the
 * values. */
static double token_list(const ViewContext *c, Rect *rest, int token, bool column, int rows_max,
                         GraphValue kind, const char *name) {
    bool walks = graph_walks(c), scores = c->settings->graph.value == GRAPH_SCORES;
    const GraphData *d = graph_data(c);
    int T = c->run->T, head = c->session->options.head - 1, largest[ROWS_WALK];
    int count = 0, drawn = 0, decimals = scores ? 2 : 3;
    Arena before = *c->scratch;
    float *values = arena_push(c->scratch, sizeof *values * (size_t)T), value_w = VALUE_W, most = 0;
    bool *is_drawn = arena_push_zero(c->scratch, sizeof *is_drawn * (size_t)T);
    double sum = 0;
    for (int i = 0; i < d->count; i++) {
        AttnCell at = d->edges[i].at;
        if (at.layer == 0 && at.head == head && (column ? at.key : at.query) == token)
            is_drawn[column ? at.query : at.key] = true;
    }
    for (int i = 0; i < T; i++) {
        AttnCell at = {0, head, column ? i : token, column ? token : i};
        values[i] = mask_row(&c->run->mask, at.query)[at.key] ? graph_value(c, kind, at) : NAN;
        if (!isfinite(values[i]))
            continue;
        count++;
        drawn += is_drawn[i];
        sum += (double)values[i];
        most = fmaxf(most, fabsf(values[i]));
    }
    int listed = mat_largest_first(largest, rows_max, values, T);
    for (int i = 0; i < listed; i++)
        value_w = fmaxf(value_w, text_width(c->ui, TEXT_NUMBER, "%s",
                                            FIXED((double)values[largest[i]], decimals)));
    heading(c, rest, name,
            count == 0 ? ""
            : walks    ? PRINT("%d open key%s", count, count == 1 ? "" : "s")
            : column   ? PRINT("%s %s", scores ? "sum" : "received", FIXED(sum, 2))
                       : PRINT("%d of %d drawn", drawn, count));
    for (int i = 0; i < listed && rest->h > ROW; i++) {
        int other = largest[i];
        AttnCell cell = {0, head, column ? other : token, column ? token : other};
        token_row(c, rect_cut_top(rest, ROW),
                  &(TokenRow){other, values[other], walks || is_drawn[other]}, cell, most, decimals,
                  value_w);
    }
    if (count == 0)
        text_in(c->ui, rect_cut_top(rest, ROW), TEXT_BODY,
                column ? "no query may read it" : "nothing to read");
    *c->scratch = before;
    return sum;
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

static void walk_sections(const ViewContext *c, Rect *rest, int query, int step) {
    if (step == STEP_MEET) {
        token_list(c, rest, query, false, ROWS_WALK, GRAPH_SCORES, "Scores");
        return;
    }
    int rows = step == STEP_SUM ? ROWS_SUM : ROWS_WALK;
    double sum = token_list(c, rest, query, false, rows, GRAPH_WEIGHTS, "Weights"), square = 0;
    if (step == STEP_SOFTMAX) {
        text_in(c->ui, rect_cut_top(rest, ROW), TEXT_BODY, "they sum to %s", FIXED(sum, 6));
        return;
    }
    const AttnShape *shape = &c->run->layers[0].shape[c->run->form];
    Mat Z = attn_head_value(&results_trace(c->run, 0)->Z, shape, c->session->options.head - 1);
    const float *z = mat_row(&Z, query);
    for (int m = 0; m < Z.cols; m++)
        square += (double)z[m] * (double)z[m];
    heading(c, rest, "What arrives", PRINT("length %s", FIXED(sqrt(square), 3)));
    bars_draw(c->ui, rect_cut_top(rest, 90),
              &(Bars){.values = z, .count = Z.cols, .palette = c->ui->theme->signed_palette});
    text_in(c->ui, rect_cut_top(rest, ROW), TEXT_BODY, "z_%d, %d number%s", query + 1, Z.cols,
            Z.cols == 1 ? "" : "s");
}

static void token_sections(const ViewContext *c, Rect *rest, int token) {
    GraphValue kind = (GraphValue)c->settings->graph.value;
    double left = graph_left(c, c->session->options.head - 1, token);
    token_list(c, rest, token, false, ROWS_MAX, kind, "reads");
    if (left != 1 && left > 0) /* if left is 1, no weight is rescaled */
        text_wrap(c->ui, rest, TEXT_BODY,
                  PRINT("The edges show a / %s, so that the remaining weights sum to 1.",
                        FIXED(left, 3)));
    if (rest->h > 120)
        token_list(c, rest, token, true, ROWS_READERS, kind, "is read by");
    AttnCell cell = view_rest(c);
    if (attn_cell_is_set(cell) && cell.query == token)
        provenance_chips(c, rest, cell);
}

void graph_inspector(const ViewContext *c, Rect area) {
    int token = graph_token(c), head = c->session->options.head - 1;
    Rect rest = rect_inset(area, 24, 20), clip = draw_clip(c->ui->list, area);
    bool walking = graph_walks(c);
    AttnCell focus = view_focus(c); /* the hovered cell may still belong to the previous text */
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
