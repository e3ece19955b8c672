#include "results/product_analysis_parts.h"

#include <math.h>
#include <string.h>

#include "math/softmax.h"
#include "model/init/direct_w_qk.h"
#include "results/by_hand.h"
#include "results/layer.h"

/* Most multiply-adds of a comparison of the forms over all heads. */
#define ALL_MULTIPLY_ADDS_MAX 2e11

bool product_analysis_turns(const AttnShape *shape, const ProductRequest *request) {
    return shape->rope && request->choice.kind == PRODUCT_QK;
}

bool product_analysis_has_family(const AttnShape *shape, const ProductRequest *request) {
    int m = head_product_width(shape, request->choice.kind);
    return product_analysis_turns(shape, request) &&
           rope_offset_products_fit(shape->T, attn_input_width(shape), m);
}

bool product_analysis_has_factors(const AttnShape *shape, const ProductRequest *request) {
    return shape->form != FORM_FREE || request->choice.kind != PRODUCT_QK;
}

Arena *product_analysis_room(const ProductJob *making, ProductPart part, size_t bytes,
                             size_t scratch) {
    if (bytes > RESULTS_BYTES_MAX || scratch > RESULTS_BYTES_MAX) {
        err_fail(making->err, "W_QK", "would take %.1f GB; use a smaller d_model or fewer tokens",
                 (double)bytes / 1e9);
        return NULL;
    }
    return arena_reserve(making->scratch, scratch, making->err)
               ? part_reserve(&making->analysis->cache->parts[part], bytes, making->err)
               : NULL;
}

bool product_analysis_goes_on(const ProductJob *making) {
    return job_goes_on(making->job) || err_fail(making->err, "W_QK", "was stopped");
}

/* Push the product of the requested head. If entries of its W_QK are set by hand, push the edited
 * product. */
static bool push_product(const ProductJob *making, Arena *arena) {
    HeadProduct *p = &making->analysis->product;
    const HeadChoice *choice = &making->request->choice;
    int layer = making->request->layer;
    if (!head_product_push(p, arena, making->shape, &making->layer->params, choice, making->err))
        return false;
    if (choice->kind != PRODUCT_QK || !results_product_is_edited(making->run, layer, choice->head))
        return true;
    Mat used =
        attn_head_product(&results_trace(making->run, layer)->W_QK, making->shape, choice->head);
    head_product_edit(p, &used);
    return true;
}

static bool make_product(const ProductJob *making) {
    size_t bytes = head_product_bytes(making->shape, making->request->choice.kind);
    Arena *arena = product_analysis_room(making, PART_PRODUCT, bytes, 0);
    return arena != NULL && push_product(making, arena) && product_analysis_goes_on(making);
}

static bool make_vectors(const ProductJob *making) {
    size_t bytes = head_vectors_bytes(&making->analysis->product);
    Arena *arena = product_analysis_room(making, PART_VECTORS, bytes, 0);
    return arena != NULL && head_vectors_push(&making->analysis->product, arena, making->err) &&
           product_analysis_goes_on(making);
}

static bool make_spectrum(const ProductJob *making) {
    ProductAnalysis *analysis = making->analysis;
    size_t bytes = head_spectrum_bytes(&analysis->product, &analysis->inputs);
    Arena *arena = product_analysis_room(making, PART_SPECTRUM, bytes, 0);
    if (arena == NULL)
        return false;
    head_spectrum_push(&analysis->product, arena, &analysis->inputs);
    return product_analysis_goes_on(making);
}

/* The structs that a HeadInputs borrows. They are in an arena, so that they keep their address when
 * a Results or an analysis moves. */
typedef struct InputsRoom {
    Mat input, rotations, A;
    Mask mask;
} InputsRoom;

static HeadInputs inputs_of(const ProductJob *making, InputsRoom *room) {
    const AttnTrace *trace = results_trace(making->run, making->request->layer);
    const AttnShape *shape = making->shape;
    *room = (InputsRoom){trace->input, trace->rotations,
                         attn_head_scores(&trace->A, shape, making->request->choice.head),
                         making->run->mask};
    return (HeadInputs){.kind = making->request->choice.kind,
                        .input = &room->input,
                        .mask = &room->mask,
                        .rotations = shape->rope ? &room->rotations : NULL,
                        .A = &room->A,
                        .score_factor = shape->score_factor};
}

void product_analysis_unrotated(Mat *left, const ProductJob *making) {
    const AttnParams *params = &making->layer->params;
    const AttnShape *shape = making->shape;
    int head = making->request->choice.head;
    Mat from = attn_head_query(&params->p[ATTN_W_Q], shape, head);
    Mat rows = mat_rows(left, 0, shape->D);
    mat_copy(&rows, &from);
    if (left->rows > shape->D) {
        Mat bias = attn_head_query(&params->p[ATTN_B_Q], shape, head);
        Mat last = mat_rows(left, shape->D, 1);
        mat_copy(&last, &bias);
    }
}

/* Compute the products of the matrices of all distances (RoPE) with the tokens. These depend only
 * on X and the weights. */
static bool make_family(const ProductJob *making) {
    ProductAnalysis *analysis = making->analysis;
    const HeadProduct *p = &analysis->product;
    const Mat *input = &results_trace(making->run, making->request->layer)->input;
    Arena *scratch = making->scratch;
    int T = making->run->T, E = p->left.rows, m = p->left.cols;
    size_t bytes = mat_bytes_add(rope_offset_products_bytes(T, E, m), mat_bytes(T, T));
    size_t room = mat_bytes_add(rope_offset_products_scratch_bytes(T, E, m), mat_bytes(E, m));
    Arena *arena = product_analysis_room(making, PART_FAMILY, bytes, room);
    if (arena == NULL)
        return false;
    Mat left = mat_push(scratch, E, m);
    product_analysis_unrotated(&left, making);
    analysis->dots = mat_push(arena, T, T);
    rope_offset_products_through(&analysis->dots, input, &left, &p->right,
                                 making->shape->traits.rope, scratch);
    return product_analysis_goes_on(making) &&
           rope_offset_products_terms(&analysis->terms, arena, input, &left, &p->right,
                                      making->shape->traits.rope, scratch, making->err);
}

static size_t pass_bytes(const ProductJob *making, size_t *scratch) {
    const HeadProduct *p = &making->analysis->product;
    int T = making->run->T, E = p->product.rows, m = p->left.cols;
    size_t results = mat_bytes_add(head_result_bytes(T, E), head_result_bytes(T, E));
    *scratch = mat_bytes_add(head_scratch_bytes(T, E, m), mat_bytes(E, m));
    return results + sizeof(InputsRoom) + ARENA_ALIGN;
}

/* Compute the head's result from its factors and from the whole product. */
static void make_forms(const ProductJob *making, Arena *arena) {
    ProductAnalysis *analysis = making->analysis;
    const HeadProduct *p = &analysis->product;
    Arena *scratch = making->scratch;
    bool turns = product_analysis_turns(making->shape, making->request);
    analysis->separate = analysis->merged = (HeadResult){0};
    product_analysis_point(analysis);
    if (p->has_factors) {
        Mat left = mat_push(scratch, p->left.rows, p->left.cols);
        analysis->separate = head_result_push(arena, &analysis->inputs);
        mat_copy(&left, &p->left);
        if (turns)
            product_analysis_unrotated(&left, making);
        head_through_factors(&analysis->separate, &analysis->inputs, &left, &p->right, scratch);
    }
    if (!turns || analysis->dots.rows > 0)
        analysis->merged = head_result_push(arena, &analysis->inputs);
    if (!turns)
        head_through_product(&analysis->merged, &analysis->inputs, &p->product, scratch);
    else if (analysis->dots.rows > 0) {
        /* Compute scores and weights from the products with the matrices of all distances. */
        for (int i = 0; i < analysis->dots.rows; i++)
            for (int j = 0; j < analysis->dots.cols; j++)
                mat_row(&analysis->merged.S, i)[j] =
                    analysis->inputs.score_factor * mat_row(&analysis->dots, i)[j];
        softmax_rows(&analysis->merged.A, &analysis->merged.S, analysis->inputs.mask->open);
    }
}

static bool make_passes(const ProductJob *making) {
    ProductAnalysis *analysis = making->analysis;
    const Mask *mask = &making->run->mask;
    size_t scratch, bytes = pass_bytes(making, &scratch);
    Arena *arena = product_analysis_room(making, PART_PASSES, bytes, scratch);
    if (arena == NULL)
        return false;
    analysis->inputs = inputs_of(making, arena_push(arena, sizeof(InputsRoom)));
    make_forms(making, arena);
    analysis->form_S = head_result_difference(&analysis->separate, &analysis->merged, mask, true);
    analysis->form_A = head_result_difference(&analysis->separate, &analysis->merged, mask, false);
    return product_analysis_goes_on(making);
}

static bool make_curve(const ProductJob *making) {
    ProductAnalysis *analysis = making->analysis;
    const HeadProduct *p = &analysis->product;
    size_t bytes = rank_curve_bytes(making->run->T, p->product.rows);
    if (product_analysis_room(making, PART_CURVE, 0, bytes) == NULL)
        return false;
    rank_curve(&analysis->curve, p, &analysis->inputs, analysis->full, &analysis->terms,
               making->scratch);
    return product_analysis_goes_on(making);
}

/* Compute scores and weights after the matrices of all distances were cut to a rank. */
static void cut_family(HeadResult *out, const ProductAnalysis *analysis, int rank) {
    int kept = rank < analysis->terms.cols ? rank : analysis->terms.cols;
    memset(out->S.at, 0, (size_t)out->S.rows * (size_t)out->S.cols * sizeof *out->S.at);
    rope_offset_products_add(&out->S, &analysis->terms, 0, kept, analysis->inputs.score_factor);
    softmax_rows(&out->A, &out->S, analysis->inputs.mask->open);
}

static bool make_cut(const ProductJob *making) {
    ProductAnalysis *analysis = making->analysis;
    const ProductRequest *request = making->request;
    const HeadProduct *p = &analysis->product;
    const Mask *mask = &making->run->mask;
    int T = making->run->T, E = p->product.rows, m = p->left.cols;
    Arena *arena = product_analysis_room(making, PART_CUT, head_result_bytes(T, E),
                                         head_scratch_bytes(T, E, m));
    if (arena == NULL)
        return false;
    analysis->cut_result = (HeadResult){0};
    if (analysis->terms.rows > 0) {
        analysis->cut_result = head_result_push(arena, &analysis->inputs);
        cut_family(&analysis->cut_result, analysis, request->rank);
    } else if (!product_analysis_turns(making->shape, request)) {
        analysis->cut_result = head_result_push(arena, &analysis->inputs);
        head_through_rank(&analysis->cut_result, &analysis->inputs, p, request->rank,
                          making->scratch);
    }
    analysis->cut_S = head_result_difference(analysis->full, &analysis->cut_result, mask, true);
    analysis->cut_A = head_result_difference(analysis->full, &analysis->cut_result, mask, false);
    analysis->cut_KL = rank_curve_mean_divergence(&analysis->full->A, &analysis->cut_result.A);
    analysis->cut_loss = p->count > 0 ? rank_curve_loss(p->sigma, p->count, request->rank) : NAN;
    return product_analysis_goes_on(making);
}

static bool make_cut_product(const ProductJob *making) {
    ProductAnalysis *analysis = making->analysis;
    const ProductRequest *request = making->request;
    const HeadProduct *p = &analysis->product;
    int E = p->product.rows;
    Arena *arena =
        product_analysis_room(making, PART_CUT_PRODUCT, mat_bytes(E, E), mat_bytes(E, p->count));
    if (arena == NULL)
        return false;
    analysis->cut = mat_push(arena, E, E);
    head_product_truncate(&analysis->cut, p, request->rank, making->scratch);
    return product_analysis_goes_on(making);
}

static bool make_parts(const ProductJob *making) {
    ProductAnalysis *analysis = making->analysis;
    int E = analysis->product.product.rows;
    Arena *arena = product_analysis_room(making, PART_PARTS,
                                         mat_bytes_add(mat_bytes(E, E), mat_bytes(E, E)), 0);
    if (arena == NULL)
        return false;
    analysis->symmetric = mat_push(arena, E, E);
    analysis->antisymmetric = mat_push(arena, E, E);
    analysis->symmetric_share = head_product_parts(&analysis->symmetric, &analysis->antisymmetric,
                                                   &analysis->product.product);
    return product_analysis_goes_on(making);
}

/* Return the bytes of scratch memory for comparing the forms of one head. */
static size_t all_bytes(const AttnShape *shape, ProductKind kind) {
    int T = shape->T, E = attn_input_width(shape), m = head_product_width(shape, kind);
    size_t results = mat_bytes_add(head_result_bytes(T, E), head_result_bytes(T, E));
    size_t scratch =
        mat_bytes_add(head_scratch_bytes(T, E, m), rope_offset_products_scratch_bytes(T, E, m));
    size_t factors = mat_bytes_add(mat_bytes(E, m), mat_bytes(T, T));
    return mat_bytes_add(mat_bytes_add(head_product_bytes(shape, kind), results),
                         mat_bytes_add(scratch, factors));
}

bool product_analysis_has_all(const AttnShape *shape, const ProductRequest *request) {
    bool has_both =
        product_analysis_has_factors(shape, request) &&
        (!product_analysis_turns(shape, request) || product_analysis_has_family(shape, request));
    double T = shape->T, E = attn_input_width(shape),
           m = head_product_width(shape, request->choice.kind);
    double products = product_analysis_turns(shape, request) ? 2 * T : 1;
    return has_both && shape->H * E * (products * E * m + T * (T + m)) <= ALL_MULTIPLY_ADDS_MAX;
}

/* Compare the forms of one head in scratch memory, in the same way as make_product, make_family and
 * make_passes for the chosen head. */
static bool compare_head(const ProductJob *making, int head, float *most_S, float *most_A) {
    Arena *scratch = making->scratch;
    size_t mark = scratch->used;
    ProductRequest request = *making->request;
    ProductAnalysis own = {0};
    ProductJob one = *making;
    InputsRoom room;
    request.choice.head = head;
    request.choice.offset = 0; /* use the factors without a rotation */
    one.request = &request;
    one.analysis = &own;
    own.inputs = inputs_of(&one, &room);
    if (!push_product(&one, scratch))
        return false;
    HeadProduct *p = &own.product;
    if (product_analysis_turns(making->shape, &request)) {
        own.dots = mat_push(scratch, making->run->T, making->run->T);
        rope_offset_products_through(&own.dots, own.inputs.input, &p->left, &p->right,
                                     making->shape->traits.rope, scratch);
    }
    make_forms(&one, scratch);
    const Mask *mask = &making->run->mask;
    *most_S = stats_larger(*most_S, head_result_difference(&own.separate, &own.merged, mask, true));
    *most_A =
        stats_larger(*most_A, head_result_difference(&own.separate, &own.merged, mask, false));
    scratch->used = mark;
    return true;
}

static bool make_all(const ProductJob *making) {
    const AttnShape *shape = making->shape;
    size_t bytes = all_bytes(shape, making->request->choice.kind);
    float S = 0, A = 0;
    if (product_analysis_room(making, PART_ALL, 0, bytes) == NULL)
        return false;
    for (int h = 0; h < shape->H; h++)
        if (!compare_head(making, h, &S, &A) || !product_analysis_goes_on(making))
            return false;
    making->analysis->all_S = S;
    making->analysis->all_A = A;
    return true;
}

/* Compute the singular values of a W_QK sampled in the form free. If an entry is not finite there
 * are none, and the picture omits them. */
static bool make_free(const ProductJob *making) {
    ProductAnalysis *analysis = making->analysis;
    AttnShape shape = *making->shape;
    shape.form = FORM_FREE;
    int E = attn_input_width(&shape);
    Err err;
    Arena *arena = product_analysis_room(making, PART_FREE, (size_t)E * sizeof(double), 0);
    if (arena == NULL)
        return false;
    double *sigma = arena_push(arena, (size_t)E * sizeof *sigma);
    bool made = direct_w_qk_spectrum(sigma, making->request->choice.head, &shape,
                                     &making->layer->plan, &err);
    if (!made && strcmp(err.what, "memory") == 0) {
        *making->err = err;
        return false;
    }
    analysis->free_sigma = sigma;
    analysis->free_count = made ? E : 0;
    return product_analysis_goes_on(making);
}

static bool (*const MAKERS[PRODUCT_PARTS])(const ProductJob *making) = {
    [PART_PRODUCT] = make_product,
    [PART_FAMILY] = make_family,
    [PART_PASSES] = make_passes,
    [PART_VECTORS] = make_vectors,
    [PART_SPECTRUM] = make_spectrum,
    [PART_CURVE] = make_curve,
    [PART_CUT] = make_cut,
    [PART_CUT_PRODUCT] = make_cut_product,
    [PART_FRAME] = product_analysis_frame,
    [PART_FACTORS] = product_analysis_factors,
    [PART_TRANSFORM] = product_analysis_transform,
    [PART_STEP] = product_analysis_step,
    [PART_NESTED] = product_analysis_nested,
    [PART_PARTS] = make_parts,
    [PART_ALL] = make_all,
    [PART_FREE] = make_free,
};

bool product_analysis_part(const ProductJob *making, ProductPart part) {
    return MAKERS[part](making);
}

static void drop_cut(ProductAnalysis *analysis) {
    analysis->cut_result = (HeadResult){0};
    analysis->cut_S = analysis->cut_A = analysis->cut_KL = NAN;
    analysis->cut_loss = NAN;
}

void product_analysis_drop(ProductAnalysis *analysis, ProductPart part) {
    switch (part) {
    case PART_FAMILY:
        analysis->dots = analysis->terms = (Mat){0};
        break;
    case PART_VECTORS:
        analysis->product.u = analysis->product.v = (Mat){0};
        analysis->product.count = 0;
        break;
    case PART_SPECTRUM:
        analysis->product.row_parts = analysis->product.col_parts = (Mat){0};
        break;
    case PART_CURVE:
        analysis->curve.count = 0;
        break;
    case PART_CUT:
        drop_cut(analysis);
        break;
    case PART_CUT_PRODUCT:
        analysis->cut = (Mat){0};
        break;
    case PART_STEP:
        analysis->step = (ProductStep){0};
        break;
    case PART_NESTED:
        analysis->nested = (NestedReading){0};
        break;
    case PART_FRAME:
        analysis->frame = analysis->framed_left = analysis->framed_right = (Mat){0};
        break;
    case PART_FACTORS:
        analysis->transformed_left = analysis->transformed_right = (Mat){0};
        analysis->moved_left = analysis->moved_right = NAN;
        break;
    case PART_TRANSFORM:
        analysis->transformed = (HeadResult){0};
        analysis->transformed_S = analysis->transformed_A = NAN;
        break;
    case PART_PARTS:
        analysis->symmetric = analysis->antisymmetric = (Mat){0};
        break;
    case PART_ALL:
        analysis->all_S = analysis->all_A = NAN;
        break;
    case PART_FREE:
        analysis->free_count = 0;
        break;
    case PART_PRODUCT:
    case PART_PASSES:
    case PRODUCT_PARTS:
        break;
    }
}
