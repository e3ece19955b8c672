#include "app/commands.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/chrome.h"
#include "app/option_control.h"
#include "base/util.h"

#define UI_SCALE_STEP 0.1f

static void set_picture(App *app, const char *key, const char *value) {
    app_set(app, option_find(&PICTURE_OPTIONS, key, strlen(key)), value, 0);
}

static void run_edit_text(App *app, int argument) {
    (void)argument;
    text_row_edit(app);
}

static void run_sheet(App *app, int sheet) {
    app->sheet = app->sheet == (AppSheet)sheet ? SHEET_NONE : (AppSheet)sheet;
    app->ui.again = true;
}

static void run_head(App *app, int step) {
    char value[16];
    int heads = app->session.options.heads;
    snprintf(value, sizeof value, "%d", (app->session.options.head - 1 + step + heads) % heads + 1);
    app_set_state(app, "head", value, 0);
}

static void run_seed(App *app, int step) {
    option_step(app, option_row("seed"), step, 0);
}

/* The two that a lecture compares; any other goes back to the first. */
static void run_form(App *app, int argument) {
    bool separate = app->session.options.form.row == FORM_SEPARATE;
    (void)argument;
    app_set_state(app, "form", separate ? "merged" : "separate", 0);
}

static void run_mask(App *app, int argument) {
    (void)argument;
    option_cycle(app, option_row("mask"));
}

static void run_edges_reset(App *app, int argument) {
    (void)argument;
    if (app->session.edges != NULL)
        app_paint_edges(app, &EDGES_RESET, 0);
}

static void run_theme(App *app, int argument) {
    (void)argument;
    option_cycle(app, option_find(&PICTURE_OPTIONS, "theme", strlen("theme")));
}

static void run_view(App *app, int view) {
    if (view < VIEW_REGISTRY.count)
        set_picture(app, "view", registry_entry(&VIEW_REGISTRY, view)->id);
}

static void run_scale(App *app, int step) {
    char value[OPTION_TEXT_MAX];
    float scale = step == 0 ? 1 : app->settings.ui_scale + UI_SCALE_STEP * (float)step;
    scale = fminf(fmaxf(scale, 0.75f), 3);
    snprintf(value, sizeof value, "%.2f", (double)scale);
    set_picture(app, "ui-scale", value);
}

static void run_undo(App *app, int way) {
    if (way < 0)
        app_undo(app);
    else
        app_redo(app);
}

static void run_quit(App *app, int argument) {
    (void)argument;
    app->effects.quit = true;
}

static void run_fullscreen(App *app, int argument) {
    (void)argument;
    app->effects.toggle_fullscreen = true;
}

static void run_drawer(App *app, int argument) {
    (void)argument;
    app->drawer_open = !app->drawer_open;
    app->ui.again = true;
}

static void run_copy_state(App *app, int argument) {
    char state[APP_STATE_MAX * 4];
    StateExtra extra = {&PICTURE_OPTIONS, &app->settings, sizeof app->settings};
    (void)argument;
    size_t bytes = state_write(state, sizeof state, &app->session, &extra);
    if (bytes == 0) /* the default: something that reads as it */
        bytes = (size_t)snprintf(state, sizeof state, "seed=%s", option_row("seed")->standard);
    if (bytes >= sizeof state) {
        app_say(app, "The state string is too long to copy; shorten the text", true);
        return;
    }
    app_copy(app, state, bytes);
    app->copied_until_s = app->time_s + 1.2;
    app->ui.again = true;
}

static void run_paste_state(App *app, int argument) {
    (void)argument;
    app->ui.wants_paste = true;
}

/* Escape closes what is open, then unpins. */
static void run_escape(App *app, int argument) {
    (void)argument;
    if (app->sheet != SHEET_NONE)
        app->sheet = SHEET_NONE;
    else if (app->message.until_s > app->time_s)
        app->message.until_s = app->time_s;
    else
        app_set_state(app, "pin", "none", 0);
    app->ui.again = true;
}

/* Arrows move the pin; without one they begin at the first cell. argument: 0 left, 1 right, 2 up,
 * 3 down. */
static void run_pin(App *app, int way) {
    static const int rows[] = {0, 0, -1, 1}, columns[] = {-1, 1, 0, 0};
    OptionPair pin = app->session.options.pin;
    char value[32];
    int T = app->run.T;
    if (!app->run.valid || T == 0)
        return;
    bool pinned = pin.first >= 1 && pin.first <= T && pin.second <= T;
    pin.first = pinned ? pin.first + rows[way] : 1;
    pin.second = pinned ? pin.second + columns[way] : 1;
    if (pin.first < 1 || pin.second < 1 || pin.first > T || pin.second > T)
        return;
    snprintf(value, sizeof value, "%d,%d", pin.first, pin.second);
    app_set_state(app, "pin", value, 0);
}

#define CTRL  KEY_MOD_COMMAND
#define SHIFT KEY_MOD_SHIFT

const Command COMMANDS[] = {
    {"edit-text", "Edit the sentence", "Ctrl L", 'l', CTRL, true, run_edit_text, 0},
    {"pin-left", "Move the pin", "Arrows", KEY_LEFT, 0, false, run_pin, 0},
    {"pin-right", NULL, NULL, KEY_RIGHT, 0, false, run_pin, 1},
    {"pin-up", NULL, NULL, KEY_UP, 0, false, run_pin, 2},
    {"pin-down", NULL, NULL, KEY_DOWN, 0, false, run_pin, 3},
    {"escape", "Unpin, or close what is open", "Esc", KEY_ESCAPE, 0, false, run_escape, 0},
    {"head-before", "Head before", "[", '[', 0, false, run_head, -1},
    {"head-next", "Next head", "]", ']', 0, false, run_head, 1},
    {"form", "Separate or merged weights", "F", 'f', 0, false, run_form, 0},
    {"reroll", "Next seed", "R", 'r', 0, false, run_seed, 1},
    {"reroll-back", "Seed before", "Shift R", 'r', SHIFT, false, run_seed, -1},
    {"mask", "Next mask", "M", 'm', 0, false, run_mask, 0},
    {"edges-reset", "Mask unedited; Ctrl click edits", "Shift M", 'm', SHIFT, false,
     run_edges_reset, 0},
    {"theme", "Next theme", "T", 't', 0, false, run_theme, 0},
    {"options", "Every setting", "O", 'o', 0, false, run_sheet, SHEET_OPTIONS},
    {"inspector", "Inspector, in a narrow window", "I", 'i', 0, false, run_drawer, 0},
    {"view-1", "View", "1", '1', 0, false, run_view, 0},
    {"view-2", NULL, NULL, '2', 0, false, run_view, 1},
    {"view-3", NULL, NULL, '3', 0, false, run_view, 2},
    {"view-4", NULL, NULL, '4', 0, false, run_view, 3},
    {"view-5", NULL, NULL, '5', 0, false, run_view, 4},
    {"view-6", NULL, NULL, '6', 0, false, run_view, 5},
    {"undo", "Undo", "Ctrl Z", 'z', CTRL, true, run_undo, -1},
    {"redo", "Redo", "Ctrl Shift Z", 'z', CTRL | SHIFT, true, run_undo, 1},
    {"redo-y", NULL, NULL, 'y', CTRL, true, run_undo, 1},
    {"copy-state", "Copy the state as text", "Ctrl Shift C", 'c', CTRL | SHIFT, true,
     run_copy_state, 0},
    {"paste-state", "Paste a state", "Ctrl V", 'v', CTRL, false, run_paste_state, 0},
    {"larger", "Everything larger", "Ctrl +", '+', CTRL, true, run_scale, 1},
    {"larger-shift", NULL, NULL, '+', CTRL | SHIFT, true, run_scale, 1},
    {"larger-equals", NULL, NULL, '=', CTRL, true, run_scale, 1},
    {"smaller", "Everything smaller", "Ctrl −", '-', CTRL, true, run_scale, -1},
    {"normal-size", "Everything as it was", "Ctrl 0", '0', CTRL, true, run_scale, 0},
    {"fullscreen", "Full screen", "F11", KEY_F11, 0, true, run_fullscreen, 0},
    {"keys", "This list", "?", '?', 0, false, run_sheet, SHEET_KEYS},
    {"keys-shift", NULL, NULL, '?', SHIFT, false, run_sheet, SHEET_KEYS},
    {"keys-slash", NULL, NULL, '/', SHIFT, false, run_sheet, SHEET_KEYS},
    {"keys-f1", NULL, NULL, KEY_F1, 0, true, run_sheet, SHEET_KEYS},
    {"quit", "Quit", "Ctrl Q", 'q', CTRL, true, run_quit, 0},
};

const int COMMAND_COUNT = ARRAY_COUNT(COMMANDS);

void command_run(App *app, const char *id) {
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(COMMANDS[i].id, id) != 0)
            continue;
        COMMANDS[i].run(app, COMMANDS[i].argument);
        return;
    }
    assert(false);
}

void commands_keys(App *app) {
    bool typing = app->ui.wants_text;
    for (int i = 0; i < COMMAND_COUNT; i++) {
        const Command *command = &COMMANDS[i];
        if (typing && !command->while_typing)
            continue;
        while (ui_key(&app->ui, command->key, command->mods))
            command->run(app, command->argument);
    }
}
