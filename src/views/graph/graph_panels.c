#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "ui/button.h"
#include "ui/slider.h"
#include "ui/text.h"
#include "views/graph/graph_parts.h"
#include "views/shared/head_chips.h"
#include "views/shared/tools.h"

#define ROW_H       36
#define ROW_GAP     10
#define LEFT_W      300
#define RIGHT_W     288
#define PANEL_H     258
#define STRIP_H     150 /* px: height of the strip of panels below a low graph */
#define TALL        640
#define WIDTHS_H    46 /* px: height of the examples of widths in the legend */
#define NODES_H     92
#define BAND_H      30
#define LEGEND_H    (2 * ROW_H + 30 + WIDTHS_H + NODES_H + BAND_H)
#define BRIEF_H     (ROW_H + 30 + WIDTHS_H) /* px: height of a legend with arrows and widths only */
#define CARD_H      150
#define TOP_RIGHT_W 430
#define TOP_RIGHT_H (3 * ROW_H + 2 * ROW_GAP)
#define RING_ROOM   116 /* px; must equal NODE_ROOM in graph_scene.c */
#define LAYOUTS_W   470
#define VALUES_W    330
#define SMALL_W     184 /* px: width of the column of panels in a small window */
#define BRIEF_W     240 /* px: a slider narrower than this shows only its number */
#define SMALL_H     360
#define ONE_ROW_W   (LAYOUTS_W + VALUES_W + 330)

static void choice_draw(const ViewContext *c, Rect place, const char *key, const GraphPanels *p) {
    if (place.w > 0 && p->are_menus)
        tool_menu(c, place, key);
    else if (place.w > 0)
        tool_segments(c, p->are_over ? rect_cut_right(&place, tool_segments_width(c, key)) : place,
                      key);
}

static void toggle(const ViewContext *c, Rect *line, const char *key, const char *label, bool on) {
    float width = segmented_width(c->ui, &label, 1);
    if (line->w < width)
        return;
    Rect place = rect_cut_left(line, width);
    rect_cut_left(line, 6);
    if (segmented(c->ui, ui_id(key, 0), place, &label, 1, on ? 0 : -1) == 0)
        view_set_row(c, key, !on);
}

static void depth_row(const ViewContext *c, Rect line) {
    static const SliderRange RANGE = {1, LAYER_STACK_MAX, 1, 1, false};
    float value = (float)c->session->options.depth;
    text_in(c->ui, rect_cut_left(&line, 90), TEXT_BODY, "Depth %d", c->session->options.depth);
    if (slider(c->ui, ui_id("graph depth", 0), line, &RANGE, &value))
        view_set_number(c, "depth", (double)roundf(value), c->ui->drag_serial);
}

/* Draw the share of the weight that the n heaviest edges carry, against n. A steep curve means that
 * few edges carry most of the weight. */
static void curve_draw(const ViewContext *c, const GraphData *d, Rect plot) {
    const Theme *theme = c->ui->theme;
    int head = d->key.head > 0 ? d->key.head - 1 : c->session->options.head - 1;
    const GraphCurve *curve = &d->curve[head];
    if (curve->count == 0)
        return;
    float most = curve->edges[curve->count - 1], bottom = rect_bottom(plot);
    Vec2 before = {plot.x, bottom};
    draw_line(c->ui->list, before, (Vec2){rect_right(plot), bottom}, 1.2f, theme->control);
    for (int i = 0; i < curve->count; i++) {
        Vec2 at = {plot.x + plot.w * curve->edges[i] / most, bottom - plot.h * curve->share[i]};
        draw_line(c->ui->list, before, at, 2.6f, view_head_colour(c, head));
        before = at;
    }
    Vec2 now = {plot.x + plot.w * fminf((float)d->count / most, 1),
                bottom - plot.h * (float)d->share};
    if (d->key.head > 0 && graph_layers(c) == 1)
        draw_disc(c->ui->list, now, 7, theme->canvas, 2.5f, theme->ring);
    Rect ticks = {plot.x, bottom + 2, plot.w, 20};
    text_in(c->ui, ticks, TEXT_COUNT, "0");
    text_in(c->ui, ticks, TEXT_COUNT | TEXT_RIGHT, most == 1 ? "%s edge" : "%s edges",
            GROUPED((long long)most));
}

static void filter_number(const ViewContext *c, Rect line) {
    const Settings *s = c->settings;
    static const SliderRange RANGES[EDGE_FILTER_COUNT] = {
        [EDGES_TOP] = {1, EDGES_PER_TOKEN_MAX, 1, 3, false},
        [EDGES_ABOVE] = {0, 1, 0, 0.05f, false},
        [EDGES_MASS] = {0, 1, 0, 0.8f, false}};
    static const char *const KEYS[] = {"edges", "graph-above", "graph-mass"};
    float value = (float[]){(float)s->edges, s->graph.above, s->graph.mass}[s->graph.filter];
    bool brief = line.w < BRIEF_W, above = s->graph.filter == EDGES_ABOVE;
    bool is_percent = s->graph.filter == EDGES_MASS || (above && s->graph.value != GRAPH_WEIGHTS);
    const char *number = s->graph.filter == EDGES_TOP ? PRINT("%d", s->edges)
                         : is_percent                 ? PERCENT((double)value)
                                                      : FIXED((double)value, 2);
    const char *of = brief || (above && !is_percent) ? "" : above ? " of max" : " a row";
    text_in(c->ui, rect_cut_right(&line, brief ? 56 : 132), TEXT_NUMBER | TEXT_RIGHT, "%s%s",
            number, of);
    rect_cut_right(&line, 10);
    UiId id = ui_id("graph filter", s->graph.filter);
    if (slider(c->ui, id, line, &RANGES[s->graph.filter], &value)) {
        float round = s->graph.filter == EDGES_TOP ? roundf(value) : roundf(value * 200) / 200;
        view_set_number(c, KEYS[s->graph.filter], (double)round, c->ui->drag_serial);
    }
}

static void share_line(const ViewContext *c, const GraphData *d, Rect line) {
    const char *what = d->key.chosen.value == GRAPH_WEIGHTS  ? "weight"
                       : d->key.chosen.value == GRAPH_SCORES ? "|score|"
                                                             : "weight·‖v‖";
    const char *none = "no key is open: no edges";
    if (d->key.revision == 0)
        return;
    line.w += 60;
    for (int i = 0; i < c->run->T; i++)
        if (mask_open_keys(&c->run->mask, i) > 0)
            none = d->key.chosen.value == GRAPH_SCORES ? "every score is 0"
                                                       : "no edge carries anything";
    if (d->all == 0) {
        text_in(c->ui, line, TEXT_BODY, "%s", none);
        return;
    }
    const char *brief =
        PRINT("%s %sof %s %s, %s", GROUPED(d->count), d->left_out > 0 ? "strongest " : "",
              GROUPED(d->all), d->all == 1 ? "edge" : "edges", PERCENT(d->share));
    text_in(c->ui, line, TEXT_BODY, "%s of all %s\n%s", brief, what, brief);
}

static void filter_panel(const ViewContext *c, const GraphData *d, Rect area) {
    const Settings *s = c->settings;
    tool_segments(c, rect_cut_top(&area, ROW_H), "graph-filter");
    rect_cut_top(&area, 4);
    filter_number(c, rect_cut_top(&area, ROW_H));
    share_line(c, d, rect_cut_bottom(&area, 30));
    Rect line = rect_cut_bottom(&area, ROW_H);
    rect_cut_left(&line, text_in(c->ui, line, TEXT_BODY | TEXT_FAINT, "Hide") + 10);
    toggle(c, &line, "graph-self", "Self", s->graph.self == GRAPH_ON);
    toggle(c, &line, "graph-first", "First", s->graph.first == GRAPH_ON);
    bool hides = s->graph.self == GRAPH_ON || s->graph.first == GRAPH_ON;
    if (hides && s->graph.value == GRAPH_WEIGHTS)
        toggle(c, &line, "graph-rest", "Sum to 1", s->graph.rest == GRAPH_ON);
    rect_cut_bottom(&area, 30);
    if (area.h > 40)
        curve_draw(c, d, area);
}

static void tick_draw(const ViewContext *c, Rect place, unsigned align, float value, int decimals,
                      bool brief) {
    const char *text = FIXED((double)value, decimals);
    text_in(c->ui, place, TEXT_COUNT | align, "%s",
            brief && strncmp(text, "0.", 2) == 0 ? text + 1 : text);
}

/* Explain widths by example edges. Weights: 0.1, 0.3, 0.6 and 1. Scores: the largest magnitude with
 * both signs. Other values: the largest, and half of it. */
static void width_legend(const ViewContext *c, const GraphData *d, Rect line) {
    bool weights = d->key.chosen.value == GRAPH_WEIGHTS;
    bool scores = d->key.chosen.value == GRAPH_SCORES;
    const float shares[2][4] = {{1, scores ? -1.0f : 0.5f}, {0.1f, 0.3f, 0.6f, 1}};
    Colour head = view_head_colour(c, c->session->options.head - 1);
    for (int i = 0; i < (weights ? 4 : 2); i++) {
        Rect cell = rect_cut_left(&line, weights ? 60 : 108);
        float value = shares[weights][i] * (weights ? 1 : d->largest);
        float width = graph_edge_width(d, value);
        Vec2 from = {cell.x, cell.y + 10}, to = {cell.x + 48, cell.y + 10};
        Colour sign = palette_colour(c->ui->theme->signed_palette, value < 0 ? 0 : 1);
        float dash = value < 0 ? 1 : 0;
        Colour colour = scores ? sign : head;
        DrawCurve bar = {from, from, to, to, width, width, 5 * dash, 4 * dash, colour, colour};
        draw_curve(c->ui->list, &bar);
        Rect tick = {weights ? cell.x - 6 : cell.x, cell.y + 22, cell.w - 4, 20};
        tick_draw(c, tick, weights ? TEXT_CENTRE : 0, value, weights ? 1 : 2, true);
    }
}

static void node_legend(const ViewContext *c, const GraphData *d, const Scene *s, Rect line) {
    if (d->key.chosen.nodes == GRAPH_PLAIN || !(d->size_most > 0))
        return;
    Colour colour = view_head_colour(c, c->session->options.head - 1);
    Colour fill = colour_mix(c->ui->theme->canvas, colour, 0.25f);
    for (int i = 0; i < 3; i++) {
        float share = (float[]){0.25f, 0.5f, 1}[i], r = scene_radius(s, share);
        Rect cell = rect_cut_left(&line, fmaxf(2 * r, 56) + 10);
        cell.w -= 10;
        Vec2 at = {cell.x + cell.w / 2, cell.y + NODES_H / 2};
        draw_disc(c->ui->list, at, r, fill, 1.5f, colour);
        Rect tick = {cell.x, at.y + (r >= 24 ? -10 : r + 2), cell.w, 20};
        tick_draw(c, tick, TEXT_CENTRE, share * d->size_most, 2, false);
    }
}

static void band_legend(const ViewContext *c, Rect line, int token) {
    Colour colour = view_head_colour(c, c->session->options.head - 1);
    draw_fill(c->ui->list, (Rect){line.x, line.y + 6, 26, 18}, 4,
              colour_fade(colour, GRAPH_BAND_ALPHA));
    rect_cut_left(&line, 36);
    LabelStyle style = text_style(c->ui, TEXT_BODY);
    float width =
        line.w - text_width(c->ui, TEXT_BODY | TEXT_PLAIN, "N(%d), open to “”", token + 1) - 2;
    view_token_tip(c, ui_id("band name", 0), line, ui_over(c->ui, line), &style, width, token);
    text_in(c->ui, line, TEXT_BODY | TEXT_PLAIN, "N(%d), open to “%s”", token + 1,
            view_name(c, &style, c->run->labels[token], width).text);
}

void graph_subtitle(char out[VIEW_SUBTITLE_MAX], const Session *session, const Settings *settings,
                    bool is_short) {
    const char *more = settings->graph_flow == GRAPH_ON ? " Arrows point where values go."
                                                        : " Arrows point at what is read.";
    (void)session;
    snprintf(out, VIEW_SUBTITLE_MAX, "Attention is a graph.%s", is_short ? "" : more);
}

static void legend_draw(const ViewContext *c, const GraphData *d, const Scene *s, Rect area,
                        int token) {
    tool_segments(c, rect_cut_top(&area, ROW_H), "graph-flow");
    text_in(c->ui, rect_cut_top(&area, 30), TEXT_BODY | TEXT_FAINT, "%s",
            graph_flows(c) ? "arrows point where values go" : "arrows point at what is read");
    width_legend(c, d, rect_cut_top(&area, WIDTHS_H));
    if (s->layout != GRAPH_LAYERED && area.h >= ROW_H + NODES_H) {
        tool_segments(c, rect_cut_top(&area, ROW_H), "graph-nodes");
        node_legend(c, d, s, rect_cut_top(&area, NODES_H));
    }
    if (area.h >= BAND_H && token >= 0)
        band_legend(c, rect_cut_top(&area, BAND_H), token);
}

void graph_panels_draw(const ViewContext *c, const GraphData *d, const Scene *s,
                       const GraphPanels *p, int token) {
    bool is_all = c->settings->graph.heads == GRAPH_ON, changed = false;
    Rect covered[GRAPH_COVERED_MAX];
    for (int i = graph_panels_covered(covered, p) - 1; i >= 0; i--)
        draw_fill(c->ui->list, rect_inset(covered[i], -6, -6), 8, c->ui->theme->canvas);
    choice_draw(c, p->layout, "graph-layout", p);
    if (p->heads.w > 0)
        head_chips(c, p->heads, p->are_menus ? NULL : &is_all, &changed);
    layer_chips(c, c->beside_title, false);
    if (changed)
        view_set_row(c, "graph-heads", !is_all);
    if (p->filter.w > 0 && p->are_menus)
        filter_number(c, p->filter);
    else if (p->filter.w > 0)
        filter_panel(c, d, p->filter);
    if (p->value.w > 0 && c->settings->graph_layout == GRAPH_LAYERED)
        depth_row(c, p->value);
    else
        choice_draw(c, p->value, "graph-value", p);
    choice_draw(c, p->flow, "graph-flow", p);
    if (p->legend.w > 0 && s != NULL)
        legend_draw(c, d, s, p->legend, token);
    if (p->card.w > 0 && s != NULL && graph_walks(c))
        graph_walk_card(c, p->card);
}

int graph_panels_covered(Rect out[GRAPH_COVERED_MAX], const GraphPanels *p) {
    if (!p->are_over)
        return 0;
    out[0] = p->filter;
    out[1] = p->legend;
    out[2] = p->layout;
    out[3] = rect_union((Rect){p->value.x, p->layout.y, p->value.w, 0}, p->value);
    out[4] = p->card;
    return p->card.w > 0 ? 5 : 4;
}

static GraphPanels corners(const ViewContext *c, Rect area) {
    float right = rect_right(area), bottom = rect_bottom(area), step = ROW_H + ROW_GAP;
    float w = fmaxf(tool_segments_width(c, "graph-value"), head_chips_width(c, TOP_RIGHT_W, true));
    w = fminf(w, TOP_RIGHT_W);
    return (GraphPanels){.layout = {right - TOP_RIGHT_W, area.y, TOP_RIGHT_W, ROW_H},
                         .heads = {right - w - 1, area.y + step, w + 1, ROW_H},
                         .value = {right - w, area.y + 2 * step, w, ROW_H},
                         .filter = {area.x, bottom - PANEL_H, LEFT_W, PANEL_H},
                         .legend = {right - RIGHT_W, bottom - LEGEND_H, RIGHT_W, LEGEND_H},
                         .card = graph_walks(c) ? (Rect){area.x, area.y + 4, LEFT_W, CARD_H}
                                                : (Rect){0},
                         .are_over = true};
}

/* Return a plan with the choices in one or two rows above the graph, for areas whose corners are
 * not free. */
static GraphPanels top_rows(const ViewContext *c, Rect *area) {
    GraphPanels p = {.layout = rect_cut_top(area, ROW_H)};
    Rect left = p.layout;
    rect_cut_left(&left, LAYOUTS_W);
    if (area->w < ONE_ROW_W) {
        rect_cut_top(area, ROW_GAP);
        left = rect_cut_top(area, ROW_H);
    }
    p.value = rect_cut_left(&left, c->settings->graph_layout == GRAPH_LAYERED ? 230 : VALUES_W);
    p.heads = left.w > 280 ? left : (Rect){0};
    return p;
}

static GraphPanels strips(const ViewContext *c, Rect *area) {
    GraphPanels p = top_rows(c, area);
    if (area->h < 420)
        return p;
    bool tall = area->h > TALL;
    Rect bottom = rect_cut_bottom(area, tall ? PANEL_H : STRIP_H);
    rect_cut_top(&bottom, 10);
    p.filter = rect_cut_left(&bottom, LEFT_W);
    if (bottom.w > RIGHT_W + 150 && (tall || !graph_walks(c)))
        p.legend = rect_cut_right(&bottom, RIGHT_W);
    rect_cut_left(&bottom, 60);
    p.card = bottom.w > 240 ? rect_cut_left(&bottom, fminf(bottom.w, 2 * LEFT_W)) : (Rect){0};
    return p;
}

static GraphPanels side(const ViewContext *c, Rect *area) {
    GraphPanels p = top_rows(c, area);
    if (area->w < 2 * LEFT_W)
        return p;
    Rect column = rect_cut_left(area, LEFT_W);
    rect_cut_left(area, 24);
    p.filter = rect_cut_bottom(&column, PANEL_H);
    rect_cut_bottom(&column, 16);
    if (column.h > BRIEF_H + 16)
        p.legend = rect_cut_bottom(&column, column.h > LEGEND_H + 16 ? LEGEND_H : BRIEF_H);
    rect_cut_top(&column, 10);
    p.card = column.h > 100 ? column : p.legend;
    if (column.h <= 100 && graph_step(c) != STEP_NONE)
        p.legend = (Rect){0};
    return p;
}

static GraphPanels small(Rect *area) {
    GraphPanels p = {.are_menus = true};
    Rect *const order[] = {&p.layout, &p.heads, &p.filter, &p.value, &p.flow};
    Rect column = rect_cut_right(area, SMALL_W);
    rect_cut_right(area, 16);
    for (int i = 0; i < 5 && (i == 0 || column.h >= ROW_H); i++) {
        *order[i] = rect_cut_top(&column, ROW_H);
        rect_cut_top(&column, 8);
    }
    return p;
}

static bool corners_are_free(const ViewContext *c, Rect area) {
    float radius = area.h / 2 - RING_ROOM;
    float left = hypotf(area.w / 2 - LEFT_W, area.h / 2 - PANEL_H);
    float right = hypotf(area.w / 2 - TOP_RIGHT_W, area.h / 2 - TOP_RIGHT_H);
    return c->settings->graph_layout == GRAPH_CIRCLE && area.h > 560 && area.w / 2 > TOP_RIGHT_W &&
           left > radius + 62 && right > radius + 34;
}

GraphPanels graph_panels(const ViewContext *c, Rect *area) {
    int layout = c->settings->graph_layout;
    bool is_round = layout == GRAPH_CIRCLE || layout == GRAPH_FORCE;
    /* the side of the largest square for the tokens: with a column of panels, and with strips */
    float beside = fminf(area->w - LEFT_W - 24, area->h);
    float between = fminf(area->w, area->h - (area->h > TALL ? PANEL_H : STRIP_H));
    if (c->is_hall)
        return (GraphPanels){0};
    if (area->h < SMALL_H && area->w > area->h * 1.3f)
        return small(area);
    if (corners_are_free(c, *area))
        return corners(c, *area);
    return is_round && beside >= between ? side(c, area) : strips(c, area);
}
