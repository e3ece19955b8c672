#include <math.h>
#include <string.h>

#include "math/softmax.h"
#include "model/init/scheme.h"
#include "results/by_hand.h"
#include "results/layer.h"

/* Limit of multiply-adds for comparing the forms over all heads: a few seconds. */
#define ALL_MULTIPLY_ADDS_MAX 2e11

/* True if the product depends on a distance: RoPE rotates between the factors of W_QK. */
static bool turns(const ProductJob *making) {
    return making->shape->rope && making->request->choice.kind == PRODUCT_QK;
}

static bool has_factors(const ProductJob *making) {
    return making->shape->form != FORM_FREE || making->request->choice.kind != PRODUCT_QK;
}

bool product_analysis_has_family(const ProductJob *making) {
    int m = head_product_width(making->shape, making->request->choice.kind);
    return turns(making) &&
           rope_offset_products_fit(making->shape->T, attn_input_width(making->shape), m);
}

static Arena *room_for(const ProductJob *making, ProductPart part, uint64_t bytes) {
    if (bytes <= RESULTS_BYTES_MAX)
        return part_reserve(&making->run->cache->product.parts[part], bytes, making->err);
    return err_null(making->err, "W_QK",
                    "would take %.1f GB; use a smaller d_model or fewer tokens",
                    (double)bytes / 1e9);
}

bool product_analysis_goes_on(const ProductJob *making) {
    return job_goes_on(making->job) || err_fail(making->err, "W_QK", "was stopped");
}

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
    Arena *arena = room_for(making, PART_PRODUCT, bytes);
    return arena != NULL && push_product(making, arena);
}

static bool make_vectors(const ProductJob *making) {
    HeadProduct *p = &making->analysis->product;
    Arena *arena = room_for(making, PART_VECTORS, head_vectors_bytes(p));
    return arena != NULL && head_vectors_push(p, arena, making->err);
}

static bool make_spectrum(const ProductJob *making) {
    HeadProduct *p = &making->analysis->product;
    const HeadInputs *inputs = &making->analysis->inputs;
    Arena *arena = room_for(making, PART_SPECTRUM, head_spectrum_bytes(p, inputs));
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

/* Return the head's left factor (E, m), without the rotation by a distance (RoPE), as a view. */
static Mat left_of(const ProductJob *making) {
    return turns(making) ? attn_head_factor(&making->layer->params, making->shape, ATTN_W_Q,
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
    Arena *arena = room_for(making, PART_FAMILY, bytes);
    if (arena == NULL)
        return false;
    Mat left = left_of(making);
    analysis->dots = mat_push(arena, T, T);
    rope_offset_products_through(&analysis->dots, input, &left, &p->right, rope, making->scratch);
    return product_analysis_goes_on(making) &&
           rope_offset_products_terms(&analysis->terms, arena, input, &left, &p->right, rope,
                                      making->scratch, making->err);
}

static void make_forms(const ProductJob *making, Arena *arena) {
    ProductAnalysis *analysis = making->analysis;
    const HeadProduct *p = &analysis->product;
    Arena *scratch = making->scratch;
    analysis->separate = analysis->merged = (HeadResult){0};
    product_analysis_point(analysis);
    if (p->has_factors) {
        Mat left = left_of(making);
        analysis->separate = head_result_push(arena, &analysis->inputs);
        head_through_factors(&analysis->separate, &analysis->inputs, &left, &p->right, scratch);
    }
    if (!turns(making) || analysis->dots.rows > 0)
        analysis->merged = head_result_push(arena, &analysis->inputs);
    if (!turns(making))
        head_through_product(&analysis->merged, &analysis->inputs, &p->product, scratch);
    else if (analysis->dots.rows > 0) {
        for (int i = 0; i < analysis->dots.rows; i++)
            for (int j = 0; j < analysis->dots.cols; j++)
                mat_row(&analysis->merged.S, i)[j] =
                    analysis->inputs.score_factor * mat_row(&analysis->dots, i)[j];
        softmax_rows(&analysis->merged.A, &analysis->merged.S, analysis->inputs.mask->open);
    }
}

static void compare_results(float *S, float *A, const HeadResult *a, const HeadResult *b,
                            const ProductJob *making) {
    *S = head_result_difference(a, b, &making->run->mask, true);
    *A = head_result_difference(a, b, &making->run->mask, false);
}

static bool make_passes(const ProductJob *making) {
    ProductAnalysis *a = making->analysis;
    uint64_t bytes = 2 * head_result_bytes(making->run->T, a->product.product.rows);
    Arena *arena = room_for(making, PART_PASSES, bytes + arena_padded(sizeof(InputsRoom)));
    if (arena == NULL)
        return false;
    a->inputs = inputs_of(making, arena_push(arena, sizeof(InputsRoom)));
    make_forms(making, arena);
    compare_results(&a->form_S, &a->form_A, &a->separate, &a->merged, making);
    return true;
}

static bool make_curve(const ProductJob *making) {
    ProductAnalysis *a = making->analysis;
    rank_curve(&a->curve, &a->product, &a->inputs, a->full, &a->terms, making->scratch);
    return true;
}

static bool make_cut(const ProductJob *making) {
    ProductAnalysis *a = making->analysis;
    const HeadProduct *p = &a->product;
    HeadResult *cut = &a->cut_result;
    int T = making->run->T, rank = making->request->rank;
    bool has_terms = a->terms.rows > 0; /* RoPE: cut the matrices of all distances */
    Arena *arena = room_for(making, PART_CUT, head_result_bytes(T, p->product.rows));
    if (arena == NULL)
        return false;
    if (has_terms || !turns(making))
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
    Arena *arena = room_for(making, PART_CUT_PRODUCT, mat_bytes(E, E));
    if (arena == NULL)
        return false;
    a->cut = mat_push(arena, E, E);
    head_product_truncate(&a->cut, &a->product, making->request->rank, making->scratch);
    return true;
}

static bool make_parts(const ProductJob *making) {
    ProductAnalysis *a = making->analysis;
    int E = a->product.product.rows;
    Arena *arena = room_for(making, PART_PARTS, 2 * mat_bytes(E, E));
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
    Arena *arena = room_for(making, PART_NESTED, bytes);
    return arena != NULL &&
           nested_reading_push(&making->analysis->nested, arena, &inputs, making->err);
}

/* Compute the random basis of R, and both factors in this basis. */
static bool make_frame(const ProductJob *making) {
    ProductAnalysis *a = making->analysis;
    int E = a->product.left.rows, m = a->product.left.cols;
    Arena *arena = room_for(making, PART_FRAME, mat_bytes(m, m) + 2 * mat_bytes(E, m));
    if (arena == NULL)
        return false;
    a->frame = mat_push(arena, m, m);
    a->framed_left = mat_push(arena, E, m);
    a->framed_right = mat_push(arena, E, m);
    if (!factor_transform_frame(&a->frame, making->request->transform.seed, making->err) ||
        !product_analysis_goes_on(making))
        return false;
    Mat left = left_of(making);
    mat_mul(&a->framed_left, &left, &a->frame, 1);
    mat_mul(&a->framed_right, &a->product.right, &a->frame, 1);
    return true;
}

static bool make_factors(const ProductJob *making) {
    ProductAnalysis *a = making->analysis;
    const FactorTransform *transform = &making->request->transform;
    int E = a->product.left.rows, m = a->product.left.cols;
    Arena *arena = room_for(making, PART_FACTORS, 2 * mat_bytes(E, m));
    if (arena == NULL)
        return false;
    Mat left = left_of(making);
    a->transformed_left = mat_push(arena, E, m);
    a->transformed_right = mat_push(arena, E, m);
    if (transform->turn == 0) { /* R = I */
        mat_copy(&a->transformed_left, &left);
        mat_copy(&a->transformed_right, &a->product.right);
    } else {
        factor_transform_apply(&a->transformed_left, &a->framed_left, &a->frame, transform,
                               FACTOR_LEFT, making->scratch);
        factor_transform_apply(&a->transformed_right, &a->framed_right, &a->frame, transform,
                               FACTOR_RIGHT, making->scratch);
    }
    a->moved_left = factor_transform_moved(&left, &a->transformed_left);
    a->moved_right = factor_transform_moved(&a->product.right, &a->transformed_right);
    return true;
}

static bool make_transform(const ProductJob *making) {
    ProductAnalysis *a = making->analysis;
    uint64_t bytes = head_result_bytes(making->run->T, a->product.left.rows);
    Arena *arena = room_for(making, PART_TRANSFORM, bytes);
    if (arena == NULL)
        return false;
    a->transformed = head_result_push(arena, &a->inputs);
    head_through_factors(&a->transformed, &a->inputs, &a->transformed_left, &a->transformed_right,
                         making->scratch);
    compare_results(&a->transformed_S, &a->transformed_A, &a->separate, &a->transformed, making);
    return true;
}

static bool make_step(const ProductJob *making) {
    ProductAnalysis *a = making->analysis;
    const ProductRequest *request = making->request;
    int E = a->product.product.rows;
    if (!has_factors(making))
        return true;
    if (!results_gradient_make(making->run, request->layer, GRADIENT_USED, making->err))
        return false;
    Arena *arena = room_for(making, PART_STEP, 3 * mat_bytes(E, E));
    if (arena == NULL)
        return false;
    const GradientResults *gradient = &making->layer->gradient;
    const StepInputs of = {making->shape, &request->choice, &a->inputs, &gradient->back,
                           &gradient->G};
    product_step_push(&a->step, arena, &a->product, &of, request->rate, making->scratch);
    return true;
}

/* True if both forms exist and can be compared over all heads within a few seconds. */
static bool has_all(const ProductJob *making) {
    const AttnShape *shape = making->shape;
    bool has_both = has_factors(making) && (!turns(making) || product_analysis_has_family(making));
    double T = shape->T, E = attn_input_width(shape),
           m = head_product_width(shape, making->request->choice.kind);
    double products = turns(making) ? 2 * T : 1;
    return has_both && shape->H * E * (products * E * m + T * (T + m)) <= ALL_MULTIPLY_ADDS_MAX;
}

/* Raise analysis->all_S and all_A to the differences between the forms in one head. Uses scratch
 * memory only; make_product, make_family and make_passes do the same for the chosen head and keep
 * the results. */
static bool compare_head(const ProductJob *making, int head) {
    Arena *scratch = making->scratch;
    size_t mark = scratch->used;
    ProductRequest request = *making->request;
    ProductAnalysis own = {0};
    ProductJob one = *making;
    InputsRoom room;
    request.choice.head = head;
    request.choice.offset = 0; /* so that the factors are not rotated */
    one.request = &request;
    one.analysis = &own;
    own.inputs = inputs_of(&one, &room);
    if (!push_product(&one, scratch))
        return false;
    HeadProduct *p = &own.product;
    if (turns(making)) {
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
    Arena *arena = room_for(making, PART_FREE, (size_t)E * sizeof(double));
    if (arena == NULL)
        return false;
    double *sigma = arena_push(arena, (size_t)E * sizeof *sigma);
    bool made = scheme_free_spectrum(sigma, making->request->choice.head, &shape,
                                     &making->layer->plan, &err);
    if (!made && strcmp(err.what, "memory") == 0) {
        *making->err = err;
        return false;
    }
    analysis->free_sigma = sigma;
    analysis->free_count = made ? E : 0;
    return true;
}

void product_analysis_wanted(bool wanted[PRODUCT_PARTS], const ProductJob *making) {
    const ProductRequest *r = making->request;
    for (ProductPart part = 0; part < PRODUCT_PARTS; part++)
        wanted[part] = true;
    wanted[PART_FAMILY] = r->follows && product_analysis_has_family(making);
    wanted[PART_CUT_PRODUCT] = r->cut;
    wanted[PART_FRAME] = has_factors(making) && r->transform.turn != 0;
    wanted[PART_FACTORS] = wanted[PART_TRANSFORM] = has_factors(making);
    wanted[PART_STEP] = r->step;
    wanted[PART_NESTED] = r->nested;
    wanted[PART_PARTS] = r->parts;
    wanted[PART_ALL] = r->follows && r->all && has_all(making);
    wanted[PART_FREE] = r->follows && r->free;
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
    [PART_FRAME] = {make_frame, OF_HEAD | OF_SEED, FIELDS(frame, framed_right)},
    [PART_FACTORS] = {make_factors, OF_HEAD | OF_TURN | OF_SEED,
                      FIELDS(transformed_left, moved_right)},
    [PART_TRANSFORM] = {make_transform, OF_HEAD | OF_PASS | OF_TURN | OF_SEED,
                        FIELDS(transformed, transformed_A)},
    [PART_STEP] = {make_step, OF_HEAD | OF_OFFSET | OF_PASS | OF_RATE, FIELDS(step, step)},
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
