#include "shell/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/part_numbers.h"
#include "base/heap.h"
#include "base/registry.h"
#include "base/utf8.h"
#include "document/state.h"
#include "draw/camera.h"
#include "draw/part.h"
#include "export/pdf.h"
#include "export/png.h"
#include "export/svg.h"
#include "export/tikz.h"
#include "gfx/text.h"
#include "shell/assets.h"
#include "views/parts.h"
#include "views/view.h"

#define MARGIN    8 /* px around a part that is cut out */
#define MARKS     2 /* px by which marks at the edge of a figure may extend beyond it */
#define MM_PER_IN 25.4f
#define PT_PER_IN 72.0f

bool figure_prepare(Session *session, Settings *settings, const CallFigure *figure, Err *err) {
    if (figure->part == NULL)
        return true;
    char near[80];
    int row = part_row(figure->part, strlen(figure->part));
    const char *what = PRINT("--part %.100s", figure->part);
    if (row < 0) {
        nearest_entry(near, sizeof near, &PART_REGISTRY, figure->part, strlen(figure->part));
        return near[0] != '\0' ? err_usage(err, what, "no such part; did you mean %s?", near)
                               : err_usage(err, what, "no such part; run headlight list parts");
    }
    StateExtra extra = settings_extra(settings, assets_weights);
    Settings given = *settings;
    if (!state_read(session, &extra, PARTS[row].state, strlen(PARTS[row].state), err))
        return false;
    /* keep the user's second sentence: the part's state has only an example */
    if (given.maps.second[0] != '\0')
        memcpy(settings->maps.second, given.maps.second, sizeof settings->maps.second);
    return true;
}

bool figure_cut(Stage *stage, const CallFigure *figure, float dots_per_inch, Err *err) {
    DrawList *list = &stage->list;
    if (figure->part != NULL) {
        const DrawPart *part = part_find(list, figure->part, strlen(figure->part));
        if (part == NULL)
            return err_fail(err, figure->part,
                            "is not in the picture; use a larger --size, or another view or page");
        Rect marked = rect_inset(part->rect, -MARKS, -MARKS);
        draw_crop(list, &stage->measure, marked, MARGIN - MARKS);
    }
    if (figure->ground == GROUND_NONE)
        list->ground = 0;
    if (figure->width_mm > 0)
        list->scale = figure->width_mm / MM_PER_IN * dots_per_inch / list->width;
    return true;
}

float figure_text_ratio(const Stage *stage, const CallFigure *figure) {
    const DrawList *list = &stage->list;
    float text = draw_text_size(list);
    if (!(figure->width_mm > 0 && figure->font_pt > 0 && text > 0))
        return 1;
    return text * figure->width_mm / MM_PER_IN * PT_PER_IN / list->width / figure->font_pt;
}

static bool redraw(Stage *stage, Colour ground, Err *err) {
    DrawList *list = &stage->list;
    list->ground = ground;
    return soft_draw(stage->soft, list, (int)roundf(list->width * list->scale),
                     (int)roundf(list->height * list->scale), err);
}

/* Fill rgba with the picture without its background. Draw it on black and on white: the more a
 * pixel differs between the two, the more transparent it is. */
static bool draw_clear(unsigned char *rgba, Stage *stage, int count, Err *err) {
    unsigned char *white = heap_get(4 * (size_t)count);
    bool drawn = white != NULL && redraw(stage, 0xFFFFFFFF, err);
    if (white == NULL)
        err_fail(err, "memory", "too little for the picture; use a smaller --size");
    if (drawn)
        soft_read(stage->soft, white);
    drawn = drawn && redraw(stage, 0x000000FF, err);
    if (drawn)
        soft_read(stage->soft, rgba);
    for (int i = 0; drawn && i < count; i++) {
        unsigned char *black = rgba + 4 * i;
        int clear = 255;
        for (int channel = 0; channel < 3; channel++) {
            int differs = white[4 * i + channel] - black[channel];
            clear = differs < clear ? differs : clear;
        }
        int alpha = 255 - (clear > 0 ? clear : 0);
        for (int channel = 0; channel < 3 && alpha > 0; channel++) {
            int straight = (black[channel] * 255 + alpha / 2) / alpha;
            black[channel] = (unsigned char)(straight < 255 ? straight : 255);
        }
        black[3] = (unsigned char)alpha;
    }
    free(white);
    return drawn;
}

bool figure_png(TextOut *out, Stage *stage, const CallFigure *figure, const char *state, Err *err) {
    int width, height;
    bool is_cut = figure->part != NULL || figure->width_mm > 0 || figure->ground != GROUND_THEME;
    if ((is_cut || stage->is_unseen) && !redraw(stage, stage->list.ground, err))
        return false;
    soft_pixels(stage->soft, &width, &height);
    unsigned char *rgba = heap_get((size_t)width * (size_t)height * 4);
    if (rgba == NULL)
        return err_fail(err, "memory", "too little for %d x %d pixels; use a smaller --size", width,
                        height);
    if (figure->ground == GROUND_THEME)
        soft_read(stage->soft, rgba);
    bool drawn = (figure->ground == GROUND_THEME || draw_clear(rgba, stage, width * height, err)) &&
                 png_encode(out, rgba, width, height, state, err);
    free(rgba);
    return drawn;
}

static const char *title_of(const Stage *stage) {
    return registry_entry(&VIEW_REGISTRY, app_settings(stage->app)->view)->help;
}

bool figure_svg(TextOut *out, Stage *stage, const CallFigure *figure, const char *state, Err *err) {
    SvgAbout about = {title_of(stage), state, figure->part, figure->width_mm};
    TextMeasure measure = text_measure(stage->fonts);
    return svg_encode(out, &stage->list, &measure, stage->fonts, &about, err);
}

bool figure_pdf(TextOut *out, Stage *stage, const CallFigure *figure, const char *state, Err *err) {
    PdfFile pdf = {.fonts = stage->fonts, .about = {title_of(stage), state, figure->width_mm}};
    bool encoded = pdf_page(&pdf, &stage->list, NULL, err) && pdf_end(&pdf, err);
    *out = pdf.out;
    pdf.out = (TextOut){0};
    pdf_release(&pdf);
    return encoded;
}

bool figure_tex(TextOut *out, Stage *stage, const CallFigure *figure, const char *state, Err *err) {
    double width = (double)stage->list.width, mm = (double)figure->width_mm;
    double pt = mm > 0 ? mm / 25.4 * 72.27 / width : 72.27 / 96;
    return tikz_write(out, &stage->list, pt, state, err);
}

bool figure_csv(TextOut *out, Stage *stage, const CallFigure *figure, const char *state, Err *err) {
    (void)state;
    if (figure->part == NULL)
        return err_usage(err, "--part",
                         "is missing; name the part whose numbers are to be written");
    return part_numbers_write(out, &stage->list, stage->app, figure->part, err);
}

bool figure_encode(TextOut *out, FigureFormat *format, Stage *stage, const CallFigure *figure,
                   Err *err) {
    Settings settings = *app_settings(stage->app);
    /* The figure's state must not contain the user's scale of the interface. */
    settings.ui_scale = 1;
    StateExtra extra = settings_extra(&settings, NULL);
    char *state = state_make(app_session(stage->app), &extra);
    bool encoded = stage_check(stage, err) &&
                   (state != NULL || err_fail(err, "memory", "too little for the state")) &&
                   format(out, stage, figure, state, err) &&
                   (!out->failed || err_fail(err, "memory", "too little for the file"));
    free(state);
    return encoded;
}
