#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/chrome.h"
#include "app/commands.h"
#include "app/examples.h"
#include "app/theme_menu.h"
#include "app/tip.h"
#include "base/util.h"
#include "draw/part.h"
#include "ui/button.h"
#include "ui/dropdown.h"
#include "ui/label.h"
#include "ui/line_edit.h"
#include "ui/text.h"

#define FIELD_X       184
#define FIELD_X_SMALL 148
#define FIELD_H       52
#define PENCIL_W      36
#define CHIP_H        40
#define CHIP_PAD      8
#define CHIP_BETWEEN  7
#define FADE_W        24
#define WORD_SIZE     18
#define INDEX_SIZE    15
#define WHEEL_PX      60

static UiId field_id(void) {
    return ui_id("token field", 0);
}

bool text_row_editing(const App *app) {
    return app->ui.focus == field_id();
}

void text_row_edit(App *app) {
    if (text_say_fixed(app))
        return;
    app->line_waits = false;
    ui_focus(&app->ui, field_id());
    line_edit_select_all(&app->line, app->session.text->size);
}

static void text_row_leave(App *app) {
    app->ui.focus = 0;
    app->ui.again = true;
}

/* Draw the name: “Head” and “light”, with a beam that opens from the d and passes behind the
 * letters. */
float wordmark_draw(App *app, Rect row) {
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
    return x + head + light;
}

/* Put the caret at the end of a word, or select the word. */
static void field_focus_word(App *app, int token, bool selects) {
    bool is_stale = app->run.text != app->session.text;
    size_t from = is_stale ? 0 : app->run.tokens[token].at;
    size_t to = is_stale ? app->session.text->size : from + app->run.tokens[token].bytes;
    app->line.caret = to;
    app->line.anchor = selects ? from : to;
    app->line.word_serial++;
    app->line.drag_unit = 0; /* the press was on the chips, not on the line's text */
    app->line_waits = !selects;
    app->ui.focus = field_id();
    app->ui.again = true;
}

/* Draw the caret that waits at the end of a clicked word. */
static void chip_caret(App *app, Rect chip, int token) {
    const Token *t = &app->run.tokens[token];
    if (!app->line_waits || app->line.caret != t->at + t->bytes)
        return;
    Rect caret = {rect_right(chip) - CHIP_PAD, chip.y + 10, 2, chip.h - 20};
    draw_fill(app->ui.list, caret, 0, app->ui.theme->ring);
    app->ui.caret = caret;
}

/* Draw one chip: position, word and underline, which is dotted if the vector is not the word's
 * own. */
static void chip_draw(App *app, Rect chip, int token) {
    Ui *ui = &app->ui;
    const Theme *theme = ui->theme;
    ViewContext c = app_view_context(app);
    AttnCell focus = view_focus(&c), rest = view_rest(&c);
    bool over = ui_over(ui, chip),
         lit = focus.query == token || focus.key == token || view_lit_token(&c) == token;
    UiState state = ui_control(ui, ui_id("chip", token), chip, UI_NO_FOCUS);
    draw_fill(ui->list, chip, 8, over || lit ? theme->hover : theme->raised);
    Rect words = {chip.x + CHIP_PAD, chip.y - 1, chip.w - 2 * CHIP_PAD, chip.h};
    rect_cut_left(&words, text_in(ui, words, TEXT_COUNT, "%d", token + 1) + 6);
    bool marked = token == focus.query || token == focus.key;
    LabelStyle word = {marked ? FONT_SANS_BOLD : FONT_SANS, WORD_SIZE, theme->text_1, LABEL_LEFT};
    size_t bytes;
    const char *text = view_token(&c, token, &bytes);
    words.w += 8;
    view_token_tip(&c, ui_id("chip", token), chip, over, &word, words.w, token);
    label_draw_bytes(ui, words, &word, text, bytes);
    Colour line = theme->tokens[token % THEME_TOKENS];
    Rect under = {chip.x + CHIP_PAD, rect_bottom(chip) - 7, chip.w - 2 * CHIP_PAD, 3};
    EmbedSource source = app->run.notes[token].source;
    bool is_own = source == EMBED_OWN || source == EMBED_TRAINED;
    if (is_own)
        draw_fill(ui->list, under, 1.5f, line);
    for (float x = under.x; !is_own && x < rect_right(under); x += 6)
        draw_fill(ui->list, (Rect){x, under.y, 3, 3}, 1.5f, line);
    if (token == rest.query)
        draw_ring(ui->list, chip, 8, 2.5f, theme->ring);
    else if (token == rest.key)
        draw_box(ui->list, &(DrawBox){.rect = chip,
                                      .radius = 8,
                                      .border = 2,
                                      .dash_on = 5,
                                      .dash_off = 4,
                                      .stroke = theme->ring});
    if (state.hovered)
        view_light(&c, (AttnCell){0, app->session.options.head - 1, token, -1});
    chip_caret(app, chip, token);
    if (state.pressed)
        ui->press_clicks = state.clicks;
    bool is_second = ui->press_clicks == 2;
    if (state.clicked && ui->press_clicks < 2)
        view_pin_token(&c, token, (state.mods & KEY_MOD_SHIFT) != 0);
    if (is_second ? state.pressed && !text_say_fixed(app) : state.clicked && !text_is_fixed(app))
        field_focus_word(app, token, is_second);
}

/* Measure all chips and return their total width. All digits of the mono font have the same
 * width. */
static float chip_widths(float width[TOKENS_MAX], const App *app, int T) {
    float digit = label_width(&app->ui, FONT_MONO, INDEX_SIZE, "0", 1), total = 0;
    int digits = 1, next = 10; /* next: the first number with one digit more */
    for (int i = 0; i < T; i++) {
        if (i + 1 == next)
            digits++, next *= 10;
        TokenLabel label = app->run.labels[i];
        float word = label_width(&app->ui, FONT_SANS_BOLD, WORD_SIZE, label.bytes, label.size);
        width[i] = digit * (float)digits + 6 + fminf(word, 240) + 2 * CHIP_PAD;
        total += width[i] + CHIP_BETWEEN;
    }
    return total;
}

static void chips_fade(App *app, Rect field, float total) {
    Colour ground = app->ui.theme->canvas, none = colour_fade(ground, 0);
    float top = field.y + (field.h - CHIP_H) / 2 - 4;
    Rect left = {field.x - 2, top, FADE_W, CHIP_H + 8};
    Rect right = {rect_right(field) - FADE_W + 2, top, FADE_W, CHIP_H + 8};
    if (app->chip_scroll > 0)
        draw_box(app->ui.list, &(DrawBox){.rect = left, .fill = ground, .fill_right = none});
    if (app->chip_scroll < total - field.w - 1)
        draw_box(app->ui.list, &(DrawBox){.rect = right, .fill = none, .fill_right = ground});
}

/* Draw the chips, scrolled by the wheel. Return their right end. */
static float chips_draw(App *app, Rect field) {
    unsigned mods;
    Vec2 wheel = ui_wheel(&app->ui, field_id(), field, &mods);
    float widths[TOKENS_MAX];
    int T = app->run.valid ? app->run.T : 0;
    float total = chip_widths(widths, app, T);
    app->chip_scroll -= (wheel.y + wheel.x) * WHEEL_PX;
    app->chip_scroll = fmaxf(fminf(app->chip_scroll, total - field.w), 0);
    Rect clip =
        draw_clip(app->ui.list, (Rect){field.x - 2, field.y - 6, field.w + 4, field.h + 12});
    float x = field.x - app->chip_scroll;
    for (int i = 0; i < T; i++) {
        float width = widths[i];
        Rect chip = {x, field.y + (field.h - CHIP_H) / 2, width, CHIP_H};
        if (x + width > field.x && x < rect_right(field))
            chip_draw(app, chip, i);
        x += width + CHIP_BETWEEN;
    }
    chips_fade(app, field, total);
    draw_clip_restore(app->ui.list, clip);
    return fminf(x, rect_right(field));
}

/* Return the longest placeholder that fits. */
static const char *placeholder(const App *app, const LabelStyle *style, float width) {
    static const char *const whole = "Type a sentence";
    float wanted = label_width(&app->ui, style->font, style->size, whole, strlen(whole));
    return wanted <= width ? whole : "Type";
}

/* Draw the end of the row: the placeholder of an empty field, or the number of tokens. */
static void field_tail(App *app, Rect field, float x) {
    const Theme *theme = app->ui.theme;
    char text[48];
    snprintf(text, sizeof text, "%d token%s", app->run.T, app->run.T == 1 ? "" : "s");
    LabelStyle style = {FONT_SANS, WORD_SIZE, theme->text_3, LABEL_LEFT};
    Rect tail = {x + 6, field.y, rect_right(field) - x - 6, field.h};
    if (results_session(&app->run) == NULL)
        return;
    bool empty = app->session.text->size == 0 && !text_is_fixed(app);
    if (empty || app->run.T == 0) {
        label_draw(&app->ui, tail, &style, placeholder(app, &style, tail.w));
        return;
    }
    if (label_width(&app->ui, style.font, style.size, text, strlen(text)) <= tail.w)
        label_draw(&app->ui, tail, &style, text);
}

/* Draw the field's background with a pencil at its right end. Return the area inside. */
static Rect field_ground(App *app, Rect field, bool has_caret) {
    const Theme *theme = app->ui.theme;
    Rect box = {field.x - 8, field.y + (field.h - FIELD_H) / 2, field.w + 8, FIELD_H};
    draw_fill(app->ui.list, box, 10, theme->canvas);
    draw_ring(app->ui.list, box, 10, has_caret ? 2 : 1.5f,
              has_caret ? theme->ring : theme->control);
    Rect pencil = rect_cut_right(&box, PENCIL_W);
    icon_draw(&app->ui, ICON_PENCIL, rect_centre(pencil), 16, theme->text_2);
    return rect_inset(box, 8, 0);
}

static void field_keys(App *app) {
    LineChange change;
    LineAction action;
    const Text *text = app->session.text;
    line_edit_clamp(&app->line, text->bytes, text->size);
    while ((action = line_edit_next(&app->ui, &app->line, text->bytes, text->size, &change)) ==
           LINE_CHANGE) {
        size_t before = text->size, cut = change.to - change.from;
        uint64_t serial = change.serial * 2 + 1;
        if (app_edit_text(app, change.from, change.to, change.insert, change.bytes, serial)) {
            text = app->session.text;
            change.bytes = text->size + cut - before;
            line_edit_changed(&app->line, &change);
        }
    }
    app->ui.wants_paste |= action == LINE_PASTE;
    if (action == LINE_ENTER || action == LINE_ESCAPE)
        text_row_leave(app);
}

static void field_editing(App *app, Rect field) {
    UiState state = ui_control(&app->ui, field_id(), field, UI_NO_KEYS | UI_TEXT);
    field_keys(app);
    const Text *text = app->session.text;
    line_edit_clamp(&app->line, text->bytes, text->size);
    Rect box = field_ground(app, field, true);
    if (state.hovered)
        app->ui.cursor = 1;
    line_edit_draw(&app->ui, &app->line, rect_inset(box, 4, 0), state, FONT_SANS, 20, text->bytes,
                   text->size);
    if (text->size == 0 && app->line.composing[0] == '\0') {
        LabelStyle hint = {FONT_SANS, 20, app->ui.theme->text_3, LABEL_LEFT};
        Rect words = rect_inset(box, 10, 0);
        label_draw(&app->ui, words, &hint, placeholder(app, &hint, words.w));
    }
}

/* True if the event types, deletes or pastes. */
static bool is_typing(const InputEvent *event) {
    bool pastes = (event->key == 'v' && event->mods == KEY_MOD_COMMAND) ||
                  (event->key == KEY_INSERT && event->mods == KEY_MOD_SHIFT);
    return event->kind == INPUT_TEXT || (event->kind == INPUT_COMPOSE && event->text_bytes > 0) ||
           (event->kind == INPUT_KEY &&
            (event->key == KEY_BACKSPACE || event->key == KEY_DELETE || pastes));
}

/* Keep the caret of a clicked word until the user types. Any key that types nothing gives the
 * keyboard back to the picture, where arrows move the pin. */
static void field_wait(App *app) {
    Ui *ui = &app->ui;
    ui->wants_text = true; /* letters type and run no shortcuts */
    for (int i = 0; ui->first_pass && i < ui->input->event_count; i++) {
        const InputEvent *event = &ui->input->events[i];
        bool is_letter = event->key < KEY_ESCAPE && (event->mods | KEY_MOD_SHIFT) == KEY_MOD_SHIFT;
        if (is_typing(event)) {
            app->line_waits = false;
            return;
        }
        if (event->kind == INPUT_KEY && !is_letter) {
            text_row_leave(app);
            ui->wants_text = false;
            return;
        }
    }
}

static void field_draw(App *app, Rect field) {
    draw_part(app->ui.list, PART_RECT(field), "window.text");
    app->line_waits &= text_row_editing(app) && !text_is_fixed(app);
    if (app->line_waits)
        field_wait(app);
    if (text_row_editing(app) && !app->line_waits && !text_is_fixed(app)) {
        field_editing(app, field);
        return;
    }
    Rect inside = field_ground(app, field, false);
    float end = chips_draw(app, inside);
    UiId chip = app->ui.hot; /* the chips lie over the field */
    UiState state = ui_control(&app->ui, field_id(), field, UI_NO_KEYS | UI_TEXT);
    if (state.hovered)
        app->ui.cursor = chip != 0 ? 2 : 1;
    app->ui.hot = chip != 0 ? chip : app->ui.hot;
    app->line.composing[0] = '\0';
    if (text_row_editing(app) && text_is_fixed(app)) {
        text_say_fixed(app);
        text_row_leave(app);
    } else if (state.pressed || state.pasted) {
        app->line_waits = false;
        app->line.caret = app->line.anchor = app->session.text->size;
        app->ui.wants_selection |= state.pasted;
        app->line.drag_unit = 0; /* the press was on the chips, not on the line's text */
        app->ui.again = true;
    }
    field_tail(app, inside, end);
}

static bool inspector_is_drawer(const Layout *layout) {
    return layout->width >= LAYOUT_DRAWER || layout->is_drawer;
}

/* Draw the buttons at the right. In a narrow window lecture mode is in the menu of themes, and the
 * commands of File are in the list of all commands. */
static bool is_not_narrow(const Layout *layout) {
    return layout->width != LAYOUT_NARROW;
}

/* Draw the menu of example sentences. */
static const DropdownChoices EXAMPLE_CHOICES = {.registry = &EXAMPLE_REGISTRY, .label = "Examples"};

/* Draw a menu of commands, whose rows are their ids. */
static const Entry FILE_ROWS[] = {
    {"new", "New session", "", "Start again; Undo brings the session back."},
    {"open", "Open…", "", "Open a session, weights or a text; recent files come first."},
    {"save", "Save", "", "Write the session to its file."},
    {"save-as", "Save as…", "", "Write the session to a file of another name."},
    {"save-csv", "Export the numbers as CSV…", "", "What the view shows: in Heads, A of the head."},
    {"save-json", "Export the numbers as JSON…", "", "What the view shows, with the state."},
    {"save-tensors", "Export all tensors: NPZ, safetensors…", "",
     "X, Q, K, V, S, A, Z, Y and the weights, as safetensors, NPZ or JSON."},
    {"save-png", "Export the picture as PNG…", "", "The window as you see it."},
    {"save-svg", "Export the picture as SVG…", "", "As lines and text, for print."},
    {"copy-state", "Copy the state", "", "One line of text that holds everything chosen."},
    {"copy-pytorch", "Copy as PyTorch", "", "A script that rebuilds this layer and checks A."},
    {"copy-numpy", "Copy as NumPy", "", "A script that rebuilds this layer and checks A."},
    {"paste-state", "Paste a state", "", "Use the state that was copied as text."},
};
static const Registry FILE_MENU = REGISTRY("file", "file", FILE_ROWS);
static const DropdownChoices FILE_CHOICES = {.registry = &FILE_MENU, .label = "File"};

static void file_draw(App *app, Rect *row) {
    Rect place = rect_cut_left(row, dropdown_width(&app->ui, &FILE_CHOICES, -1) + 8);
    Rect button = {place.x, place.y + place.h / 2 - 18, place.w - 8, 36};
    int chosen = dropdown(&app->ui, ui_id("file", 0), button, &FILE_CHOICES, -1);
    if (chosen != DROPDOWN_UNCHANGED)
        command_run(app, FILE_ROWS[chosen].id);
}

static float examples_width(const App *app) {
    return dropdown_width(&app->ui, &EXAMPLE_CHOICES, -1);
}

static void state_button(App *app, Rect *row) {
    float width = label_width(&app->ui, FONT_SANS, WORD_SIZE, "State", strlen("State")) + 28;
    Rect place = rect_cut_left(row, width + 8);
    Rect button = {place.x, place.y + place.h / 2 - 18, width, 36};
    if (button_text(&app->ui, ui_id("state row", 0), button, "State"))
        command_run(app, "options");
}

/* Draw the button that opens the rail in a narrow window, with the current view's icon. */
static void rail_button(App *app, Rect *row) {
    Rect place = rect_cut_left(row, 60);
    Rect button = {place.x + 12, place.y + place.h / 2 - 18, 36, 36};
    bool is_pressed =
        button_icon(&app->ui, ui_id("rail menu", 0), button, VIEWS[app->settings.view].icon);
    ui_name(&app->ui, ui_id("rail menu", 0), "Views");
    if (is_pressed)
        rail_toggle(app);
}

static const struct {
    Icon icon;
    const char *command;
    bool (*shown)(const Layout *layout);
} BUTTONS[] = {{ICON_UNDO, "undo", is_not_narrow},
               {ICON_REDO, "redo", is_not_narrow},
               {ICON_INSPECT, "inspector", inspector_is_drawer},
               {ICON_PRESENT, "lecture", is_not_narrow},
               {ICON_THEME, "theme", NULL},
               {ICON_HELP, "keys", NULL}};

static void buttons_draw(App *app, Rect row) {
    if (is_not_narrow(&app->layout))
        file_draw(app, &row);
    if (app->layout.state_folded)
        state_button(app, &row);
    for (int i = 0; i < (int)ARRAY_COUNT(BUTTONS); i++) {
        if (BUTTONS[i].shown != NULL && !BUTTONS[i].shown(&app->layout))
            continue;
        Rect place = rect_cut_left(&row, 44);
        Rect button = {place.x + 4, place.y + place.h / 2 - 18, 36, 36};
        UiId id = ui_id("text row", i);
        if (BUTTONS[i].icon == ICON_THEME) {
            theme_menu(app, id, button);
            continue;
        }
        if (button_icon(&app->ui, id, button, BUTTONS[i].icon))
            command_run(app, BUTTONS[i].command);
        tip_command(app, id, button, BUTTONS[i].command);
    }
}

static float buttons_width(const App *app) {
    float state = label_width(&app->ui, FONT_SANS, WORD_SIZE, "State", strlen("State")) + 36;
    bool wide = is_not_narrow(&app->layout);
    float file = wide ? dropdown_width(&app->ui, &FILE_CHOICES, -1) + 8 : 0;
    return 44 * (float)(2 + inspector_is_drawer(&app->layout) + 3 * wide) + file +
           (app->layout.state_folded ? state : 0);
}

void text_row_draw(App *app) {
    Rect row = app->layout.text_row;
    bool narrow = app->layout.width == LAYOUT_NARROW;
    bool small = app->layout.width >= LAYOUT_DRAWER;
    draw_fill(app->ui.list, row, 0, app->ui.theme->chrome);
    Rect field = row;
    if (narrow) {
        rail_button(app, &field);
    } else {
        wordmark_draw(app, row);
        rect_cut_left(&field, small ? FIELD_X_SMALL + 24 : FIELD_X);
    }
    rect_cut_right(&field, 16);
    Rect buttons = rect_cut_right(&field, buttons_width(app));
    rect_cut_right(&field, 12);
    Rect whole = field;
    if (!narrow)
        rect_cut_right(&field, examples_width(app) + 12);
    field_draw(app, field); /* drawn before its buttons, because Tab follows the order of drawing */
    if (!narrow) {
        Rect place = rect_cut_right(&whole, examples_width(app));
        Rect button = {place.x, place.y + place.h / 2 - 18, place.w, 36};
        int chosen =
            dropdown(&app->ui, ui_id("examples", 0), button, &EXAMPLE_CHOICES, example_shown(app));
        if (chosen != DROPDOWN_UNCHANGED)
            app_do(app, example_show, chosen);
    }
    buttons_draw(app, buttons);
}
