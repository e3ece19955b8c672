#include "app/hall.h"

#include <math.h>

/* Lengths as shares of the stage's height. */
#define WIDTH  0.006f
#define DOT    0.012f /* diameter of the laser's dot */
#define NEAR   0.001f /* closer points become one */
#define PEN    0xE5484DFFu
#define LASER  0xFF2020FFu
#define HALO   0xFF202060u
#define CASING 0xFFFFFFFFu

bool pen_has_pointer(const App *app) {
    return app->tour.pen.is_on || app->tour.pen.has_laser;
}

bool pen_keys(App *app) {
    AppPen *pen = &app->tour.pen;
    Ui *ui = &app->ui;
    bool has_pen = ui_key(ui, 'p', 0), has_laser = ui_key(ui, 'j', 0), erases = ui_key(ui, 'e', 0);
    if (has_pen)
        pen->is_on = !pen->is_on;
    if (has_laser)
        pen->has_laser = !pen->has_laser;
    pen->is_on = pen->is_on && !has_laser;
    pen->has_laser = pen->has_laser && !has_pen;
    pen->is_down = pen->is_down && pen->is_on;
    pen->count = erases ? 0 : pen->count;
    return has_pen || has_laser || erases;
}

void pen_forget(App *app) {
    AppPen *pen = &app->tour.pen;
    pen->is_on = pen->is_down = pen->has_laser = false;
    pen->count = 0;
}

static void add(AppPen *pen, Vec2 at, bool begins) {
    Vec2 was = pen->count > 0 ? pen->points[pen->count - 1].at : at;
    bool is_near = !begins && hypotf(at.x - was.x, at.y - was.y) < NEAR;
    if (is_near || pen->count == PEN_POINTS_MAX)
        return;
    pen->points[pen->count].at = at;
    pen->points[pen->count++].begins = begins;
}

bool pen_take(App *app) {
    AppPen *pen = &app->tour.pen;
    Ui *ui = &app->ui;
    /* The pointer's position on the unzoomed stage, in shares of its height. */
    float closer = fmaxf(app->tour.hall.closer, 1) * ui->list->height;
    Vec2 at = {(app->tour.hall.pointer.x - app->tour.hall.shift.x) / closer,
               (app->tour.hall.pointer.y - app->tour.hall.shift.y) / closer};
    const InputEvent *event;
    if (!pen->is_on)
        return false;
    while ((event = ui_take(ui, INPUT_BUTTON_DOWN)) != NULL)
        if (event->button == POINTER_LEFT) {
            pen->is_down = true;
            add(pen, at, true);
        }
    if (pen->is_down)
        add(pen, at, false);
    while ((event = ui_take(ui, INPUT_BUTTON_UP)) != NULL)
        pen->is_down = pen->is_down && event->button != POINTER_LEFT;
    return true;
}

static void dot_draw(DrawList *list, Vec2 at, float radius, Colour colour) {
    draw_fill(list, (Rect){at.x - radius, at.y - radius, 2 * radius, 2 * radius}, radius, colour);
}

static void strokes_draw(const App *app, float width, Colour colour) {
    const AppPen *pen = &app->tour.pen;
    const AppHall *hall = &app->tour.hall;
    DrawList *list = app->ui.list;
    float closer = fmaxf(hall->closer, 1) * list->height;
    Vec2 last = {0};
    for (int i = 0; i < pen->count; i++) {
        Vec2 at = {hall->shift.x + pen->points[i].at.x * closer,
                   hall->shift.y + pen->points[i].at.y * closer};
        if (!pen->points[i].begins)
            draw_line(list, last, at, width, colour);
        dot_draw(list, at, width / 2, colour);
        last = at;
    }
}

void pen_draw(App *app, Rect stage) {
    const AppPen *pen = &app->tour.pen;
    DrawList *list = app->ui.list;
    Vec2 at = app->tour.hall.pointer;
    float h = list->height;
    Rect clip = draw_clip(list, stage);
    strokes_draw(app, 1.6f * WIDTH * h, CASING);
    strokes_draw(app, WIDTH * h, PEN);
    if (pen_has_pointer(app) && app->ui.input->pointer_inside) {
        if (pen->has_laser)
            dot_draw(list, at, 2 * DOT * h, HALO);
        dot_draw(list, at, (pen->has_laser ? DOT : WIDTH / 2) * h, pen->has_laser ? LASER : PEN);
    }
    draw_clip_restore(list, clip);
}
