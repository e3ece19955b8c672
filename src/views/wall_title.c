#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "ui/label.h"
#include "ui/tooltip.h"
#include "views/wall_parts.h"

#define SMALL       15
#define FRAME_CLEAR 4 /* px that a title right above its matrix keeps from the frame */
#define PARTS       4
#define PART_GAP    16

static const char *tile_name(char *out, size_t capacity, int id, bool brief) {
    static const char *const names[][2] = {
        {"", ""}, {"Mean of heads", "Mean"}, {"Rollout", "Rollout"}, {"Mask", "Mask"}};
    if (id < 0)
        return names[-id][brief];
    snprintf(out, capacity, brief ? "%d" : "Head %d", id + 1);
    return out;
}

static const HeadStats *stats_of(const Wall *w, int head) {
    return &run_figures(w->context->run, w->layer)->stats[head];
}

/* How every head's title is set: asked of the widest digits, so that all are set alike. Where its
 * entropy has no room it becomes smaller, then the name becomes its number, then it is left to
 * what stands under the matrix: size 0. */
typedef struct TitleStyle {
    float size; /* of the entropy */
    bool brief; /* "4" for "Head 4" */
} TitleStyle;

static TitleStyle title_style(const Wall *w, float dot, float size) {
    const ViewContext *c = w->context;
    static const char *const names[][2] = {{"Head 4", "Head 44"}, {"4", "44"}};
    const char *entropy = "entropy 4.44";
    for (int brief = 0; brief < 2; brief++) {
        const char *name = names[brief][c->session->options.heads > 9];
        float used = dot + 12 + label_width(c->ui, FONT_SANS_BOLD, size, name, strlen(name)) + 8;
        for (int step = 0; step < 2; step++) {
            float at = step == 0 ? size : SMALL;
            if (used + label_width(c->ui, FONT_SANS, at, entropy, strlen(entropy)) <=
                w->layout->side)
                return (TitleStyle){at, brief != 0};
        }
    }
    const char *name = names[0][c->session->options.heads > 9];
    float whole = dot + 12 + label_width(c->ui, FONT_SANS_BOLD, size, name, strlen(name));
    return (TitleStyle){0, whole > w->layout->side};
}

static float title_size(const Wall *w) {
    return w->layout->title_h < WALL_TITLE_H ? SMALL : 18;
}

static float dot_size(const Wall *w) {
    return w->layout->title_h < WALL_TITLE_H ? 8 : 10;
}

static Rect title_place(const Wall *w, int tile) {
    const WallLayout *l = w->layout;
    Rect m = wall_matrix(l, tile);
    float label_h = tile - l->first_tile < l->columns ? l->label_h : 0;
    float clear = l->crowded ? FRAME_CLEAR : 0;
    return (Rect){m.x, m.y - label_h - l->title_h, m.w, l->title_h - clear};
}

/* A click chooses the head, a double click fills the view with it or goes back to all. */
static void title_pointer(const Wall *w, Rect title, int tile, int head) {
    const ViewContext *c = w->context;
    UiId id = ui_id("head title", w->layer * TILES_MAX + tile);
    UiState state = ui_control(c->ui, id, title, 0);
    if (state.clicked && head >= 0)
        edit_push_state(c->edits, "head", "%d", head + 1);
    if (state.pressed && state.clicks == 2 && head >= 0) {
        edit_push_state(c->edits, "head", "%d", head + 1);
        view_set(c, "wall", c->settings->wall == 0 ? "one" : "all", 0);
    }
    ui_focus_ring(c->ui, id, title, 6);
}

static void entropy_draw(const Wall *w, Rect rest, int head, float size) {
    char number[32], entropy[48];
    number_format_fixed(number, sizeof number, stats_of(w, head)->entropy, 2);
    snprintf(entropy, sizeof entropy, "entropy %s", number);
    LabelStyle style = {FONT_SANS, size, w->context->ui->theme->text_3, LABEL_RIGHT};
    label_draw(w->context->ui, rest, &style, entropy);
}

void wall_title(const Wall *w, int tile) {
    const ViewContext *c = w->context;
    int head = w->shown->layer[w->layer].tile[tile].id;
    Rect title = title_place(w, tile), rest = title;
    float size = title_size(w), dot = head >= 0 ? dot_size(w) : 0;
    char name[32];
    title_pointer(w, title, tile, head);
    LabelStyle style = {FONT_SANS_BOLD, size, c->ui->theme->text_1, LABEL_LEFT};
    TitleStyle set = title_style(w, dot_size(w), size);
    const char *words = tile_name(name, sizeof name, head, set.brief);
    if (head < 0 && label_width(c->ui, style.font, size, words, strlen(words)) > title.w - 10)
        words = tile_name(name, sizeof name, head, true);
    float beside = dot > 0 ? dot + 12 : 2;
    bool has_dot = dot > 0 && beside + label_width(c->ui, style.font, size, words, strlen(words)) <=
                                  title.w; /* else the number alone */
    if (has_dot)
        draw_fill(c->ui->list, (Rect){title.x + 2, title.y + (title.h - dot) / 2, dot, dot},
                  dot / 2, view_head_colour(c, head));
    rect_cut_left(&rest, has_dot || dot == 0 ? beside : 0);
    rect_cut_left(&rest, label_draw(c->ui, rest, &style, words) + 8);
    if (head >= 0 && set.size > 0)
        entropy_draw(w, rest, head, set.size);
}

/* One figure of a head as it stands under its matrix; "" where it is not known. */
static void part_text(const Wall *w, char *out, size_t capacity, int head, int part, bool brief) {
    char number[32];
    const Role *role = &w->shown->roles[w->layer * w->context->session->options.heads + head];
    double rank = w->shown->rank[w->layer * w->context->session->options.heads + head];
    out[0] = '\0';
    if (part == 0 && role->kind == ROLE_MIXED) {
        bool closed = stats_of(w, head)->largest == 0;
        snprintf(out, capacity, "%s",
                 closed                ? "no open key"
                 : role_can_tell(role) ? "mixed"
                                       : "too few keys");
    } else if (part == 0) {
        number_format_fixed(number, sizeof number, role->of[role->kind].value, 2);
        snprintf(out, capacity, "%s %s", registry_entry(&ROLES, role->kind)->id, number);
    } else if (part == 1) {
        number_format_fixed(number, sizeof number, stats_of(w, head)->entropy, 2);
        snprintf(out, capacity, "entropy %s", number);
    } else if (part == 2) {
        number_format_fixed(number, sizeof number, stats_of(w, head)->largest, 2);
        snprintf(out, capacity, brief ? "max %s" : "largest %s", number);
    } else if (!isnan(rank)) {
        number_format_fixed(number, sizeof number, rank, 1);
        snprintf(out, capacity, brief ? "rank %s" : "eff. rank %s", number);
    }
}

/* The widest that each part can be, so that all heads show the same ones. */
static float part_width(const Wall *w, int part, bool brief) {
    static const char *const widest[][PARTS] = {
        {"previous 0.44", "entropy 4.44", "largest 0.44", "eff. rank 44.4"},
        {"previous 0.44", "entropy 4.44", "max 0.44", "rank 44.4"}};
    const char *words = widest[brief][part];
    return label_width(w->context->ui, FONT_SANS, SMALL, words, strlen(words));
}

/* Whether the parts take shorter words to stand side by side. */
static bool is_brief(const Wall *w, float room, bool in_title) {
    for (int part = 0; part < PARTS; part++)
        room -= part == 1 && in_title ? 0 : part_width(w, part, false) + PART_GAP;
    return room + PART_GAP < 0;
}

/* What the word under a head means, and what chance would give. */
static void foot_tip(const Wall *w, Rect foot, int tile, int head, bool brief) {
    const ViewContext *c = w->context;
    const Role *role = &w->shown->roles[w->layer * c->session->options.heads + head];
    char value[32], chance[32], text[400];
    snprintf(text, sizeof text,
             "Mixed: it leans to the token before, to itself, to the first token, to all alike or "
             "to tokens of similar vectors no more than chance would. The inspector has the "
             "numbers.");
    if (!role_can_tell(role))
        snprintf(text, sizeof text,
                 "With so few open keys chance alone could give any pattern, so there is no word "
                 "for what this head does.");
    if (role->kind != ROLE_MIXED) {
        const Entry *entry = registry_entry(&ROLES, role->kind);
        number_format_fixed(value, sizeof value, role->of[role->kind].value, 3);
        number_format_fixed(chance, sizeof chance, role->of[role->kind].chance, 3);
        snprintf(text, sizeof text, "%s It is %s; chance would give up to %s.", entry->help, value,
                 chance);
    }
    size_t used = strlen(text);
    if (brief)
        snprintf(text + used, sizeof text - used, " The rank is the effective rank of A.");
    UiId id = ui_id("head foot", w->layer * TILES_MAX + tile);
    tooltip_on(c->ui, id, foot, ui_over(c->ui, foot), &(Tooltip){.text = text});
}

static void foot_words(const Wall *w, Rect foot, const char *words) {
    LabelStyle style = {FONT_SANS, SMALL, w->context->ui->theme->text_3, LABEL_LEFT};
    label_draw(w->context->ui, foot, &style, words);
}

static const char *mask_words(const Wall *w, Rect foot) {
    const char *words = "click or drag: open, close";
    float width = label_width(w->context->ui, FONT_SANS, SMALL, words, strlen(words));
    return width <= foot.w ? words : "click or drag";
}

void wall_foot(const Wall *w, int tile) {
    const ViewContext *c = w->context;
    int head = w->shown->layer[w->layer].tile[tile].id;
    Rect m = wall_matrix(w->layout, tile), foot = {m.x, rect_bottom(m) + 5, m.w, 20};
    if (head < 0) {
        char rollout[48];
        int layers = w->shown->rolled[w->layer];
        snprintf(rollout, sizeof rollout, "½ A + ½ I, %d layer%s", layers, layers == 1 ? "" : "s");
        foot_words(w, foot,
                   head == TILE_MASK      ? mask_words(w, foot)
                   : head == TILE_ROLLOUT ? rollout
                                          : "over all heads");
        return;
    }
    bool in_title = title_style(w, dot_size(w), title_size(w)).size > 0;
    bool brief = is_brief(w, foot.w, in_title);
    foot_tip(w, foot, tile, head, brief);
    LabelStyle style = {FONT_SANS, SMALL, c->ui->theme->text_2, LABEL_LEFT};
    for (int part = 0; part < PARTS; part++) {
        char text[64];
        if (part == 1 && in_title)
            continue;
        float width = part_width(w, part, brief);
        if (part > 0 && width > foot.w)
            return;
        part_text(w, text, sizeof text, head, part, brief);
        char *number = strrchr(text, ' ');
        bool is_wide = label_width(c->ui, style.font, SMALL, text, strlen(text)) > foot.w;
        bool has_number = number != NULL && number[1] >= '0' && number[1] <= '9';
        if (part == 0 && is_wide && has_number)
            *number = '\0'; /* the tooltip has it */
        label_draw(c->ui, foot, &style, text);
        rect_cut_left(&foot, width + PART_GAP);
        style.colour = c->ui->theme->text_3;
    }
}
