#include "results/product_analysis_parts.h"

/* Compute the random frame of R and both factors in its basis. */
bool product_analysis_frame(const ProductJob *making) {
    ProductAnalysis *merge = making->merge;
    const HeadProduct *p = &merge->product;
    int E = p->left.rows, m = p->left.cols;
    Arena *scratch = making->scratch;
    size_t wide = mat_bytes_add(mat_bytes(E, m), mat_bytes(E, m));
    Arena *arena = product_analysis_room(making, PART_FRAME, mat_bytes_add(mat_bytes(m, m), wide),
                                         mat_bytes(E, m));
    if (arena == NULL)
        return false;
    merge->frame = mat_push(arena, m, m);
    merge->framed_left = mat_push(arena, E, m);
    merge->framed_right = mat_push(arena, E, m);
    if (!factor_transform_frame(&merge->frame, making->request->gauge.seed, making->err) ||
        !product_analysis_goes_on(making))
        return false;
    Mat left = mat_push(scratch, E, m);
    mat_copy(&left, &p->left);
    if (product_analysis_turns(making->shape, making->request))
        product_analysis_unturned(&left, making);
    mat_mul(&merge->framed_left, &left, &merge->frame, 1);
    mat_mul(&merge->framed_right, &p->right, &merge->frame, 1);
    return product_analysis_goes_on(making);
}

/* Compute W_Q·R and W_K·R⁻ᵀ. */
bool product_analysis_turned(const ProductJob *making) {
    ProductAnalysis *merge = making->merge;
    const HeadProduct *p = &merge->product;
    const FactorTransform *gauge = &making->request->gauge;
    int E = p->left.rows, m = p->left.cols;
    Arena *scratch = making->scratch;
    size_t factors = mat_bytes_add(mat_bytes(E, m), mat_bytes(E, m));
    Arena *arena =
        product_analysis_room(making, PART_TURNED, factors,
                              mat_bytes_add(mat_bytes(E, m), factor_transform_scratch_bytes(E, m)));
    if (arena == NULL)
        return false;
    Mat left = mat_push(scratch, E, m);
    mat_copy(&left, &p->left);
    if (product_analysis_turns(making->shape, making->request))
        product_analysis_unturned(&left, making);
    merge->turned_left = mat_push(arena, E, m);
    merge->turned_right = mat_push(arena, E, m);
    if (gauge->turn == 0) { /* R = I */
        mat_copy(&merge->turned_left, &left);
        mat_copy(&merge->turned_right, &p->right);
    } else {
        factor_transform_apply(&merge->turned_left, &merge->framed_left, &merge->frame, gauge,
                               FACTOR_LEFT, scratch);
        factor_transform_apply(&merge->turned_right, &merge->framed_right, &merge->frame, gauge,
                               FACTOR_RIGHT, scratch);
    }
    merge->moved_left = factor_transform_moved(&left, &merge->turned_left);
    merge->moved_right = factor_transform_moved(&p->right, &merge->turned_right);
    return product_analysis_goes_on(making);
}

/* Compute the head's result with these factors. */
bool product_analysis_gauge(const ProductJob *making) {
    ProductAnalysis *merge = making->merge;
    const Mask *mask = &making->run->mask;
    int T = making->run->T, E = merge->product.left.rows, m = merge->product.left.cols;
    Arena *arena = product_analysis_room(making, PART_GAUGE, head_result_bytes(T, E),
                                         head_scratch_bytes(T, E, m));
    if (arena == NULL)
        return false;
    merge->turned = head_result_push(arena, &merge->site);
    head_through_factors(&merge->turned, &merge->site, &merge->turned_left, &merge->turned_right,
                         making->scratch);
    merge->turned_S = head_result_difference(merge->full, &merge->turned, mask, true);
    merge->turned_A = head_result_difference(merge->full, &merge->turned, mask, false);
    return product_analysis_goes_on(making);
}
