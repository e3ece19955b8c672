#include "app/film_marks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/lecture.h"
#include "app/tour.h"
#include "base/utf8.h"
#include "draw/part.h"

#define WAY_LEAST_S 0.35
#define WAY_MOST_S  0.7
#define RING_S      0.35
#define RING_R      0.7f   /* radius of a click's ring, as a multiple of the pointer's height */
#define MOVED       0.001f /* share of the window: if the target moves by less, the pointer stays */
#define CAP_W       300
#define CAP_H       72
#define CAP_AWAY    72 /* px between the key's picture and the window's lower edge */

void film_marks_begin(App *app, float pointer_px, bool has_keys) {
    app->marks = (AppMarks){.pointer_px = pointer_px,
                            .has_keys = has_keys,
                            .click_s = INFINITY,
                            .next_step_s = INFINITY,
                            .due_s = INFINITY};
}

void film_marks_expect(App *app, double next_step_s) {
    app->marks.next_step_s = next_step_s;
}

/* Find the place of a pin on screen. Try in this order: its cell in the chosen head's matrix, its
 * query in the graph, its cell in any (T, T) matrix. Return false if none of them is shown. */
static bool pin_place(Rect *out, const App *app, OptionPair pin) {
    const DrawList *list = app->ui.list;
    const char *matrix = PRINT("heads.matrix.%d", app->session.options.head),
               *cell = PRINT("cell(%d,%d)", pin.first, pin.second),
               *token = PRINT("token(%d)", pin.first);
    const DrawPart *part = part_find(list, matrix, strlen(matrix));
    if (part != NULL && part_address(out, list, part, cell, strlen(cell)))
        return true;
    part = part_find(list, "graph.picture", strlen("graph.picture"));
    if (part != NULL && part_address(out, list, part, token, strlen(token)))
        return true;
    for (size_t i = 0; i < list->part_count; i++)
        if (list->parts[i].rows == app->run.T && list->parts[i].cols == app->run.T &&
            part_address(out, list, &list->parts[i], cell, strlen(cell)))
            return true;
    return false;
}

void film_marks_expect_pin(App *app, OptionPair pin, double at_s) {
    app->marks.due = pin;
    app->marks.due_s = at_s;
}

/* Return the pin in a state string. If there are several, the last counts. */
static OptionPair pin_of(const char *state) {
    OptionPair pin = {0, 0};
    for (const char *at = state; at != NULL; at = strchr(at, '&')) {
        at += *at == '&';
        if (strncmp(at, "pin=", 4) == 0 && sscanf(at + 4, "%d,%d", &pin.first, &pin.second) != 2)
            pin = (OptionPair){0, 0};
    }
    return pin;
}

static OptionPair pin_soon(App *app) {
    const AppTour *t = &app->tour;
    const AppMarks *m = &app->marks;
    double soon_s = app->time_s + FILM_AHEAD_S, now_s = app->time_s - t->since_s;
    bool is_next = soon_s >= m->next_step_s && t->step + 1 < t->tour.step_count;
    TextOut state = {0};
    double cue_s = t->since_s + tour_at(&state, &t->tour, t->step, fmax(now_s, 0)).next_s;
    double due_s = fmin(cue_s, m->next_step_s) - FILM_AHEAD_S;
    if (due_s > app->time_s)
        ui_wake(&app->ui, due_s);
    text_out_reset(&state);
    tour_at(&state, &t->tour, t->step + is_next, soon_s - (is_next ? m->next_step_s : t->since_s));
    OptionPair pin = pin_of(state.at);
    text_out_release(&state);
    return pin;
}

static bool target_of(Rect *out, OptionPair *pin, App *app) {
    const char *missing, *light = tour_is_on(app) ? tour_moment(app).light : NULL;
    const AppMarks *m = &app->marks;
    bool is_due = app->time_s >= m->due_s - FILM_AHEAD_S && app->time_s < m->due_s;
    OptionPair soon = tour_is_on(app) ? pin_soon(app) : is_due ? m->due : *pin;
    if (app->time_s < m->due_s - FILM_AHEAD_S)
        ui_wake(&app->ui, m->due_s - FILM_AHEAD_S);
    if (soon.first > 0 && pin_place(out, app, soon)) {
        *pin = soon;
        return true;
    }
    if (pin->first > 0 && pin_place(out, app, *pin))
        return true;
    return light != NULL && tour_places(out, 1, app->ui.list, light, &missing) == 1;
}

/* Return the pointer's position. It moves like a hand, with minimum jerk (Flash and Hogan 1985). */
static Vec2 pointer_at(const AppMarks *m, double time_s) {
    float t = m->over_s > 0 ? (float)((time_s - m->since_s) / m->over_s) : 1;
    t = fminf(fmaxf(t, 0), 1);
    float way = t * t * t * (10 - 15 * t + 6 * t * t);
    return vec2_between(m->from, m->to, way);
}

static void aim(App *app) {
    AppMarks *m = &app->marks;
    OptionPair now = app->session.options.pin, pin = now;
    const DrawList *list = app->ui.list;
    Rect place;
    if (!target_of(&place, &pin, app))
        return;
    Vec2 middle = rect_centre(place), to = {middle.x / list->width, middle.y / list->height};
    float distance = hypotf(to.x - m->to.x, to.y - m->to.y);
    if (m->is_shown && distance < MOVED && option_pair_equal(&pin, &m->pin))
        return;
    bool is_new = !m->is_shown || m->shown_s == app->time_s;
    m->shown_s = is_new ? app->time_s : m->shown_s;
    m->from = is_new ? to : pointer_at(m, app->time_s);
    m->to = to;
    m->since_s = app->time_s;
    m->over_s = is_new || app->ui.reduced_motion
                    ? 0
                    : fmin(WAY_LEAST_S + (double)distance * (WAY_MOST_S - WAY_LEAST_S), WAY_MOST_S);
    if (!option_pair_equal(&pin, &now))
        m->click_s = app->time_s + FILM_AHEAD_S;
    m->pin = pin;
    m->is_shown = true;
}

/* Draw an arrow of two triangles with its tip at a point. The pointer is a white arrow over a
 * larger black one, its outline. */
static void arrow_draw(DrawList *list, Vec2 at, float size, Colour colour) {
    Vec2 tip = at, left = {at.x, at.y + size}, notch = {at.x + 0.27f * size, at.y + 0.74f * size},
         right = {at.x + 0.7f * size, at.y + 0.7f * size};
    draw_fill_triangle(list, tip, left, notch, colour);
    draw_fill_triangle(list, tip, notch, right, colour);
}

static void pointer_draw(App *app) {
    AppMarks *m = &app->marks;
    Ui *ui = &app->ui;
    DrawList *list = ui->list;
    float size = m->pointer_px / list->scale, edge = size * 0.09f;
    Vec2 share = pointer_at(m, app->time_s), at = {share.x * list->width, share.y * list->height};
    float ring = (float)((app->time_s - m->click_s) / RING_S);
    if (ring >= 0 && ring < 1) {
        float r = size * RING_R * (0.3f + 0.7f * ring);
        draw_disc(list, at, r, COLOUR_CLEAR, size * 0.08f, colour_fade(ui->theme->beam, 1 - ring));
    }
    arrow_draw(list, (Vec2){at.x - edge, at.y - 2 * edge}, size + 4 * edge, 0x000000FFu);
    arrow_draw(list, at, size, 0xFFFFFFFFu);
    if (app->time_s < m->since_s + m->over_s || (ring >= 0 && ring < 1))
        ui_wake(ui, app->time_s);
    else if (ring < 0 && isfinite(m->click_s))
        ui_wake(ui, m->click_s);
}

void film_marks_draw(App *app) {
    AppMarks *m = &app->marks;
    UiPlace below = ui_raise(&app->ui, UI_LAYER_TIP);
    if (m->pointer_px > 0)
        aim(app);
    if (m->is_shown)
        pointer_draw(app);
    if (m->has_keys && !app->lecture.is_on) {
        Rect window = app->layout.window;
        caption_key_draw(app,
                         (Rect){(window.w - CAP_W) / 2, window.h - CAP_AWAY - CAP_H, CAP_W, CAP_H});
    }
    ui_lower(&app->ui, below);
}
