#include "app/console.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/hall.h"
#include "base/utf8.h"
#include "ui/text.h"

#define WIDTH      1440.0f
#define HEIGHT     900.0f
#define TOP_H      76
#define FOOT_H     52
#define PAD        24
#define LEFT_SHARE 0.6f
#define STATE_H    40
#define ROW_H      35
#define ROWS_ABOVE 2 /* rows of the list above the current step */
#define WAIT_S     0.05
#define ON_TIME_S  60

static const DrawList *next_picture(Console *c, App *app, const DrawList *hall) {
    int next = app->tour.step + 1;
    StepPictureLook look = {hall->width * hall->scale, hall->height * hall->scale, true};
    if (next >= app->tour.tour.step_count)
        return NULL;
    const DrawList *picture = step_picture_find(&c->pictures, app, next, &look);
    if (picture == NULL) {
        step_picture_make(&c->pictures, app, next, &look);
        ui_wake(&c->ui, app->time_s + WAIT_S);
    }
    return picture;
}

/* Return the planned seconds of a step: the time at the end of its note, such as "(2 min)", or else
 * the step's own length. */
static double plan_s(const Tour *tour, int step) {
    const char *note = tour->steps[step].note, *at = note != NULL ? strrchr(note, '(') : NULL;
    double minutes = at != NULL && strstr(at, " min)") != NULL ? strtod(at + 1, NULL) : 0;
    return minutes > 0 && minutes < 1000 ? minutes * 60 : tour_seconds(tour, step);
}

/* Return the seconds from the start of the talk to the planned start of this step. If the talk has
 * a limit, the planned times of the steps are scaled to it. */
static double planned_until(const AppTour *t, int step) {
    double until = 0, all = 0;
    for (int i = 0; i < t->tour.step_count; i++) {
        all += plan_s(&t->tour, i);
        until += i < step ? plan_s(&t->tour, i) : 0;
    }
    return t->minutes > 0 && all > 0 ? until / all * t->minutes * 60 : until;
}

static void top_draw(Console *c, const App *app, Rect top, const char *clock) {
    const AppTour *t = &app->tour;
    Ui *ui = &c->ui;
    const Theme *theme = ui->theme;
    char time[24];
    double elapsed = app->time_s - t->presented_s, all = t->minutes * 60.0;
    draw_fill(ui->list, top, 0, theme->chrome);
    Rect line = {top.x, rect_bottom(top) - 4, top.w, 4};
    draw_fill(ui->list, line, 0, theme->hair);
    if (all > 0) {
        line.w *= (float)fmin(elapsed / all, 1);
        draw_fill(ui->list, line, 0, elapsed > all ? theme->warn : theme->beam);
    }
    Rect rest = rect_inset(top, PAD, 0);
    text_in(ui, rest, TEXT_NUMBER | TEXT_PX(38), "%s", clock);
    text_in(ui, rest, TEXT_STRONG | TEXT_CENTRE | TEXT_PX(34), "%d of %d", t->step + 1,
            t->tour.step_count);
    presenter_time(time, sizeof time, all > 0 ? all - elapsed : elapsed);
    text_right(ui, &rest, TEXT_BODY, all > 0 ? "left of %d:00" : "elapsed", t->minutes);
    text_right(ui, &rest, TEXT_NUMBER | TEXT_PX(38), "%s", time);
    rect_cut_right(&rest, 14);
    double from = planned_until(t, t->step), to = planned_until(t, t->step + 1);
    double behind = elapsed > to ? elapsed - to : elapsed < from ? elapsed - from : 0;
    if (all <= 0)
        return;
    const char *words = fabs(behind) < ON_TIME_S ? "on time"
                                                 : PRINT("%.0f min %s", fabs(behind) / 60,
                                                         behind > 0 ? "behind" : "ahead");
    text_right(ui, &rest, TEXT_STRONG | (behind >= ON_TIME_S ? TEXT_WARN : TEXT_GOOD), "%s", words);
}

/* Write what the next press does: show a cue and its number, or go to the next step. */
static void cues_text(const App *app, char *out, size_t capacity) {
    const AppTour *t = &app->tour;
    const TourStep *step = app_tour_step(app);
    int shown = 0, all = 0;
    double last = 0;
    for (int i = step->cue; i < step->cue + step->cue_count; i++) {
        double at = t->tour.cues[i].at_s;
        if (at <= 0 || at == last)
            continue;
        last = at;
        all++;
        shown += at < t->limit_s;
    }
    if (all > shown)
        snprintf(out, capacity, "next press: cue %d of %d", shown + 1, all);
    else if (t->step + 1 < t->tour.step_count)
        snprintf(out, capacity, "next press: step %d", t->step + 2);
    else
        snprintf(out, capacity, "the last step");
}

static void stage_draw(Console *c, const App *app, Rect place, const DrawList *hall) {
    const AppTour *t = &app->tour;
    Ui *ui = &c->ui;
    const Theme *theme = ui->theme;
    char words[48];
    Rect state = rect_cut_bottom(&place, STATE_H);
    rect_cut_bottom(&place, 14);
    /* the last command draws the cover */
    bool is_covered = t->cover != PRESENT_STAGE;
    size_t count = hall->command_count - (is_covered && hall->command_count > 0);
    c->camera = step_picture_draw(ui, rect_inset(place, 4, 4), hall, count);
    c->hall_scale = hall->scale;
    Rect frame = camera_rect(&c->camera, (Rect){0, 0, hall->width, hall->height});
    Colour colour = t->is_frozen ? theme->beam : is_covered ? theme->warn : theme->ok;
    draw_ring(ui->list, rect_inset(frame, -4, -4), 4, 4, colour);
    const char *name = t->is_frozen                ? "Hall frozen"
                       : t->cover == PRESENT_BLACK ? "Hall is black"
                       : t->cover == PRESENT_WHITE ? "Hall is white"
                                                   : "In the hall";
    LabelStyle style = {FONT_SANS_BOLD, 20, theme->canvas, LABEL_CENTRE};
    state.y = rect_bottom(frame) + 14;
    Rect chip = rect_cut_left(&state, 160);
    draw_fill(ui->list, chip, 8, colour);
    label_draw(ui, chip, &style, name);
    rect_cut_left(&state, 20);
    cues_text(app, words, sizeof words);
    text_right(ui, &state, TEXT_BODY, "%s", words);
    if (t->is_detour)
        text_left(ui, &state, TEXT_STRONG | TEXT_WARN, "Detour: Enter returns");
}

static void notes_draw(Console *c, const App *app, Rect place) {
    const TourStep *step = app_tour_step(app);
    Ui *ui = &c->ui;
    Rect clip = draw_clip(ui->list, place);
    text_line(ui, &place, TEXT_BODY, "Notes");
    text_wrap(ui, &place, TEXT_BODY | TEXT_BRIGHT | TEXT_PX(22),
              step->note != NULL ? step->note : "No notes for this step.");
    draw_clip_restore(ui->list, clip);
}

static void next_draw(Console *c, App *app, const DrawList *hall, Rect *rest) {
    const AppTour *t = &app->tour;
    Ui *ui = &c->ui;
    Rect line = rect_cut_top(rest, 36);
    bool is_last = t->step + 1 >= t->tour.step_count;
    text_left(ui, &line, TEXT_BODY, "Next");
    text_in(ui, line, TEXT_HEADING | TEXT_PLAIN, "%s",
            is_last ? "nothing: the tour ends" : t->tour.steps[t->step + 1].title);
    Rect place = rect_cut_top(rest, fminf(rest->w * 9 / 16, rest->h * 0.45f));
    rect_cut_top(rest, 16);
    draw_fill(ui->list, place, 0, ui->theme->chrome);
    const DrawList *picture = next_picture(c, app, hall);
    if (picture != NULL)
        step_picture_draw(ui, place, picture, picture->command_count);
}

static void steps_draw(Console *c, const App *app, Rect rest) {
    const AppTour *t = &app->tour;
    Ui *ui = &c->ui;
    int fit = (int)(rest.h / ROW_H), count = t->tour.step_count;
    int first = t->step - ROWS_ABOVE > count - fit ? count - fit : t->step - ROWS_ABOVE;
    for (int i = first > 0 ? first : 0; i < count && rest.h >= ROW_H; i++) {
        char time[24];
        bool is_now = i == t->step;
        Rect row = rect_cut_top(&rest, ROW_H), words = rect_inset(row, 10, 0);
        unsigned dim = i < t->step ? TEXT_FAINT : TEXT_BRIGHT;
        if (is_now)
            draw_fill(ui->list, row, 6, ui->theme->hover);
        presenter_time(time, sizeof time, plan_s(&t->tour, i));
        Rect number = rect_cut_left(&words, 40);
        text_in(ui, number, TEXT_NUMBER | dim, "%d", i + 1);
        if (i >= t->step)
            text_right(ui, &words, TEXT_NUMBER, "%s", time);
        text_in(ui, words, (is_now ? TEXT_STRONG : TEXT_BODY | dim) | TEXT_PLAIN, "%s",
                t->tour.steps[i].title);
    }
}

static void keys_draw(Console *c, Rect foot) {
    static const struct {
        const char *key, *does;
    } KEYS[] = {{"PgDn", "next"}, {"PgUp", "back"},
                {"G", "go to"},   {"B", "black"},
                {"Z", "freeze"},  {"H", "spotlight"},
                {"J", "laser"},   {"P", "pen"},
                {"E", "erase"},   {"Enter", "back from a detour"}};
    Ui *ui = &c->ui;
    draw_fill(ui->list, foot, 0, ui->theme->chrome);
    Rect rest = rect_inset(foot, PAD, 0);
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++) {
        text_left(ui, &rest, TEXT_STRONG | TEXT_PLAIN, "%s", KEYS[i].key);
        text_left(ui, &rest, TEXT_BODY, "%s", KEYS[i].does);
        rect_cut_left(&rest, 16);
    }
}

static void begin(Console *c, App *app, const ConsoleSize *size, const Input *input,
                  DrawList *out) {
    c->scale = fminf(size->width_px / WIDTH, size->height_px / HEIGHT);
    draw_begin(out, size->width_px / c->scale, size->height_px / c->scale, c->scale,
               THEMES[THEME_DARK].canvas);
    c->ui.input = input;
    c->ui.list = out;
    c->ui.theme = &THEMES[THEME_DARK];
    c->ui.measure = app->resources.measure;
    c->ui.time_s = app->time_s;
    c->ui.first_pass = c->ui.is_plain = c->ui.reduced_motion = true;
    ui_begin(&c->ui);
}

void console_frame(Console *c, App *app, const DrawList *hall, const ConsoleSize *size,
                   DrawList *out) {
    const AppTour *t = &app->tour;
    Input input = {.width_px = size->width_px, .height_px = size->height_px};
    begin(c, app, size, &input, out);
    Rect rest = {0, 0, out->width, out->height};
    top_draw(c, app, rect_cut_top(&rest, TOP_H), size->clock);
    keys_draw(c, rect_cut_bottom(&rest, FOOT_H));
    rest = rect_inset(rest, PAD, 20);
    Rect left = rect_cut_left(&rest, rest.w * LEFT_SHARE);
    rect_cut_left(&rest, PAD);
    float stage_h = fminf((left.w - 8) * hall->height / hall->width + 8, left.h * 0.66f);
    stage_draw(c, app, rect_cut_top(&left, stage_h + STATE_H + 14), hall);
    rect_cut_top(&left, 16);
    notes_draw(c, app, left);
    next_draw(c, app, hall, &rest);
    steps_draw(c, app, rest);
    ui_wake(&c->ui, t->presented_s + floor(app->time_s - t->presented_s) + 1);
    c->next_frame_s = c->ui.next_time_s;
    draw_end(out);
}

Vec2 console_point(const Console *c, Vec2 px) {
    float zoom = c->camera.zoom > 0 ? c->camera.zoom : 1;
    Vec2 at = {(px.x / c->scale - c->camera.at.x) / zoom,
               (px.y / c->scale - c->camera.at.y) / zoom};
    return (Vec2){at.x * c->hall_scale, at.y * c->hall_scale};
}

void console_release(Console *c) {
    step_pictures_release(&c->pictures);
    *c = (Console){.scale = 0};
}
