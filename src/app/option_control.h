/* option_control.h: draws the control of any option, chosen by its row. */
#ifndef HEADLIGHT_APP_OPTION_CONTROL_H
#define HEADLIGHT_APP_OPTION_CONTROL_H

#include "app/app_state.h"

float option_control_width(const App *app, const OptionRow *row);

/* Draw the control in rect and apply the user's change. */
void option_control(App *app, const OptionRow *row, Rect rect);

/* Open the sheet of all settings with the focus on this option. */
void option_control_focus(App *app, const OptionRow *row);

/* Change a number, or the number of a choice, by `steps` steps. Invalid values are skipped. */
void option_step(App *app, const OptionRow *row, int steps, uint64_t serial);

/* Set the next choice of a row; the first one follows the last. */
void option_cycle(App *app, const OptionRow *row);

#endif
