#include <string.h>

#include "app/chrome.h"
#include "app/commands.h"
#include "app/examples.h"
#include "base/util.h"
#include "ui/button.h"
#include "ui/dropdown.h"
#include "ui/label.h"
#include "ui/skin.h"
#include "ui/text.h"

#define FIELD_X       184
#define FIELD_X_SMALL 172
#define BUTTON_PLACE  44
#define MENU_GAP      8

/* Draw the name: “Head” and “light”, with a beam that opens from the d and passes behind the
 * letters. */
void wordmark_draw(App *app, Rect row) {
    Ui *ui = &app->ui;
    const Theme *theme = ui->theme;
    float size = 25, x = row.x + 24, baseline = row.y + row.h / 2 + 9;
    float head = label_width(ui, FONT_SANS_BOLD, size, "Head", 4);
    float d = label_width(ui, FONT_SANS_BOLD, size, "d", 1);
    float light = label_width(ui, FONT_SANS, size, "light", 5);
    float from = x + head - d / 2, to = x + head + light + 30, middle = baseline - size * 0.36f;
    float knee = from + (to - from) * 0.45f;
    float share = 0.45f, low = baseline + size * 0.28f, high = baseline - size;
    Vec2 knee_low = {knee, middle + (low - middle) * share};
    Vec2 knee_high = {knee, middle + (high - middle) * share};
    Colour near = colour_fade(theme->beam, 0.55f), mid = colour_fade(theme->beam, 0.16f);
    Colour none = colour_fade(theme->beam, 0);
    draw_triangle(ui->list, &(DrawTriangle){{from, middle}, knee_high, knee_low, near, mid, mid});
    draw_triangle(ui->list, &(DrawTriangle){knee_high, {to, high}, knee_low, mid, none, mid});
    draw_triangle(ui->list, &(DrawTriangle){{to, high}, {to, low}, knee_low, none, none, mid});
    LabelStyle style = {FONT_SANS_BOLD, size, theme->text_1, LABEL_LEFT};
    label_at(ui, (Vec2){x, baseline}, &style, "Head");
    style.font = FONT_SANS;
    label_at(ui, (Vec2){x + head, baseline}, &style, "light");
    ui_point(ui, (Rect){x, high, head + light, low - high}, "Headlight", strlen("Headlight"));
}

static const char *const FILE_COMMANDS[] = {
    "new",          "open",         "save",       "save-as",  "save-csv",
    "save-json",    "save-tensors", "save-png",   "save-svg", "copy-state",
    "copy-pytorch", "copy-numpy",   "paste-state"};

/* Draw the menu of themes, and below it the switch for the lecture, which has its own theme. */
static void theme_draw(App *app, UiId id, Rect button) {
    Ui *ui = &app->ui;
    UiState state;
    Entry rows[THEME_COUNT + 1];
    for (int i = 0; i < THEME_COUNT; i++)
        rows[i] = THEMES[i].entry;
    rows[THEME_COUNT] = COMMANDS[command_find("lecture", strlen("lecture"))].entry;
    const Registry menu = REGISTRY("themes", "theme", rows);
    DropdownChoices choices = {.registry = &menu, .label = "Theme"};
    int chosen = dropdown_under(ui, id, button, &choices, app->settings.theme, &state);
    draw_fill(ui->list, button, SKIN_RADIUS, skin_ground(ui, id, state, COLOUR_CLEAR));
    icon_draw(ui, ICON_THEME, rect_centre(button), 18, skin_ink(state, ui->theme->text_1));
    ui_focus_ring(ui, id, button, SKIN_RADIUS);
    tip_words(app, id, button, "Choose a dark, light or projector theme, or start a lecture.",
              "theme");
    if (chosen == THEME_COUNT)
        app_do(app, lecture_toggle, 0);
    else if (chosen >= 0)
        app_set_key(app, "theme", rows[chosen].id);
}

/* The icons at the right of the row. In a narrow window lecture mode is in the menu of themes, and
 * the commands of File are in the list of all commands. */
static const struct {
    const char *command;
    Icon icon;
    bool in_narrow;
} ICONS[] = {{"undo", ICON_UNDO, false},        {"redo", ICON_REDO, false},
             {"inspector", ICON_INSPECT, true}, {"lecture", ICON_PRESENT, false},
             {"theme", ICON_THEME, true},       {"keys", ICON_HELP, true}};

static bool icon_is_shown(const App *app, size_t i) {
    return ICONS[i].icon == ICON_INSPECT ? app->layout.is_drawer
                                         : ICONS[i].in_narrow || app->layout.width != LAYOUT_NARROW;
}

static void icons_draw(App *app, Rect row) {
    for (size_t i = 0; i < ARRAY_COUNT(ICONS); i++) {
        if (!icon_is_shown(app, i))
            continue;
        UiId id = ui_id("text row", (int)i);
        Rect place = rect_inset(rect_cut_left(&row, BUTTON_PLACE),
                                (BUTTON_PLACE - BUTTON_HEIGHT) / 2, (row.h - BUTTON_HEIGHT) / 2);
        if (ICONS[i].icon == ICON_THEME) {
            theme_draw(app, id, place);
            continue;
        }
        if (button_icon(&app->ui, id, place, ICONS[i].icon))
            command_run(app, ICONS[i].command);
        tip_command(app, id, place, ICONS[i].command);
    }
}

static Rect button_cut(Rect *row, float width, float gap) {
    Rect place = rect_cut_left(row, width);
    rect_cut_left(row, gap);
    return rect_inset(place, 0, (place.h - BUTTON_HEIGHT) / 2);
}

void text_row_draw(App *app) {
    static const DropdownChoices EXAMPLES_MENU = {.registry = &EXAMPLE_REGISTRY,
                                                  .label = "Examples"};
    Ui *ui = &app->ui;
    Rect row = app->layout.text_row, rest = row;
    bool is_narrow = app->layout.width == LAYOUT_NARROW;
    Entry file_rows[ARRAY_COUNT(FILE_COMMANDS)];
    for (size_t i = 0; i < ARRAY_COUNT(FILE_COMMANDS); i++)
        file_rows[i] = COMMANDS[command_find(FILE_COMMANDS[i], strlen(FILE_COMMANDS[i]))].entry;
    const Registry file_registry = REGISTRY("file", "file", file_rows);
    const DropdownChoices file = {.registry = &file_registry, .label = "File"};
    float examples_w = is_narrow ? 0 : dropdown_width(ui, &EXAMPLES_MENU, -1);
    float file_w = is_narrow ? 0 : dropdown_width(ui, &file, -1), buttons_w = 0;
    float state_w = app->layout.state_folded ? text_width(ui, TEXT_BODY, "State") + 28 : 0;
    for (size_t i = 0; i < ARRAY_COUNT(ICONS); i++)
        buttons_w += icon_is_shown(app, i) ? BUTTON_PLACE : 0;
    buttons_w += file_w > 0 ? 12 + examples_w + 12 + file_w + MENU_GAP : 12;
    buttons_w += state_w > 0 ? state_w + MENU_GAP : 0;
    draw_fill(ui->list, row, 0, ui->theme->chrome);
    if (is_narrow) { /* a button with the current view's icon opens the rail */
        Rect button = rect_cut_left(&rest, 60);
        button = (Rect){button.x + 12, rect_centre(button).y - 18, 36, 36};
        UiId id = ui_id("rail menu", 0);
        bool is_pressed = button_icon(ui, id, button, VIEWS[app->settings.view].icon);
        ui_name(ui, id, "Views");
        if (is_pressed) {
            app->rail_open = !app->rail_open;
            app->drawer_open = false; /* one panel at a time */
            ui->again = true;
        }
    } else {
        wordmark_draw(app, row);
        rect_cut_left(&rest, app->layout.width >= LAYOUT_DRAWER ? FIELD_X_SMALL : FIELD_X);
    }
    rect_cut_right(&rest, 16);
    Rect buttons = rect_cut_right(&rest, buttons_w);
    /* The field is drawn before its buttons, because Tab follows the order of drawing. */
    token_field_draw(app, rest);
    rect_cut_left(&buttons, 12);
    if (!is_narrow) {
        Rect button = button_cut(&buttons, examples_w, 12);
        int chosen = dropdown(ui, ui_id("examples", 0), button, &EXAMPLES_MENU, example_shown(app));
        if (chosen != DROPDOWN_UNCHANGED)
            app_do(app, example_show, chosen);
        chosen = dropdown(ui, ui_id("file", 0), button_cut(&buttons, file_w, MENU_GAP), &file, -1);
        if (chosen != DROPDOWN_UNCHANGED)
            command_run(app, FILE_COMMANDS[chosen]);
    }
    if (state_w > 0 &&
        button_text(ui, ui_id("state", 0), button_cut(&buttons, state_w, MENU_GAP), "State"))
        command_run(app, "options");
    icons_draw(app, buttons);
}
