#include "shell/film.h"

#include <string.h>

#define SETTLING 4    /* number of frames after which everything is at rest */
#define NEAR_S   1e-9 /* times closer than this, in seconds, are equal */

static double time_of(const Film *film, long frame) {
    return (double)frame / film->fps * film->tempo;
}

void film_begin(Film *film, Stage *stage, const KeyScript *keys, int fps, double tempo) {
    *film = (Film){.stage = stage, .keys = keys, .fps = fps, .tempo = tempo};
    stage_frame(stage, NULL, 0, 0);
    film->wake_s = app_effects(stage->app)->next_frame_s;
}

static bool key_is_due(const Film *film, double time_s) {
    return film->pressed < film->keys->count &&
           film->keys->at[film->pressed].time_s <= time_s + NEAR_S;
}

static bool motion_is_due(const Film *film, double time_s) {
    return film->motion != NULL && state_motion_is_due(film->motion, time_s + NEAR_S);
}

static bool step_is_due(const Film *film, double time_s) {
    return film->tour != NULL && tour_film_is_due(film->tour, time_s + NEAR_S);
}

static bool changes_by(const Film *film, double time_s) {
    return key_is_due(film, time_s) || motion_is_due(film, time_s) || step_is_due(film, time_s) ||
           film->wake_s <= time_s + NEAR_S;
}

bool film_changes(const Film *film) {
    return changes_by(film, time_of(film, film->frame));
}

/* Press each key in a frame of its own, because a key may move the focus. */
static void draw(Film *film, double time_s) {
    Stage *stage = film->stage;
    bool was_unseen = stage->is_unseen, pressed = false;
    if (motion_is_due(film, time_s)) {
        Session session;
        Settings settings;
        Err err;
        state_motion_at(&session, &settings, film->motion, time_s);
        if (!app_take(film->stage->app, &session, &settings, &err))
            film->failure = err;
        session_release(&session);
    }
    if (step_is_due(film, time_s)) {
        /* Draw frames that are not shown, until hall_draw has found the layout of the step. */
        stage->is_unseen = true;
        tour_film_step(film->tour, stage->app, time_s + NEAR_S);
        for (int i = 0; i < SETTLING; i++)
            stage_frame(stage, NULL, 0, time_s);
        stage->is_unseen = was_unseen;
    }
    for (; key_is_due(film, time_s); pressed = true) {
        const KeyPress *press = &film->keys->at[film->pressed++];
        InputEvent event = {.kind = INPUT_KEY, .key = press->key, .mods = press->mods};
        /* as with a real keyboard, the key is also typed text if a text field has the focus */
        if (app_effects(stage->app)->text_input && press->text[0] != '\0')
            event = (InputEvent){
                .kind = INPUT_TEXT, .text = press->text, .text_bytes = strlen(press->text)};
        stage->is_unseen = was_unseen || key_is_due(film, time_s);
        stage_frame(stage, &event, 1, time_s);
        film->wake_s = app_effects(stage->app)->next_frame_s;
    }
    stage->is_unseen = was_unseen;
    if (!pressed) {
        stage_frame(stage, NULL, 0, time_s);
        film->wake_s = app_effects(stage->app)->next_frame_s;
    }
    if (film->tour != NULL)
        tour_film_listen(film->tour, stage->app, time_s / film->tempo);
}

void film_next(Film *film) {
    double time_s = time_of(film, film->frame++);
    if (changes_by(film, time_s))
        draw(film, time_s);
}

void film_show(Film *film, double time_s) {
    film->stage->is_unseen = true;
    for (; time_of(film, film->frame) < time_s - NEAR_S; film_next(film))
        ;
    draw(film, time_s);
    film->stage->is_unseen = false;
    stage_frame(film->stage, NULL, 0, time_s);
}
