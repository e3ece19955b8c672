#include <assert.h>
#include <math.h>
#include <string.h>

#include "app/chrome.h"
#include "app/commands.h"
#include "app/glossary_sheet.h"
#include "app/option_control.h"
#include "app/palette_sheet.h"
#include "app/path_sheet.h"
#include "app/tip.h"
#include "base/util.h"
#include "ui/button.h"
#include "ui/label.h"
#include "ui/scroll.h"
#include "ui/skin.h"
#include "ui/text.h"
#include "ui/tooltip.h"

#define PAD         24
#define ROW_H       46
#define NAME_W      130
#define NAME_H      28
#define KEY_ROW_H   32
#define KEY_W       160
#define COLUMN_W    452
#define KEY_LETTERS 14 /* letters of a key's name that fit */
#define KEY_NARROW  12 /* letters that fit in a narrow window */
#define OPTIONS_MAX 128

void sheet_panel(App *app, Rect sheet) {
    Ui *ui = &app->ui;
    skin_raise(ui, sheet, 14, ui->theme->chrome, ui->theme->control);
    ui_cover(ui, sheet);
}

Rect sheet_ground(App *app, Rect sheet, const char *title) {
    Ui *ui = &app->ui;
    sheet_panel(app, sheet);
    Rect rest = rect_inset(sheet, PAD, PAD - 8);
    Rect line = rect_cut_top(&rest, 48), close = rect_cut_right(&line, 36);
    text_in(ui, line, TEXT_TITLE, "%s", title);
    close = (Rect){close.x, close.y + 6, 36, 36};
    UiId id = ui_id("close sheet", 0);
    if (button_icon(ui, id, close, ICON_CLOSE)) {
        app->sheet = SHEET_NONE;
        ui->again = true;
    }
    tip_words(app, id, close, "Close this sheet.", "escape");
    return rest;
}

static int at_least_one(int count) {
    return count > 0 ? count : 1;
}

static int columns_for(const App *app, int rows, float row_h) {
    int fit = at_least_one((int)((app->ui.list->height - 140) / row_h));
    int most = at_least_one((int)((app->ui.list->width - 2 * PAD - 20) / COLUMN_W));
    int columns = at_least_one((rows + fit - 1) / fit);
    return columns < most ? columns : most;
}

static Rect sheet_place(const App *app, int columns, int rows_each, float row_h) {
    float w = fminf((float)columns * COLUMN_W + 2 * PAD, app->ui.list->width - 16);
    float h = fminf((float)rows_each * row_h + 2 * PAD + 48, app->ui.list->height - 16);
    float x = (app->ui.list->width - w) / 2, y = fminf(132, app->ui.list->height - h - 8);
    return (Rect){x, fmaxf(y, 8), w, h};
}

/* Begin to scroll if the rows are higher than the sheet. *rest is set to the place of the rows. */
static ScrollArea sheet_scroll(App *app, Rect *rest, int rows, float row_h) {
    ScrollArea area = scroll_begin(&app->ui, ui_id("sheet", (int)app->sheet), *rest,
                                   &app->sheet_scroll, (Vec2){rest->w, (float)rows * row_h});
    *rest = area.content;
    return area;
}

/* Collect every option of both tables, except lists, which are edited where they are shown. */
static int options_of(const OptionRow *rows[OPTIONS_MAX]) {
    const OptionTable *const tables[] = {&STATE_OPTIONS, &PICTURE_OPTIONS};
    int count = 0;
    for (size_t t = 0; t < ARRAY_COUNT(tables); t++)
        for (int i = 0; i < tables[t]->count && count < OPTIONS_MAX; i++)
            if (tables[t]->rows[i].kind != OPTION_LIST)
                rows[count++] = &tables[t]->rows[i];
    assert(count < OPTIONS_MAX);
    return count;
}

/* Draw every option with its control. */
static void options_sheet(App *app) {
    const OptionRow *rows[OPTIONS_MAX];
    int count = options_of(rows);
    bool is_narrow = app->layout.width == LAYOUT_NARROW; /* names are then above their values */
    float row_h = is_narrow ? ROW_H + NAME_H : ROW_H;
    int columns = columns_for(app, count, row_h), each = (count + columns - 1) / columns;
    Rect rest = sheet_ground(app, sheet_place(app, columns, each, row_h), "Every setting");
    Ui *ui = &app->ui;
    ScrollArea area = sheet_scroll(app, &rest, each, row_h);
    float width = rest.w / (float)columns;
    for (int i = 0; i < count; i++) {
        Rect line = {rest.x + width * (float)(i / each), rest.y + row_h * (float)(i % each),
                     width - 16, row_h};
        Rect name = is_narrow ? rect_cut_top(&line, NAME_H) : rect_cut_left(&line, NAME_W);
        text_in(ui, name, TEXT_BODY | TEXT_FAINT, "%s", rows[i]->entry.label);
        const Entry *entry = &rows[i]->entry;
        tooltip_on(ui, ui_id("setting", i), name, ui_over(ui, name),
                   &(Tooltip){.title = entry->label, .text = entry->help});
        float wanted = option_control_width(app, rows[i]);
        Rect control = {line.x, line.y + 5, fminf(wanted, line.w), 36};
        option_control(app, rows[i], control);
    }
    scroll_end(ui, &area);
}

/* The rows for keys of the focused control, which are no commands. */
static const struct {
    const char *keys, *words;
} FOCUS_KEYS[] = {
    {"Tab", "Next control (Shift: previous)"}, {"Enter", "Press it, or type a number"},
    {"↑, ↓", "Step a number (Shift: ten)"},    {"Alt ↑, Ctrl ↑", "Fine step, round value"},
    {"Home, End", "Smallest, largest value"},
};

static void keys_words(App *app, Rect line, const char *keys, const char *words) {
    LabelStyle key = {FONT_MONO, 16, app->ui.theme->text_1, LABEL_LEFT};
    rect_cut_left(&line, 8);
    label_draw(&app->ui, rect_cut_left(&line, fminf(KEY_W, line.w * 0.36f) - 8), &key, keys);
    rect_cut_left(&line, 8);
    text_in(&app->ui, line, TEXT_BODY, "%s", words);
}

/* Let a click run the command, for users without a keyboard. */
static void keys_row(App *app, Rect line, int command) {
    UiId id = ui_id("key", command);
    UiState state = ui_control(&app->ui, id, line, 0);
    if (state.hovered)
        draw_fill(app->ui.list, line, 6, app->ui.theme->hover);
    if (state.clicked) {
        app->sheet = SHEET_NONE;
        command_do(app, command);
    }
    ui_focus_ring(&app->ui, id, rect_inset(line, 2, 2), 6);
    char names[KEY_NAME_MAX * 2];
    bool is_narrow = app->layout.width == LAYOUT_NARROW;
    keymap_names(names, (is_narrow ? KEY_NARROW : KEY_LETTERS) + 1, &app->keys, command);
    if (names[0] == '\0') /* one of the user's keys is too long for the column */
        keymap_names(names, sizeof names, &app->keys, command);
    keys_words(app, line, names, command_label(command));
    tip_command(app, id, line, COMMANDS[command].entry.id);
}

/* True if the command has a key. */
static bool has_row(const App *app, int command) {
    for (int i = 0; i < app->keys.count; i++)
        if (app->keys.at[i].command == command)
            return true;
    return false;
}

static void keys_sheet(App *app) {
    int commands = 0, at = 0;
    for (int i = 0; i < COMMAND_REGISTRY.count; i++)
        commands += has_row(app, i);
    int count = commands + (int)ARRAY_COUNT(FOCUS_KEYS);
    int columns = columns_for(app, count, KEY_ROW_H);
    int each = at_least_one((count + columns - 1) / columns);
    Rect rest = sheet_ground(app, sheet_place(app, columns, each, KEY_ROW_H), "Keys");
    ScrollArea area = sheet_scroll(app, &rest, each, KEY_ROW_H);
    float width = rest.w / (float)columns;
    for (int command = 0; at < count; at++) {
        Rect line = {rest.x + width * (float)(at / each), rest.y + KEY_ROW_H * (float)(at % each),
                     width - 8, KEY_ROW_H};
        while (at < commands && !has_row(app, command))
            command++;
        if (at < commands) {
            keys_row(app, line, command++);
            continue;
        }
        keys_words(app, line, FOCUS_KEYS[at - commands].keys, FOCUS_KEYS[at - commands].words);
        tooltip_on(&app->ui, ui_id("focus key", at), line, ui_over(&app->ui, line),
                   &(Tooltip){.text = "Keys of the control that has the focus: Tab moves it."});
    }
    scroll_end(&app->ui, &area);
}

void sheet_draw(App *app) {
    static void (*const SHEETS[])(App * app) = {
        [SHEET_OPTIONS] = options_sheet, [SHEET_KEYS] = keys_sheet,
        [SHEET_PALETTE] = palette_draw,  [SHEET_OPEN] = path_sheet_draw,
        [SHEET_SAVE] = path_sheet_draw,  [SHEET_RESULT] = path_sheet_draw,
        [SHEET_WORDS] = path_sheet_draw, [SHEET_GLOSSARY] = glossary_sheet_draw};
    if (app->sheet == SHEET_NONE)
        return;
    app->ui.list->layer = UI_LAYER_DRAWER;
    SHEETS[app->sheet](app);
    app->ui.list->layer = UI_LAYER_BASE;
}

void sheet_follow(App *app) {
    bool is_open = app->sheet != SHEET_NONE;
    bool has_field = app->ui.focus != 0 && app->ui.focus != app->focus_under;
    if (is_open && !app->is_under_sheet && !has_field)
        ui_focus_forget(&app->ui);
    app->is_under_sheet |= is_open;
    if (!app->is_under_sheet || is_open || app->has_drawn_sheet)
        return;
    app->is_under_sheet = false;
    ui_focus_back(&app->ui, app->focus_under, app->focus_under_is_visible);
}
