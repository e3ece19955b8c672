#include "draw/force.h"

#include <math.h>

#define PAIRS_MAX     20e6 /* of nodes looked at in all steps together */
#define STEPS_OF_PAIR 20.0
#define STEPS_MIN     24
#define STEPS_MAX     300
#define FIRST_STRIDE  0.2f /* how far a node may go in the first step; it falls to 0 */
#define PULL_BASE     0.15f
#define TO_THE_MIDDLE 0.05f /* so that what nothing joins does not drift away */

size_t force_scratch_bytes(int count) {
    return arena_padded(sizeof(Vec2) * (size_t)count);
}

static int step_count(int count) {
    double steps = PAIRS_MAX / ((double)count * count + 1);
    return steps > STEPS_MAX ? STEPS_MAX : steps < STEPS_MIN ? STEPS_MIN : (int)steps;
}

double force_steps(int count) {
    return STEPS_OF_PAIR * step_count(count) * count * (double)count;
}

/* Every pair pushes apart by ideal² / distance. */
static void push_apart(Vec2 *force, const Vec2 *at, int count, float ideal) {
    for (int i = 0; i < count; i++) {
        Vec2 sum = {-TO_THE_MIDDLE * at[i].x, -TO_THE_MIDDLE * at[i].y};
        for (int j = 0; j < count; j++) {
            float dx = at[i].x - at[j].x, dy = at[i].y - at[j].y;
            float square = dx * dx + dy * dy + 1e-6f; /* of itself dx and dy are 0 */
            float push = ideal * ideal / square;
            sum.x += dx * push;
            sum.y += dy * push;
        }
        force[i] = sum;
    }
}

/* Every link pulls together by distance² / ideal, times its own strength. */
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

/* Stretch both ways by themselves to fill the square. */
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
}
