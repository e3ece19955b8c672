/* cli_film.h: options of films, moments and figures: functions for CallOption.apply. */
#ifndef HEADLIGHT_SHELL_CLI_FILM_H
#define HEADLIGHT_SHELL_CLI_FILM_H

#include "shell/cli.h"

bool call_apply_ground(Call *call, const char *value, Err *err);
bool call_apply_width(Call *call, const char *value, Err *err);
bool call_apply_font(Call *call, const char *value, Err *err);
bool call_apply_stage(Call *call, const char *value, Err *err);
bool call_apply_captions(Call *call, const char *value, Err *err);
bool call_apply_cursor(Call *call, const char *value, Err *err);
bool call_apply_caps(Call *call, const char *value, Err *err);

#endif
