#include <stdlib.h>

#include "app/part_numbers.h"
#include "export/tikz.h"
#include "shell/figure.h"
#include "shell/picture.h"

/* Write text to the file. */
static bool finish(unsigned char **bytes, size_t *size, TextOut *out, bool wrote, Err *err) {
    if (wrote && out->failed)
        wrote = err_fail(err, "memory", "too little for the file");
    if (!wrote)
        text_out_release(out);
    *bytes = (unsigned char *)out->at;
    *size = out->used;
    return wrote;
}

bool figure_tex(unsigned char **bytes, size_t *size, Stage *stage, const CallFigure *figure,
                Err *err) {
    TextOut out = {0};
    const DrawList *list = &stage->list;
    char *state = picture_state(stage->app);
    double pt = figure->width_mm > 0 ? (double)figure->width_mm / 25.4 * 72.27 / (double)list->width
                                     : 72.27 / 96;
    bool wrote = (state != NULL || err_fail(err, "memory", "too little for the state")) &&
                 stage_check(stage, err) && tikz_write(&out, list, pt, state, err);
    free(state);
    return finish(bytes, size, &out, wrote, err);
}

bool figure_csv(unsigned char **bytes, size_t *size, Stage *stage, const CallFigure *figure,
                Err *err) {
    TextOut out = {0};
    if (figure->part == NULL)
        return err_usage(err, "--part",
                         "is missing; name the part whose numbers are to be written");
    bool wrote = part_numbers_write(&out, &stage->list, stage->app, figure->part, err) &&
                 stage_check(stage, err);
    return finish(bytes, size, &out, wrote, err);
}
