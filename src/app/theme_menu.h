/* theme_menu.h: the themes under one button, and below them the lecture, which has its own. */
#ifndef HEADLIGHT_APP_THEME_MENU_H
#define HEADLIGHT_APP_THEME_MENU_H

#include "app/app_state.h"

/* Draw the button; what is chosen in its list takes effect. */
void theme_menu(App *app, UiId id, Rect button);

#endif
