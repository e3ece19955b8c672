/* Message passing at one token in three steps: its query meets the key of every open token, the
 * softmax turns scores into weights, and the values arrive, each scaled by its weight. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/button.h"
#include "ui/formula.h"
#include "ui/label.h"
#include "ui/tooltip.h"
#include "ui/tween.h"
#include "views/graph/graph.h"

#define LABELS_MAX GRAPH_VALUES_MAX /* with more open keys, only the largest are labelled */
#define DOT        9.0f
#define REST_S     2.4 /* seconds that playing stays at each step */

typedef struct Walk {
    int step;
    int query;
    Mat scores, weights;
    const uint8_t *open;
    float largest_score,
        least_label; /* the largest magnitude, and the least one that gets a label */
} Walk;

static float value_of(const Walk *w, int key) {
    const Mat *m = w->step == STEP_MEET ? &w->scores : &w->weights;
    return mat_row(m, w->query)[key];
}

/* Return the least magnitude among the LABELS_MAX largest values of the row. */
static float least_labelled(const Walk *w, int T) {
    float top[LABELS_MAX];
    int count = 0;
    for (int j = 0; j < T; j++) {
        float value = fabsf(value_of(w, j));
        if (!w->open[j] || !isfinite(value))
            continue;
        int at = count < LABELS_MAX ? count++ : LABELS_MAX - 1;
        if (at == LABELS_MAX - 1 && count == LABELS_MAX && value <= top[at] && j >= LABELS_MAX)
            continue;
        top[at] = value;
        for (; at > 0 && top[at - 1] < top[at]; at--) {
            float less = top[at - 1];
            top[at - 1] = top[at];
            top[at] = less;
        }
    }
    return count < LABELS_MAX ? 0 : top[LABELS_MAX - 1];
}

static Walk make_walk(const ViewContext *c) {
    AttnCell pin = view_pin(c);
    Walk w = {.step = graph_step(c), .query = pin.query};
    w.scores = results_scores(c->run, 0, pin.head);
    w.weights = results_weights(c->run, 0, pin.head);
    w.open = mask_row(&c->run->mask, pin.query);
    for (int j = 0; j < c->run->T; j++)
        if (w.open[j] && isfinite(mat_row(&w.scores, w.query)[j]))
            w.largest_score = fmaxf(w.largest_score, fabsf(mat_row(&w.scores, w.query)[j]));
    w.least_label = least_labelled(&w, c->run->T);
    return w;
}

static Vec2 arc_point(const Arc *arc, float t, bool back) {
    return curve_point(&arc->curve, back ? 1 - t : t);
}

/* Draw the value that a key sends as a dot that moves along the edge and arrives when the step's
 * animation ends. */
static void dot_show(const ViewContext *c, const Arc *arc, float weight, bool back) {
    double t = (c->ui->time_s - c->memory->graph.step_s) / (double)ui_motion_s(c->ui, MOTION_STEP);
    if (c->ui->reduced_motion || !(t < 1))
        return;
    ui_wake(c->ui, c->ui->time_s);
    Vec2 at = arc_point(arc, easing_at(MOTIONS[MOTION_STEP].easing, fmaxf((float)t, 0)), back);
    float r = 2 + DOT * sqrtf(fminf(fmaxf(weight, 0), 1));
    draw_fill(c->ui->list, (Rect){at.x - r, at.y - r, 2 * r, 2 * r}, r, c->ui->theme->ring);
}

/* Return the arrow from the query to a key in this step. */
static Arc walk_arc(const ViewContext *c, const Scene *s, const Walk *w, const Edge *edge) {
    const Theme *theme = c->ui->theme;
    bool meets = w->step == STEP_MEET, sums = w->step == STEP_SUM;
    float weight = mat_row(&w->weights, w->query)[edge->key];
    float share = weight;
    if (meets)
        share = w->largest_score > 0 ? 0.4f * fabsf(edge->weight) / w->largest_score : 0;
    Colour colour =
        meets ? palette_colour(theme->signed_palette, edge->weight < 0 ? 0 : 1) : theme->ring;
    Arc arc = scene_arc(s, edge, 0, arc_width(share), sums, colour_fade(colour, sums ? 0.6f : 1));
    if (meets && edge->weight < 0)
        arc.curve.dash_on = 5, arc.curve.dash_off = 4;
    return arc;
}

/* Draw all edges, then their largest values on top. */
void graph_walk(const ViewContext *c, const Scene *s, GraphLabels *labels) {
    Walk w = make_walk(c);
    LitEdge lit[GRAPH_VALUES_MAX];
    int count = 0;
    for (int j = 0; j < s->T; j++) {
        Edge edge = {w.query, j, value_of(&w, j)};
        if (!w.open[j] || !isfinite(edge.weight))
            continue;
        Arc arc = walk_arc(c, s, &w, &edge);
        draw_curve(c->ui->list, &arc.curve);
        draw_triangle(c->ui->list, &arc.head);
        if (w.step == STEP_SUM)
            dot_show(c, &arc, mat_row(&w.weights, w.query)[j], j == w.query);
        if (fabsf(edge.weight) >= w.least_label && count < GRAPH_VALUES_MAX)
            lit[count++] = (LitEdge){.edge = edge, .arc = arc, .own = edge.weight};
    }
    graph_values_show(labels, c, s, lit, count);
}

void graph_walk_set(const ViewContext *c, int step, bool plays) {
    GraphMemory *m = &c->memory->graph;
    m->plays = plays;
    m->next_s = c->ui->time_s + REST_S;
    m->serial = ++c->ui->drag_serial;
    c->ui->again = true;
    if (step != c->settings->graph_step)
        view_set(c, "graph-step", registry_entry(&GRAPH_STEPS, step)->id, m->serial);
}

bool graph_press(const ViewContext *c, TransportButton button) {
    int step = graph_step(c), lit = view_lit_token(c), pinned = view_pin(c).query;
    int token = lit >= 0 ? lit : pinned >= 0 ? pinned : view_rest(c).query;
    if (button == TRANSPORT_PLAY && token >= 0) {
        bool begins = !c->memory->graph.plays;
        if (token != pinned)
            view_pin_token(c, token, false);
        graph_walk_set(c, step == STEP_NONE || (begins && step == STEP_SUM) ? STEP_MEET : step,
                       begins);
        return true;
    }
    if (step == STEP_NONE || button >= TRANSPORT_COUNT || button == TRANSPORT_PLAY)
        return false;
    step = button == TRANSPORT_FIRST  ? STEP_MEET
           : button == TRANSPORT_BACK ? step - 1
           : button == TRANSPORT_LAST ? STEP_SUM
                                      : step + 1;
    graph_walk_set(c, step < STEP_COUNT ? step : STEP_SUM, false);
    return true;
}

void graph_walk_advance(const ViewContext *c) {
    GraphMemory *m = &c->memory->graph;
    int step = graph_step(c);
    if (m->step != step)
        m->step_s = c->ui->time_s;
    m->step = step;
    m->plays = m->plays && m->seen_frame + 1 >= c->ui->frame && step != STEP_SUM;
    m->seen_frame = c->ui->frame;
    if (!m->plays || step == STEP_NONE)
        return;
    if (c->ui->time_s >= m->next_s && c->ui->first_pass) {
        m->next_s = c->ui->time_s + REST_S;
        view_set(c, "graph-step", registry_entry(&GRAPH_STEPS, step + 1)->id, m->serial);
    }
    ui_wake(c->ui, m->next_s);
}

static void formula_of(char *out, size_t capacity, const ViewContext *c, int step) {
    int i = view_pin(c).query + 1;
    if (step == STEP_MEET)
        snprintf(out, capacity, "s_{%d,j} = q_{%d} · k_j%s%s", i, i,
                 c->session->options.scale == SCALE_SQRT ? " / √{d_k}" : "",
                 c->session->options.temperature != 1 ? " / τ" : "");
    else if (step == STEP_SOFTMAX)
        snprintf(out, capacity, "a_{%d,j} = e^{s_{%d,j}} / Σ_{k∈N(%d)} e^{s_{%d,k}}", i, i, i, i);
    else
        snprintf(out, capacity, "z_{%d} = Σ_{j∈N(%d)} a_{%d,j} v_j", i, i, i);
}

void graph_walk_card(const ViewContext *c, Rect area) {
    int step = graph_step(c);
    const char *names[STEP_COUNT - 1];
    char formula[128];
    bool plays = c->memory->graph.plays;
    if (area.w <= 0)
        return;
    for (int i = 1; i < STEP_COUNT; i++)
        names[i - 1] = registry_entry(&GRAPH_STEPS, i)->label;
    formula_of(formula, sizeof formula, c, step);
    Rect line = rect_cut_top(&area, 36);
    UiId play = ui_id("graph play", 0);
    Rect button = rect_cut_left(&line, 36);
    if (button_icon(c->ui, play, button, plays ? ICON_PAUSE : ICON_PLAY))
        graph_press(c, TRANSPORT_PLAY);
    tooltip(c->ui, play, button,
            &(Tooltip){"Play", "Go through the three steps: Space. The arrows go back and on.",
                       NULL, NULL});
    rect_cut_left(&line, 8);
    line.w = fminf(line.w, segmented_width(c->ui, names, STEP_COUNT - 1));
    int clicked = segmented(c->ui, ui_id("graph step", 0), line, names, STEP_COUNT - 1, step - 1);
    rect_cut_top(&area, 8);
    LabelStyle style = {FONT_SANS, 18, c->ui->theme->text_2, LABEL_LEFT};
    const char *words = registry_entry(&GRAPH_STEPS, step)->help;
    rect_cut_top(&area, label_wrap(c->ui, area, &style, words) + 6);
    FormulaStyle set = {22, c->ui->theme->text_1, LABEL_LEFT, false};
    formula_label(c->ui, rect_cut_top(&area, 34), &set, formula);
    if (clicked >= 0)
        graph_walk_set(c, clicked + 1 == step ? STEP_NONE : clicked + 1, false);
}
