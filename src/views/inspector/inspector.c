#include "views/inspector/inspector.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/util.h"
#include "lab/theory_on_input.h"
#include "model/attention/params.h"
#include "model/theory/expect.h"
#include "ui/bars.h"
#include "ui/button.h"
#include "ui/tooltip.h"
#include "views/shared/edges.h"
#include "views/shared/heatmap.h"

#define COLUMN_W    104 /* px: width of the values of each layer, if there are two */
#define UNTRAINED_W 108 /* px: width of each column in the table of `untrained` */
#define CHANCE_W    72
#define VALUE_W     76
#define NAME_BRIEF  12 /* maximum bytes of each token's name if two full names do not fit */
#define LISTED      6
#define NAMED_MAX   160
#define MORE_BYTES  24 /* bytes for " and 1024 more" */

static const struct {
    const char *name, *brief; /* brief: the name if two layers are shown */
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

static void layer_line(const ViewContext *c, Rect line, const char *name,
                       char values[RESULTS_LAYERS_MAX][64], unsigned style, unsigned number) {
    for (int layer = c->run->layer_count - 1; layer >= 0; layer--) {
        Rect column = rect_cut_right(&line, c->run->layer_count > 1 ? COLUMN_W : line.w * 0.5f);
        text_in(c->ui, column, number | TEXT_RIGHT, "%s", values[layer]);
    }
    text_in(c->ui, line, style, "%s", name);
}

/* Return the standard deviation that theory expects for one head's scores on this X, and set
 * *chance to the standard deviation of this value over draws of the weights. NaN if unknown, for
 * example with QK-norm or a cap. */
static double expected_std(const ViewContext *c, int layer, double *chance) {
    const LayerResults *l = &c->run->layers[layer];
    const AttnShape *shape = &l->shape[c->run->form];
    StudyLayer of = {.shape = shape, .trace = results_trace(c->run, layer), .mask = &c->run->mask};
    double value = NAN;
    bool is_known = shape->traits.qk_epsilon <= 0 && shape->traits.cap <= 0;
    if (is_known &&
        !theory_of_head_scores(&value, chance, &of, &l->plan, expect_scores(shape, &l->plan)))
        ui_fail(c->ui, "memory", "too little to compute the expected scores");
    return value;
}

/* Draw the expected value below the scores' standard deviation, if theory has one for any sampled
 * layer. */
static void expected_line(const ViewContext *c, Rect *rest) {
    char values[RESULTS_LAYERS_MAX][64];
    bool known = false;
    for (int layer = 0; layer < c->run->layer_count; layer++) {
        double value = NAN, chance = NAN;
        if (!c->run->layers[layer].has_given)
            value = expected_std(c, layer, &chance);
        int decimals = value < 0.1 ? 3 : value < 10 ? 2 : 0;
        snprintf(values[layer], sizeof values[layer], isnan(value) ? "–" : "%s ± %s",
                 FIXED(value, decimals), FIXED(chance, decimals));
        known = known || !isnan(value);
    }
    if (known && rest->h >= INSPECTOR_LINE)
        layer_line(c, rect_cut_top(rest, 24),
                   c->run->layer_count > 1 ? "expected" : "expected on this X", values,
                   TEXT_NOTE | TEXT_FAINT, TEXT_COUNT | TEXT_FAINT);
}

static void scheme_names(const ViewContext *c, Rect *rest) {
    Rect line = *rest;
    float most = 0;
    for (int layer = c->run->layer_count - 1; layer >= 0; layer--) {
        int scheme = c->run->layers[layer].scheme;
        Rect column = rect_cut_right(&line, COLUMN_W), under = column;
        rect_cut_left(&under, 12);
        text_heading(c->ui, &under, TEXT_BODY | TEXT_BOLD | TEXT_PX(14) | TEXT_RIGHT,
                     INSPECTOR_LINE, registry_entry(&SCHEME_REGISTRY, scheme)->label);
        most = fmaxf(most, under.y - column.y);
    }
    rect_cut_top(rest, most);
}

static void untrained_line(const ViewContext *c, Rect *rest, const char *name, double here,
                           double expected) {
    Rect line = rect_cut_top(rest, INSPECTOR_LINE), other = rect_cut_right(&line, UNTRAINED_W);
    text_in(c->ui, other, TEXT_NUMBER | TEXT_FAINT | TEXT_RIGHT, "%s",
            isnan(expected) ? "–" : FIXED(expected, expected < 10 ? 3 : 1));
    text_in(c->ui, rect_cut_right(&line, UNTRAINED_W), TEXT_NUMBER | TEXT_RIGHT, "%s",
            FIXED(here, here < 10 ? 3 : 1));
    text_in(c->ui, line, TEXT_BODY, "%s", name);
}

/* If the weights come from a file, show the standard deviations of a head's weights and scores next
 * to those that the scheme under Init would give. */
static void untrained(const ViewContext *c, Rect *rest, int head) {
    const LayerResults *l = &c->run->layers[0];
    const AttnShape *shape = &l->shape[c->run->form];
    double chance;
    if (!l->has_given || c->run->layer_count > 1)
        return;
    Rect line = rect_cut_top(rest, INSPECTOR_LINE), other = rect_cut_right(&line, UNTRAINED_W);
    text_in(c->ui, other, TEXT_NOTE | TEXT_FAINT | TEXT_RIGHT, "%s",
            registry_entry(&SCHEME_REGISTRY, l->scheme)->label);
    text_in(c->ui, rect_cut_right(&line, UNTRAINED_W), TEXT_NOTE | TEXT_RIGHT, "this file");
    text_in(c->ui, line, TEXT_STRONG, "Std");
    for (AttnParam p = ATTN_W_Q; p <= ATTN_W_V; p++) {
        const Mat *all = &l->params.p[p];
        if (all->rows == 0)
            continue;
        Mat own =
            p == ATTN_W_V ? attn_head_value(all, shape, head) : attn_head_query(all, shape, head);
        untrained_line(c, rest, PARAMS[p].entry.label, stats_std(&own),
                       scheme_std(&l->plan, p, shape));
    }
    untrained_line(c, rest, "scores S", l->figures.stats[head].score_std,
                   expected_std(c, 0, &chance));
}

void inspector_head(const ViewContext *c, Rect *rest, int head) {
    char values[RESULTS_LAYERS_MAX][64];
    int layers = c->run->layer_count, pairs = 0;
    rect_cut_top(rest, 16);
    Rect line = inspector_head_line(c, rest, head), button = rect_cut_right(&line, 64);
    bool is_shown = c->settings->statistics;
    text_in(c->ui, line, TEXT_STRONG, "Head %d", head + 1);
    if (button_text(c->ui, ui_id("statistics", 0), button, is_shown ? "Less" : "More"))
        view_set(c, "statistics", is_shown ? "fold" : "show", 0);
    tooltip(c->ui, ui_id("statistics", 0), button, NULL,
            is_shown ? "Hide the statistics." : "The statistics of this head.");
    int shared = view_heads_sharing(c), first = head - head % shared;
    if (shared > 1)
        text_in(c->ui, rect_cut_top(rest, INSPECTOR_LINE), TEXT_BODY,
                shared == 2 ? "heads %d and %d share keys and values"
                            : "heads %d to %d share keys and values",
                first + 1, first + shared);
    if (!is_shown)
        return;
    if (layers > 1)
        scheme_names(c, rest);
    for (int i = 0; i < c->run->T && pairs < 2; i++)
        pairs += mask_open_keys(&c->run->mask, i);
    for (size_t row = 0; row < ARRAY_COUNT(HEAD_NUMBERS) && rest->h >= INSPECTOR_LINE; row++) {
        bool is_spread = HEAD_NUMBERS[row].offset == offsetof(HeadStats, score_std);
        if (is_spread && pairs < 2) /* a single score has no standard deviation */
            continue;
        for (int layer = 0; layer < layers; layer++) {
            const HeadStats *stats = &c->run->layers[layer].figures.stats[head];
            double value;
            memcpy(&value, (const char *)stats + HEAD_NUMBERS[row].offset, sizeof value);
            snprintf(values[layer], sizeof values[layer], "%s%s",
                     FIXED(value * HEAD_NUMBERS[row].factor, HEAD_NUMBERS[row].decimals),
                     HEAD_NUMBERS[row].unit);
        }
        layer_line(c, rect_cut_top(rest, INSPECTOR_LINE),
                   layers > 1 ? HEAD_NUMBERS[row].brief : HEAD_NUMBERS[row].name, values, TEXT_BODY,
                   TEXT_NUMBER);
        if (is_spread)
            expected_line(c, rest);
    }
    bool known = rest->h >= INSPECTOR_LINE;
    for (int layer = 0; layer < layers; layer++) {
        int rank = results_rank(c->run, layer, head);
        known = known && rank != RANK_UNKNOWN;
        snprintf(values[layer], sizeof values[layer], "%d of %d", rank,
                 c->run->layers[layer].shape[0].D);
    }
    if (known)
        layer_line(c, rect_cut_top(rest, INSPECTOR_LINE), layers > 1 ? "Rank" : "Rank of W_QK",
                   values, TEXT_BODY, TEXT_NUMBER);
    untrained(c, rest, head);
}

/* Show how strongly a head has each pattern, with the value that chance seldom exceeds. Do nothing
 * if the heatmaps are not computed, or if there is too little room. */
static void roles(const ViewContext *c, Rect *rest, int head) {
    const Heatmap *shown = heatmap_newest(c);
    if (shown == NULL || rest->h < 52 + PATTERN_COUNT * INSPECTOR_LINE)
        return;
    const HeadPattern *role = &shown->roles[head];
    if (!isnan(shown->rank[head]))
        inspector_pair(c, rest, "Effective rank of A", FIXED(shown->rank[head], 2));
    bool is_mixed = role->kind == PATTERN_MIXED;
    rect_cut_top(rest, 16);
    text_in(c->ui, rect_cut_top(rest, 36), TEXT_HEADING, "%s%s", is_mixed ? "" : "Mostly: ",
            !is_mixed                     ? registry_entry(&HEAD_PATTERNS, role->kind)->label
            : head_pattern_can_tell(role) ? "No clear pattern"
                                          : "Too few keys for a label");
    text_in(c->ui, rect_cut_top(rest, INSPECTOR_LINE * 0.7f), TEXT_NOTE | TEXT_FAINT | TEXT_RIGHT,
            "by chance: mean + 2σ");
    for (int kind = 0; kind < PATTERN_COUNT; kind++) {
        const HeadPatternMeasure *m = &role->of[kind];
        bool known = !isnan(m->value), is_found = kind == role->kind;
        Rect line = rect_cut_top(rest, INSPECTOR_LINE), chance = rect_cut_right(&line, CHANCE_W);
        if (known)
            text_in(c->ui, chance, TEXT_NOTE | TEXT_FAINT | TEXT_RIGHT, "≤ %s",
                    FIXED(m->chance, 2));
        text_in(c->ui, rect_cut_right(&line, VALUE_W),
                TEXT_NUMBER | TEXT_RIGHT | (is_found ? TEXT_BOLD : 0), "%s",
                known ? FIXED(m->value, 2) : "–");
        text_in(c->ui, line, is_found ? TEXT_STRONG : TEXT_BODY, "%s",
                registry_entry(&HEAD_PATTERNS, kind)->label);
    }
}

/* Write the names of selected tokens, "it, was, too", as far as they fit, then the number of the
 * others. */
static void selected_names(const ViewContext *c, char *out, size_t capacity) {
    size_t used = 0;
    int left = view_selected_tokens(c);
    out[0] = '\0';
    for (int i = 0; i < c->run->T && left > 0; i++) {
        TokenLabel name = c->run->labels[i];
        if (!c->memory->heads.selected[i])
            continue;
        if (used + name.size + MORE_BYTES >= capacity)
            break;
        used += (size_t)snprintf(out + used, capacity - used, "%s%.*s", used > 0 ? ", " : "",
                                 (int)name.size, name.bytes);
        left--;
    }
    if (left > 0)
        snprintf(out + used, capacity - used, "%s%d more", used > 0 ? " and " : "", left);
}

static void selection(const ViewContext *c, Rect *rest) {
    static const char *const ways[] = {"Mean", "Sum"};
    HeadsMemory *memory = &c->memory->heads;
    Ui *ui = c->ui;
    char text[NAMED_MAX];
    int T = c->run->T, count = view_selected_tokens(c), largest[LISTED];
    const char *what = memory->selects_keys ? (count == 1 ? "key" : "keys")
                       : count == 1         ? "query"
                                            : "queries";
    rect_cut_top(rest, 16);
    text_in(ui, rect_cut_top(rest, 36), TEXT_HEADING, "%d %s", count, what);
    text_in(ui, inspector_head_line(c, rest, c->session->options.head - 1), TEXT_BODY, "Head %d",
            c->session->options.head);
    selected_names(c, text, sizeof text);
    text_wrap(ui, rest, TEXT_BODY | TEXT_PLAIN, text);
    rect_cut_top(rest, 8);
    Rect row = rect_cut_top(rest, 36);
    row.w = segmented_width(ui, ways, 2);
    int way = segmented(ui, ui_id("selection way", 0), row, ways, 2, memory->shows_sum);
    if (way >= 0) {
        memory->shows_sum = way == 1;
        ui->again = true;
    }
    rect_cut_top(rest, 12);
    float *values = arena_push(c->scratch, (size_t)T * sizeof *values);
    Mat A = results_weights(c->run, 0, c->session->options.head - 1);
    for (int j = 0; j < T; j++) {
        double sum = 0;
        for (int i = 0; i < T; i++)
            if (memory->selected[i])
                sum += (double)(memory->selects_keys ? mat_row(&A, j)[i] : mat_row(&A, i)[j]);
        values[j] = (float)(memory->shows_sum ? sum : sum / count);
    }
    int listed = mat_largest_first(largest, LISTED, values, T);
    float most = listed > 0 ? values[largest[0]] : 0;
    bars_draw(ui, rect_cut_top(rest, INSPECTOR_BARS),
              &(Bars){.values = values,
                      .count = T,
                      .palette = c->settings->palette,
                      .hi = most > 0 ? most : 1});
    rect_cut_top(rest, 16);
    text_in(ui, rect_cut_top(rest, 36), TEXT_HEADING,
            memory->selects_keys ? "Read most by" : "Read most");
    for (int n = 0; n < listed && rest->h > INSPECTOR_LINE; n++) {
        Rect line = rect_cut_top(rest, INSPECTOR_LINE);
        text_right(ui, &line, TEXT_NUMBER, "%s", FIXED((double)values[largest[n]], 3));
        inspector_token(c, line, TEXT_BODY, largest[n]);
    }
    text_wrap(ui, rest, TEXT_BODY,
              "Click with Shift to select or deselect a token; Esc ends the selection.");
}

static void edge_name(const ViewContext *c, UiId id, Rect line, const Edge *edge) {
    char whole[VIEW_PAIR_MAX], brief[VIEW_PAIR_MAX];
    LabelStyle style = text_style(c->ui, TEXT_BODY);
    view_pair_numbered(whole, c, edge->at.query, edge->at.key, TOKEN_DISPLAY_MAX);
    view_pair_numbered(brief, c, edge->at.query, edge->at.key, NAME_BRIEF);
    bool fits = label_width(c->ui, style.font, style.size, whole, strlen(whole)) <= line.w;
    tooltip_cut(c->ui, id, line, ui_over(c->ui, line), &style, line.w, whole, strlen(whole));
    label_draw(c->ui, line, &style, fits ? whole : brief);
}

/* List the strongest edges of the head, so that the user has something to start with while nothing
 * is pinned. */
static void strongest(const ViewContext *c, Rect *rest, int head) {
    Mat weights = view_weights(c, 0, head);
    EdgeList edges = edges_top(c->scratch, &weights, 0, head, 1);
    inspector_section(c, rest, "Reads most", "");
    bool alike = view_is_uniform(c, 0, head);
    if (edges.count == 0 || alike)
        text_in(c->ui, rect_cut_top(rest, INSPECTOR_LINE), TEXT_BODY,
                alike ? "all its open keys equally" : "nothing: no key is open");
    if (alike)
        return;
    for (int i = edges.count - 1; i >= 0 && i >= edges.count - LISTED && rest->h > 36; i--) {
        const Edge *edge = &edges.at[i];
        Rect line = rect_cut_top(rest, 34);
        UiId id = ui_id("strongest", i);
        UiState state = ui_control(c->ui, id, line, 0);
        if (state.hovered) {
            draw_fill(c->ui->list, rect_inset(line, -8, 0), 6, c->ui->theme->hover);
            view_light_row(c, edge->at);
        }
        if (state.clicked)
            view_toggle_pin(c, edge->at);
        text_right(c->ui, &line, TEXT_NUMBER, "%s", FIXED((double)edge->weight, 3));
        edge_name(c, id, line, edge);
        ui_focus_ring(c->ui, id, line, 6);
    }
}

void inspector_draw(const ViewContext *c, Rect area) {
    static const char hint[] = "Hover a cell to see where it comes from. Click to pin it.";
    Rect rest = rect_inset(area, 24, 20), clip = draw_clip(c->ui->list, area);
    AttnCell focus = view_focus(c);
    int head = c->session->options.head - 1;
    if (view_selected_tokens(c) > 0 && !attn_cell_is_set(c->hover->lit)) {
        selection(c, &rest);
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
        strongest(c, &rest, head);
        inspector_head(c, &rest, head);
        if (c->run->layer_count == 1)
            roles(c, &rest, head);
    }
    draw_clip_restore(c->ui->list, clip);
}
