#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/utf8.h"
#include "draw/curve.h"
#include "draw/part.h"
#include "model/attention/block.h"
#include "ui/formula.h"
#include "ui/mark.h"
#include "ui/text.h"
#include "ui/tooltip.h"
#include "ui/tween.h"
#include "views/shared/number_editor.h"
#include "views/shared/side_labels.h"
#include "views/steps/steps_view.h"

#define VEIL          0.52f /* opacity of the veil over everything outside the path */
#define NAME_SIZE     26
#define SMALL         15
#define NAME_AWAY     10
#define GAP_FROM      12 /* px: a cell at least this large has a gap */
#define RING          2.0f
#define RING_LEAST    5 /* px: minimum side of the area inside a ring */
#define PILL_AWAY_Y   30
#define LABEL_AWAY    14 /* px between X and the names of its rows */
#define BEAM_AWAY     10
#define EDITOR_GAP    8  /* px between the editor of a number and its row */
#define BOX_RADIUS    14 /* px: corner radius of the backgrounds of learned matrices */
#define BOX_PAD       12
#define BOX_WORDS_MIN 110 /* px: a narrower place has no words about the learned matrices */
#define BOX_NAME_SIZE 20
#define BOX_NAME_AWAY 8 /* px from a learned matrix up to its name's baseline */
#define BOX_LINE_H    24

#define LEARNED_HELP                                                                               \
    "Training sets these numbers. A text does not change them: the tokens of every text pass "     \
    "through the same matrices."
#define COMPUTED_HELP                                                                              \
    "Each text has scores and attention weights of its own. They are computed from X and the "     \
    "learned matrices."
#define WIDTH     2.2f
#define WIDTH_NOW 3.2f /* px: width of the beams of the current step */
#define CORNER    8.0f
#define HEAD      11.0f
#define BEAM_END  5.0f /* px between a ring and a beam */
#define DOT       4.0f
/* Px from the right edge of X to the point where the residual branches off. */
#define SKIP_IN     8.0f
#define DOWN_X      9.0f /* px from a matrix's left edge to the beam above its name */
#define COMET       5.0f
#define NORM_SIZE   18
#define BEAM_NAME_W 34 /* px: width of a name above V; the beam passes at its right */
#define POINTS_MAX  5

/* Return the rectangle of some cells in a matrix. row and column have fractions while they move. */
static Rect cells_rect(const Steps *s, StepsPart part, float row, float rows, float col,
                       float cols) {
    const StepsPlan *plan = &s->plan;
    Rect m = plan->part[part];
    float w = STEPS_PART[part].by_token ? plan->token : plan->feature;
    float h = steps_is_learned(part) ? plan->weight : plan->token;
    return (Rect){m.x + col * w, m.y + row * h, cols * w, rows * h};
}

static void ring(const ViewContext *c, Rect rect, Colour colour, float border) {
    float dx = fmaxf(RING_LEAST - rect.w, 0) / 2, dy = fmaxf(RING_LEAST - rect.h, 0) / 2;
    Rect at = {rect.x - dx - 1.5f, rect.y - dy - 1.5f, rect.w + 2 * dx + 3, rect.h + 2 * dy + 3};
    draw_ring(c->ui->list, rect_inset(at, -1.5f, -1.5f), 4.5f, border + 3, c->ui->theme->casing);
    draw_ring(c->ui->list, at, 3, border, colour);
}

void steps_light(const Steps *s, StepsPart part, int row, int rows, int col, int cols) {
    Rect rect = cells_rect(s, part, (float)row, (float)rows, (float)col, (float)cols);
    if (s->plan.part[part].w > 0)
        ring(s->c, rect, s->c->ui->theme->beam, RING);
}

static void box_words(const Steps *s, Rect place, const char *title, const char *meaning,
                      const char *help, long long changed, long long all, const char *what) {
    Ui *ui = s->c->ui;
    UiId id = ui_id(meaning, (int)place.x);
    if (place.w < BOX_WORDS_MIN)
        return;
    tooltip_over(ui, id, place, title, help);
    place.h = fminf(place.h, BOX_LINE_H * (s->c->before != NULL ? 3 : 2));
    text_in(ui, rect_cut_top(&place, BOX_LINE_H), TEXT_STRONG, "%s", title);
    text_in(ui, rect_cut_top(&place, BOX_LINE_H), TEXT_CAPTION, "%s", meaning);
    if (s->c->before != NULL)
        text_in(ui, place, TEXT_NOTE | TEXT_BRIGHT, "%s of %s %s changed\n%s of %s changed",
                GROUPED(changed), GROUPED(all), what, GROUPED(changed), GROUPED(all));
}

/* Draw the backgrounds and names of the learned matrices, and write how many learned numbers and
 * attention weights the last edit changed. */
static void learned(const Steps *s) {
    Ui *ui = s->c->ui;
    const StepsPlan *plan = &s->plan;
    const ResultsChange *change = &s->c->memory->steps.change;
    for (int i = 0; i < 2; i++) {
        Rect ground = plan->learned[i], place = rect_inset(ground, BOX_PAD, BOX_PAD - 2);
        if (ground.w <= 0)
            return;
        draw_fill(ui->list, ground, BOX_RADIUS, ui->theme->raised);
        draw_part(ui->list, PART_RECT(ground), "steps.learned.%d", i + 1);
        place.w = plan->part[i == 0 ? STEPS_W_Q : STEPS_W_O].x - BOX_PAD - place.x;
        box_words(s, place, "Learned", "the same for every text", LEARNED_HELP, change->learned,
                  change->learned_all, "learned numbers");
    }
    box_words(s, rect_inset(plan->computed, 0, BOX_PAD - 2), "Computed", "from this text",
              COMPUTED_HELP, change->weights, change->weights_all, "attention weights");
    for (StepsPart p = STEPS_W_Q; p < STEPS_ALL; p++)
        if (plan->part[p].w > 0)
            formula_draw(ui, (Vec2){plan->part[p].x, plan->part[p].y - BOX_NAME_AWAY},
                         BOX_NAME_SIZE, ui->theme->text_1, steps_name(&s->n, p));
}

static void cells(const Steps *s, StepsPart part) {
    const ViewContext *c = s->c;
    const StepsMemory *memory = &c->memory->steps;
    Rect rect = s->plan.part[part];
    Mat m = memory->shown[part].rows > 0 ? memory->shown[part] : steps_matrix(s, part);
    float most = memory->most[part] > 0 ? memory->most[part] : 1;
    DrawCells drawn = part == STEPS_A ? view_cells_of(c, rect, &m, view_scale_top(c), false)
                                      : view_cells_of(c, rect, &m, most, true);
    drawn.gap = rect.w / (float)m.cols >= GAP_FROM ? 1 / c->ui->list->scale : 0;
    view_cells(c, ui_id("steps cells", (int)part), &drawn);
    m = steps_matrix(s, part); /* all entries, even if cells are pooled */
    const StepsPartRow *row = &STEPS_PART[part];
    draw_part(c->ui->list,
              &(DrawPart){.rect = rect,
                          .cells = rect,
                          .rows = m.rows,
                          .cols = m.cols,
                          .numbers = {row->name, m.at, m.rows, m.cols, m.stride,
                                      !steps_is_learned(part), row->by_token, NULL, NULL}},
              "steps.matrix.%d", (int)part + 1);
}

static void veil_rect(const Steps *s, Rect rect) {
    draw_fill(s->c->ui->list, rect, 0, colour_fade(s->c->ui->theme->canvas, VEIL));
}

/* Veil the parts of *m above `open`, at its left and at its right. Reduce *m to the part below
 * `open`. */
static void veil(const Steps *s, Rect *m, Rect open) {
    open = rect_intersect(open, *m);
    veil_rect(s, rect_cut_top(m, open.y - m->y));
    Rect beside = rect_cut_top(m, open.h);
    veil_rect(s, rect_cut_left(&beside, open.x - m->x));
    rect_cut_left(&beside, open.w);
    veil_rect(s, beside);
}

/* Return the part of a matrix that is on the path. K, V and the matrices that make Q, K and V are
 * on it as a whole, because the query meets every key and reads every value. Of W_O, one column is
 * on it; of Y, one number; of X, Q, S, A and Z, the query's row. */
static Rect open_part(const Steps *s, StepsPart part) {
    if (STEPS_PART[part].of_keys || (steps_is_learned(part) && part != STEPS_W_O))
        return s->plan.part[part];
    if (part == STEPS_Y)
        return cells_rect(s, part, s->row, 1, s->output, 1);
    if (part == STEPS_W_O)
        return cells_rect(s, part, 0, (float)steps_rows(&s->n, part), s->output, 1);
    return cells_rect(s, part, s->row, 1, 0, (float)steps_cols(&s->n, part));
}

/* True if two rows of the matrix are on the path: in a form without factors, the key's row of X
 * meets the query's row of X·W_QK. */
static bool has_second_row(const Steps *s, StepsPart part) {
    return part == STEPS_X && !attn_has_factors(s->n.shape) && fabsf(s->row - s->key) >= 1;
}

static void veils(const Steps *s, StepsPart part) {
    Rect m = s->plan.part[part], open = open_part(s, part);
    if (has_second_row(s, part)) {
        Rect other = cells_rect(s, part, s->key, 1, 0, (float)s->n.shape->D);
        veil(s, &m, other.y < open.y ? other : open);
        open = other.y < open.y ? open : other;
    }
    veil(s, &m, open);
    veil_rect(s, m);
}

static void marks(const Steps *s, StepsPart part) {
    const ViewContext *c = s->c;
    const CellStory *n = &s->n;
    Colour colour = c->ui->theme->ring;
    float V = (float)n->shape->V;
    ring(c,
         part == STEPS_K ? cells_rect(s, part, s->key, 1, 0, (float)n->shape->K)
                         : open_part(s, part),
         colour, RING);
    if (has_second_row(s, part))
        ring(c, cells_rect(s, part, s->key, 1, 0, (float)n->shape->D), colour, 1.6f);
    if (STEPS_PART[part].by_token)
        ring(c, cells_rect(s, part, s->row, 1, s->key, 1), colour, RING);
    if (part == STEPS_Z && n->shape->H > 1) {
        float head = ui_tween(c->ui, ui_id("steps head", 0), (float)n->at.head, MOTION_PIN);
        ring(c, cells_rect(s, part, s->row, 1, head * V, V), view_head_colour(c, n->at.head),
             RING + 0.6f);
    }
}

/* A line of straight pieces with round corners and, if has_head, an arrowhead at its end. */
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
    return vec2_between(from, to, t);
}

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
    float along = s->flight * whole;
    int i = 1;
    for (; i < b->count - 1 && along > distance(b->at[i - 1], b->at[i]); i++)
        along -= distance(b->at[i - 1], b->at[i]);
    Vec2 at = towards(b->at[i - 1], b->at[i], fminf(along, distance(b->at[i - 1], b->at[i])));
    draw_disc(list, at, 2 * COMET, colour_fade(colour, 0.3f), 0, 0);
    draw_disc(list, at, COMET, s->c->ui->theme->ring, 0, 0);
}

static void across(const Steps *s, StepsPart from, StepsPart to, bool has_norm) {
    Ui *ui = s->c->ui;
    Rect a = s->plan.part[from], b = s->plan.part[to];
    float y = a.y + (s->row + 0.5f) * s->plan.token, left = rect_right(a);
    beam(s, &(Beam){{{left + BEAM_END, y}, {b.x - BEAM_END, y}}, 2, STEPS_PART[to].step, true});
    const char *name = has_norm ? block_norm_name(s->n.shape) : "";
    float width = formula_width(ui, NORM_SIZE, name);
    if (width <= b.x - left - 2 * BEAM_END - HEAD)
        formula_draw(ui, (Vec2){left + (b.x - left - width) / 2 - 3, y - 8}, NORM_SIZE,
                     ui->theme->text_2, name);
}

/* Below the matrices, draw one beam from the query's row and one from the key's row. The two beams
 * join and end at their score. */
static void meet(const Steps *s) {
    bool factors = attn_has_factors(s->n.shape);
    Rect q = s->plan.part[STEPS_Q], k = s->plan.part[factors ? STEPS_K : STEPS_X];
    Rect cell = cells_rect(s, STEPS_S, 0, 1, s->key, 1);
    float bottom = rect_bottom(q) + BEAM_END, y = s->plan.under_y;
    Vec2 a = {q.x + q.w / 2, bottom}, b = {k.x + k.w / 2, bottom};
    Vec2 first = a.x < b.x ? a : b, second = a.x < b.x ? b : a;
    Vec2 to = {cell.x + cell.w / 2, bottom};
    Vec2 joint = {second.x, y};
    beam(s, &(Beam){{first, {first.x, y}, {to.x, y}, to}, 4, 3, true});
    beam(s, &(Beam){{second, joint}, 2, 3, false});
    draw_disc(s->c->ui->list, joint, DOT, s->c->ui->theme->beam, 0, 0);
}

static float beam_into(const Steps *s, StepsPart part) {
    float V = (float)s->n.shape->V, head = (float)s->n.at.head;
    if (part == STEPS_Z)
        return rect_centre(cells_rect(s, STEPS_Z, 0, 1, head * V, V)).x;
    bool skips = s->n.shape->block != BLOCK_ATTENTION;
    if (part == STEPS_Y && skips)
        return rect_centre(cells_rect(s, STEPS_Y, 0, 1, s->output, 1)).x;
    return part == STEPS_X && skips ? rect_right(s->plan.part[STEPS_X]) - SKIP_IN : INFINITY;
}

static float beam_from(const Steps *s) {
    const Rect *v = &s->plan.part[STEPS_V];
    return fmaxf(rect_right(*v) + 14, v->x + BEAM_NAME_W);
}

static void beams(const Steps *s) {
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
    float x = beam_from(s), y = s->plan.over_y[0], top = v.y - BEAM_END;
    Vec2 to = {beam_into(s, STEPS_Z), top};
    Vec2 from = {rect_right(v) + BEAM_END, v.y + fminf(8, v.h / 2)};
    beam(s, &(Beam){{from, {x, from.y}, {x, y}, {to.x, y}, to}, 5, 5, true});
    across(s, STEPS_Z, STEPS_Y, block == BLOCK_POST_NORM);
    /* a beam for the residual connection, if the block has one */
    if (block != BLOCK_ATTENTION) {
        x = beam_into(s, STEPS_X);
        y = s->plan.over_y[1];
        to.x = beam_into(s, STEPS_Y);
        beam(s, &(Beam){{{x, top}, {x, y}, {to.x, y}, to}, 4, 6, true});
    }
    /* a beam along the row of Y to the number */
    Rect cell = cells_rect(s, STEPS_Y, s->row, 1, s->output, 1);
    float phase = 0, start = s->plan.part[STEPS_Y].x, middle = cell.y + cell.h / 2;
    if (cell.x - BEAM_END > start)
        polyline_piece(ui, &phase, (Vec2){start, middle}, (Vec2){cell.x - BEAM_END, middle},
                       &(LineStyle){WIDTH, ui->theme->beam, 2, 4});
}

/* Draw a matrix's name, with its size and the end of its scale if there is room: before or after
 * the beam that enters the matrix. */
static void name(const Steps *s, StepsPart part) {
    Ui *ui = s->c->ui;
    Rect m = s->plan.part[part];
    Vec2 at = {m.x, m.y - 12};
    float beam = beam_into(s, part), end = rect_right(s->plan.transport);
    const char *words = steps_name(&s->n, part);
    const char *scale =
        part == STEPS_A ? "" : PRINT("±%s", FIXED((double)s->c->memory->steps.most[part], 1));
    for (StepsPart p = STEPS_PARTS - 1; p > part; p--)
        end = s->plan.part[p].w > 0 ? s->plan.part[p].x - NAME_AWAY : end;
    end = part == STEPS_V ? beam_from(s) - 4 : end;
    if (beam > at.x - BEAM_AWAY && beam < at.x + formula_width(ui, NAME_SIZE, words) + BEAM_AWAY)
        at.x = beam + BEAM_AWAY;
    else if (beam > at.x)
        end = fminf(end, beam - BEAM_AWAY);
    if (part == STEPS_Z && at.x + formula_width(ui, NAME_SIZE, words) > end)
        words = "Z";
    if (at.x + formula_width(ui, NAME_SIZE, words) > end)
        return;
    at.x += formula_draw(ui, at, NAME_SIZE, ui->theme->text_1, words) + NAME_AWAY;
    text_in(ui, (Rect){at.x, at.y - 16, end - at.x, 20}, TEXT_COUNT, "%d×%d %s\n%s\n", s->c->run->T,
            steps_cols(&s->n, part), scale, scale);
}

static int along(float from, float each, int count, float at) {
    int i = (int)floorf((at - from) / each);
    return i < 0 ? 0 : i >= count ? count - 1 : i;
}

static void follow(const Steps *s, StepsPart part, int row, int col) {
    const ViewContext *c = s->c;
    const StepsPartRow *of = &STEPS_PART[part];
    int query = of->of_keys ? s->n.at.query : row;
    int key = of->of_keys ? row : of->by_token ? col : s->n.at.key;
    if (query != s->n.at.query || key != s->n.at.key)
        edit_push_state(c->edits, "pin", "%d,%d", query + 1, key + 1);
    if (part == STEPS_Z && col / s->n.shape->V != s->n.at.head)
        edit_push_state(c->edits, "head", "%d", col / s->n.shape->V + 1);
    if (part == STEPS_Y && col != s->n.column)
        view_set_number(c, "steps-output", col + 1, 0);
    steps_go(c, of->step);
}

static void row_labels(const Steps *s) {
    const ViewContext *c = s->c;
    Rect m = s->plan.part[STEPS_X];
    float room = s->plan.labels_w;
    SideLabels side = {.context = c,
                       .names = c->run->labels,
                       .count = c->run->T,
                       .matrix = m,
                       .cell = s->plan.token,
                       .size = SMALL,
                       .most = room - 22,
                       .gap = LABEL_AWAY,
                       .pill = 20,
                       .lit = s->n.at.query,
                       .bold = s->n.at.key};
    UiId id = ui_id("steps names", 0);
    UiState state;
    LabelStyle style = text_style(c->ui, TEXT_NOTE);
    if (room <= 0)
        return;
    side_labels_draw(&side);
    int row = side_labels_pointer(&side, id, (Rect){m.x - room, m.y, room - 4, m.h}, &state);
    if (row < 0)
        return;
    Rect place = {m.x - room, m.y + (float)row * s->plan.token, room - 4, s->plan.token};
    view_token_tip(c, id, place, true, &style, side.most, row);
    view_light_row(c, (AttnCell){0, s->n.at.head, row, s->n.at.key});
    if (state.clicked)
        follow(s, STEPS_X, row, 0);
}

static int hand_of(const Steps *s, StepsPart part) {
    return part == STEPS_W_Q && !attn_has_factors(s->n.shape) ? ATTN_W_QK : STEPS_PART[part].hand;
}

/* The entry under the pointer; part is STEPS_ALL for none. */
typedef struct Over {
    StepsPart part;
    int row, col;
} Over;

static void pointer(const Steps *s, StepsPart part, Over *over) {
    Ui *ui = s->c->ui;
    Rect m = s->plan.part[part], cell = cells_rect(s, part, 0, 1, 0, 1);
    UiState state = ui_control(ui, ui_id("steps matrix", (int)part), m, UI_NO_FOCUS);
    if (!state.hovered)
        return;
    int row = along(m.y, cell.h, steps_rows(&s->n, part), ui->pointer.y);
    int col = along(m.x, cell.w, steps_cols(&s->n, part), ui->pointer.x);
    *over = (Over){part, row, col};
    HandNumber place = {.name = hand_of(s, part), .row = row, .col = col};
    cell = cells_rect(s, part, (float)row, 1, (float)col, 1);
    if (place.name >= 0) {
        place.head = hand_name_has_heads(place.name) ? s->n.at.head : 0;
        /* Place the editor above the row, if it fits there, so that it covers no card. */
        bool fits_above = cell.y > NUMBER_EDITOR_H + EDITOR_GAP;
        float bottom = fits_above ? s->c->ui->list->height : rect_bottom(cell);
        if (number_editor_offer(s->c, state, place, cell,
                                (Rect){m.x, cell.y, m.w, bottom - cell.y}))
            return;
    }
    if (steps_is_learned(part)) {
        if (state.clicked)
            steps_go(s->c, STEPS_PART[part].step);
        return;
    }
    if (state.clicked)
        follow(s, part, row, col);
    AttnCell at = s->n.at;
    *(STEPS_PART[part].of_keys ? &at.key : &at.query) = row;
    at.key = STEPS_PART[part].by_token ? col : at.key;
    view_light_row(s->c, at);
}

void steps_row(const Steps *s) {
    const ViewContext *c = s->c;
    Over over = {.part = STEPS_ALL};
    learned(s);
    for (StepsPart p = 0; p < STEPS_ALL; p++) {
        Rect m = s->plan.part[p], cell = cells_rect(s, p, 0, 1, 0, 1);
        if (m.w <= 0)
            continue;
        if (!steps_is_learned(p))
            name(s, p);
        cells(s, p);
        veils(s, p);
        if (hand_of(s, p) >= 0)
            number_marks_draw(c, &(NumberMarks){.name = hand_of(s, p),
                                                .head = s->n.at.head,
                                                .rect = m,
                                                .cell = {cell.w, cell.h}});
        pointer(s, p, &over);
    }
    row_labels(s);
    for (StepsPart p = 0; p < STEPS_PARTS; p++)
        if (s->plan.part[p].w > 0)
            marks(s, p);
    beams(s);
    if (over.part == STEPS_ALL)
        return;
    steps_light(s, over.part, over.row, 1, over.col, 1);
    /* the exact number, above the cell under the pointer */
    Mat m = steps_matrix(s, over.part);
    float value = mat_row(&m, over.row)[over.col];
    Rect cell = cells_rect(s, over.part, (float)over.row, 1, (float)over.col, 1);
    Vec2 at = {cell.x + cell.w / 2, cell.y - PILL_AWAY_Y};
    if (isfinite(value))
        view_value_pill(c, at, c->ui->list->clip, value, true);
}
