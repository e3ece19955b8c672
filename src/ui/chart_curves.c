/* The curves of a chart: the pieces inside the plot, their marks, and labels where a curve leaves
 * it. */
#include <math.h>
#include <string.h>

#include "ui/chart_parts.h"
#include "ui/mark.h"

#define LEAVING_SHARE 0.6f /* largest share of the plot for a long label */
#define CURVE         2.6f
#define ARROW         11
#define MARKS_MAX     64 /* a series with more points has no marks */
#define BEYOND        2  /* distance at which an infinite value is drawn, in heights of the plot */

Vec2 chart_point(Rect plot, const Chart *chart, const ChartSeries *s, int i) {
    Vec2 at = chart_place(plot, chart, chart_x(s, i), s->y[i]);
    at.y = fminf(fmaxf(at.y, plot.y - BEYOND * plot.h), rect_bottom(plot) + BEYOND * plot.h);
    return at;
}

bool chart_holds(Rect plot, Vec2 at) {
    return at.y >= plot.y - 0.5f && at.y <= rect_bottom(plot) + 0.5f;
}

/* Return the point where the line from `in`, inside the plot, to `out` crosses the plot's edge. */
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

float chart_words_next_to(Ui *ui, Rect plot, float x, float y, bool upward, const LabelStyle *style,
                          const char *text) {
    float width = label_text_width(ui, style, text);
    float right_w = rect_right(plot) - x - CHART_WORDS_GAP, left_w = x - CHART_WORDS_GAP - plot.x;
    bool is_right = width <= right_w || right_w > left_w;
    Rect words = {x + CHART_WORDS_GAP, y, fminf(width, is_right ? right_w : left_w),
                  CHART_NAME_LINE};
    if (!is_right)
        words.x = x - CHART_WORDS_GAP - words.w;
    int lines = label_lines(ui, style, text, words.w);
    words.h = CHART_NAME_LINE + (float)(lines - 1) * style->size * LABEL_LINE;
    words.y = upward ? y - words.h : y;
    draw_fill(ui->list, rect_inset(words, -4, 0), 6, colour_fade(ui->theme->canvas, 0.85f));
    if (lines > 1)
        label_wrap(ui, words, style, text);
    else
        label_draw(ui, words, style, text);
    return words.h;
}

/* Return the label of a curve that leaves the plot: the brief one if the long one would take more
 * than LEAVING_SHARE of the width, because it would hide other curves at any place. */
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

/* Return the share of the line from a to b that lies inside rect. */
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

/* Return the length in px of the curves that a label at this place would hide. */
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

/* Return the place of a label with the least sum of its distance from the tip of its arrow, the
 * length of curves that it hides, and its overlap with other labels. */
#define PLACES_TRIED 12 /* number of places tried in each direction */
static Rect place_words(Ui *ui, Rect plot, const ChartLeaving *leaving, Vec2 tip, const char *text,
                        const Rect *placed, int placed_count) {
    float width = label_width(ui, FONT_SANS, CHART_NAME_SIZE, text, strlen(text)), least = INFINITY;
    Rect at = {plot.x, plot.y, fminf(width, plot.w), CHART_NAME_LINE}, best = at;
    Vec2 step = {(plot.w - at.w) / PLACES_TRIED, (plot.h - at.h) / PLACES_TRIED};
    for (int i = 0; i < (PLACES_TRIED + 1) * (PLACES_TRIED + 1); i++) {
        at.x = plot.x + step.x * (float)(i % (PLACES_TRIED + 1));
        at.y = plot.y + step.y * (float)(i / (PLACES_TRIED + 1));
        Vec2 by = {fmaxf(fmaxf(at.x - tip.x, tip.x - rect_right(at)), 0) - CHART_WORDS_GAP,
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

/* Draw the part of one piece of a curve that lies inside the plot. */
static void piece_draw(Ui *ui, Rect plot, ChartLeaving *leaving, const ChartSeries *s, float *phase,
                       Vec2 from, Vec2 to) {
    LineStyle style = {s->width > 0 ? s->width : CURVE, s->colour, s->dashed ? 5 : 0,
                       s->dashed ? 4 : 0};
    bool starts = chart_holds(plot, from), ends = chart_holds(plot, to);
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
        Vec2 at = chart_point(plot, chart, s, i);
        if (isnan(s->y[i]))
            continue;
        if (chart_holds(plot, at))
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
            piece_draw(ui, plot, leaving, s, &phase, chart_point(plot, chart, s, i - 1),
                       chart_point(plot, chart, s, i));
    label_outside(ui, plot, leaving, chart, s);
    for (int i = 0; i < s->count; i++) {
        Vec2 at = chart_point(plot, chart, s, i);
        if (is_marked(chart, s, i) && !isnan(s->y[i]) && chart_holds(plot, at))
            mark_draw(ui, s->mark, at, CHART_MARK_SIZE, s->colour);
    }
}
