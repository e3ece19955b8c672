#include "shell/film.h"

#include <math.h>
#include <string.h>

#include "app/keymap.h"
#include "base/number.h"
#include "base/utf8.h"
#include "document/options.h"
#include "document/state.h"
#include "draw/easing.h"
#include "shell/assets.h"

#define SETTLING  4 /* number of frames after which the layout of a step is at rest */
#define AT_ONCE_S 1e-6f
#define NEAR_S    1e-9 /* seconds: times closer than this are equal */

typedef struct Word {
    const char *at;
    size_t bytes; /* bytes of the key or of the text without its quotes */
    bool is_text;
    double time_s;
} Word;

static bool refuse(const char *at, size_t bytes, const char *why, Err *err) {
    return err_usage(err, PRINT("--keys %.*s", (int)(bytes < 60 ? bytes : 60), at), "%s", why);
}

static bool read_time(double *time_s, const char *at, size_t bytes) {
    return number_parse_real(time_s, at, bytes) && *time_s >= 0 && *time_s <= KEY_SCRIPT_SECONDS;
}

/* If a word has an @ after its first character, read the time after the last @ into word->time_s.
 * Fail if there is no valid time. */
static bool split_time(Word *word, Err *err) {
    size_t bytes = word->bytes, at = bytes;
    while (at > 0 && word->at[at - 1] != '@')
        at--;
    if (at < 2) /* "@" itself is a key */
        return true;
    if (!read_time(&word->time_s, word->at + at, bytes - at))
        return refuse(word->at, bytes,
                      "has no time after the @; write a key as F@1.5, from 0 to 3600 seconds", err);
    word->bytes = at - 1;
    return true;
}

/* Read a text in quotes, and the time after it. Return the rest of the line, or NULL on failure. */
static const char *take_text(Word *word, const char *from, Err *err) {
    const char *end = strchr(from + 1, '"');
    if (end == NULL) {
        refuse(from, strlen(from), "has no second quote", err);
        return NULL;
    }
    size_t time_bytes = strcspn(end + 1, " ");
    *word = (Word){from + 1, (size_t)(end - from) - 1, true, word->time_s};
    if (time_bytes > 0 && (end[1] != '@' || !read_time(&word->time_s, end + 2, time_bytes - 1))) {
        refuse(from, strlen(from), "has no time after it; write a text as \"king\"@1.5", err);
        return NULL;
    }
    return end + 1 + time_bytes;
}

static bool add(KeyScript *script, const KeyPress *press, Err *err) {
    if (script->count == KEY_SCRIPT_MAX)
        return err_usage(err, "--keys", "has more than %d keys; use fewer", KEY_SCRIPT_MAX);
    int at = script->count++;
    for (; at > 0 && script->at[at - 1].time_s > press->time_s; at--)
        script->at[at] = script->at[at - 1];
    script->at[at] = *press;
    return true;
}

static bool add_typed(KeyScript *script, const Word *word, Err *err) {
    int typed = 0;
    if (utf8_first_invalid(word->at, word->bytes) < word->bytes)
        return refuse(word->at, word->bytes, "is not valid UTF-8", err);
    for (size_t at = 0, length; at < word->bytes; at += length) {
        uint32_t c = utf8_decode(word->at, word->bytes, at, &length);
        KeyPress press = {.time_s = word->time_s + KEY_SCRIPT_TYPED_S * typed++,
                          .key = c >= 'A' && c <= 'Z' ? c + 32 : c};
        memcpy(press.text, word->at + at, length);
        if (!add(script, &press, err))
            return false;
    }
    return true;
}

static bool add_key(KeyScript *script, const Word *word, Err *err) {
    KeyPress press = {.time_s = word->time_s};
    if (!key_read(&press.key, &press.mods, word->at, word->bytes))
        return refuse(word->at, word->bytes,
                      "is not a key; write it as F, Ctrl+Shift+K or PageUp, or a text in quotes",
                      err);
    if (press.key < KEY_ESCAPE && (press.mods & ~(unsigned)KEY_MOD_SHIFT) == 0)
        utf8_encode(press.text, press.key);
    return add(script, &press, err);
}

bool key_script_read(KeyScript *script, const char *text, Err *err) {
    Word word = {.time_s = 0};
    script->count = 0;
    for (text += strspn(text, " "); *text != '\0'; text += strspn(text, " ")) {
        if (*text == '"') {
            text = take_text(&word, text, err);
            if (text == NULL || !add_typed(script, &word, err))
                return false;
            continue;
        }
        word = (Word){text, strcspn(text, " "), false, word.time_s};
        text += word.bytes;
        if (!split_time(&word, err) || !add_key(script, &word, err))
            return false;
    }
    return true;
}

/* True if this option changes gradually from a to b: its values differ, and both are numbers, not
 * words such as auto. Whole numbers of the session change at once: most are sizes. */
static bool passes(const OptionRow *row, const OptionTable *table, const void *a, const void *b) {
    bool is_number =
        row->kind == OPTION_REAL || (row->kind == OPTION_INT && table == &PICTURE_OPTIONS);
    char from[OPTION_TEXT_MAX], to[OPTION_TEXT_MAX];
    if (!is_number || option_value_equal(row, a, b))
        return false;
    option_get(from, row, a);
    option_get(to, row, b);
    return row->absent == NULL || (strcmp(from, row->absent) != 0 && strcmp(to, row->absent) != 0);
}

static bool table_passes(const OptionTable *table, const void *a, const void *b) {
    for (int i = 0; i < table->count; i++)
        if (passes(&table->rows[i], table, a, b))
            return true;
    return false;
}

bool state_motion_begin(StateMotion *motion, const Session *session, const Settings *settings,
                        const char *to, Err *err) {
    *motion = (StateMotion){.from = session_share(session),
                            .to = session_share(session),
                            .shown_from = *settings,
                            .shown_to = *settings};
    StateExtra extra = settings_extra(&motion->shown_to, assets_weights);
    if (!state_read(&motion->to, &extra, to, strlen(to), err)) {
        state_motion_release(motion);
        return false;
    }
    motion->has_numbers =
        table_passes(&STATE_OPTIONS, &motion->from.options, &motion->to.options) ||
        table_passes(&PICTURE_OPTIONS, &motion->shown_from, &motion->shown_to);
    return true;
}

float state_motion_each_s(const StateMotion *motion) {
    return motion->has_numbers ? AT_ONCE_S : (float)motion->over_s;
}

static bool state_motion_is_due(const StateMotion *motion, double time_s) {
    return time_s >= motion->begin_s && !motion->is_over;
}

/* Set every option of target that changes gradually to a value between a's (way 0) and b's (way 1).
 * On entry target equals b. */
static void pass(void *target, const OptionTable *table, const void *a, const void *b, double way) {
    for (int i = 0; i < table->count; i++) {
        const OptionRow *row = &table->rows[i];
        if (!passes(row, table, a, b))
            continue;
        const char *from = (const char *)a + row->offset, *to = (const char *)b + row->offset;
        if (row->kind == OPTION_REAL) {
            float x, y;
            memcpy(&x, from, sizeof x);
            memcpy(&y, to, sizeof y);
            *(float *)option_at(target, row) = x + (y - x) * (float)way;
        } else {
            int x, y;
            memcpy(&x, from, sizeof x);
            memcpy(&y, to, sizeof y);
            *(int *)option_at(target, row) = x + (int)lround((y - x) * way);
        }
    }
}

/* Fill session, to be released by the caller, and settings with the state at time_s. */
static void state_motion_at(Session *session, Settings *settings, StateMotion *motion,
                            double time_s) {
    double t = (time_s - motion->begin_s) / motion->over_s;
    double way = t < 1 ? (double)easing_at(EASE_FLIGHT, (float)t) : 1;
    *session = session_share(&motion->to);
    *settings = motion->shown_to;
    motion->is_over = t >= 1 || !motion->has_numbers;
    if (motion->is_over)
        return;
    pass(&session->options, &STATE_OPTIONS, &motion->from.options, &motion->to.options, way);
    pass(settings, &PICTURE_OPTIONS, &motion->shown_from, &motion->shown_to, way);
}

void state_motion_release(StateMotion *motion) {
    session_release(&motion->from);
    session_release(&motion->to);
}

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
        /* Draw frames that are not shown, so that hall_draw finds the layout of the step. */
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
