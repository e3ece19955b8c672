#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/chrome.h"
#include "app/examples.h"
#include "base/utf8.h"
#include "ui/dropdown.h"
#include "ui/formula.h"
#include "ui/label.h"
#include "ui/skin.h"
#include "ui/text.h"
#include "ui/tooltip.h"

#define ITEM_H       84
#define ITEM_H_SMALL 64
#define DRAWER_W     72
#define SIGN         22

typedef struct RailItem {
    UiId id;
    Icon icon;
    const char *sign;           /* a formula to draw in place of an icon, or "" */
    const char *label, *number; /* number may be "" */
    Colour colour;              /* colour of the icon and the words */
    Colour ground;              /* background of an item that is not chosen */
    bool chosen, small;         /* small: without words */
} RailItem;

static void item_draw(App *app, Rect item, UiState state, const RailItem *as) {
    Ui *ui = &app->ui;
    Rect ground = rect_inset(item, 6, 2);
    Colour rest = as->chosen ? ui->theme->raised : as->ground;
    state.hovered &= !as->chosen;
    draw_fill(ui->list, ground, 10, skin_ground(ui, as->id, state, rest));
    ui_focus_ring(ui, as->id, ground, 10);
    text_in(ui, (Rect){ground.x + 6, ground.y + (as->small ? 0 : 4), 20, 20}, TEXT_COUNT, "%s",
            as->number);
    LabelStyle style = {as->chosen ? FONT_SANS_BOLD : FONT_SANS, 18, as->colour, LABEL_CENTRE};
    Vec2 centre = rect_centre(ground);
    bool is_long = label_text_width(ui, &style, as->label) > ground.w;
    centre.y += is_long ? -18 : -8;
    if (as->small)
        centre.y = rect_centre(ground).y + (as->number[0] != '\0' ? 8 : 0);
    if (as->sign[0] != '\0') {
        float width = formula_width(ui, SIGN, as->sign);
        formula_draw(ui, (Vec2){centre.x - width / 2, centre.y + SIGN / 3}, SIGN, as->colour,
                     as->sign);
    } else {
        icon_draw(ui, as->icon, centre, 26, as->colour);
    }
    if (as->small)
        return;
    Rect words = {ground.x, rect_bottom(ground) - 32, ground.w, 28};
    if (is_long) {
        style.size = 15;
        words.y -= 12;
        label_wrap(ui, words, &style, as->label);
    } else {
        label_draw(ui, words, &style, as->label);
    }
}

static void view_item(App *app, Rect item, int view, bool small) {
    const char *number = PRINT("%d", view + 1);
    bool chosen = app->settings.view == view;
    Colour colour = chosen ? app->ui.theme->text_1 : app->ui.theme->text_2;
    RailItem as = {.id = ui_id("rail", view),
                   .icon = VIEWS[view].icon,
                   .sign = VIEWS[view].entry.formula,
                   .label = VIEWS[view].entry.label,
                   .number = number,
                   .ground = COLOUR_CLEAR,
                   .colour = colour,
                   .chosen = chosen,
                   .small = small};
    UiState state = ui_control(&app->ui, as.id, item, 0);
    item_draw(app, item, state, &as);
    tooltip_on(&app->ui, as.id, item, app->ui.hot == as.id,
               &(Tooltip){.title = as.label, .text = VIEWS[view].entry.help, .key = number});
    if (state.clicked)
        app_set_key(app, "view", VIEWS[view].entry.id);
}

static const char *answered_by(int question) {
    return QUESTIONS[question].tour != NULL ? "tour" : "";
}

static void questions_item(App *app, Rect item, bool small) {
    static const DropdownChoices CHOICES = {
        .registry = &QUESTION_REGISTRY, .label = "Questions", .note = answered_by};
    const Theme *theme = app->ui.theme;
    /* theme->beam has too little contrast for text on a light background. */
    Colour colour = app->settings.theme == THEME_DARK ? theme->beam : theme->text_1;
    RailItem as = {.id = ui_id("questions", 0),
                   .icon = ICON_ASK,
                   .sign = "",
                   .label = "Why?",
                   .number = "",
                   .ground = (theme->beam & ~255u) | 40,
                   .colour = colour,
                   .small = small};
    UiState state;
    int chosen = dropdown_under(&app->ui, as.id, item, &CHOICES, -1, &state);
    item_draw(app, item, state, &as);
    tooltip(&app->ui, as.id, item, CHOICES.label,
            "Questions students ask, each answered by something you can try.");
    if (chosen != DROPDOWN_UNCHANGED)
        app_do(app, question_ask, chosen);
}

/* Draw the items. The questions are first, because newcomers should start there. */
static void items_draw(App *app, Rect rail, bool small) {
    float height = small ? ITEM_H_SMALL : ITEM_H;
    draw_fill(app->ui.list, rail, 0, app->ui.theme->chrome);
    rect_cut_top(&rail, 8);
    if (rail.h >= height * (float)(VIEW_REGISTRY.count + 1))
        questions_item(app, rect_cut_top(&rail, height), small);
    for (int view = 0; view < VIEW_REGISTRY.count; view++)
        view_item(app, rect_cut_top(&rail, height), view, small);
}

/* Draw the rail over the view's left edge, until a view is chosen or something else is pressed. */
static void drawer_draw(App *app) {
    Rect view = app->layout.view;
    Rect rail = {view.x, view.y, DRAWER_W,
                 fminf(view.h, (float)(VIEW_REGISTRY.count + 1) * ITEM_H_SMALL + 16)};
    int before = app->settings.view;
    app->ui.list->layer = UI_LAYER_DRAWER;
    ui_cover(&app->ui, rail);
    items_draw(app, rail, true);
    app->ui.list->layer = UI_LAYER_BASE;
    if (app->settings.view != before || ui_pressed_outside(&app->ui, rail)) {
        app->rail_open = false;
        app->ui.again = true;
    }
}

void rail_draw(App *app) {
    bool has_drawer = app->layout.width == LAYOUT_NARROW && app->sheet == SHEET_NONE;
    Rect rail = app->layout.rail;
    if (rail.w > 0)
        items_draw(app, rail, rail.h < 8 + ITEM_H * (float)(VIEW_REGISTRY.count + 1));
    else if (app->rail_open && has_drawer)
        drawer_draw(app);
}
