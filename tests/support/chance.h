/* chance.h: converts bytes to input events, and checks the window after each; for the random test
 * and for the fuzzer. */
#ifndef HEADLIGHT_TESTS_SUPPORT_CHANCE_H
#define HEADLIGHT_TESTS_SUPPORT_CHANCE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app_state.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "base/util.h"
#include "document/state.h"
#include "support/measure.h"

#define CHANCE_EVENT_BYTES 6 /* bytes that determine one event */
#ifndef CHANCE_WIDTH
#define CHANCE_WIDTH  1728 /* the window, in which everything is shown */
#define CHANCE_HEIGHT 1080
#endif

typedef struct Chance {
    const uint8_t *at; /* the bytes that are left */
    size_t left;
    float width_px, height_px;
    Vec2 pointer_px;
    bool inside, down;
    double time_s;
    char what[96]; /* the last event in words */
} Chance;

/* Return the number in an environment variable, or else the standard one. */
static inline unsigned long chance_number(const char *name, unsigned long standard) {
    const char *text = getenv(name);
    return text != NULL ? strtoul(text, NULL, 10) : standard;
}

static inline unsigned chance_take(Chance *c) {
    if (c->left == 0)
        return 0;
    c->left--;
    return *c->at++;
}

static const char *const CHANCE_TEXTS[] = {"a",
                                           "the cat sat",
                                           "5",
                                           "8",
                                           "32",
                                           " ",
                                           "ñ",
                                           "e\u0301",
                                           "鍵",
                                           "👩\u200D👧",
                                           "\xFF",
                                           "\xE9\x8D",
                                           "\u2212",
                                           "0.5",
                                           "x\n",
                                           "1,2",
                                           "",
                                           "-1",
                                           "text=%20",
                                           "heads=8&seed=4",
                                           "mask=causal&pin=2,1",
                                           "d-model=48&heads=3&head=3",
                                           "a b c d e f g h i j k l m n o p q r s t u v w x y z",
                                           "beside=normal&temperature=0.2",
                                           "12",
                                           "/home/one.headlight",
                                           "/home/broken.headlight",
                                           "/home/text.txt",
                                           "/home/words.safetensors",
                                           "he normal"};

static const uint32_t CHANCE_KEYS[] = {
    KEY_ESCAPE,    KEY_ENTER, KEY_TAB, KEY_BACKSPACE, KEY_DELETE, KEY_LEFT,   KEY_RIGHT, KEY_UP,
    KEY_DOWN,      KEY_HOME,  KEY_END, KEY_F1,        KEY_F11,    KEY_F1 + 5, 'a',       'c',
    'v',           'x',       'z',     'y',           'l',        'f',        'r',       'm',
    't',           'o',       'i',     '[',           ']',        '1',        '2',       ' ',
    '?',           '+',       '-',     '0',           'q',        'k',        's',       'n',
    KEY_PAGE_DOWN, '3',       '4',     '5',           '6'};

static inline void chance_key(Chance *c, InputEvent *event) {
    static const unsigned mods[] = {0,
                                    0,
                                    0,
                                    KEY_MOD_COMMAND,
                                    KEY_MOD_COMMAND,
                                    KEY_MOD_SHIFT,
                                    KEY_MOD_COMMAND | KEY_MOD_SHIFT,
                                    KEY_MOD_ALT};
    event->kind = INPUT_KEY;
    event->key = CHANCE_KEYS[chance_take(c) % ARRAY_COUNT(CHANCE_KEYS)];
    event->mods = mods[chance_take(c) % ARRAY_COUNT(mods)];
    snprintf(c->what, sizeof c->what, "key %#x with %u", event->key, event->mods);
}

static inline void chance_words(Chance *c, InputEvent *event) {
    static const InputKind kinds[] = {INPUT_TEXT,  INPUT_TEXT,    INPUT_TEXT,  INPUT_TEXT,
                                      INPUT_PASTE, INPUT_COMPOSE, INPUT_PASTE, INPUT_DROP_FILE};
    event->kind = kinds[chance_take(c) % ARRAY_COUNT(kinds)];
    event->text = CHANCE_TEXTS[chance_take(c) % ARRAY_COUNT(CHANCE_TEXTS)];
    event->text_bytes = strlen(event->text);
    snprintf(c->what, sizeof c->what, "text %d “%s”", (int)event->kind, event->text);
}

static inline void chance_move(Chance *c) {
    c->pointer_px.x = (float)chance_take(c) / 255 * c->width_px;
    c->pointer_px.y = (float)chance_take(c) / 255 * c->height_px;
    c->inside = true;
}

static inline void chance_button(Chance *c, InputEvent *event) {
    if (!c->down)
        chance_move(c);
    unsigned bits = chance_take(c);
    event->kind = c->down ? INPUT_BUTTON_UP : INPUT_BUTTON_DOWN;
    event->button = bits % 16 == 0 ? POINTER_RIGHT : bits % 16 == 2 ? POINTER_MIDDLE : POINTER_LEFT;
    event->clicks = 1 + (int)(bits / 16 % 3);
    event->mods = bits % 8 == 1 ? KEY_MOD_SHIFT : 0;
    if (event->button == POINTER_LEFT) /* the others end no drag */
        c->down = !c->down;
    snprintf(c->what, sizeof c->what, "button %s, %d clicks at %.0f, %.0f px",
             event->kind == INPUT_BUTTON_DOWN ? "down" : "up", event->clicks,
             (double)c->pointer_px.x, (double)c->pointer_px.y);
}

static inline void chance_wheel(Chance *c, InputEvent *event) {
    chance_move(c);
    unsigned bits = chance_take(c);
    event->kind = INPUT_WHEEL;
    event->wheel.y = (float)(bits % 7) - 3;
    event->wheel.x = bits % 5 == 0 ? 1 : 0;
    snprintf(c->what, sizeof c->what, "wheel %.0f at %.0f, %.0f px", (double)event->wheel.y,
             (double)c->pointer_px.x, (double)c->pointer_px.y);
}

static inline void chance_resize(Chance *c) {
    static const float sizes[][2] = {{1728, 1080}, {1024, 768}, {1366, 700},
                                     {560, 420},   {300, 200},  {2560, 1440}};
    const float *size = sizes[chance_take(c) % ARRAY_COUNT(sizes)];
    c->width_px = size[0];
    c->height_px = size[1];
    snprintf(c->what, sizeof c->what, "size %.0f × %.0f", (double)size[0], (double)size[1]);
}

/* Fill size bytes with part number `part` of the sequence of that seed. */
static inline void chance_fill(uint8_t *bytes, size_t size, uint64_t seed, uint64_t part) {
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(rng_bits(rng_stream(seed, part), i) >> 32);
}

/* Fill input with the next event. False after the last one. event is part of input. */
static inline bool chance_next(Chance *c, Input *input, InputEvent *event) {
    if (c->left < CHANCE_EVENT_BYTES)
        return false;
    size_t left = c->left;
    unsigned kind = chance_take(c) % 16;
    *event = (InputEvent){0};
    bool is_event = true;
    if (kind < 4) {
        chance_key(c, event);
    } else if (kind < 6) {
        chance_words(c, event);
    } else if (kind < 11) {
        chance_button(c, event);
    } else if (kind < 12) {
        chance_wheel(c, event);
    } else {
        is_event = false;
        if (kind == 12 && chance_take(c) % 4 == 0)
            chance_resize(c);
        else
            chance_move(c);
        c->inside = kind != 13 || chance_take(c) % 4 != 0;
    }
    if (!is_event && kind != 12)
        snprintf(c->what, sizeof c->what, "move to %.0f, %.0f px", (double)c->pointer_px.x,
                 (double)c->pointer_px.y);
    c->time_s += chance_take(c) % 32 == 0 ? 9 : 0.02;
    size_t used = left - c->left; /* each event has its own bytes, however many it looks at */
    for (; used < CHANCE_EVENT_BYTES; used++)
        chance_take(c);
    *input = (Input){.width_px = c->width_px,
                     .height_px = c->height_px,
                     .pointer_px = c->pointer_px,
                     .pointer_inside = c->inside,
                     .mods = event->mods,
                     .events = event,
                     .event_count = is_event ? 1 : 0};
    return true;
}

/* The state as one string, to be freed by the caller; NULL for want of memory. */
static inline char *chance_state(const App *app) {
    Settings settings = *app_settings(app);
    StateExtra extra = {
        .table = &PICTURE_OPTIONS, .values = &settings, .values_bytes = sizeof settings};
    return state_make(app_session(app), &extra);
}

static inline void chance_press(App *app, DrawList *list, uint32_t key, unsigned mods) {
    InputEvent event = {.kind = INPUT_KEY, .key = key, .mods = mods};
    Input input = {
        .width_px = CHANCE_WIDTH, .height_px = CHANCE_HEIGHT, .events = &event, .event_count = 1};
    app_frame(app, &input, 1e6, list);
}

/* End a drag, cancel typed text, close sheets and unpin, so that no state is left for the next
 * test. */
static inline void chance_let_go(App *app, DrawList *list) {
    InputEvent done[] = {{.kind = INPUT_COMPOSE, .text = ""},
                         {.kind = INPUT_BUTTON_UP, .button = POINTER_LEFT}};
    Input input = {
        .width_px = CHANCE_WIDTH, .height_px = CHANCE_HEIGHT, .events = done, .event_count = 2};
    app_frame(app, &input, 1e6, list);
    uint64_t before = 0, shown = draw_hash(list);
    for (int i = 0; i < 24 && shown != before; i++) { /* the largest number of messages */
        before = shown;
        chance_press(app, list, KEY_ESCAPE, 0);
        shown = draw_hash(list);
    }
}

/* Undo everything; returns the steps it took, at most most. */
static inline int chance_undo_all(App *app, DrawList *list, int most) {
    int steps = 0;
    app->tour_editor.is_on = false; /* undo of a tour's words changes no state */
    char *before = chance_state(app);
    for (bool more = true; more && steps < most; steps += more) {
        chance_press(app, list, 'z', KEY_MOD_COMMAND);
        char *after = chance_state(app);
        more = before != NULL && after != NULL && strcmp(before, after) != 0;
        free(before);
        before = after;
    }
    free(before);
    return steps;
}

#endif
