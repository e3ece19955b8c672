#include <assert.h>
#include <math.h>

#include "app/chrome.h"
#include "app/commands.h"
#include "app/sheets.h"
#include "base/util.h"
#include "ui/button.h"
#include "ui/label.h"
#include "ui/skin.h"
#include "ui/text.h"
#include "ui/tooltip.h"

#define PAD         24
#define FINDER_PAD  16
#define ROW_H       46
#define NAME_W      154
#define NAME_H      28
#define KEY_ROW_H   32
#define KEY_W       160
#define COLUMN_W    462
#define KEY_LETTERS 14 /* letters of a key's name that fit into the column */
#define KEY_NARROW  12 /* letters that fit in a narrow window */
#define ROWS_MAX    128

void sheet_open(App *app, AppSheet sheet) {
    app->sheet = sheet;
    app->sheet_scroll = (Scroll){0};
    app->ui.focus = 0;
    app->ui.again = true;
}

void sheet_close(App *app) {
    app->sheet = SHEET_NONE;
    app->ui.covering[UI_LAYER_DRAWER] = (Rect){0};
    app->ui.again = true;
}

static void panel_draw(App *app, Rect sheet) {
    skin_raise(&app->ui, sheet, 14, app->ui.theme->chrome, app->ui.theme->control);
    ui_cover(&app->ui, sheet);
}

Rect sheet_ground(App *app, Rect sheet, const char *title) {
    Ui *ui = &app->ui;
    panel_draw(app, sheet);
    Rect rest = rect_inset(sheet, PAD, PAD - 8);
    Rect line = rect_cut_top(&rest, 48), close = rect_cut_right(&line, 36);
    text_in(ui, line, TEXT_TITLE, "%s", title);
    close = (Rect){close.x, close.y + 6, 36, 36};
    UiId id = ui_id("close sheet", 0);
    if (button_icon(ui, id, close, ICON_CLOSE))
        sheet_close(app);
    tip_words(app, id, close, "Close this sheet.", "escape");
    return rest;
}

Rect sheet_finder(App *app, float width, float height) {
    Ui *ui = &app->ui;
    float w = fminf(width, ui->list->width - 32), h = fminf(height, ui->list->height - 32);
    Rect sheet = {(ui->list->width - w) / 2, fminf(80, (ui->list->height - h) / 2), w, h};
    panel_draw(app, sheet);
    if (ui_pressed_outside(ui, sheet))
        sheet_close(app);
    return rect_inset(sheet, FINDER_PAD, FINDER_PAD);
}

/* Rows in columns. If the columns are higher than the window, they scroll. */
typedef struct Grid {
    ScrollArea area;
    float row_w, row_h;
    int each; /* rows of a column */
} Grid;

static Grid grid_begin(App *app, const char *title, int count, float row_h) {
    const DrawList *list = app->ui.list;
    int fit = (int)fmaxf((list->height - 140) / row_h, 1);
    int most = (int)fmaxf((list->width - 2 * PAD - 20) / COLUMN_W, 1);
    int columns = (count + fit - 1) / fit < most ? (count + fit - 1) / fit : most;
    Grid grid = {.row_h = row_h, .each = (count + columns - 1) / columns};
    float rows_h = (float)grid.each * row_h;
    float w = fminf((float)columns * COLUMN_W + 2 * PAD, list->width - 16);
    float h = fminf(rows_h + 2 * PAD + 48, list->height - 16);
    Rect sheet = {(list->width - w) / 2, fmaxf(fminf(132, list->height - h - 8), 8), w, h};
    Rect rest = sheet_ground(app, sheet, title);
    grid.area = scroll_begin(&app->ui, ui_id("sheet", (int)app->sheet), rest, &app->sheet_scroll,
                             (Vec2){rest.w, rows_h});
    grid.row_w = grid.area.content.w / (float)columns;
    return grid;
}

/* Return the place of row i, without the gap before the next column. */
static Rect grid_row(const Grid *grid, int i, float gap) {
    return (Rect){grid->area.content.x + grid->row_w * (float)(i / grid->each),
                  grid->area.content.y + grid->row_h * (float)(i % grid->each), grid->row_w - gap,
                  grid->row_h};
}

/* Draw every option with its control. Options whose value is a list are left out, because they are
 * edited where they are shown. */
static void options_sheet(App *app) {
    Ui *ui = &app->ui;
    const OptionRow *rows[ROWS_MAX];
    int count = 0;
    for (int i = 0; option_nth(i) != NULL; i++)
        if (option_nth(i)->kind != OPTION_LIST) {
            assert(count < ROWS_MAX);
            rows[count++] = option_nth(i);
        }
    /* In a narrow window each name is above its value. */
    bool is_narrow = app->layout.width == LAYOUT_NARROW;
    Grid grid = grid_begin(app, "Every setting", count, is_narrow ? ROW_H + NAME_H : ROW_H);
    for (int i = 0; i < count; i++) {
        const Entry *entry = &rows[i]->entry;
        Rect line = grid_row(&grid, i, 6);
        Rect name = is_narrow ? rect_cut_top(&line, NAME_H) : rect_cut_left(&line, NAME_W);
        text_in(ui, name, TEXT_BODY | TEXT_FAINT, "%s", entry->label);
        tooltip_over(ui, ui_id("setting", i), name, entry->label, entry->help);
        float wanted = option_control_width(app, rows[i]);
        option_control(app, rows[i], (Rect){line.x, line.y + 5, fminf(wanted, line.w), 36});
    }
    scroll_end(ui, &grid.area);
}

/* The keys of the focused control, which are listed although they run no commands. */
static const struct {
    const char *keys, *words;
} FOCUS_KEYS[] = {
    {"Tab", "Next control (Shift: previous)"}, {"Enter", "Press it, or type a number"},
    {"↑, ↓", "Step a number (Shift: ten)"},    {"Alt ↑, Ctrl ↑", "Fine step, round value"},
    {"Home, End", "Smallest, largest value"},
};

static void keys_words(App *app, Rect line, const char *keys, const char *words) {
    rect_cut_left(&line, 8);
    text_in(&app->ui, rect_cut_left(&line, fminf(KEY_W, line.w * 0.36f) - 8),
            TEXT_COUNT | TEXT_BRIGHT | TEXT_PX(16), "%s", keys);
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
        sheet_close(app);
        command_do(app, command);
    }
    ui_focus_ring(&app->ui, id, rect_inset(line, 2, 2), 6);
    char names[KEY_NAME_MAX * 2];
    bool is_narrow = app->layout.width == LAYOUT_NARROW;
    keymap_names(names, (is_narrow ? KEY_NARROW : KEY_LETTERS) + 1, &app->keys, command);
    if (names[0] == '\0') /* no name fits the column, so write the user's long key anyway */
        keymap_names(names, sizeof names, &app->keys, command);
    keys_words(app, line, names, command_label(command));
    tip_command(app, id, line, COMMANDS[command].entry.id);
}

static void keys_sheet(App *app) {
    int commands[ROWS_MAX], count = 0;
    for (int i = 0; i < COMMAND_REGISTRY.count; i++)
        if (keymap_shown(&app->keys, i) != NULL) {
            assert(count < ROWS_MAX);
            commands[count++] = i;
        }
    Grid grid = grid_begin(app, "Keys", count + (int)ARRAY_COUNT(FOCUS_KEYS), KEY_ROW_H);
    for (int i = 0; i < count; i++)
        keys_row(app, grid_row(&grid, i, 8), commands[i]);
    for (int i = 0; i < (int)ARRAY_COUNT(FOCUS_KEYS); i++) {
        Rect line = grid_row(&grid, count + i, 8);
        keys_words(app, line, FOCUS_KEYS[i].keys, FOCUS_KEYS[i].words);
        tooltip_over(&app->ui, ui_id("focus key", i), line, NULL,
                     "Keys of the focused control; Tab moves the focus.");
    }
    scroll_end(&app->ui, &grid.area);
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
