#include "views/train/train.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "ui/axis.h"
#include "ui/button.h"
#include "ui/text.h"
#include "views/shared/tools.h"

#define SCALE_W      300
#define SCALE_RISE   4
#define ASIDE_GAP    32
#define ASIDE_LEAST  300
#define BAR_GAP      20
#define BODY_LEAST   280 /* px: minimum height of the scrolled part above the bar */
#define CHARTS_LEAST 210
#define CHARTS_H     300 /* px: height of the charts if the view scrolls */
#define CHARTS_GAP   28
#define LOSS_SHARE   0.42f
#define BELOW_CHARTS 18
#define SIDE_BY_SIDE 760 /* px: in a narrower view the charts are below each other */
/* Px: a view at least this wide and this high has the large head next to its charts. */
#define HEAD_BESIDE   900
#define HEAD_BESIDE_H 380
#define LARGE_H       370 /* px: height of the large head if the view scrolls */
#define LARGE_SHARE   0.62f
#define LARGE_MOST    420
#define NORMS_MORE    24 /* px added to train_norms_least, for larger names */
#define HALL_MARGIN   20
#define HALL_LINE     48
#define HALL_NUMBER   38
#define HALL_NAME     17
#define HALL_LETTERS  9.2f /* width of "step 100 loss 0.028" as a multiple of its letter size */
#define MAP_MOST      112  /* px: largest side of a head */
#define MAP_LARGE     148  /* px: largest side of a head if there are few columns */
#define MAP_LEAST     44
#define RING          6 /* px kept free at the left for the ring around a head */

static const char *const COUNTS[] = {"no",   "one", "two",   "three", "four",
                                     "five", "six", "seven", "eight"};

void train_subtitle(char out[VIEW_SUBTITLE_MAX], const Session *session, const Settings *settings,
                    bool is_short) {
    const char *help = TASKS[settings->train.task].entry.help;
    bool is_given;
    int starts = train_request(session, settings, &is_given).schemes.count;
    int used = snprintf(out, VIEW_SUBTITLE_MAX, "%.*s.", (int)strcspn(help, "."), help);
    if (!is_short)
        snprintf(out + used, (size_t)(VIEW_SUBTITLE_MAX - used),
                 " Same seed, same sequences, %s start%s.", COUNTS[starts], starts == 1 ? "" : "s");
}

const char *train_name(const TrainScene *s, int column) {
    return s->of->key.is_given ? "Given weights" : column_scheme(s->c, column)->entry.label;
}

TokenLabel train_token(const TrainScene *s, int i) {
    return i < s->c->run->T ? s->c->run->labels[i] : (TokenLabel){"", 0};
}

const char *train_short_name(char out[64], const TrainScene *s, int column) {
    if (!s->of->key.is_given)
        return column_short_name(out, s->c, column);
    snprintf(out, 64, "Given");
    return out;
}

static void aside_draw(const TrainScene *s) {
    Rect line = s->c->beside_title;
    ScaleBar bar = view_scale_of(s->c, 1, false);
    bar.name = "\"Attention\" A";
    if (line.w < SCALE_W + ASIDE_GAP)
        return;
    Rect place = rect_cut_right(&line, SCALE_W);
    place.y += 8 - SCALE_RISE;
    rect_cut_right(&place, 22); /* half of the last number extends beyond the scale */
    scale_bar(s->c->ui, place, &bar);
    rect_cut_right(&line, ASIDE_GAP);
    float width = results_menu_width(s->c);
    if (line.w < width + ASIDE_GAP)
        return;
    place = rect_cut_right(&line, width);
    place.h = BUTTON_HEIGHT;
    results_menu_draw(s->c, place);
}

static void charts_draw(const TrainScene *s, Rect area) {
    bool narrow = area.w < SIDE_BY_SIDE;
    Rect loss = narrow ? rect_cut_top(&area, (area.h - BELOW_CHARTS) / 2)
                       : rect_cut_left(&area, area.w * LOSS_SHARE);
    if (narrow)
        rect_cut_top(&area, BELOW_CHARTS);
    else
        rect_cut_left(&area, CHARTS_GAP);
    train_loss_draw(s, loss);
    train_score_draw(s, area);
}

/* Draw the charts and, below them, the columns, in a scrolled area if they do not fit. The large
 * head and the norms are at the right of charts and columns or, in a small view, between them. The
 * heads in the columns are as large as the charts allow. with_tools: also draw the controls, for
 * which the bar has no room. */
static void body_draw(const TrainScene *s, Rect area, bool with_tools) {
    bool is_beside = area.w >= HEAD_BESIDE && area.h >= HEAD_BESIDE_H;
    float large_h = fminf(fminf(area.h * LARGE_SHARE, LARGE_MOST),
                          area.h - BELOW_CHARTS - train_norms_least(s) - NORMS_MORE);
    float aside_w = is_beside ? fmaxf(train_large_width(s, large_h), ASIDE_LEAST) : 0;
    Rect beside = rect_cut_right(&area, aside_w);
    rect_cut_right(&area, is_beside ? ASIDE_GAP : 0);
    float most = s->columns > 3 ? MAP_MOST : MAP_LARGE, width = area.w;
    float room = is_beside ? area.h - CHARTS_LEAST - BELOW_CHARTS : 0;
    TrainGrid grid = train_grid(s, width, most);
    for (float side = most - 8; side >= MAP_LEAST && grid.height > room; side -= 8)
        grid = train_grid(s, width, side);
    bool fits = grid.height <= room;
    if (!fits) {
        width -= SCROLL_BAR;
        grid = train_grid(s, width, most);
    }
    float rows = width < SIDE_BY_SIDE ? 2 : 1;
    float charts_h = fits        ? area.h - grid.height - BELOW_CHARTS
                     : is_beside ? area.h
                                 : CHARTS_H * rows;
    float aside_h = is_beside ? 0 : LARGE_H * rows + BELOW_CHARTS;
    float tools_h = with_tools ? BAR_GAP + train_tools_height(s->c, width) : 0;
    Rect around = {area.x - RING, area.y, area.w + RING, area.h};
    ScrollArea scroll =
        scroll_begin(s->c->ui, ui_id("train view", 0), around, &s->c->memory->train->scroll,
                     (Vec2){around.w, charts_h + BELOW_CHARTS + aside_h + grid.height + tools_h});
    Rect content = scroll.content;
    rect_cut_left(&content, RING);
    content.w = width;
    charts_draw(s, rect_cut_top(&content, charts_h));
    rect_cut_top(&content, BELOW_CHARTS);
    if (!is_beside) {
        Rect aside = rect_cut_top(&content, LARGE_H * rows);
        train_large_draw(s, rows > 1 ? rect_cut_top(&aside, LARGE_H)
                                     : rect_cut_left(&aside, aside.w / 2));
        train_norms_draw(s, aside);
        rect_cut_top(&content, BELOW_CHARTS);
    }
    train_columns_draw(s, &grid, rect_cut_top(&content, grid.height));
    rect_cut_top(&content, BAR_GAP);
    if (with_tools)
        train_tools_draw(s->c, content);
    scroll_end(s->c->ui, &scroll);
    if (!is_beside)
        return;
    train_large_draw(s, rect_cut_top(&beside, large_h));
    rect_cut_top(&beside, BELOW_CHARTS);
    train_norms_draw(s, beside);
}

/* Draw a name and, after it, its value. Return the width of both. */
static float hall_number(const TrainScene *s, Rect line, float size, const char *name,
                         const char *value) {
    Ui *ui = s->c->ui;
    float used = text_in(ui, line, TEXT_BODY | TEXT_PX(HALL_NAME), "%s", name) + size / 4;
    rect_cut_left(&line, used);
    LabelStyle style = {FONT_MONO, size, ui->theme->text_1, LABEL_LEFT};
    return used + label_draw(ui, line, &style, value);
}

static void hall_draw(const TrainScene *s, Rect area) {
    char loss[32];
    area = rect_inset(area, HALL_MARGIN, HALL_MARGIN);
    Rect curve = rect_cut_left(&area, area.w / 2);
    Rect line = rect_cut_top(&curve, HALL_LINE);
    axis_value_brief(loss, sizeof loss, train_loss(s, train_chosen_start(s)));
    float size = fminf(HALL_NUMBER, line.w / HALL_LETTERS);
    rect_cut_left(&line, hall_number(s, line, size, "step", PRINT("%d", s->step)) + size * 0.6f);
    hall_number(s, line, size, "loss", loss);
    train_loss_draw(s, curve);
    rect_cut_left(&area, ASIDE_GAP);
    area.h -= fmaxf(train_large_width(s, area.h) - area.w, 0);
    train_large_draw(s, area);
}

/* Explain why training is impossible. Unless the form is Separate, offer to choose it. */
static void failed_draw(const ViewContext *c, Rect area) {
    const Err *err = &c->memory->train->err;
    char text[sizeof err->what + sizeof err->why + 4];
    snprintf(text, sizeof text, "%s: %s.", err->what, err->why);
    text[0] = (char)toupper((unsigned char)text[0]);
    ui_fail(c->ui, err->what, err->why);
    const unsigned style = TEXT_BODY | TEXT_PX(20);
    float width = fminf(area.w - SCROLL_BAR, 720);
    float words_h = text_wrap_height(c->ui, style, text, width) + 16;
    ScrollArea scroll = scroll_begin(c->ui, ui_id("train view", 0), area, &c->memory->train->scroll,
                                     (Vec2){area.w, words_h + BUTTON_HEIGHT + 4});
    Rect content = scroll.content;
    content.w = width;
    Rect words = rect_cut_top(&content, words_h);
    text_wrap(c->ui, &words, style, text);
    Rect button = {content.x + 2, content.y, 170, BUTTON_HEIGHT};
    if (c->session->options.form.row != FORM_SEPARATE &&
        button_text(c->ui, ui_id("train separate", 0), button, "Train Separate"))
        view_set(c, "form", "separate", 0);
    scroll_end(c->ui, &scroll);
}

static void follow(const ViewContext *c, const TrainScene *s, int wanted) {
    TrainPlay *play = &c->memory->train->play;
    if (!play->is_on)
        return;
    if (wanted > s->step) { /* playing has reached the last step computed so far */
        play->from = s->step > 0 ? s->step : 0;
        play->since_s = c->ui->time_s;
    }
    if (s->step >= 0 && s->step != c->settings->train.step) {
        play->asked = s->step;
        view_set_number(c, "train-step", s->step, 0);
    }
    /* If no more steps will be computed, stop playing at the last one. */
    bool is_held = wanted > s->step && c->memory->train->is_stopped;
    play->is_on = s->step < s->steps && !is_held;
    c->ui->again = c->ui->again || !play->is_on;
}

/* Draw the view with the bar at its lower end. In a low window the controls of the bar scroll with
 * the other parts instead. */
static void scene_draw(const TrainScene *s, Rect area) {
    train_heads_prepare(s);
    if (s->c->is_hall) {
        hall_draw(s, area);
        return;
    }
    float whole = train_bar_height(s->c, area.w);
    bool with_tools = area.h - whole - BAR_GAP >= BODY_LEAST;
    Rect bar = rect_cut_bottom(&area, with_tools ? whole : TRANSPORT_HEIGHT);
    rect_cut_bottom(&area, with_tools ? BAR_GAP : 8);
    aside_draw(s);
    body_draw(s, area, !with_tools);
    train_bar_draw(s, bar, with_tools);
}

void train_frame(const ViewContext *context, Rect area) {
    TrainMemory *m = context->memory->train;
    int wanted = train_wanted(context);
    if (!train_run(context, wanted)) {
        failed_draw(context, area);
        return;
    }
    /* The race on screen may belong to an earlier session: use the race's schemes and, if it lacks
     * the chosen head, its last head. */
    ViewContext shown = *context;
    Settings settings = *context->settings;
    Session session = *context->session;
    const TrainRace *of = train_shown(m);
    int heads = of->race->shape.H;
    settings.compare.schemes = of->key.request.schemes;
    memcpy(settings.compare.own, of->key.request.own, sizeof settings.compare.own);
    session.options.head = session.options.head < heads ? session.options.head : heads;
    shown.settings = &settings;
    shown.session = &session;
    m->drawn_frame = context->ui->frame;
    m->lit_step = m->found_step;
    m->found_step = 0;
    TrainScene s = {.c = &shown,
                    .race = of->race,
                    .of = of,
                    .columns = of->race->plan.scheme_count,
                    .steps = of->race->plan.rules.steps,
                    .frontier = train_frontier(of->race)};
    s.step = wanted < s.frontier ? wanted : s.frontier;
    if (of == &m->races[m->newest])
        follow(context, &s, wanted);
    if (s.step < 0) {
        text_wrap(context->ui, &area, TEXT_BODY | TEXT_PX(20),
                  context->ui->time_s > of->begun_s + 0.2 ? "Computing…" : "");
        return;
    }
    scene_draw(&s, area);
    /* Draw again if the pointer has moved to another map: texts drawn before that map still
     * describe the previous one. */
    context->ui->again |= m->found_step != m->lit_step;
}
