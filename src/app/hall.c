#include "app/hall.h"

#include <math.h>
#include <string.h>

#include "app/chrome.h"
#include "app/tour.h"
#include "base/util.h"
#include "draw/part.h"
#include "views/graph/graph.h"
#include "views/heads/heads.h"
#include "views/lecture/lecture.h"
#include "views/tour_numbers.h"

/* Logical heights to try, the greatest first. A smaller height gives larger letters, but shows less
 * of the view. */
static const float HEIGHTS[] = {1080, 860, 720, 620, 540, 470, 437, 400, 360};

/* Shares of the window's height. */
#define CAPTION_H    0.115f
#define CAPTION_TWO  0.16f
#define CAPTION_MOST 0.5f
#define CAPTION_SIZE 0.0444f
#define CAPTION_LESS 0.0425f
#define MARGIN       0.055f

#define VEIL    0.55f /* opacity of the veil on everything that is not lit */
#define TITLE_H 34    /* px: a row for the tools that some views draw */
/* px: a narrower view is drawn with this width, so that its parts are side by side. The camera then
 * fits them into the stage. */
#define NEVER_NARROW 1360.0f
#define PLACES       8
#define POINTER_S    2.0 /* seconds that the pointer rests before it is hidden */
#define ZOOM_MOST    16.0f
#define RING         0.004f

bool hall_is_on(const App *app) {
    return app->tour.is_presented && tour_is_on(app);
}

void hall_keep_theme(App *app) {
    app->tour.keeps_theme = true;
}

bool hall_keeps_theme(const App *app) {
    const char *state = app->tour.tour.state;
    return app->tour.keeps_theme || (state != NULL && strstr(state, "theme=") != NULL);
}

void hall_resize(App *app, float width_px, float height_px) {
    AppHall *hall = &app->tour.hall;
    if (hall->width_px != width_px || hall->height_px != height_px)
        *hall = (AppHall){.width_px = width_px, .height_px = height_px};
}

float hall_scale(const App *app, float height_px) {
    return height_px / HEIGHTS[app->tour.hall.trial];
}

void hall_aim(App *app) {
    AppHall *hall = &app->tour.hall;
    Ui *ui = &app->ui;
    if (!hall_is_on(app))
        return;
    hall->pointer = ui->pointer;
    /* a key press, as of a clicker, must not show the pointer */
    hall->moved_s = ui_pointer_is_used(ui) ? app->time_s : hall->moved_s;
    app->tour.hides_pointer = app->time_s >= hall->moved_s + POINTER_S;
    if (app->tour.hides_pointer && !app->tour.has_spot)
        ui->pointer_inside = false;
    else
        ui_wake(ui, hall->moved_s + POINTER_S);
    if (hall->camera.zoom > 0)
        ui->pointer = (Vec2){(ui->pointer.x - hall->camera.at.x) / hall->camera.zoom,
                             (ui->pointer.y - hall->camera.at.y) / hall->camera.zoom};
    if (ui->first_pass)
        presenter_keys(app);
    ui->pointer_inside = ui->pointer_inside && !pen_has_pointer(app);
}

#define NO_TEXT 1

/* Return the size of the smallest visible letters in the commands from index `from` on, as a share
 * of the height. */
static float least_text(const DrawList *list, size_t from) {
    float least = NO_TEXT;
    for (size_t i = from; i < list->command_count; i++) {
        const DrawCommand *c = &list->commands[i];
        Vec2 at = c->kind == DRAW_TEXT ? c->as.text.at : (Vec2){0};
        if (c->kind == DRAW_TEXT && rect_contains(c->clip, (Vec2){at.x + 1, at.y - 1}))
            least =
                fminf(least, roundf(c->as.text.size * list->scale) / (list->height * list->scale));
    }
    return least;
}

static Rect words_draw(App *app, Rect window) {
    Err err;
    Ui *ui = &app->ui;
    const char *caption = tour_moment(app).caption;
    float h = window.h;
    if (caption == NULL || !app_has_picture(app) ||
        (app->tour.is_recorded && !app->tour.has_caption))
        return rect_cut_bottom(&window, 0);
    const char *words = tour_fill(app, caption, &err);
    LabelStyle style = {FONT_SANS_BOLD, CAPTION_SIZE * h, 0xFFFFFFFFu, LABEL_PROSE};
    float room = window.w - 2 * MARGIN * h;
    bool is_long = label_text_width(ui, &style, words) > room;
    style.size = is_long ? CAPTION_LESS * h : style.size;
    float text_h = label_shrink(ui, &style, words, room, CAPTION_MOST * h - style.size);
    float bar_h = fmaxf(h * (is_long ? CAPTION_TWO : CAPTION_H), text_h + style.size);
    Rect bar = rect_cut_bottom(&window, bar_h);
    draw_fill(ui->list, bar, 0, 0x000000FFu);
    Rect place = {bar.x + MARGIN * h, bar.y + (bar.h - text_h) / 2, room, text_h};
    label_wrap(ui, place, &style, words);
    return bar;
}

static void view_draw(App *app, Rect stage) {
    ViewContext context = *app_context(app);
    const View *view = &VIEWS[app_view(app)];
    const char *why = view_place_absent(app);
    if (why != NULL && why[0] != '\0')
        sentence_draw(app, rect_inset(stage, 40, 40), NULL, why);
    if (why != NULL)
        return;
    if (view->frame == heads_frame && app->settings.wall == WALL_ONE) {
        lecture_frame(&context, stage);
    } else if (context.is_hall) {
        view->frame(&context, stage);
    } else {
        Rect area = rect_inset(stage, 20, 16);
        context.beside_title = rect_cut_top(&area, TITLE_H);
        rect_cut_top(&area, TITLE_H / 2.0f);
        context.window_width = fmaxf(context.window_width, NEVER_NARROW);
        view->frame(&context, area);
    }
}

void hall_zoom(App *app, float factor, Vec2 at) {
    AppHall *hall = &app->tour.hall;
    Rect stage = hall->stage;
    float was = fmaxf(hall->closer, 1), now = fminf(fmaxf(was * factor, 1), ZOOM_MOST);
    Vec2 shift = {at.x - (at.x - hall->shift.x) * now / was,
                  at.y - (at.y - hall->shift.y) * now / was};
    hall->closer = now;
    hall->shift = (Vec2){fminf(fmaxf(shift.x, stage.w * (1 - now)), 0),
                         fminf(fmaxf(shift.y, stage.h * (1 - now)), 0)};
    app->ui.again = true;
}

/* Return the parts that must fill the stage; NULL for the whole stage. */
static const char *frame_of(const App *app) {
    const char *frame = tour_moment(app).frame;
    bool is_graph = VIEWS[app_view(app)].frame == graph_frame;
    return frame == NULL && is_graph ? "graph.picture" : frame;
}

/* True if every part that frame_of names is in the picture and none is cut off. */
static bool is_whole(App *app) {
    Rect places[PLACES];
    const char *missing, *frame = frame_of(app);
    tour_places(places, PLACES, app->ui.list, frame, &missing);
    for (size_t i = 0; frame != NULL && i < app->ui.list->part_count; i++) {
        const DrawPart *part = &app->ui.list->parts[i];
        const char *at = part->is_cut ? strstr(frame, part->id) : NULL;
        char end = at != NULL ? at[strlen(part->id)] : 'x';
        if (end == ' ' || end == '\0')
            return false;
    }
    return missing == NULL;
}

/* Dim everything except the parts that the step highlights. A step that highlights nothing dims
 * nothing. */
static void light_draw(App *app, Rect stage) {
    Rect lit[PLACES];
    const char *missing;
    Ui *ui = &app->ui;
    int count = tour_places(lit, PLACES, ui->list, tour_moment(app).light, &missing);
    for (int i = 0; i < count; i++)
        lit[i] = rect_intersect(lit[i], stage);
    if (count == 0)
        return;
    float way = ui->reduced_motion
                    ? 1
                    : easing_at(EASE_STANDARD, (float)((app->time_s - app->tour.since_s) / 0.3));
    if (way < 1)
        ui_wake(ui, app->time_s);
    tour_dim(app, stage, lit, count, VEIL * way);
    for (int i = 0; i < count; i++)
        draw_ring(ui->list, rect_inset(lit[i], -4, -4), 8, RING * stage.h,
                  colour_fade(ui->theme->ring, way));
}

/* Try smaller heights until the letters are large enough. If a part of the frame is missing or cut
 * off at a height, return to the previous height. */
static void settle_height(App *app, bool has_all, size_t from) {
    AppHall *hall = &app->tour.hall;
    const DrawList *list = app->ui.list;
    bool is_last = hall->trial + 1 == (int)ARRAY_COUNT(HEIGHTS);
    float least = least_text(list, from);
    /* Wait until the results are computed. */
    bool waits = least == NO_TEXT || (!has_all && hall->trial == 0);
    if (hall->is_found || waits)
        return;
    if (!has_all && hall->trial > 0) {
        hall->trial--;
        hall->is_found = true;
    } else if (is_last || least >= HALL_LEAST) {
        hall->is_found = true;
        return;
    } else {
        hall->trial++;
    }
    app->ui.again = true;
    ui_wake(&app->ui, app->time_s); /* continue in the next frame: one frame has too few passes to
                                       try all HEIGHTS */
}

void hall_draw(App *app) {
    Ui *ui = &app->ui;
    AppHall *hall = &app->tour.hall;
    Rect window = app->layout.window;
    Rect bar = words_draw(app, window);
    size_t caption_end = ui->list->command_count;
    Rect stage = {0, 0, window.w, window.h - bar.h};
    Rect clip = draw_clip(ui->list, stage);
    app->layout.view = hall->stage = stage;
    view_draw(app, stage);
    draw_clip_restore(ui->list, clip);
    bool is_drawn = view_place_absent(app) == NULL, has_all = is_drawn && is_whole(app);
    /* Show the parts of the frame, or the whole stage, enlarged by the presenter's zoom. */
    Rect places[PLACES], seen = stage;
    const char *missing;
    int count = tour_places(places, PLACES, ui->list, frame_of(app), &missing);
    for (int i = 0; i < count; i++)
        seen = i > 0 ? rect_union(seen, places[i]) : places[0];
    seen = count > 0 ? rect_inset(seen, -2, -2) : stage;
    float closer = fmaxf(hall->closer, 1);
    Camera step = camera_of(seen, rect_inset(stage, 12, 8));
    hall->camera =
        (Camera){step.zoom * closer,
                 {hall->shift.x + step.at.x * closer, hall->shift.y + step.at.y * closer}};
    seen = camera_rect(&hall->camera, seen);
    camera_apply(ui->list, caption_end, &hall->camera, rect_intersect(seen, stage));
    if (is_drawn)
        settle_height(app, has_all, caption_end);
    light_draw(app, stage);
    presenter_draw(app, stage);
}
