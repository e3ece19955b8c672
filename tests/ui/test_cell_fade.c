/* Colours of matrices that fade to new values, in frames at given times. */
#include <math.h>
#include <string.h>

#include "support/panel.h"
#include "support/test.h"
#include "ui/cell_fade.h"

typedef struct Wall {
    Panel panel;
    CellFades fades;
    float values[6];
    int cols;
    float hi;
    Motion motion;
    bool absent;
} Wall;

static void build(Panel *panel) {
    Wall *w = panel->data;
    if (w->absent)
        return;
    DrawCells cells = {.rect = {10, 10, 60, 60},
                       .rows = 6 / w->cols,
                       .cols = w->cols,
                       .stride = w->cols,
                       .values = w->values,
                       .hi = w->hi};
    ui_cells(&panel->ui, &w->fades, 7, &cells, w->motion);
}

static const DrawCells *go(Wall *w, double time_s) {
    w->panel.time_s = time_s;
    panel_events(&w->panel, NULL, 0);
    const DrawList *list = &w->panel.list;
    for (size_t i = 0; i < list->command_count; i++)
        if (list->commands[i].kind == DRAW_CELLS)
            return &list->commands[i].as.cells;
    return NULL;
}

static void open_wall(Wall *w, Motion motion) {
    memset(w, 0, sizeof *w);
    w->motion = motion;
    w->cols = 3;
    w->hi = 1;
    panel_open(&w->panel, build, w);
    w->panel.ui.reduced_motion = false;
    assert_null(go(w, 0)->before);
}

static void close_wall(Wall *w) {
    cell_fades_release(&w->fades);
    assert_int_equal(w->fades.kept, 0);
    panel_close(&w->panel);
}

TEST(a_change_takes_its_time_and_then_rests) {
    for (int motion = MOTION_HOVER; motion < MOTION_COUNT; motion++) {
        LOCAL(close_wall) Wall w;
        open_wall(&w, (Motion)motion);
        float duration = MOTIONS[motion].duration_s, way = 0;
        w.values[4] = 0.5f;
        w.hi = 2;
        for (int step = 0; step < 4; step++) {
            const DrawCells *cells = go(&w, 1 + (double)duration * step / 4);
            assert_non_null(cells->before);
            assert_true(cells->before[4] == 0 && cells->before_hi == 1 && cells->values[4] == 0.5f);
            assert_true(step == 0 ? cells->way == 0 : cells->way > way);
            assert_true((cells->sweep > 0) == (motion == MOTION_REROLL));
            assert_true(w.panel.ui.next_time_s <= w.panel.time_s);
            way = cells->way;
        }
        assert_null(go(&w, 1 + (double)duration)->before);
        assert_null(go(&w, 9)->before);
        assert_true(isinf(w.panel.ui.next_time_s));
    }
}

TEST(a_second_change_sets_off_from_what_is_seen) {
    LOCAL(close_wall) Wall w;
    open_wall(&w, MOTION_HOVER); /* linear */
    w.values[0] = 1;
    w.values[1] = DRAW_CELL_MASKED;
    w.values[2] = NAN;
    go(&w, 1);
    w.values[0] = 3;
    const DrawCells *cells = go(&w, 1 + 0.75 * (double)MOTIONS[MOTION_HOVER].duration_s);
    assert_true(cells->way == 0 && fabsf(cells->before[0] - 0.75f) < 1e-4f);
    assert_true(isinf(cells->before[1]) && isnan(cells->before[2]));
}

TEST(what_has_no_past_stands_as_it_is) {
    LOCAL(close_wall) Wall w;
    open_wall(&w, MOTION_VALUE);
    w.cols = 2; /* another shape */
    w.values[0] = 1;
    assert_null(go(&w, 1)->before);
    w.motion = MOTION_NONE; /* a drag */
    w.values[0] = 2;
    assert_null(go(&w, 2)->before);
    w.motion = MOTION_VALUE;
    w.absent = true;
    go(&w, 3);
    w.absent = false; /* not drawn in between */
    w.values[0] = 3;
    assert_null(go(&w, 4)->before);
    w.panel.ui.reduced_motion = true;
    w.values[0] = 4;
    assert_null(go(&w, 5)->before);
    assert_true(isinf(w.panel.ui.next_time_s));
}

TEST(memory_has_a_bound) {
    LOCAL(close_wall) Wall w;
    static float large[CELL_FADE_MOST];
    open_wall(&w, MOTION_VALUE);
    for (int frame = 0; frame < 2; frame++)
        for (int id = 1; id < 2 * CELL_FADES_MAX; id++) {
            DrawCells cells = {.rect = {0, 0, 9, 9},
                               .rows = 1,
                               .cols = id < 4 ? CELL_FADE_MOST : 1,
                               .stride = CELL_FADE_MOST,
                               .values = large};
            ui_cells(&w.panel.ui, &w.fades, (UiId)(100 + id), &cells, MOTION_VALUE);
            assert_true(w.fades.kept <= CELL_FADES_MOST && w.fades.count <= CELL_FADES_MAX);
        }
}
