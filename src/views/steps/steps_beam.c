#include <math.h>

#include "draw/arc.h"
#include "model/attention/block.h"
#include "ui/formula.h"
#include "views/steps/steps_view.h"

#define WIDTH      2.2f
#define WIDTH_NOW  3.2f /* width of the current step's beams */
#define CORNER     8.0f
#define HEAD       11.0f
#define AWAY       5.0f /* px between a ring and a beam */
#define DOT        4.0f
#define SKIP_IN    8.0f /* px from X's right edge to where the residual leaves it */
#define DOWN_X     9.0f /* px from a matrix's left edge to the beam above its name */
#define COMET      5.0f
#define NAME_SIZE  18
#define NAME_W     34 /* px of a name over V; the beam passes at its right */
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

static float length(const Beam *b) {
    float sum = 0;
    for (int i = 1; i < b->count; i++)
        sum += distance(b->at[i - 1], b->at[i]);
    return sum;
}

static Vec2 point_at(const Beam *b, float along) {
    for (int i = 1; i < b->count; i++) {
        float piece = distance(b->at[i - 1], b->at[i]);
        if (along <= piece || i == b->count - 1)
            return towards(b->at[i - 1], b->at[i], fminf(along, piece));
        along -= piece;
    }
    return b->at[0];
}

static void corner(const Steps *s, Vec2 from, Vec2 at, Vec2 to, float width, Colour colour) {
    DrawCurve curve = {.from = from,
                       .control_1 = towards(from, at, distance(from, at) * 0.55f),
                       .control_2 = towards(to, at, distance(to, at) * 0.55f),
                       .to = to,
                       .width_from = width,
                       .width_to = width,
                       .colour_from = colour,
                       .colour_to = colour};
    draw_curve(s->c->ui->list, &curve);
}

static void way(const Steps *s, const Beam *b, float width, Colour colour) {
    Vec2 from = b->at[0];
    for (int i = 1; i < b->count; i++) {
        bool is_last = i == b->count - 1;
        float piece = distance(b->at[i - 1], b->at[i]);
        float next = is_last ? 0 : distance(b->at[i], b->at[i + 1]);
        float cut = is_last ? (b->has_head ? HEAD - 2 : 0) : fminf(CORNER, fminf(piece, next) / 2);
        Vec2 to = towards(b->at[i], b->at[i - 1], fminf(cut, piece));
        draw_line(s->c->ui->list, from, to, width, colour);
        if (is_last)
            break;
        from = towards(b->at[i], b->at[i + 1], cut);
        corner(s, to, b->at[i], from, width, colour);
    }
}

/* Draw a beam, stronger in its own step; during the step's animation a dot moves along it. */
static void beam(const Steps *s, const Beam *b) {
    Colour colour = s->c->ui->theme->beam;
    float width = b->step == s->step ? WIDTH_NOW : WIDTH;
    Vec2 tip = b->at[b->count - 1], before = b->at[b->count - 2];
    way(s, b, width, colour);
    if (b->has_head) {
        float whole = distance(tip, before);
        Vec2 back = {(before.x - tip.x) / whole, (before.y - tip.y) / whole};
        DrawTriangle head = arc_head(tip, back, fminf(HEAD, whole), colour);
        draw_triangle(s->c->ui->list, &head);
    }
    if (b->step != s->step || s->flight >= 1)
        return;
    Vec2 at = point_at(b, s->flight * length(b));
    float r = COMET;
    draw_fill(s->c->ui->list, (Rect){at.x - 2 * r, at.y - 2 * r, 4 * r, 4 * r}, 2 * r,
              colour_fade(colour, 0.3f));
    draw_fill(s->c->ui->list, (Rect){at.x - r, at.y - r, 2 * r, 2 * r}, r, s->c->ui->theme->ring);
}

/* Name an operation on a beam (LN), if there is room. */
static void way_name(const Steps *s, StepsPart from, StepsPart to) {
    const char *name = block_norm_name(s->n.shape);
    Ui *ui = s->c->ui;
    Rect a = s->plan.part[from], b = s->plan.part[to];
    float y = a.y + (s->row + 0.5f) * s->plan.token;
    float width = formula_width(ui, NAME_SIZE, name), room = b.x - rect_right(a) - 2 * AWAY;
    if (width <= room - HEAD)
        formula_draw(ui, (Vec2){rect_right(a) + (b.x - rect_right(a) - width) / 2 - 3, y - 8},
                     NAME_SIZE, ui->theme->text_2, name);
}

/* Draw the beam from one matrix's row to the next one's. */
static void across(const Steps *s, StepsPart from, StepsPart to, int step) {
    Rect a = s->plan.part[from], b = s->plan.part[to];
    float y = a.y + (s->row + 0.5f) * s->plan.token;
    beam(s, &(Beam){{{rect_right(a) + AWAY, y}, {b.x - AWAY, y}}, 2, step, true});
}

/* Draw the beams below the matrices: the query's and the key's row meet in a score. */
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

/* Draw the residual on top: the block adds x itself to the attention's output. */
static void skip(const Steps *s) {
    float top = s->plan.part[STEPS_X].y - AWAY, y = s->plan.over_y[1];
    float from = steps_beam_into(s, STEPS_X);
    Vec2 to = {steps_beam_into(s, STEPS_Y), top};
    beam(s, &(Beam){{{from, top}, {from, y}, {to.x, y}, to}, 4, 6, true});
}

/* Draw the line along the row of Y to the number. */
static void dotted(const Steps *s) {
    Rect cell = steps_cells_rect(s, STEPS_Y, s->row, 1, s->output, 1);
    float y = cell.y + cell.h / 2, from = s->plan.part[STEPS_Y].x;
    Vec2 a = {from, y}, b = {cell.x - AWAY, y};
    if (b.x <= a.x)
        return;
    DrawCurve curve = {.from = a,
                       .control_1 = a,
                       .control_2 = b,
                       .to = b,
                       .width_from = WIDTH,
                       .width_to = WIDTH,
                       .dash_on = 2,
                       .dash_off = 4,
                       .colour_from = s->c->ui->theme->beam,
                       .colour_to = s->c->ui->theme->beam};
    draw_curve(s->c->ui->list, &curve);
}

/* Draw the beams from the learned matrices down to the names of those they make. */
static void learned(const Steps *s) {
    for (StepsPart p = STEPS_W_Q; p < STEPS_ALL; p++) {
        Rect below = s->plan.part[steps_made_by(p)];
        float x = below.x + DOWN_X, from = rect_bottom(s->plan.learned[0]);
        if (s->plan.part[p].w > 0)
            beam(s,
                 &(Beam){{{x, from}, {x, below.y - s->plan.names_h}}, 2, steps_step_of(p), true});
    }
}

void steps_beams(const Steps *s) {
    if (s->plan.part[STEPS_X].w <= 0)
        return;
    learned(s);
    across(s, STEPS_X, STEPS_Q, 2);
    if (s->n.shape->block == BLOCK_PRE_NORM)
        way_name(s, STEPS_X, STEPS_Q);
    meet(s);
    across(s, STEPS_S, STEPS_A, 4);
    across(s, STEPS_A, STEPS_Z, 5);
    /* Draw the beam above the names: values reach the head's part of Z. */
    Rect v = s->plan.part[STEPS_V];
    float y = s->plan.over_y[0];
    float x = steps_beam_from(s), top = v.y + fminf(8, v.h / 2);
    Vec2 to = {steps_beam_into(s, STEPS_Z), v.y - AWAY}, from = {rect_right(v) + AWAY, top};
    beam(s, &(Beam){{from, {x, top}, {x, y}, {to.x, y}, to}, 5, 5, true});
    across(s, STEPS_Z, STEPS_Y, 6);
    if (s->n.shape->block == BLOCK_POST_NORM)
        way_name(s, STEPS_Z, STEPS_Y);
    if (s->n.shape->block != BLOCK_ATTENTION)
        skip(s);
    dotted(s);
}
