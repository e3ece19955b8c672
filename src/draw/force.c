#include "draw/force.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAIRS_MAX     20e6 /* pairs of nodes visited in all steps together */
#define STEPS_MIN     24
#define STEPS_MAX     300
#define FIRST_STRIDE  0.2f /* farthest a node may move in the first step; falls to 0 */
#define PULL_BASE     0.15f
#define EVEN_FROM     40  /* layouts of more nodes are evened out, */
#define EVEN_OVER     200 /* fully from this many more nodes on */
#define EVEN_MOST     0.8f
#define SETTLE_PAIRS  1e6 /* like PAIRS_MAX, but for settling */
#define SETTLE_MAX    60
#define SETTLE_STRIDE 0.06f
#define PART_PAIRS    1e6 /* like PAIRS_MAX, but for separating boxes */
#define PART_MAX      400
#define ROOM_ROUNDS   48
#define GRID_FROM     128   /* with more boxes, only neighbours on a grid are compared, */
#define NEAR_PAIRS    20    /* about this many pairs per box */
#define TO_THE_MIDDLE 0.05f /* pull to the centre, so that unlinked nodes don't drift away */

size_t force_scratch_bytes(int count) {
    return arena_padded(sizeof(Vec2) * (size_t)count);
}

static int step_count(int count) {
    double steps = PAIRS_MAX / ((double)count * count + 1);
    return steps > STEPS_MAX ? STEPS_MAX : steps < STEPS_MIN ? STEPS_MIN : (int)steps;
}

/* Add the repulsion of every pair: ideal² / distance. */
static void push_apart(Vec2 *force, const Vec2 *at, int count, float ideal) {
    for (int i = 0; i < count; i++) {
        Vec2 sum = {-TO_THE_MIDDLE * at[i].x, -TO_THE_MIDDLE * at[i].y};
        for (int j = 0; j < count; j++) {
            float dx = at[i].x - at[j].x, dy = at[i].y - at[j].y;
            float square = dx * dx + dy * dy + 1e-6f; /* dx and dy are 0 for i == j */
            float push = ideal * ideal / square;
            sum.x += dx * push;
            sum.y += dy * push;
        }
        force[i] = sum;
    }
}

/* Add the attraction of every link: distance² / ideal, times its pull. */
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

/* Stretch each axis separately to fill the square. */
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

/* A coordinate and its node. */
typedef struct Ranked {
    float at;
    int node;
} Ranked;
static_assert(sizeof(Ranked) <= sizeof(Vec2), "they reuse the memory of the forces");

static int by_place(const void *left, const void *right) {
    const Ranked *a = left, *b = right;
    return a->at != b->at ? (a->at < b->at ? -1 : 1) : a->node - b->node;
}

/* Move each coordinate towards evenly spaced ranks, because many nodes clump together with a few
 * far out. Neighbours stay near each other. */
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
    int steps = step_count(count);
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
    int steps = (int)fmin(SETTLE_PAIRS / ((double)count * count + 1), SETTLE_MAX);
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

/* Push a and b apart along an axis by `by`. If one is fixed, the other moves all the way. */
static void push(float *a, float *b, float by, bool a_stays, bool b_stays) {
    float share = a_stays ? 0 : b_stays ? 1 : 0.5f;
    if (a_stays && b_stays)
        return;
    *a -= by * share;
    *b += by * (1 - share);
}

/* Separate two overlapping boxes along the direction of the smaller overlap, or along the other one
 * on request, because the bounds may block the first. Return true if they overlapped. */
static bool separate_two(Vec2 *a, Vec2 *b, const ForceBox *of_a, const ForceBox *of_b, bool a_stays,
                         bool b_stays, bool longer) {
    float x = b->x - a->x, y = b->y + of_b->down - a->y - of_a->down;
    float over_x = of_a->half.x + of_b->half.x - fabsf(x);
    float over_y = of_a->half.y + of_b->half.y - fabsf(y);
    if (!(over_x > 0 && over_y > 0))
        return false;
    if ((over_x < over_y) != longer)
        push(&a->x, &b->x, x < 0 ? -over_x : over_x, a_stays, b_stays);
    else
        push(&a->y, &b->y, y < 0 ? -over_y : over_y, a_stays, b_stays);
    return true;
}

static void keep_in(Vec2 *at, const ForceBox *box, Rect bounds) {
    Rect r = {at->x - box->half.x, at->y + box->down - box->half.y, 2 * box->half.x,
              2 * box->half.y};
    Rect in = rect_within(r, bounds);
    *at = (Vec2){at->x + in.x - r.x, at->y + in.y - r.y};
}

/* A grid of squares as wide as the widest box; each lists its nodes. Boxes that touch are in
 * neighbouring squares. */
typedef struct Grid {
    Rect bounds;
    float side;
    int columns, rows;
    int *first, *next; /* per square and per node; -1 for none */
} Grid;

static int grid_index(float at, float from, float side, int count) {
    float index = (at - from) / side;
    return index >= (float)count ? count - 1 : index > 0 ? (int)index : 0;
}

/* At most one square per node, because nearly empty squares cost more than they save. */
static Grid grid_make(const ForceBox *boxes, int count, Rect bounds, Arena *scratch) {
    float n = (float)count,
          side = fmaxf(sqrtf(bounds.w * bounds.h / n), fmaxf(bounds.w, bounds.h) / n);
    for (int i = 0; i < count; i++)
        side = fmaxf(side, 2 * fmaxf(boxes[i].half.x, boxes[i].half.y + fabsf(boxes[i].down)));
    Grid grid = {.bounds = bounds,
                 .side = side,
                 .columns = (int)fmaxf(bounds.w / side, 1),
                 .rows = (int)fmaxf(bounds.h / side, 1)};
    assert(grid.columns * grid.rows <= count + 1);
    grid.first = arena_push(scratch, sizeof *grid.first * (size_t)(count + 1));
    grid.next = arena_push(scratch, sizeof *grid.next * (size_t)count);
    return grid;
}

static int grid_column(const Grid *grid, Vec2 at) {
    return grid_index(at.x, grid->bounds.x, grid->side, grid->columns);
}

static int grid_row(const Grid *grid, Vec2 at) {
    return grid_index(at.y, grid->bounds.y, grid->side, grid->rows);
}

static void grid_fill(Grid *grid, const Vec2 *at, int count) {
    for (int i = 0; i < grid->columns * grid->rows; i++)
        grid->first[i] = -1;
    for (int i = count - 1; i >= 0; i--) {
        int square = grid_row(grid, at[i]) * grid->columns + grid_column(grid, at[i]);
        grid->next[i] = grid->first[square];
        grid->first[square] = i;
    }
}

size_t force_room_bytes(int count) {
    size_t nodes = (size_t)count;
    return 2 * arena_padded(sizeof(int) * (nodes + 1)) + arena_padded(sizeof(bool) * nodes);
}

/* The boxes to separate. is_fixed may be NULL for none. Only boxes that were pushed push others. */
typedef struct Crowd {
    Vec2 *at;
    const ForceBox *boxes;
    const bool *is_fixed;
    bool *pushed;
    int count;
} Crowd;

static bool is_fixed(const Crowd *crowd, int node) {
    return crowd->is_fixed != NULL && crowd->is_fixed[node];
}

/* Push away the boxes that overlap this one, except those handled before. Return true if there were
 * any. */
static bool make_room_around(Crowd *crowd, const Grid *grid, int node, bool longer) {
    Vec2 *at = crowd->at;
    int column = grid_column(grid, at[node]), row = grid_row(grid, at[node]);
    bool any = false, stays = is_fixed(crowd, node);
    for (int r = row > 0 ? row - 1 : 0; r <= row + 1 && r < grid->rows; r++)
        for (int c = column > 0 ? column - 1 : 0; c <= column + 1 && c < grid->columns; c++)
            for (int i = grid->first[r * grid->columns + c]; i >= 0; i = grid->next[i]) {
                bool other_stays = is_fixed(crowd, i), is_done = i < node && crowd->pushed[i];
                if (i == node || is_done || (stays && other_stays) ||
                    !separate_two(&at[node], &at[i], &crowd->boxes[node], &crowd->boxes[i], stays,
                                  other_stays, longer))
                    continue;
                crowd->pushed[i] = any = true;
            }
    return any;
}

static void separate_crowd(Crowd *crowd, Rect bounds, int rounds, Arena *scratch) {
    Grid grid = grid_make(crowd->boxes, crowd->count, bounds, scratch);
    bool moved = true;
    for (int round = 0; round < rounds && moved; round++) {
        moved = false;
        grid_fill(&grid, crowd->at, crowd->count);
        for (int i = 0; i < crowd->count; i++)
            if (crowd->pushed[i])
                moved |= make_room_around(crowd, &grid, i, round % 4 == 3);
        for (int i = 0; i < crowd->count; i++)
            if (crowd->pushed[i] && !is_fixed(crowd, i))
                keep_in(&crowd->at[i], &crowd->boxes[i], bounds);
    }
}

void force_make_room(Vec2 *at, const ForceBox *boxes, const bool *is_fixed, int count, Rect bounds,
                     Arena *scratch) {
    bool *pushed = arena_push(scratch, sizeof *pushed * (size_t)count);
    Crowd crowd = {at, boxes, is_fixed, pushed, count};
    memcpy(pushed, is_fixed, sizeof *pushed * (size_t)count);
    separate_crowd(&crowd, bounds, ROOM_ROUNDS, scratch);
}

void force_part(Vec2 *at, const ForceBox *boxes, const bool *is_fixed, int count, Rect bounds,
                Arena *scratch) {
    if (count > GRID_FROM) {
        /* Separate all boxes, with a grid. */
        bool *pushed = arena_push(scratch, sizeof *pushed * (size_t)count);
        Crowd crowd = {at, boxes, is_fixed, pushed, count};
        memset(pushed, true, sizeof *pushed * (size_t)count);
        separate_crowd(&crowd, bounds,
                       (int)fmin(PART_PAIRS / (NEAR_PAIRS * (double)count), PART_MAX), scratch);
        return;
    }
    int rounds = (int)fmin(PART_PAIRS / ((double)count * count + 1), PART_MAX);
    bool moved = true;
    for (int round = 0; round < rounds && moved; round++) {
        moved = false;
        for (int i = 0; i < count; i++)
            for (int j = 0; j < i; j++)
                moved |= separate_two(&at[j], &at[i], &boxes[j], &boxes[i],
                                      is_fixed != NULL && is_fixed[j],
                                      is_fixed != NULL && is_fixed[i], round % 4 == 3);
        for (int i = 0; i < count; i++)
            if (is_fixed == NULL || !is_fixed[i])
                keep_in(&at[i], &boxes[i], bounds);
    }
}
