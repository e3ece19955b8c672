/* theme_menu.h: a menu with the themes, and below them the lecture, which has its own theme. */
#ifndef HEADLIGHT_APP_THEME_MENU_H
#define HEADLIGHT_APP_THEME_MENU_H

#include "app/app_state.h"

/* Draw the button and apply the choice. */
void theme_menu(App *app, UiId id, Rect button);

#endif
