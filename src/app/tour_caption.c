#include "app/tour.h"

#include <math.h>

#include "ui/label.h"

#define LINES     2
#define LEAST     0.032f /* letter size of three lines; more lines get smaller letters */
#define MOST      0.040f
#define LINE_H    1.35f /* line height as a multiple of the letter size */
#define PAD       0.6f
#define WORDS_MAX 1500 /* logical pixels of a line; longer lines are hard to read */

const char *tour_fill(App *app, const char *words, Err *err) {
    *err = (Err){0};
    app->tour.lacks = false;
    return app_has_picture(app)
               ? tour_words(&app->tour.words, &app->tour.lacks, app_context(app), words, err)
               : words;
}

const char *tour_caption(const App *app, bool spoken) {
    const TourStep *step = app_tour_step(app);
    const char *words = spoken && step->say != NULL ? step->say : tour_moment(app).caption;
    return words != NULL ? words : "";
}

void tour_caption_place(App *app) {
    Layout *l = &app->layout;
    float size = l->window.h * MOST, height = size * (LINES * LINE_H + 2 * PAD);
    if (!app->tour.has_caption || app->tour.is_presented || l->too_small)
        return;
    l->tour = (Rect){0, l->window.h - height, l->window.w, height};
    l->view.h = fminf(l->view.h, l->tour.y - l->view.y);
    l->inspector.h = fminf(l->inspector.h, l->tour.y - l->inspector.y);
}

void tour_caption_draw(App *app) {
    Err err;
    Ui *ui = &app->ui;
    Rect bar = app->layout.tour;
    const char *words = tour_fill(app, tour_caption(app, false), &err);
    draw_fill(ui->list, bar, 0, ui->theme->chrome);
    if (words[0] == '\0')
        return;
    Rect area = rect_inset(bar, fmaxf((bar.w - WORDS_MAX) / 2, 24), 0);
    float height = app->layout.window.h;
    LabelStyle style = {FONT_SANS, height * MOST, ui->theme->text_1, LABEL_CENTRE};
    int lines = label_lines(ui, &style, words, area.w);
    for (; style.size > height * LEAST && lines > LINES;
         lines = label_lines(ui, &style, words, area.w))
        style.size -= 1;
    float used = label_shrink(ui, &style, words, area.w, area.h);
    area.y += fmaxf((area.h - used) / 2, 0);
    label_wrap(ui, area, &style, words);
}
