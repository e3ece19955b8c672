/* The curves of a chart: the pieces inside the plot, their marks, and labels where a curve leaves
 * the plot. Also the names and values of the curves, moved apart so that they don't overlap. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/chart_parts.h"
#include "ui/mark.h"

#define MARK_SIZE     9
#define MARK_LARGE    13 /* px: size of marks at the line of a chart with a flag */
#define NAME_LINE     22
#define WORDS_GAP     10   /* px between a label and the line that it belongs to */
#define LEAVING_SHARE 0.6f /* largest share of the plot for a long label */
#define CURVE         2.6f
#define ARROW         11
#define MARKS_MAX     64 /* a series with more points has no marks */
#define BEYOND        2  /* an infinite value is drawn BEYOND plot heights away */

/* Return the position of a point. A value far outside the plot, such as infinity, is placed two
 * heights of the plot away, so that a line to it has a direction. */
static Vec2 point_at(Rect plot, const Chart *chart, const ChartSeries *s, int i) {
    Vec2 at = chart_place(plot, chart, chart_x(s, i), s->y[i]);
    at.y = fminf(fmaxf(at.y, plot.y - BEYOND * plot.h), rect_bottom(plot) + BEYOND * plot.h);
    return at;
}

/* True if the position is between the top and the bottom of the plot. */
static bool is_inside(Rect plot, Vec2 at) {
    return at.y >= plot.y - 0.5f && at.y <= rect_bottom(plot) + 0.5f;
}

static Vec2 edge_between(Rect plot, Vec2 in, Vec2 out) {
    float edge = out.y < plot.y ? plot.y : rect_bottom(plot);
    float t = (edge - in.y) / (out.y - in.y);
    return (Vec2){in.x + (out.x - in.x) * t, edge};
}

static void arrow(Ui *ui, Vec2 from, Vec2 tip, Colour colour) {
    float length = fmaxf(hypotf(tip.x - from.x, tip.y - from.y), 1e-3f);
    Vec2 way = {(tip.x - from.x) / length, (tip.y - from.y) / length};
    Vec2 base = vec2_along(tip, way, -ARROW), side = {-way.y, way.x};
    draw_fill_triangle(ui->list, tip, vec2_along(base, side, ARROW * 0.42f),
                       vec2_along(base, side, -ARROW * 0.42f), colour);
}

float chart_words_next_to(Ui *ui, Rect plot, float x, float y, bool upward, const LabelStyle *style,
                          const char *text) {
    float width = label_text_width(ui, style, text);
    float right_w = rect_right(plot) - x - WORDS_GAP, left_w = x - WORDS_GAP - plot.x;
    bool is_right = width <= right_w || right_w > left_w;
    Rect words = {x + WORDS_GAP, y, fminf(width, is_right ? right_w : left_w), NAME_LINE};
    if (!is_right)
        words.x = x - WORDS_GAP - words.w;
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

/* Return the label of a curve that leaves the plot: the brief one if the long one is wider than
 * LEAVING_SHARE of the plot, because it would hide curves wherever it is placed. */
static const char *leaving_words(const Ui *ui, Rect plot, const ChartSeries *s) {
    if (s->leaves == NULL || s->leaves_brief == NULL)
        return s->leaves;
    float width = label_width(ui, FONT_SANS, CHART_NAME_SIZE, s->leaves, strlen(s->leaves));
    return width <= plot.w * LEAVING_SHARE ? s->leaves : s->leaves_brief;
}

static void add_leaving(ChartLeaving *leaving, Vec2 tip, const char *words) {
    for (int i = 0; i < leaving->count; i++)
        if (leaving->words[i] == words)
            return;
    if (words == NULL || leaving->count == CHART_SERIES_MAX)
        return;
    leaving->tips[leaving->count] = tip;
    leaving->words[leaving->count++] = words;
}

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

static float hidden_by(Rect words, const ChartLeaving *leaving) {
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

/* Return the best place for a label. A place costs its distance from the tip of the label's arrow,
 * the length of curves that the label hides, and its overlap with other labels. */
#define PLACES_TRIED 12 /* steps between the places tried, in each direction */
static Rect place_words(Ui *ui, Rect plot, const ChartLeaving *leaving, Vec2 tip, const char *text,
                        const Rect *placed, int placed_count) {
    float width = label_width(ui, FONT_SANS, CHART_NAME_SIZE, text, strlen(text)), least = INFINITY;
    Rect at = {plot.x, plot.y, fminf(width, plot.w), NAME_LINE}, best = at;
    Vec2 step = {(plot.w - at.w) / PLACES_TRIED, (plot.h - at.h) / PLACES_TRIED};
    for (int i = 0; i < (PLACES_TRIED + 1) * (PLACES_TRIED + 1); i++) {
        at.x = plot.x + step.x * (float)(i % (PLACES_TRIED + 1));
        at.y = plot.y + step.y * (float)(i / (PLACES_TRIED + 1));
        Vec2 by = {fmaxf(fmaxf(at.x - tip.x, tip.x - rect_right(at)), 0) - WORDS_GAP,
                   fmaxf(fmaxf(at.y - tip.y, tip.y - rect_bottom(at)), 0)};
        float cost = hypotf(by.x, by.y) / 8 + hidden_by(rect_inset(at, -6, -2), leaving);
        for (int k = 0; k < placed_count; k++)
            cost += overlap(rect_inset(at, -6, 0), placed[k]);
        if (cost < least) {
            least = cost;
            best = at;
        }
    }
    return best;
}

/* Place the labels of all arrows. Labels wider than the plot are wrapped next to their tips and
 * stacked; the others avoid them. */
void chart_leaving_draw(Ui *ui, Rect plot, const ChartLeaving *leaving) {
    Rect placed[CHART_SERIES_MAX];
    LabelStyle style = {FONT_SANS, CHART_NAME_SIZE, ui->theme->text_1, LABEL_LEFT};
    float high = 0, low = 0;
    int count = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < leaving->count; i++) {
            const char *words = leaving->words[i];
            Vec2 tip = leaving->tips[i];
            bool fits = label_text_width(ui, &style, words) <= plot.w;
            if (fits && pass == 1) {
                Rect place = place_words(ui, plot, leaving, tip, words, placed, count);
                draw_fill(ui->list, rect_inset(place, -4, 0), 6,
                          colour_fade(ui->theme->canvas, 0.85f));
                label_draw(ui, place, &style, words);
                placed[count++] = place;
            } else if (!fits && pass == 0) {
                bool is_high = tip.y < plot.y + plot.h / 2;
                float *used = is_high ? &high : &low, y = tip.y + (is_high ? high : -low);
                float h = chart_words_next_to(ui, plot, tip.x, y, !is_high, &style, words);
                placed[count++] = (Rect){plot.x, is_high ? y : y - h, plot.w, h};
                *used += h;
            }
        }
}

static void piece_draw(Ui *ui, Rect plot, ChartLeaving *leaving, const ChartSeries *s, float *phase,
                       Vec2 from, Vec2 to) {
    LineStyle style = {s->width > 0 ? s->width : CURVE, s->colour, s->dashed ? 5 : 0,
                       s->dashed ? 4 : 0};
    bool starts = is_inside(plot, from), ends = is_inside(plot, to);
    if (leaving->piece_count < CHART_PIECES_MAX)
        leaving->pieces[leaving->piece_count++] = (ChartPiece){from, to};
    if (starts && ends) {
        polyline_piece(ui, phase, from, to, &style);
    } else if (starts || ends) {
        Vec2 in = starts ? from : to, edge = edge_between(plot, in, starts ? to : from);
        polyline_piece(ui, phase, in, edge, &style);
        if (starts != leaving->backward) {
            arrow(ui, in, edge, s->colour);
            add_leaving(leaving, edge, leaving_words(ui, plot, s));
        }
    }
}

/* Label a curve that is entirely outside the plot, if there is room. */
static void label_outside(Ui *ui, Rect plot, ChartLeaving *leaving, const Chart *chart,
                          const ChartSeries *s) {
    const char *words = leaving_words(ui, plot, s);
    Vec2 last = {NAN, NAN};
    if (words == NULL ||
        label_width(ui, FONT_SANS, CHART_NAME_SIZE, words, strlen(words)) > plot.w / 2)
        return;
    for (int i = 0; i < s->count; i++) {
        Vec2 at = point_at(plot, chart, s, i);
        if (isnan(s->y[i]))
            continue;
        if (is_inside(plot, at))
            return;
        last = at;
    }
    if (isnan(last.x))
        return;
    last.x = fminf(fmaxf(last.x, plot.x), rect_right(plot));
    last.y = fminf(fmaxf(last.y, plot.y), rect_bottom(plot));
    add_leaving(leaving, last, words);
}

static bool is_marked(const Chart *chart, const ChartSeries *s, int i) {
    if (chart->mark_every == 0)
        return s->count <= MARKS_MAX;
    int from = (int)(s - chart->series) * chart->mark_every / chart->series_count;
    return ((int)chart_x(s, i) - from) % chart->mark_every == 0;
}

void chart_series_draw(Ui *ui, Rect plot, ChartLeaving *leaving, const Chart *chart,
                       const ChartSeries *s) {
    float phase = 0;
    for (int i = 1; i < s->count; i++)
        if (!isnan(s->y[i - 1]) && !isnan(s->y[i]))
            piece_draw(ui, plot, leaving, s, &phase, point_at(plot, chart, s, i - 1),
                       point_at(plot, chart, s, i));
    label_outside(ui, plot, leaving, chart, s);
    for (int i = 0; i < s->count; i++) {
        Vec2 at = point_at(plot, chart, s, i);
        if (is_marked(chart, s, i) && !isnan(s->y[i]) && is_inside(plot, at))
            mark_draw(ui, s->mark, at, MARK_SIZE, s->colour);
    }
}

#define NAME_GAP 10
#define MARK_W   20 /* px: width of the mark in front of a name */
#define WORD_PAD 4
#define FLAG_H   30

/* Move the names apart so that each has its own line. y: on entry the wanted heights; order: the
 * names from the top down. */
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
    while (i >= 0 && (isnan(s->y[i]) || !is_inside(plot, point_at(plot, chart, s, i))))
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

float chart_name_width(const Ui *ui, const char *name) {
    static const char widest[] = "0.00e−00";
    return CHART_NAMES_GAP + MARK_W + NAME_GAP +
           label_width(ui, FONT_SANS_BOLD, CHART_NAME_SIZE, name, strlen(name)) +
           label_width(ui, FONT_MONO, CHART_NAME_SIZE, widest, sizeof widest - 1) + 2;
}

static void leader_draw(Ui *ui, Rect plot, Vec2 from, Vec2 name) {
    float phase = 0;
    Vec2 edge = {rect_right(plot), from.y};
    LineStyle style = {1, ui->theme->control, 2, 5};
    if (edge.x - from.x > MARK_LARGE)
        polyline_piece(ui, &phase, (Vec2){from.x + MARK_LARGE, from.y}, edge, &style);
    if (fabsf(name.y - from.y) > 2)
        polyline_piece(ui, &phase, edge, name, &(LineStyle){1, ui->theme->control, 0, 0});
}

void chart_names_draw(Ui *ui, Rect plot, Rect names, const Chart *chart, float x) {
    float y[CHART_SERIES_MAX] = {0};
    Vec2 ends[CHART_SERIES_MAX];
    int order[CHART_SERIES_MAX], count = 0;
    for (int i = 0; i < chart->series_count; i++) {
        const ChartSeries *s = &chart->series[i];
        int last = last_inside(plot, chart, s);
        ends[i] = last < 0 ? (Vec2){plot.x, plot.y} : point_at(plot, chart, s, last);
        y[i] = ends[i].y;
        if (s->name != NULL && s->count > 0)
            order[count++] = i;
    }
    sort_by_height(order, y, count);
    spread(y, order, count, plot.y, rect_bottom(plot));
    for (int k = 0; k < count; k++) {
        const ChartSeries *s = &chart->series[order[k]];
        int last = chart->backward ? 0 : s->count - 1;
        int point = isnan(x) ? last : chart_read(chart, s, x);
        float value = point < 0 ? NAN : s->y[point];
        bool over = isinf(value) && value > 0;
        LabelStyle name = {FONT_SANS_BOLD, CHART_NAME_SIZE, ui->theme->text_1, LABEL_LEFT};
        LabelStyle number = {over ? FONT_SANS : FONT_MONO, CHART_NAME_SIZE,
                             over ? ui->theme->warn : ui->theme->text_2, LABEL_RIGHT};
        const char *text = over ? "overflow" : isnan(value) ? "–" : AXIS_VALUE(value);
        Rect row = {names.x, y[order[k]] - NAME_LINE / 2, names.w, NAME_LINE};
        if (chart->flag != NULL && isfinite(value))
            leader_draw(ui, plot, ends[order[k]], (Vec2){names.x - 2, y[order[k]]});
        mark_draw(ui, s->mark != MARK_NONE ? s->mark : MARK_SQUARE,
                  (Vec2){row.x + 6, row.y + row.h / 2}, MARK_SIZE, s->colour);
        rect_cut_left(&row, MARK_W);
        float used = label_text_width(ui, &number, text);
        Rect end = rect_cut_right(&row, used + 1);
        if (!chart->readout || !isfinite(value)) /* finite values are at the readout's line */
            label_draw(ui, end, &number, text);
        rect_cut_right(&row, NAME_GAP);
        label_draw(ui, row, &name, s->name);
    }
}

static float word_width(const Ui *ui, const ChartWord *w, float *value_w) {
    Font font = w->is_wrong ? FONT_SANS : FONT_MONO;
    *value_w = label_width(ui, font, CHART_NAME_SIZE, w->value, strlen(w->value));
    float name_w = w->name != NULL ? label_width(ui, FONT_SANS_BOLD, CHART_NAME_SIZE, w->name,
                                                 strlen(w->name)) +
                                         MARK_W + NAME_GAP
                                   : 0;
    return name_w + *value_w + 2 * WORD_PAD + 2;
}

static void word_draw(Ui *ui, Rect row, const ChartWord *w, float value_w) {
    const Theme *theme = ui->theme;
    LabelStyle name = {FONT_SANS_BOLD, CHART_NAME_SIZE, theme->text_1, LABEL_LEFT};
    LabelStyle value = {w->is_wrong ? FONT_SANS : FONT_MONO, CHART_NAME_SIZE,
                        w->is_wrong       ? theme->warn
                        : w->name == NULL ? theme->text_1
                                          : theme->text_2,
                        LABEL_RIGHT};
    draw_fill(ui->list, row, 6, colour_fade(theme->canvas, 0.85f));
    row = rect_inset(row, WORD_PAD, 0);
    if (w->name != NULL)
        mark_draw(ui, w->mark, (Vec2){rect_cut_left(&row, MARK_W).x + 6, row.y + row.h / 2},
                  MARK_SIZE, w->colour);
    label_draw(ui, rect_cut_right(&row, value_w + 1), &value, w->value);
    rect_cut_right(&row, NAME_GAP);
    if (w->name != NULL)
        label_draw(ui, row, &name, w->name);
}

void chart_words_draw(Ui *ui, Rect bounds, float x, const ChartWord *words, int count) {
    float y[CHART_SERIES_MAX] = {0}, value_w;
    int order[CHART_SERIES_MAX] = {0};
    for (int i = 0; i < count; i++) {
        y[i] = words[i].y;
        order[i] = i;
    }
    sort_by_height(order, y, count);
    spread(y, order, count, bounds.y + NAME_LINE / 2, rect_bottom(bounds) - NAME_LINE / 2);
    for (int i = 0; i < count; i++) {
        float width = fminf(word_width(ui, &words[i], &value_w), bounds.w);
        bool is_right = x + WORDS_GAP + width <= rect_right(bounds);
        float left = is_right ? x + WORDS_GAP : fmaxf(x - WORDS_GAP - width, bounds.x);
        word_draw(ui, (Rect){left, y[i] - NAME_LINE / 2, width, NAME_LINE}, &words[i], value_w);
    }
}

static void crossing_draw(Ui *ui, const Chart *chart, const ChartSeries *s, Vec2 on) {
    if (chart->flag == NULL) {
        draw_disc(ui->list, on, 7, ui->theme->casing, 0, 0);
        draw_disc(ui->list, on, 5, s->colour, 0, 0);
        return;
    }
    mark_draw(ui, s->mark, on, MARK_LARGE + 4, ui->theme->casing);
    mark_draw(ui, s->mark, on, MARK_LARGE, s->colour);
}

void chart_flag_draw(Ui *ui, Rect plot, const Chart *chart) {
    char text[64];
    int length = snprintf(text, sizeof text, "%s %.0f", chart->flag, (double)chart->marked_x);
    LabelStyle style = {FONT_SANS_BOLD, CHART_NAME_SIZE + 2,
                        ui->disabled ? ui->theme->text_1 : ui->theme->text_on_fill, LABEL_CENTRE};
    float width = label_width(ui, style.font, style.size, text, (size_t)length) + 20;
    float x = chart_place(plot, chart, chart->marked_x, chart->y.lo).x;
    Rect flag = {x - width / 2, plot.y - FLAG_H - 6, width, FLAG_H};
    Rect around = {plot.x - 2, flag.y, plot.w + 2 + width / 2,
                   FLAG_H}; /* the flag must not cover the y axis */
    flag = rect_within(flag, around);
    draw_fill(ui->list, (Rect){draw_snap(ui->list, x) - 1, rect_bottom(flag), 2, 6}, 0,
              ui->theme->ring);
    draw_fill(ui->list, flag, 6, ui->disabled ? ui->theme->raised : ui->theme->fill);
    label_draw(ui, flag, &style, text);
}

void chart_readout_draw(Ui *ui, Rect plot, const Chart *chart, float x) {
    float at = axis_at(&chart->x, x);
    if (!(at >= 0 && at <= 1))
        return;
    float left = draw_snap(ui->list, plot.x + plot.w * at) - 1;
    draw_fill(ui->list, (Rect){left, plot.y, 2, plot.h}, 0,
              ui->disabled ? ui->theme->control : ui->theme->ring);
    ChartWord words[CHART_SERIES_MAX];
    char values[CHART_SERIES_MAX][32];
    int count = 0;
    float x_px = 0;
    for (int i = 0; i < chart->series_count; i++) {
        const ChartSeries *s = &chart->series[i];
        int point = chart_read(chart, s, x);
        if (point < 0 || isnan(s->y[point]) || !is_inside(plot, point_at(plot, chart, s, point)))
            continue;
        Vec2 on = point_at(plot, chart, s, point);
        crossing_draw(ui, chart, s, on);
        if (s->name == NULL && (chart->names || s->dashed))
            continue;
        x_px = on.x;
        axis_value_text(values[count], sizeof values[count], s->y[point]);
        words[count] = (ChartWord){.y = on.y - NAME_LINE / 2 - 2, .value = values[count]};
        count++;
    }
    if (chart->readout)
        chart_words_draw(ui, plot, x_px, words, count);
}
