#include "shell/cli_film.h"

#include <stddef.h>

#include "base/number.h"
#include "shell/key_script.h"

#define FPS_MAX 240

#define WIDTH_MM_MAX  2000
#define FONT_PT_MAX   100
#define CURSOR_PX_MAX 1000

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

bool call_apply_part(Call *call, const char *value, Err *err) {
    (void)err;
    call->figure.part = value;
    return true;
}

bool call_apply_ground(Call *call, const char *value, Err *err) {
    call->figure.no_ground = strcmp(value, "none") == 0;
    return call->figure.no_ground || strcmp(value, "theme") == 0 ||
           err_usage(err, "--ground", "is none or theme");
}

/* Read a number up to `most`, optionally followed by the unit. */
static bool read_size(float *out, const char *value, const char *unit, double most) {
    size_t bytes = strlen(value), unit_bytes = strlen(unit);
    double number;
    if (bytes > unit_bytes && strcmp(value + bytes - unit_bytes, unit) == 0)
        bytes -= unit_bytes;
    if (!number_parse_real(&number, value, bytes) || number < 1 || number > most)
        return false;
    *out = (float)number;
    return true;
}

bool call_apply_width(Call *call, const char *value, Err *err) {
    return read_size(&call->figure.width_mm, value, "mm", WIDTH_MM_MAX) ||
           err_usage(err, "--width", "is 1mm to %dmm", WIDTH_MM_MAX);
}

bool call_apply_font(Call *call, const char *value, Err *err) {
    return read_size(&call->figure.font_pt, value, "pt", FONT_PT_MAX) ||
           err_usage(err, "--font-pt", "is 1 to %d points", FONT_PT_MAX);
}

bool call_apply_steps(Call *call, const char *value, Err *err) {
    (void)err;
    call->film.steps = value;
    return true;
}

/* Return the index of value in names, or -1. */
static int index_in(const char *const *names, int count, const char *value) {
    for (int i = 0; i < count; i++)
        if (strcmp(value, names[i]) == 0)
            return i;
    return -1;
}

bool call_apply_stage(Call *call, const char *value, Err *err) {
    static const char *const names[] = {"", "hall", "window"};
    int stage = index_in(names, 3, value);
    call->film.stage = stage > 0 ? (RecordStage)stage : RECORD_AS_TOUR;
    return stage > 0 || err_usage(err, "--stage", "is hall or window");
}

bool call_apply_captions(Call *call, const char *value, Err *err) {
    static const char *const names[] = {"burn", "srt", "vtt", "none"};
    int captions = index_in(names, 4, value);
    call->film.captions = captions >= 0 ? (Captions)captions : CAPTIONS_BURN;
    return captions >= 0 || err_usage(err, "--captions", "is burn, srt, vtt or none");
}

bool call_apply_cursor(Call *call, const char *value, Err *err) {
    call->film.cursor_px = 0;
    return strcmp(value, "none") == 0 ||
           read_size(&call->film.cursor_px, value, "px", CURSOR_PX_MAX) ||
           err_usage(err, "--cursor", "is none or 1 to %d pixels", CURSOR_PX_MAX);
}

bool call_apply_caps(Call *call, const char *value, Err *err) {
    call->film.has_caps = strcmp(value, "yes") == 0;
    return call->film.has_caps || strcmp(value, "no") == 0 ||
           err_usage(err, "--caps", "is yes or no");
}
