#include <math.h>
#include <stdlib.h>

#include "base/heap.h"
#include "shell/figure.h"
#include "shell/film.h"
#include "shell/output.h"
#include "shell/pass.h"
#include "shell/stage.h"

/* Scales of the interface that --font-pt tries. */
#define FIT_LEAST 0.4f
#define FIT_STEP  1.08f
#define FIT_COUNT 30 /* number of scales; the largest is 3.7 */

typedef struct PictureFormat {
    OutputFormat format;
    /* dots per inch of a figure with a given width */
    float dots_per_inch;
    FigureFormat *encode;
} PictureFormat;

static const PictureFormat FORMATS[] = {
    {{{"png", "PNG", "", "A picture of --size pixels."}, false}, 300, figure_png},
    {{{"svg", "SVG", "", "The picture as shapes and text, for papers and slides."}, true},
     600,
     figure_svg},
    {{{"pdf", "PDF", "", "Shapes and text, with the fonts embedded."}, false}, 600, figure_pdf},
    {{{"tex", "TeX", "", "TikZ for \\input, with matrices up to 64 x 64."}, true}, 600, figure_tex},
    {{{"csv", "CSV", "", "The numbers of --part."}, true}, 600, figure_csv},
};
enum { FORMAT_PNG };
static const Registry FORMAT_REGISTRY = REGISTRY("formats", "format", FORMATS);

typedef struct Picture {
    const Call *call;
    int format;
    KeyScript keys;
    Session session; /* the session, changed so that the part is shown */
    Settings settings;
    Stage stage;
} Picture;

static bool begin(Picture *p, Err *err) {
    StageOptions options = {.kind = p->format == FORMAT_PNG ? STAGE_PIXELS : STAGE_LIST,
                            .changes = p->keys.count > 0};
    if (!stage_begin(&p->stage, &p->session, &p->settings, options, err))
        return false;
    p->stage.is_unseen = p->call->figure.part != NULL;
    if (p->call->lecture)
        app_begin_lecture(p->stage.app);
    Film film;
    double last_s = p->keys.count > 0 ? p->keys.at[p->keys.count - 1].time_s : 0;
    film_begin(&film, &p->stage, &p->keys, FILM_FPS, 1);
    if (p->call->film.time_s >= 0 || p->keys.count > 0)
        film_show(&film, p->call->film.time_s >= 0 ? (double)p->call->film.time_s
                                                   : last_s + STAGE_SETTLED_S);
    else
        stage_frame(&p->stage, NULL, 0, STAGE_SETTLED_S);
    if (stage_check(&p->stage, err) &&
        figure_cut(&p->stage, &p->call->figure, FORMATS[p->format].dots_per_inch, err))
        return true;
    stage_end(&p->stage);
    return false;
}

/* Lay the picture out at the scale of the interface at which text is closest to the requested size.
 * Layouts change in steps, so all scales must be tried. */
static bool begin_fitting(Picture *p, Err *err) {
    float best = p->settings.ui_scale, least = INFINITY, scale = FIT_LEAST;
    if (p->call->figure.font_pt == 0)
        return begin(p, err);
    for (int i = 0; i < FIT_COUNT; i++, scale *= FIT_STEP) {
        p->settings.ui_scale = scale;
        Err unfit;
        if (!begin(p, &unfit))
            continue;
        float miss = fabsf(logf(figure_text_ratio(&p->stage, &p->call->figure)));
        best = miss < least ? scale : best;
        least = fminf(miss, least);
        stage_end(&p->stage);
    }
    p->settings.ui_scale = best;
    return begin(p, err);
}

static bool draw(TextOut *out, Picture *p, Err *err) {
    const CallFigure *figure = &p->call->figure;
    if (!figure_prepare(&p->session, &p->settings, figure, err) ||
        !key_script_read(&p->keys, p->call->film.keys != NULL ? p->call->film.keys : "", err) ||
        !pass_check(&p->session, err) || !begin_fitting(p, err))
        return false;
    bool encoded = figure_encode(out, FORMATS[p->format].encode, &p->stage, figure, err);
    stage_end(&p->stage);
    return encoded;
}

bool verb_render(const Call *call, Err *err) {
    TextOut text = {0};
    FileOut out;
    Picture *p = heap_get_zero(1, sizeof *p);
    if (p == NULL)
        return err_fail(err, "memory", "too little to start; close other programs");
    p->call = call;
    p->session = session_share(&call->session);
    p->settings = call->settings;
    bool done = output_format(&p->format, &FORMAT_REGISTRY, call, err) && draw(&text, p, err) &&
                output_begin(&out, call, err) && print_append(&out, &text, err) &&
                output_commit(&out, err);
    text_out_release(&text);
    session_release(&p->session);
    free(p);
    return done;
}
