/* The message to one token in three steps: its query meets the key of every open token, the softmax
 * turns scores into weights, and the values arrive, each scaled by its weight. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "ui/button.h"
#include "ui/text.h"
#include "ui/tooltip.h"
#include "ui/tween.h"
#include "views/graph/graph_parts.h"

#define DOT    9.0f
#define REST_S 2.4 /* seconds that each step stays on screen while the view plays */

int graph_step(const ViewContext *c) {
    return view_pin(c).query >= 0 ? c->settings->graph_step : STEP_NONE;
}

bool graph_walks(const ViewContext *c) {
    int lit = view_lit_token(c);
    return graph_step(c) != STEP_NONE && (lit < 0 || lit == view_pin(c).query);
}

/* Draw the value that a key sends as a dot. It moves along the edge and arrives at the end of the
 * step's animation. */
static void dot_show(const ViewContext *c, const Arrow *arrow, float weight) {
    double t = (c->ui->time_s - c->memory->graph->step_s) / (double)ui_motion_s(c->ui, MOTION_STEP);
    if (c->ui->reduced_motion || !(t < 1))
        return;
    ui_wake(c->ui, c->ui->time_s);
    float way = easing_at(MOTIONS[MOTION_STEP].easing, fmaxf((float)t, 0));
    bool is_loop = arrow->edge.at.query == arrow->edge.at.key;
    Vec2 at = curve_point(&arrow->arc.curve, is_loop ? 1 - way : way);
    float r = 2 + DOT * sqrtf(fminf(fmaxf(weight, 0), 1));
    draw_fill(c->ui->list, (Rect){at.x - r, at.y - r, 2 * r, 2 * r}, r, c->ui->theme->ring);
}

/* Compare arrows for qsort: the largest magnitude first. */
static int heavier(const void *left, const void *right) {
    const Edge *a = &((const Arrow *)left)->edge, *b = &((const Arrow *)right)->edge;
    float x = fabsf(a->weight), y = fabsf(b->weight);
    return x != y ? (x < y ? 1 : -1) : a->at.key - b->at.key;
}

/* Draw the edges to all open keys, then values on them, the largest first. */
void graph_walk(const ViewContext *c, const Scene *s, GraphLabels *labels) {
    AttnCell at = view_pin(c);
    int step = graph_step(c), count = 0;
    bool meets = step == STEP_MEET, sums = step == STEP_SUM;
    Mat scores = results_scores(c->run, 0, at.head), weights = results_weights(c->run, 0, at.head);
    const float *score = mat_row(&scores, at.query), *weight = mat_row(&weights, at.query);
    const uint8_t *open = mask_row(&c->run->mask, at.query);
    Arrow *arrows = arena_push(c->scratch, sizeof *arrows * (size_t)s->T);
    float largest = 0;
    for (int j = 0; j < s->T; j++)
        if (open[j] && isfinite(score[j]))
            largest = fmaxf(largest, fabsf(score[j]));
    for (at.key = 0; at.key < s->T; at.key++) {
        float value = meets ? score[at.key] : weight[at.key];
        float share = !meets ? value : largest > 0 ? 0.4f * fabsf(value) / largest : 0;
        Colour sign = palette_colour(c->ui->theme->signed_palette, value < 0 ? 0 : 1);
        Colour colour = meets ? sign : colour_fade(c->ui->theme->ring, sums ? 0.6f : 1);
        if (!open[at.key] || !isfinite(value))
            continue;
        Arrow *arrow = &arrows[count++];
        *arrow = scene_arrow(s, &(Edge){at, value, value}, arc_width(share), sums, colour);
        arrow_draw(c, arrow, colour);
        if (sums)
            dot_show(c, arrow, weight[at.key]);
    }
    qsort(arrows, (size_t)count, sizeof *arrows, heavier);
    graph_values_show(labels, c, arrows, count < GRAPH_VALUES_MAX ? count : GRAPH_VALUES_MAX);
}

void graph_walk_set(const ViewContext *c, int step, bool plays) {
    GraphMemory *m = c->memory->graph;
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
        bool begins = !c->memory->graph->plays;
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
    GraphMemory *m = c->memory->graph;
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

void graph_walk_card(const ViewContext *c, Rect area) {
    int step = graph_step(c), i = view_pin(c).query + 1;
    const char *names[STEP_COUNT - 1];
    char formula[128];
    bool plays = c->memory->graph->plays;
    if (area.w <= 0)
        return;
    if (step == STEP_MEET)
        snprintf(formula, sizeof formula, "s_{%d,j} = q_{%d} · k_j%s%s", i, i,
                 c->session->options.scale == SCALE_SQRT ? " / √{d_k}" : "",
                 c->session->options.temperature != 1 ? " / τ" : "");
    else if (step == STEP_SOFTMAX)
        snprintf(formula, sizeof formula, "a_{%d,j} = e^{s_{%d,j}} / Σ_{k∈N(%d)} e^{s_{%d,k}}", i,
                 i, i, i);
    else
        snprintf(formula, sizeof formula, "z_{%d} = Σ_{j∈N(%d)} a_{%d,j} v_j", i, i, i);
    Rect line = rect_cut_top(&area, 36), button = rect_cut_left(&line, 36);
    UiId play = ui_id("graph play", 0);
    if (button_icon(c->ui, play, button, plays ? ICON_PAUSE : ICON_PLAY))
        graph_press(c, TRANSPORT_PLAY);
    tooltip(c->ui, play, button,
            &(Tooltip){"Play", "Space plays the three steps. The arrow keys go back and forward.",
                       NULL, NULL});
    for (int k = 1; k < STEP_COUNT; k++)
        names[k - 1] = registry_entry(&GRAPH_STEPS, k)->label;
    rect_cut_left(&line, 8);
    line.w = fminf(line.w, segmented_width(c->ui, names, STEP_COUNT - 1));
    int clicked = segmented(c->ui, ui_id("graph step", 0), line, names, STEP_COUNT - 1, step - 1);
    rect_cut_top(&area, 8);
    text_wrap(c->ui, &area, TEXT_BODY, registry_entry(&GRAPH_STEPS, step)->help);
    rect_cut_top(&area, 6);
    text_in(c->ui, rect_cut_top(&area, 34), TEXT_NAME, "%s", formula);
    if (clicked >= 0)
        graph_walk_set(c, clicked + 1 == step ? STEP_NONE : clicked + 1, false);
}
