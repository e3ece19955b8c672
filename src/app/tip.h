/* tip.h: tooltips of commands and options: their label and help from their tables, and their key as
 * the person has it. */
#ifndef HEADLIGHT_APP_TIP_H
#define HEADLIGHT_APP_TIP_H

#include "app/app_state.h"

/* Call right after the control of that id and rect. */
void tip_command(App *app, UiId id, Rect rect, const char *command);
void tip_option(App *app, UiId id, Rect rect, const OptionRow *row);

/* A control's own words, with the keys of the command that does the same there. */
void tip_words(App *app, UiId id, Rect rect, const char *words, const char *command);

#endif
