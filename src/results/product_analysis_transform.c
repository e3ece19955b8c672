#include "results/product_analysis_parts.h"

/* Compute the random basis of R, and both factors in this basis. */
bool product_analysis_frame(const ProductJob *making) {
    ProductAnalysis *analysis = making->analysis;
    const HeadProduct *p = &analysis->product;
    int E = p->left.rows, m = p->left.cols;
    uint64_t wide = mat_bytes(E, m) + mat_bytes(E, m);
    Arena *arena = product_analysis_room(making, PART_FRAME, mat_bytes(m, m) + wide, 0);
    if (arena == NULL)
        return false;
    analysis->frame = mat_push(arena, m, m);
    analysis->framed_left = mat_push(arena, E, m);
    analysis->framed_right = mat_push(arena, E, m);
    if (!factor_transform_frame(&analysis->frame, making->request->transform.seed, making->err) ||
        !product_analysis_goes_on(making))
        return false;
    Mat left = product_analysis_left(making);
    mat_mul(&analysis->framed_left, &left, &analysis->frame, 1);
    mat_mul(&analysis->framed_right, &p->right, &analysis->frame, 1);
    return true;
}

/* Compute W_Q·R and W_K·R⁻ᵀ for the requested R. */
bool product_analysis_factors(const ProductJob *making) {
    ProductAnalysis *analysis = making->analysis;
    const HeadProduct *p = &analysis->product;
    const FactorTransform *transform = &making->request->transform;
    int E = p->left.rows, m = p->left.cols;
    Arena *scratch = making->scratch;
    uint64_t factors = mat_bytes(E, m) + mat_bytes(E, m);
    Arena *arena =
        product_analysis_room(making, PART_FACTORS, factors, factor_transform_scratch_bytes(E, m));
    if (arena == NULL)
        return false;
    Mat left = product_analysis_left(making);
    analysis->transformed_left = mat_push(arena, E, m);
    analysis->transformed_right = mat_push(arena, E, m);
    if (transform->turn == 0) { /* R = I */
        mat_copy(&analysis->transformed_left, &left);
        mat_copy(&analysis->transformed_right, &p->right);
    } else {
        factor_transform_apply(&analysis->transformed_left, &analysis->framed_left,
                               &analysis->frame, transform, FACTOR_LEFT, scratch);
        factor_transform_apply(&analysis->transformed_right, &analysis->framed_right,
                               &analysis->frame, transform, FACTOR_RIGHT, scratch);
    }
    analysis->moved_left = factor_transform_moved(&left, &analysis->transformed_left);
    analysis->moved_right = factor_transform_moved(&p->right, &analysis->transformed_right);
    return true;
}

/* Compute the head's result with the transformed factors. */
bool product_analysis_transform(const ProductJob *making) {
    ProductAnalysis *analysis = making->analysis;
    const Mask *mask = &making->run->mask;
    int T = making->run->T, E = analysis->product.left.rows, m = analysis->product.left.cols;
    Arena *arena = product_analysis_room(making, PART_TRANSFORM, head_result_bytes(T, E),
                                         head_scratch_bytes(T, E, m));
    if (arena == NULL)
        return false;
    analysis->transformed = head_result_push(arena, &analysis->inputs);
    head_through_factors(&analysis->transformed, &analysis->inputs, &analysis->transformed_left,
                         &analysis->transformed_right, making->scratch);
    analysis->transformed_S =
        head_result_difference(&analysis->separate, &analysis->transformed, mask, true);
    analysis->transformed_A =
        head_result_difference(&analysis->separate, &analysis->transformed, mask, false);
    return true;
}
