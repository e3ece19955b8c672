#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "ui/button.h"
#include "ui/dropdown.h"
#include "ui/label.h"
#include "ui/slider.h"
#include "ui/text.h"
#include "views/graph/graph.h"
#include "views/shared/head_chips.h"

#define ROW_H       36
#define ROW_GAP     10
#define LEFT_W      300
#define RIGHT_W     288
#define PANEL_H     258
#define STRIP_H     150 /* height of that strip below a low graph */
#define TALL        640
#define WIDTHS_H    46 /* heights of the parts of the legend */
#define NODES_H     92
#define BAND_H      30
#define LEGEND_H    (2 * ROW_H + 30 + WIDTHS_H + NODES_H + BAND_H)
#define BRIEF_H     (ROW_H + 30 + WIDTHS_H) /* a legend with arrows and widths only */
#define CARD_H      150
#define TOP_RIGHT_W 430
#define TOP_RIGHT_H 128
#define RING_ROOM   116 /* keep equal to NODE_ROOM in graph_scene.c */
#define LAYOUTS_W   470
#define VALUES_W    330
#define SMALL_W     184 /* width of the column of panels in a small window */
#define BRIEF_W     240 /* px: a narrower slider shows only its number */
#define SMALL_H     360
#define ONE_ROW_W   (LAYOUTS_W + VALUES_W + 330)

static void choice_row(const ViewContext *c, Rect line, const char *key, const Registry *registry,
                       int chosen, bool right) {
    const char *labels[8];
    int count = registry->count < 8 ? registry->count : 8;
    for (int i = 0; i < count; i++)
        labels[i] = registry_entry(registry, i)->label;
    float width = fminf(segmented_width(c->ui, labels, count), line.w);
    Rect place = right ? rect_cut_right(&line, width) : rect_cut_left(&line, width);
    int clicked = segmented(c->ui, ui_id(key, 0), place, labels, count, chosen);
    if (clicked >= 0)
        view_set(c, key, registry_entry(registry, clicked)->id, 0);
}

/* Draw a word that switches an option on or off. */
static void toggle(const ViewContext *c, Rect *line, const char *key, const Registry *registry,
                   const char *label, bool on) {
    float width = segmented_width(c->ui, &label, 1);
    if (line->w < width)
        return;
    Rect place = rect_cut_left(line, width);
    rect_cut_left(line, 6);
    if (segmented(c->ui, ui_id(key, 0), place, &label, 1, on ? 0 : -1) == 0)
        view_set(c, key, registry_entry(registry, on ? 0 : 1)->id, 0);
}

static void heads_row(const ViewContext *c, Rect line) {
    bool all = c->settings->graph_heads == GRAPH_ON, changed = false;
    head_chips(c, line, &all, &changed);
    if (changed)
        view_set(c, "graph-heads", registry_entry(&GRAPH_HEADS, all ? 0 : 1)->id, 0);
}

/* Draw the choices at the top right, the widest first. */
static void top_right(const ViewContext *c, Rect area) {
    const Settings *s = c->settings;
    choice_row(c, rect_cut_top(&area, ROW_H), "graph-layout", &GRAPH_LAYOUTS, s->graph_layout,
               true);
    rect_cut_top(&area, ROW_GAP);
    heads_row(c, rect_cut_top(&area, ROW_H));
    rect_cut_top(&area, ROW_GAP);
    choice_row(c, rect_cut_top(&area, ROW_H), "graph-value", &GRAPH_VALUES, s->graph_value, true);
}

/* Choose the number of stacked layers, if they are shown. */
static void depth_row(const ViewContext *c, Rect line) {
    static const SliderRange RANGE = {1, LAYER_STACK_MAX, 1, 1, false};
    float value = (float)c->session->options.depth;
    text_in(c->ui, rect_cut_left(&line, 90), TEXT_BODY, "Depth %d", c->session->options.depth);
    if (slider(c->ui, ui_id("graph depth", 0), line, &RANGE, &value))
        view_set_number(c, "depth", (double)roundf(value), c->ui->drag_serial);
}

/* Draw the same choices in one or two rows, for areas whose corners are not free. */
static void top_rows(const ViewContext *c, Rect *area) {
    const Settings *s = c->settings;
    bool one = area->w >= ONE_ROW_W;
    Rect line = rect_cut_top(area, ROW_H), left = line;
    choice_row(c, left, "graph-layout", &GRAPH_LAYOUTS, s->graph_layout, false);
    rect_cut_left(&left, LAYOUTS_W);
    if (!one) {
        rect_cut_top(area, ROW_GAP);
        left = rect_cut_top(area, ROW_H);
    }
    if (s->graph_layout == GRAPH_LAYERED)
        depth_row(c, rect_cut_left(&left, 230));
    else
        choice_row(c, rect_cut_left(&left, VALUES_W), "graph-value", &GRAPH_VALUES, s->graph_value,
                   false);
    if (left.w > 280)
        heads_row(c, left);
}

/* Draw the share of the weight that the n heaviest edges carry against n. A steep curve means that
 * few edges carry most of it. */
static void curve_draw(const ViewContext *c, const GraphData *d, Rect plot) {
    const Theme *theme = c->ui->theme;
    int head = d->key.head > 0 ? d->key.head - 1 : c->session->options.head - 1;
    const GraphCurve *curve = &d->curve[head];
    Colour colour = view_head_colour(c, head);
    if (curve->count == 0)
        return;
    float most = curve->edges[curve->count - 1];
    Vec2 before = {plot.x, rect_bottom(plot)};
    draw_line(c->ui->list, before, (Vec2){rect_right(plot), rect_bottom(plot)}, 1.2f,
              theme->control);
    for (int i = 0; i < curve->count; i++) {
        Vec2 at = {plot.x + plot.w * curve->edges[i] / most,
                   rect_bottom(plot) - plot.h * curve->share[i]};
        draw_line(c->ui->list, before, at, 2.6f, colour);
        before = at;
    }
    Vec2 now = {plot.x + plot.w * fminf((float)d->count / most, 1),
                rect_bottom(plot) - plot.h * (float)d->share};
    if (d->key.head > 0 && graph_layers(c) == 1)
        draw_box(c->ui->list, &(DrawBox){.rect = {now.x - 7, now.y - 7, 14, 14},
                                         .radius = 7,
                                         .border = 2.5f,
                                         .stroke = theme->ring,
                                         .fill = theme->canvas,
                                         .fill_right = theme->canvas});
    LabelStyle tick = {FONT_MONO, 15, theme->text_2, LABEL_LEFT};
    char text[48];
    Rect ticks = {plot.x, rect_bottom(plot) + 2, plot.w, 20};
    label_draw(c->ui, ticks, &tick, "0");
    snprintf(text, sizeof text, most == 1 ? "%s edge" : "%s edges", GROUPED((long long)most));
    tick.align = LABEL_RIGHT;
    label_draw(c->ui, ticks, &tick, text);
}

/* Draw a slider for the number of the current filter. */
static void filter_number(const ViewContext *c, Rect line) {
    const Settings *s = c->settings;
    static const SliderRange RANGES[EDGE_FILTER_COUNT] = {
        [EDGES_TOP] = {1, EDGES_PER_TOKEN_MAX, 1, 3, false},
        [EDGES_ABOVE] = {0, 1, 0, 0.05f, false},
        [EDGES_MASS] = {0, 1, 0, 0.8f, false}};
    static const char *const KEYS[] = {"edges", "graph-above", "graph-mass"};
    float values[] = {(float)s->edges, s->graph_above, s->graph_mass};
    float value = values[s->graph_filter];
    char text[96];
    bool brief = line.w < BRIEF_W;
    const char *a_row = brief ? "" : " a row";
    if (s->graph_filter == EDGES_TOP)
        snprintf(text, sizeof text, "%d%s", s->edges, a_row);
    else if (s->graph_filter == EDGES_MASS || s->graph_value != GRAPH_WEIGHTS) {
        snprintf(text, sizeof text, "%s%s", PERCENT((double)value),
                 s->graph_filter == EDGES_MASS ? a_row
                 : brief                       ? ""
                                               : " of max");
    } else
        number_format_fixed(text, sizeof text, (double)value, 2);
    text_in(c->ui, rect_cut_right(&line, brief ? 56 : 132), TEXT_NUMBER | TEXT_RIGHT, "%s", text);
    rect_cut_right(&line, 10);
    UiId id = ui_id("graph filter", s->graph_filter);
    if (slider(c->ui, id, line, &RANGES[s->graph_filter], &value)) {
        float round = s->graph_filter == EDGES_TOP ? roundf(value) : roundf(value * 200) / 200;
        view_set_number(c, KEYS[s->graph_filter], (double)round, c->ui->drag_serial);
    }
}

/* Return the reason why there is no edge. */
static const char *no_edge_words(const ViewContext *c) {
    for (int i = 0; i < c->run->T; i++)
        if (mask_open_keys(&c->run->mask, i) > 0)
            return c->settings->graph_value == GRAPH_SCORES ? "every score is 0"
                                                            : "no edge carries anything";
    return "no key is open: no edges";
}

static void share_line(const ViewContext *c, const GraphData *d, Rect line) {
    char text[192], shown[32], all[32], share[32];
    number_format_grouped(shown, sizeof shown, d->count);
    number_format_grouped(all, sizeof all, d->all);
    const char *what = d->key.value == GRAPH_WEIGHTS  ? "weight"
                       : d->key.value == GRAPH_SCORES ? "|score|"
                                                      : "weight·‖v‖";
    if (d->key.revision == 0)
        return;
    const char *strongest = d->left_out > 0 ? "strongest " : "";
    const char *edges = d->all == 1 ? "edge" : "edges";
    line.w += 60;
    number_format_percent(share, sizeof share, d->share);
    snprintf(text, sizeof text, "%s %sof %s %s, %s of all %s", shown, strongest, all, edges, share,
             what);
    if (text_width(c->ui, TEXT_BODY, "%s", text) > line.w)
        snprintf(text, sizeof text, "%s %sof %s %s, %s", shown, strongest, all, edges, share);
    if (d->all == 0)
        snprintf(text, sizeof text, "%s", no_edge_words(c));
    text_in(c->ui, line, TEXT_BODY, "%s", text);
}

static void filter_panel(const ViewContext *c, const GraphData *d, Rect area) {
    const Settings *s = c->settings;
    Rect line = rect_cut_top(&area, ROW_H);
    choice_row(c, line, "graph-filter", &EDGE_FILTERS, s->graph_filter, false);
    rect_cut_top(&area, 4);
    filter_number(c, rect_cut_top(&area, ROW_H));
    share_line(c, d, rect_cut_bottom(&area, 30));
    line = rect_cut_bottom(&area, ROW_H);
    rect_cut_left(&line, text_in(c->ui, line, TEXT_BODY | TEXT_FAINT, "Hide") + 10);
    toggle(c, &line, "graph-self", &GRAPH_HIDING, "Self", s->graph_self == GRAPH_ON);
    toggle(c, &line, "graph-first", &GRAPH_HIDING, "First", s->graph_first == GRAPH_ON);
    bool hides = s->graph_self == GRAPH_ON || s->graph_first == GRAPH_ON;
    if (hides && s->graph_value == GRAPH_WEIGHTS)
        toggle(c, &line, "graph-rest", &GRAPH_RESTS, "Sum to 1", s->graph_rest == GRAPH_ON);
    rect_cut_bottom(&area, 30);
    if (area.h > 40)
        curve_draw(c, d, area);
}

/* Explain widths by examples: round values for weights; the largest value if values have no limit.
 * */
static void width_legend(const ViewContext *c, const GraphData *d, Rect line) {
    const Theme *theme = c->ui->theme;
    bool weights = d->key.value == GRAPH_WEIGHTS;
    bool scores = d->key.value == GRAPH_SCORES;
    int count = weights ? 4 : 2;
    const float shares[2][4] = {{1, scores ? -1.0f : 0.5f}, {0.1f, 0.3f, 0.6f, 1}};
    Colour head = view_head_colour(c, c->session->options.head - 1);
    for (int i = 0; i < count; i++) {
        Rect cell = rect_cut_left(&line, weights ? 60 : 108);
        float value = shares[weights][i] * (weights ? 1 : d->largest);
        float width = graph_edge_width(d, value);
        Colour colour = scores ? palette_colour(theme->signed_palette, value < 0 ? 0 : 1) : head;
        DrawCurve bar = {.from = {cell.x, cell.y + 10},
                         .control_1 = {cell.x, cell.y + 10},
                         .control_2 = {cell.x + 48, cell.y + 10},
                         .to = {cell.x + 48, cell.y + 10},
                         .width_from = width,
                         .width_to = width,
                         .colour_from = colour,
                         .colour_to = colour};
        if (value < 0)
            bar.dash_on = 5, bar.dash_off = 4;
        draw_curve(c->ui->list, &bar);
        char text[32];
        number_format_fixed(text, sizeof text, (double)value, weights ? 1 : 2);
        LabelStyle tick = {FONT_MONO, 15, theme->text_2, LABEL_CENTRE};
        if (!weights)
            tick.align = LABEL_LEFT;
        label_draw(c->ui, (Rect){weights ? cell.x - 6 : cell.x, cell.y + 22, cell.w - 4, 20}, &tick,
                   strncmp(text, "0.", 2) == 0 ? text + 1 : text);
    }
}

/* Draw example nodes: a quarter, half and all of the largest size. */
static void node_legend(const ViewContext *c, const GraphData *d, const Scene *s, Rect line) {
    const Theme *theme = c->ui->theme;
    if (d->key.nodes == GRAPH_PLAIN || !(d->size_most > 0))
        return;
    Colour colour = view_head_colour(c, c->session->options.head - 1);
    Colour fill = colour_mix(theme->canvas, colour, 0.25f);
    for (int i = 0; i < 3; i++) {
        float share = i == 0 ? 0.25f : i == 1 ? 0.5f : 1, r = scene_radius(s, share);
        Rect cell = rect_cut_left(&line, fmaxf(2 * r, 56) + 10);
        Rect disc = {cell.x + (cell.w - 10) / 2 - r, cell.y + NODES_H / 2 - r, 2 * r, 2 * r};
        draw_box(c->ui->list, &(DrawBox){.rect = disc,
                                         .radius = r,
                                         .border = 1.5f,
                                         .fill = fill,
                                         .fill_right = fill,
                                         .stroke = colour});
        bool inside = r >= 24;
        cell.w -= 10;
        text_in(c->ui, (Rect){cell.x, disc.y + (inside ? r - 10 : 2 * r + 2), cell.w, 20},
                TEXT_COUNT | TEXT_CENTRE, "%s", FIXED((double)(share * d->size_most), 2));
    }
}

static void band_legend(const ViewContext *c, Rect line, int token) {
    char text[LABEL_CUT_MAX + 64], room[LABEL_CUT_MAX], number[32];
    size_t bytes;
    if (token < 0)
        return;
    Colour colour = view_head_colour(c, c->session->options.head - 1);
    const char *name = view_token(c, token, &bytes);
    draw_fill(c->ui->list, (Rect){line.x, line.y + 6, 26, 18}, 4, colour_fade(colour, 0.28f));
    rect_cut_left(&line, 36);
    LabelStyle style = {FONT_SANS, 18, c->ui->theme->text_2, LABEL_LEFT};
    int length = snprintf(number, sizeof number, "N(%d), open to “”", token + 1);
    float taken = label_width(c->ui, style.font, style.size, number, (size_t)length);
    view_token_tip(c, ui_id("band name", 0), line, ui_over(c->ui, line), &style, line.w - taken - 2,
                   token);
    name = label_fit(c->ui, room, &style, name, &bytes, line.w - taken - 2);
    snprintf(text, sizeof text, "N(%d), open to “%.*s”", token + 1, (int)bytes, name);
    label_draw(c->ui, line, &style, text);
}

void graph_subtitle(char out[VIEW_SUBTITLE_MAX], const Session *session, const Settings *settings,
                    bool is_short) {
    const char *more = settings->graph_flow == GRAPH_ON ? " Arrows point where values go."
                                                        : " Arrows point at what is read.";
    (void)session;
    snprintf(out, VIEW_SUBTITLE_MAX, "Attention is a graph.%s", is_short ? "" : more);
}

void graph_legend(const ViewContext *c, const GraphData *d, const Scene *s, Rect area, int token) {
    const Settings *set = c->settings;
    if (area.w <= 0)
        return;
    choice_row(c, rect_cut_top(&area, ROW_H), "graph-flow", &GRAPH_FLOWS, set->graph_flow, false);
    text_in(c->ui, rect_cut_top(&area, 30), TEXT_BODY | TEXT_FAINT, "%s",
            set->graph_flow == GRAPH_ON ? "arrows point where values go"
                                        : "arrows point at what is read");
    width_legend(c, d, rect_cut_top(&area, WIDTHS_H));
    if (s->layout != GRAPH_LAYERED && area.h >= ROW_H + NODES_H) {
        choice_row(c, rect_cut_top(&area, ROW_H), "graph-nodes", &GRAPH_NODE_SIZES,
                   set->graph_nodes, false);
        node_legend(c, d, s, rect_cut_top(&area, NODES_H));
    }
    if (area.h >= BAND_H)
        band_legend(c, rect_cut_top(&area, BAND_H), token);
}

/* Plan panels in the corners. The first of the top choices is the widest, see top_right. */
static GraphPanels corners(const ViewContext *c, Rect area) {
    const char *values[GRAPH_VALUE_COUNT];
    for (int i = 0; i < GRAPH_VALUE_COUNT; i++)
        values[i] = registry_entry(&GRAPH_VALUES, i)->label;
    float lower = fmaxf(segmented_width(c->ui, values, GRAPH_VALUE_COUNT),
                        head_chips_width(c, TOP_RIGHT_W, true));
    Rect left = {area.x, rect_bottom(area) - PANEL_H, LEFT_W, PANEL_H};
    Rect right = {rect_right(area) - RIGHT_W, rect_bottom(area) - LEGEND_H, RIGHT_W, LEGEND_H};
    Rect first = {rect_right(area) - TOP_RIGHT_W, area.y, TOP_RIGHT_W, ROW_H};
    Rect others = {rect_right(area) - lower, area.y, lower, TOP_RIGHT_H};
    Rect card = {area.x, area.y + 4, LEFT_W, CARD_H};
    return (GraphPanels){right,
                         card,
                         {left, right, first, others, card},
                         graph_walks(c) ? GRAPH_CORNERS : GRAPH_CORNERS - 1};
}

void graph_panels_over(const ViewContext *c, const GraphData *d, const GraphPanels *p) {
    if (p->corner_count == 0)
        return;
    for (int i = 0; i < p->corner_count; i++)
        draw_fill(c->ui->list, rect_inset(p->corners[i], -6, -6), 8, c->ui->theme->canvas);
    Rect first = p->corners[2];
    top_right(c, (Rect){first.x, first.y, first.w, TOP_RIGHT_H});
    filter_panel(c, d, p->corners[0]);
}

static GraphPanels strips(const ViewContext *c, const GraphData *d, Rect *area) {
    top_rows(c, area);
    if (area->h < 420)
        return (GraphPanels){0};
    bool tall = area->h > TALL;
    Rect bottom = rect_cut_bottom(area, tall ? PANEL_H : STRIP_H);
    rect_cut_top(&bottom, 10);
    filter_panel(c, d, rect_cut_left(&bottom, LEFT_W));
    GraphPanels panels = {0};
    if (bottom.w > RIGHT_W + 150 && (tall || !graph_walks(c)))
        panels.legend = rect_cut_right(&bottom, RIGHT_W);
    rect_cut_left(&bottom, 60);
    panels.card = bottom.w > 240 ? rect_cut_left(&bottom, fminf(bottom.w, 2 * LEFT_W)) : (Rect){0};
    return panels;
}

/* Plan the panels as a column at the left, for areas about as high as wide. */
static GraphPanels side(const ViewContext *c, const GraphData *d, Rect *area) {
    GraphPanels panels = {0};
    top_rows(c, area);
    if (area->w < 2 * LEFT_W)
        return panels;
    Rect column = rect_cut_left(area, LEFT_W);
    rect_cut_left(area, 24);
    filter_panel(c, d, rect_cut_bottom(&column, PANEL_H));
    rect_cut_bottom(&column, 16);
    if (column.h > BRIEF_H + 16)
        panels.legend = rect_cut_bottom(&column, column.h > LEGEND_H + 16 ? LEGEND_H : BRIEF_H);
    rect_cut_top(&column, 10);
    panels.card = column.h > 100 ? column : panels.legend;
    if (column.h <= 100 && graph_step(c) != STEP_NONE)
        panels.legend = (Rect){0};
    return panels;
}

static void choice_menu(const ViewContext *c, Rect line, const char *key, const Registry *registry,
                        int chosen) {
    DropdownChoices choices = {.registry = registry};
    int row = dropdown(c->ui, ui_id(key, 1), line, &choices, chosen);
    if (row >= 0)
        view_set(c, key, registry_entry(registry, row)->id, 0);
}

/* Plan the panels of a low window: a column at the right with those that fit, in this order:
 * layout, head, number of edges, their values, direction. */
static void small(const ViewContext *c, Rect *area) {
    const Settings *s = c->settings;
    Rect column = rect_cut_right(area, SMALL_W);
    rect_cut_right(area, 16);
    choice_menu(c, rect_cut_top(&column, ROW_H), "graph-layout", &GRAPH_LAYOUTS, s->graph_layout);
    for (int i = 0; i < 4 && column.h >= ROW_H + 8; i++) {
        rect_cut_top(&column, 8);
        Rect line = rect_cut_top(&column, ROW_H);
        if (i == 0)
            head_chips(c, line, NULL, NULL);
        else if (i == 1)
            filter_number(c, line);
        else if (i == 3)
            choice_menu(c, line, "graph-flow", &GRAPH_FLOWS, s->graph_flow);
        else if (s->graph_layout == GRAPH_LAYERED)
            depth_row(c, line);
        else
            choice_menu(c, line, "graph-value", &GRAPH_VALUES, s->graph_value);
    }
}

/* True if a ring of tokens with names leaves the corners free. */
static bool corners_are_free(const ViewContext *c, Rect area) {
    float radius = area.h / 2 - RING_ROOM;
    float left = hypotf(area.w / 2 - LEFT_W, area.h / 2 - PANEL_H);
    float right = hypotf(area.w / 2 - TOP_RIGHT_W, area.h / 2 - TOP_RIGHT_H);
    return c->settings->graph_layout == GRAPH_CIRCLE && area.h > 560 && area.w / 2 > TOP_RIGHT_W &&
           left > radius + 62 && right > radius + 34;
}

/* Return the size of a ring or square next to a column of panels, or between strips of panels. */
static float beside(Rect area) {
    return fminf(area.w - LEFT_W - 24, area.h);
}

static float between(Rect area) {
    return fminf(area.w, area.h - (area.h > TALL ? PANEL_H : STRIP_H));
}

GraphPanels graph_panels(const ViewContext *c, const GraphData *d, Rect *area) {
    int layout = c->settings->graph_layout;
    bool is_round = layout == GRAPH_CIRCLE || layout == GRAPH_FORCE;
    if (c->is_hall)
        return (GraphPanels){0};
    if (area->h < SMALL_H && area->w > area->h * 1.3f) {
        small(c, area);
        return (GraphPanels){0};
    }
    if (corners_are_free(c, *area))
        return corners(c, *area);
    return is_round && beside(*area) >= between(*area) ? side(c, d, area) : strips(c, d, area);
}
