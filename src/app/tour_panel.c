#include "app/tour.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/chrome.h"
#include "app/desk.h"
#include "base/number.h"
#include "draw/part.h"
#include "ui/button.h"
#include "ui/icon.h"
#include "ui/label.h"
#include "ui/layout.h"
#include "ui/text.h"
#include "ui/toast.h"
#include "ui/tween.h"
#include "views/tour_numbers.h"

#define SIDE_W       400
#define SIDE_SMALL   340
#define FOOT_H       224
#define OFFER_ABOVE  8
#define TOUR_OFFER   "Take the tour"
#define PAD          24
#define RING_W       3 /* px: width of the pin's ring, which lies outside the cell */
#define DIM          0.65f
#define CHOICE_WORDS 220 /* px: a narrower choice has a mark without words */
#define FRAME_PAD_X  6
/* px above and below the framed part; a larger frame would cut through the words around it */
#define FRAME_PAD_Y    4
#define FRAME_R        10
#define TOUR_HOLES_MAX 10
#define POINTER_REST   4 /* px: a pointer that moves less counts as resting */
#define DOT            12
#define DOT_LEAST      7
#define DOT_GAP        9
#define CHOICES        4
#define ROW_OF_FOUR    620 /* px: a panel narrower than this has two choices per line */
#define CHOICE_H       44
#define TRIES_HINT     2
#define PRAISE_MAX     (VIEW_PAIR_MAX + 64)
/* Largest number of steps shown as dots; a longer tour shows the number of its step. */
#define DOTS_MOST 16
#define BUTTON_W  92

void tour_panel_place(App *app) {
    Layout *l = &app->layout;
    if (tour_is_on(app) && app->tour.is_recorded)
        tour_caption_place(app);
    if (!tour_is_on(app) || app->tour.is_recorded || app->tour.is_presented || app->lecture.is_on ||
        l->too_small)
        return;
    if (tour_editor_is_shown(app)) {
        l->tour = (Rect){0, rect_bottom(l->view), l->window.w, tour_strip_height(app)};
        l->tour.y -= l->tour.h;
        l->view.h -= l->tour.h;
        l->rail.h -= l->tour.h;
        l->inspector.h = fmaxf(l->inspector.h - l->tour.h, 0);
        return;
    }
    const char *light = tour_moment(app).light;
    bool lights_inspector = light != NULL && strstr(light, "inspector") != NULL;
    bool has_side = l->width <= LAYOUT_MEDIUM && !lights_inspector;
    float height = fminf(FOOT_H, l->view.h * 0.45f);
    if (!has_side) {
        l->tour = (Rect){l->rail.w, rect_bottom(l->view) - height, l->window.w - l->rail.w, height};
        l->view.h -= height;
        l->inspector.h = fmaxf(l->inspector.h - height, 0);
        return;
    }
    float right = rect_right(l->window), width = l->width == LAYOUT_WIDE ? SIDE_W : SIDE_SMALL;
    l->view.w = fminf(l->view.w, right - width - l->view.x);
    l->tour = (Rect){right - width, l->view.y, width, l->view.h};
    l->inspector = (Rect){0};
    l->is_drawer = true;
}

const char *tour_to_reveal(const App *app) {
    const char *light = tour_is_on(app) ? tour_moment(app).light : NULL;
    return light != app->tour.seen ? light : NULL;
}

/* End the offer of the first tour for ever; if `takes`, begin that tour. */
static void end_offer(App *app, bool takes) {
    app->tour.is_offered = false;
    remember_soon(app);
    app->ui.again = true;
    if (takes)
        app_do(app, tour_take_first, 0);
}

void tour_offer_draw(App *app) {
    UiId id = ui_id("tour offer", 0);
    Toast line = {.text = "New here? Hover a cell, click a word and type another, press F to merge "
                          "W_Q and W_K, or",
                  .passes = true,
                  .action = TOUR_OFFER,
                  .until_s = INFINITY,
                  .above = OFFER_ABOVE};
    if (!app->tour.is_offered || app->layout.width <= LAYOUT_MEDIUM)
        return;
    ToastState state = toast(&app->ui, id, app->layout.view, &line);
    app->notice_h += state.rect.h + OFFER_ABOVE;
    rect_cut_bottom(&app->layout.view, state.rect.h + OFFER_ABOVE);
    /* A click on the picture does not end the offer, because then the picture would move under the
     * pointer. */
    bool has_left = app->hints.has_edited || app->settings.view != 0 || tour_is_on(app);
    if (state.acted || state.closed || has_left)
        end_offer(app, state.acted);
}

void tour_offer_row(App *app, Rect *rest) {
    UiId id = ui_id("tour offer row", 0);
    Rect button = rect_cut_top(rest, TOUR_OFFER_ROW_H);
    if (button_main(&app->ui, id, button, TOUR_OFFER))
        end_offer(app, true);
    tip_command(app, id, button, "tour");
}

static bool pointer_has_moved(const App *app) {
    Vec2 at = app->ui.pointer, began = app->tour.pointer_then;
    return hypotf(at.x - began.x, at.y - began.y) > POINTER_REST;
}

void tour_aim(App *app) {
    Ui *ui = &app->ui;
    if (tour_is_on(app) && !pointer_has_moved(app) && !ui_pointer_is_used(ui) &&
        !rect_contains(app->layout.tour, ui->pointer))
        ui->pointer_inside = false;
}

/* Return the part under the pointer, if the pointer has moved in this step and the part contains
 * nothing that is lit; otherwise NULL. */
static const DrawPart *under_pointer(const App *app, const Rect *lit, int count) {
    bool points = pointer_has_moved(app) && app->ui.pointer_inside;
    const DrawPart *part = points ? part_at(app->ui.list, app->ui.pointer) : NULL;
    for (int i = 0; i < count && part != NULL; i++)
        if (rect_equal(rect_intersect(part->rect, lit[i]), lit[i]))
            part = NULL;
    return part;
}

static void cover(App *app, const Rect *lit, int count) {
    const DrawList *list = app->ui.list;
    for (int i = 0; i < count; i++) {
        Rect hidden = lit[i];
        for (size_t k = 0; k < list->part_count; k++)
            if (rect_equal(list->parts[k].rect, lit[i]) && list->parts[k].cols > 1)
                hidden = rect_inset(rect_intersect(list->parts[k].cells, lit[i]), -RING_W, -RING_W);
        draw_fill(app->ui.list, hidden, 0, app->ui.theme->canvas);
        text_in(&app->ui, hidden, TEXT_BODY | TEXT_FAINT | TEXT_CENTRE | TEXT_PX(48), "?");
    }
}

static bool awaits_guess(const App *app) {
    return app_tour_step(app)->guess.goal != NULL && app->tour.guess == 0;
}

static void light_draw(App *app) {
    Rect holes[TOUR_HOLES_MAX];
    const char *missing;
    Ui *ui = &app->ui;
    const char *light = tour_moment(app).light;
    int count = tour_places(holes, TOUR_HOLES_MAX - 2, ui->list, light, &missing);
    if (count > 0)
        app->tour.seen = light;
    float way = (float)(app->time_s - app->tour.since_s) / MOTIONS[MOTION_VIEW].duration_s;
    if (way < 1 && !ui->reduced_motion)
        ui_wake(ui, app->time_s);
    float alpha = DIM * (ui->reduced_motion ? 1 : easing_at(EASE_STANDARD, way));
    int lit = count;
    if (awaits_guess(app))
        cover(app, holes, lit);
    if (count == 0)
        return;
    const DrawPart *hovered = under_pointer(app, holes, lit);
    for (int i = 0; i < lit; i++)
        holes[i] = rect_intersect(rect_inset(holes[i], -FRAME_PAD_X, -FRAME_PAD_Y),
                                  (Rect){0, 0, app->layout.window.w, app->layout.window.h});
    holes[count++] = app->layout.tour;
    if (hovered != NULL)
        holes[count++] = hovered->rect;
    tour_dim(app, app->layout.window, holes, count, alpha);
    for (int i = 0; i < lit; i++)
        draw_ring(ui->list, holes[i], FRAME_R, 2, colour_fade(ui->theme->beam, alpha / DIM));
}

static void words_draw(App *app, Rect *area) {
    Err err;
    const TourStep *step = app_tour_step(app);
    const char *caption = tour_moment(app).caption;
    bool hides = awaits_guess(app);
    text_wrap(&app->ui, area, TEXT_TITLE, step->title);
    rect_cut_top(area, 8);
    const char *words = caption != NULL && !hides ? tour_fill(app, caption, &err) : "";
    bool lacks = words[0] != '\0' && app->tour.lacks;
    text_wrap(&app->ui, area, TEXT_BODY, lacks ? "Computing…" : words);
    rect_cut_top(area, 16);
}

static void praise_words(App *app, char *out, size_t capacity) {
    int query, key;
    const TourStep *step = app_tour_step(app);
    const ViewContext *c = app_context(app);
    AttnCell pin = view_pin(c); /* none if the pinned token no longer exists */
    if (attn_cell_is_set(pin) && tour_place(&query, &key, step->ask.goal)) {
        Mat A = results_weights(&app->run, 0, pin.head);
        snprintf(out, capacity, "Yes: %s is %s.", PAIR_NAME(c, pin.query, pin.key, 24),
                 FIXED((double)mat_row(&A, pin.query)[pin.key], 3));
    } else if (strpbrk(step->ask.goal, "<>") != NULL) {
        double value = NAN;
        Err err;
        size_t bytes = strcspn(step->ask.goal, " <>");
        tour_number(&value, c, step->ask.goal, bytes, &err);
        snprintf(out, capacity, "Yes: it is %s now.", FIXED(value, 3));
    } else {
        snprintf(out, capacity, "Well done. Press Next.");
    }
}

static void ask_draw(App *app, Rect *area) {
    char praise[PRAISE_MAX];
    Err err;
    AppTour *t = &app->tour;
    const TourStep *step = app_tour_step(app);
    Ui *ui = &app->ui;
    if (t->is_done) {
        praise_words(app, praise, sizeof praise);
        Rect line = rect_cut_top(area, 30);
        Rect tick = rect_cut_left(&line, 28);
        icon_draw(ui, ICON_TICK, rect_centre(tick), 20, ui->theme->ok);
        text_in(ui, line, TEXT_STRONG | TEXT_GOOD | TEXT_PLAIN, "%s", praise);
        return;
    }
    text_wrap(ui, area, TEXT_STRONG, tour_fill(app, step->ask.words, &err));
    rect_cut_top(area, 8);
    if (t->tries >= TRIES_HINT && step->hint != NULL) {
        text_wrap(ui, area, TEXT_BODY, tour_fill(app, step->hint, &err));
        rect_cut_top(area, 8);
    }
    bool can_show = strpbrk(step->ask.goal, "<>") == NULL && strcmp(step->ask.goal, "text") != 0;
    Rect button = rect_cut_top(area, BUTTON_HEIGHT);
    button.w = fminf(button.w, 120);
    if (can_show && button_text(ui, ui_id("tour show me", 0), button, "Show me"))
        tour_show_me(app);
}

/* Fill out with the keys to choose from: those with the largest weights of the row, in the order of
 * the text. Return their number. */
static int choices_of(const App *app, int out[CHOICES], int query) {
    Mat A = results_weights(&app->run, 0, app->session.options.head - 1);
    int count = mat_largest_first(out, CHOICES, mat_row(&A, query), app->run.T);
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && out[k] < out[k - 1]; k--) {
            int key = out[k];
            out[k] = out[k - 1];
            out[k - 1] = key;
        }
    return count;
}

static void choice_draw(App *app, Rect row, int key, bool is_true) {
    Ui *ui = &app->ui;
    AppTour *t = &app->tour;
    const Theme *theme = ui->theme;
    UiId id = ui_id("tour guess", key);
    bool is_known = t->guess != 0, is_own = t->guess == key + 1;
    bool disabled = ui_disable(ui, is_known);
    UiState state = ui_control(ui, id, row, 0);
    ui_disable(ui, disabled);
    draw_fill(ui->list, row, 8, is_own || state.hovered ? theme->hover : theme->canvas);
    if (is_known && is_true)
        draw_ring(ui->list, row, 8, 2, theme->ok);
    ui_focus_ring(ui, id, row, 8);
    Rect words = rect_inset(row, 14, 0);
    text_left(ui, &words, TEXT_COUNT, "%d", key + 1);
    text_left(ui, &words, TEXT_BODY | TEXT_BRIGHT | TEXT_PLAIN, "%s",
              TOKEN_NAME(app_context(app), key, 32));
    if (is_known && (is_own || is_true))
        text_right(ui, &words, is_true ? TEXT_NOTE | TEXT_GOOD : TEXT_NOTE, "%s",
                   row.w < CHOICE_WORDS ? (is_true ? "✓" : "×")
                   : is_own             ? is_true ? "✓ your guess" : "your guess"
                                        : "✓ measured");
    if (state.clicked) {
        t->guess = key + 1;
        t->done_s = app->time_s;
        ui->again = true;
    }
}

static void guess_draw(App *app, Rect *area) {
    int query, key, keys[CHOICES];
    Err err;
    const TourStep *step = app_tour_step(app);
    Ui *ui = &app->ui;
    if (!app->run.valid || !tour_place(&query, &key, step->guess.goal) || query > app->run.T)
        return;
    text_line(ui, area, TEXT_NOTE,
              app->tour.guess == 0    ? "Guess first"
              : app->tour.guess == -1 ? "Measured"
                                      : "Your guess");
    text_wrap(ui, area, TEXT_STRONG, tour_fill(app, step->guess.words, &err));
    rect_cut_top(area, 8);
    const ViewContext *c = app_context(app);
    int count = choices_of(app, keys, query - 1), most = tour_largest_key(c, query - 1);
    int across = area->h >= (CHOICE_H + 6) * (float)count ? 1 : area->w < ROW_OF_FOUR ? 2 : count;
    for (int i = 0; i < count; i += across) {
        Rect line = rect_cut_top(area, CHOICE_H);
        for (int k = i; k < i + across && k < count; k++)
            choice_draw(app, layout_part(line, 6, k - i, across), keys[k], keys[k] == most);
        rect_cut_top(area, 6);
    }
    if (app->tour.guess == 0 || area->h < 48)
        return;
    Mat A = results_weights(&app->run, 0, app->session.options.head - 1);
    rect_cut_top(area, 4);
    Rect line = rect_cut_top(area, 48);
    text_left(ui, &line, TEXT_NUMBER | TEXT_BOLD | TEXT_PX(40), "%s",
              FIXED((double)mat_row(&A, query - 1)[most], 2));
    rect_cut_left(&line, 4);
    text_in(ui, line, TEXT_NOTE | TEXT_PLAIN, "%s", PAIR_NAME(c, query - 1, most, 24));
}

static void task_draw(App *app, Rect *area) {
    const TourStep *step = app_tour_step(app);
    if (step->branch_id != NULL && area->h > 2 * BUTTON_HEIGHT) {
        Rect place = rect_cut_bottom(area, BUTTON_HEIGHT);
        if (button_text(&app->ui, ui_id("tour branch", 0), place, step->branch_words))
            tour_go(app, tour_find(&app->tour.tour, step->branch_id, strlen(step->branch_id)));
    }
    if (step->guess.goal != NULL)
        guess_draw(app, area);
    else if (step->ask.goal != NULL && app_has_picture(app))
        ask_draw(app, area);
}

static void dots_draw(App *app, Rect area) {
    Ui *ui = &app->ui;
    const Theme *theme = ui->theme;
    int steps = app->tour.tour.step_count;
    float wanted = (DOT + DOT_GAP) * (float)steps, size = fminf(area.w / wanted, 1);
    float dot_w = DOT * size, pitch = (DOT + DOT_GAP) * size;
    if (steps > DOTS_MOST || dot_w < DOT_LEAST)
        return;
    float x = area.x + (area.w - pitch * (float)steps) / 2;
    for (int i = 0; i < steps; i++, x += pitch) {
        Rect reach = {x, area.y, pitch, area.h};
        Rect dot = rect_inset(reach, (pitch - dot_w) / 2, (area.h - dot_w) / 2);
        UiId id = ui_id("tour dot", i);
        UiState state = ui_control(ui, id, reach, UI_NO_FOCUS);
        Colour fill = i == app->tour.step ? theme->beam : theme->text_2;
        if (i <= app->tour.step || state.hovered)
            draw_fill(ui->list, dot, dot_w / 2, fill);
        else
            draw_ring(ui->list, dot, dot_w / 2, 1.5f, theme->text_2);
        if (state.clicked)
            tour_go(app, i);
    }
}

static void moves_draw(App *app, Rect line) {
    Ui *ui = &app->ui;
    AppTour *t = &app->tour;
    bool is_last = t->step == t->tour.step_count - 1;
    Rect back = rect_cut_left(&line, BUTTON_W), next = rect_cut_right(&line, BUTTON_W);
    bool disabled = ui_disable(ui, t->step == 0 && !t->is_detour);
    if (button_text(ui, ui_id("tour back", 0), back, "Back"))
        tour_back(app);
    ui_disable(ui, disabled);
    dots_draw(app, line);
    const char *label = awaits_guess(app) ? "Show me" : is_last ? "Finish" : "Next";
    if (!button_main(ui, ui_id("tour next", 0), next, label))
        return;
    if (awaits_guess(app)) {
        t->guess = -1;
        ui->again = true;
    } else if (is_last) {
        tour_leave(app);
    } else {
        tour_next(app);
    }
}

static void header_draw(App *app, Rect *area) {
    Ui *ui = &app->ui;
    AppTour *t = &app->tour;
    Rect line = rect_cut_top(area, 32);
    Rect icon = rect_cut_left(&line, 28), cross = rect_cut_right(&line, 32);
    icon_draw(ui, ICON_ASK, (Vec2){icon.x + 10, rect_centre(icon).y}, 20, ui->theme->text_2);
    if (button_icon(ui, ui_id("tour close", 0), cross, ICON_CLOSE))
        tour_leave(app);
    text_in(ui, line, TEXT_NOTE, "Tour: %d of %d", t->step + 1, t->tour.step_count);
    text_wrap(ui, area, TEXT_NOTE | TEXT_BRIGHT, t->tour.title);
}

static void back_draw(App *app, Rect place) {
    if (button_text(&app->ui, ui_id("tour my layer", 0), place, "Back to my layer"))
        tour_leave_back(app);
}

static void foot_draw(App *app, Rect rest) {
    Rect right = rect_cut_right(&rest, fminf(360, rest.w * 0.36f));
    rect_cut_right(&rest, PAD);
    header_draw(app, &right);
    moves_draw(app, rect_cut_bottom(&right, BUTTON_HEIGHT));
    rect_cut_bottom(&right, 12);
    if (right.h >= BUTTON_HEIGHT)
        back_draw(app, rect_cut_bottom(&right, BUTTON_HEIGHT));
    const TourStep *step = app_tour_step(app);
    bool has_task = step->ask.goal != NULL || step->guess.goal != NULL || step->branch_id != NULL;
    Rect task = has_task ? rect_cut_right(&rest, rest.w * 0.5f) : (Rect){0};
    rect_cut_right(&rest, has_task ? PAD : 0);
    words_draw(app, &rest);
    if (has_task)
        task_draw(app, &task);
}

void tour_panel_draw(App *app) {
    Rect area = app->layout.tour;
    Ui *ui = &app->ui;
    if (tour_is_on(app) && app->tour.is_recorded) {
        light_draw(app);
        tour_caption_draw(app);
        return;
    }
    if (area.w > 0 && tour_editor_is_shown(app))
        tour_strip_draw(app, area);
    if (area.w <= 0 || tour_editor_is_shown(app))
        return;
    light_draw(app);
    draw_fill(ui->list, area, 0, ui->theme->chrome);
    Rect clip = draw_clip(ui->list, area);
    Rect rest = rect_inset(area, PAD, 16);
    if (area.w > area.h) {
        foot_draw(app, rest);
    } else {
        header_draw(app, &rest);
        rect_cut_top(&rest, 16);
        back_draw(app, rect_cut_bottom(&rest, BUTTON_HEIGHT));
        rect_cut_bottom(&rest, 12);
        moves_draw(app, rect_cut_bottom(&rest, BUTTON_HEIGHT));
        rect_cut_bottom(&rest, 16);
        words_draw(app, &rest);
        task_draw(app, &rest);
    }
    draw_clip_restore(ui->list, clip);
}
