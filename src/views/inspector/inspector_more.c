#include "views/inspector/inspector_more.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "lab/theory_on_input.h"
#include "model/attention/params.h"
#include "model/theory/expect.h"
#include "ui/bars.h"
#include "ui/button.h"
#include "views/inspector/inspector_parts.h"
#include "views/shared/heatmap.h"

#define LINE        30
#define TERMS       3
#define LISTED      6
#define CHANCE_W    72
#define VALUE_W     76
#define UNTRAINED_W 108 /* px of each of two columns */
#define NAMED_MAX   160
#define MORE_BYTES  24 /* " and 1024 more" */

void inspector_largest_terms(const ViewContext *c, Rect *rest, const float *terms, int count) {
    char text[160] = "largest:";
    int taken[TERMS];
    for (int n = 0; n < TERMS && n < count; n++) {
        int best = -1;
        for (int m = 0; m < count; m++) {
            bool again = false;
            for (int k = 0; k < n; k++)
                again = again || taken[k] == m;
            if (!again && isfinite(terms[m]) && (best < 0 || fabsf(terms[m]) > fabsf(terms[best])))
                best = m;
        }
        if (best < 0)
            return;
        taken[n] = best;
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s %s (%s%d)", n > 0 ? "," : "",
                 FIXED((double)terms[best], 2), n > 0 ? "" : "entry ", best + 1);
        if (text_width(c->ui, TEXT_NOTE, "%s", text) > rest->w)
            text[used] = '\0';
    }
    text_in(c->ui, rect_cut_top(rest, 24), TEXT_NOTE, "%s", text);
}

void inspector_shown(const ViewContext *c, Rect *rest, AttnCell cell) {
    const Heatmap *shown = heatmap_newest(c);
    if (!c->settings->statistics || shown == NULL || shown->is_plain)
        return;
    for (int i = 0; i < shown->layer[cell.layer].count; i++) {
        char value[48];
        if (shown->layer[cell.layer].tile[i].id != cell.head)
            continue;
        float exact = heatmap_value(shown, cell.layer, i, cell.query, cell.key);
        if (exact == DRAW_CELL_MASKED)
            snprintf(value, sizeof value, "closed");
        else
            number_format_digits(value, sizeof value, exact);
        bool fits = text_width(c->ui, TEXT_BODY, "%s", shown->name) + TEXT_GAP +
                        text_width(c->ui, TEXT_NUMBER, "%s", value) <=
                    rest->w;
        if (!fits)
            text_in(c->ui, rect_cut_top(rest, LINE), TEXT_BODY, "%s", shown->name);
        inspector_pair(c, rest, fits ? shown->name : "", value);
    }
}

static void untrained_line(const ViewContext *c, Rect *rest, const char *name, double here,
                           double expected) {
    Rect line = rect_cut_top(rest, LINE), other = rect_cut_right(&line, UNTRAINED_W);
    text_in(c->ui, other, TEXT_NUMBER | TEXT_FAINT | TEXT_RIGHT, "%s",
            isnan(expected) ? "–" : FIXED(expected, expected < 10 ? 3 : 1));
    text_in(c->ui, rect_cut_right(&line, UNTRAINED_W), TEXT_NUMBER | TEXT_RIGHT, "%s",
            FIXED(here, here < 10 ? 3 : 1));
    text_in(c->ui, line, TEXT_BODY, "%s", name);
}

/* Return the scores' standard deviation under the scheme; NaN with QK-norm or a cap, which theory
 * does not cover. */
static double untrained_scores(const ViewContext *c) {
    const LayerResults *l = &c->run->layers[0];
    const AttnShape *shape = &l->shape[c->run->form];
    StudyLayer of = {.shape = shape, .trace = results_trace(c->run, 0), .mask = &c->run->mask};
    double value = NAN, chance;
    bool is_known = shape->traits.qk_epsilon <= 0 && shape->traits.cap <= 0;
    if (is_known &&
        !theory_of_head_scores(&value, &chance, &of, &l->plan, expect_scores(shape, &l->plan)))
        ui_fail(c->ui, "memory", "too little for what theory expects of the scores");
    return value;
}

void inspector_untrained(const ViewContext *c, Rect *rest, int head) {
    const LayerResults *l = &c->run->layers[0];
    const AttnShape *shape = &l->shape[c->run->form];
    if (!l->has_given || c->run->layer_count > 1)
        return;
    Rect line = rect_cut_top(rest, LINE), other = rect_cut_right(&line, UNTRAINED_W);
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
    untrained_line(c, rest, "scores S", l->figures.stats[head].score_std, untrained_scores(c));
}

/* Draw a pattern's name, its value, and in small type the value that chance rarely exceeds. */
static void role_line(const ViewContext *c, Rect line, const HeadPattern *role, int kind) {
    const HeadPatternMeasure *m = &role->of[kind];
    bool known = !isnan(m->value), is_found = kind == role->kind;
    LabelStyle number = text_style(c->ui, TEXT_NUMBER | TEXT_RIGHT);
    if (is_found)
        number.font = FONT_MONO_BOLD;
    Rect chance = rect_cut_right(&line, CHANCE_W);
    if (known)
        text_in(c->ui, chance, TEXT_NOTE | TEXT_FAINT | TEXT_RIGHT, "≤ %s", FIXED(m->chance, 2));
    label_draw(c->ui, rect_cut_right(&line, VALUE_W), &number, known ? FIXED(m->value, 2) : "–");
    text_in(c->ui, line, is_found ? TEXT_STRONG : TEXT_BODY, "%s",
            registry_entry(&HEAD_PATTERNS, kind)->label);
}

void inspector_roles(const ViewContext *c, Rect *rest, int layer, int head) {
    const Heatmap *shown = heatmap_newest(c);
    if (shown == NULL || rest->h < 52 + PATTERN_COUNT * LINE)
        return;
    const HeadPattern *role = &shown->roles[layer * c->session->options.heads + head];
    double rank = shown->rank[layer * c->session->options.heads + head];
    if (!isnan(rank))
        inspector_pair(c, rest, "Effective rank of A", FIXED(rank, 2));
    bool is_mixed = role->kind == PATTERN_MIXED;
    rect_cut_top(rest, 16);
    text_in(c->ui, rect_cut_top(rest, 36), TEXT_HEADING, "%s%s", is_mixed ? "" : "Mostly: ",
            !is_mixed                     ? registry_entry(&HEAD_PATTERNS, role->kind)->label
            : head_pattern_can_tell(role) ? "No clear pattern"
                                          : "Too few keys for a label");
    text_in(c->ui, rect_cut_top(rest, LINE * 0.7f), TEXT_NOTE | TEXT_FAINT | TEXT_RIGHT,
            "by chance: mean + 2σ");
    for (int kind = 0; kind < PATTERN_COUNT; kind++)
        role_line(c, rect_cut_top(rest, LINE), role, kind);
}

/* Write "it, was, too" as far as it fits, then the number of other tokens. */
static void selected_names(const ViewContext *c, char *out, size_t capacity) {
    size_t used = 0;
    int left = view_selected_tokens(c);
    out[0] = '\0';
    for (int i = 0; i < c->run->T && left > 0; i++) {
        size_t bytes;
        if (!c->memory->heads.selected[i])
            continue;
        const char *text = view_token(c, i, &bytes);
        if (used + bytes + MORE_BYTES >= capacity)
            break;
        used += (size_t)snprintf(out + used, capacity - used, "%s%.*s", used > 0 ? ", " : "",
                                 (int)bytes, text);
        left--;
    }
    if (left > 0)
        snprintf(out + used, capacity - used, "%s%d more", used > 0 ? " and " : "", left);
}

/* Add up the chosen head's rows of the selected queries, or columns of the selected keys, in
 * double. */
static void add_up(const ViewContext *c, float *out) {
    const HeadsMemory *memory = &c->memory->heads;
    int T = c->run->T, count = view_selected_tokens(c);
    Mat A = results_weights(c->run, 0, c->session->options.head - 1);
    for (int j = 0; j < T; j++) {
        double sum = 0;
        for (int i = 0; i < T; i++)
            if (memory->selected[i])
                sum += (double)(memory->selects_keys ? mat_row(&A, j)[i] : mat_row(&A, i)[j]);
        out[j] = (float)(memory->shows_sum ? sum : sum / count);
    }
}

static void list_most(const ViewContext *c, Rect *rest, const float *values) {
    bool *taken = arena_push_zero(c->scratch, (size_t)c->run->T);
    for (int n = 0; n < LISTED && n < c->run->T && rest->h > LINE; n++) {
        int best = -1;
        for (int j = 0; j < c->run->T; j++)
            if (!taken[j] && (best < 0 || values[j] > values[best]))
                best = j;
        taken[best] = true;
        Rect line = rect_cut_top(rest, LINE);
        text_right(c->ui, &line, TEXT_NUMBER, "%s", FIXED((double)values[best], 3));
        inspector_token(c, line, TEXT_BODY, best);
    }
}

void inspector_selection(const ViewContext *c, Rect *rest) {
    static const char *const ways[] = {"Mean", "Sum"};
    HeadsMemory *memory = &c->memory->heads;
    char text[NAMED_MAX];
    int count = view_selected_tokens(c);
    const char *what = memory->selects_keys ? (count == 1 ? "key" : "keys")
                       : count == 1         ? "query"
                                            : "queries";
    rect_cut_top(rest, 16);
    text_in(c->ui, rect_cut_top(rest, 36), TEXT_HEADING, "%d %s", count, what);
    text_in(c->ui, inspector_head_line(c, rest, c->session->options.head - 1), TEXT_BODY, "Head %d",
            c->session->options.head);
    selected_names(c, text, sizeof text);
    text_wrap(c->ui, rest, TEXT_BODY | TEXT_PLAIN, text);
    rect_cut_top(rest, 8);
    Rect row = rect_cut_top(rest, 36);
    row.w = segmented_width(c->ui, ways, 2);
    int way = segmented(c->ui, ui_id("selection way", 0), row, ways, 2, memory->shows_sum);
    if (way >= 0) {
        memory->shows_sum = way == 1;
        c->ui->again = true;
    }
    rect_cut_top(rest, 12);
    float *values = arena_push(c->scratch, (size_t)c->run->T * sizeof *values), most = 0;
    add_up(c, values);
    for (int j = 0; j < c->run->T; j++)
        most = isfinite(values[j]) ? fmaxf(most, values[j]) : most;
    bars_draw(c->ui, rect_cut_top(rest, 84),
              &(Bars){values, c->run->T, c->settings->palette, 0, most > 0 ? most : 1, -1});
    rect_cut_top(rest, 16);
    text_in(c->ui, rect_cut_top(rest, 36), TEXT_HEADING,
            memory->selects_keys ? "Read most by" : "Read most");
    list_most(c, rest, values);
    text_wrap(c->ui, rest, TEXT_BODY, "Shift and a click take a token in or out; Esc ends.");
}
