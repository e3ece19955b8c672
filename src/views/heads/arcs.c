#include "views/heads/heads_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "draw/part.h"
#include "results/model_output.h"
#include "ui/label.h"
#include "ui/text.h"
#include "views/shared/edges.h"

#define TITLE_H   34
#define CAPTION_H 34
#define LEGEND_H  64
/* Px next to the title for the share of the weight; with less room it gets its own line. */
#define SHARE_LEAST   150
#define SHARE_LINE    24
#define NODE_SIZE     18 /* px: largest letter size of a token's name */
#define NODE_SIZE_MIN 11
#define NODE_PAD      6 /* px left and right of the names */
#define LABEL_MAX     130
/* Largest bulge of an arc as a share of the height, so that arcs stay round. */
#define REACH_OF_H 0.7f
#define LOOP_BULGE 26
/* Px: in rows lower than this, the first token's loop reaches the caption, which then moves to the
 * right. */
#define LOOP_HIGH       48
#define LOOP_VALUE_AWAY 44
#define NEXT_ROW_H      24
#define NEXT_NAME_W     104 /* px: width of the names of the next words */
#define NEXT_BAR_W      52
#define NEXT_BAR_H      10
#define REST_LEAST      250 /* px: minimum height of the arcs above the list of next words */

/* The layout of the picture: a column of tokens, and arcs at both sides of it. */
typedef struct ArcLayout {
    Rect area;
    float first_y, step; /* y of the first token; px from one token to the next */
    bool is_level;       /* true if each token is level with its row in the matrix */
    float middle;        /* x of the middle of the names */
    float left, right;   /* x of the ends of edges, at the left and right of the names */
    float reach;         /* width of the widest arc */
    float size;          /* letter size of the names */
    int name_step;       /* every name_step-th token has its name shown */
    int T;
} ArcLayout;

static ArcLayout arc_layout(const ViewContext *c, Rect area, Rect rows) {
    ArcLayout l = {.area = area, .T = c->run->T};
    rect_cut_top(&area, TITLE_H + CAPTION_H + (c->run->layer_count > 1 ? SHARE_LINE : 0));
    rect_cut_bottom(&area, LEGEND_H);
    l.is_level = rows.h > 0 && rows.y >= area.y - CAPTION_H / 2 &&
                 rect_bottom(rows) <= rect_bottom(area) + LEGEND_H / 2;
    if (l.is_level)
        area = (Rect){area.x, rows.y, area.w, rows.h};
    l.step = fminf(area.h / (float)l.T, 64);
    l.size = fminf(fmaxf(l.step * 0.62f, NODE_SIZE_MIN), NODE_SIZE);
    l.name_step = (int)fminf(ceilf(l.size * 1.25f / l.step), TOKENS_MAX);
    float most = fminf(LABEL_MAX, area.w * 0.3f);
    float widest = fminf(fmaxf(view_names_width(c, FONT_SANS_BOLD, l.size, most), 20), most);
    l.first_y = area.y + l.step / 2;
    l.middle = area.x + area.w / 2;
    l.left = l.middle - widest / 2 - 18;
    l.right = l.middle + widest / 2 + 18;
    l.reach = fmaxf(fminf(l.left - area.x - 12, area.h * REACH_OF_H), 10);
    return l;
}

static float token_y(const ArcLayout *l, int token) {
    return l->first_y + l->step * (float)token;
}

static Arrow arrow_of(const ArcLayout *l, Edge edge, Colour colour) {
    int query = edge.at.query, key = edge.at.key, apart = abs(query - key);
    float share = l->T > 1 ? (float)apart / (float)(l->T - 1) : 0, width = arc_width(edge.weight);
    float bulge = apart == 0 ? fminf(LOOP_BULGE + 2 * width, l->reach)
                             : l->reach * (0.1f + 0.9f * powf(share, 0.7f));
    bool back = key < query;
    return (Arrow){edge, arc_between(back ? l->left : l->right, token_y(l, query), token_y(l, key),
                                     back ? -bulge : bulge, width, colour)};
}

static void focus_show(const ViewContext *c, const ArcLayout *l, const Mat *weights,
                       AttnCell focus) {
    float weight = mat_row(weights, focus.query)[focus.key];
    if (!isfinite(weight))
        return;
    Arrow arrow = arrow_of(l, (Edge){focus, weight, weight}, 0);
    Vec2 middle = arrow.arc.middle;
    arrow_draw(c, &arrow, c->ui->theme->ring);
    if (focus.query == focus.key) /* next to the loop, which the value would cover */
        middle.x += LOOP_VALUE_AWAY;
    if (focus.head == c->session->options.head - 1)
        view_value_pill(c, middle, l->area, weight, attn_cell_is_set(c->hover->lit));
}

static void node_pill(const ViewContext *c, const ArcLayout *l, Rect node, bool query, bool key) {
    const Theme *theme = c->ui->theme;
    float h = fminf(l->size * 1.7f, fmaxf(l->step - 2, l->size * 1.2f));
    Rect pill = {l->left + 2, node.y + (node.h - h) / 2, l->right - l->left - 4, h};
    if (query)
        draw_fill(c->ui->list, pill, h / 2, theme->fill);
    if (key)
        draw_box(c->ui->list, &(DrawBox){.rect = rect_inset(pill, query ? 3 : 0, query ? 3 : 0),
                                         .radius = h / 2 - (query ? 3 : 0),
                                         .border = 2,
                                         .dash_on = 5,
                                         .dash_off = 4,
                                         .fill = query ? COLOUR_CLEAR : theme->canvas,
                                         .fill_right = query ? COLOUR_CLEAR : theme->canvas,
                                         .stroke = query ? theme->text_on_fill : theme->ring});
}

static void node_show(const ViewContext *c, const ArcLayout *l, int token, AttnCell focus,
                      int lit) {
    const Theme *theme = c->ui->theme;
    bool query = token == focus.query || token == lit, key = token == focus.key && lit < 0;
    float h = fmaxf(l->step, l->size);
    Rect node = {l->left + NODE_PAD, token_y(l, token) - h / 2, l->right - l->left - 2 * NODE_PAD,
                 h};
    if (query || key)
        node_pill(c, l, node, query, key);
    LabelStyle style = {query || key ? FONT_SANS_BOLD : FONT_SANS, l->size,
                        query ? theme->text_on_fill
                        : key ? theme->text_1
                              : theme->text_2,
                        LABEL_CENTRE};
    label_draw(c->ui, node, &style, view_name(c, &style, c->run->labels[token], node.w - 8).text);
}

static bool is_under_marked(const ArcLayout *l, int token, AttnCell focus, int lit) {
    const int marked[] = {focus.key, focus.query, lit};
    for (int i = 0; i < 3; i++)
        if (marked[i] >= 0 && (float)abs(token - marked[i]) * l->step < l->size * 1.25f)
            return true;
    return false;
}

static void nodes_show(const ViewContext *c, const ArcLayout *l, AttnCell focus, int lit) {
    for (int i = 0; i < l->T; i++) {
        bool is_marked = i == focus.query || i == focus.key || i == lit;
        if (i % l->name_step == 0 && !is_marked && !is_under_marked(l, i, focus, lit))
            node_show(c, l, i, focus, lit);
    }
    int marked[] = {focus.key, focus.query, lit};
    for (int i = 0; i < 3; i++) {
        bool again = (i < 2 && marked[i] == lit) || (i < 1 && marked[i] == focus.query);
        if (marked[i] >= 0 && !again)
            node_show(c, l, marked[i], focus, lit);
    }
}

static void nodes_pointer(const ViewContext *c, const ArcLayout *l, int layer, int head) {
    Rect column = {l->left, l->first_y - l->step / 2, l->right - l->left, l->step * (float)l->T};
    UiId id = ui_id("graph tokens", layer);
    UiState state = ui_control(c->ui, id, column, UI_NO_FOCUS);
    if (!state.hovered)
        return;
    int token = (int)((c->ui->pointer.y - column.y) / l->step);
    if (token < 0 || token >= l->T)
        return;
    view_light(c, (AttnCell){layer, head, token, -1});
    LabelStyle style = {FONT_SANS_BOLD, l->size, c->ui->theme->text_1, LABEL_CENTRE};
    Rect node = {column.x, token_y(l, token) - l->step / 2, column.w, l->step};
    view_token_tip(c, id, node, true, &style, column.w - 2 * NODE_PAD - 8, token);
    if (state.clicked)
        view_pin_token(c, token, (state.mods & KEY_MOD_SHIFT) != 0);
}

static void share_words(const ViewContext *c, Rect place, const EdgeList *edges, bool alike) {
    const unsigned style = TEXT_BODY | TEXT_FAINT;
    const char *share = PERCENT(edges->share), *what = alike ? "uniform: first" : "top";
    int k = c->settings->edges, count = edges->count;
    if (edges->all == 0)
        text_in(c->ui, place, style, "no key is open");
    else if (edges->left_out > 0)
        text_in(
            c->ui, place, style,
            "the %d strongest edges, %s of all weight\n%d edges: %s of all weight\n%d edges: %s",
            count, share, count, share, count, share);
    else
        text_in(c->ui, place, style,
                "%s %d per token, %s of all weight\n%s %d: %s of all weight\n%s %d: %s", what, k,
                share, what, k, share, what, k, share);
}

static void captions(const ViewContext *c, const ArcLayout *l, float y) {
    const unsigned style = TEXT_BODY | TEXT_FAINT;
    const Session *session = c->session;
    bool only_loops = session->options.mask.row == MASK_CAUSAL && session->edges == NULL;
    y = l->is_level ? l->first_y - l->step / 2 - CAPTION_H : y;
    Rect back = {l->area.x, y, l->left - l->area.x, CAPTION_H}, ahead = back;
    text_in(c->ui, back, style | TEXT_RIGHT, "reads back\nback");
    ahead.x = l->right;
    if (only_loops && l->step < LOOP_HIGH)
        rect_cut_left(&ahead, fminf(LOOP_BULGE + 2 * arc_width(1), l->reach) + 8);
    text_in(c->ui, ahead, style, "%s", only_loops ? "reads itself\nitself" : "reads ahead\nahead");
}

static void arcs_title(const ViewContext *c, const ArcLayout *l, int layer, int head,
                       const EdgeList *edges) {
    Rect title = {l->area.x, l->area.y, l->area.w, TITLE_H};
    draw_fill(c->ui->list, (Rect){title.x + 2, title.y + 11, 12, 12}, 6, view_head_colour(c, head));
    rect_cut_left(&title, 24);
    const char *scheme = registry_entry(&SCHEME_REGISTRY, c->run->layers[layer].scheme)->label;
    bool two = c->run->layer_count > 1;
    const char *name = PRINT(two ? "Head %d, %s" : "Head %d", head + 1, scheme);
    text_in(c->ui, title, TEXT_STRONG, "%s", name);
    /* With two layers, this line also has the scheme's name, so the share may need the next
     * line. */
    float used = text_width(c->ui, TEXT_STRONG, "%s", name) + 12;
    bool fits = title.w - used >= SHARE_LEAST;
    if (fits)
        rect_cut_left(&title, used);
    else
        title = (Rect){l->area.x, l->area.y + TITLE_H - 6, l->area.w, CAPTION_H};
    share_words(c, title, edges, view_is_uniform(c, layer, head));
    captions(c, l, l->area.y + TITLE_H + (fits ? 0 : SHARE_LINE));
}

static void arcs_legend(const ViewContext *c, const ArcLayout *l, int head) {
    static const float weights[] = {0.1f, 0.3f, 0.5f, 1.0f};
    static const char *const names[] = {".1", ".3", ".5", "1"};
    const unsigned style = TEXT_BODY | TEXT_FAINT;
    float y = rect_bottom(l->area) - LEGEND_H + 26, x = l->area.x + 70;
    int steps = (int)fminf(fmaxf((l->area.w - 70) / 62, 1), 4);
    text_at(c->ui, (Vec2){l->area.x, y + 6}, style, "width");
    for (int i = 0; i < steps; i++, x += 62) {
        draw_line(c->ui->list, (Vec2){x, y}, (Vec2){x + 40, y}, arc_width(weights[i]),
                  view_head_colour(c, head));
        text_at(c->ui, (Vec2){x + 20, y + 28}, TEXT_COUNT | TEXT_CENTRE, "%s", names[i]);
    }
    const char *words = "arrow points at what is read";
    if (text_width(c->ui, style, "%s", words) <= rect_right(l->area) - x - 20)
        text_at(c->ui, (Vec2){rect_right(l->area), y + 6}, style | TEXT_RIGHT, "%s", words);
}

static void arcs_wheel(const ViewContext *c, const ArcLayout *l) {
    unsigned mods = 0;
    float notches = ui_wheel(c->ui, ui_id("edges", 0), l->area, &mods).y + c->memory->edges_wheel;
    int steps = (int)truncf(notches);
    c->memory->edges_wheel = notches - (float)steps;
    int edges = c->settings->edges + steps;
    edges = edges < 1 ? 1 : edges > EDGES_PER_TOKEN_MAX ? EDGES_PER_TOKEN_MAX : edges;
    if (edges != c->settings->edges)
        view_set_number(c, "edges", edges, 0);
}

/* Draw "0.120 → 0.031" or, if no number was set by hand, one number. */
static void next_change(const ViewContext *c, Rect rect, double was, double now, int decimals) {
    if (c->run->next.edited)
        text_in(c->ui, rect, TEXT_COUNT | TEXT_BRIGHT | TEXT_RIGHT, "%s → %s", FIXED(was, decimals),
                FIXED(now, decimals));
    else
        text_in(c->ui, rect, TEXT_COUNT | TEXT_BRIGHT | TEXT_RIGHT, "%s", FIXED(now, decimals));
}

static void next_row(const ViewContext *c, Rect line, const struct NextToken *token) {
    Rect name = rect_cut_left(&line, NEXT_NAME_W), bar = rect_cut_left(&line, NEXT_BAR_W);
    float now = NEXT_BAR_W * (float)token->share[0], was = NEXT_BAR_W * (float)token->share[1];
    name.w -= 8;
    text_in(c->ui, name, TEXT_BODY | TEXT_BRIGHT | TEXT_PLAIN, "%s", token->name);
    bar = (Rect){bar.x, bar.y + (bar.h - NEXT_BAR_H) / 2, NEXT_BAR_W, NEXT_BAR_H};
    draw_fill(c->ui->list, bar, 3, c->ui->theme->raised);
    bar.w = fmaxf(now, 1);
    draw_fill(c->ui->list, bar, 3, c->ui->theme->fill);
    if (c->run->next.edited) /* mark the probability without edits by a line */
        draw_fill(c->ui->list, (Rect){bar.x + was - 1, bar.y - 4, 2, NEXT_BAR_H + 8}, 0,
                  c->ui->theme->text_2);
    Rect logit = rect_cut_right(&line, line.w * 0.43f);
    next_change(c, line, token->share[1], token->share[0], 3);
    next_change(c, logit, token->logit[1], token->logit[0], 1);
}

/* For a checkpoint, cut room off the bottom of *area and list there the words that the model
 * expects after the last token, and those that it would expect without numbers set by hand. Do
 * nothing if area is too low for the list and the arcs. */
static void next_tokens_draw(const ViewContext *c, Rect *area) {
    const NextTokens *next = &c->run->next;
    float height = NEXT_ROW_H * (NEXT_TOKENS + 1) + 8;
    if (!results_has_next_tokens(c->session) || area->h < height + REST_LEAST || c->ui->is_plain)
        return;
    Rect rest = rect_cut_bottom(area, height), line = rect_cut_top(&rest, NEXT_ROW_H);
    bool reads_on = c->session->options.mask.row == MASK_CAUSAL;
    draw_part(c->ui->list, PART_RECT(((Rect){line.x, line.y, line.w, height})), "heads.next");
    Rect words = rect_cut_left(&line, NEXT_NAME_W + NEXT_BAR_W),
         logit = rect_cut_right(&line, line.w * 0.43f);
    text_in(c->ui, words, TEXT_STRONG, reads_on ? "Next word" : "Word at the last place");
    if (next->count == 0) {
        text_in(c->ui, rect_cut_top(&rest, NEXT_ROW_H), TEXT_BODY | TEXT_FAINT, "computing …");
        return;
    }
    text_in(c->ui, line, TEXT_NOTE | TEXT_RIGHT, "probability");
    text_in(c->ui, logit, TEXT_NOTE | TEXT_RIGHT, "logit");
    Rect rows = rest;
    for (int i = 0; i < next->count; i++)
        next_row(c, rect_cut_top(&rest, NEXT_ROW_H), &next->at[i]);
    if (next->is_stale)
        draw_fill(c->ui->list, rows, 0, colour_fade(c->ui->theme->canvas, VIEW_VEIL));
}

void arcs_draw(const ViewContext *c, Rect area, Rect rows, int layer) {
    next_tokens_draw(c, &area);
    int head = c->session->options.head - 1;
    ArcLayout l = arc_layout(c, area, rows);
    Mat weights = view_weights(c, layer, head);
    EdgeList edges = edges_top(c->scratch, &weights, layer, head, c->settings->edges);
    AttnCell focus = view_focus(c);
    int token = view_lit_token(c);
    Rect names = {l.left, l.first_y - l.step / 2, l.right - l.left, l.step * (float)l.T};
    draw_part(c->ui->list, &(DrawPart){.rect = area, .cells = names, .rows = l.T, .cols = 1},
              "heads.graph");
    nodes_pointer(c, &l, layer, head);
    Arrow *arrows = arena_push(c->scratch, sizeof *arrows * (size_t)edges.count);
    for (int i = 0; i < edges.count; i++)
        arrows[i] = arrow_of(&l, edges.at[i], view_head_colour(c, head));
    UiId id = ui_id("graph edges", layer);
    bool is_over = ui_over(c->ui, area) && (c->ui->active == 0 || c->ui->active == id);
    int near = is_over ? arrow_at_pointer(c, arrows, edges.count) : -1;
    if (near >= 0 && c->hover->next.query < 0) {
        UiState state = ui_control(c->ui, id, area, UI_NO_FOCUS);
        view_light(c, edges.at[near].at);
        if (state.clicked)
            view_toggle_pin(c, edges.at[near].at);
    }
    arcs_wheel(c, &l);
    arcs_title(c, &l, layer, head, &edges);
    float largest = edges.count > 0 ? edges.at[edges.count - 1].weight : 1;
    AttnCell apart = {layer, head, focus.query, focus.key};
    arrows_draw(c, arrows, edges.count,
                &(ArrowsStyle){.largest = largest,
                               .fade = 1,
                               .token = token,
                               .reads = c->ui->theme->ring,
                               .apart = token < 0 ? apart : ATTN_CELL_NONE});
    if (attn_cell_is_set(focus) && token < 0)
        focus_show(c, &l, &weights, focus);
    nodes_show(c, &l, token >= 0 ? ATTN_CELL_NONE : focus, token);
    arcs_legend(c, &l, head);
}
