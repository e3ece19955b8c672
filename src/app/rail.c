#include <math.h>
#include <stdio.h>

#include "app/chrome.h"
#include "app/questions.h"
#include "ui/dropdown.h"
#include "ui/label.h"
#include "ui/prose.h"
#include "ui/skin.h"
#include "ui/tooltip.h"

#define ITEM_H       84
#define ITEM_H_SMALL 64
#define DRAWER_W     72

/* Arguments of drawing an item. */
typedef struct RailItem {
    UiId id;
    Icon icon;
    const char *label, *number; /* number may be "" */
    bool chosen;
} RailItem;

static bool is_small(const App *app) {
    return app->layout.width != LAYOUT_WIDE;
}

static void item_draw(App *app, Rect item, UiState state, const RailItem *as) {
    Ui *ui = &app->ui;
    const Theme *theme = ui->theme;
    bool small = is_small(app);
    Rect ground = rect_inset(item, 6, 2);
    Colour rest = as->chosen ? theme->raised : COLOUR_CLEAR;
    state.hovered &= !as->chosen;
    draw_fill(ui->list, ground, 10, skin_ground(ui, as->id, state, rest));
    Colour colour = as->chosen ? theme->text_1 : theme->text_2;
    LabelStyle style = {FONT_MONO, 15, theme->text_2, LABEL_LEFT};
    label_draw(ui, (Rect){ground.x + 6, ground.y + (small ? 0 : 4), 20, 20}, &style, as->number);
    Vec2 centre = rect_centre(ground);
    centre.y += small ? (as->number[0] != '\0' ? 8 : 0) : -8;
    icon_draw(ui, as->icon, centre, 26, colour);
    style = (LabelStyle){as->chosen ? FONT_SANS_BOLD : FONT_SANS, 18, colour, LABEL_CENTRE};
    if (!small)
        prose_draw(ui, (Rect){ground.x, rect_bottom(ground) - 32, ground.w, 28}, &style, as->label);
    ui_focus_ring(ui, as->id, ground, 10);
}

static void view_item(App *app, Rect item, int view) {
    char number[12];
    snprintf(number, sizeof number, "%d", view + 1);
    RailItem as = {ui_id("rail", view), VIEWS[view].icon, VIEWS[view].entry.label, number,
                   app->settings.view == view};
    UiState state = ui_control(&app->ui, as.id, item, 0);
    item_draw(app, item, state, &as);
    tooltip(&app->ui, as.id, item, &(Tooltip){as.label, VIEWS[view].entry.help, number});
    if (state.clicked)
        app_set(app, option_find(&PICTURE_OPTIONS, "view", 4), VIEWS[view].entry.id, 0);
}

static void ask_chosen(App *app) {
    question_ask(app, app->after_row);
}

/* Draw the list of questions. */
static void questions_item(App *app, Rect item) {
    static const DropdownChoices CHOICES = {.registry = &QUESTION_REGISTRY, .label = "Questions"};
    RailItem as = {ui_id("questions", 0), ICON_ASK, "Why?", "", false};
    UiState state;
    int chosen = dropdown_under(&app->ui, as.id, item, &CHOICES, -1, &state);
    item_draw(app, item, state, &as);
    tooltip(&app->ui, as.id, item,
            &(Tooltip){CHOICES.label,
                       "Questions students ask, each answered by something you can try.", NULL});
    if (chosen == DROPDOWN_UNCHANGED)
        return;
    app->after_row = chosen;
    app->after_build = ask_chosen;
}

static void rail_close(App *app) {
    app->rail_open = false;
    app->ui.again = true;
}

void rail_toggle(App *app) {
    app->rail_open = !app->rail_open;
    app->drawer_open = false; /* one panel at a time */
    app->ui.again = true;
}

static void items_draw(App *app, Rect rail) {
    float height = app->layout.width == LAYOUT_WIDE ? ITEM_H : ITEM_H_SMALL;
    draw_fill(app->ui.list, rail, 0, app->ui.theme->chrome);
    rect_cut_top(&rail, 8);
    for (int view = 0; view < VIEW_REGISTRY.count; view++)
        view_item(app, rect_cut_top(&rail, height), view);
    if (rail.h >= height)
        questions_item(app, rect_cut_bottom(&rail, height));
}

/* Drawn over the view's left edge, until a view is chosen or something else is pressed. */
static void drawer_draw(App *app) {
    Rect view = app->layout.view;
    Rect rail = {view.x, view.y, DRAWER_W,
                 fminf(view.h, (float)(VIEW_REGISTRY.count + 1) * ITEM_H_SMALL + 16)};
    int before = app->settings.view;
    app->ui.list->layer = UI_LAYER_DRAWER;
    ui_cover(&app->ui, rail);
    items_draw(app, rail);
    app->ui.list->layer = UI_LAYER_BASE;
    if (app->settings.view != before || ui_pressed_outside(&app->ui, rail))
        rail_close(app);
}

void rail_draw(App *app) {
    bool has_drawer = app->layout.width == LAYOUT_NARROW && app->sheet == SHEET_NONE;
    if (app->layout.rail.w > 0)
        items_draw(app, app->layout.rail);
    else if (app->rail_open && has_drawer)
        drawer_draw(app);
}
