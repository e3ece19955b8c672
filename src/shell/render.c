#include <stdlib.h>

#include "base/util.h"
#include "shell/film.h"
#include "shell/output.h"
#include "shell/pass.h"
#include "shell/stage.h"
#include "shell/verbs.h"

/* After this time whatever moves on its own has come to rest. */
#define SETTLED_S 60.0

static const OutputFormat FORMATS[] = {
    {{"png", "PNG", "", "A picture of --size pixels."}, false},
    {{"svg", "SVG", "", "The same picture as shapes and text, for papers and slides."}, true},
};
enum { FORMAT_PNG, FORMAT_SVG };
static const Registry FORMAT_REGISTRY = {"formats", "format", FORMATS, sizeof FORMATS[0],
                                         ARRAY_COUNT(FORMATS)};

/* Bring the stage to the moment of the picture. */
static void play(Stage *stage, const CallFilm *call, const KeyScript *keys) {
    Film film;
    film_begin(&film, stage, keys, FILM_FPS, 1);
    if (call->time_s >= 0)
        film_show(&film, (double)call->time_s);
    else if (keys->count > 0)
        film_show(&film, keys->at[keys->count - 1].time_s + SETTLED_S);
    else
        stage_frame(stage, NULL, 0, SETTLED_S);
}

static bool draw(unsigned char **bytes, size_t *size, const Call *call, int format, Err *err) {
    Stage stage;
    KeyScript keys;
    bool (*begin)(Stage *, const Session *, const Settings *, Err *) =
        format == FORMAT_SVG ? stage_begin_list : stage_begin;
    bool (*encode)(unsigned char **, size_t *, const Stage *, Err *) =
        format == FORMAT_SVG ? stage_svg : stage_png;
    if (!key_script_read(&keys, call->film.keys != NULL ? call->film.keys : "", err) ||
        !begin(&stage, &call->session, &call->settings, err))
        return false;
    if (call->lecture)
        app_begin_lecture(stage.app);
    play(&stage, &call->film, &keys);
    bool encoded = encode(bytes, size, &stage, err);
    stage_end(&stage);
    return encoded;
}

static bool write_whole(const Call *call, const void *bytes, size_t size, Err *err) {
    FileOut out;
    return output_begin(&out, call, err) && file_append(&out, bytes, size, err) &&
           output_commit(&out, err);
}

bool verb_render(const Call *call, Err *err) {
    int format;
    unsigned char *bytes = NULL;
    size_t size = 0;
    if (!output_format(&format, &FORMAT_REGISTRY, call, err) || !pass_check(&call->session, err) ||
        !draw(&bytes, &size, call, format, err))
        return false;
    bool wrote = write_whole(call, bytes, size, err);
    free(bytes);
    return wrote;
}
