#include <stdio.h>

#include "app/chrome.h"
#include "ui/label.h"

#define ITEM_H       84
#define ITEM_H_SMALL 64

static void rail_item(App *app, Rect item, int view) {
    Ui *ui = &app->ui;
    const Theme *theme = ui->theme;
    bool chosen = app->settings.view == view, small = app->layout.width != LAYOUT_WIDE;
    UiState state = ui_control(ui, ui_id("rail", view), item, 0);
    Rect ground = rect_inset(item, 6, 2);
    if (chosen || state.hovered)
        draw_fill(ui->list, ground, 10, chosen ? theme->raised : theme->hover);
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
        label_draw(ui, (Rect){ground.x, rect_bottom(ground) - 32, ground.w, 28}, &style,
                   VIEWS[view].entry.label);
    ui_focus_ring(ui, ui_id("rail", view), ground, 10);
    if (state.clicked)
        app_set(app, option_find(&PICTURE_OPTIONS, "view", 4), VIEWS[view].entry.id, 0);
}

void rail_draw(App *app) {
    Rect rail = app->layout.rail;
    if (rail.w <= 0)
        return;
    draw_fill(app->ui.list, rail, 0, app->ui.theme->chrome);
    rect_cut_top(&rail, 8);
    float height = app->layout.width == LAYOUT_WIDE ? ITEM_H : ITEM_H_SMALL;
    for (int view = 0; view < VIEW_REGISTRY.count; view++)
        rail_item(app, rect_cut_top(&rail, height), view);
}
