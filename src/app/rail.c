#include <math.h>
#include <stdio.h>

#include "app/chrome.h"
#include "ui/label.h"
#include "ui/prose.h"
#include "ui/skin.h"
#include "ui/tooltip.h"

#define ITEM_H       84
#define ITEM_H_SMALL 64
#define DRAWER_W     72

static void rail_item(App *app, Rect item, int view) {
    Ui *ui = &app->ui;
    const Theme *theme = ui->theme;
    bool chosen = app->settings.view == view, small = app->layout.width != LAYOUT_WIDE;
    UiState state = ui_control(ui, ui_id("rail", view), item, 0);
    Rect ground = rect_inset(item, 6, 2);
    Colour rest = chosen ? theme->raised : COLOUR_CLEAR;
    state.hovered &= !chosen;
    draw_fill(ui->list, ground, 10, skin_ground(ui, ui_id("rail", view), state, rest));
    Colour colour = chosen ? theme->text_1 : theme->text_2;
    char number[12];
    snprintf(number, sizeof number, "%d", view + 1);
    LabelStyle style = {FONT_MONO, 15, theme->text_2, LABEL_LEFT};
    label_draw(ui, (Rect){ground.x + 6, ground.y + (small ? 0 : 4), 20, 20}, &style, number);
    Vec2 centre = rect_centre(ground);
    icon_draw(ui, VIEWS[view].icon, (Vec2){centre.x, small ? centre.y + 8 : centre.y - 8}, 26,
              colour);
    style = (LabelStyle){chosen ? FONT_SANS_BOLD : FONT_SANS, 18, colour, LABEL_CENTRE};
    if (!small)
        prose_draw(ui, (Rect){ground.x, rect_bottom(ground) - 32, ground.w, 28}, &style,
                   VIEWS[view].entry.label);
    ui_focus_ring(ui, ui_id("rail", view), ground, 10);
    tooltip(ui, ui_id("rail", view), item,
            &(Tooltip){VIEWS[view].entry.label, VIEWS[view].entry.help, number});
    if (state.clicked)
        app_set(app, option_find(&PICTURE_OPTIONS, "view", 4), VIEWS[view].entry.id, 0);
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
        rail_item(app, rect_cut_top(&rail, height), view);
}

/* Over the view's left edge, until a view is chosen or something else is pressed. */
static void drawer_draw(App *app) {
    Rect view = app->layout.view;
    Rect rail = {view.x, view.y, DRAWER_W,
                 fminf(view.h, (float)VIEW_REGISTRY.count * ITEM_H_SMALL + 16)};
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
