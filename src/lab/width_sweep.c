#include "lab/width_sweep.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"

/* The plan for heads of that width: all drawn, separate and without biases. */
static StudyPlan plan_at(const StudyPlan *plan, bool divided, int width) {
    StudyPlan out = *plan;
    AttnShape *shape = &out.shape;
    shape->score_factor *= divided ? sqrtf((float)shape->K / (float)width) : 1;
    shape->K = width;
    shape->form = FORM_SEPARATE;
    shape->bias = BIAS_NONE;
    memset(out.given, 0, sizeof out.given);
    out.draws_x = false;
    return out;
}

WidthSweepKey width_sweep_key(const StudyPlan *plan, bool divided) {
    WidthSweepKey key;
    const AttnShape *shape = &plan->shape;
    const Mat *x = plan->x;
    memset(&key, 0, sizeof key);
    for (int i = 0; i < x->rows; i++) {
        uint64_t both[2] = {key.x, rng_hash(mat_row(x, i), (size_t)x->cols * sizeof(float))};
        key.x = rng_hash(both, sizeof both);
    }
    key.open = rng_hash(plan->mask.open, (size_t)plan->mask.T * (size_t)plan->mask.T);
    key.T = shape->T;
    key.D = shape->D;
    key.H = shape->H;
    key.V = shape->V;
    key.block = shape->block;
    key.rope = shape->rope;
    key.scheme_count = plan->scheme_count;
    for (int i = 0; i < plan->scheme_count; i++)
        memcpy(key.schemes[i], plan->schemes[i].plan.scheme, sizeof key.schemes[i]);
    key.depth = plan->schemes[0].plan.depth;
    key.seed = plan->schemes[0].plan.seed;
    /* Rounded: the factor has been through the width of the layer's own heads. */
    float scale = shape->score_factor * (divided ? sqrtf((float)shape->K) : 1);
    key.scale = roundf(scale * 65536) / 65536;
    key.divided = divided;
    return key;
}

bool width_sweep_key_equal(const WidthSweepKey *a, const WidthSweepKey *b) {
    return a->x == b->x && a->open == b->open && a->T == b->T && a->D == b->D && a->H == b->H &&
           a->V == b->V && a->block == b->block && a->rope == b->rope &&
           a->scheme_count == b->scheme_count &&
           memcmp(a->schemes, b->schemes, sizeof a->schemes) == 0 && a->depth == b->depth &&
           a->seed == b->seed && a->scale == b->scale && a->divided == b->divided;
}

bool width_sweep_init(WidthSweep *widths, const StudyPlan *plan, bool divided, Err *err) {
    const Mat *x = plan->x;
    size_t T = (size_t)plan->shape.T;
    memset(widths, 0, sizeof *widths);
    if (!arena_reserve(
            &widths->arena,
            arena_padded(sizeof(Mat)) + mat_bytes(x->rows, x->cols) + arena_padded(T * T), err))
        return false;
    widths->key = width_sweep_key(plan, divided);
    widths->plan = *plan;
    Mat *kept = arena_push(&widths->arena, sizeof *kept);
    *kept = mat_push(&widths->arena, x->rows, x->cols);
    mat_copy(kept, x);
    widths->plan.x = kept;
    widths->plan.mask.open = memcpy(arena_push(&widths->arena, T * T), plan->mask.open, T * T);
    return true;
}

void width_sweep_release(WidthSweep *widths) {
    arena_release(&widths->arena);
    memset(widths, 0, sizeof *widths);
}

static bool compute(WidthSweep *widths, int scheme, int i, JobWatch *watch, Err *err) {
    float values[STUDY_STAT_COUNT];
    double expected[STUDY_STAT_COUNT];
    StudyBench bench;
    StudyPlan plan = plan_at(&widths->plan, widths->key.divided, width_sweep_at(i));
    if (!study_bench_init(&bench, &plan, err))
        return false;
    bench.watch = watch;
    bool done = study_compute(values, &bench, &plan, scheme, err);
    study_bench_release(&bench);
    if (!done)
        return false;
    study_expect(expected, &plan, scheme, 0);
    widths->deviation[scheme][i] = values[STUDY_STD_S];
    widths->saturation[scheme][i] = values[STUDY_SATURATION_A];
    widths->expected_std[scheme][i] = (float)expected[STUDY_STD_S];
    widths->expected_saturation[scheme][i] = (float)expected[STUDY_SATURATION_A];
    return true;
}

bool width_sweep_step(WidthSweep *widths, JobWatch *watch, Err *err) {
    int done = atomic_load(&widths->done), schemes = widths->plan.scheme_count;
    if (width_sweep_is_done(widths))
        return true;
    if (!compute(widths, done % schemes, done / schemes, watch, err))
        return false;
    atomic_store(&widths->done, done + 1);
    return true;
}

bool width_sweep_is_done(const WidthSweep *widths) {
    return atomic_load(&widths->done) == WIDTH_SWEEP_SIZES * widths->plan.scheme_count;
}

int width_sweep_of(const WidthSweep *widths, int scheme) {
    int schemes = widths->plan.scheme_count;
    return schemes > 0 ? (atomic_load(&widths->done) - scheme + schemes - 1) / schemes : 0;
}

double width_sweep_steps(const WidthSweep *widths) {
    double steps = 0;
    for (int i = 0; i < WIDTH_SWEEP_SIZES; i++) {
        StudyPlan plan = plan_at(&widths->plan, widths->key.divided, width_sweep_at(i));
        steps += study_steps(&plan);
    }
    return steps;
}
