#include "ui/cell_fade.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"

/* With MOTION_REROLL the columns fade one after the other. This is the delay of the last column, in
 * units of the time that one column takes. */
#define REROLL_SWEEP 2.0f

static size_t values_of(const CellFade *fade) {
    return (size_t)fade->rows * (size_t)fade->cols;
}

static void forget(CellFades *fades, CellFade *fade) {
    fades->kept -= fade->values != NULL ? values_of(fade) : 0;
    free(fade->values);
    *fade = (CellFade){0};
}

void cell_fades_release(CellFades *fades) {
    for (int i = 0; i < fades->count; i++)
        forget(fades, &fades->at[i]);
    fades->count = 0;
}

/* Return the entry of the matrix with this id, otherwise a free entry, otherwise NULL. Free the
 * entries of matrices that are no longer drawn. */
static CellFade *find(Ui *ui, CellFades *fades, UiId id) {
    CellFade *unused = NULL;
    for (int i = 0; i < fades->count; i++) {
        CellFade *fade = &fades->at[i];
        if (fade->id == id)
            return fade;
        if (fade->seen_frame + 1 < ui->frame) {
            forget(fades, fade);
            unused = fade;
        }
    }
    if (unused == NULL && fades->count < CELL_FADES_MAX)
        unused = &fades->at[fades->count++];
    return unused;
}

static const float *row_of(const DrawCells *cells, int row) {
    return cells->values + (size_t)row * (size_t)cells->stride;
}

static void copy_values(CellFade *fade, const DrawCells *cells) {
    size_t bytes = (size_t)cells->cols * sizeof *fade->values;
    for (int i = 0; i < cells->rows; i++)
        memcpy(fade->values + (size_t)i * (size_t)cells->cols, row_of(cells, i), bytes);
    fade->lo = cells->lo;
    fade->hi = cells->hi;
}

/* Store the current values, unless a limit is reached or memory runs out. */
static void settle(Ui *ui, CellFades *fades, CellFade *fade, UiId id, const DrawCells *cells) {
    size_t count = (size_t)cells->rows * (size_t)cells->cols;
    if (fade->values == NULL || fade->rows != cells->rows || fade->cols != cells->cols) {
        forget(fades, fade);
        bool fits = count > 0 && count <= CELL_FADE_MOST && fades->kept + count <= CELL_FADES_MOST;
        float *values = fits ? heap_get(2 * count * sizeof *values) : NULL;
        if (values == NULL)
            return;
        *fade = (CellFade){.values = values, .rows = cells->rows, .cols = cells->cols};
        fades->kept += count;
    }
    fade->id = id;
    fade->motion = MOTION_NONE;
    fade->born_frame = fade->seen_frame = ui->frame;
    copy_values(fade, cells);
}

static bool shows(const CellFade *fade, const DrawCells *cells) {
    size_t bytes = (size_t)cells->cols * sizeof *fade->values;
    bool same = fade->lo == cells->lo && fade->hi == cells->hi;
    for (int i = 0; same && i < cells->rows; i++)
        same = memcmp(fade->values + (size_t)i * (size_t)cells->cols, row_of(cells, i), bytes) == 0;
    return same;
}

static float sweep_of(const CellFade *fade) {
    return fade->motion == MOTION_REROLL ? REROLL_SWEEP : 0;
}

static float way_of(const Ui *ui, const CellFade *fade) {
    const MotionRow *row = &MOTIONS[fade->motion];
    double passed_s = ui->time_s - fade->start_s;
    return fade->motion == MOTION_NONE
               ? 1
               : easing_at(row->easing, (float)(passed_s / (double)ui_motion_s(ui, fade->motion)));
}

/* Replace the values that a fade starts from by those visible now. A cell cannot be halfway between
 * a number and NaN or infinity: it takes the new value if at least half of its fade is over,
 * otherwise the old one. */
static void capture_visible(const Ui *ui, CellFade *fade) {
    float way = way_of(ui, fade), sweep = sweep_of(fade);
    float *before = fade->values + values_of(fade);
    for (int i = 0; i < fade->rows; i++)
        for (int j = 0; j < fade->cols; j++) {
            size_t at = (size_t)i * (size_t)fade->cols + (size_t)j;
            float to = fade->values[at], t = cell_way(way, sweep, j, fade->cols);
            bool mixes = t < 1 && isfinite(to) && isfinite(before[at]);
            if (mixes)
                before[at] += (to - before[at]) * t;
            else if (t >= 0.5f)
                before[at] = to;
        }
    fade->before_lo = way < 1 ? fade->before_lo + (fade->lo - fade->before_lo) * way : fade->lo;
    fade->before_hi = way < 1 ? fade->before_hi + (fade->hi - fade->before_hi) * way : fade->hi;
}

static void draw_fading(Ui *ui, CellFade *fade, const DrawCells *cells) {
    DrawCells drawn = *cells;
    drawn.before = fade->values + values_of(fade);
    drawn.before_lo = fade->before_lo;
    drawn.before_hi = fade->before_hi;
    drawn.way = way_of(ui, fade);
    drawn.sweep = sweep_of(fade);
    draw_cells(ui->list, &drawn);
    if (drawn.way < 1)
        ui_wake(ui, ui->time_s);
    else
        fade->motion = MOTION_NONE;
}

void ui_cells(Ui *ui, CellFades *fades, UiId id, const DrawCells *cells, Motion motion) {
    CellFade *fade = find(ui, fades, id);
    bool lasts = fade != NULL && fade->values != NULL && fade->rows == cells->rows &&
                 fade->cols == cells->cols && fade->seen_frame + 1 >= ui->frame &&
                 fade->born_frame != ui->frame && !ui->reduced_motion;
    bool same = lasts && shows(fade, cells);
    if (fade != NULL && (!lasts || (!same && motion == MOTION_NONE)))
        settle(ui, fades, fade, id, cells);
    if (!lasts || (!same && motion == MOTION_NONE)) {
        draw_cells(ui->list, cells);
        return;
    }
    fade->seen_frame = ui->frame;
    if (!same) {
        capture_visible(ui, fade);
        copy_values(fade, cells);
        fade->motion = motion;
        fade->start_s = ui->time_s;
    }
    draw_fading(ui, fade, cells);
}
