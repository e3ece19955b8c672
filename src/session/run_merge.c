#include "session/run_merge.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/svd.h"
#include "model/free.h"
#include "session/run_gradient.h"

#define FREE_SIGMA_MAX 256 /* its matrix has as many singular values as columns */

/* The parts, each made from the ones before it that it names. */
enum { PART_PRODUCT, PART_PASSES, PART_CUT, PART_GAUGE, PART_FREE, PART_STEP, PART_PARTS, PARTS };

/* All that a part was made from. */
typedef struct PartKey {
    uint64_t weights, revision, seed;
    AttnShape shape;
    int layer, head, kind, offset, rank, is_rotation;
    float turn, rate;
} PartKey;

struct MergeCache {
    Arena arenas[PARTS], scratch;
    PartKey keys[PARTS];
    bool made[PARTS];
};

void run_merge_release(Run *run) {
    RunMerge *merge = run->merge;
    if (merge == NULL)
        return;
    for (int i = 0; i < PARTS; i++)
        arena_release(&merge->cache->arenas[i]);
    arena_release(&merge->cache->scratch);
    free(merge->cache);
    free(merge);
    run->merge = NULL;
}

static bool start(Run *run, Err *err) {
    if (run->merge != NULL)
        return true;
    RunMerge *merge = calloc(1, sizeof *merge);
    MergeCache *cache = calloc(1, sizeof *cache);
    if (merge == NULL || cache == NULL) {
        free(merge);
        free(cache);
        return err_fail(err, "memory", "too little for W_QK; close other programs");
    }
    merge->cache = cache;
    run->merge = merge;
    return true;
}

/* What every part depends on; each adds its own. */
static PartKey weights_key(const Run *run, const MergeWish *wish) {
    const RunLayer *layer = &run->layers[wish->layer];
    PartKey key;
    memset(&key, 0, sizeof key); /* compared byte by byte, so what pads it is 0 too */
    key.weights = layer->weights_version;
    key.layer = wish->layer;
    key.head = wish->choice.head;
    key.kind = (int)wish->choice.kind;
    key.offset = wish->choice.offset;
    const AttnShape *shape = &layer->shape[run->form];
    key.shape.D = shape->D;
    key.shape.H = shape->H;
    key.shape.K = shape->K;
    key.shape.V = shape->V;
    key.shape.bias = shape->bias;
    key.shape.rope = shape->rope;
    key.shape.form = run->form == FORM_FREE ? FORM_FREE : FORM_SEPARATE;
    return key;
}

static PartKey pass_key(const Run *run, const MergeWish *wish) {
    PartKey key = weights_key(run, wish);
    key.revision = run->revision;
    return key;
}

/* Whether a part is as it should be; else its arena has room for it and scratch for the making. */
static bool is_made(MergeCache *cache, int part, const PartKey *key) {
    return cache->made[part] && memcmp(&cache->keys[part], key, sizeof *key) == 0;
}

static bool begin(MergeCache *cache, int part, const PartKey *key, size_t bytes, size_t scratch,
                  Err *err) {
    cache->made[part] = false;
    cache->keys[part] = *key;
    if (bytes > RUN_BYTES_MAX || scratch > RUN_BYTES_MAX)
        return err_fail(err, "W_QK", "would take %.1f GB; use a smaller d_model or fewer tokens",
                        (double)bytes / 1e9);
    return arena_reserve(&cache->arenas[part], bytes, err) &&
           arena_reserve(&cache->scratch, scratch, err);
}

static const AttnShape *shape_of(const Run *run, const MergeWish *wish) {
    return &run->layers[wish->layer].shape[run->form];
}

static bool make_product(Run *run, const MergeWish *wish, Err *err) {
    RunMerge *merge = run->merge;
    MergeCache *cache = merge->cache;
    const AttnShape *shape = shape_of(run, wish);
    PartKey key = weights_key(run, wish);
    if (is_made(cache, PART_PRODUCT, &key))
        return true;
    if (!begin(cache, PART_PRODUCT, &key, head_product_bytes(shape, wish->choice.kind), 0, err))
        return false;
    memset(cache->made, 0, sizeof cache->made);
    cache->made[PART_PRODUCT] =
        head_product_push(&merge->product, &cache->arenas[PART_PRODUCT], shape,
                          &run->layers[wish->layer].params, &wish->choice, err);
    return cache->made[PART_PRODUCT];
}

static HeadSite site_of(const Run *run, const MergeWish *wish, Mat *A) {
    const AttnTrace *trace = run_trace(run, wish->layer);
    const AttnShape *shape = shape_of(run, wish);
    *A = attn_head_scores(&trace->A, shape, wish->choice.head);
    return (HeadSite){.kind = wish->choice.kind,
                      .input = &trace->input,
                      .mask = &run->mask,
                      .turn = shape->rope ? &trace->turn : NULL,
                      .A = A,
                      .score_factor = shape->score_factor};
}

/* The largest difference, of the scores over open keys alone: what is closed is never looked at. */
static float difference(const HeadResult *a, const HeadResult *b, const Mask *mask, bool of_S) {
    const Mat *x = of_S ? &a->S : head_result_shown(a), *y = of_S ? &b->S : head_result_shown(b);
    if (x->rows == 0 || y->rows == 0)
        return NAN;
    if (!of_S || a->A.rows == 0)
        return mat_max_difference(x, y);
    float most = 0;
    for (int i = 0; i < x->rows; i++) {
        float row = stats_row_difference(mat_row(x, i), mat_row(y, i), mask_row(mask, i), x->cols);
        most = isnan(row) || row > most ? row : most;
    }
    return most;
}

/* The factors as the head has them, which with rope are not those of one offset. */
static void unturned(Mat *left, const Run *run, const MergeWish *wish) {
    const AttnParams *params = &run->layers[wish->layer].params;
    const AttnShape *shape = shape_of(run, wish);
    Mat from = attn_head_query(&params->p[ATTN_W_Q], shape, wish->choice.head);
    Mat rows = mat_rows(left, 0, shape->D);
    mat_copy(&rows, &from);
    if (left->rows > shape->D) {
        Mat bias = attn_head_query(&params->p[ATTN_B_Q], shape, wish->choice.head);
        Mat last = mat_rows(left, shape->D, 1);
        mat_copy(&last, &bias);
    }
}

static size_t pass_bytes(const Run *run, const HeadProduct *p, size_t *scratch) {
    int T = run->T, E = p->product.rows, m = p->left.cols;
    *scratch = mat_bytes_add(head_scratch_bytes(T, E, m), rank_curve_bytes(T, E, m));
    *scratch = mat_bytes_add(*scratch, mat_bytes(E, m));
    return mat_bytes_add(head_result_bytes(T, E), head_result_bytes(T, E)) + sizeof(Mat) +
           ARENA_ALIGN;
}

static bool make_passes(Run *run, const MergeWish *wish, Err *err) {
    RunMerge *merge = run->merge;
    MergeCache *cache = merge->cache;
    const HeadProduct *p = &merge->product;
    PartKey key = pass_key(run, wish);
    size_t scratch, bytes = pass_bytes(run, p, &scratch);
    if (is_made(cache, PART_PASSES, &key))
        return true;
    if (!begin(cache, PART_PASSES, &key, bytes, scratch, err))
        return false;
    cache->made[PART_CUT] = cache->made[PART_GAUGE] = cache->made[PART_STEP] = false;
    Arena *arena = &cache->arenas[PART_PASSES];
    Mat *A = arena_push(arena, sizeof *A);
    merge->site = site_of(run, wish, A);
    bool turned = merge->site.turn != NULL && wish->choice.kind == PRODUCT_QK;
    merge->separate = merge->merged = (HeadResult){0};
    if (p->has_factors) {
        Mat left = mat_push(&cache->scratch, p->left.rows, p->left.cols);
        merge->separate = head_result_push(arena, &merge->site);
        mat_copy(&left, &p->left);
        if (turned)
            unturned(&left, run, wish);
        head_through_factors(&merge->separate, &merge->site, &left, &p->right, &cache->scratch);
    }
    if (!turned) {
        merge->merged = head_result_push(arena, &merge->site);
        head_through_product(&merge->merged, &merge->site, &p->product, &cache->scratch);
    }
    merge->full = p->has_factors ? &merge->separate : &merge->merged;
    merge->form_S = difference(&merge->separate, &merge->merged, &run->mask, true);
    merge->form_A = difference(&merge->separate, &merge->merged, &run->mask, false);
    rank_curve(&merge->curve, p, &merge->site, merge->full, &cache->scratch);
    return cache->made[PART_PASSES] = true;
}

static float mean_divergence(const HeadResult *a, const HeadResult *b) {
    double sum = 0;
    if (a->A.rows == 0 || b->A.rows == 0)
        return NAN;
    for (int i = 0; i < a->A.rows; i++)
        sum += rank_curve_divergence(mat_row(&a->A, i), mat_row(&b->A, i), a->A.cols);
    return (float)(sum / a->A.rows);
}

static bool make_cut(Run *run, const MergeWish *wish, Err *err) {
    RunMerge *merge = run->merge;
    MergeCache *cache = merge->cache;
    const HeadProduct *p = &merge->product;
    int T = run->T, E = p->product.rows;
    PartKey key = pass_key(run, wish);
    key.rank = wish->rank;
    if (is_made(cache, PART_CUT, &key))
        return true;
    if (!begin(cache, PART_CUT, &key, mat_bytes_add(mat_bytes(E, E), head_result_bytes(T, E)),
               mat_bytes_add(mat_bytes(E, p->left.cols), head_scratch_bytes(T, E, p->left.cols)),
               err))
        return false;
    Arena *arena = &cache->arenas[PART_CUT];
    merge->cut = mat_push(arena, E, E);
    head_product_truncate(&merge->cut, p, wish->rank, &cache->scratch);
    merge->cut_result = (HeadResult){0};
    if (merge->site.turn == NULL || wish->choice.kind == PRODUCT_OV) {
        merge->cut_result = head_result_push(arena, &merge->site);
        head_through_product(&merge->cut_result, &merge->site, &merge->cut, &cache->scratch);
    }
    merge->cut_S = difference(merge->full, &merge->cut_result, &run->mask, true);
    merge->cut_A = difference(merge->full, &merge->cut_result, &run->mask, false);
    merge->cut_KL = mean_divergence(merge->full, &merge->cut_result);
    merge->cut_loss = p->count > 0 ? rank_curve_loss(p->sigma, p->count, wish->rank) : NAN;
    return cache->made[PART_CUT] = true;
}

/* W_Q·R and W_K·R⁻ᵀ, and the head through them. */
static bool turn_factors(Run *run, const MergeWish *wish, Arena *arena, Err *err) {
    RunMerge *merge = run->merge;
    Arena *scratch = &merge->cache->scratch;
    const HeadProduct *p = &merge->product;
    int m = p->left.cols;
    Mat r = mat_push(scratch, m, m), inverse = mat_push(scratch, m, m);
    Mat left = mat_push(scratch, p->left.rows, m);
    if (!gauge_make(&r, &inverse, &merge->condition, &wish->gauge, scratch, err))
        return false;
    mat_copy(&left, &p->left);
    if (merge->site.turn != NULL && wish->choice.kind == PRODUCT_QK)
        unturned(&left, run, wish);
    mat_mul(&merge->turned_left, &left, &r, 1);
    mat_mul(&merge->turned_right, &p->right, &inverse, 1);
    merge->moved_left = gauge_moved(&left, &merge->turned_left);
    merge->moved_right = gauge_moved(&p->right, &merge->turned_right);
    merge->turned = head_result_push(arena, &merge->site);
    head_through_factors(&merge->turned, &merge->site, &merge->turned_left, &merge->turned_right,
                         scratch);
    merge->turned_S = difference(merge->full, &merge->turned, &run->mask, true);
    merge->turned_A = difference(merge->full, &merge->turned, &run->mask, false);
    return true;
}

static bool make_gauge(Run *run, const MergeWish *wish, Err *err) {
    RunMerge *merge = run->merge;
    MergeCache *cache = merge->cache;
    const HeadProduct *p = &merge->product;
    int T = run->T, E = p->product.rows, m = p->left.cols;
    PartKey key = pass_key(run, wish);
    key.turn = wish->gauge.turn;
    key.is_rotation = wish->gauge.is_rotation;
    key.seed = wish->gauge.seed;
    if (is_made(cache, PART_GAUGE, &key))
        return true;
    merge->turned_left = merge->turned_right = (Mat){0};
    merge->turned = (HeadResult){0};
    if (!p->has_factors)
        return true;
    size_t bytes =
        mat_bytes_add(head_result_bytes(T, E), mat_bytes_add(mat_bytes(E, m), mat_bytes(E, m)));
    size_t scratch = mat_bytes_add(gauge_scratch_bytes(m), head_scratch_bytes(T, E, m));
    scratch = mat_bytes_add(scratch, mat_bytes_add(mat_bytes(m, m), mat_bytes(m, m)));
    if (!begin(cache, PART_GAUGE, &key, bytes, mat_bytes_add(scratch, mat_bytes(E, m)), err))
        return false;
    Arena *arena = &cache->arenas[PART_GAUGE];
    merge->turned_left = mat_push(arena, E, m);
    merge->turned_right = mat_push(arena, E, m);
    return cache->made[PART_GAUGE] = turn_factors(run, wish, arena, err);
}

/* The singular values of one head of a W_QK drawn whole, by the layer's scheme and seed. */
static bool make_free(Run *run, const MergeWish *wish, Err *err) {
    RunMerge *merge = run->merge;
    MergeCache *cache = merge->cache;
    const RunLayer *layer = &run->layers[wish->layer];
    AttnShape shape = *shape_of(run, wish);
    int E = attn_input_width(&shape);
    PartKey key = weights_key(run, wish);
    if (is_made(cache, PART_FREE, &key))
        return true;
    merge->free_count = 0;
    if (E > FREE_SIGMA_MAX || wish->choice.kind != PRODUCT_QK || run->form == FORM_FREE)
        return true;
    if (!begin(cache, PART_FREE, &key, (size_t)E * sizeof(double), mat_bytes(shape.H * E, E), err))
        return false;
    merge->free_sigma = arena_push(&cache->arenas[PART_FREE], (size_t)E * sizeof(double));
    Mat all = mat_push(&cache->scratch, shape.H * E, E);
    if (!free_draw(&all, &shape, &layer->plan, err))
        return false;
    Mat one = mat_rows(&all, wish->choice.head * E, E);
    if (!mat_is_finite(&one) || !svd_values(merge->free_sigma, &one, NULL, err))
        return false;
    merge->free_count = E;
    return cache->made[PART_FREE] = true;
}

/* ∂L/∂W as two factors (E, T): of W_QK the inputs and what dS makes of them, of W_OV what was read
 * and what came back. */
static void gradient_factors(Mat *left, Mat *right, const Run *run, const MergeWish *wish,
                             Arena *scratch) {
    const RunLayer *layer = &run->layers[wish->layer];
    const AttnShape *shape = shape_of(run, wish);
    const HeadSite *site = &run->merge->site;
    const RunGradient *gradient = &layer->gradient;
    int T = run->T, E = site->input->cols;
    Mat rows = mat_push(scratch, T, E);
    const Mat *other = site->input;
    if (wish->choice.kind == PRODUCT_QK) {
        Mat dS = attn_head_scores(&gradient->back.S, shape, wish->choice.head);
        mat_mul(&rows, &dS, site->input, site->score_factor);
    } else {
        mat_mul(&rows, site->A, site->input, 1);
        other = gradient->back.sum.rows > 0 ? &gradient->back.sum : &gradient->G;
    }
    bool scores = wish->choice.kind == PRODUCT_QK;
    for (int e = 0; e < E; e++)
        for (int t = 0; t < T; t++) {
            float mine = mat_row(&rows, t)[e];
            float theirs = e < other->cols ? mat_row(other, t)[e] : 0;
            mat_row(left, e)[t] = scores ? theirs : mine;
            mat_row(right, e)[t] = scores ? mine : theirs;
        }
}

static bool make_step(Run *run, const MergeWish *wish, Err *err) {
    RunMerge *merge = run->merge;
    MergeCache *cache = merge->cache;
    const HeadProduct *p = &merge->product;
    int T = run->T, E = p->product.rows, m = p->left.cols;
    PartKey key = pass_key(run, wish);
    key.rate = wish->rate;
    if (is_made(cache, PART_STEP, &key))
        return true;
    merge->step = (ProductStep){0};
    bool turned = merge->site.turn != NULL && wish->choice.kind == PRODUCT_QK;
    if (!wish->step || turned || !p->has_factors)
        return true;
    size_t scratch = product_step_scratch_bytes(T, E, m);
    scratch = mat_bytes_add(scratch, mat_bytes_add(mat_bytes(E, T), mat_bytes(E, T)));
    scratch = mat_bytes_add(scratch, mat_bytes(T, E));
    if (!run_gradient(run, wish->layer, err) ||
        !begin(cache, PART_STEP, &key, product_step_bytes(E), scratch, err))
        return false;
    Mat left = mat_push(&cache->scratch, E, T), right = mat_push(&cache->scratch, E, T);
    gradient_factors(&left, &right, run, wish, &cache->scratch);
    merge->step = product_step_push(&cache->arenas[PART_STEP], E);
    product_step(&merge->step, p, &left, &right, wish->rate, &cache->scratch);
    return cache->made[PART_STEP] = true;
}

static bool make_parts(Run *run, const MergeWish *wish, Err *err) {
    RunMerge *merge = run->merge;
    MergeCache *cache = merge->cache;
    int E = merge->product.product.rows;
    PartKey key = weights_key(run, wish);
    if (is_made(cache, PART_PARTS, &key))
        return true;
    if (!begin(cache, PART_PARTS, &key, mat_bytes_add(mat_bytes(E, E), mat_bytes(E, E)), 0, err))
        return false;
    merge->symmetric = mat_push(&cache->arenas[PART_PARTS], E, E);
    merge->antisymmetric = mat_push(&cache->arenas[PART_PARTS], E, E);
    merge->symmetric_share =
        head_product_parts(&merge->symmetric, &merge->antisymmetric, &merge->product.product);
    return cache->made[PART_PARTS] = true;
}

bool run_merge(Run *run, const MergeWish *wish, Err *err) {
    assert(run->valid && run->T > 0 && wish->layer < run->layer_count && wish->rank > 0);
    if (!start(run, err))
        return false;
    run->merge->wish = *wish;
    return make_product(run, wish, err) && make_passes(run, wish, err) &&
           make_cut(run, wish, err) && make_gauge(run, wish, err) &&
           (!wish->free || make_free(run, wish, err)) && make_step(run, wish, err) &&
           (!wish->parts || make_parts(run, wish, err));
}
