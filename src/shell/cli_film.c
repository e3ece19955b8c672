#include "shell/cli_film.h"

#include <stddef.h>

#include "shell/key_script.h"

#define FPS_MAX 240

static bool set(Call *call, const char *value, const char *id, OptionKind kind, size_t offset,
                double least, double most, Err *err) {
    OptionRow row = {
        .entry = {id, "", "", ""}, .kind = kind, .offset = offset, .least = least, .most = most};
    return option_set(&call->film, &row, value, strlen(value), err);
}

bool call_apply_keys(Call *call, const char *value, Err *err) {
    (void)err;
    call->film.keys = value;
    return true;
}

bool call_apply_to(Call *call, const char *value, Err *err) {
    (void)err;
    call->film.to = value;
    return true;
}

bool call_apply_time(Call *call, const char *value, Err *err) {
    return set(call, value, "time", OPTION_REAL, offsetof(CallFilm, time_s), 0, KEY_SCRIPT_SECONDS,
               err);
}

bool call_apply_seconds(Call *call, const char *value, Err *err) {
    return set(call, value, "seconds", OPTION_REAL, offsetof(CallFilm, seconds), 0.01,
               KEY_SCRIPT_SECONDS, err);
}

bool call_apply_over(Call *call, const char *value, Err *err) {
    return set(call, value, "over", OPTION_REAL, offsetof(CallFilm, over_s), 0.01,
               KEY_SCRIPT_SECONDS, err);
}

bool call_apply_fps(Call *call, const char *value, Err *err) {
    return set(call, value, "fps", OPTION_INT, offsetof(CallFilm, fps), 1, FPS_MAX, err);
}

bool call_apply_tempo(Call *call, const char *value, Err *err) {
    return set(call, value, "tempo", OPTION_REAL, offsetof(CallFilm, tempo), 0.01, 100, err);
}
