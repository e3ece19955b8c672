#include "ui/pan_zoom.h"

#include <math.h>

#define NOTCH    1.25f
#define PAN_FROM 4 /* px that the pointer moves before a press becomes a drag */

bool pan_zoom(Ui *ui, UiId id, UiState state, Rect area, float most, PanZoom *m) {
    unsigned mods = 0;
    PanZoom was = *m;
    float notches = ui_wheel(ui, id, area, &mods).y, before = fmaxf(m->zoom, 1);
    m->zoom = fmaxf(fminf(before * powf(NOTCH, notches), most), 1);
    Vec2 under = {ui->pointer.x - area.x, ui->pointer.y - area.y};
    m->at.x = under.x - (under.x - m->at.x) * m->zoom / before;
    m->at.y = under.y - (under.y - m->at.y) * m->zoom / before;
    if (state.pressed) {
        m->moves = false;
    } else if (state.held) {
        m->moves |=
            hypotf(ui->pointer.x - ui->press_at.x, ui->pointer.y - ui->press_at.y) > PAN_FROM;
        m->at.x += m->moves ? ui->pointer.x - m->from.x : 0;
        m->at.y += m->moves ? ui->pointer.y - m->from.y : 0;
    }
    m->from = ui->pointer;
    m->at.x = fmaxf(fminf(m->at.x, 0), area.w * (1 - m->zoom));
    m->at.y = fmaxf(fminf(m->at.y, 0), area.h * (1 - m->zoom));
    ui->again |= m->zoom != before || m->at.x != was.at.x || m->at.y != was.at.y;
    return m->moves && m->zoom > 1 && (state.held || state.clicked);
}
