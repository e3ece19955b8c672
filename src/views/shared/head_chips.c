#include "views/shared/head_chips.h"

#include "base/utf8.h"
#include "ui/text.h"
#include "ui/tooltip.h"

#define ALL_W    54
#define BETWEEN  6
#define TOGETHER 2 /* px between heads that share their keys and values */
#define APART    10
/* Maximum number of heads with a chip each. For more heads, or in less room, there is a stepper:
 * ‹ 2 of 12 ›. */
#define CHIPS_MAX 8
#define NAME_W    60
#define NAME_GAP  12
#define LAYERS_W  76 /* px: width of the button that replaces the word Layer */
#define LAYER_W   (stepper_width(&NORMAL) + NAME_GAP + LAYERS_W)

/* Sizes of chips, in px. */
typedef struct ChipSize {
    float chip_w, step_w, value_w, text, dot;
} ChipSize;

static const ChipSize NORMAL = {48, 36, 112, 18, 10}, LARGE = {52, 44, 150, 26, 14};

static float stepper_width(const ChipSize *size) {
    return 2 * size->step_w + size->value_w;
}

static void dot_draw(const ViewContext *c, const ChipSize *size, Vec2 at, Colour colour) {
    float half = size->dot / 2;
    draw_fill(c->ui->list, (Rect){at.x, at.y - half, size->dot, size->dot}, half, colour);
}

static bool chip(const ViewContext *c, const ChipSize *size, UiId id, Rect rect, const char *text,
                 bool chosen, const Colour *dot) {
    const Theme *theme = c->ui->theme;
    UiState state = ui_control(c->ui, id, rect, 0);
    Colour ground = chosen ? theme->fill : state.hovered ? theme->hover : theme->raised;
    draw_fill(c->ui->list, rect, 8, ground);
    Rect words = rect;
    if (dot != NULL) {
        dot_draw(c, size, (Vec2){rect.x + 9, rect_centre(rect).y}, *dot);
        rect_cut_left(&words, size->dot + 6);
    }
    text_in(c->ui, words,
            TEXT_BODY | TEXT_CENTRE | TEXT_PX(size->text) | (chosen ? TEXT_ON_FILL : 0), "%s",
            text);
    ui_focus_ring(c->ui, id, rect, 8);
    return state.clicked;
}

/* Draw "‹ 2 of 12 ›". Return the index that a click chooses, or -1. */
static int stepper(const ViewContext *c, const ChipSize *size, Rect line, const char *name, int at,
                   int count, const Colour *dot) {
    int chosen = -1;
    Rect next = rect_cut_right(&line, size->step_w), value = rect_cut_right(&line, size->value_w);
    Rect previous = rect_cut_right(&line, size->step_w);
    if (chip(c, size, ui_id(name, 0), previous, "‹", false, NULL))
        chosen = (at + count - 1) % count;
    if (dot != NULL) {
        dot_draw(c, size, (Vec2){value.x + 8, rect_centre(value).y}, *dot);
        rect_cut_left(&value, size->dot + 12);
    }
    text_in(c->ui, value, TEXT_NUMBER | TEXT_CENTRE | TEXT_PX(size->text), "%d of %d", at + 1,
            count);
    if (chip(c, size, ui_id(name, 1), next, "›", false, NULL))
        chosen = (at + 1) % count;
    return chosen;
}

/* Draw the chips of all heads, or a stepper, at the left of *rest, and cut their room off. none:
 * true if no head is shown as chosen. Return true if the user chose a head. */
static bool heads_draw(const ViewContext *c, const ChipSize *size, Rect *rest, bool few,
                       bool none) {
    int heads = c->session->options.heads, head = c->session->options.head - 1, chosen = -1;
    int shared = view_heads_sharing(c);
    Colour colour = view_head_colour(c, head);
    for (int i = 0; few && i < heads; i++) {
        bool is_lit = i == head && !none;
        /* the chosen chip is dark in light themes, so use the dot's colour for dark themes */
        Colour dot = is_lit ? THEMES[THEME_DARK].heads[i % THEME_HEADS] : view_head_colour(c, i);
        if (chip(c, size, ui_id("head chip", i), rect_cut_left(rest, size->chip_w),
                 PRINT("%d", i + 1), is_lit, &dot))
            chosen = i;
        rect_cut_left(rest, shared < 2 ? BETWEEN : (i + 1) % shared > 0 ? TOGETHER : APART);
    }
    if (!few)
        chosen = stepper(c, size, rect_cut_left(rest, stepper_width(size)), "head step", head,
                         heads, &colour);
    if (chosen >= 0)
        edit_push_state(c->edits, "head", "%d", chosen + 1);
    return chosen >= 0;
}

static void map_chip(const ViewContext *c, Rect place) {
    bool is_open = c->settings->wall == WALL_LAYERS;
    UiId id = ui_id("head map", 0);
    if (chip(c, &NORMAL, id, place, "Layers", is_open, NULL))
        view_set(c, "wall", is_open ? "all" : "layers", 0);
    tooltip(c->ui, id, place, NULL, "Show every head of every layer, or one layer.");
}

float layer_chips_width(const ViewContext *c) {
    return session_has_layers(c->session) ? LAYER_W : 0;
}

void layer_chips(const ViewContext *c, Rect line, bool has_map) {
    if (c->ui->is_plain || !session_has_layers(c->session) || line.w < LAYER_W)
        return;
    Rect place = rect_cut_right(&line, stepper_width(&NORMAL));
    const Weights *weights = c->session->weights;
    int chosen =
        stepper(c, &NORMAL, place, "layer step", weights->layer - 1, weights->layers, NULL);
    rect_cut_right(&line, NAME_GAP);
    if (has_map)
        map_chip(c, rect_cut_right(&line, LAYERS_W));
    else
        text_in(c->ui, line, TEXT_BODY | TEXT_FAINT | TEXT_RIGHT, "Layer");
    if (chosen >= 0)
        edit_push_state(c->edits, "layer", "%d", chosen + 1);
}

static float width_of(bool *few, const ViewContext *c, const ChipSize *size, float room,
                      bool has_all) {
    int heads = c->session->options.heads;
    float all = has_all ? ALL_W + BETWEEN : 0;
    float chips = (float)heads * (size->chip_w + BETWEEN) - BETWEEN + all;
    *few = heads <= CHIPS_MAX && chips <= room;
    return *few ? chips : stepper_width(size) + all;
}

float head_chips_width(const ViewContext *c, float room, bool has_all) {
    bool few;
    return width_of(&few, c, &NORMAL, room, has_all && c->session->options.heads > 1) + NAME_GAP +
           NAME_W;
}

Rect head_chips(const ViewContext *c, Rect line, const bool *all, bool *changed_all) {
    bool has_all = all != NULL && c->session->options.heads > 1, few;
    float width = width_of(&few, c, &NORMAL, line.w, has_all);
    if (c->ui->is_plain || width > line.w)
        return line;
    Rect rest = rect_cut_right(&line, width);
    bool is_all = has_all && *all;
    bool changed = heads_draw(c, &NORMAL, &rest, few, is_all) && few && is_all;
    if (has_all)
        changed = chip(c, &NORMAL, ui_id("head all", 0), rect_cut_right(&rest, ALL_W), "All", *all,
                       NULL) ||
                  changed;
    if (changed && changed_all != NULL)
        *changed_all = true;
    rect_cut_right(&line, NAME_GAP);
    if (line.w <= NAME_W)
        return line;
    text_in(c->ui, line, TEXT_BODY | TEXT_FAINT | TEXT_RIGHT | TEXT_PLAIN, "%s",
            c->session->options.heads > 1 ? "Head" : "");
    rect_cut_right(&line, NAME_W);
    return line;
}

void head_chips_large(const ViewContext *c, Rect line, float height) {
    bool few;
    float width = width_of(&few, c, &LARGE, line.w, false);
    Rect rest = rect_cut_right(&line, width);
    rest = (Rect){rest.x, rest.y + (rest.h - height) / 2, rest.w, height};
    heads_draw(c, &LARGE, &rest, few, false);
    rect_cut_right(&line, NAME_GAP);
    if (line.w >= NAME_W + NAME_GAP)
        text_in(c->ui, line, TEXT_BODY | TEXT_RIGHT | TEXT_PLAIN | TEXT_PX(LARGE.text), "Head");
}
