#include "app/step_picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/desk.h"
#include "app/hall.h"
#include "app/tour.h"

#define FRAMES_MOST 200 /* limit of frames for a picture whose motion does not end */

static App *player_create(const App *app) {
    AppResources resources = app->resources;
    Session session;
    Settings settings = settings_fresh(app);
    Err err;
    resources.files = (AppFiles){.read = NULL};
    resources.load_tour = NULL;
    resources.recovers = resources.first_example = resources.cuts_parts = false;
    resources.now_s = NULL;
    resources.still = true;
    if (!session_init(&session, &err))
        return NULL;
    App *player = app_create(&resources, &session, &settings, &err);
    session_release(&session);
    return player;
}

static void add(TextOut *out, const char *words) {
    text_out(out, "\n%s", words != NULL ? words : "");
}

static void describe(TextOut *out, const App *app, int step, const StepPictureLook *look) {
    const Tour *tour = &app->tour.tour;
    TourMoment end = tour_at(out, tour, step, INFINITY);
    add(out, tour->scale);
    add(out, end.frame);
    add(out, end.light);
    add(out, look->has_caption ? end.caption : NULL);
    for (int i = 0; i < end.keys; i++)
        add(out, tour_key(tour, step, i)->value);
    text_out(out, "\n%d %d %gx%g", app->settings.theme, hall_keeps_theme(app),
             (double)look->width_px, (double)look->height_px);
}

const DrawList *step_picture_find(const StepPictures *p, const App *app, int step,
                                  const StepPictureLook *look) {
    const DrawList *found = NULL;
    TextOut of = {0};
    describe(&of, app, step, look);
    for (int i = 0; i < STEP_PICTURES_MAX && !of.failed; i++)
        if (i != p->making && p->at[i].of != NULL && strcmp(p->at[i].of, of.at) == 0)
            found = &p->at[i].list;
    text_out_release(&of);
    return found;
}

/* Begin a picture of a step. `of` contains the inputs as text; its contents move. */
static void begin(StepPictures *p, App *app, int step, TextOut *of, bool has_caption) {
    const Tour *now = &app->tour.tour;
    Tour tour;
    Err err;
    free(p->at[p->making].of);
    p->at[p->making].of = of->at;
    *of = (TextOut){0};
    p->frames = 0;
    p->player = p->player != NULL ? p->player : player_create(app);
    if (p->player == NULL || !tour_read_text(&tour, now->bytes + now->size + 1, now->size, &err))
        return;
    p->player->settings = settings_fresh(app);
    p->player->tour.keeps_theme = app->tour.keeps_theme;
    tour_record_begin(p->player, &tour, step, true, has_caption);
    tour_go_end(p->player, step);
}

void step_picture_make(StepPictures *p, App *app, int step, const StepPictureLook *look) {
    TextOut of = {0};
    if (app_is_computing(app))
        return;
    describe(&of, app, step, look);
    if (!of.failed && (p->at[p->making].of == NULL || strcmp(p->at[p->making].of, of.at) != 0))
        begin(p, app, step, &of, look->has_caption);
    text_out_release(&of);
    if (p->player == NULL)
        return;
    DrawList *list = &p->at[p->making].list;
    Input input = {.width_px = look->width_px, .height_px = look->height_px};
    app_frame(p->player, &input, 0, list);
    bool moves = app_effects(p->player)->next_frame_s <= 0 || app_is_computing(p->player);
    if ((!moves || ++p->frames == FRAMES_MOST) && draw_own_cells(list))
        p->making = (p->making + 1) % STEP_PICTURES_MAX;
}

Camera step_picture_draw(Ui *ui, Rect place, const DrawList *picture, size_t count) {
    size_t first = ui->list->command_count, parts = ui->list->part_count;
    Camera camera = camera_of((Rect){0, 0, picture->width, picture->height}, place);
    Rect shown = camera_rect(&camera, (Rect){0, 0, picture->width, picture->height});
    draw_fill(ui->list, shown, 0, picture->ground);
    draw_append(ui->list, picture, count);
    /* Hide the parts of this window's own picture, because camera_apply would move them. */
    ui->list->part_count = 0;
    camera_apply(ui->list, first + 1, &camera, shown);
    ui->list->part_count = parts;
    return camera;
}

void step_pictures_release(StepPictures *p) {
    app_destroy(p->player);
    for (int i = 0; i < STEP_PICTURES_MAX; i++) {
        free(p->at[i].of);
        draw_release(&p->at[i].list);
    }
    *p = (StepPictures){.player = NULL};
}
