/* option_control.h: the control of any option, chosen by its row. */
#ifndef HEADLIGHT_APP_OPTION_CONTROL_H
#define HEADLIGHT_APP_OPTION_CONTROL_H

#include "app/app_state.h"

/* The width its control wants. */
float option_control_width(const App *app, const OptionRow *row);

/* Draw it in rect and apply what the person does. */
void option_control(App *app, const OptionRow *row, Rect rect);

/* Open the sheet of every setting with the focus on this one. */
void option_control_focus(App *app, const OptionRow *row);

/* Change a number, or the number that a choice carries, by steps to the next value that holds. */
void option_step(App *app, const OptionRow *row, int steps, uint64_t serial);

/* Go to the next choice of a row, from the last to the first. */
void option_cycle(App *app, const OptionRow *row);

/* A row of the session's table; asserts that it exists. */
const OptionRow *option_row(const char *key);

#endif
