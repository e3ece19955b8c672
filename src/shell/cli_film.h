/* cli_film.h: options of films, moments and figures: functions for CallOption.apply. */
#ifndef HEADLIGHT_SHELL_CLI_FILM_H
#define HEADLIGHT_SHELL_CLI_FILM_H

#include "shell/cli.h"

bool call_apply_keys(Call *call, const char *value, Err *err);
bool call_apply_time(Call *call, const char *value, Err *err);
bool call_apply_part(Call *call, const char *value, Err *err);
bool call_apply_ground(Call *call, const char *value, Err *err);
bool call_apply_width(Call *call, const char *value, Err *err);
bool call_apply_font(Call *call, const char *value, Err *err);
bool call_apply_seconds(Call *call, const char *value, Err *err);
bool call_apply_to(Call *call, const char *value, Err *err);
bool call_apply_steps(Call *call, const char *value, Err *err);
bool call_apply_stage(Call *call, const char *value, Err *err);
bool call_apply_captions(Call *call, const char *value, Err *err);
bool call_apply_cursor(Call *call, const char *value, Err *err);
bool call_apply_caps(Call *call, const char *value, Err *err);
bool call_apply_over(Call *call, const char *value, Err *err);
bool call_apply_fps(Call *call, const char *value, Err *err);
bool call_apply_tempo(Call *call, const char *value, Err *err);

#endif
