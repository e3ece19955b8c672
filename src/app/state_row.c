#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/chrome.h"
#include "app/commands.h"
#include "base/util.h"
#include "ui/button.h"
#include "ui/formula.h"
#include "ui/label.h"
#include "ui/text.h"

#define CONTROL_H 36
#define BETWEEN   24
#define NAME_GAP  12
#define DICE_W    40
#define MORE      "More …"

/* The row's options, in order. Those under More appear only if they differ from their default. If
 * there is too little room, those that do not fit are shown only on the sheet of all settings. */
static const struct {
    const char *key, *name, *name_short;
    bool is_more;
} ITEMS[] = {
    {"form", "Form", "Form", false},
    {"mask", "Mask", "Mask", false},
    {"temperature", "Temperature", "Temp.", false},
    {"init", "Init", "Init", true},
    {"seed", "Seed", "Seed", true},
    {"beside", "Compare with", "With", true},
};

/* Options at the right end: the layer's shape. */
static const struct {
    const char *key, *formula;
} SHAPE[] = {{"d-model", "d_{\"model\"}"}, {"heads", "h"}, {"d-k", "d_k"}};

static float name_width(const App *app, const char *name) {
    return label_width(&app->ui, FONT_SANS, 18, name, strlen(name));
}

/* Return the width of the button with dice, next to a seed. */
static float dice_width(const OptionRow *row) {
    return row->kind == OPTION_SEED ? DICE_W : 0;
}

static void item_draw(App *app, Rect *rest, const OptionRow *row, const char *name) {
    text_in(&app->ui, rect_cut_left(rest, name_width(app, name) + 1),
            TEXT_BODY | TEXT_FAINT | TEXT_PLAIN, "%s", name);
    rect_cut_left(rest, NAME_GAP - 1);
    Rect control = rect_cut_left(rest, option_control_width(app, row));
    control.y += (control.h - CONTROL_H) / 2;
    control.h = CONTROL_H;
    option_control(app, row, control);
    control.x = rect_right(control);
    control.w = dice_width(row);
    Rect dice = rect_inset(control, 2, 0);
    if (dice.w > 0 && button_icon(&app->ui, ui_id("dice", 0), dice, ICON_DICE))
        command_run(app, "reroll");
    rect_cut_left(rest, control.w);
    rect_cut_left(rest, BETWEEN);
}

static float shape_width(App *app) {
    float width = 0;
    for (size_t i = 0; i < sizeof SHAPE / sizeof *SHAPE; i++)
        width += formula_width(&app->ui, 20, SHAPE[i].formula) + 6 +
                 option_control_width(app, option_row(SHAPE[i].key)) + 10;
    return width;
}

static void shape_draw(App *app, Rect rest) {
    for (size_t i = 0; i < sizeof SHAPE / sizeof *SHAPE; i++) {
        const OptionRow *row = option_row(SHAPE[i].key);
        float name = formula_width(&app->ui, 20, SHAPE[i].formula);
        formula_draw(&app->ui, (Vec2){rest.x, rest.y + rest.h / 2 + 6}, 20, app->ui.theme->text_2,
                     SHAPE[i].formula);
        rect_cut_left(&rest, name + 6);
        Rect control = rect_cut_left(&rest, option_control_width(app, row));
        control.y += (control.h - CONTROL_H) / 2;
        control.h = CONTROL_H;
        option_control(app, row, control);
        rect_cut_left(&rest, 10);
    }
}

static float item_width(App *app, size_t item, bool brief) {
    const OptionRow *row = option_row(ITEMS[item].key);
    return name_width(app, brief ? ITEMS[item].name_short : ITEMS[item].name) + NAME_GAP +
           option_control_width(app, row) + dice_width(row) + BETWEEN;
}

/* True if the row shows this item. An item that is being dragged or edited stays. */
static bool is_shown(const App *app, size_t item) {
    const OptionRow *row = option_row(ITEMS[item].key);
    bool is_held = app->ui.active != 0 || app->ui.typing != 0 || app->ui.popup != 0;
    bool names_file = row == option_row("init") && app->session.weights != NULL;
    return !ITEMS[item].is_more || names_file || !option_is_standard(row, &app->session.options) ||
           (is_held && (app->in_row & 1u << item) != 0);
}

static unsigned items_shown(const App *app) {
    unsigned shown = 0;
    for (size_t i = 0; i < ARRAY_COUNT(ITEMS); i++)
        shown |= is_shown(app, i) ? 1u << i : 0;
    return shown;
}

bool state_row_is_stale(const App *app) {
    return app->in_row != items_shown(app);
}

static float items_width(App *app, bool brief) {
    float width = 0;
    for (size_t i = 0; i < ARRAY_COUNT(ITEMS); i++)
        width += is_shown(app, i) ? item_width(app, i, brief) : 0;
    return width;
}

/* Draw the items that fit. Return the part of the row that is left. */
static Rect items_draw(App *app, Rect rest, bool brief) {
    for (size_t i = 0; i < ARRAY_COUNT(ITEMS); i++)
        if (is_shown(app, i) && item_width(app, i, brief) <= rest.w + BETWEEN)
            item_draw(app, &rest, option_row(ITEMS[i].key),
                      brief ? ITEMS[i].name_short : ITEMS[i].name);
    return rest;
}

void state_row_draw(App *app) {
    Rect row = app->layout.state_row;
    draw_fill(app->ui.list, row, 0, app->ui.theme->chrome);
    Rect rest = rect_inset(row, 24, 0);
    float more = name_width(app, MORE) + 32, shape = shape_width(app);
    app->in_state_row = true;
    bool brief = app->layout.width >= LAYOUT_MEDIUM ||
                 items_width(app, false) + shape + more + BETWEEN > rest.w;
    bool has_shape = app->layout.width <= LAYOUT_MEDIUM ||
                     items_width(app, brief) + shape + more + BETWEEN <= rest.w;
    Rect right = rect_cut_right(&rest, has_shape ? shape : 0);
    Rect items = rest;
    rect_cut_right(&items, more + BETWEEN);
    /* Draw these first, because Tab follows the order of drawing. */
    items = items_draw(app, items, brief);
    app->in_state_row = false;
    app->in_row = items_shown(app);
    Rect button = {items.x, row.y + (row.h - CONTROL_H) / 2, more, CONTROL_H};
    command_button(app, button, MORE, "options");
    if (has_shape)
        shape_draw(app, right);
}
