#include "shell/cli_film.h"

#include <string.h>

#include "base/number.h"

#define WIDTH_MM_MAX  2000
#define FONT_PT_MAX   100
#define CURSOR_PX_MAX 1000

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
