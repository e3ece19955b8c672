#include "views/inspector/inspector.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/util.h"
#include "draw/part.h"
#include "lab/theory_on_input.h"
#include "math/softmax.h"
#include "model/attention/block.h"
#include "model/theory/expect.h"
#include "results/by_hand.h"
#include "ui/bars.h"
#include "ui/button.h"
#include "ui/prose.h"
#include "ui/tooltip.h"
#include "views/inspector/inspector_more.h"
#include "views/inspector/inspector_parts.h"
#include "views/inspector/provenance.h"
#include "views/shared/edges.h"

#define SCORE_TERMS_MAX (OPTION_WIDTH_MAX + 1) /* d_model terms and the constant 1 */
#define COLUMN_W        104                    /* px of the values of each of two layers */
#define NAME_BRIEF      12 /* bytes of each token's name if two names do not fit */

/* One cell and the numbers that explain it. */
typedef struct Cell {
    AttnCell at;
    const AttnTrace *trace;
    const AttnShape *shape;
    Mat scores, weights;
    float score, weight;
    bool open;
} Cell;

static Cell cell_at(const ViewContext *c, AttnCell at) {
    Cell cell = {.at = at};
    cell.trace = results_trace(c->run, at.layer);
    cell.shape = &c->run->layers[at.layer].shape[c->run->form];
    cell.scores = results_scores(c->run, at.layer, at.head);
    cell.weights = results_weights(c->run, at.layer, at.head);
    cell.score = mat_row(&cell.scores, at.query)[at.key];
    cell.weight = mat_row(&cell.weights, at.query)[at.key];
    cell.open = mask_row(&c->run->mask, at.query)[at.key] != 0;
    return cell;
}

static void cell_title(const ViewContext *c, Rect *rest, const Cell *cell) {
    Rect line = rect_cut_top(rest, 40);
    const char *why = attn_cell_equal(cell->at, view_pin(c)) ? "Pinned"
                      : attn_cell_is_set(c->hover->lit)      ? "Hovered"
                                                             : "Strongest";
    text_right(c->ui, &line, TEXT_BODY | TEXT_FAINT, "%s", why);
    rect_cut_right(&line, 4);
    Rect left = line;
    left.w = (line.w - 44) / 2;
    rect_cut_left(&line, inspector_token(c, left, TEXT_TITLE, cell->at.query) + 10);
    Rect arrow = rect_cut_left(&line, 26);
    icon_draw(c->ui, ICON_ARROW, rect_centre(arrow), 24, c->ui->theme->text_2);
    rect_cut_left(&line, 8);
    inspector_token(c, line, TEXT_TITLE, cell->at.key);
}

static void cell_value(const ViewContext *c, Rect *rest, const Cell *cell) {
    char value[32], line_1[96], line_2[64], brief[32], query[VIEW_NAME_MAX];
    view_token_name(query, c, cell->at.query, 24);
    const uint8_t *open = mask_row(&c->run->mask, cell->at.query);
    int keys = 0;
    for (int j = 0; j < c->run->T; j++)
        keys += open[j] != 0;
    number_format_fixed(value, sizeof value, (double)cell->weight, 3);
    snprintf(line_1, sizeof line_1, "of what “%s” reads", query);
    snprintf(brief, sizeof brief, "even: %s", FIXED(keys > 0 ? 1.0 / keys : 0, 3));
    snprintf(line_2, sizeof line_2, "even share: %s", brief + strlen("even: "));
    if (!cell->open) {
        snprintf(brief, sizeof brief, keys > 0 ? "closed by mask" : "no open key");
        snprintf(line_2, sizeof line_2, keys > 0 ? "the mask closes this pair" : "no open key");
    }
    Rect area = rect_cut_top(rest, 64);
    bool has_exponent = strlen(value) > 5;
    LabelStyle big = {FONT_MONO_BOLD, has_exponent ? 34 : 48, c->ui->theme->text_1, LABEL_LEFT};
    rect_cut_left(&area, label_draw(c->ui, area, &big, value) + 18);
    float wide = fmaxf(text_width(c->ui, TEXT_BODY | TEXT_PLAIN, "%s", line_1),
                       text_width(c->ui, TEXT_BODY | TEXT_PLAIN, "%s", line_2));
    unsigned small = TEXT_PLAIN | (wide <= area.w ? TEXT_BODY : TEXT_NOTE);
    if (text_width(c->ui, small, "%s", line_1) > area.w)
        snprintf(line_1, sizeof line_1, "of what it reads");
    if (text_width(c->ui, small, "%s", line_2) > area.w)
        snprintf(line_2, sizeof line_2, "%s", brief);
    rect_cut_top(&area, 10);
    text_in(c->ui, rect_cut_top(&area, 24), small, "%s", line_1);
    text_in(c->ui, rect_cut_top(&area, 24), small, "%s", line_2);
}

static void score_words(const ViewContext *c, const Cell *cell, Rect *rest, const float *products,
                        int count) {
    char name[64], sum[128], number[32], divisor[32], score[32];
    double factor = (double)cell->shape->score_factor, dot = (double)cell->score / factor;
    float cap = cell->shape->traits.cap;
    for (int i = 0; i < count && cap > 0; i++)
        dot = (i > 0 ? dot : 0) + (double)products[i];
    HandNumber place = {
        .name = HAND_S, .head = cell->at.head, .row = cell->at.query, .col = cell->at.key};
    if (hand_set_find(c->session->hand, &place) != NULL) {
        float computed = results_score_computed(c->run, place.head, place.row, place.col);
        inspector_pair(c, rest, "Set by hand", SHORT((double)cell->score));
        if (isfinite(computed))
            number_format_short(number, sizeof number, (double)computed);
        inspector_pair(c, rest, "computed", isfinite(computed) ? number : "–");
        return;
    }
    snprintf(name, sizeof name, "%d product%s", count, count == 1 ? "" : "s");
    number_format_short(number, sizeof number, dot);
    snprintf(sum, sizeof sum, "sum %s", number);
    inspector_pair(c, rest, name, sum);
    number_format_fixed(divisor, sizeof divisor, 1 / factor,
                        1 / factor == floor(1 / factor) ? 0 : 3);
    number_format_short(score, sizeof score, (double)cell->score);
    snprintf(sum, sizeof sum, "%s / %s = %s", number, divisor, score);
    if (cap > 0) {
        char limit[32];
        view_value_text(limit, cap, true);
        snprintf(name, sizeof name, "s' = sum / %s", divisor);
        number_format_short(number, sizeof number, dot * factor);
        inspector_pair(c, rest, name, number);
        snprintf(sum, sizeof sum, "%s·tanh(%.12s/%.12s) = %s", limit, number, limit, score);
    }
    snprintf(name, sizeof name, "s_{%d,%d}", cell->at.query + 1, cell->at.key + 1);
    inspector_equation(c, rest, name, sum);
}

/* Write the formula of a score. x is a row of the layer's input: of X, or x' if the input is
 * normalised or extended by the constant 1. */
static void score_formula(char *out, size_t capacity, const AttnShape *shape, int i, int j,
                          const char *scale, const char *heat) {
    const char *x = block_owns_input(shape) ? "x'" : "x", *rotated = shape->rope ? "^{(i−j)}" : "";
    if (shape->traits.cap > 0)
        snprintf(out, capacity, "s = c·\"tanh\"(s' / c)");
    else if (shape->form == FORM_MERGED || !attn_has_factors(shape))
        snprintf(out, capacity, "s = %s_{%d} W_{QK}%s · %s_{%d}%s%s", x, i, rotated, x, j, scale,
                 heat);
    else
        snprintf(out, capacity, "s = q_{%d} · k_{%d}%s%s", i, j, scale, heat);
}

/* Explain x', if the score is computed from it, and what happened to q and k after the projection.
 * */
static const char *score_note(const AttnShape *shape) {
    bool product = shape->form == FORM_MERGED || !attn_has_factors(shape);
    bool norm = shape->block == BLOCK_PRE_NORM, one = shape->bias == BIAS_ALL;
    if (!product)
        return shape->rope ? "q and k after the rotation" : NULL;
    if (norm && shape->traits.norm.rms)
        return one ? "x' is RMSNorm(x), then the constant 1" : "x' is RMSNorm(x)";
    if (norm)
        return one ? "x' is LN(x), then the constant 1" : "x' is LN(x)";
    return one ? "x' is x, then the constant 1" : NULL;
}

static void cell_score(const ViewContext *c, Rect *rest, const Cell *cell) {
    float *products = arena_push(c->scratch, sizeof(float) * SCORE_TERMS_MAX);
    int count = attn_score_terms(products, SCORE_TERMS_MAX, cell->trace, cell->shape,
                                 &c->run->layers[cell->at.layer].params, cell->at.head,
                                 cell->at.query, cell->at.key);
    char formula[128];
    const char *scale = c->session->options.scale == SCALE_SQRT ? " / √{d_k}" : "";
    const char *heat = c->session->options.temperature != 1 ? " / τ" : "";
    int i = cell->at.query + 1, j = cell->at.key + 1;
    score_formula(formula, sizeof formula, cell->shape, i, j, scale, heat);
    inspector_section(c, rest, "Score", formula);
    inspector_bars(c, rest, products, count, inspector_largest(products, count));
    rect_cut_top(rest, 6);
    if (count > 1)
        inspector_largest_terms(c, rest, products, count);
    score_words(c, cell, rest, products, count);
    if (score_note(cell->shape) != NULL)
        text_in(c->ui, rect_cut_top(rest, INSPECTOR_LINE), TEXT_BODY | TEXT_PLAIN, "%s",
                score_note(cell->shape));
}

/* Write e^(s − max), its sum over the row, and max, as the softmax computes them. */
static void weight_words(const ViewContext *c, const Cell *cell, Rect *rest) {
    const uint8_t *open = mask_row(&c->run->mask, cell->at.query);
    const float *scores = mat_row(&cell->scores, cell->at.query);
    SoftmaxTerms terms = softmax_terms(scores, open, c->run->T, cell->at.key);
    char text[112], name[64];
    if (cell->open)
        inspector_pair(c, rest, "row’s largest score", SHORT(terms.largest));
    snprintf(text, sizeof text, cell->open ? "%s / %s = %s" : "closed", SHORT(terms.power),
             SHORT(terms.sum), FIXED((double)cell->weight, 3));
    snprintf(name, sizeof name, "a_{%d,%d}", cell->at.query + 1, cell->at.key + 1);
    inspector_equation(c, rest, name, text);
}

static void weight_ticks(const ViewContext *c, Rect row, int marked) {
    float step = row.w / (float)c->run->T;
    float widest = text_width(c->ui, TEXT_COUNT, c->run->T < 100 ? "00" : "0000") + 8;
    int every = (int)ceilf(widest / step);
    for (int j = 0; j < c->run->T; j++) {
        bool far = marked < 0 || j == marked || every == 1 || abs(j - marked) >= every;
        if ((j % every != 0 && j != marked) || !far)
            continue;
        LabelStyle style =
            text_style(c->ui, TEXT_COUNT | TEXT_CENTRE | (j == marked ? TEXT_BRIGHT : TEXT_DIM));
        style.font = j == marked ? FONT_MONO_BOLD : FONT_MONO;
        Rect place = {row.x + step * ((float)j + 0.5f) - 20, row.y, 40, row.h};
        label_draw(c->ui, place, &style, GROUPED(j + 1));
    }
}

static void cell_weight(const ViewContext *c, Rect *rest, const Cell *cell) {
    inspector_section(c, rest, "Weight", "a = " VIEW_WEIGHT_FORMULA);
    Rect chart = rect_cut_top(rest, 84);
    Mat shown = view_weights(c, cell->at.layer, cell->at.head);
    Bars bars = {mat_row(&shown, cell->at.query),
                 c->run->T,
                 c->settings->palette,
                 0,
                 view_scale_top(c),
                 cell->at.key};
    int under = bars_draw(c->ui, chart, &bars);
    if (under >= 0)
        view_light(c, (AttnCell){cell->at.layer, cell->at.head, cell->at.query, under});
    weight_ticks(c, rect_cut_top(rest, 28), cell->at.key);
    weight_words(c, cell, rest);
}

/* The statistics of a head in reading order. */
static const struct {
    const char *name, *brief; /* brief is used next to two columns */
    size_t offset;            /* offset of a double in HeadStats */
    int decimals;
    double factor;
    const char *unit;
} HEAD_NUMBERS[] = {
    {"Entropy", "Entropy", offsetof(HeadStats, entropy), 2, 1, ""},
    {"Uniform entropy", "… if uniform", offsetof(HeadStats, entropy_uniform), 2, 1, ""},
    {"Std of scores", "Std of S", offsetof(HeadStats, score_std), 2, 1, ""},
    {"Largest weight", "Largest", offsetof(HeadStats, largest), 3, 1, ""},
    {"Mean distance", "Distance", offsetof(HeadStats, distance), 1, 1, ""},
    {"To itself", "To itself", offsetof(HeadStats, to_self), 0, 100, " %"},
};

static void head_number(char *out, size_t capacity, const LayerFigures *figures, int head,
                        size_t row) {
    double value;
    memcpy(&value, (const char *)&figures->stats[head] + HEAD_NUMBERS[row].offset, sizeof value);
    snprintf(out, capacity, "%s%s",
             FIXED(value * HEAD_NUMBERS[row].factor, HEAD_NUMBERS[row].decimals),
             HEAD_NUMBERS[row].unit);
}

/* Draw a name, and the value of each layer in its own column, in these styles. */
static void layer_line(const ViewContext *c, Rect line, const char *name,
                       char values[RESULTS_LAYERS_MAX][64], unsigned style, unsigned number) {
    for (int layer = c->run->layer_count - 1; layer >= 0; layer--) {
        Rect column = rect_cut_right(&line, c->run->layer_count > 1 ? COLUMN_W : line.w * 0.5f);
        text_in(c->ui, column, number | TEXT_RIGHT, "%s", values[layer]);
    }
    text_in(c->ui, line, style, "%s", name);
}

/* Write "1.4 ± 0.3": what theory expects of one head's scores on this X, or "–" if nothing is
 * known. */
static bool expected_scores(char out[64], const ViewContext *c, int layer) {
    const LayerResults *l = &c->run->layers[layer];
    const AttnShape *shape = &l->shape[c->run->form];
    StudyLayer of = {.shape = shape, .trace = results_trace(c->run, layer), .mask = &c->run->mask};
    double value = NAN, chance = NAN;
    if (!l->has_given &&
        !theory_of_head_scores(&value, &chance, &of, &l->plan, expect_scores(shape, &l->plan)))
        ui_fail(c->ui, "memory", "too little for what theory expects of the scores");
    int decimals = value < 0.1 ? 3 : value < 10 ? 2 : 0;
    snprintf(out, 64, isnan(value) ? "–" : "%s ± %s", FIXED(value, decimals),
             FIXED(chance, decimals));
    return !isnan(value);
}

/* Draw the expectation under the scores' standard deviation, if any layer has one. */
static void expected_line(const ViewContext *c, Rect *rest) {
    char values[RESULTS_LAYERS_MAX][64];
    bool known = false;
    for (int layer = 0; layer < c->run->layer_count; layer++)
        known = expected_scores(values[layer], c, layer) || known;
    if (!known || rest->h < INSPECTOR_LINE)
        return;
    layer_line(c, rect_cut_top(rest, 24),
               c->run->layer_count > 1 ? "expected" : "expected on this X", values,
               TEXT_NOTE | TEXT_FAINT, TEXT_COUNT | TEXT_FAINT);
}

static void scheme_names(const ViewContext *c, Rect *rest) {
    Rect line = *rest;
    LabelStyle style = {FONT_SANS_BOLD, 14, c->ui->theme->text_2, LABEL_RIGHT};
    float most = 0;
    for (int layer = c->run->layer_count - 1; layer >= 0; layer--) {
        int scheme = c->run->layers[layer].scheme;
        Rect column = rect_cut_right(&line, COLUMN_W), under = column;
        rect_cut_left(&under, 12);
        prose_heading(c->ui, &under, &style, INSPECTOR_LINE,
                      registry_entry(&SCHEME_REGISTRY, scheme)->label);
        most = fmaxf(most, under.y - column.y);
    }
    rect_cut_top(rest, most);
}

/* True if there are at least two scores; one score has no standard deviation. */
static bool has_two_scores(const ViewContext *c) {
    int pairs = 0;
    for (int i = 0; i < c->run->T && pairs < 2; i++)
        pairs += mask_open_keys(&c->run->mask, i);
    return pairs > 1;
}

void inspector_head(const ViewContext *c, Rect *rest, int head) {
    char values[RESULTS_LAYERS_MAX][64];
    rect_cut_top(rest, 16);
    Rect line = inspector_head_line(c, rest, head), button = rect_cut_right(&line, 64);
    bool is_shown = c->settings->statistics;
    text_in(c->ui, line, TEXT_STRONG, "Head %d", head + 1);
    if (button_text(c->ui, ui_id("statistics", 0), button, is_shown ? "Less" : "More"))
        view_set(c, "statistics", is_shown ? "fold" : "show", 0);
    tooltip(c->ui, ui_id("statistics", 0), button,
            &(Tooltip){.text = is_shown ? "Fold the statistics." : "The statistics of this head."});
    if (!is_shown)
        return;
    if (c->run->layer_count > 1)
        scheme_names(c, rest);
    for (size_t row = 0; row < ARRAY_COUNT(HEAD_NUMBERS) && rest->h >= INSPECTOR_LINE; row++) {
        bool is_spread = HEAD_NUMBERS[row].offset == offsetof(HeadStats, score_std);
        if (is_spread && !has_two_scores(c))
            continue;
        for (int layer = 0; layer < c->run->layer_count; layer++)
            head_number(values[layer], sizeof values[layer], &c->run->layers[layer].figures, head,
                        row);
        layer_line(c, rect_cut_top(rest, INSPECTOR_LINE),
                   c->run->layer_count > 1 ? HEAD_NUMBERS[row].brief : HEAD_NUMBERS[row].name,
                   values, TEXT_BODY, TEXT_NUMBER);
        if (is_spread)
            expected_line(c, rest);
    }
    bool known = rest->h >= INSPECTOR_LINE;
    for (int layer = 0; layer < c->run->layer_count; layer++) {
        known = known && results_rank(c->run, layer, head) != RANK_UNKNOWN;
        snprintf(values[layer], sizeof values[layer], "%d of %d", results_rank(c->run, layer, head),
                 c->run->layers[layer].shape[0].D);
    }
    if (known)
        layer_line(c, rect_cut_top(rest, INSPECTOR_LINE),
                   c->run->layer_count > 1 ? "Rank" : "Rank of W_QK", values, TEXT_BODY,
                   TEXT_NUMBER);
    inspector_untrained(c, rest, head);
}

/* Draw the edge's two tokens. If they do not fit, shorten them and show both in full in a tooltip.
 * */
static void edge_name(const ViewContext *c, UiId id, Rect line, const Edge *edge) {
    char whole[VIEW_PAIR_MAX], brief[VIEW_PAIR_MAX];
    LabelStyle style = text_style(c->ui, TEXT_BODY);
    view_pair_numbered(whole, c, edge->query, edge->key, TOKEN_DISPLAY_MAX);
    view_pair_numbered(brief, c, edge->query, edge->key, NAME_BRIEF);
    bool fits = label_width(c->ui, style.font, style.size, whole, strlen(whole)) <= line.w;
    tooltip_cut(c->ui, id, line, ui_over(c->ui, line), &style, line.w, whole, strlen(whole));
    label_draw(c->ui, line, &style, fits ? whole : brief);
}

/* List the strongest edges of the head: a place to start if nothing is pinned. */
static void strongest_section(const ViewContext *c, Rect *rest, int head) {
    Mat weights = view_weights(c, 0, head);
    EdgeList edges = edges_top(c->scratch, &weights, &c->run->mask, 1);
    inspector_section(c, rest, "Reads most", "");
    bool alike = view_is_uniform(c, 0, head);
    if (edges.count == 0 || alike)
        text_in(c->ui, rect_cut_top(rest, INSPECTOR_LINE), TEXT_BODY,
                alike ? "all its open keys equally" : "nothing: no key is open");
    if (alike)
        return;
    for (int i = edges.count - 1; i >= 0 && i >= edges.count - 6 && rest->h > 36; i--) {
        const Edge *edge = &edges.at[i];
        Rect line = rect_cut_top(rest, 34);
        UiState state = ui_control(c->ui, ui_id("strongest", i), line, 0);
        AttnCell cell = {0, head, edge->query, edge->key};
        if (state.hovered)
            draw_fill(c->ui->list, (Rect){line.x - 8, line.y, line.w + 16, line.h}, 6,
                      c->ui->theme->hover);
        if (state.hovered)
            view_light_row(c, cell);
        if (state.clicked)
            view_toggle_pin(c, cell);
        text_right(c->ui, &line, TEXT_NUMBER, "%s", FIXED((double)edge->weight, 3));
        edge_name(c, ui_id("strongest", i), line, edge);
        ui_focus_ring(c->ui, ui_id("strongest", i), line, 6);
    }
}

void inspector_cell(const ViewContext *c, Rect *rest, AttnCell focus) {
    Rect from = *rest;
    Cell cell = cell_at(c, focus);
    cell_title(c, rest, &cell);
    text_in(c->ui, inspector_head_line(c, rest, focus.head), TEXT_BODY,
            "Head %d · query %d · key %d", focus.head + 1, focus.query + 1, focus.key + 1);
    cell_value(c, rest, &cell);
    if (cell.open && c->session->weights == NULL && options_fixed_scheme(&c->session->options) < 0)
        text_wrap(c->ui, rest, TEXT_NOTE, "The weights are random, so this is chance.");
    inspector_shown(c, rest, focus);
    inspector_token_note(c, rest, focus.query);
    if (focus.key != focus.query)
        inspector_token_note(c, rest, focus.key);
    if (rest->h > 200)
        cell_score(c, rest, &cell);
    if (rest->h > 200)
        cell_weight(c, rest, &cell);
    Rect weight = rect_cut_top(&from, rest->y - from.y);
    draw_part(c->ui->list, PART_RECT(weight), "inspector.weight");
    provenance_chips(c, rest, focus);
}

void inspector_draw(const ViewContext *c, Rect area) {
    static const char hint[] = "Hover a cell to see where it comes from. Click to pin it.";
    Rect rest = rect_inset(area, 24, 20), clip = draw_clip(c->ui->list, area);
    AttnCell focus = view_focus(c);
    int head = c->session->options.head - 1;
    if (c->memory->heads.selects && view_selected_tokens(c) > 0 &&
        !attn_cell_is_set(c->hover->lit)) {
        inspector_selection(c, &rest);
    } else if (provenance_piece(c, &rest, focus)) {
    } else if (attn_cell_is_set(focus)) {
        inspector_cell(c, &rest, focus);
        if (rest.h > 90)
            inspector_head(c, &rest, focus.head);
        rect_cut_top(&rest, 8);
        if (!attn_cell_is_set(view_pin(c)) && rest.h > 60)
            text_wrap(c->ui, &rest, TEXT_BODY, hint);
    } else {
        text_wrap(c->ui, &rest, TEXT_BODY, hint);
        strongest_section(c, &rest, head);
        inspector_head(c, &rest, head);
        if (c->run->layer_count == 1)
            inspector_roles(c, &rest, 0, head);
    }
    draw_clip_restore(c->ui->list, clip);
}
