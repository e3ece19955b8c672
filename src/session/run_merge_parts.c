#include "session/run_merge_parts.h"

#include <math.h>
#include <string.h>

#include "math/softmax.h"
#include "math/svd.h"
#include "model/cost.h"
#include "model/free.h"
#include "model/rope.h"
#include "session/run_gradient.h"

/* Measured: of an entry that is drawn, of a score that is weighed or compared, of an entry of a
 * matrix that is walked through, of a multiply-add, and of m·m·m in making an R. */
#define STEPS_OF_DRAW    60.0
#define STEPS_OF_SCORE   100.0
#define STEPS_OF_ENTRY   40.0
#define STEPS_OF_PRODUCT 0.25
#define STEPS_OF_GAUGE   2.5

bool run_merge_turns(const AttnShape *shape, const MergeWish *wish) {
    return shape->rope && wish->choice.kind == PRODUCT_QK;
}

/* Room for a part in the arena that is not shown, and scratch for the making; NULL with err where
 * there is none. */
static Arena *begin(const MergeMaking *making, MergePart part, size_t bytes, size_t scratch) {
    MergeCache *cache = making->cache;
    Arena *arena = &cache->arenas[part][cache->next.turn[part]];
    if (bytes > RUN_BYTES_MAX || scratch > RUN_BYTES_MAX) {
        err_fail(making->err, "W_QK", "would take %.1f GB; use a smaller d_model or fewer tokens",
                 (double)bytes / 1e9);
        return NULL;
    }
    return arena_reserve(arena, bytes, making->err) &&
                   arena_reserve(&cache->scratch, scratch, making->err)
               ? arena
               : NULL;
}

/* False with err once the work is to stop. */
static bool count(const MergeMaking *making, double steps) {
    return job_step(making->watch, steps) || err_fail(making->err, "W_QK", "was stopped");
}

static bool make_product(const MergeMaking *making) {
    const MergeWish *wish = making->wish;
    Arena *arena =
        begin(making, PART_PRODUCT, head_product_bytes(making->shape, wish->choice.kind), 0);
    return arena != NULL &&
           head_product_push(&making->merge->product, arena, making->shape, &making->layer->params,
                             &wish->choice, making->watch, making->err);
}

/* What a HeadSite borrows: in an arena, so that it stays where it is when a Run or a merge moves.
 */
typedef struct SiteRoom {
    Mat input, turn, A;
    Mask mask;
} SiteRoom;

static HeadSite site_of(const MergeMaking *making, SiteRoom *room) {
    const AttnTrace *trace = run_trace(making->run, making->wish->layer);
    const AttnShape *shape = making->shape;
    *room = (SiteRoom){trace->input, trace->turn,
                       attn_weights(trace, shape, making->wish->choice.head), making->run->mask};
    return (HeadSite){.kind = making->wish->choice.kind,
                      .input = &room->input,
                      .mask = &room->mask,
                      .turn = shape->rope ? &room->turn : NULL,
                      .A = &room->A,
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
static void unturned(Mat *left, const MergeMaking *making) {
    const AttnParams *params = &making->layer->params;
    const AttnShape *shape = making->shape;
    int head = making->wish->choice.head;
    Mat from = attn_head_query(&params->p[ATTN_W_Q], shape, head);
    Mat rows = mat_rows(left, 0, shape->D);
    mat_copy(&rows, &from);
    if (left->rows > shape->D) {
        Mat bias = attn_head_query(&params->p[ATTN_B_Q], shape, head);
        Mat last = mat_rows(left, shape->D, 1);
        mat_copy(&last, &bias);
    }
}

/* Whether there is one product for each distance, and they are few enough. */
static bool has_family(const AttnShape *shape, const MergeWish *wish) {
    int m = head_product_width(shape, wish->choice.kind);
    return run_merge_turns(shape, wish) && head_family_fits(shape->T, attn_input_width(shape), m);
}

static size_t pass_bytes(const MergeMaking *making, size_t *scratch) {
    const HeadProduct *p = &making->merge->product;
    int T = making->run->T, E = p->product.rows, m = p->left.cols;
    bool family = has_family(making->shape, making->wish);
    size_t results = mat_bytes_add(head_result_bytes(T, E), head_result_bytes(T, E));
    *scratch = mat_bytes_add(head_scratch_bytes(T, E, m), rank_curve_bytes(T, E, m));
    *scratch = mat_bytes_add(*scratch, mat_bytes(E, m));
    *scratch = mat_bytes_add(*scratch, family ? head_family_scratch_bytes(T, E, m) : 0);
    return mat_bytes_add(results, family ? head_family_bytes(T, E, m) : 0) + sizeof(SiteRoom) +
           ARENA_ALIGN;
}

/* The head through the matrices of all distances. */
static bool make_family(const MergeMaking *making, const Mat *left, Arena *arena) {
    RunMerge *merge = making->merge;
    const Mat *right = &merge->product.right;
    Arena *scratch = &making->cache->scratch;
    merge->merged = head_result_push(arena, &merge->site);
    return (head_family_through(&merge->merged, &merge->site, left, right, making->watch,
                                scratch) ||
            count(making, 0)) &&
           head_family_terms(&merge->terms, arena, &merge->site, left, right, making->watch,
                             scratch, making->err);
}

/* The head through its factors, and through the whole product. */
static bool make_forms(const MergeMaking *making, Arena *arena) {
    RunMerge *merge = making->merge;
    const HeadProduct *p = &merge->product;
    Arena *scratch = &making->cache->scratch;
    bool turns = run_merge_turns(making->shape, making->wish);
    merge->separate = merge->merged = (HeadResult){0};
    merge->terms = (Mat){0};
    merge->full = p->has_factors ? &merge->separate : &merge->merged;
    if (p->has_factors) {
        Mat left = mat_push(scratch, p->left.rows, p->left.cols);
        merge->separate = head_result_push(arena, &merge->site);
        mat_copy(&left, &p->left);
        if (turns)
            unturned(&left, making);
        head_through_factors(&merge->separate, &merge->site, &left, &p->right, scratch);
        if (has_family(making->shape, making->wish))
            return make_family(making, &left, arena);
    }
    if (!turns) {
        merge->merged = head_result_push(arena, &merge->site);
        head_through_product(&merge->merged, &merge->site, &p->product, scratch);
    }
    return true;
}

static double through_steps(const AttnShape *shape, const MergeWish *wish) {
    double T = shape->T, E = attn_input_width(shape);
    double m = head_product_width(shape, wish->choice.kind);
    return STEPS_OF_PRODUCT * T * E * (2 * m + T) + STEPS_OF_SCORE * T * T;
}

static bool make_passes(const MergeMaking *making) {
    RunMerge *merge = making->merge;
    const HeadProduct *p = &merge->product;
    const Mask *mask = &making->run->mask;
    size_t scratch, bytes = pass_bytes(making, &scratch);
    Arena *arena = begin(making, PART_PASSES, bytes, scratch);
    if (arena == NULL)
        return false;
    merge->site = site_of(making, arena_push(arena, sizeof(SiteRoom)));
    if (!make_forms(making, arena))
        return false;
    merge->form_S = difference(&merge->separate, &merge->merged, mask, true);
    merge->form_A = difference(&merge->separate, &merge->merged, mask, false);
    return count(making, 2 * through_steps(making->shape, making->wish)) &&
           (rank_curve(&merge->curve, p, &merge->site, merge->full, &merge->terms, making->watch,
                       &making->cache->scratch) ||
            count(making, 0));
}

static float mean_divergence(const HeadResult *a, const HeadResult *b) {
    double sum = 0;
    if (a->A.rows == 0 || b->A.rows == 0)
        return NAN;
    for (int i = 0; i < a->A.rows; i++)
        sum += rank_curve_divergence(mat_row(&a->A, i), mat_row(&b->A, i), a->A.cols);
    return (float)(sum / a->A.rows);
}

/* The scores of matrices that are all cut to a rank. */
static void cut_family(HeadResult *out, const RunMerge *merge, int rank) {
    int kept = rank < merge->terms.cols ? rank : merge->terms.cols;
    memset(out->S.at, 0, (size_t)out->S.rows * (size_t)out->S.cols * sizeof *out->S.at);
    head_family_add(&out->S, &merge->terms, 0, kept);
    softmax_rows(&out->A, &out->S, merge->site.mask->open);
}

static double cut_steps(const AttnShape *shape, const MergeWish *wish) {
    double E = attn_input_width(shape);
    return E * E * (STEPS_OF_PRODUCT * wish->rank + STEPS_OF_ENTRY / 2) +
           shape->T * (STEPS_OF_PRODUCT * E * E + STEPS_OF_SCORE * shape->T);
}

static bool make_cut(const MergeMaking *making) {
    RunMerge *merge = making->merge;
    const MergeWish *wish = making->wish;
    const HeadProduct *p = &merge->product;
    const Mask *mask = &making->run->mask;
    int T = making->run->T, E = p->product.rows, m = p->left.cols;
    Arena *arena = begin(making, PART_CUT, mat_bytes_add(mat_bytes(E, E), head_result_bytes(T, E)),
                         mat_bytes_add(mat_bytes(E, m), head_scratch_bytes(T, E, m)));
    if (arena == NULL)
        return false;
    merge->cut = mat_push(arena, E, E);
    head_product_truncate(&merge->cut, p, wish->rank, &making->cache->scratch);
    merge->cut_result = (HeadResult){0};
    if (merge->terms.rows > 0) {
        merge->cut_result = head_result_push(arena, &merge->site);
        cut_family(&merge->cut_result, merge, wish->rank);
    } else if (!run_merge_turns(making->shape, wish)) {
        merge->cut_result = head_result_push(arena, &merge->site);
        head_through_product(&merge->cut_result, &merge->site, &merge->cut,
                             &making->cache->scratch);
    }
    merge->cut_S = difference(merge->full, &merge->cut_result, mask, true);
    merge->cut_A = difference(merge->full, &merge->cut_result, mask, false);
    merge->cut_KL = mean_divergence(merge->full, &merge->cut_result);
    merge->cut_loss = p->count > 0 ? rank_curve_loss(p->sigma, p->count, wish->rank) : NAN;
    return count(making, cut_steps(making->shape, wish));
}

/* W_Q·R and W_K·R⁻ᵀ, and the head through them. */
static bool turn_factors(const MergeMaking *making, Arena *arena) {
    RunMerge *merge = making->merge;
    Arena *scratch = &making->cache->scratch;
    const HeadProduct *p = &merge->product;
    int m = p->left.cols;
    Mat r = mat_push(scratch, m, m), inverse = mat_push(scratch, m, m);
    Mat left = mat_push(scratch, p->left.rows, m);
    if (!gauge_make(&r, &inverse, &merge->condition, &making->wish->gauge, scratch, making->err))
        return false;
    mat_copy(&left, &p->left);
    if (run_merge_turns(making->shape, making->wish))
        unturned(&left, making);
    mat_mul(&merge->turned_left, &left, &r, 1);
    mat_mul(&merge->turned_right, &p->right, &inverse, 1);
    merge->moved_left = gauge_moved(&left, &merge->turned_left);
    merge->moved_right = gauge_moved(&p->right, &merge->turned_right);
    merge->turned = head_result_push(arena, &merge->site);
    head_through_factors(&merge->turned, &merge->site, &merge->turned_left, &merge->turned_right,
                         scratch);
    merge->turned_S = difference(merge->full, &merge->turned, &making->run->mask, true);
    merge->turned_A = difference(merge->full, &merge->turned, &making->run->mask, false);
    return true;
}

static double gauge_steps(const AttnShape *shape, const MergeWish *wish) {
    double m = head_product_width(shape, wish->choice.kind), E = attn_input_width(shape);
    bool whole = shape->form == FORM_FREE && wish->choice.kind == PRODUCT_QK;
    if (whole)
        return 0;
    double r = wish->gauge.turn == 0 ? 0 : STEPS_OF_GAUGE * m * m * m + STEPS_OF_DRAW * m * m;
    return r + STEPS_OF_PRODUCT * 2 * E * m * m + through_steps(shape, wish);
}

static bool make_gauge(const MergeMaking *making) {
    RunMerge *merge = making->merge;
    const HeadProduct *p = &merge->product;
    int T = making->run->T, E = p->product.rows, m = p->left.cols;
    merge->turned_left = merge->turned_right = (Mat){0};
    merge->turned = (HeadResult){0};
    if (!p->has_factors)
        return true;
    size_t factors = mat_bytes_add(mat_bytes(E, m), mat_bytes(E, m));
    size_t scratch = mat_bytes_add(gauge_scratch_bytes(m), head_scratch_bytes(T, E, m));
    scratch = mat_bytes_add(scratch, mat_bytes_add(mat_bytes(m, m), mat_bytes(m, m)));
    Arena *arena = begin(making, PART_GAUGE, mat_bytes_add(head_result_bytes(T, E), factors),
                         mat_bytes_add(scratch, mat_bytes(E, m)));
    if (arena == NULL)
        return false;
    merge->turned_left = mat_push(arena, E, m);
    merge->turned_right = mat_push(arena, E, m);
    return turn_factors(making, arena) && count(making, gauge_steps(making->shape, making->wish));
}

/* Whether a W_QK drawn whole is something beside the head's own, and not too large. */
static bool has_free(const AttnShape *shape, const MergeWish *wish) {
    return wish->choice.kind == PRODUCT_QK && shape->form != FORM_FREE &&
           attn_input_width(shape) <= HEAD_PRODUCT_SIGMA_MAX;
}

/* The singular values of one head of a W_QK drawn whole, by the layer's scheme and seed. */
static bool make_free(const MergeMaking *making) {
    RunMerge *merge = making->merge;
    int E = attn_input_width(making->shape);
    merge->free_count = 0;
    if (!has_free(making->shape, making->wish))
        return true;
    Arena *arena = begin(making, PART_FREE, (size_t)E * sizeof(double), mat_bytes(E, E));
    if (arena == NULL)
        return false;
    double *sigma = arena_push(arena, (size_t)E * sizeof(double));
    Mat one = mat_push(&making->cache->scratch, E, E);
    if (!free_draw_head(&one, making->wish->choice.head, making->shape, &making->layer->plan,
                        making->err) ||
        !count(making, STEPS_OF_DRAW * E * E))
        return false;
    if (!mat_is_finite(&one) || !svd_values(sigma, &one, making->watch, making->err))
        return false;
    merge->free_sigma = sigma;
    merge->free_count = E;
    return true;
}

/* ∂L/∂W as two factors (E, T): of W_QK the inputs and what dS makes of them, of W_OV what was read
 * and what came back. */
static void gradient_factors(ProductGradient *out, const MergeMaking *making, Arena *scratch) {
    const MergeWish *wish = making->wish;
    const HeadSite *site = &making->merge->site;
    const RunGradient *gradient = run_gradient_made(making->run, wish->layer);
    int T = making->run->T, E = site->input->cols;
    Mat rows = mat_push(scratch, T, E);
    const Mat *other = site->input;
    bool scores = wish->choice.kind == PRODUCT_QK;
    if (scores) {
        Mat dS = attn_head_scores(&gradient->back.S, making->shape, wish->choice.head);
        mat_mul(&rows, &dS, site->input, site->score_factor);
    } else {
        mat_mul(&rows, site->A, site->input, 1);
        other = gradient->back.sum.rows > 0 ? &gradient->back.sum : &gradient->G;
    }
    for (int e = 0; e < E; e++)
        for (int t = 0; t < T; t++) {
            float mine = mat_row(&rows, t)[e];
            float theirs = e < other->cols ? mat_row(other, t)[e] : 0;
            mat_row(&out->left, e)[t] = scores ? theirs : mine;
            mat_row(&out->right, e)[t] = scores ? mine : theirs;
        }
}

/* With rope: of the W_QK of one distance alone, whose pairs are a query and the key that far before
 * it; and of the factors, which all distances share, the left one turned as the product's is. */
static void distance_factors(ProductGradient *out, const MergeMaking *making, Arena *scratch) {
    const HeadChoice *choice = &making->wish->choice;
    const AttnShape *shape = making->shape;
    const Mat *input = making->merge->site.input;
    const AttnBack *back = &run_gradient_made(making->run, making->wish->layer)->back;
    Mat dS = attn_head_scores(&back->S, shape, choice->head);
    Mat dQ = attn_head_query(&back->Q, shape, choice->head);
    Mat dK = attn_head_query(&back->K, shape, choice->head);
    for (int t = 0; t < shape->T; t++) {
        int key = t - choice->offset;
        bool is_pair = key >= 0 && key < shape->T;
        float weight = is_pair ? shape->score_factor * mat_row(&dS, t)[key] : 0;
        for (int e = 0; e < input->cols; e++) {
            mat_row(&out->left, e)[t] = weight * mat_row(input, t)[e];
            mat_row(&out->right, e)[t] = is_pair ? mat_row(input, key)[e] : 0;
        }
    }
    out->by_left = mat_push(scratch, input->cols, shape->K);
    out->by_right = mat_push(scratch, input->cols, shape->K);
    mat_mul_at(&out->by_left, input, &dQ, 1);
    mat_mul_at(&out->by_right, input, &dK, 1);
    Mat turn = mat_push(scratch, 1, shape->K);
    rope_angles(turn.at, shape->K, choice->offset);
    rope_turn(&out->by_left, &turn);
}

/* Whether one step on the factors and one on the product can be set beside each other. */
static bool has_step(const AttnShape *shape, const MergeWish *wish) {
    return shape->form != FORM_FREE || wish->choice.kind != PRODUCT_QK;
}

static bool make_step(const MergeMaking *making) {
    RunMerge *merge = making->merge;
    const HeadProduct *p = &merge->product;
    int T = making->run->T, E = p->product.rows, m = p->left.cols;
    merge->step = (ProductStep){0};
    if (!has_step(making->shape, making->wish))
        return true;
    size_t scratch = product_step_scratch_bytes(T, E, m);
    scratch = mat_bytes_add(scratch, mat_bytes_add(mat_bytes(E, T), mat_bytes(E, T)));
    scratch = mat_bytes_add(scratch, mat_bytes_add(mat_bytes(E, m), mat_bytes(E, m)));
    scratch = mat_bytes_add(scratch, mat_bytes(1, m));
    if (!run_gradient_make(making->run, making->wish->layer, GRADIENT_USED, making->watch,
                           making->err))
        return false;
    Arena *arena =
        begin(making, PART_STEP, product_step_bytes(E), mat_bytes_add(scratch, mat_bytes(T, E)));
    if (arena == NULL)
        return false;
    Arena *room = &making->cache->scratch;
    ProductGradient gradient = {.left = mat_push(room, E, T), .right = mat_push(room, E, T)};
    if (run_merge_turns(making->shape, making->wish))
        distance_factors(&gradient, making, room);
    else
        gradient_factors(&gradient, making, room);
    merge->step = product_step_push(arena, E);
    return product_step(&merge->step, p, &gradient, making->wish->rate, making->watch, room,
                        making->err);
}

static bool make_parts(const MergeMaking *making) {
    RunMerge *merge = making->merge;
    int E = merge->product.product.rows;
    Arena *arena = begin(making, PART_PARTS, mat_bytes_add(mat_bytes(E, E), mat_bytes(E, E)), 0);
    if (arena == NULL)
        return false;
    merge->symmetric = mat_push(arena, E, E);
    merge->antisymmetric = mat_push(arena, E, E);
    merge->symmetric_share =
        head_product_parts(&merge->symmetric, &merge->antisymmetric, &merge->product.product);
    return count(making, STEPS_OF_ENTRY * E * E);
}

static bool (*const MAKERS[MERGE_PARTS])(const MergeMaking *making) = {
    [PART_PRODUCT] = make_product, [PART_PASSES] = make_passes, [PART_CUT] = make_cut,
    [PART_GAUGE] = make_gauge,     [PART_FREE] = make_free,     [PART_STEP] = make_step,
    [PART_PARTS] = make_parts,
};

bool run_merge_part(const MergeMaking *making, MergePart part) {
    return MAKERS[part](making);
}

void run_merge_drop(RunMerge *merge, MergePart part) {
    if (part == PART_FREE)
        merge->free_count = 0;
    if (part == PART_STEP)
        merge->step = (ProductStep){0};
}

static double step_steps(const AttnShape *shape, const MergeWish *wish) {
    int m = head_product_width(shape, wish->choice.kind), E = attn_input_width(shape);
    return has_step(shape, wish) ? cost_backward_steps(shape) + product_step_steps(shape->T, E, m)
                                 : 0;
}

double run_merge_part_steps(MergePart part, const AttnShape *shape, const MergeWish *wish) {
    int E = attn_input_width(shape), m = head_product_width(shape, wish->choice.kind);
    double square = (double)E * E;
    switch (part) {
    case PART_PRODUCT:
        return head_product_steps(shape, wish->choice.kind);
    case PART_PASSES:
        return 2 * through_steps(shape, wish) + rank_curve_steps(shape->T, E, m) +
               (has_family(shape, wish) ? head_family_steps(shape->T, E, m) : 0);
    case PART_CUT:
        return cut_steps(shape, wish);
    case PART_GAUGE:
        return gauge_steps(shape, wish);
    case PART_FREE:
        return has_free(shape, wish) ? STEPS_OF_DRAW * square + svd_values_steps(E, E) : 0;
    case PART_STEP:
        return step_steps(shape, wish);
    case PART_PARTS:
        return STEPS_OF_ENTRY * square;
    case MERGE_PARTS:
        break;
    }
    return 0;
}
