#include "draw/force.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAIRS_MAX 20e6 /* maximum pairs of nodes that a layout visits in all its steps */
#define STEPS_MIN 24
#define STEPS_MAX 300
#define FIRST_STRIDE                                                                               \
    0.2f /* longest move of a node in the first step, in a square of side 2; falls to 0 */
#define PULL_BASE 0.15f
#define EVEN_FROM 40 /* layouts with more nodes are evened out (even_out) */
/* the strength of even_out grows to EVEN_MOST at EVEN_FROM + EVEN_OVER nodes */
#define EVEN_OVER     200
#define EVEN_MOST     0.8f
#define SETTLE_PAIRS  1e6 /* maximum number of pairs that settling visits */
#define SETTLE_MAX    60
#define SETTLE_STRIDE 0.06f
/* maximum number of pairs that the separation of boxes visits */
#define PART_PAIRS    2e7
#define PART_MIN      4
#define PART_MAX      400
#define ROOM_ROUNDS   48
#define TO_THE_MIDDLE 0.05f /* pull to the centre, so that unlinked nodes don't drift away */

size_t force_scratch_bytes(int count) {
    return arena_padded(sizeof(Vec2) * (size_t)count);
}

/* Return the steps, from least to most, with which a layout visits about this number of pairs. */
static int step_count(double pairs, int count, double least, double most) {
    return (int)fmin(fmax(pairs / ((double)count * count + 1), least), most);
}

/* Set force[i] to a pull to the centre plus the repulsion of each other node, ideal² / distance. */
static void push_apart(Vec2 *force, const Vec2 *at, int count, float ideal) {
    for (int i = 0; i < count; i++) {
        Vec2 sum = {-TO_THE_MIDDLE * at[i].x, -TO_THE_MIDDLE * at[i].y};
        for (int j = 0; j < count; j++) {
            float dx = at[i].x - at[j].x, dy = at[i].y - at[j].y;
            float square = dx * dx + dy * dy + 1e-6f; /* no force for i == j: dx and dy are 0 */
            float push = ideal * ideal / square;
            sum.x += dx * push;
            sum.y += dy * push;
        }
        force[i] = sum;
    }
}

/* Add the attraction of every link: its pull times distance · (PULL_BASE + distance) / ideal. */
static void pull_together(Vec2 *force, const Vec2 *at, const ForceLink *links, int link_count,
                          float ideal) {
    for (int i = 0; i < link_count; i++) {
        const ForceLink *l = &links[i];
        float dx = at[l->b].x - at[l->a].x, dy = at[l->b].y - at[l->a].y;
        float pull = l->pull * (PULL_BASE + hypotf(dx, dy)) / ideal;
        force[l->a].x += dx * pull, force[l->a].y += dy * pull;
        force[l->b].x -= dx * pull, force[l->b].y -= dy * pull;
    }
}

static void move(Vec2 *at, const Vec2 *force, int count, float stride) {
    for (int i = 0; i < count; i++) {
        float length = hypotf(force[i].x, force[i].y);
        float share = length > stride ? stride / length : 1;
        at[i].x += force[i].x * share;
        at[i].y += force[i].y * share;
    }
}

static void fill_square(Vec2 *at, int count) {
    Vec2 least = at[0], most = at[0];
    for (int i = 1; i < count; i++) {
        least = (Vec2){fminf(least.x, at[i].x), fminf(least.y, at[i].y)};
        most = (Vec2){fmaxf(most.x, at[i].x), fmaxf(most.y, at[i].y)};
    }
    Vec2 middle = {(least.x + most.x) / 2, (least.y + most.y) / 2};
    float half_w = fmaxf((most.x - least.x) / 2, 1e-6f),
          half_h = fmaxf((most.y - least.y) / 2, 1e-6f);
    for (int i = 0; i < count; i++)
        at[i] = (Vec2){(at[i].x - middle.x) / half_w, (at[i].y - middle.y) / half_h};
}

typedef struct Ranked {
    float at;
    int node;
} Ranked;
static_assert(sizeof(Ranked) <= sizeof(Vec2), "the ranks reuse the memory of the forces");

static int by_place(const void *left, const void *right) {
    const Ranked *a = left, *b = right;
    return a->at != b->at ? (a->at < b->at ? -1 : 1) : a->node - b->node;
}

/* Move the nodes along one axis towards even spacing, without changing their order. Otherwise a
 * large layout would be a dense clump with a few nodes far out. */
static void even_out(Vec2 *at, int count, bool across, Ranked *ranked) {
    float share = EVEN_MOST * fminf(fmaxf((float)(count - EVEN_FROM) / EVEN_OVER, 0), 1);
    for (int i = 0; i < count; i++)
        ranked[i] = (Ranked){across ? at[i].x : at[i].y, i};
    qsort(ranked, (size_t)count, sizeof *ranked, by_place);
    for (int r = 0; r < count; r++) {
        Vec2 *p = &at[ranked[r].node];
        float even = 2 * (float)r / (float)(count - 1) - 1;
        if (across)
            p->x += share * (even - p->x);
        else
            p->y += share * (even - p->y);
    }
}

void force_layout(Vec2 *at, int count, const ForceLink *links, int link_count, Arena *scratch) {
    if (count == 1)
        at[0] = (Vec2){0, 0};
    if (count <= 1)
        return;
    Vec2 *force = arena_push(scratch, sizeof *force * (size_t)count);
    float ideal = 1.6f / sqrtf((float)count);
    int steps = step_count(PAIRS_MAX, count, STEPS_MIN, STEPS_MAX);
    for (int i = 0; i < count; i++) {
        float angle = 6.2831853f * (float)i / (float)count;
        at[i] = (Vec2){sinf(angle), -cosf(angle)};
    }
    for (int s = 0; s < steps; s++) {
        push_apart(force, at, count, ideal);
        pull_together(force, at, links, link_count, ideal);
        move(at, force, count, FIRST_STRIDE * (1 - (float)s / (float)steps));
    }
    fill_square(at, count);
    if (count <= EVEN_FROM)
        return;
    even_out(at, count, true, (Ranked *)force);
    even_out(at, count, false, (Ranked *)force);
}

void force_settle(Vec2 *at, const Vec2 *rest, const bool *is_fixed, int count,
                  const ForceLink *links, int link_count, Arena *scratch) {
    Vec2 *even = arena_push(scratch, sizeof *even * (size_t)count);
    Vec2 *force = arena_push(scratch, sizeof *force * (size_t)count);
    float ideal = 1.6f / sqrtf((float)count);
    int steps = step_count(SETTLE_PAIRS, count, 0, SETTLE_MAX);
    push_apart(even, rest, count, ideal);
    pull_together(even, rest, links, link_count, ideal);
    for (int s = 0; s < steps; s++) {
        push_apart(force, at, count, ideal);
        pull_together(force, at, links, link_count, ideal);
        for (int i = 0; i < count; i++)
            force[i] =
                is_fixed[i] ? (Vec2){0, 0} : (Vec2){force[i].x - even[i].x, force[i].y - even[i].y};
        move(at, force, count, SETTLE_STRIDE * (1 - (float)s / (float)steps));
        for (int i = 0; i < count; i++)
            if (!is_fixed[i])
                at[i] = (Vec2){fminf(fmaxf(at[i].x, -1), 1), fminf(fmaxf(at[i].y, -1), 1)};
    }
}

/* Separate two overlapping boxes along the axis on which they overlap least or, if `longer`, along
 * the other axis, because the bounds may block the first one. A box that stays is not moved. Return
 * true if the boxes overlapped. */
static bool separate_two(Vec2 *a, Vec2 *b, const ForceBox *of_a, const ForceBox *of_b, bool a_stays,
                         bool b_stays, bool longer) {
    float x = b->x - a->x, y = b->y + of_b->down - a->y - of_a->down;
    float over_x = of_a->half.x + of_b->half.x - fabsf(x);
    float over_y = of_a->half.y + of_b->half.y - fabsf(y);
    if (!(over_x > 0 && over_y > 0))
        return false;
    bool is_across = (over_x < over_y) != longer;
    float *from = is_across ? &a->x : &a->y, *to = is_across ? &b->x : &b->y;
    float way = is_across ? x : y, over = is_across ? over_x : over_y;
    float by = way < 0 ? -over : over;
    float share = a_stays ? 0 : b_stays ? 1 : 0.5f;
    *from -= by * share;
    *to += by * (1 - share);
    return true;
}

static void keep_in(Vec2 *at, const ForceBox *box, Rect bounds) {
    Rect r = {at->x - box->half.x, at->y + box->down - box->half.y, 2 * box->half.x,
              2 * box->half.y};
    Rect in = rect_within(r, bounds);
    *at = (Vec2){at->x + in.x - r.x, at->y + in.y - r.y};
}

/* Separate pairs of overlapping boxes in which at least one has been pushed; then both count as
 * pushed. pushed NULL: separate all pairs. is_fixed NULL: no box is fixed. */
static void separate(Vec2 *at, const ForceBox *boxes, const bool *is_fixed, bool *pushed, int count,
                     Rect bounds, int rounds) {
    bool moved = true;
    for (int round = 0; round < rounds && moved; round++) {
        moved = false;
        for (int i = 0; i < count; i++)
            for (int j = 0; j < i; j++) {
                bool i_stays = is_fixed != NULL && is_fixed[i];
                bool j_stays = is_fixed != NULL && is_fixed[j];
                bool is_pushed = pushed == NULL || pushed[i] || pushed[j];
                if (!is_pushed || (i_stays && j_stays) ||
                    !separate_two(&at[j], &at[i], &boxes[j], &boxes[i], j_stays, i_stays,
                                  round % 4 == 3))
                    continue;
                moved = true;
                if (pushed != NULL)
                    pushed[i] = pushed[j] = true;
            }
        for (int i = 0; i < count; i++)
            if ((pushed == NULL || pushed[i]) && (is_fixed == NULL || !is_fixed[i]))
                keep_in(&at[i], &boxes[i], bounds);
    }
}

void force_make_room(Vec2 *at, const ForceBox *boxes, const bool *is_fixed, int count, Rect bounds,
                     Arena *scratch) {
    bool *pushed = arena_push(scratch, sizeof *pushed * (size_t)count);
    memcpy(pushed, is_fixed, sizeof *pushed * (size_t)count);
    separate(at, boxes, is_fixed, pushed, count, bounds, ROOM_ROUNDS);
}

void force_part(Vec2 *at, const ForceBox *boxes, const bool *is_fixed, int count, Rect bounds) {
    separate(at, boxes, is_fixed, NULL, count, bounds,
             step_count(PART_PAIRS, count, PART_MIN, PART_MAX));
}
