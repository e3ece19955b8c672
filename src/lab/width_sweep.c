#include "lab/width_sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/rng.h"

/* Return the plan for heads of that width: all sampled, in the separate form, without biases. */
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
    /* Round, because the factor was divided by the root of the layer's own head width, and rounding
     * must not change the key. */
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

static bool compute(WidthSweep *widths, int scheme, int i, Err *err) {
    float values[STUDY_STAT_COUNT];
    double expected[STUDY_STAT_COUNT];
    StudyBench bench;
    StudyPlan plan = plan_at(&widths->plan, widths->key.divided, width_sweep_at(i));
    if (!study_bench_init(&bench, &plan, err))
        return false;
    bench.job = &widths->job;
    bool done = study_compute(values, &bench, &plan, scheme, err);
    study_bench_release(&bench);
    if (!done)
        return false;
    study_expect(expected, &plan, scheme, 0);
    widths->std[scheme][i] = values[STUDY_STD_S];
    widths->saturation[scheme][i] = values[STUDY_SATURATION_A];
    widths->expected_std[scheme][i] = (float)expected[STUDY_STD_S];
    widths->expected_saturation[scheme][i] = (float)expected[STUDY_SATURATION_A];
    return true;
}

static void work(Job *job) {
    WidthSweep *widths = (WidthSweep *)job;
    int schemes = widths->plan.scheme_count;
    while (!width_sweep_is_done(widths) && job_goes_on(job)) {
        int done = atomic_load(&widths->done);
        if (!compute(widths, done % schemes, done / schemes, &widths->err)) {
            atomic_store(&widths->failed, job_goes_on(job));
            return;
        }
        atomic_store(&widths->done, done + 1);
    }
}

static void free_job(Job *job) {
    arena_release(&((WidthSweep *)job)->arena);
    free(job);
}

WidthSweep *width_sweep_create(const StudyPlan *plan, bool divided, Err *err) {
    const Mat *x = plan->x;
    size_t T = (size_t)plan->shape.T;
    size_t bytes = arena_padded(sizeof(Mat)) + mat_bytes(x->rows, x->cols) + arena_padded(T * T);
    WidthSweep *widths = heap_get_zero(1, sizeof *widths);
    if (widths == NULL || !arena_reserve(&widths->arena, bytes, err)) {
        err_fail(err, "memory", "too little for the widths; close other programs");
        free(widths);
        return NULL;
    }
    widths->job = (Job){
        .work = work, .free = free_job, .priority = JOB_FOLLOWS, .is_long = true, .threads = 1};
    widths->key = width_sweep_key(plan, divided);
    widths->plan = *plan;
    Mat *kept = arena_push(&widths->arena, sizeof *kept);
    *kept = mat_push(&widths->arena, x->rows, x->cols);
    mat_copy(kept, x);
    widths->plan.x = kept;
    widths->plan.mask.open = memcpy(arena_push(&widths->arena, T * T), plan->mask.open, T * T);
    return widths;
}

bool width_sweep_is_done(const WidthSweep *widths) {
    return atomic_load(&widths->done) == WIDTH_SWEEP_SIZES * widths->plan.scheme_count;
}

int width_sweep_of(const WidthSweep *widths, int scheme) {
    int schemes = widths->plan.scheme_count;
    return schemes > 0 ? (atomic_load(&widths->done) - scheme + schemes - 1) / schemes : 0;
}
