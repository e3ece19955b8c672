#include "views/shared/head_chips.h"

#include <stdio.h>
#include <string.h>

#include "ui/label.h"
#include "ui/text.h"
#include "ui/tooltip.h"

#define CHIP_W    48
#define ALL_W     54
#define BETWEEN   6
#define CHIPS_MAX 8 /* with more heads, or less room, arrows step through the heads */
#define STEPPER_W 184
#define NAME_W    60
#define NAME_GAP  12
#define LAYERS_W  76 /* the button in place of the name Layer */
#define LAYER_W   (STEPPER_W + NAME_GAP + LAYERS_W)

static bool chip(const ViewContext *c, UiId id, Rect rect, const char *text, bool chosen,
                 const Colour *dot) {
    const Theme *theme = c->ui->theme;
    UiState state = ui_control(c->ui, id, rect, 0);
    Colour ground = chosen ? theme->fill : state.hovered ? theme->hover : theme->raised;
    draw_fill(c->ui->list, rect, 8, ground);
    LabelStyle style = {FONT_SANS, 18, chosen ? theme->text_on_fill : theme->text_2, LABEL_CENTRE};
    Rect words = rect;
    if (dot != NULL) {
        draw_fill(c->ui->list, (Rect){rect.x + 9, rect.y + rect.h / 2 - 5, 10, 10}, 5, *dot);
        rect_cut_left(&words, 16);
    }
    label_draw(c->ui, words, &style, text);
    ui_focus_ring(c->ui, id, rect, 8);
    return state.clicked;
}

static void choose(const ViewContext *c, int head) {
    edit_push_state(c->edits, "head", "%d", head + 1);
}

/* Draw "‹ 2 of 12 ›". Return the index that a click chooses, or -1. */
static int stepper(const ViewContext *c, Rect line, const char *name, int at, int count,
                   const Colour *dot) {
    char text[48];
    int chosen = -1;
    snprintf(text, sizeof text, "%d of %d", at + 1, count);
    Rect next = rect_cut_right(&line, 36), value = rect_cut_right(&line, 112);
    Rect previous = rect_cut_right(&line, 36);
    if (chip(c, ui_id(name, 0), previous, "‹", false, NULL))
        chosen = (at + count - 1) % count;
    if (dot != NULL) {
        draw_fill(c->ui->list, (Rect){value.x + 8, value.y + value.h / 2 - 5, 10, 10}, 5, *dot);
        rect_cut_left(&value, 22);
    }
    text_in(c->ui, value, TEXT_NUMBER | TEXT_CENTRE, "%s", text);
    if (chip(c, ui_id(name, 1), next, "›", false, NULL))
        chosen = (at + 1) % count;
    return chosen;
}

static void many(const ViewContext *c, Rect line) {
    int head = c->session->options.head - 1;
    Colour colour = view_head_colour(c, head);
    int chosen = stepper(c, line, "head step", head, c->session->options.heads, &colour);
    if (chosen >= 0)
        choose(c, chosen);
}

/* Open the map of all layers and heads, or close it. */
static void map_chip(const ViewContext *c, Rect place) {
    bool is_open = c->settings->wall == WALL_LAYERS;
    UiId id = ui_id("head map", 0);
    if (chip(c, id, place, "Layers", is_open, NULL))
        view_set(c, "wall", is_open ? "all" : "layers", 0);
    tooltip(c->ui, id, place, &(Tooltip){.text = "Show every head of every layer, or one layer."});
}

/* Draw the choice of a checkpoint's layer at the right end of line, if there is room. has_map: its
 * name opens the map of all layers. */
static void layer_chooser(const ViewContext *c, Rect line, bool has_map) {
    if (!session_has_layers(c->session) || line.w < LAYER_W)
        return;
    Rect place = rect_cut_right(&line, STEPPER_W);
    const Weights *weights = c->session->weights;
    int chosen = stepper(c, place, "layer step", weights->layer - 1, weights->layers, NULL);
    rect_cut_right(&line, NAME_GAP);
    if (has_map)
        map_chip(c, rect_cut_right(&line, LAYERS_W));
    else
        text_in(c->ui, line, TEXT_BODY | TEXT_FAINT | TEXT_RIGHT, "Layer");
    if (chosen >= 0)
        edit_push_state(c->edits, "layer", "%d", chosen + 1);
}

/* Return the width of the chips: one for each head, or a stepper if there is no room. */
static float width_of(bool *few, const ViewContext *c, float room, bool has_all) {
    int heads = c->session->options.heads;
    float all = has_all ? ALL_W + BETWEEN : 0;
    float chips = (float)heads * (CHIP_W + BETWEEN) - BETWEEN + all;
    *few = heads <= CHIPS_MAX && chips <= room;
    return *few ? chips : STEPPER_W + all;
}

float head_chips_width(const ViewContext *c, float room, bool has_all) {
    bool few;
    return width_of(&few, c, room, has_all && c->session->options.heads > 1) + NAME_GAP + NAME_W +
           (session_has_layers(c->session) ? LAYER_W : 0);
}

void head_chips(const ViewContext *c, Rect line, const bool *all, bool *changed_all) {
    int heads = c->session->options.heads, head = c->session->options.head - 1;
    bool has_all = all != NULL && heads > 1;
    bool few;
    float width = width_of(&few, c, line.w, has_all);
    if (c->ui->is_plain || width > line.w)
        return;
    Rect rest = rect_cut_right(&line, width);
    for (int i = 0; few && i < heads; i++) {
        char text[12];
        snprintf(text, sizeof text, "%d", i + 1);
        Colour dot = view_head_colour(c, i);
        bool chosen = i == head && !(has_all && *all);
        if (chip(c, ui_id("head chip", i), rect_cut_left(&rest, CHIP_W), text, chosen, &dot)) {
            choose(c, i);
            if (has_all && *all && changed_all != NULL)
                *changed_all = true;
        }
        rect_cut_left(&rest, BETWEEN);
    }
    if (!few)
        many(c, rect_cut_left(&rest, STEPPER_W));
    if (has_all && chip(c, ui_id("head all", 0), rect_cut_right(&rest, ALL_W), "All", *all, NULL) &&
        changed_all != NULL)
        *changed_all = true;
    const char *name = heads > 1 ? "Head" : "";
    rect_cut_right(&line, NAME_GAP);
    if (line.w <= NAME_W)
        return;
    text_in(c->ui, line, TEXT_BODY | TEXT_FAINT | TEXT_RIGHT | TEXT_PLAIN, "%s", name);
    rect_cut_right(&line, NAME_W);
    layer_chooser(c, line, all != NULL);
}
