#include "app/theme_menu.h"

#include <assert.h>
#include <string.h>

#include "app/tip.h"
#include "base/util.h"
#include "ui/dropdown.h"
#include "ui/skin.h"

/* The rows of the menu: those of THEMES in order, then the lecture. */
static const Entry ROWS[] = {
    [THEME_DARK] = {"dark", "Dark", "", "For a screen in a dim room."},
    [THEME_LIGHT] = {"light", "Light", "", "For a bright room, and for print."},
    [THEME_PROJECTOR] = {"projector", "Projector", "", "For a pale picture in a lit room."},
    [THEME_COUNT] = {"lecture", "Lecture", "",
                     "Large-type view of one head for a lecture hall; Esc leaves."},
};
static_assert(ARRAY_COUNT(ROWS) == THEME_COUNT + 1, "one row for each theme, and the lecture");
static const Registry THEME_MENU = REGISTRY("themes", "theme", ROWS);

void theme_menu(App *app, UiId id, Rect button) {
    static const DropdownChoices CHOICES = {.registry = &THEME_MENU, .label = "Theme"};
    Ui *ui = &app->ui;
    UiState state;
    int chosen = dropdown_under(ui, id, button, &CHOICES, app->settings.theme, &state);
    draw_fill(ui->list, button, SKIN_RADIUS, skin_ground(ui, id, state, COLOUR_CLEAR));
    icon_draw(ui, ICON_THEME, rect_centre(button), 18, skin_ink(state, ui->theme->text_1));
    ui_focus_ring(ui, id, button, SKIN_RADIUS);
    tip_words(app, id, button, "Dark, light, projector, or a lecture.", "theme");
    if (chosen == THEME_COUNT)
        app_do(app, lecture_toggle, 0);
    else if (chosen >= 0)
        app_set_key(app, "theme", ROWS[chosen].id);
}
