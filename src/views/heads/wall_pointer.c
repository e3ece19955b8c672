#include <math.h>
#include <string.h>

#include "views/heads/wall_parts.h"
#include "views/shared/number_editor.h"

#define PAN_FROM   4 /* px that the pointer moves before a press becomes a drag */
#define ZOOM_NOTCH 1.25f
#define STEPS_MAX  24 /* most cells that one frame of a fast drag paints */

/* Return the place under the pointer, in tokens from the matrix's corner. */
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
    memory->selects = view_selected_tokens(c) > 0;
    c->ui->again = true;
}

static void set_view(const ViewContext *c, float zoom, Vec2 first) {
    c->memory->heads.zoom = zoom;
    c->memory->heads.first = first;
    c->ui->again = true;
}

/* Zoom around the pointer; with Shift, or sideways, pan. */
static void wheel(const Wall *w, Rect m) {
    const ViewContext *c = w->context;
    const WallLayout *l = w->layout;
    unsigned mods = 0;
    Vec2 notches = ui_wheel(c->ui, ui_id("wall", 0), m, &mods);
    if (notches.x == 0 && notches.y == 0)
        return;
    Vec2 under = place_at(w, m, c->ui->pointer), first = l->first;
    float zoom = fmaxf(c->memory->heads.zoom, 1), seen = l->side / l->cell;
    if ((mods & KEY_MOD_SHIFT) != 0 || notches.y == 0) {
        first.x += (notches.x - ((mods & KEY_MOD_SHIFT) != 0 ? notches.y : 0)) * seen * 0.1f;
        set_view(c, zoom, first);
        return;
    }
    zoom = fminf(fmaxf(zoom * powf(ZOOM_NOTCH, notches.y), 1), WALL_CELL_MAX / l->fit);
    zoom = fmaxf(zoom, 1);
    float scale = c->ui->list->scale, cell = floorf(l->fit * zoom * scale + 0.001f) / scale;
    cell = cell * scale < 1 ? l->fit * zoom : fmaxf(cell, l->fit);
    first = (Vec2){under.x - (c->ui->pointer.x - m.x) / cell,
                   under.y - (c->ui->pointer.y - m.y) / cell};
    set_view(c, zoom, first);
}

/* Pan. Return true if the press has become a drag. */
static bool pan(const Wall *w, UiState state) {
    const ViewContext *c = w->context;
    HeadsMemory *memory = &c->memory->heads;
    Vec2 from = c->ui->press_at, at = c->ui->pointer;
    if (state.pressed) {
        memory->panned = false;
        memory->pan_from = w->layout->first;
    }
    if (!state.held && !state.clicked)
        return false;
    bool zoomed = w->layout->cell > w->layout->fit * 1.001f;
    if (zoomed && fmaxf(fabsf(at.x - from.x), fabsf(at.y - from.y)) > PAN_FROM)
        memory->panned = true;
    if (!memory->panned)
        return false;
    c->ui->cursor = 3;
    Vec2 first = {memory->pan_from.x - (at.x - from.x) / w->layout->cell,
                  memory->pan_from.y - (at.y - from.y) / w->layout->cell};
    if (state.held && (first.x != memory->first.x || first.y != memory->first.y))
        set_view(c, memory->zoom, first);
    return true;
}

/* Open or close the pairs on a straight line between two places. */
static void paint_line(const Wall *w, Vec2 from, Vec2 to, bool open) {
    float far = fmaxf(fabsf(to.x - from.x), fabsf(to.y - from.y));
    int steps = (int)ceilf(far) + 1, query, key;
    steps = steps > STEPS_MAX ? STEPS_MAX : steps;
    for (int i = 0; i < steps; i++) {
        float t = steps > 1 ? (float)i / (float)(steps - 1) : 1;
        Vec2 at = {from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t};
        if (!pair_at(w, at, &query, &key) ||
            (mask_row(&w->context->run->mask, query)[key] != 0) == open)
            continue;
        EdgePaint paint = {{query, query}, {key, key}, open ? EDGE_OPEN : EDGE_CLOSED};
        edit_push_edges(w->context->edits, &paint, w->context->ui->drag_serial);
    }
}

/* Toggle one edge of the mask by a press; a drag sets every edge it passes to the same state. */
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

/* The first click of a double click pinned a cell: restore the earlier pin. */
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

/* Handle a double click: in a zoomed view it shows the whole matrix. Otherwise it edits the score
 * under the pointer, as the right button does. Return true if it did either. */
static bool offer_editor(const Wall *w, Rect m, UiState state, AttnCell cell, bool is_head) {
    bool twice = state.pressed && state.clicks == 2;
    if (twice && w->context->memory->heads.zoom > 1) {
        restore_pin(w);
        set_view(w->context, 1, (Vec2){0, 0});
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
    wheel(w, m);
    UiState state = ui_control(c->ui, ui_id("matrix", w->layer * TILES_MAX + tile), m,
                               UI_NO_FOCUS | UI_NO_HAND);
    bool paints = id == TILE_MASK || (c->ui->press_mods & KEY_MOD_COMMAND) != 0;
    if (paints && (state.held || state.pressed)) {
        paint_edges(w, m, state);
    } else if (!paints && pan(w, state)) {
        return;
    }
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
