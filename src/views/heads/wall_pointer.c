#include <math.h>
#include <string.h>

#include "views/heads/heads_parts.h"
#include "views/shared/number_editor.h"

#define STEPS_MAX 24 /* maximum number of cells that a fast drag paints in one frame */

static Vec2 place_at(const Wall *w, Rect m, Vec2 pointer) {
    return (Vec2){(pointer.x - m.x) / w->layout->cell + w->layout->first.x,
                  (pointer.y - m.y) / w->layout->cell + w->layout->first.y};
}

static bool pair_at(const Wall *w, Vec2 place, int *query, int *key) {
    int row = (int)floorf(place.y), column = (int)floorf(place.x), T = w->layout->tokens;
    if (row < 0 || column < 0 || row >= T || column >= T)
        return false;
    *query = w->shown->query_at[row];
    *key = w->shown->key_at[column];
    return true;
}

void wall_select(const ViewContext *c, int token, bool as_key) {
    HeadsMemory *memory = &c->memory->heads;
    if (memory->selects_keys != as_key)
        memset(memory->selected, 0, sizeof memory->selected);
    memory->selects_keys = as_key;
    memory->selected[token] = !memory->selected[token];
    c->ui->again = true;
}

static void paint_line(const Wall *w, Vec2 from, Vec2 to, bool open) {
    float far = fmaxf(fabsf(to.x - from.x), fabsf(to.y - from.y));
    int steps = (int)ceilf(far) + 1, query, key;
    steps = steps > STEPS_MAX ? STEPS_MAX : steps;
    for (int i = 0; i < steps; i++) {
        float t = steps > 1 ? (float)i / (float)(steps - 1) : 1;
        if (!pair_at(w, vec2_between(from, to, t), &query, &key) ||
            (mask_row(&w->context->run->mask, query)[key] != 0) == open)
            continue;
        EdgePaint paint = {{query, query}, {key, key}, open ? EDGE_OPEN : EDGE_CLOSED};
        edit_push_edges(w->context->edits, &paint, w->context->ui->drag_serial);
    }
}

/* Toggle one edge of the mask with a press. If the press becomes a drag, set every edge under the
 * pointer to the same state. */
static void paint_edges(const Wall *w, Rect m, UiState state) {
    const ViewContext *c = w->context;
    HeadsMemory *memory = &c->memory->heads;
    Vec2 place = place_at(w, m, c->ui->pointer);
    int query, key;
    if (state.pressed && pair_at(w, place, &query, &key)) {
        memory->paint_open = mask_row(&c->run->mask, query)[key] == 0;
        memory->paint_from = place;
    }
    if (!state.held && !state.pressed)
        return;
    paint_line(w, memory->paint_from, place, memory->paint_open);
    memory->paint_from = place;
}

/* Restore the pin and the head from before a double click, whose first click has pinned a cell. */
static void restore_pin(const Wall *w) {
    const ViewContext *c = w->context;
    const HeadsMemory *memory = &c->memory->heads;
    edit_push_state(c->edits, "head", "%d", memory->head_before);
    if (memory->pin_before.first > 0)
        edit_push_state(c->edits, "pin", "%d,%d", memory->pin_before.first,
                        memory->pin_before.second);
    else
        edit_push_state(c->edits, "pin", "none");
}

/* Handle a double click: if the view is zoomed, show the whole matrix; otherwise edit the score
 * under the pointer. The right button also edits it. Return true if one of these happened. */
static bool offer_editor(const Wall *w, Rect m, UiState state, AttnCell cell, bool is_head) {
    bool twice = state.pressed && state.clicks == 2;
    if (twice && w->layout->cell > w->layout->fit) {
        restore_pin(w);
        w->context->memory->heads.view = (PanZoom){0};
        w->context->ui->again = true;
        return true;
    }
    if (!is_head || cell.layer != 0)
        return false;
    HandNumber place = {.name = HAND_S, .head = cell.head, .row = cell.query, .col = cell.key};
    Rect rect =
        wall_cell(w->layout, m, w->shown->query_place[cell.query], w->shown->key_place[cell.key]);
    bool is_open =
        number_editor_offer(w->context, state, place, rect, (Rect){m.x, rect.y, m.w, rect.h});
    if (is_open && twice)
        restore_pin(w);
    return is_open;
}

static void clicked(const Wall *w, UiState state, AttnCell cell) {
    const ViewContext *c = w->context;
    if ((state.mods & KEY_MOD_SHIFT) != 0)
        wall_select(c, cell.query, false);
    else
        view_toggle_pin(c, cell);
}

void wall_pointer(const Wall *w, int tile) {
    const ViewContext *c = w->context;
    Rect m = wall_matrix(w->layout, tile);
    int id = w->shown->layer[w->layer].tile[tile].id, query, key;
    UiState state = ui_control(c->ui, ui_id("matrix", w->layer * TILES_MAX + tile), m,
                               UI_NO_FOCUS | UI_NO_HAND);
    bool paints = id == TILE_MASK || (c->ui->press_mods & KEY_MOD_COMMAND) != 0;
    UiState pan = paints ? (UiState){0} : state;
    PanZoomLimits limits = wall_zoom(c, w->layout);
    if (paints && (state.held || state.pressed))
        paint_edges(w, m, state);
    if ((state.hovered || state.held) &&
        pan_zoom(c->ui, ui_id("wall", 0), pan, m, &limits, &c->memory->heads.view))
        return;
    if (!state.hovered || !pair_at(w, place_at(w, m, c->ui->pointer), &query, &key))
        return;
    AttnCell cell = {w->layer, id >= 0 ? id : c->session->options.head - 1, query, key};
    view_light(c, cell);
    c->memory->heads.over = tile + 1;
    if (paints)
        return;
    if (state.pressed)
        c->memory->heads.clicks = state.clicks;
    if (state.pressed && state.clicks < 2) {
        c->memory->heads.pin_before = c->session->options.pin;
        c->memory->heads.head_before = c->session->options.head;
    }
    if (offer_editor(w, m, state, cell, id >= 0 && id < c->run->layers[0].shape[0].H))
        return;
    if (state.clicked && c->memory->heads.clicks < 2)
        clicked(w, state, cell);
}
