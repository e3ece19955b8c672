#include "session/run_merge_parts.h"

#include <math.h>
#include <string.h>

#include "math/softmax.h"
#include "model/free.h"
#include "session/run_gradient.h"

#define ALL_MULTIPLY_ADDS_MAX 2e11 /* of what is compared over all heads */

bool run_merge_turns(const AttnShape *shape, const MergeWish *wish) {
    return shape->rope && wish->choice.kind == PRODUCT_QK;
}

bool run_merge_has_family(const AttnShape *shape, const MergeWish *wish) {
    int m = head_product_width(shape, wish->choice.kind);
    return run_merge_turns(shape, wish) && head_family_fits(shape->T, attn_input_width(shape), m);
}

bool run_merge_has_factors(const AttnShape *shape, const MergeWish *wish) {
    return shape->form != FORM_FREE || wish->choice.kind != PRODUCT_QK;
}

Arena *run_merge_room(const MergeMaking *making, MergePart part, size_t bytes, size_t scratch) {
    if (bytes > RUN_BYTES_MAX || scratch > RUN_BYTES_MAX) {
        err_fail(making->err, "W_QK", "would take %.1f GB; use a smaller d_model or fewer tokens",
                 (double)bytes / 1e9);
        return NULL;
    }
    return arena_reserve(making->scratch, scratch, making->err)
               ? part_reserve(&making->merge->cache->parts[part], bytes, making->err)
               : NULL;
}

bool run_merge_goes_on(const MergeMaking *making) {
    return job_goes_on(making->watch) || err_fail(making->err, "W_QK", "was stopped");
}

static bool make_product(const MergeMaking *making) {
    const MergeWish *wish = making->wish;
    const AttnShape *shape = making->shape;
    RunMerge *merge = making->merge;
    Arena *arena =
        run_merge_room(making, PART_PRODUCT, head_product_bytes(shape, wish->choice.kind), 0);
    if (arena == NULL || !head_product_push(&merge->product, arena, shape, &making->layer->params,
                                            &wish->choice, making->err))
        return false;
    return run_merge_goes_on(making);
}

static bool make_vectors(const MergeMaking *making) {
    size_t bytes = head_vectors_bytes(making->shape, making->wish->choice.kind);
    Arena *arena = run_merge_room(making, PART_VECTORS, bytes, 0);
    return arena != NULL && head_vectors_push(&making->merge->product, arena, making->err) &&
           run_merge_goes_on(making);
}

static bool make_spectrum(const MergeMaking *making) {
    ProductKind kind = making->wish->choice.kind;
    Arena *arena =
        run_merge_room(making, PART_SPECTRUM, head_spectrum_bytes(making->shape, kind), 0);
    if (arena == NULL)
        return false;
    head_spectrum_push(&making->merge->product, arena, &making->merge->site);
    return run_merge_goes_on(making);
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
                       attn_head_scores(&trace->A, shape, making->wish->choice.head),
                       making->run->mask};
    return (HeadSite){.kind = making->wish->choice.kind,
                      .input = &room->input,
                      .mask = &room->mask,
                      .turn = shape->rope ? &room->turn : NULL,
                      .A = &room->A,
                      .score_factor = shape->score_factor};
}

void run_merge_unturned(Mat *left, const MergeMaking *making) {
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

/* The head through the matrices of all distances, as far as nothing but X and the weights goes into
 * it. */
static bool make_family(const MergeMaking *making) {
    RunMerge *merge = making->merge;
    const HeadProduct *p = &merge->product;
    const Mat *input = &run_trace(making->run, making->wish->layer)->input;
    Arena *scratch = making->scratch;
    int T = making->run->T, E = p->left.rows, m = p->left.cols;
    size_t bytes = mat_bytes_add(head_family_bytes(T, E, m), mat_bytes(T, T));
    size_t room = mat_bytes_add(head_family_scratch_bytes(T, E, m), mat_bytes(E, m));
    Arena *arena = run_merge_room(making, PART_FAMILY, bytes, room);
    if (arena == NULL)
        return false;
    Mat left = mat_push(scratch, E, m);
    run_merge_unturned(&left, making);
    merge->dots = mat_push(arena, T, T);
    return (head_family_through(&merge->dots, input, &left, &p->right, making->watch, scratch) ||
            run_merge_goes_on(making)) &&
           head_family_terms(&merge->terms, arena, input, &left, &p->right, making->watch, scratch,
                             making->err);
}

static size_t pass_bytes(const MergeMaking *making, size_t *scratch) {
    const HeadProduct *p = &making->merge->product;
    int T = making->run->T, E = p->product.rows, m = p->left.cols;
    size_t results = mat_bytes_add(head_result_bytes(T, E), head_result_bytes(T, E));
    *scratch = mat_bytes_add(head_scratch_bytes(T, E, m), mat_bytes(E, m));
    return results + sizeof(SiteRoom) + ARENA_ALIGN;
}

/* The scores of the matrices of all distances. */
static void through_family(HeadResult *out, const HeadSite *site, const Mat *dots) {
    for (int i = 0; i < dots->rows; i++)
        for (int j = 0; j < dots->cols; j++)
            mat_row(&out->S, i)[j] = site->score_factor * mat_row(dots, i)[j];
    softmax_rows(&out->A, &out->S, site->mask->open);
}

/* The head through its factors, and through the whole product. */
static void make_forms(const MergeMaking *making, Arena *arena) {
    RunMerge *merge = making->merge;
    const HeadProduct *p = &merge->product;
    Arena *scratch = making->scratch;
    bool turns = run_merge_turns(making->shape, making->wish);
    merge->separate = merge->merged = (HeadResult){0};
    merge->full = p->has_factors ? &merge->separate : &merge->merged;
    if (p->has_factors) {
        Mat left = mat_push(scratch, p->left.rows, p->left.cols);
        merge->separate = head_result_push(arena, &merge->site);
        mat_copy(&left, &p->left);
        if (turns)
            run_merge_unturned(&left, making);
        head_through_factors(&merge->separate, &merge->site, &left, &p->right, scratch);
    }
    if (!turns || merge->dots.rows > 0)
        merge->merged = head_result_push(arena, &merge->site);
    if (!turns)
        head_through_product(&merge->merged, &merge->site, &p->product, scratch);
    else if (merge->dots.rows > 0)
        through_family(&merge->merged, &merge->site, &merge->dots);
}

static bool make_passes(const MergeMaking *making) {
    RunMerge *merge = making->merge;
    const Mask *mask = &making->run->mask;
    size_t scratch, bytes = pass_bytes(making, &scratch);
    Arena *arena = run_merge_room(making, PART_PASSES, bytes, scratch);
    if (arena == NULL)
        return false;
    merge->site = site_of(making, arena_push(arena, sizeof(SiteRoom)));
    make_forms(making, arena);
    merge->form_S = head_result_difference(&merge->separate, &merge->merged, mask, true);
    merge->form_A = head_result_difference(&merge->separate, &merge->merged, mask, false);
    return run_merge_goes_on(making);
}

static bool make_curve(const MergeMaking *making) {
    RunMerge *merge = making->merge;
    const HeadProduct *p = &merge->product;
    size_t bytes = rank_curve_bytes(making->run->T, p->product.rows);
    if (run_merge_room(making, PART_CURVE, 0, bytes) == NULL)
        return false;
    return rank_curve(&merge->curve, p, &merge->site, merge->full, &merge->terms, making->watch,
                      making->scratch) ||
           run_merge_goes_on(making);
}

/* The scores of matrices that are all cut to a rank. */
static void cut_family(HeadResult *out, const RunMerge *merge, int rank) {
    int kept = rank < merge->terms.cols ? rank : merge->terms.cols;
    memset(out->S.at, 0, (size_t)out->S.rows * (size_t)out->S.cols * sizeof *out->S.at);
    head_family_add(&out->S, &merge->terms, 0, kept, merge->site.score_factor);
    softmax_rows(&out->A, &out->S, merge->site.mask->open);
}

static bool make_cut(const MergeMaking *making) {
    RunMerge *merge = making->merge;
    const MergeWish *wish = making->wish;
    const HeadProduct *p = &merge->product;
    const Mask *mask = &making->run->mask;
    int T = making->run->T, E = p->product.rows, m = p->left.cols;
    Arena *arena =
        run_merge_room(making, PART_CUT, head_result_bytes(T, E), head_scratch_bytes(T, E, m));
    if (arena == NULL)
        return false;
    merge->cut_result = (HeadResult){0};
    if (merge->terms.rows > 0) {
        merge->cut_result = head_result_push(arena, &merge->site);
        cut_family(&merge->cut_result, merge, wish->rank);
    } else if (!run_merge_turns(making->shape, wish)) {
        merge->cut_result = head_result_push(arena, &merge->site);
        head_through_rank(&merge->cut_result, &merge->site, p, wish->rank, making->scratch);
    }
    merge->cut_S = head_result_difference(merge->full, &merge->cut_result, mask, true);
    merge->cut_A = head_result_difference(merge->full, &merge->cut_result, mask, false);
    merge->cut_KL = rank_curve_mean_divergence(&merge->full->A, &merge->cut_result.A);
    merge->cut_loss = p->count > 0 ? rank_curve_loss(p->sigma, p->count, wish->rank) : NAN;
    return run_merge_goes_on(making);
}

static bool make_cut_product(const MergeMaking *making) {
    RunMerge *merge = making->merge;
    const MergeWish *wish = making->wish;
    const HeadProduct *p = &merge->product;
    int E = p->product.rows;
    Arena *arena =
        run_merge_room(making, PART_CUT_PRODUCT, mat_bytes(E, E), mat_bytes(E, p->count));
    if (arena == NULL)
        return false;
    merge->cut = mat_push(arena, E, E);
    head_product_truncate(&merge->cut, p, wish->rank, making->scratch);
    return run_merge_goes_on(making);
}

static bool make_parts(const MergeMaking *making) {
    RunMerge *merge = making->merge;
    int E = merge->product.product.rows;
    Arena *arena =
        run_merge_room(making, PART_PARTS, mat_bytes_add(mat_bytes(E, E), mat_bytes(E, E)), 0);
    if (arena == NULL)
        return false;
    merge->symmetric = mat_push(arena, E, E);
    merge->antisymmetric = mat_push(arena, E, E);
    merge->symmetric_share =
        head_product_parts(&merge->symmetric, &merge->antisymmetric, &merge->product.product);
    return run_merge_goes_on(making);
}

/* What each head is given for a moment. */
static size_t all_bytes(const AttnShape *shape, ProductKind kind) {
    int T = shape->T, E = attn_input_width(shape), m = head_product_width(shape, kind);
    size_t results = mat_bytes_add(head_result_bytes(T, E), head_result_bytes(T, E));
    size_t scratch = mat_bytes_add(head_scratch_bytes(T, E, m), head_family_scratch_bytes(T, E, m));
    size_t factors = mat_bytes_add(mat_bytes(E, m), mat_bytes(T, T));
    return mat_bytes_add(mat_bytes_add(head_product_bytes(shape, kind), results),
                         mat_bytes_add(scratch, factors));
}

bool run_merge_has_all(const AttnShape *shape, const MergeWish *wish) {
    bool has_both = run_merge_has_factors(shape, wish) &&
                    (!run_merge_turns(shape, wish) || run_merge_has_family(shape, wish));
    double T = shape->T, E = attn_input_width(shape),
           m = head_product_width(shape, wish->choice.kind);
    double products = run_merge_turns(shape, wish) ? 2 * T : 1;
    return has_both && shape->H * E * (products * E * m + T * (T + m)) <= ALL_MULTIPLY_ADDS_MAX;
}

/* Once it is not a number it stays so. */
static float larger(float a, float b) {
    return isnan(b) || b > a ? b : a;
}

/* One head as make_product, make_family and make_passes have it, in scratch. */
static bool compare_head(const MergeMaking *making, int head, float *most_S, float *most_A) {
    Arena *scratch = making->scratch;
    size_t mark = scratch->used;
    MergeWish wish = *making->wish;
    RunMerge own = {0};
    MergeMaking one = *making;
    SiteRoom room;
    wish.choice.head = head;
    wish.choice.offset = 0; /* the factors without a turn */
    one.wish = &wish;
    one.merge = &own;
    own.site = site_of(&one, &room);
    if (!head_product_push(&own.product, scratch, making->shape, &making->layer->params,
                           &wish.choice, making->err))
        return false;
    HeadProduct *p = &own.product;
    if (run_merge_turns(making->shape, &wish)) {
        own.dots = mat_push(scratch, making->run->T, making->run->T);
        if (!head_family_through(&own.dots, own.site.input, &p->left, &p->right, making->watch,
                                 scratch))
            return run_merge_goes_on(making);
    }
    make_forms(&one, scratch);
    const Mask *mask = &making->run->mask;
    *most_S = larger(*most_S, head_result_difference(&own.separate, &own.merged, mask, true));
    *most_A = larger(*most_A, head_result_difference(&own.separate, &own.merged, mask, false));
    scratch->used = mark;
    return true;
}

static bool make_all(const MergeMaking *making) {
    const AttnShape *shape = making->shape;
    size_t bytes = all_bytes(shape, making->wish->choice.kind);
    float S = 0, A = 0;
    if (run_merge_room(making, PART_ALL, 0, bytes) == NULL)
        return false;
    for (int h = 0; h < shape->H; h++)
        if (!compare_head(making, h, &S, &A) || !run_merge_goes_on(making))
            return false;
    making->merge->all_S = S;
    making->merge->all_A = A;
    return true;
}

/* Without memory, or if an entry is not finite, there are none, and the picture leaves them out. */
static bool make_free(const MergeMaking *making) {
    RunMerge *merge = making->merge;
    AttnShape shape = *making->shape;
    shape.form = FORM_FREE;
    int E = attn_input_width(&shape);
    Err err;
    Arena *arena = run_merge_room(making, PART_FREE, (size_t)E * sizeof(double), 0);
    if (arena == NULL)
        return false;
    double *sigma = arena_push(arena, (size_t)E * sizeof *sigma);
    bool made = free_spectrum(sigma, making->wish->choice.head, &shape, &making->layer->plan,
                              making->watch, &err);
    merge->free_sigma = sigma;
    merge->free_count = made ? E : 0;
    return run_merge_goes_on(making);
}

static bool (*const MAKERS[MERGE_PARTS])(const MergeMaking *making) = {
    [PART_PRODUCT] = make_product,
    [PART_FAMILY] = make_family,
    [PART_PASSES] = make_passes,
    [PART_VECTORS] = make_vectors,
    [PART_SPECTRUM] = make_spectrum,
    [PART_CURVE] = make_curve,
    [PART_CUT] = make_cut,
    [PART_CUT_PRODUCT] = make_cut_product,
    [PART_FRAME] = run_merge_frame,
    [PART_TURNED] = run_merge_turned,
    [PART_GAUGE] = run_merge_gauge,
    [PART_STEP] = run_merge_step,
    [PART_NESTED] = run_merge_nested,
    [PART_PARTS] = make_parts,
    [PART_ALL] = make_all,
    [PART_FREE] = make_free,
};

bool run_merge_part(const MergeMaking *making, MergePart part) {
    return MAKERS[part](making);
}

static void drop_cut(RunMerge *merge) {
    merge->cut_result = (HeadResult){0};
    merge->cut_S = merge->cut_A = merge->cut_KL = NAN;
    merge->cut_loss = NAN;
}

void run_merge_drop(RunMerge *merge, MergePart part) {
    switch (part) {
    case PART_FAMILY:
        merge->dots = merge->terms = (Mat){0};
        break;
    case PART_VECTORS:
        merge->product.u = merge->product.v = (Mat){0};
        merge->product.count = 0;
        break;
    case PART_SPECTRUM:
        merge->product.row_parts = merge->product.col_parts = (Mat){0};
        break;
    case PART_CURVE:
        merge->curve.count = 0;
        break;
    case PART_CUT:
        drop_cut(merge);
        break;
    case PART_CUT_PRODUCT:
        merge->cut = (Mat){0};
        break;
    case PART_STEP:
        merge->step = (ProductStep){0};
        break;
    case PART_NESTED:
        merge->nested = (NestedReading){0};
        break;
    case PART_FRAME:
        merge->frame = merge->framed_left = merge->framed_right = (Mat){0};
        break;
    case PART_TURNED:
        merge->turned_left = merge->turned_right = (Mat){0};
        merge->moved_left = merge->moved_right = NAN;
        break;
    case PART_GAUGE:
        merge->turned = (HeadResult){0};
        merge->turned_S = merge->turned_A = NAN;
        break;
    case PART_PARTS:
        merge->symmetric = merge->antisymmetric = (Mat){0};
        break;
    case PART_ALL:
        merge->all_S = merge->all_A = NAN;
        break;
    case PART_FREE:
        merge->free_count = 0;
        break;
    case PART_PRODUCT:
    case PART_PASSES:
    case MERGE_PARTS:
        break;
    }
}
