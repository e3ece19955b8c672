/* tip.h: tooltips of commands and options: label and help from their tables, and the user's keys.
 * */
#ifndef HEADLIGHT_APP_TIP_H
#define HEADLIGHT_APP_TIP_H

#include "app/app_state.h"

/* Call right after the control with this id and rect. */
void tip_command(App *app, UiId id, Rect rect, const char *command);
void tip_option(App *app, UiId id, Rect rect, const OptionRow *row);

/* Draw a tooltip with the given words, and the keys of the command that does the same as the
 * control. */
void tip_words(App *app, UiId id, Rect rect, const char *words, const char *command);

#endif
