/* The heads of a column as small heatmaps: weights, differences, or a wipe between two columns. */
#include <math.h>

#include "draw/part.h"
#include "ui/text.h"
#include "views/compare/compare.h"

#define MAP_MOST  112 /* px: largest side of a heatmap */
#define MAP_LARGE 148 /* px: largest side of a heatmap if there are at most two columns */
#define NUMBER_H  22

typedef struct Maps {
    MapGrid grid;
    float number_h;
} Maps;

static Maps maps_layout(const ViewContext *c, float width) {
    float most = compare_comparison(c)->plan.scheme_count > 2 ? MAP_MOST : MAP_LARGE;
    Maps m = {.grid =
                  map_grid(compare_comparison(c)->plan.shape.H, width, most, c->ui->list->scale)};
    m.number_h = m.grid.rows == 1 && m.grid.side >= 16 ? NUMBER_H : 4;
    return m;
}

float compare_maps_height(const ViewContext *c, float width) {
    if (compare_maps_kind(c) == MAPS_HIDDEN)
        return 0;
    Maps m = maps_layout(c, width);
    return map_grid_height(&m.grid) + m.number_h;
}

static int reference(const ViewContext *c) {
    int count = compare_comparison(c)->plan.scheme_count;
    int against = compare_is_of(c, COMPARISON_COLUMNS) ? c->settings->compare.against : 1;
    return (against < count ? against : count) - 1;
}

CompareMaps compare_maps_kind(const ViewContext *c) {
    return compare_is_of(c, COMPARISON_COLUMNS) ? (CompareMaps)c->settings->compare.maps
                                                : MAPS_WEIGHTS;
}

static Mat shown(const ViewContext *c, int column, int head) {
    const AttnShape *shape = &compare_comparison(c)->plan.shape;
    return compare_maps_kind(c) == MAPS_DIFFERENCE
               ? mat_rows(&c->memory->compare->differences, (column * shape->H + head) * shape->T,
                          shape->T)
               : comparison_weights(compare_comparison(c), column, head);
}

bool compare_maps_make(const ViewContext *c, Err *err) {
    CompareMemory *m = c->memory->compare;
    const Comparison *comparison = compare_comparison(c);
    int columns = comparison->plan.scheme_count, rows = comparison->weights[0].rows, T = c->run->T;
    if (compare_maps_kind(c) != MAPS_DIFFERENCE)
        return true;
    if (!arena_reserve(&m->differences_arena, mat_bytes(columns * rows, T), err))
        return false;
    m->differences = mat_push(&m->differences_arena, columns * rows, T);
    for (int i = 0; i < columns * rows; i++) {
        const float *a = mat_row(&comparison->weights[i / rows], i % rows);
        const float *b = mat_row(&comparison->weights[reference(c)], i % rows);
        for (int j = 0; j < T; j++)
            mat_row(&m->differences, i)[j] = isinf(a[j]) ? a[j] : a[j] - b[j];
    }
    return true;
}

static void cells_draw(const ViewContext *c, Rect place, Mat m, bool is_signed) {
    float top = view_scale_end(compare_comparison(c)->largest_A);
    DrawCells cells = view_cells_of(c, place, &m, top, is_signed);
    draw_cells(c->ui->list, &cells);
}

static float wipe_x(const ViewContext *c, Rect place) {
    return place.x + place.w * (0.5f + c->memory->compare->wipe);
}

/* Let the user drag the line of MAPS_WIPE. Call before the control of the cells, which would
 * otherwise take the press. */
static void wipe_grip(const ViewContext *c, Rect place, int column, int head) {
    CompareMemory *m = c->memory->compare;
    Rect handle = {wipe_x(c, place) - 9, place.y, 18, place.h};
    UiState state =
        ui_control(c->ui, ui_id("wipe", column * OPTION_HEADS_MAX + head), handle, UI_NO_FOCUS);
    if (state.hovered || state.held)
        c->ui->cursor = 3;
    if (!state.held)
        return;
    float moved = (c->ui->pointer.x - place.x) / place.w - 0.5f;
    moved = fmaxf(fminf(moved, 0.5f), -0.5f);
    c->ui->again = c->ui->again || moved != m->wipe;
    m->wipe = moved;
}

static void wipe_draw(const ViewContext *c, Rect place, int head) {
    float x = wipe_x(c, place);
    Rect left = {place.x, place.y, x - place.x, place.h}, line = {x - 1, place.y, 2, place.h};
    Rect clip = draw_clip(c->ui->list, left);
    cells_draw(c, place, shown(c, reference(c), head), false);
    draw_clip_restore(c->ui->list, clip);
    draw_fill(c->ui->list, rect_inset(line, -1, 0), 0, c->ui->theme->casing);
    draw_fill(c->ui->list, line, 0, c->ui->theme->ring);
}

void compare_map_of_draw(const ViewContext *c, Rect map, int column, int head) {
    CompareMaps kind = compare_maps_kind(c);
    map.x = draw_snap(c->ui->list, map.x);
    map.y = draw_snap(c->ui->list, map.y);
    if (kind == MAPS_WIPE)
        wipe_grip(c, map, column, head);
    UiState state = ui_control(c->ui, ui_id("map", column * OPTION_HEADS_MAX + head), map,
                               UI_NO_FOCUS | UI_NO_HAND);
    AttnCell cell = view_cell_under(c, map, c->run->T, head);
    if (state.hovered && attn_cell_is_set(cell)) {
        view_light(c, cell);
        if (state.clicked)
            view_toggle_pin(c, cell);
    }
    cells_draw(c, map, shown(c, column, head), kind == MAPS_DIFFERENCE);
    if (kind == MAPS_WIPE)
        wipe_draw(c, map, head);
    view_ring_focus(c, map, c->run->T);
    draw_part(c->ui->list, PART_CELLS(map, c->run->T, c->run->T), "compare.column.%d.head.%d",
              column + 1, head + 1);
}

float compare_maps_draw(const ViewContext *c, Rect place, int column) {
    Maps m = maps_layout(c, place.w);
    for (int h = 0; h < m.grid.heads && compare_maps_kind(c) != MAPS_HIDDEN; h++) {
        Rect map = map_grid_place(&m.grid, (Vec2){place.x, place.y}, h);
        bool is_chosen = h == c->session->options.head - 1;
        compare_map_of_draw(c, map, column, h);
        if (m.number_h == NUMBER_H)
            text_in(c->ui, (Rect){map.x, rect_bottom(map) + 2, map.w, NUMBER_H - 2},
                    TEXT_COUNT | TEXT_CENTRE | (is_chosen ? TEXT_BOLD | TEXT_BRIGHT : 0), "%d",
                    h + 1);
    }
    return compare_maps_height(c, place.w);
}
