#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/hall.h"
#include "app/tour.h"
#include "base/utf8.h"

#define SPOT_R     0.14f /* radius of the spotlight, as a share of the stage's height */
#define SPOT_STEP  1.15f
#define ZOOM_STEP  1.25f
#define SPOT_VEIL  0.62f
#define NOTES_H    0.34f
#define NOTES_SIZE 0.032f
/* Shares of the window's height: the width of a stroke, the diameter of the laser's dot, and the
 * least distance of two points of a stroke. */
#define PEN_W  0.006f
#define DOT    0.012f
#define NEAR   0.001f
#define PEN    0xE5484DFFu
#define LASER  0xFF2020FFu
#define HALO   0xFF202060u
#define CASING 0xFFFFFFFFu

bool pen_has_pointer(const App *app) {
    return app->tour.pen.is_on || app->tour.pen.has_laser;
}

/* Handle the keys of the pen (P), the laser (J) and the eraser (E). Return true if one was pressed.
 */
static bool pen_keys(App *app) {
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

static void pen_forget(App *app) {
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

/* Add to the pen's strokes. These stay until Escape, the eraser's key or the next step, and move
 * with the presenter's zoom. */
static void pen_take(App *app) {
    AppPen *pen = &app->tour.pen;
    Ui *ui = &app->ui;
    /* The pointer's position on the unzoomed stage, in shares of the window's height. */
    float closer = fmaxf(app->tour.hall.closer, 1) * ui->list->height;
    Vec2 at = {(app->tour.hall.pointer.x - app->tour.hall.shift.x) / closer,
               (app->tour.hall.pointer.y - app->tour.hall.shift.y) / closer};
    const InputEvent *event;
    if (!pen->is_on)
        return;
    while ((event = ui_take(ui, INPUT_BUTTON_DOWN)) != NULL)
        if (event->button == POINTER_LEFT) {
            pen->is_down = true;
            add(pen, at, true);
        }
    if (pen->is_down)
        add(pen, at, false);
    while ((event = ui_take(ui, INPUT_BUTTON_UP)) != NULL)
        pen->is_down = pen->is_down && event->button != POINTER_LEFT;
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
        draw_disc(list, at, width / 2, colour, 0, 0);
        last = at;
    }
}

static void pen_draw(App *app, Rect stage) {
    const AppPen *pen = &app->tour.pen;
    DrawList *list = app->ui.list;
    Vec2 at = app->tour.hall.pointer;
    float h = list->height;
    Rect clip = draw_clip(list, stage);
    strokes_draw(app, 1.6f * PEN_W * h, CASING);
    strokes_draw(app, PEN_W * h, PEN);
    if (pen_has_pointer(app) && app->ui.input->pointer_inside) {
        if (pen->has_laser)
            draw_disc(list, at, 2 * DOT * h, HALO, 0, 0);
        draw_disc(list, at, (pen->has_laser ? DOT : PEN_W / 2) * h, pen->has_laser ? LASER : PEN, 0,
                  0);
    }
    draw_clip_restore(list, clip);
}

bool presenter_begin(App *app, const char *from, int minutes, Err *err) {
    AppTour *t = &app->tour;
    int step = from != NULL ? tour_find(&t->tour, from, strlen(from)) : t->step;
    if (!tour_is_on(app))
        return err_fail(err, "present", "no tour is open; open one with headlight tour FILE");
    if (step < 0)
        return err_usage(err, from, "no step has this id; run headlight tour FILE --list");
    t->is_presented = true;
    t->minutes = minutes;
    t->presented_s = -1; /* no time is known here; the first frame sets it */
    t->before_jump = t->typed = -1;
    t->spot_r = SPOT_R;
    t->has_console = t->displays > 1;
    t->is_frozen = false;
    pen_forget(app);
    tour_go(app, step);
    return true;
}

void presenter_displays(App *app, int count) {
    app->tour.displays = count;
}

/* Closing the console also unfreezes the hall, because otherwise it could stay frozen unnoticed. */
void presenter_close_console(App *app) {
    app->tour.has_console = app->tour.is_frozen = false;
}

void presenter_toggle(App *app, int unused) {
    (void)unused;
    Err err;
    AppTour *t = &app->tour;
    tour_editor_commit(app);
    lecture_leave(app);
    if (t->is_presented) {
        t->is_presented = t->has_spot = t->has_notes = false;
        t->cover = PRESENT_STAGE;
        tour_go(app, t->step);
    } else {
        app_told(app, presenter_begin(app, NULL, t->minutes, &err), &err);
    }
}

static void jump(App *app, int step) {
    AppTour *t = &app->tour;
    int last = t->tour.step_count - 1;
    t->before_jump = t->step;
    tour_go(app, step < 0 ? 0 : step > last ? last : step);
}

static bool number_keys(App *app) {
    AppTour *t = &app->tour;
    Ui *ui = &app->ui;
    int was = t->typed;
    bool used = ui_key(ui, 'g', 0);
    t->typed = used ? 0 : t->typed;
    for (uint32_t digit = 0; digit < 10 && t->typed >= 0; digit++)
        if (ui_key(ui, '0' + digit, 0)) {
            t->typed = t->typed < TOUR_STEPS_MAX ? t->typed * 10 + (int)digit : t->typed;
            used = true;
        }
    bool goes = t->typed >= 0 && ui_key(ui, KEY_ENTER, 0);
    if (goes)
        jump(app, t->typed - 1);
    if (goes || (t->typed >= 0 && ui_key(ui, KEY_ESCAPE, 0)))
        t->typed = -1;
    return used || (was >= 0 && t->typed < 0);
}

static bool cover_keys(App *app) {
    AppTour *t = &app->tour;
    Ui *ui = &app->ui;
    PresentCover was = t->cover;
    if (ui_key(ui, 'b', 0) || ui_key(ui, '.', 0))
        t->cover = was == PRESENT_BLACK ? PRESENT_STAGE : PRESENT_BLACK;
    if (ui_key(ui, 'w', 0) || ui_key(ui, ',', 0))
        t->cover = was == PRESENT_WHITE ? PRESENT_STAGE : PRESENT_WHITE;
    return was != t->cover;
}

static bool move_keys(App *app) {
    AppTour *t = &app->tour;
    Ui *ui = &app->ui;
    const TourStep *step = app_tour_step(app);
    uint32_t key;
    unsigned mods;
    bool branches = step->branch_id != NULL &&
                    key_read(&key, &mods, step->branch_key, strlen(step->branch_key));
    if (branches && ui_key(ui, key, mods))
        jump(app, tour_find(&t->tour, step->branch_id, strlen(step->branch_id)));
    else if (ui_key(ui, KEY_PAGE_DOWN, 0))
        tour_next(app);
    else if (ui_key(ui, KEY_PAGE_UP, 0))
        tour_back(app);
    else if (ui_key(ui, KEY_HOME, 0))
        jump(app, 0);
    else if (ui_key(ui, KEY_END, 0))
        jump(app, t->tour.step_count - 1);
    else if (t->is_detour && ui_key(ui, KEY_ENTER, 0))
        tour_go(app, t->step);
    else if (t->before_jump >= 0 && ui_key(ui, KEY_BACKSPACE, 0))
        jump(app, t->before_jump);
    else
        return false;
    return true;
}

static bool own_keys(App *app) {
    AppTour *t = &app->tour;
    Ui *ui = &app->ui;
    bool has_window = t->displays > 1 || t->has_console;
    bool notes = ui_key(ui, 'n', 0), window = ui_key(ui, 'n', KEY_MOD_SHIFT);
    bool freezes = ui_key(ui, 'z', 0);
    if (freezes) {
        t->is_frozen = !t->is_frozen;
        t->has_console |= t->is_frozen;
    }
    if (window || (notes && has_window))
        t->has_console = !t->has_console;
    else if (notes)
        t->has_notes = !t->has_notes;
    t->is_frozen = t->is_frozen && t->has_console;
    return notes || window || freezes;
}

static void keys(App *app) {
    AppTour *t = &app->tour;
    Ui *ui = &app->ui;
    t->presented_s = t->presented_s < 0 ? app->time_s : t->presented_s;
    if (!hall_is_on(app) || ui->wants_text || app->sheet != SHEET_NONE)
        return;
    bool used =
        number_keys(app) || cover_keys(app) || move_keys(app) || own_keys(app) || pen_keys(app);
    if (ui_key(ui, 'h', 0)) {
        t->has_spot = !t->has_spot;
        used = true;
    }
    if (!used && ui_key(ui, KEY_ESCAPE, 0)) {
        /* Remove the cover, the spotlight, the pen or laser, and the strokes. If there are none,
         * stop presenting. */
        if (t->cover == PRESENT_STAGE && !t->has_spot && !pen_has_pointer(app) && t->pen.count == 0)
            app_do(app, presenter_toggle, 0);
        t->has_spot = false;
        t->cover = PRESENT_STAGE;
        pen_forget(app);
    }
    bool zooms = (ui->input->mods & KEY_MOD_COMMAND) != 0;
    float notches = 0;
    const InputEvent *wheel;
    while ((zooms || t->has_spot) && (wheel = ui_take(ui, INPUT_WHEEL)) != NULL)
        notches += wheel->wheel.y;
    if (zooms && notches != 0)
        hall_zoom(app, powf(ZOOM_STEP, notches), t->hall.pointer);
    if (ui_key(ui, '0', KEY_MOD_COMMAND))
        hall_zoom(app, 0, (Vec2){0, 0});
    notches = zooms ? 0 : notches;
    t->spot_r = fminf(fmaxf(t->spot_r * powf(SPOT_STEP, notches), 0.03f), 0.6f);
    ui->again |= used;
}

void presenter_keys(App *app) {
    keys(app);
    pen_take(app);
}

/* Dim the stage except a circle around the pointer: draw a ring that reaches beyond the stage. */
static void spot_draw(App *app, Rect stage) {
    Ui *ui = &app->ui;
    Vec2 at = app->tour.hall.pointer;
    float radius = app->tour.spot_r * stage.h, width = stage.w + stage.h;
    if (!ui->pointer_inside)
        return;
    draw_disc(ui->list, at, radius + width, COLOUR_CLEAR, width,
              colour_fade(0x000000FFu, SPOT_VEIL));
    draw_disc(ui->list, at, radius, COLOUR_CLEAR, 0.004f * stage.h, ui->theme->beam);
}

void presenter_time(char *out, size_t capacity, double seconds) {
    int whole = (int)fabs(seconds);
    snprintf(out, capacity, "%s%d:%02d", seconds < 0 ? "−" : "", whole / 60, whole % 60);
}

/* Draw the notes over the stage, for a presenter who has no window of notes. */
static void notes_draw(App *app, Rect stage) {
    AppTour *t = &app->tour;
    Ui *ui = &app->ui;
    char time[24], left[24];
    int seconds = (int)(app->time_s - t->presented_s);
    const TourStep *step = app_tour_step(app);
    Rect panel = rect_cut_bottom(&stage, stage.h * NOTES_H);
    float size = NOTES_SIZE * ui->list->height, pad = size * 0.8f;
    draw_fill(ui->list, panel, 0, 0x101318F2u);
    Rect rest = rect_inset(panel, 2 * pad, pad), line = rect_cut_top(&rest, size * LABEL_LINE);
    presenter_time(time, sizeof time, seconds);
    presenter_time(left, sizeof left, t->minutes * 60 - seconds);
    LabelStyle style = {FONT_MONO, size, 0xFFE08AFFu, LABEL_LEFT};
    label_draw(ui, line, &style, PRINT("%d of %d", t->step + 1, t->tour.step_count));
    style.align = LABEL_RIGHT;
    label_draw(ui, line, &style, t->minutes > 0 ? PRINT("%s, %s left", time, left) : time);
    style = (LabelStyle){FONT_SANS, size, 0xF2F4F7FFu, LABEL_LEFT};
    rect_cut_top(&rest, size * 0.3f);
    rect_cut_top(&rest,
                 label_wrap(ui, rest, &style, step->note != NULL ? step->note : "No notes."));
    if (t->step + 1 < t->tour.step_count && rest.h > size * LABEL_LINE) {
        style.colour = 0xA3ACB8FFu;
        const char *next = isfinite(t->limit_s) ? "the next cue" : t->tour.steps[t->step + 1].title;
        label_draw(ui, rect_cut_bottom(&rest, size * LABEL_LINE), &style, PRINT("Next: %s", next));
    }
    ui_wake(ui, floor(app->time_s - t->presented_s) + 1 + t->presented_s);
}

void presenter_draw(App *app, Rect stage) {
    AppTour *t = &app->tour;
    Rect window = app->layout.window;
    if (t->has_spot)
        spot_draw(app, stage);
    pen_draw(app, stage);
    if (t->has_notes && !t->has_console)
        notes_draw(app, stage);
    if (t->typed >= 0) {
        const char *words = t->typed > 0 ? PRINT("Step %d", t->typed) : "Step …";
        LabelStyle style = {FONT_MONO_BOLD, 0.05f * window.h, app->ui.theme->text_1, LABEL_CENTRE};
        Rect place = {window.w * 0.38f, window.h * 0.4f, window.w * 0.24f, window.h * 0.12f};
        draw_fill(app->ui.list, place, 12, app->ui.theme->raised);
        label_draw(&app->ui, place, &style, words);
    }
    /* The cover must be the last command, because console.c leaves out the last command. */
    app->ui.list->layer = UI_LAYER_TIP;
    if (t->cover != PRESENT_STAGE)
        draw_fill(app->ui.list, window, 0, t->cover == PRESENT_BLACK ? 0x000000FFu : 0xFFFFFFFFu);
    app->ui.list->layer = UI_LAYER_BASE;
}
