#include "support/panel.h"

#include <string.h>

#include "app/keymap.h"
#include "support/measure.h"
#include "support/test.h"

#define PASSES_MAX 6

void panel_events(Panel *p, const InputEvent *events, int count) {
    Input input = {.width_px = 800 * p->scale,
                   .height_px = 600 * p->scale,
                   .pointer_px = {p->pointer.x * p->scale, p->pointer.y * p->scale},
                   .pointer_inside = p->inside,
                   .mods = p->mods,
                   .events = events,
                   .event_count = count};
    p->ui.input = &input;
    p->ui.list = &p->list;
    p->ui.theme = &THEMES[THEME_DARK];
    p->ui.measure = &p->measure;
    p->ui.time_s = p->time_s;
    p->ui.again = true;
    for (p->passes = 0; p->ui.again && p->passes < PASSES_MAX; p->passes++) {
        p->ui.first_pass = p->passes == 0;
        draw_begin(&p->list, 800, 600, p->scale, THEMES[THEME_DARK].canvas);
        ui_begin(&p->ui);
        p->build(p);
        ui_end(&p->ui);
    }
    draw_end(&p->list);
    p->ui.input = NULL;
    const char *fault = drawn_fault(&p->list);
    if (fault != NULL)
        fail_msg("%s", fault);
    assert_true(p->passes < PASSES_MAX);
}

void panel_open(Panel *p, void (*build)(Panel *panel), void *data) {
    *p = (Panel){.measure = measure_fixed(NULL), .build = build, .data = data, .scale = 1};
    p->ui.reduced_motion = true; /* the tests of motion alone turn it on */
    panel_events(p, NULL, 0);
}

static void build_nothing(Panel *p) {
    (void)p;
}

void panel_blank(Panel *p) {
    panel_open(p, build_nothing, NULL);
    draw_begin(&p->list, 800, 600, 1, 0);
}

void panel_close(Panel *p) {
    draw_release(&p->list);
}

void panel_end(void *desk) {
    panel_close(desk);
}

void panel_move(Panel *p, float x, float y) {
    p->pointer = (Vec2){x, y};
    p->inside = true;
    panel_events(p, NULL, 0);
}

void panel_press(Panel *p, float x, float y, unsigned mods, int clicks) {
    p->pointer = (Vec2){x, y};
    p->inside = true;
    panel_events(p, &(InputEvent){.kind = INPUT_BUTTON_DOWN, .clicks = clicks, .mods = mods}, 1);
}

void panel_release(Panel *p, float x, float y) {
    p->pointer = (Vec2){x, y};
    panel_events(p, &(InputEvent){.kind = INPUT_BUTTON_UP}, 1);
}

void panel_click(Panel *p, float x, float y) {
    panel_press(p, x, y, 0, 1);
    panel_release(p, x, y);
}

void panel_wheel(Panel *p, float x, float y, float notches, unsigned mods) {
    p->pointer = (Vec2){x, y};
    p->inside = true;
    panel_events(p, &(InputEvent){.kind = INPUT_WHEEL, .wheel = {0, notches}, .mods = mods}, 1);
}

void panel_key(Panel *p, uint32_t key, unsigned mods) {
    panel_events(p, &(InputEvent){.kind = INPUT_KEY, .key = key, .mods = mods}, 1);
}

void panel_text(Panel *p, InputKind kind, const char *text) {
    panel_events(p, &(InputEvent){.kind = kind, .text = text, .text_bytes = strlen(text)}, 1);
}

bool keys_next(const char **keys, InputEvent *event, char word[KEYS_WORD]) {
    bool is_text = **keys == '\'';
    size_t bytes = strcspn(*keys += is_text, is_text ? "'" : " ");
    if (bytes == 0)
        return false;
    *event = (InputEvent){.kind = is_text ? INPUT_TEXT : INPUT_KEY};
    assert_true(bytes < KEYS_WORD);
    memcpy(word, *keys, bytes);
    word[bytes] = '\0';
    *keys += bytes + is_text;
    *keys += **keys == ' ';
    event->text = word;
    event->text_bytes = is_text ? bytes : 0;
    if (!is_text && !key_read(&event->key, &event->mods, word, bytes))
        fail_msg("%s is no key", word);
    return true;
}

void panel_keys(Panel *p, const char *keys) {
    InputEvent event;
    char word[KEYS_WORD];
    while (keys_next(&keys, &event, word))
        panel_events(p, &event, 1);
}
