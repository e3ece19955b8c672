#include "ui/pan_zoom.h"

#include <math.h>

#define NOTCH    1.25f
#define PAN_STEP 0.1f /* share of the area by which one notch of the wheel pans */
#define PAN_FROM 4    /* px that the pointer moves before a press becomes a drag */

static float zoom_of(const PanZoom *m) {
    return m->zoom > 0 ? m->zoom : 1;
}

float pan_zoom_drawn(const PanZoom *m, const PanZoomLimits *limits) {
    float zoom = zoom_of(m), grain = limits->grain;
    return grain > 0 && zoom > 1 ? fmaxf(floorf(zoom / grain + 1e-3f) * grain, 1) : zoom;
}

Vec2 pan_zoom_drag(Ui *ui, UiState state, PanZoom *m) {
    Vec2 by = {ui->pointer.x - m->from.x, ui->pointer.y - m->from.y}, press = ui->press_at;
    m->moves = !state.pressed && (state.held || state.clicked) &&
               (m->moves || hypotf(ui->pointer.x - press.x, ui->pointer.y - press.y) > PAN_FROM);
    m->from = ui->pointer;
    return m->moves && state.held ? by : (Vec2){0, 0};
}

/* Return the offset along one axis, limited so that the picture covers its area, unless is_loose.
 */
static float covering(float at, float drawn, const PanZoomLimits *limits) {
    return limits->is_loose ? at : fmaxf(fminf(at, 0), 1 - drawn);
}

bool pan_zoom(Ui *ui, UiId id, UiState state, Rect area, const PanZoomLimits *limits, PanZoom *m) {
    unsigned mods = 0;
    const PanZoom was = *m;
    Vec2 notches = ui_wheel(ui, id, area, &mods), by = pan_zoom_drag(ui, state, m);
    if ((mods & KEY_MOD_SHIFT) != 0)
        notches = (Vec2){notches.x - notches.y, 0};
    Vec2 size = {fmaxf(area.w, 1), fmaxf(area.h, 1)};
    Vec2 under = {(ui->pointer.x - area.x) / size.x, (ui->pointer.y - area.y) / size.y};
    float drawn = pan_zoom_drawn(m, limits);
    if (notches.y != 0) {
        float before = drawn, zoom = zoom_of(m) * powf(NOTCH, notches.y);
        zoom = fminf(fmaxf(zoom, limits->least), fmaxf(limits->most, 1));
        m->zoom = fabsf(zoom - 1) < 1e-3f ? 1 : zoom;
        drawn = pan_zoom_drawn(m, limits);
        m->at.x = under.x - (under.x - m->at.x) * drawn / before;
        m->at.y = under.y - (under.y - m->at.y) * drawn / before;
    }
    m->at.x = covering(m->at.x + by.x / size.x - notches.x * PAN_STEP, drawn, limits);
    m->at.y = covering(m->at.y + by.y / size.y, drawn, limits);
    bool pans = m->moves && (limits->is_loose || drawn > 1);
    ui->again |= m->zoom != was.zoom || m->at.x != was.at.x || m->at.y != was.at.y;
    ui->cursor = pans ? 3 : ui->cursor;
    return pans;
}

Rect pan_zoom_rect(const PanZoom *m, Rect area, float drawn) {
    return (Rect){area.x + m->at.x * area.w, area.y + m->at.y * area.h, area.w * drawn,
                  area.h * drawn};
}

Vec2 pan_zoom_point(const PanZoom *m, Rect area, Vec2 point) {
    return (Vec2){area.x + m->at.x * area.w + (point.x - area.x) * zoom_of(m),
                  area.y + m->at.y * area.h + (point.y - area.y) * zoom_of(m)};
}
