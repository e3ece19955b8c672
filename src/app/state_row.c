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
#define SHAPE_GAP 10
#define FORMULA   20 /* px: font size of a name that is a formula */
#define MORE      "More …"

/* The options of the row: first those at the left, then the layer's shape at the right end. Those
 * with is_more appear only if is_shown has a reason, such as a value that is not the default. The
 * button More opens the sheet of all settings. A name that is a formula has no short form. */
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
    {"d-model", "d_{\"model\"}", NULL, false},
    {"heads", "h", NULL, false},
    {"d-k", "d_k", NULL, false},
};
enum { SHAPE = 6, ITEM_COUNT = ARRAY_COUNT(ITEMS) };

static const char *name_of(int item, bool brief) {
    return brief && item < SHAPE ? ITEMS[item].name_short : ITEMS[item].name;
}

static float name_width(const App *app, int item, bool brief) {
    const char *name = name_of(item, brief);
    return item >= SHAPE ? formula_width(&app->ui, FORMULA, name) + 6
                         : label_width(&app->ui, FONT_SANS, 18, name, strlen(name)) + NAME_GAP;
}

static float dice_width(const OptionRow *row) {
    return row->kind == OPTION_SEED ? DICE_W : 0;
}

static float item_width(const App *app, int item, bool brief) {
    const OptionRow *row = option_row(ITEMS[item].key);
    return name_width(app, item, brief) + option_control_width(app, row) + dice_width(row) +
           (item >= SHAPE ? SHAPE_GAP : BETWEEN);
}

static void item_draw(App *app, Rect *rest, int item, bool brief) {
    Ui *ui = &app->ui;
    const OptionRow *row = option_row(ITEMS[item].key);
    Rect place = rect_cut_left(rest, item_width(app, item, brief));
    Rect name = rect_cut_left(&place, name_width(app, item, brief));
    if (item >= SHAPE)
        formula_draw(ui, (Vec2){name.x, name.y + name.h / 2 + 6}, FORMULA, ui->theme->text_2,
                     name_of(item, brief));
    else
        text_in(ui, name, TEXT_BODY | TEXT_FAINT | TEXT_PLAIN, "%s", name_of(item, brief));
    place = rect_inset(place, 0, (place.h - CONTROL_H) / 2);
    option_control(app, row, rect_cut_left(&place, option_control_width(app, row)));
    Rect dice = rect_inset(rect_cut_left(&place, dice_width(row)), 2, 0);
    if (dice.w > 0 && button_icon(ui, ui_id("dice", 0), dice, ICON_DICE))
        command_run(app, "reroll");
}

/* True if the row shows this item. An item that is being dragged or edited stays. */
static bool is_shown(const App *app, int item) {
    const OptionRow *row = option_row(ITEMS[item].key);
    bool is_held = app->ui.active != 0 || app->ui.typing != 0 || app->ui.popup != 0;
    bool names_file = row == option_row("init") && app->session.weights != NULL;
    return !ITEMS[item].is_more || names_file || !option_is_standard(row, &app->session.options) ||
           (is_held && (app->in_row & 1u << item) != 0);
}

static unsigned items_shown(const App *app) {
    unsigned shown = 0;
    for (int i = 0; i < SHAPE; i++)
        shown |= is_shown(app, i) ? 1u << i : 0;
    return shown;
}

bool state_row_is_stale(const App *app) {
    return app->in_row != items_shown(app);
}

static float items_width(const App *app, int first, int end, bool brief) {
    float width = 0;
    for (int i = first; i < end; i++)
        width += is_shown(app, i) ? item_width(app, i, brief) : 0;
    return width;
}

static Rect items_draw(App *app, Rect rest, int first, int end, bool brief) {
    for (int i = first; i < end; i++)
        if (is_shown(app, i) && item_width(app, i, brief) <= rest.w + BETWEEN)
            item_draw(app, &rest, i, brief);
    return rest;
}

void state_row_draw(App *app) {
    Rect row = app->layout.state_row;
    draw_fill(app->ui.list, row, 0, app->ui.theme->chrome);
    Rect rest = rect_inset(row, 24, 0);
    float more = text_width(&app->ui, TEXT_BODY | TEXT_PLAIN, MORE) + 32;
    float shape = items_width(app, SHAPE, ITEM_COUNT, false);
    app->in_state_row = true;
    bool brief = app->layout.width >= LAYOUT_MEDIUM ||
                 items_width(app, 0, SHAPE, false) + shape + more + BETWEEN > rest.w;
    bool has_shape = app->layout.width <= LAYOUT_MEDIUM ||
                     items_width(app, 0, SHAPE, brief) + shape + more + BETWEEN <= rest.w;
    Rect right = rect_cut_right(&rest, has_shape ? shape : 0);
    Rect items = rest;
    rect_cut_right(&items, more + BETWEEN);
    /* Draw the left options first, because Tab follows the order of drawing. */
    items = items_draw(app, items, 0, SHAPE, brief);
    app->in_state_row = false;
    app->in_row = items_shown(app);
    Rect button = {items.x, row.y + (row.h - CONTROL_H) / 2, more, CONTROL_H};
    command_button(app, button, MORE, "options");
    if (has_shape)
        items_draw(app, right, SHAPE, ITEM_COUNT, false);
}
