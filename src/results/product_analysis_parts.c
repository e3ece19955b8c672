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

Arena *product_analysis_room(const ProductJob *making, ProductPart part, uint64_t bytes,
                             uint64_t scratch) {
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
    if (choice->kind == PRODUCT_QK && results_product_is_edited(making->run, layer, choice->head)) {
        Mat used = attn_head_product(&results_trace(making->run, layer)->W_QK, making->shape,
                                     choice->head);
        head_product_edit(p, &used);
    }
    return true;
}

static bool make_product(const ProductJob *making) {
    uint64_t bytes = head_product_bytes(making->shape, making->request->choice.kind);
    Arena *arena = product_analysis_room(making, PART_PRODUCT, bytes, 0);
    return arena != NULL && push_product(making, arena);
}

static bool make_vectors(const ProductJob *making) {
    HeadProduct *p = &making->analysis->product;
    Arena *arena = product_analysis_room(making, PART_VECTORS, head_vectors_bytes(p), 0);
    return arena != NULL && head_vectors_push(p, arena, making->err);
}

static bool make_spectrum(const ProductJob *making) {
    HeadProduct *p = &making->analysis->product;
    const HeadInputs *inputs = &making->analysis->inputs;
    Arena *arena = product_analysis_room(making, PART_SPECTRUM, head_spectrum_bytes(p, inputs), 0);
    if (arena != NULL)
        head_spectrum_push(p, arena, inputs);
    return arena != NULL;
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

Mat product_analysis_left(const ProductJob *making) {
    bool turns = product_analysis_turns(making->shape, making->request);
    return turns ? attn_head_factor(&making->layer->params, making->shape, ATTN_W_Q,
                                    making->request->choice.head)
                 : making->analysis->product.left;
}

/* Compute the products of the matrices of all distances (RoPE) with the tokens. These depend only
 * on X and the weights. */
static bool make_family(const ProductJob *making) {
    ProductAnalysis *analysis = making->analysis;
    const HeadProduct *p = &analysis->product;
    const Mat *input = &results_trace(making->run, making->request->layer)->input;
    const Rope rope = making->shape->traits.rope;
    int T = making->run->T, E = p->left.rows, m = p->left.cols;
    uint64_t bytes = rope_offset_products_bytes(T, E, m) + mat_bytes(T, T);
    uint64_t room = rope_offset_products_scratch_bytes(T, E, m);
    Arena *arena = product_analysis_room(making, PART_FAMILY, bytes, room);
    if (arena == NULL)
        return false;
    Mat left = product_analysis_left(making);
    analysis->dots = mat_push(arena, T, T);
    rope_offset_products_through(&analysis->dots, input, &left, &p->right, rope, making->scratch);
    return product_analysis_goes_on(making) &&
           rope_offset_products_terms(&analysis->terms, arena, input, &left, &p->right, rope,
                                      making->scratch, making->err);
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
        Mat left = product_analysis_left(making);
        analysis->separate = head_result_push(arena, &analysis->inputs);
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

/* Set the largest differences between the two results. */
static void compare_results(float *S, float *A, const HeadResult *a, const HeadResult *b,
                            const ProductJob *making) {
    *S = head_result_difference(a, b, &making->run->mask, true);
    *A = head_result_difference(a, b, &making->run->mask, false);
}

static bool make_passes(const ProductJob *making) {
    ProductAnalysis *a = making->analysis;
    int T = making->run->T, E = a->product.product.rows, m = a->product.left.cols;
    uint64_t results = head_result_bytes(T, E) + head_result_bytes(T, E);
    Arena *arena =
        product_analysis_room(making, PART_PASSES, results + arena_padded(sizeof(InputsRoom)),
                              head_scratch_bytes(T, E, m));
    if (arena == NULL)
        return false;
    a->inputs = inputs_of(making, arena_push(arena, sizeof(InputsRoom)));
    make_forms(making, arena);
    compare_results(&a->form_S, &a->form_A, &a->separate, &a->merged, making);
    return true;
}

static bool make_curve(const ProductJob *making) {
    ProductAnalysis *a = making->analysis;
    uint64_t bytes = rank_curve_bytes(making->run->T, a->product.product.rows);
    Arena *arena = product_analysis_room(making, PART_CURVE, 0, bytes);
    if (arena != NULL)
        rank_curve(&a->curve, &a->product, &a->inputs, a->full, &a->terms, making->scratch);
    return arena != NULL;
}

static bool make_cut(const ProductJob *making) {
    ProductAnalysis *a = making->analysis;
    const HeadProduct *p = &a->product;
    HeadResult *cut = &a->cut_result;
    int T = making->run->T, E = p->product.rows, m = p->left.cols, rank = making->request->rank;
    bool has_terms = a->terms.rows > 0; /* RoPE: the matrices of all distances are cut */
    Arena *arena = product_analysis_room(making, PART_CUT, head_result_bytes(T, E),
                                         head_scratch_bytes(T, E, m));
    if (arena == NULL)
        return false;
    if (has_terms || !product_analysis_turns(making->shape, making->request))
        *cut = head_result_push(arena, &a->inputs);
    if (has_terms) {
        int kept = rank < a->terms.cols ? rank : a->terms.cols;
        memset(cut->S.at, 0, (size_t)T * (size_t)T * sizeof *cut->S.at);
        rope_offset_products_add(&cut->S, &a->terms, 0, kept, a->inputs.score_factor);
        softmax_rows(&cut->A, &cut->S, a->inputs.mask->open);
    } else if (cut->S.rows > 0) {
        head_through_rank(cut, &a->inputs, p, rank, making->scratch);
    }
    compare_results(&a->cut_S, &a->cut_A, a->full, cut, making);
    a->cut_KL = rank_curve_mean_divergence(&a->full->A, &cut->A);
    a->cut_loss = p->count > 0 ? rank_curve_loss(p->sigma, p->count, rank) : NAN;
    return true;
}

static bool make_cut_product(const ProductJob *making) {
    ProductAnalysis *a = making->analysis;
    int E = a->product.product.rows;
    Arena *arena = product_analysis_room(making, PART_CUT_PRODUCT, mat_bytes(E, E),
                                         mat_bytes(E, a->product.count));
    if (arena == NULL)
        return false;
    a->cut = mat_push(arena, E, E);
    head_product_truncate(&a->cut, &a->product, making->request->rank, making->scratch);
    return true;
}

static bool make_parts(const ProductJob *making) {
    ProductAnalysis *a = making->analysis;
    int E = a->product.product.rows;
    uint64_t bytes = mat_bytes(E, E) + mat_bytes(E, E);
    Arena *arena = product_analysis_room(making, PART_PARTS, bytes, 0);
    if (arena == NULL)
        return false;
    a->symmetric = mat_push(arena, E, E);
    a->antisymmetric = mat_push(arena, E, E);
    a->symmetric_share = head_product_parts(&a->symmetric, &a->antisymmetric, &a->product.product);
    return true;
}

static bool make_nested(const ProductJob *making) {
    const ProductRequest *request = making->request;
    AttnShape shape = *making->shape;
    shape.form = FORM_NESTED;
    const NestedInputs inputs = {.shape = &shape,
                                 .plan = &making->layer->plan,
                                 .x = &making->run->X,
                                 .mask = &making->run->mask,
                                 .kind = request->choice.kind,
                                 .head = request->choice.head};
    uint64_t bytes = nested_reading_bytes(&shape, request->choice.kind);
    uint64_t scratch = nested_reading_scratch_bytes(&shape);
    Arena room = {0}; /* freed at once, because it is large and this page is rarely open */
    Arena *arena = product_analysis_room(making, PART_NESTED, bytes, 0);
    if (arena == NULL || scratch > RESULTS_BYTES_MAX || !arena_reserve(&room, scratch, making->err))
        return arena != NULL && scratch > RESULTS_BYTES_MAX; /* the page shows why it is empty */
    bool made = nested_reading_push(&making->analysis->nested, arena, &inputs, &room, making->err);
    arena_release(&room);
    return made;
}

/* Return the scratch bytes for comparing one head. */
static uint64_t all_bytes(const AttnShape *shape, ProductKind kind) {
    int T = shape->T, E = attn_input_width(shape), m = head_product_width(shape, kind);
    uint64_t results = head_result_bytes(T, E) + head_result_bytes(T, E);
    uint64_t scratch = head_scratch_bytes(T, E, m) + rope_offset_products_scratch_bytes(T, E, m);
    return head_product_bytes(shape, kind) + results + scratch + mat_bytes(T, T);
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

/* Compute one head by its factors and by their product, and raise the largest differences of S and
 * A over all heads. Uses scratch memory only; make_product, make_family and make_passes do the same
 * for the chosen head and keep the results. */
static bool compare_head(const ProductJob *making, int head) {
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
    compare_results(&own.form_S, &own.form_A, &own.separate, &own.merged, making);
    making->analysis->all_S = stats_larger(making->analysis->all_S, own.form_S);
    making->analysis->all_A = stats_larger(making->analysis->all_A, own.form_A);
    scratch->used = mark;
    return true;
}

static bool make_all(const ProductJob *making) {
    uint64_t bytes = all_bytes(making->shape, making->request->choice.kind);
    if (product_analysis_room(making, PART_ALL, 0, bytes) == NULL)
        return false;
    making->analysis->all_S = making->analysis->all_A = 0;
    for (int h = 0; h < making->shape->H; h++)
        if (!compare_head(making, h) || !product_analysis_goes_on(making))
            return false;
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
    return true;
}

#define FIELDS(first, last)                                                                        \
    offsetof(ProductAnalysis, first),                                                              \
        offsetof(ProductAnalysis, last) + sizeof((ProductAnalysis *)NULL)->last

const PartRow PRODUCT_PART_ROWS[PRODUCT_PARTS] = {
    [PART_PRODUCT] = {make_product, OF_HEAD | OF_OFFSET, 0, 0},
    [PART_FAMILY] = {make_family, OF_HEAD | OF_X, FIELDS(dots, terms)},
    [PART_PASSES] = {make_passes, OF_HEAD | OF_PASS, 0, 0},
    [PART_VECTORS] = {make_vectors, OF_HEAD | OF_OFFSET, FIELDS(product.u, product.count)},
    [PART_SPECTRUM] = {make_spectrum, OF_HEAD | OF_OFFSET | OF_X,
                       FIELDS(product.row_parts, product.col_parts)},
    [PART_CURVE] = {make_curve, OF_HEAD | OF_OFFSET | OF_PASS, FIELDS(curve, curve)},
    [PART_CUT] = {make_cut, OF_HEAD | OF_OFFSET | OF_PASS | OF_RANK, FIELDS(cut_result, cut_loss)},
    [PART_CUT_PRODUCT] = {make_cut_product, OF_HEAD | OF_OFFSET | OF_RANK, FIELDS(cut, cut)},
    [PART_FRAME] = {product_analysis_frame, OF_HEAD | OF_SEED, FIELDS(frame, framed_right)},
    [PART_FACTORS] = {product_analysis_factors, OF_HEAD | OF_TURN | OF_SEED,
                      FIELDS(transformed_left, moved_right)},
    [PART_TRANSFORM] = {product_analysis_transform, OF_HEAD | OF_PASS | OF_TURN | OF_SEED,
                        FIELDS(transformed, transformed_A)},
    [PART_STEP] = {product_analysis_step, OF_HEAD | OF_OFFSET | OF_PASS | OF_RATE,
                   FIELDS(step, step)},
    [PART_NESTED] = {make_nested, OF_HEAD | OF_PASS, FIELDS(nested, nested)},
    [PART_PARTS] = {make_parts, OF_HEAD | OF_OFFSET, FIELDS(symmetric, symmetric_share)},
    [PART_ALL] = {make_all, OF_PASS, FIELDS(all_S, all_A)},
    [PART_FREE] = {make_free, OF_HEAD, FIELDS(free_sigma, free_count)},
};

const ProductAnalysis PRODUCT_ABSENT = {.cut_S = NAN,
                                        .cut_A = NAN,
                                        .cut_KL = NAN,
                                        .cut_loss = NAN,
                                        .moved_left = NAN,
                                        .moved_right = NAN,
                                        .transformed_S = NAN,
                                        .transformed_A = NAN,
                                        .all_S = NAN,
                                        .all_A = NAN};
