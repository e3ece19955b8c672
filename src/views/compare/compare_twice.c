/* The page "Bank, twice", which compares three vectors of each token: the static vector e, x (e
 * with the position), and the contextual vector y. A slider moves the weights from W = I, where
 * attention is plain similarity, to those of this layer. */
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "draw/part.h"
#include "draw/space.h"
#include "math/decompose.h"
#include "model/analysis/similarity.h"
#include "ui/layout.h"
#include "ui/text.h"
#include "views/compare/compare.h"

#define SHOWN     24          /* maximum number of tokens shown: the first ones of the text */
#define WORK_MOST 100000000.0 /* limit on the layer's multiply-adds: a drag stays smooth */
#define BAR_H     40
#define SIDE_W    300
#define SIDE_H    200
#define SIDE_GAP  28
#define PLOT_MIN  220
#define EDGE      44 /* px between the edge of the plot and the outermost point */
#define DOT       14
#define DOT_SMALL 8
#define LINE_H    30
#define NAME_SIZE 16

#define PLACES     (5 * SHOWN) /* limit of the marks, lines and names together */
#define RINGS      8 /* number of rings around a mark on which a place for its name is tried */
#define DIRECTIONS 8
#define TURN       (6.2831853f / DIRECTIONS)

#define HALL_DOT  24
#define HALL_NAME 24
#define HALL_TEXT 30

typedef enum Stage { STAGE_STATIC, STAGE_INPUT, STAGE_OUTPUT, STAGE_COUNT } Stage;

/* The kinds of items in a plane; a line is a MARK. */
enum { MARK = 1, NAME = 2 };

/* Unit vectors of the first `count` tokens, and their positions in two planes: one for e and x, one
 * for y. */
typedef struct Vectors {
    const char *why; /* the reason why the page shows no vectors, or NULL */
    int count;
    Mat rows[STAGE_COUNT];   /* (count, D) */
    Mat places[STAGE_COUNT]; /* (count, 2) */
    /* Bounds of the positions in each plane, for every position of the slider. */
    Vec2 lo[2], hi[2];
    int first, second; /* the chosen pair */
} Vectors;

static const char MEANING[] =
    "e is the row of E: the same in every text. y mixes the values of the words around it, so the "
    "same word gets another y in another text. W_Q and W_K only decide which words are read.";

/* Fill Y (T, D) with the output of a layer that has t·W + (1 − t)·I and t·b in place of each W and
 * b. Pushes scratch memory. */
static bool output_make(Mat *Y, const ViewContext *c, float t, Arena *arena, Err *err) {
    const LayerResults *layer = &c->run->layers[0];
    const AttnShape *shape = &layer->shape[FORM_SEPARATE];
    if (t == 1) {
        mat_copy(Y, &results_trace(c->run, 0)->Y);
        return true;
    }
    AttnParams params = attn_params_push(arena, shape);
    AttnTrace trace = attn_trace_push(arena, shape);
    for (AttnParam p = ATTN_W_Q; p <= ATTN_B_O; p++) {
        const Mat *from = &layer->params.p[p];
        for (int i = 0; i < from->rows; i++)
            for (int j = 0; j < from->cols; j++)
                mat_row(&params.p[p], i)[j] =
                    t * mat_row(from, i)[j] + (p < ATTN_B_Q && i == j ? 1 - t : 0);
    }
    for (int i = 0; i < 2 && layer->params.gain[i].rows > 0; i++)
        mat_copy(&params.gain[i], &layer->params.gain[i]);
    if (!attn_fold(&trace, shape, &params, err))
        return false;
    attn_forward(&trace, shape, &params, &c->run->X, &c->run->mask);
    mat_copy(Y, &trace.Y);
    return true;
}

static Mat directions(Arena *arena, const Mat *from, int count) {
    Mat out = mat_push(arena, count, from->cols), rows = mat_rows(from, 0, count);
    similarity_unit_rows(&out, &rows);
    return out;
}

static double cosine(const Mat *unit, int i, int j) {
    double sum = 0;
    for (int d = 0; d < unit->cols; d++)
        sum += (double)mat_row(unit, i)[d] * (double)mat_row(unit, j)[d];
    return sum;
}

static void centre(Mat rows) {
    for (int j = 0; j < rows.cols; j++) {
        double mean = 0;
        for (int i = 0; i < rows.rows; i++)
            mean += (double)mat_row(&rows, i)[j] / rows.rows;
        for (int i = 0; i < rows.rows; i++)
            mat_row(&rows, i)[j] -= (float)mean;
    }
}

/* Return the rows of a, then those of b, centred. If together, subtract the mean of all rows;
 * otherwise subtract the mean of a from the rows of a, and that of b from the rows of b. */
static Mat stack(Arena *arena, const Mat *a, const Mat *b, bool together) {
    int n = a->rows;
    Mat out = mat_push(arena, 2 * n, a->cols),
        half[] = {mat_rows(&out, 0, n), mat_rows(&out, n, n)};
    mat_copy(&half[0], a);
    mat_copy(&half[1], b);
    if (together)
        centre(out);
    for (int i = 0; i < 2 && !together; i++)
        centre(half[i]);
    return out;
}

/* Fill axes (D, 2) with the first two principal components of centred rows, places with the
 * projected rows, and *lo and *hi with bounds of these rows and 0. */
static bool plane_make(Mat *axes, Vec2 *lo, Vec2 *hi, Mat *places, const Mat *rows, Arena *arena,
                       Err *err) {
    int D = rows->cols, least = D < rows->rows ? D : rows->rows;
    Mat left = mat_push(arena, rows->rows, least), right = mat_push(arena, D, least);
    double *sigma = arena_push(arena, (size_t)least * sizeof *sigma);
    if (!decompose_matrix(&left, sigma, &right, rows, err))
        return false;
    *axes = mat_push(arena, D, 2);
    for (int j = 0; j < D; j++)
        for (int k = 0; k < 2; k++)
            mat_row(axes, j)[k] = k < least ? mat_row(&right, j)[k] : 0;
    *places = mat_push(arena, rows->rows, 2);
    mat_mul(places, rows, axes, 1);
    *lo = *hi = (Vec2){0, 0};
    for (int i = 0; i < places->rows; i++) {
        const float *at = mat_row(places, i);
        *lo = (Vec2){fminf(lo->x, at[0]), fminf(lo->y, at[1])};
        *hi = (Vec2){fmaxf(hi->x, at[0]), fmaxf(hi->y, at[1])};
    }
    return true;
}

/* Project e and x on the plane of their largest variance. Project y on the plane of the largest
 * variance of its values at the two ends of the slider (`ends`), so that a drag moves the vectors
 * but not the plane. */
static bool project(Vectors *v, const Mat ends[2], Arena *arena, Err *err) {
    Mat axes, places, *rows = v->rows, y = mat_push(arena, v->count, ends[0].cols);
    Mat both = stack(arena, &rows[STAGE_STATIC], &rows[STAGE_INPUT], true);
    if (!plane_make(&axes, &v->lo[0], &v->hi[0], &places, &both, arena, err))
        return false;
    v->places[STAGE_STATIC] = mat_rows(&places, 0, v->count);
    v->places[STAGE_INPUT] = mat_rows(&places, v->count, v->count);
    both = stack(arena, &ends[0], &ends[1], false);
    if (!plane_make(&axes, &v->lo[1], &v->hi[1], &places, &both, arena, err))
        return false;
    mat_copy(&y, &rows[STAGE_OUTPUT]);
    centre(y);
    v->places[STAGE_OUTPUT] = mat_push(arena, v->count, 2);
    mat_mul(&v->places[STAGE_OUTPUT], &y, &axes, 1);
    return true;
}

/* Choose the focused pair or, without one, the first and the last token. But if nothing is pinned
 * and a word of more than three bytes occurs twice, choose its first two tokens. */
static void choose_pair(Vectors *v, const ViewContext *c) {
    AttnCell focus = view_focus(c);
    bool is_pinned = c->session->options.pin.first > 0;
    v->first = attn_cell_is_set(focus) && focus.query < v->count ? focus.query : 0;
    v->second = attn_cell_is_set(focus) && focus.key < v->count ? focus.key : v->count - 1;
    for (int i = v->count - 1; i >= 0 && !is_pinned; i--)
        for (int j = v->count - 1; j > i; j--) {
            TokenLabel a = c->run->labels[i], b = c->run->labels[j];
            if (a.size > 3 && a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0) {
                v->first = i;
                v->second = j;
            }
        }
}

static bool vectors_make(Vectors *v, const ViewContext *c, Arena *arena, Err *err) {
    const AttnShape *shape = &c->run->layers[0].shape[FORM_SEPARATE];
    const Weights *weights = c->session->weights;
    double T = c->run->T, D = shape->D;
    bool fits = T * D * (4 * D + 2 * T) < WORK_MOST;
    bool has_words =
        !weights_has(weights, WEIGHTS_X) && (weights == NULL || weights->model == NULL);
    v->why = c->run->form != FORM_SEPARATE && c->run->form != FORM_MERGED
                 ? "This form has no separate W_Q and W_K. Choose Separate under Form."
             : !fits      ? "The layer is too large for this page. Shorten the text."
             : !has_words ? "This page needs word vectors separate from positions. Choose random "
                            "weights or a trained layer."
                          : NULL;
    if (v->why != NULL)
        return true;
    v->count = c->run->T < SHOWN ? c->run->T : SHOWN;
    uint64_t row = mat_bytes(c->run->T, shape->D) + ARENA_ALIGN;
    uint64_t pass = attn_params_bytes(shape) + attn_trace_bytes(shape) + 2 * ARENA_ALIGN;
    uint64_t side = mat_bytes(2 * SHOWN, shape->D + 2 * SHOWN) + ARENA_ALIGN;
    if (!arena_reserve(arena, 8 * row + 2 * pass + 12 * side + 2 * space_bytes(PLACES), err))
        return false;
    float t = c->settings->compare.blend;
    Mat E = mat_push(arena, c->run->T, shape->D), Y = mat_push(arena, c->run->T, shape->D), ends[2];
    mat_diagonal(&E, 0);
    results_add_positions(&E, 0, c->session);
    for (int i = 0; i < c->run->T; i++)
        for (int j = 0; j < shape->D; j++)
            mat_row(&E, i)[j] = mat_row(&c->run->X, i)[j] - mat_row(&E, i)[j];
    v->rows[STAGE_STATIC] = directions(arena, &E, v->count);
    v->rows[STAGE_INPUT] = directions(arena, &c->run->X, v->count);
    for (int i = 0; i < 2; i++) {
        if (!output_make(&Y, c, (float)i, arena, err))
            return false;
        ends[i] = directions(arena, &Y, v->count);
    }
    if (t > 0 && t < 1 && !output_make(&Y, c, t, arena, err))
        return false;
    v->rows[STAGE_OUTPUT] = t > 0 && t < 1 ? directions(arena, &Y, v->count) : ends[t == 1];
    choose_pair(v, c);
    return project(v, ends, arena, err);
}

/* A plot of one plane. Both plots have the same scale. */
typedef struct Plot {
    Rect rect;
    Vec2 middle; /* the position in the plane that is drawn at the middle of rect */
    float scale; /* px for a length of 1 */
} Plot;

static Vec2 place_of(const Vectors *v, const Plot *plot, Stage stage, int token) {
    const float *at = mat_row(&v->places[stage], token);
    Vec2 centre = rect_centre(plot->rect);
    return (Vec2){centre.x + (at[0] - plot->middle.x) * plot->scale,
                  centre.y - (at[1] - plot->middle.y) * plot->scale};
}

static void mark_draw_at(const ViewContext *c, Vec2 at, Stage stage, float size, Colour colour) {
    bool is_filled = stage == STAGE_OUTPUT;
    draw_disc(c->ui->list, at, size / 2, is_filled ? colour : COLOUR_CLEAR,
              is_filled               ? 0
              : stage == STAGE_STATIC ? 3
                                      : 1.5f,
              is_filled ? 0 : colour);
}

static SpaceBox line_box(Vec2 from, Vec2 to) {
    Vec2 way = vec2_minus(to, from);
    float length = fmaxf(vec2_length(way), 1e-3f);
    return (SpaceBox){
        vec2_between(from, to, 0.5f), {way.x / length, way.y / length}, length / 2, 1};
}

/* Draw a token's name at the nearest free place around its mark, in the direction `away` if
 * possible. If the name is not next to its mark, connect them by a line that crosses no name. If no
 * place is free, omit the name. */
static void name_draw(const ViewContext *c, Space *space, Vec2 at, Vec2 away, int token,
                      bool is_chosen) {
    const char *name = TOKEN_NAME(c, token, 24);
    float size = c->is_hall ? HALL_NAME : NAME_SIZE;
    LabelStyle style = {is_chosen ? FONT_SANS_BOLD : FONT_SANS, size,
                        is_chosen ? c->ui->theme->text_1 : c->ui->theme->text_2, LABEL_CENTRE};
    float w = label_width(c->ui, style.font, size, name, strlen(name)) + 4, h = size * 1.3f;
    float first = atan2f(away.y, away.x);
    for (int i = 0; i < RINGS * DIRECTIONS; i++) {
        int side = i % DIRECTIONS, turn = side % 2 == 0 ? side / 2 : -(side + 1) / 2;
        float angle = first + (float)turn * TURN, distance = DOT + (float)(i / DIRECTIONS) * h;
        Vec2 way = {cosf(angle), sinf(angle)}, near = vec2_along(at, way, distance);
        Rect line = {near.x + (way.x - 1) * w / 2, near.y + (way.y - 1) * h / 2, w, h};
        SpaceBox box = space_box(line), leader = line_box(at, near);
        if (!space_is_inside(&box, space->area) ||
            space_hit(space, &box, MARK | NAME, SPACE_BUT_NONE) ||
            space_hit(space, &leader, NAME, SPACE_BUT_NONE))
            continue;
        space_take(space, &box, NAME, SPACE_OF_NOBODY);
        if (i >= DIRECTIONS) {
            draw_line(c->ui->list, vec2_along(at, way, DOT_SMALL), near, 1, c->ui->theme->control);
            space_take(space, &leader, MARK, SPACE_OF_NOBODY);
        }
        label_draw(c->ui, line, &style, name);
        return;
    }
}

static Colour colour_of(const ViewContext *c, const Vectors *v, int token) {
    return token == v->first    ? c->ui->theme->heads[0]
           : token == v->second ? c->ui->theme->heads[1]
                                : c->ui->theme->control;
}

/* Draw one plane. A click on a token pins it together with the second token of the pair. Pushes
 * scratch memory. */
static void plot_draw(const ViewContext *c, const Vectors *v, const Plot *plot, Stage last,
                      Arena *arena) {
    Space space = space_begin(rect_inset(plot->rect, 8 - EDGE, 8 - EDGE), PLACES, arena);
    /* Draw the marks of the chosen pair last, so that they are on top. */
    for (int n = 0; n < v->count + 2; n++) {
        int token = n < v->count ? n : n == v->count ? v->second : v->first;
        bool is_chosen = token == v->first || token == v->second;
        if (n < v->count && is_chosen)
            continue;
        float size = c->is_hall ? HALL_DOT : is_chosen ? DOT : DOT_SMALL;
        Vec2 at = place_of(v, plot, last, token);
        if (last == STAGE_INPUT) {
            Vec2 from = place_of(v, plot, STAGE_STATIC, token);
            draw_line(c->ui->list, from, at, is_chosen ? 2 : 1, colour_of(c, v, token));
            SpaceBox line = line_box(from, at);
            space_take(&space, &line, MARK, SPACE_OF_NOBODY);
            mark_draw_at(c, from, STAGE_STATIC, size, colour_of(c, v, token));
            space_take_disc(&space, from, size / 2, MARK, SPACE_OF_NOBODY);
        }
        mark_draw_at(c, at, last, size, colour_of(c, v, token));
        space_take_disc(&space, at, size / 2, MARK, SPACE_OF_NOBODY);
    }
    for (int n = 0; n < v->count + 2; n++) {
        int token = n == 0 ? v->first : n == 1 ? v->second : n - 2;
        bool is_chosen = token == v->first || token == v->second;
        Vec2 at = place_of(v, plot, last, token);
        if (n >= 2 && is_chosen)
            continue;
        Vec2 from =
            last == STAGE_INPUT ? place_of(v, plot, STAGE_STATIC, token) : (Vec2){at.x, at.y + 1};
        name_draw(c, &space, at, vec2_minus(at, from), token, is_chosen);
        UiState state = ui_control(c->ui, ui_id("compare twice", token + SHOWN * (int)last),
                                   (Rect){at.x - 14, at.y - 14, 28, 28}, UI_NO_FOCUS);
        if (state.clicked && token != v->second)
            view_toggle_pin(c, (AttnCell){0, c->session->options.head - 1, v->second, token});
    }
}

static void plots_draw(const ViewContext *c, const Vectors *v, Rect area, Arena *arena) {
    static const char *const titles[] = {"Static", "Contextual"};
    Plot plots[2];
    float scale = INFINITY;
    draw_part(c->ui->list, PART_RECT(area), "compare.vectors");
    for (int i = 0; i < 2; i++) {
        Rect half = layout_part(area, SIDE_GAP, i, 2);
        text_line(c->ui, &half, TEXT_HEADING, "%s", titles[i]);
        draw_fill(c->ui->list, half, 8, c->ui->theme->raised);
        plots[i].rect = rect_inset(half, EDGE, EDGE);
        plots[i].middle = (Vec2){(v->lo[i].x + v->hi[i].x) / 2, (v->lo[i].y + v->hi[i].y) / 2};
        scale = fminf(scale, plots[i].rect.w / fmaxf(v->hi[i].x - v->lo[i].x, 1e-6f));
        scale = fminf(scale, plots[i].rect.h / fmaxf(v->hi[i].y - v->lo[i].y, 1e-6f));
    }
    for (int i = 0; i < 2; i++) {
        plots[i].scale = fmaxf(scale, 0);
        plot_draw(c, v, &plots[i], i == 0 ? STAGE_INPUT : STAGE_OUTPUT, arena);
    }
}

/* Draw the cosines of the chosen pair. The marks before e, x and y are also the legend of the
 * plots. */
static void pair_draw(const ViewContext *c, const Vectors *v, Rect area) {
    text_line(c->ui, &area, TEXT_HEADING | TEXT_PLAIN, "%s %d and %s %d",
              TOKEN_NAME(c, v->first, 24), v->first + 1, TOKEN_NAME(c, v->second, 24),
              v->second + 1);
    text_line(c->ui, &area, TEXT_NOTE, "cosine of the two tokens’ vectors");
    bool has_positions = c->session->options.positions != POSITION_NONE;
    const char *const meanings[STAGE_COUNT] = {
        "e: the word’s vector", has_positions ? "x: with its position" : "x: e, without a position",
        "y: after attention"};
    for (Stage stage = STAGE_STATIC; stage < STAGE_COUNT; stage++) {
        Rect line = rect_cut_top(&area, LINE_H), key = rect_cut_left(&line, 28);
        mark_draw_at(c, rect_centre(key), stage, DOT, c->ui->theme->text_1);
        text_pair(c->ui, line, meanings[stage], "%s",
                  FIXED(cosine(&v->rows[stage], v->first, v->second), 3));
    }
    rect_cut_top(&area, 12);
    text_wrap(c->ui, &area, TEXT_NOTE, MEANING);
    rect_cut_top(&area, 8);
    text_wrap(c->ui, &area, TEXT_NOTE, "Click a token to compare it.");
}

static void hall_draw(const ViewContext *c, const Vectors *v, Rect area, Arena *arena) {
    Rect line = rect_cut_bottom(&area, HALL_TEXT * 1.6f);
    for (int i = 0; i < 2; i++)
        text_in(
            c->ui, layout_part(line, SIDE_GAP, i, 2),
            TEXT_STRONG | TEXT_PX(HALL_TEXT) | TEXT_CENTRE, "cosine %s",
            FIXED(cosine(&v->rows[i == 0 ? STAGE_STATIC : STAGE_OUTPUT], v->first, v->second), 2));
    plots_draw(c, v, area, arena);
}

static void page_draw(const ViewContext *c, const Vectors *v, Rect area, Arena *arena) {
    float t = c->settings->compare.blend;
    SliderRow row = {.name = "W",
                     .meaning = "from I to this layer",
                     .shown = t <= 0   ? "W = I"
                              : t >= 1 ? "this layer"
                                       : PRINT("%.0f %%", (double)t * 100),
                     .name_w = 28,
                     .meaning_w = 170,
                     .shown_w = 130,
                     .range = {0, 1, 0.01f, 1, false}};
    Rect bar = rect_cut_top(&area, BAR_H);
    bar.w = fminf(bar.w, 740);
    if (slider_row(c->ui, ui_id("compare blend", 0), bar, &row, &t))
        view_set_number(c, "compare-blend", (double)t, c->ui->drag_serial);
    rect_cut_top(&area, 12);
    ScrollArea scroll =
        scroll_begin(c->ui, ui_id("compare twice", 0), area, &c->memory->compare->scroll,
                     (Vec2){area.w, fmaxf(area.h, PLOT_MIN + SIDE_H)});
    area = scroll.content;
    area.w -= scroll.most.y > 0 ? SCROLL_BAR : 0;
    bool is_beside = area.w > SIDE_W + SIDE_GAP + 2 * PLOT_MIN && area.w > area.h;
    Rect side = is_beside ? rect_cut_right(&area, SIDE_W) : rect_cut_bottom(&area, SIDE_H);
    if (is_beside)
        rect_cut_right(&area, SIDE_GAP);
    plots_draw(c, v, area, arena);
    pair_draw(c, v, side);
    scroll_end(c->ui, &scroll);
}

void compare_twice_draw(const ViewContext *c, Rect area) {
    Vectors v = {0};
    Arena arena = {0};
    Err err;
    bool made = vectors_make(&v, c, &arena, &err);
    if (!made || v.why != NULL)
        text_wrap(c->ui, &area, TEXT_BODY, made ? v.why : err.why);
    else if (c->is_hall)
        hall_draw(c, &v, area, &arena);
    else
        page_draw(c, &v, area, &arena);
    arena_release(&arena);
}
