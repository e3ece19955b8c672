#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "ui/label.h"
#include "views/heads/wall_parts.h"

#define SMALL       15
#define FRAME_CLEAR 4 /* px between a title and the frame around its matrix */

static const char *tile_name(char *out, size_t capacity, int id, bool brief) {
    static const char *const names[][2] = {
        {"", ""}, {"Mean of heads", "Mean"}, {"Rollout", "Rollout"}, {"Mask", "Mask"}};
    if (id < 0)
        return names[-id][brief];
    snprintf(out, capacity, brief ? "%d" : "Head %d", id + 1);
    return out;
}

const HeadStats *wall_stats(const Wall *w, int head) {
    return &w->context->run->layers[w->layer].figures.stats[head];
}

float wall_gain(const Wall *w, int head) {
    return w->layer == 0 ? hand_head_gain(results_trace(w->context->run, 0)->hand, head) : 1;
}

static float dot_of(float title_h) {
    return title_h < WALL_TITLE_H ? 8 : 10;
}

static float size_of(float title_h) {
    return title_h < WALL_TITLE_H ? SMALL : 18;
}

WallTitleStyle wall_title_style(const ViewContext *c, float side, float title_h) {
    static const char *const names[][2] = {{"Head 4", "Head 44"}, {"4", "44"}};
    const char *entropy = "entropy 4.44";
    float dot = dot_of(title_h), size = size_of(title_h);
    for (int brief = 0; brief < 2; brief++) {
        const char *name = names[brief][c->session->options.heads > 9];
        float used = dot + 12 + label_width(c->ui, FONT_SANS_BOLD, size, name, strlen(name)) + 8;
        for (int step = 0; step < 2; step++) {
            float at = step == 0 ? size : SMALL;
            if (used + label_width(c->ui, FONT_SANS, at, entropy, strlen(entropy)) <= side)
                return (WallTitleStyle){at, brief != 0};
        }
    }
    const char *name = names[0][c->session->options.heads > 9];
    float whole = dot + 12 + label_width(c->ui, FONT_SANS_BOLD, size, name, strlen(name));
    return (WallTitleStyle){0, whole > side};
}

static Rect title_place(const Wall *w, int tile) {
    const WallLayout *l = w->layout;
    Rect m = wall_matrix(l, tile);
    float label_h = tile - l->first_tile < l->columns ? l->label_h : 0;
    float clear = l->crowded ? FRAME_CLEAR : 0;
    return (Rect){m.x, m.y - label_h - l->title_h, m.w, l->title_h - clear};
}

/* Handle the pointer on a title: a click chooses the head; a double click shows this head alone, or
 * all heads again. */
static void title_pointer(const Wall *w, Rect title, int tile, int head) {
    const ViewContext *c = w->context;
    UiId id = ui_id("head title", w->layer * TILES_MAX + tile);
    UiState state = ui_control(c->ui, id, title, 0);
    if (state.clicked && head >= 0)
        edit_push_state(c->edits, "head", "%d", head + 1);
    if (state.pressed && state.clicks == 2 && head >= 0) {
        edit_push_state(c->edits, "head", "%d", head + 1);
        view_set(c, "wall", c->settings->wall == WALL_ALL ? "one" : "all", 0);
    }
    ui_focus_ring(c->ui, id, title, 6);
    if (head >= 0)
        wall_figures_tip(w, id, title, ui_over(c->ui, title), head);
}

static void entropy_draw(const Wall *w, Rect rest, int head, float size) {
    char number[32], entropy[48];
    float gain = wall_gain(w, head);
    snprintf(entropy, sizeof entropy, "entropy %s", FIXED(wall_stats(w, head)->entropy, 2));
    if (gain != 1)
        snprintf(entropy, sizeof entropy, gain == 0 ? "zeroed" : "output × %s",
                 number_format_short(number, sizeof number, (double)gain));
    LabelStyle style = {FONT_SANS, size, w->context->ui->theme->text_3, LABEL_RIGHT};
    label_draw(w->context->ui, rest, &style, entropy);
}

void wall_title(const Wall *w, int tile) {
    const ViewContext *c = w->context;
    int head = w->shown->layer[w->layer].tile[tile].id;
    Rect title = title_place(w, tile), rest = title;
    float title_h = w->layout->title_h, size = size_of(title_h),
          dot = head >= 0 ? dot_of(title_h) : 0;
    char name[32];
    title_pointer(w, title, tile, head);
    LabelStyle style = {FONT_SANS_BOLD, size, c->ui->theme->text_1, LABEL_LEFT};
    WallTitleStyle set = wall_title_style(c, w->layout->side, title_h);
    const char *words = tile_name(name, sizeof name, head, set.brief);
    if (head < 0 && label_width(c->ui, style.font, size, words, strlen(words)) > title.w - 10)
        words = tile_name(name, sizeof name, head, true);
    float beside = dot > 0 ? dot + 12 : 2;
    bool has_dot =
        dot > 0 && beside + label_width(c->ui, style.font, size, words, strlen(words)) <= title.w;
    if (has_dot)
        draw_fill(c->ui->list, (Rect){title.x + 2, title.y + (title.h - dot) / 2, dot, dot},
                  dot / 2, view_head_colour(c, head));
    rect_cut_left(&rest, has_dot || dot == 0 ? beside : 0);
    rect_cut_left(&rest, label_draw(c->ui, rest, &style, words) + 8);
    bool is_alone = w->layout->tiles == 1 && c->session->options.heads > 1;
    if (head >= 0 && set.size > 0 && !is_alone)
        entropy_draw(w, rest, head, set.size);
}
