/* The chosen head of the chosen column in the Train view, large enough for the tokens' names. */
#include <math.h>

#include "draw/part.h"
#include "model/attention/task.h"
#include "ui/axis.h"
#include "ui/label.h"
#include "ui/text.h"
#include "views/shared/columns.h"
#include "views/train/train_heads.h"

#define TITLE_H     40
#define TITLE_LEAST 300 /* px: least width for a long name and the button that uses the layer */
#define FOOT_H      30
#define NAME_SIZE   14
#define NAME_MOST   84 /* px: largest width of a token's name */
#define NAME_GAP    6
#define LINE        14.5f /* px: if rows are lower than this, only some names are shown */
#define SLANTED     12.5f /* px: if columns are narrower than this, only some names are shown */
#define SLANT       0.70710678f
#define MAP_LEAST   60

int train_chosen_start(const TrainScene *s) {
    int start = s->c->settings->train.start - 1;
    return start < s->columns ? start : s->columns - 1;
}

static float names_width(const TrainScene *s) {
    return view_names_width(s->c, FONT_SANS, NAME_SIZE, NAME_MOST);
}

static float side_of(const TrainScene *s, float height) {
    float slope = names_width(s) * SLANT + NAME_SIZE;
    return fmaxf(height - TITLE_H - FOOT_H - slope, MAP_LEAST);
}

float train_large_width(const TrainScene *s, float height) {
    float names = names_width(s);
    return side_of(s, height) + names + NAME_GAP + names * SLANT * 0.5f;
}

static void names_draw(const TrainScene *s, Rect map, float names) {
    int T = s->race->shape.T;
    float cell = map.w / (float)T;
    int rows = (int)ceilf(LINE / cell), columns = (int)ceilf(SLANTED / (cell * SLANT));
    for (int i = 0; i < T; i++) {
        float middle = ((float)i + 0.5f) * cell;
        Rect row = {map.x - NAME_GAP - names, map.y + middle - LINE / 2, names, LINE};
        LabelStyle style = {FONT_SANS, NAME_SIZE, s->c->ui->theme->text_2, LABEL_RIGHT};
        ViewName name = view_name(s->c, &style, train_token(s, i), NAME_MOST);
        if (i % rows == 0)
            label_draw(s->c->ui, row, &style, name.text);
        if (i % columns == 0)
            label_turned(s->c->ui, (Vec2){map.x + middle + NAME_SIZE * 0.25f, map.y - NAME_GAP},
                         -0.78539816f, &style, name.text);
    }
}

/* Draw a frame around each cell that the task asks for. Return their mean weight; NaN if there are
 * none. */
static float asked_draw(const TrainScene *s, Rect map, const Mat *a) {
    const RacePlan *plan = &s->race->plan;
    int T = s->race->shape.T, rows = 0;
    float cell = map.w / (float)T, sum = 0;
    for (int i = 0; TASKS[plan->rules.task].key != NULL && i < T; i++) {
        int key = TASKS[plan->rules.task].key(i, T, s->race->orders.text);
        if (key < 0)
            continue;
        rows++;
        sum += mask_row(&plan->mask, i)[key] ? mat_row(a, i)[key] : 0;
        Rect place = {map.x + cell * (float)key, map.y + cell * (float)i, cell, cell};
        if (cell >= 6) { /* two frames of different colours, so that one is visible on any cell */
            draw_ring(s->c->ui->list, place, 2, 1.5f, s->c->ui->theme->casing);
            draw_ring(s->c->ui->list, rect_inset(place, 1.5f, 1.5f), 1, 1, s->c->ui->theme->ring);
        }
    }
    return rows > 0 ? sum / (float)rows : NAN;
}

static void title_draw(const TrainScene *s, Rect line, int start, int head) {
    mark_draw(s->c->ui, column_mark(start), (Vec2){line.x + 7, line.y + line.h / 2}, 13,
              column_colour(s->c, start));
    rect_cut_left(&line, 22);
    if (!s->c->ui->is_plain)
        train_use_draw(s, rect_cut_right(&line, TRAIN_USE_W), start);
    char name[64];
    train_short_name(name, s, start);
    text_in(s->c->ui, line, TEXT_STRONG | TEXT_PX(16) | TEXT_PLAIN, "%.60s, head %d",
            s->c->is_hall ? name : train_name(s, start), head + 1);
}

void train_large_draw(const TrainScene *s, Rect area) {
    int start = train_chosen_start(s), head = s->c->session->options.head - 1;
    int step = race_kept_step(s->race, train_last(s->race, start, s->step));
    float names = names_width(s), side = side_of(s, area.h);
    area.w = fminf(area.w, fmaxf(train_large_width(s, area.h), TITLE_LEAST));
    Rect whole = area, title = rect_cut_top(&area, TITLE_H - 4);
    Rect map = {area.x + names + NAME_GAP, rect_bottom(area) - FOOT_H - side, side, side};
    map.x = draw_snap(s->c->ui->list, map.x);
    map.y = draw_snap(s->c->ui->list, map.y);
    title_draw(s, title, start, head);
    int T = s->race->shape.T;
    draw_part(s->c->ui->list, &(DrawPart){.rect = whole, .cells = map, .rows = T, .cols = T},
              "train.head");
    train_map_draw(s, map, start, s->race->shape.H + TRAIN_MOMENTS, head, step);
    names_draw(s, map, names);
    Mat a = race_weights(s->race, start, step, head);
    float asked = asked_draw(s, map, &a);
    if (isnan(asked))
        return;
    const char *value = AXIS_VALUE(asked);
    bool is_seen = s->race->plan.rules.data == RACE_SENTENCE || s->race->shape.T == 1;
    text_in(s->c->ui, (Rect){area.x, rect_bottom(map) + 4, area.w, FOOT_H - 4},
            TEXT_CAPTION | TEXT_PLAIN | TEXT_BRIGHT, "this %stext: %s on %s\nthis text: %s",
            is_seen ? "" : "unseen ", value, TASKS[s->race->plan.rules.task].asked, value);
}
