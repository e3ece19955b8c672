#include <math.h>

#include "draw/curve.h"
#include "model/attention/block.h"
#include "ui/formula.h"
#include "ui/mark.h"
#include "views/steps/steps_view.h"

#define WIDTH     2.2f
#define WIDTH_NOW 3.2f /* px: width of the beams of the current step */
#define CORNER    8.0f
#define HEAD      11.0f
#define AWAY      5.0f /* px between a ring and a beam */
#define DOT       4.0f
/* Px from the right edge of X to the point where the residual branches off. */
#define SKIP_IN    8.0f
#define DOWN_X     9.0f /* px from a matrix's left edge to the beam above its name */
#define COMET      5.0f
#define NAME_SIZE  18
#define NAME_W     34 /* px: width of a name above V; the beam passes at its right */
#define POINTS_MAX 5

/* A path of straight pieces with round corners and an arrowhead at its end. */
typedef struct Beam {
    Vec2 at[POINTS_MAX];
    int count, step;
    bool has_head;
} Beam;

static float distance(Vec2 a, Vec2 b) {
    return hypotf(b.x - a.x, b.y - a.y);
}

static Vec2 towards(Vec2 from, Vec2 to, float by) {
    float whole = distance(from, to), t = whole > 0 ? by / whole : 0;
    return (Vec2){from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t};
}

/* Draw a beam, stronger while its step is the current one. During the step's animation a dot moves
 * along it. */
static void beam(const Steps *s, const Beam *b) {
    DrawList *list = s->c->ui->list;
    Colour colour = s->c->ui->theme->beam;
    float width = b->step == s->step ? WIDTH_NOW : WIDTH, whole = 0, piece = 0;
    Vec2 from = b->at[0], tip = b->at[b->count - 1];
    for (int i = 1; i < b->count; i++) {
        Vec2 corner = b->at[i], next = i + 1 < b->count ? b->at[i + 1] : corner;
        bool is_last = i == b->count - 1;
        piece = distance(b->at[i - 1], corner);
        whole += piece;
        float cut = is_last ? (b->has_head ? HEAD - 2 : 0)
                            : fminf(CORNER, fminf(piece, distance(corner, next)) / 2);
        Vec2 to = towards(corner, b->at[i - 1], fminf(cut, piece));
        draw_line(list, from, to, width, colour);
        from = towards(corner, next, cut);
        if (!is_last)
            draw_curve(list, &(DrawCurve){.from = to,
                                          .control_1 = towards(to, corner, 0.55f * cut),
                                          .control_2 = towards(from, corner, 0.55f * cut),
                                          .to = from,
                                          .width_from = width,
                                          .width_to = width,
                                          .colour_from = colour,
                                          .colour_to = colour});
    }
    if (b->has_head) {
        Vec2 before = b->at[b->count - 2];
        Vec2 back = {(before.x - tip.x) / piece, (before.y - tip.y) / piece};
        DrawTriangle head = arc_head(tip, back, fminf(HEAD, piece), colour);
        draw_triangle(list, &head);
    }
    if (b->step != s->step || s->flight >= 1)
        return;
    float along = s->flight * whole, r = COMET;
    int i = 1;
    for (; i < b->count - 1 && along > distance(b->at[i - 1], b->at[i]); i++)
        along -= distance(b->at[i - 1], b->at[i]);
    Vec2 at = towards(b->at[i - 1], b->at[i], fminf(along, distance(b->at[i - 1], b->at[i])));
    draw_fill(list, (Rect){at.x - 2 * r, at.y - 2 * r, 4 * r, 4 * r}, 2 * r,
              colour_fade(colour, 0.3f));
    draw_fill(list, (Rect){at.x - r, at.y - r, 2 * r, 2 * r}, r, s->c->ui->theme->ring);
}

/* Draw the beam from a row of one matrix to a row of the next. If the layer's normalisation is
 * between them, and if there is room, write its name. */
static void across(const Steps *s, StepsPart from, StepsPart to, bool has_norm) {
    Ui *ui = s->c->ui;
    Rect a = s->plan.part[from], b = s->plan.part[to];
    float y = a.y + (s->row + 0.5f) * s->plan.token, left = rect_right(a);
    beam(s, &(Beam){{{left + AWAY, y}, {b.x - AWAY, y}}, 2, STEPS_PART[to].step, true});
    const char *name = has_norm ? block_norm_name(s->n.shape) : "";
    float width = formula_width(ui, NAME_SIZE, name);
    if (width <= b.x - left - 2 * AWAY - HEAD)
        formula_draw(ui, (Vec2){left + (b.x - left - width) / 2 - 3, y - 8}, NAME_SIZE,
                     ui->theme->text_2, name);
}

/* Draw the beams below the matrices, in which the query's row and the key's row meet in a score. */
static void meet(const Steps *s) {
    bool factors = attn_has_factors(s->n.shape);
    Rect q = s->plan.part[STEPS_Q], k = s->plan.part[factors ? STEPS_K : STEPS_X];
    Rect cell = steps_cells_rect(s, STEPS_S, 0, 1, s->key, 1);
    float bottom = rect_bottom(q) + AWAY, y = s->plan.under_y;
    Vec2 a = {q.x + q.w / 2, bottom}, b = {k.x + k.w / 2, bottom};
    Vec2 first = a.x < b.x ? a : b, second = a.x < b.x ? b : a;
    Vec2 to = {cell.x + cell.w / 2, bottom};
    Vec2 joint = {second.x, y};
    beam(s, &(Beam){{first, {first.x, y}, {to.x, y}, to}, 4, 3, true});
    beam(s, &(Beam){{second, joint}, 2, 3, false});
    draw_fill(s->c->ui->list, (Rect){joint.x - DOT, joint.y - DOT, 2 * DOT, 2 * DOT}, DOT,
              s->c->ui->theme->beam);
}

float steps_beam_into(const Steps *s, StepsPart part) {
    float V = (float)s->n.shape->V, head = (float)s->n.at.head;
    if (part == STEPS_Z)
        return rect_centre(steps_cells_rect(s, STEPS_Z, 0, 1, head * V, V)).x;
    bool skips = s->n.shape->block != BLOCK_ATTENTION;
    if (part == STEPS_Y && skips)
        return rect_centre(steps_cells_rect(s, STEPS_Y, 0, 1, s->output, 1)).x;
    return part == STEPS_X && skips ? rect_right(s->plan.part[STEPS_X]) - SKIP_IN : INFINITY;
}

float steps_beam_from(const Steps *s) {
    const Rect *v = &s->plan.part[STEPS_V];
    return fmaxf(rect_right(*v) + 14, v->x + NAME_W);
}

void steps_beams(const Steps *s) {
    Ui *ui = s->c->ui;
    AttnBlock block = s->n.shape->block;
    /* beams from the learned matrices down to the names of the matrices that they make */
    for (StepsPart p = STEPS_W_Q; p < STEPS_ALL; p++) {
        Rect below = s->plan.part[STEPS_PART[p].made];
        float x = below.x + DOWN_X, from = rect_bottom(s->plan.learned[0]);
        Vec2 to = {x, below.y - s->plan.names_h};
        if (s->plan.part[p].w > 0)
            beam(s, &(Beam){{{x, from}, to}, 2, STEPS_PART[p].step, true});
    }
    across(s, STEPS_X, STEPS_Q, block == BLOCK_PRE_NORM);
    meet(s);
    across(s, STEPS_S, STEPS_A, false);
    across(s, STEPS_A, STEPS_Z, false);
    /* a beam above the names: values reach the head's part of Z */
    Rect v = s->plan.part[STEPS_V];
    float x = steps_beam_from(s), y = s->plan.over_y[0], top = v.y - AWAY;
    Vec2 to = {steps_beam_into(s, STEPS_Z), top};
    Vec2 from = {rect_right(v) + AWAY, v.y + fminf(8, v.h / 2)};
    beam(s, &(Beam){{from, {x, from.y}, {x, y}, {to.x, y}, to}, 5, 5, true});
    across(s, STEPS_Z, STEPS_Y, block == BLOCK_POST_NORM);
    /* For a block that adds x itself to the output of the attention. */
    if (block != BLOCK_ATTENTION) {
        x = steps_beam_into(s, STEPS_X);
        y = s->plan.over_y[1];
        to.x = steps_beam_into(s, STEPS_Y);
        beam(s, &(Beam){{{x, top}, {x, y}, {to.x, y}, to}, 4, 6, true});
    }
    /* a beam along the row of Y to the number */
    Rect cell = steps_cells_rect(s, STEPS_Y, s->row, 1, s->output, 1);
    float phase = 0, start = s->plan.part[STEPS_Y].x, middle = cell.y + cell.h / 2;
    if (cell.x - AWAY > start)
        polyline_piece(ui, &phase, (Vec2){start, middle}, (Vec2){cell.x - AWAY, middle},
                       &(LineStyle){WIDTH, ui->theme->beam, 2, 4});
}
