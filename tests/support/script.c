#include "support/script.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/state.h"
#include "support/measure.h"
#include "support/opened.h"
#include "support/panel.h"

static const JobPool NO_POOL;

/* Every word is drawn from its hash. */
static const uint32_t NO_SLOTS[2];
static const WordVectors WORDLESS = {.words = "", .slots = NO_SLOTS, .slot_count = 2};

static void begin_app(Script *s, const char *state, float width_px, float height_px,
                      AppResources resources) {
    Settings settings;
    *s = (Script){.width_px = width_px, .height_px = height_px};
    s->measure = measure_fixed(&s->measured);
    Session session = picture_opened(&settings, state, resources.load_weights);
    resources.measure = &s->measure;
    resources.recovers = state[0] == '\0';
    s->app = app_create(&resources, &session, &settings, &told);
    session_release(&session);
    assert_non_null(s->app);
    script_frame(s);
}

static void begin(Script *s, const char *state, float width_px, float height_px,
                  const AppFiles *files, JobPool pool, bool still) {
    begin_app(
        s, state, width_px, height_px,
        (AppResources){.run = {.words = &WORDLESS}, .files = *files, .pool = pool, .still = still});
}

void script_begin_given(Script *s, const char *state, const AppResources *resources) {
    AppResources given = *resources;
    given.run.words = &WORDLESS;
    begin_app(s, state, 1728, 1080, given);
}

void script_begin(Script *s, const char *state, float width_px, float height_px) {
    begin(s, state, width_px, height_px, &(AppFiles){.context = NULL}, NO_POOL, true);
}

void script_open(Script *s, const char *state) {
    script_begin(s, state, 1728, 1080);
}

void script_begin_typical(Script *s, const char *state, float width_px, float height_px) {
    begin(s, state, width_px, height_px, &(AppFiles){.context = NULL}, NO_POOL, true);
    s->measure.width = measure_typical_width;
    script_frame(s);
}

void script_begin_moving(Script *s, const char *state, float width_px, float height_px) {
    begin(s, state, width_px, height_px, &(AppFiles){.context = NULL}, NO_POOL, false);
}

void script_begin_with(Script *s, const char *state, const AppFiles *files) {
    begin(s, state, 1728, 1080, files, NO_POOL, true);
}

void script_begin_jobs(Script *s, const char *state, JobPool pool) {
    begin(s, state, 1728, 1080, &(AppFiles){.context = NULL}, pool, true);
}

void script_begin_wordless(Script *s, const char *state, Vec2 size_px, const AppFiles *files,
                           const AppWords *words) {
    begin_app(s, state, size_px.x, size_px.y,
              (AppResources){.files = *files, .words = *words, .still = true});
}

void script_drop(Script *s, const char *path) {
    script_events(
        s, &(InputEvent){.kind = INPUT_DROP_FILE, .text = path, .text_bytes = strlen(path)}, 1);
}

void script_open_disk(Script *s, const char *state) {
    AppFiles files = disk_files();
    script_begin_with(s, state, &files);
}

void script_close(Script *s) {
    app_destroy(s->app);
    draw_release(&s->list);
}

void script_end(Script *s) {
    script_close(s);
    disk_release();
}

void script_events(Script *s, const InputEvent *events, int count) {
    float scale = s->list.scale > 0 ? s->list.scale : 1;
    Input input = {.width_px = s->width_px,
                   .height_px = s->height_px,
                   .pointer_px = {s->pointer.x * scale, s->pointer.y * scale},
                   .pointer_inside = s->inside,
                   .mods = s->held,
                   .events = events,
                   .event_count = count};
    app_frame(s->app, &input, s->time_s, &s->list);
    const char *fault = drawn_fault(&s->list);
    if (fault != NULL)
        fail_msg("%s", fault);
}

void script_frame(Script *s) {
    script_events(s, NULL, 0);
}

void script_size(Script *s, float width_px, float height_px) {
    s->width_px = width_px;
    s->height_px = height_px;
    script_frame(s);
}

void script_move(Script *s, Vec2 to) {
    s->pointer = to;
    s->inside = true;
    script_frame(s);
}

void script_press(Script *s, Vec2 at, unsigned mods, int clicks) {
    s->pointer = at;
    s->inside = true;
    script_events(
        s,
        &(InputEvent){
            .kind = INPUT_BUTTON_DOWN, .button = POINTER_LEFT, .clicks = clicks, .mods = mods},
        1);
}

void script_release(Script *s, Vec2 at, unsigned mods) {
    s->pointer = at;
    script_events(s, &(InputEvent){.kind = INPUT_BUTTON_UP, .button = POINTER_LEFT, .mods = mods},
                  1);
}

void script_click_with(Script *s, Vec2 at, unsigned mods) {
    script_move(s, at);
    script_press(s, at, mods, 1);
    script_release(s, at, mods);
}

void script_click(Script *s, Vec2 at) {
    script_click_with(s, at, 0);
}

void script_double_click(Script *s, Vec2 at) {
    script_click(s, at);
    script_press(s, at, 0, 2);
    script_release(s, at, 0);
}

void script_drag(Script *s, Vec2 from, Vec2 to) {
    script_press(s, from, 0, 1);
    script_move(s, to);
    script_release(s, to, 0);
}

void script_wheel(Script *s, Vec2 at, float notches, unsigned mods) {
    s->pointer = at;
    s->inside = true;
    script_events(s, &(InputEvent){.kind = INPUT_WHEEL, .wheel = {0, notches}, .mods = mods}, 1);
}

void script_key(Script *s, uint32_t key, unsigned mods) {
    script_events(s, &(InputEvent){.kind = INPUT_KEY, .key = key, .mods = mods}, 1);
}

static void script_text(Script *s, InputKind kind, const char *text, size_t bytes) {
    script_events(s, &(InputEvent){.kind = kind, .text = text, .text_bytes = bytes}, 1);
}

void script_type(Script *s, const char *text) {
    script_text(s, INPUT_TEXT, text, strlen(text));
}

void script_keys(Script *s, const char *keys) {
    InputEvent event;
    char word[KEYS_WORD];
    while (keys_next(&keys, &event, word))
        script_events(s, &event, 1);
}

/* Return what stands between the brackets at the beginning of *scene, and move behind it. The
 * result is valid until the next call. */
static const char *take_bracketed(const char **scene, char close) {
    static char words[512];
    const char *end = strchr(*scene, close);
    assert_non_null(end);
    snprintf(words, sizeof words, "%.*s", (int)(end - *scene - 1), *scene + 1);
    *scene = end + 1;
    return words;
}

static bool scene_shows(const Script *s, char *words) {
    size_t bytes = strlen(words);
    bool is_cut = bytes > 0 && words[bytes - 1] == '*';
    if (!is_cut)
        return script_says(s, words);
    words[bytes - 1] = '\0';
    return words[0] == '*' ? script_shows(s, words + 1) : script_says_first(s, words);
}

static bool scene_has_effect(const Script *s, const char *name) {
    const AppEffects *effects = app_effects(s->app);
    if (strcmp(name, "typing") == 0)
        return effects->text_input;
    if (strcmp(name, "quit") == 0)
        return effects->quit;
    if (strcmp(name, "paste") == 0)
        return effects->want_paste;
    assert_string_equal(name, "idle");
    return effects->next_frame_s == INFINITY;
}

/* Do the first step of a scene if it is no key and no typed text. Return the next step, or NULL. */
static const char *play_step(Script *s, const char *at) {
    const char *step = at;
    bool wanted = at[0] != '-' || strchr("{~!", at[1]) == NULL, holds = wanted;
    at += !wanted;
    char word[KEYS_WORD * 4], *hash;
    float x, y;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(at, " "), at);
    const char *after = at + strcspn(at, " ");
    if (at[0] == '{' && strchr(at, '}') != NULL) {
        holds = scene_shows(s, (char *)take_bracketed(&at, '}'));
        after = at;
    } else if (at[0] == ':') {
        at++;
        holds = strcmp(take_bracketed(&at, '}'), script_sentence(s)) == 0;
        after = at;
    } else if (at[0] == '<') {
        char *words = (char *)take_bracketed(&at, '>');
        hash = strrchr(words, '#');
        int nth = hash != NULL ? atoi(hash + 1) : 0;
        if (hash != NULL)
            *hash = '\0';
        script_click_text(s, words, nth);
        after = at;
    } else if (at[0] == '=')
        script_check(s, word + 1);
    else if (at[0] == '~')
        holds = script_state_has(s, word + 1);
    else if (at[0] == '#')
        assert_int_equal(drawn_cells_count(&s->list), atoi(word + 1));
    else if (at[0] == '!')
        holds = scene_has_effect(s, word + 1);
    else if (at[0] == '@')
        script_wait(s, strtod(word + 1, NULL));
    else if (strcmp(word, "|") == 0)
        script_frame(s);
    else if (strncmp(word, "drop:", 5) == 0)
        script_drop(s, word + 5);
    else if (sscanf(word, "size:%fx%f", &x, &y) == 2)
        script_size(s, x, y);
    else if (sscanf(word, "move:%f,%f", &x, &y) == 2)
        script_move(s, (Vec2){x, y});
    else
        return NULL;
    if (holds != wanted)
        fail_msg("%.*s does not hold, in the state %s", (int)(after - step), step, script_state(s));
    return after + (*after == ' ');
}

void script_play(Script *s, const char *scene) {
    InputEvent event;
    char word[KEYS_WORD];
    while (*scene != '\0') {
        const char *next = play_step(s, scene);
        if (next != NULL)
            scene = next;
        else if (keys_next(&scene, &event, word))
            script_events(s, &event, 1);
    }
}

void script_gives(Script *s, const char *keys, const char *state) {
    script_keys(s, keys);
    script_check(s, state);
}

void script_command(Script *s, const char *words) {
    script_keys(s, "Ctrl+K");
    script_type(s, words);
    script_keys(s, "Enter");
}

void script_wait(Script *s, double seconds) {
    s->time_s += seconds;
    script_frame(s);
}

void script_paste(Script *s, const char *text, size_t bytes) {
    script_text(s, INPUT_PASTE, text, bytes);
}

void script_click_text(Script *s, const char *words, int nth) {
    const DrawCommand *text = drawn_text(&s->list, words, nth);
    if (text == NULL)
        fail_msg("“%s” is not to be seen", words);
    script_click(s, drawn_middle(&s->list, text));
}

const DrawPart *script_part(const Script *s, const char *id) {
    const DrawPart *part = part_find(&s->list, id, strlen(id));
    if (part == NULL)
        fail_msg("%s is not in the picture", id);
    return part;
}

const char *script_with_words(const char *state, int count, int different) {
    static char text[8192];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", state);
    for (int i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%sw%d", i > 0 ? "%20" : "",
                                 i % different);
    assert_true(used < sizeof text);
    return text;
}

const char *script_sentence(const Script *s) {
    return app_session(s->app)->text->bytes;
}

Vec2 script_chip(const Script *s, const char *word) {
    for (int nth = 0;; nth++) {
        const DrawCommand *text = drawn_text(&s->list, word, nth);
        if (text == NULL)
            fail_msg("no chip says “%s”", word);
        Vec2 at = drawn_middle(&s->list, text);
        if (at.y < 64)
            return at;
    }
}

const char *script_state(const Script *s) {
    static char state[8192];
    Settings settings = *app_settings(s->app);
    StateExtra extra = settings_extra(&settings, NULL);
    LOCAL(free_at) char *made = state_make(app_session(s->app), &extra);
    assert_true(strlen(made) < sizeof state);
    return strcpy(state, made);
}

void script_check(const Script *s, const char *state) {
    assert_string_equal(script_state(s), state);
}

bool script_says(const Script *s, const char *words) {
    return drawn_text(&s->list, words, 0) != NULL;
}

bool script_state_has(const Script *s, const char *part) {
    return strstr(script_state(s), part) != NULL;
}

void script_at(Script *s, double time_s) {
    s->time_s = time_s;
    script_frame(s);
}

bool script_says_first(const Script *s, const char *beginning) {
    return drawn_beginning(&s->list, beginning) != NULL;
}

bool script_shows(const Script *s, const char *words) {
    size_t bytes = strlen(words);
    for (size_t at = 0; at + bytes <= s->list.text_used; at++)
        if (memcmp(s->list.text + at, words, bytes) == 0)
            return true;
    return false;
}
