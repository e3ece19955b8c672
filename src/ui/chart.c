#include "ui/chart.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/label.h"
#include "ui/polyline.h"
#include "ui/skin.h"

#define CURVE      2.6f
#define MARK_SIZE  9
#define NAME_SIZE  16
#define NAME_LINE  22
#define NAME_GAP   10
#define NAMES_W    182 /* the longest short name, a gap and a value such as 6.33e-20 */
#define BESIDE     10
#define REACH      8 /* beside the plot */
#define HANDLE_GAP 2
#define HANDLE_H   26
#define ARROW      11
#define MARKS_MAX  64 /* of one series; with more points marks are left out */
#define PIECES_MAX 1024
#define BEYOND     2 /* plots: how far an infinite value is taken to lie */

static float x_of(const ChartSeries *s, int i) {
    return s->x != NULL ? s->x[i] : s->x_first + (float)i;
}

/* The index of the point nearest in x, or -1. */
static int nearest(const ChartSeries *s, float x) {
    int best = -1;
    for (int i = 0; i < s->count; i++)
        if (best < 0 || fabsf(x_of(s, i) - x) < fabsf(x_of(s, best) - x))
            best = i;
    return isnan(x) ? -1 : best;
}

float chart_value(const ChartSeries *series, float x) {
    int i = nearest(series, x);
    return i < 0 ? NAN : series->y[i];
}

Rect chart_handle(Rect plot, float x, float width) {
    float left = fminf(fmaxf(x - width / 2, plot.x - REACH), rect_right(plot) + REACH - width);
    return (Rect){left, rect_bottom(plot) + HANDLE_GAP, width, HANDLE_H};
}

Vec2 chart_place(Rect plot, const Chart *chart, float x, float y) {
    return (Vec2){plot.x + plot.w * axis_at(&chart->x, x),
                  rect_bottom(plot) - plot.h * axis_at(&chart->y, y)};
}

/* As chart_place, what is infinite a few plots away, so that a line to it has a direction. */
static Vec2 place(Rect plot, const Chart *chart, const ChartSeries *s, int i) {
    Vec2 at = chart_place(plot, chart, x_of(s, i), s->y[i]);
    at.y = fminf(fmaxf(at.y, plot.y - BEYOND * plot.h), rect_bottom(plot) + BEYOND * plot.h);
    return at;
}

static bool inside(Rect plot, Vec2 at) {
    return at.y >= plot.y - 0.5f && at.y <= rect_bottom(plot) + 0.5f;
}

/* The point of the way from inside to outside that lies on the plot's edge. */
static Vec2 edge_between(Rect plot, Vec2 in, Vec2 out) {
    float edge = out.y < plot.y ? plot.y : rect_bottom(plot);
    float t = (edge - in.y) / (out.y - in.y);
    return (Vec2){in.x + (out.x - in.x) * t, edge};
}

static void arrow(Ui *ui, Vec2 from, Vec2 tip, Colour colour) {
    float length = fmaxf(hypotf(tip.x - from.x, tip.y - from.y), 1e-3f);
    Vec2 way = {(tip.x - from.x) / length, (tip.y - from.y) / length};
    Vec2 base = {tip.x - way.x * ARROW, tip.y - way.y * ARROW};
    Vec2 side = {-way.y * ARROW * 0.42f, way.x * ARROW * 0.42f};
    draw_triangle(ui->list, &(DrawTriangle){tip,
                                            {base.x + side.x, base.y + side.y},
                                            {base.x - side.x, base.y - side.y},
                                            colour,
                                            colour,
                                            colour});
}

/* Words beside x, on its right where they fit there, else on its left, on a pill so that no curve
 * crosses them; in lines where they are wider than the plot. y is their top, or with upward their
 * bottom. Returns their height. */
static float words_beside(Ui *ui, Rect plot, float x, float y, bool upward, const LabelStyle *style,
                          const char *text) {
    float width = label_width(ui, style->font, style->size, text, strlen(text));
    float right_w = rect_right(plot) - x - BESIDE, left_w = x - BESIDE - plot.x;
    bool is_right = width <= right_w || right_w > left_w;
    Rect words = {x + BESIDE, y, fminf(width, is_right ? right_w : left_w), NAME_LINE};
    if (!is_right)
        words.x = x - BESIDE - words.w;
    int lines = label_lines(ui, style, text, words.w);
    words.h = NAME_LINE + (float)(lines - 1) * style->size * LABEL_LINE;
    words.y = upward ? y - words.h : y;
    draw_fill(ui->list, rect_inset(words, -4, 0), 6, colour_fade(ui->theme->canvas, 0.85f));
    if (lines > 1)
        label_wrap(ui, words, style, text);
    else
        label_draw(ui, words, style, text);
    return words.h;
}

typedef struct Piece {
    Vec2 from, to;
} Piece;

/* Where curves leave the plot, each once, to be said when all of them are drawn, and the pieces of
 * curves that are not to be hidden by it. */
typedef struct Leaving {
    Piece pieces[PIECES_MAX];
    int piece_count;
    Vec2 tips[CHART_SERIES_MAX];
    const char *words[CHART_SERIES_MAX];
    int count;
    bool backward; /* as the chart has it */
} Leaving;

static void leaves(Leaving *leaving, Vec2 tip, const char *words) {
    for (int i = 0; i < leaving->count; i++)
        if (leaving->words[i] == words)
            return;
    if (words == NULL || leaving->count == CHART_SERIES_MAX)
        return;
    leaving->tips[leaving->count] = tip;
    leaving->words[leaving->count++] = words;
}

/* How much of a line from a to b lies in the rect, as a share of the line. */
static float share_inside(Rect rect, Vec2 a, Vec2 b) {
    float from = 0, to = 1, way[] = {b.x - a.x, b.y - a.y};
    float least[] = {rect.x - a.x, rect.y - a.y}, most[] = {least[0] + rect.w, least[1] + rect.h};
    for (int i = 0; i < 2; i++) {
        if (way[i] == 0 && (least[i] > 0 || most[i] < 0))
            return 0;
        if (way[i] == 0)
            continue;
        float one = least[i] / way[i], other = most[i] / way[i];
        from = fmaxf(from, fminf(one, other));
        to = fminf(to, fmaxf(one, other));
    }
    return fmaxf(to - from, 0);
}

/* What of the curves words there would hide, in logical pixels. */
static float hidden_by(Rect words, const Leaving *leaving) {
    float hidden = 0, right = rect_right(words), bottom = rect_bottom(words);
    for (int i = 0; i < leaving->piece_count; i++) {
        Vec2 a = leaving->pieces[i].from, b = leaving->pieces[i].to;
        if ((a.x < words.x && b.x < words.x) || (a.x > right && b.x > right) ||
            (a.y < words.y && b.y < words.y) || (a.y > bottom && b.y > bottom))
            continue;
        hidden += share_inside(words, a, b) * hypotf(b.x - a.x, b.y - a.y);
    }
    return hidden;
}

static float overlap(Rect a, Rect b) {
    float w = fminf(rect_right(a), rect_right(b)) - fmaxf(a.x, b.x);
    float h = fminf(rect_bottom(a), rect_bottom(b)) - fmaxf(a.y, b.y);
    return w > 0 && h > 0 ? w * h : 0;
}

/* Where words are said of the arrow: beside its tip, or as near to it as they hide no curve and no
 * other words. */
#define PLACES_TRIED 12 /* each way */
static Rect place_words(Ui *ui, Rect plot, const Leaving *leaving, Vec2 tip, const char *text,
                        const Rect *said, int said_count) {
    float width = label_width(ui, FONT_SANS, NAME_SIZE, text, strlen(text)), least = INFINITY;
    Rect at = {plot.x, plot.y, fminf(width, plot.w), NAME_LINE}, best = at;
    Vec2 step = {(plot.w - at.w) / PLACES_TRIED, (plot.h - at.h) / PLACES_TRIED};
    for (int i = 0; i < (PLACES_TRIED + 1) * (PLACES_TRIED + 1); i++) {
        at.x = plot.x + step.x * (float)(i % (PLACES_TRIED + 1));
        at.y = plot.y + step.y * (float)(i / (PLACES_TRIED + 1));
        Vec2 by = {fmaxf(fmaxf(at.x - tip.x, tip.x - rect_right(at)), 0) - BESIDE,
                   fmaxf(fmaxf(at.y - tip.y, tip.y - rect_bottom(at)), 0)};
        float cost = hypotf(by.x, by.y) / 8 + hidden_by(rect_inset(at, -6, -2), leaving);
        for (int k = 0; k < said_count; k++)
            cost += overlap(rect_inset(at, -6, 0), said[k]);
        if (cost < least) {
            least = cost;
            best = at;
        }
    }
    return best;
}

/* Words that are wider than the plot stand in lines beside the tip, one's above the other's. */
static void leaving_draw(Ui *ui, Rect plot, const Leaving *leaving) {
    Rect said[CHART_SERIES_MAX];
    LabelStyle style = {FONT_SANS, NAME_SIZE, ui->theme->text_1, LABEL_LEFT};
    float high = 0, low = 0;
    for (int i = 0; i < leaving->count; i++) {
        const char *words = leaving->words[i];
        Vec2 tip = leaving->tips[i];
        said[i] = place_words(ui, plot, leaving, tip, words, said, i);
        if (label_width(ui, style.font, style.size, words, strlen(words)) <= plot.w) {
            draw_fill(ui->list, rect_inset(said[i], -4, 0), 6,
                      colour_fade(ui->theme->canvas, 0.85f));
            label_draw(ui, said[i], &style, words);
        } else if (tip.y < plot.y + plot.h / 2)
            high += words_beside(ui, plot, tip.x, tip.y + high, false, &style, words);
        else
            low += words_beside(ui, plot, tip.x, tip.y - low, true, &style, words);
    }
}

/* One piece of a curve, as far as it lies in the plot. */
static void piece_draw(Ui *ui, Rect plot, Leaving *leaving, const ChartSeries *s, float *phase,
                       Vec2 from, Vec2 to) {
    LineStyle style = {s->width > 0 ? s->width : CURVE, s->colour, s->dashed ? 5 : 0,
                       s->dashed ? 4 : 0};
    bool starts = inside(plot, from), ends = inside(plot, to);
    if (leaving->piece_count < PIECES_MAX)
        leaving->pieces[leaving->piece_count++] = (Piece){from, to};
    if (starts && ends) {
        polyline_piece(ui, phase, from, to, &style);
    } else if (starts || ends) {
        Vec2 in = starts ? from : to, edge = edge_between(plot, in, starts ? to : from);
        polyline_piece(ui, phase, in, edge, &style);
        if (starts != leaving->backward) {
            arrow(ui, in, edge, s->colour);
            leaves(leaving, edge, s->leaves);
        }
    }
}

/* Of a curve that is never in the plot it is said where it is, if there is room. */
static void outside_tell(Ui *ui, Rect plot, Leaving *leaving, const Chart *chart,
                         const ChartSeries *s) {
    Vec2 last = {NAN, NAN};
    if (s->leaves == NULL ||
        label_width(ui, FONT_SANS, NAME_SIZE, s->leaves, strlen(s->leaves)) > plot.w / 2)
        return;
    for (int i = 0; i < s->count; i++) {
        Vec2 at = place(plot, chart, s, i);
        if (isnan(s->y[i]))
            continue;
        if (inside(plot, at))
            return;
        last = at;
    }
    if (isnan(last.x))
        return;
    last.x = fminf(fmaxf(last.x, plot.x), rect_right(plot));
    last.y = fminf(fmaxf(last.y, plot.y), rect_bottom(plot));
    leaves(leaving, last, s->leaves);
}

static void series_draw(Ui *ui, Rect plot, Leaving *leaving, const Chart *chart,
                        const ChartSeries *s) {
    float phase = 0;
    for (int i = 1; i < s->count; i++)
        if (!isnan(s->y[i - 1]) && !isnan(s->y[i]))
            piece_draw(ui, plot, leaving, s, &phase, place(plot, chart, s, i - 1),
                       place(plot, chart, s, i));
    outside_tell(ui, plot, leaving, chart, s);
    for (int i = 0; i < s->count && s->count <= MARKS_MAX; i++) {
        Vec2 at = place(plot, chart, s, i);
        if (!isnan(s->y[i]) && inside(plot, at))
            mark_draw(ui, s->mark, at, MARK_SIZE, s->colour);
    }
}

static void line_draw(Ui *ui, Rect plot, const Chart *chart, const ChartLine *line) {
    float at = axis_at(line->upright ? &chart->x : &chart->y, line->at), phase = 0;
    if (!(at >= 0 && at <= 1))
        return;
    float x = draw_snap(ui->list, plot.x + plot.w * at);
    float y = draw_snap(ui->list, rect_bottom(plot) - plot.h * at);
    Vec2 from = line->upright ? (Vec2){x, rect_bottom(plot)} : (Vec2){plot.x, y};
    Vec2 to = line->upright ? (Vec2){x, plot.y} : (Vec2){rect_right(plot), y};
    polyline_piece(ui, &phase, from, to, &(LineStyle){1.5f, line->colour, 2, 5});
    if (line->label == NULL)
        return;
    LabelStyle style = {FONT_SANS, NAME_SIZE, ui->theme->text_2, LABEL_LEFT};
    words_beside(ui, plot, line->upright ? x : plot.x, line->upright ? plot.y : y, !line->upright,
                 &style, line->label);
}

static void band_draw(Ui *ui, Rect plot, const Chart *chart) {
    float from = axis_at(&chart->x, chart->band_lo), to = axis_at(&chart->x, chart->band_hi);
    from = fminf(fmaxf(from, 0), 1);
    to = fminf(fmaxf(to, 0), 1);
    if (to > from)
        draw_fill(ui->list, (Rect){plot.x + plot.w * from, plot.y, plot.w * (to - from), plot.h}, 0,
                  ui->theme->raised);
}

/* Names wanted at heights, from the top down, moved apart so that each has a line. */
static void spread(float y[], const int order[], int count, float top, float bottom) {
    for (int i = 1; i < count; i++)
        y[order[i]] = fmaxf(y[order[i]], y[order[i - 1]] + NAME_LINE);
    float limit = bottom;
    for (int i = count - 1; i >= 0; i--) {
        y[order[i]] = fmaxf(fminf(y[order[i]], limit), top);
        limit = y[order[i]] - NAME_LINE;
    }
}

static int last_inside(Rect plot, const Chart *chart, const ChartSeries *s) {
    int i = s->count - 1;
    while (i >= 0 && (isnan(s->y[i]) || !inside(plot, place(plot, chart, s, i))))
        i--;
    return i;
}

static void sort_by_height(int order[], const float y[], int count) {
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && y[order[k]] < y[order[k - 1]]; k--) {
            int swapped = order[k];
            order[k] = order[k - 1];
            order[k - 1] = swapped;
        }
}

/* At the right of the plot: each curve's name, and its value at the readout or at its end. */
static void names_draw(Ui *ui, Rect plot, Rect names, const Chart *chart, float x) {
    float y[CHART_SERIES_MAX] = {0};
    int order[CHART_SERIES_MAX], count = 0;
    for (int i = 0; i < chart->series_count; i++) {
        const ChartSeries *s = &chart->series[i];
        int last = last_inside(plot, chart, s);
        y[i] = last < 0 ? plot.y : place(plot, chart, s, last).y;
        if (s->name != NULL && s->count > 0)
            order[count++] = i;
    }
    sort_by_height(order, y, count);
    spread(y, order, count, plot.y, rect_bottom(plot));
    for (int k = 0; k < count; k++) {
        const ChartSeries *s = &chart->series[order[k]];
        float value = isnan(x) ? s->y[s->count - 1] : chart_value(s, x);
        char text[32];
        bool over = isinf(value) && value > 0;
        axis_value_text(text, sizeof text, value);
        LabelStyle name = {FONT_SANS_BOLD, NAME_SIZE, ui->theme->text_1, LABEL_LEFT};
        LabelStyle number = {over ? FONT_SANS : FONT_MONO, NAME_SIZE,
                             over ? ui->theme->warn : ui->theme->text_2, LABEL_RIGHT};
        if (over || isnan(value))
            snprintf(text, sizeof text, over ? "overflow" : "–");
        Rect row = {names.x, y[order[k]] - NAME_LINE / 2, names.w, NAME_LINE};
        mark_draw(ui, s->mark != MARK_NONE ? s->mark : MARK_SQUARE,
                  (Vec2){row.x + 6, row.y + row.h / 2}, MARK_SIZE, s->colour);
        rect_cut_left(&row, 20);
        float used = label_width(ui, number.font, number.size, text, strlen(text));
        label_draw(ui, rect_cut_right(&row, used + 1), &number, text);
        rect_cut_right(&row, NAME_GAP);
        label_draw(ui, row, &name, s->name);
    }
}

/* A value beside its point on the readout's line, its middle at y, on a pill so that curves do not
 * cross it. */
static void value_draw(Ui *ui, Rect plot, float x, float y, float value) {
    char text[32];
    axis_value_text(text, sizeof text, value);
    LabelStyle style = {FONT_MONO, NAME_SIZE, ui->theme->text_1, LABEL_CENTRE};
    float width = label_width(ui, style.font, style.size, text, strlen(text)) + 12;
    bool left = x + 10 + width > rect_right(plot);
    Rect pill = {left ? x - 10 - width : x + 10, y - NAME_LINE / 2, width, NAME_LINE};
    draw_fill(ui->list, pill, 6, colour_fade(ui->theme->canvas, 0.85f));
    label_draw(ui, pill, &style, text);
}

/* What the readout's line crosses: each curve's point, and where its value is to stand. */
typedef struct Crossed {
    float x, y[CHART_SERIES_MAX], value[CHART_SERIES_MAX];
    int order[CHART_SERIES_MAX], count;
} Crossed;

static void crossed_draw(Ui *ui, Rect plot, Crossed *c) {
    sort_by_height(c->order, c->y, c->count);
    spread(c->y, c->order, c->count, plot.y + NAME_LINE / 2, rect_bottom(plot) - NAME_LINE / 2);
    for (int k = 0; k < c->count; k++)
        value_draw(ui, plot, c->x, c->y[c->order[k]], c->value[c->order[k]]);
}

static void readout_draw(Ui *ui, Rect plot, const Chart *chart, float x) {
    float at = axis_at(&chart->x, x);
    if (!(at >= 0 && at <= 1))
        return;
    float left = draw_snap(ui->list, plot.x + plot.w * at) - 1;
    draw_fill(ui->list, (Rect){left, plot.y, 2, plot.h}, 0,
              ui->disabled ? ui->theme->control : ui->theme->ring);
    Crossed crossed = {.count = 0};
    for (int i = 0; i < chart->series_count; i++) {
        const ChartSeries *s = &chart->series[i];
        int point = nearest(s, x);
        if (point < 0 || isnan(s->y[point]) || !inside(plot, place(plot, chart, s, point)))
            continue;
        Vec2 on = place(plot, chart, s, point);
        draw_fill(ui->list, (Rect){on.x - 7, on.y - 7, 14, 14}, 7, ui->theme->casing);
        draw_fill(ui->list, (Rect){on.x - 5, on.y - 5, 10, 10}, 5, s->colour);
        crossed.x = on.x;
        crossed.y[i] = on.y - NAME_LINE / 2 - 2;
        crossed.value[i] = s->y[point];
        crossed.order[crossed.count++] = i;
    }
    if (chart->readout)
        crossed_draw(ui, plot, &crossed);
}

/* The x of a point of the first series that lies nearest to the pointer. */
static float pointed(const Ui *ui, Rect plot, const Chart *chart) {
    float x = axis_value(&chart->x, (ui->pointer.x - plot.x) / fmaxf(plot.w, 1));
    if (chart->series_count == 0)
        return x;
    if (chart->steps)
        return roundf(fminf(fmaxf(x, chart->x.lo), chart->x.hi));
    int i = nearest(&chart->series[0], x);
    return i < 0 ? NAN : x_of(&chart->series[0], i);
}

static void keys(Ui *ui, const Chart *chart, ChartState *state) {
    const ChartSeries *s = chart->series_count > 0 ? &chart->series[0] : NULL;
    if (s == NULL || s->count == 0)
        return;
    int step = ui_key(ui, KEY_RIGHT, 0) + ui_key(ui, KEY_UP, 0) - ui_key(ui, KEY_LEFT, 0) -
               ui_key(ui, KEY_DOWN, 0);
    if (chart->steps)
        step += 10 * (ui_key(ui, KEY_RIGHT, KEY_MOD_SHIFT) - ui_key(ui, KEY_LEFT, KEY_MOD_SHIFT));
    bool home = ui_key(ui, KEY_HOME, 0), end = ui_key(ui, KEY_END, 0);
    if (step == 0 && !home && !end)
        return;
    if (chart->steps && !home && !end) {
        state->moved = true;
        state->x = chart->marked_x + (float)step;
        state->serial = ui->drag_serial;
        return;
    }
    int at = nearest(s, chart->marked_x);
    at = home ? 0 : end ? s->count - 1 : at < 0 ? 0 : at + step;
    at = at < 0 ? 0 : at >= s->count ? s->count - 1 : at;
    state->moved = x_of(s, at) != chart->marked_x;
    state->x = x_of(s, at);
    state->serial = ui->drag_serial;
}

static ChartState react(Ui *ui, UiId id, Rect plot, const Chart *chart) {
    ChartState state = {.plot = plot, .x = chart->marked_x};
    unsigned flags = chart->draggable ? UI_NO_KEYS : UI_NO_KEYS | UI_NO_FOCUS | UI_NO_HAND;
    /* The handle is also taken where it stands at an end, and below the plot. */
    Rect reach = rect_inset(plot, -REACH, 0);
    reach.h += chart->handle_w > 0 ? HANDLE_GAP + HANDLE_H : 0;
    UiState control = ui_control(ui, id, reach, flags);
    state.hovered = control.hovered || control.held;
    if (state.hovered)
        state.x = pointed(ui, plot, chart);
    if (chart->draggable && control.held) {
        state.moved = state.x != chart->marked_x;
        state.serial = ui->drag_serial;
        ui->cursor = 3;
    }
    if (chart->draggable && control.focused)
        keys(ui, chart, &state);
    return state;
}

ChartState chart_draw(Ui *ui, UiId id, Rect rect, const Chart *chart) {
    assert(chart->series_count <= CHART_SERIES_MAX);
    Rect names = chart->names ? rect_cut_right(&rect, NAMES_W) : (Rect){0};
    rect_cut_left(&names, 16);
    rect_cut_left(&rect, AXIS_Y_WIDTH);
    rect_cut_bottom(&rect, AXIS_X_HEIGHT);
    rect_cut_top(&rect, 8);
    rect_cut_right(&rect, 8);
    ChartState state = react(ui, id, rect, chart);
    band_draw(ui, rect, chart);
    axis_draw_y(ui, rect, &chart->y);
    float handle_x = chart_place(rect, chart, fminf(chart->marked_x, chart->x.hi), chart->y.lo).x;
    Rect handle = chart->handle_w > 0 ? chart_handle(rect, handle_x, chart->handle_w) : (Rect){0};
    axis_draw_x_beside(ui, rect, &chart->x, handle);
    for (int i = 0; i < chart->line_count; i++)
        line_draw(ui, rect, chart, &chart->lines[i]);
    Leaving leaving;
    leaving.backward = chart->backward;
    leaving.piece_count = leaving.count = 0;
    for (int i = 0; i < chart->series_count; i++)
        series_draw(ui, rect, &leaving, chart, &chart->series[i]);
    leaving_draw(ui, rect, &leaving);
    readout_draw(ui, rect, chart, state.x);
    if (chart->names)
        names_draw(ui, rect, names, chart, state.hovered ? state.x : NAN);
    if (chart->draggable)
        ui_focus_ring(ui, id, rect, 0);
    return state;
}
