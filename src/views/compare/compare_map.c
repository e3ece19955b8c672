/* The map: attention as a function of the standard deviations of W_Q and W_K, with the schemes as
 * points. Only the product of the two standard deviations matters for the scores: if it is small,
 * attention is nearly uniform; if it is large, attention is saturated. */
#include <math.h>

#include "base/utf8.h"
#include "model/analysis/stats.h"
#include "ui/axis.h"
#include "ui/text.h"
#include "ui/tooltip.h"
#include "views/compare/compare.h"

#define AXIS_LEFT       124
#define AXIS_BELOW      64
#define STD_GRID_MAX_PX 620
#define BETWEEN         48
#define LEGEND_H        56
#define HEAD_MOST       300
#define HEAD_NAME       24
#define NUMBER_HALF     22  /* px: half the width of the last number on a scale */
#define HEADS_BELOW     60  /* px below the heads for their colour scale */
#define KEY_STEP        0.5 /* number of grid cells by which an arrow key moves the point */

static double clamp_std(double std) {
    return fmin(fmax(std, STD_GRID_MIN), STD_GRID_MAX);
}

static void move_point(const ViewContext *c, double query, double key) {
    view_set_number(c, "compare-sigma-q", clamp_std(query), c->ui->drag_serial);
    view_set_number(c, "compare-sigma-k", clamp_std(key), c->ui->drag_serial);
}

static Vec2 place_of(Rect plot, double query, double key) {
    float x = (float)((std_grid_at(key) + 0.5) / STD_GRID_SIDE);
    float y = (float)((std_grid_at(query) + 0.5) / STD_GRID_SIDE);
    return (Vec2){plot.x + plot.w * x, rect_bottom(plot) - plot.h * y};
}

/* Fill out from the top row of the map down, and find the ends of its scale. A point that is not
 * computed yet is NaN. */
static void values_of(float *out, float *lo, float *hi, const StdGrid *grid, bool gradient) {
    int done = atomic_load(&grid->done);
    float least = INFINITY, most = -INFINITY;
    for (int i = 0; i < STD_GRID_SIDE; i++)
        for (int j = 0; j < STD_GRID_SIDE; j++) {
            float value = NAN; /* a job still writes the points that are not done */
            if (i + j < done)
                value = gradient ? log10f(grid->gradient[i][j]) : grid->entropy[i][j];
            out[(STD_GRID_SIDE - 1 - i) * STD_GRID_SIDE + j] = value;
            if (isfinite(value)) {
                least = fminf(least, floorf(value));
                most = fmaxf(most, ceilf(value));
            }
        }
    bool has_range = gradient && least < most;
    *lo = has_range ? least : 0;
    *hi = has_range ? most : gradient ? 1 : logf(fmaxf((float)grid->plan.shape.T, 2));
}

#define NARROW 180.0f /* px: a narrower map names every second power of ten */

static void axes_draw(const ViewContext *c, Rect plot) {
    unsigned style = TEXT_FORMULA | TEXT_SMALL | TEXT_DIM | TEXT_CENTRE;
    int step = plot.w < NARROW ? 2 : 1;
    for (int power = -3; power <= 1; power += step) {
        const char *text = power == 0 ? "1" : power == 1 ? "10" : PRINT("10^{%s}", FIXED(power, 0));
        Vec2 at = place_of(plot, pow(10, power), pow(10, power));
        text_in(c->ui, (Rect){at.x - 30, rect_bottom(plot) + 4, 60, 24}, style, "%s", text);
        text_in(c->ui, (Rect){plot.x - 54, at.y - 12, 48, 24}, style, "%s", text);
    }
    text_in(c->ui, (Rect){plot.x, rect_bottom(plot) + 30, plot.w, 28}, TEXT_NAME | TEXT_CENTRE,
            "σ(W_K)");
    text_in(c->ui, (Rect){plot.x - AXIS_LEFT, plot.y + plot.h / 2 - 14, 66, 28},
            TEXT_NAME | TEXT_CENTRE, "σ(W_Q)");
}

/* A click on the point of a column moves the chosen point there. */
static void schemes_draw(const ViewContext *c, Rect plot) {
    for (int i = 0; i < c->settings->compare.schemes.count; i++) {
        double query = 0, key = 0;
        compare_stds(c, i, &query, &key);
        if (!(query > 0 && key > 0))
            continue;
        Vec2 at = place_of(plot, clamp_std(query), clamp_std(key));
        Rect box = {at.x - 14, at.y - 14, 28, 28};
        UiId id = ui_id("scheme on the map", i);
        UiState state = ui_control(c->ui, id, box, 0);
        mark_draw(c->ui, column_mark(i), at, 20, c->ui->theme->casing);
        mark_draw(c->ui, column_mark(i), at, 14, column_colour(c, i));
        ui_focus_ring(c->ui, id, box, 8);
        tooltip(c->ui, id, box, NULL, column_scheme(c, i)->entry.label);
        if (state.clicked)
            move_point(c, query, key);
    }
}

static void point_draw(const ViewContext *c, Rect plot, const double point[2]) {
    Vec2 at = place_of(plot, point[0], point[1]);
    UiId id = ui_id("map", 0);
    UiState state = ui_control(c->ui, id, plot, UI_NO_KEYS);
    if (state.held) {
        Vec2 to = c->ui->pointer;
        double key = (double)((to.x - plot.x) / plot.w) * STD_GRID_SIDE - 0.5;
        double query = (double)((rect_bottom(plot) - to.y) / plot.h) * STD_GRID_SIDE - 0.5;
        move_point(c, std_grid_std(query), std_grid_std(key));
    }
    int right = state.focused ? ui_keys(c->ui, KEY_RIGHT, 0) - ui_keys(c->ui, KEY_LEFT, 0) : 0;
    int up = state.focused ? ui_keys(c->ui, KEY_UP, 0) - ui_keys(c->ui, KEY_DOWN, 0) : 0;
    if (right != 0 || up != 0)
        move_point(c, std_grid_std(std_grid_at(point[0]) + KEY_STEP * up),
                   std_grid_std(std_grid_at(point[1]) + KEY_STEP * right));
    draw_disc(c->ui->list, at, 15, COLOUR_CLEAR, 6, c->ui->theme->casing);
    draw_disc(c->ui->list, at, 13.5f, COLOUR_CLEAR, 2.5f, c->ui->theme->ring);
    ui_focus_ring(c->ui, id, plot, 4);
}

/* Return the palette of the map. It differs from that of A, whose colours are next to it. */
static int palette_of(const ViewContext *c) {
    return c->settings->palette == PALETTE_MAGMA ? PALETTE_VIRIDIS : PALETTE_MAGMA;
}

static void grid_draw(const ViewContext *c, Rect area, const double point[2]) {
    float *shown = c->memory->compare->grid;
    const StdGrid *grid = compare_std_grid(c);
    bool gradient = c->settings->compare.colour == COLOUR_GRADIENT;
    float side = fminf(fminf(area.w - AXIS_LEFT, area.h - AXIS_BELOW - LEGEND_H), STD_GRID_MAX_PX);
    side = floorf(fmaxf(side, STD_GRID_SIDE) * c->ui->list->scale / STD_GRID_SIDE) * STD_GRID_SIDE /
           c->ui->list->scale;
    Rect plot = {draw_snap(c->ui->list, area.x + AXIS_LEFT), draw_snap(c->ui->list, area.y), side,
                 side};
    float lo, hi;
    values_of(shown, &lo, &hi, grid, gradient);
    Mat values = {shown, STD_GRID_SIDE, STD_GRID_SIDE, STD_GRID_SIDE};
    DrawCells cells = view_cells_of(c, plot, &values, hi, false);
    cells.lo = lo;
    cells.palette = palette_of(c);
    cells.wrong = c->ui->theme->canvas;
    draw_cells(c->ui->list, &cells);
    axes_draw(c, plot);
    point_draw(c, plot, point);
    schemes_draw(c, plot);
    ScaleBar bar = view_scale_of(c, hi, false);
    bar.palette = palette_of(c);
    bar.lo = lo;
    bar.name = gradient ? "log_{10} ‖∂L/∂W‖" : "\"Entropy, nats\"";
    scale_bar(c->ui, (Rect){plot.x, rect_bottom(plot) + AXIS_BELOW, fminf(plot.w, 440), 40}, &bar);
}

static void fact(const ViewContext *c, Rect *area, const char *name, double value) {
    Rect line = rect_cut_top(area, 30);
    text_in(c->ui, rect_cut_left(&line, fminf(190, fmaxf(line.w - 80, 40))),
            TEXT_FORMULA | TEXT_DIM, "%s", name);
    text_in(c->ui, line, TEXT_NUMBER | TEXT_BOLD, "%s",
            isnan(value) ? "–" : AXIS_VALUE((float)value));
}

/* Draw the heads at the chosen point. Return their right end. */
static float heads_cells(const ViewContext *c, Rect area, const StdGrid *grid) {
    const AttnShape *s = &grid->plan.shape;
    int across = s->H < 2 ? 1 : s->H <= 4 ? 2 : (int)ceilf(sqrtf((float)s->H));
    int rows = (s->H + across - 1) / across;
    float gap = across > 4 ? 4 : 14, name = across > 4 ? 0 : HEAD_NAME;
    float side = fminf((area.w - gap * (float)(across - 1)) / (float)across,
                       (area.h - gap * (float)(rows - 1)) / (float)rows - name);
    side = fmaxf(fminf(floorf(side), HEAD_MOST), 1);
    for (int h = 0; h < s->H; h++) {
        Mat A = attn_head_scores(&grid->weights, s, h);
        Rect place = {draw_snap(c->ui->list, area.x + (side + gap) * (float)(h % across)),
                      draw_snap(c->ui->list, area.y + (side + gap + name) * (float)(h / across)),
                      side, side};
        DrawCells cells = view_cells_of(c, place, &A, 1, false);
        draw_cells(c->ui->list, &cells);
        if (name > 0)
            text_in(c->ui, (Rect){place.x, rect_bottom(place), side, name},
                    TEXT_COUNT | TEXT_CENTRE, "%d", h + 1);
    }
    return area.x + (side + gap) * (float)across - gap;
}

static void heads_draw(const ViewContext *c, Rect area, const double point[2]) {
    const StdGrid *grid = compare_std_grid(c);
    double product = point[0] * point[1];
    fact(c, &area, "σ(W_Q)", point[0]);
    fact(c, &area, "σ(W_K)", point[1]);
    if (atomic_load(&grid->done) < 0 || grid->plan.x == NULL)
        return;
    Mat weights = grid->weights;
    std_grid_weights(&weights, grid, product);
    const Mask *mask = &grid->plan.mask;
    bool spread = study_stat_exists(STUDY_STD_S, &grid->plan.shape, mask);
    fact(c, &area, "σ(S)", spread ? product * stats_score_std(&grid->dots, mask) : (double)NAN);
    fact(c, &area, "\"Entropy\"", stats_mean_entropy(&weights, mask));
    fact(c, &area, "\"Mean max A\"", stats_mean_largest(&weights, mask));
    /* The numbers also depend on the shape of the distribution, so name the scheme whose weights
     * are scaled to these standard deviations. */
    const SchemePlan *draw = &grid->plan.schemes[0].plan;
    const char *name = scheme_std(draw, ATTN_W_Q, &grid->plan.shape) > 0
                           ? SCHEMES[draw->scheme[ATTN_W_Q]].entry.label
                           : "Normal weights";
    text_in(c->ui, rect_cut_top(&area, 26), TEXT_CAPTION, "%s, scaled to each σ\n%s", name, name);
    rect_cut_top(&area, 8);
    Rect below = rect_cut_bottom(&area, HEADS_BELOW);
    float right = heads_cells(c, area, grid);
    ScaleBar bar = view_scale_of(c, 1, false);
    bar.name = "\"Attention\" A";
    rect_cut_top(&below, 16);
    below.w = fminf(below.w - NUMBER_HALF, fmaxf(right - below.x, 300));
    scale_bar(c->ui, below, &bar);
}

void compare_map_draw(const ViewContext *c, Rect area) {
    double point[2];
    compare_grid_run(c);
    if (compare_job_fail_draw(c, area, COMPARE_GRID))
        return;
    const float chosen[] = {c->settings->compare.sigma_q, c->settings->compare.sigma_k};
    const StudyPlan *plan = &compare_std_grid(c)->plan;
    for (int i = 0; i < 2; i++) {
        double own = scheme_std(&plan->schemes[0].plan, ATTN_W_Q + i, &plan->shape);
        point[i] = chosen[i] > 0 ? (double)chosen[i] : own > 0 ? own : 1;
        point[i] = clamp_std(point[i]);
    }
    Rect left = area;
    left.w = fminf(area.w * 0.58f, STD_GRID_MAX_PX + AXIS_LEFT);
    rect_cut_left(&area, left.w + BETWEEN);
    grid_draw(c, left, point);
    heads_draw(c, area, point);
}
