#include "results/product_analysis_parts.h"

#include "model/attention/rope.h"
#include "results/layer.h"

/* Write ∂L/∂W as a product of two factors. For W_QK these are the inputs, and dS times the inputs;
 * for W_OV A·X and the gradient of the output. */
static void gradient_factors(ProductGradient *out, const ProductJob *making, Arena *scratch) {
    const ProductRequest *request = making->request;
    const HeadInputs *inputs = &making->analysis->inputs;
    const GradientResults *gradient = &making->run->layers[request->layer].gradient;
    int T = making->run->T, E = inputs->input->cols;
    Mat rows = mat_push(scratch, T, E);
    const Mat *other = inputs->input;
    bool scores = request->choice.kind == PRODUCT_QK;
    if (scores) {
        Mat dS = attn_head_scores(&gradient->back.S, making->shape, request->choice.head);
        mat_mul(&rows, &dS, inputs->input, inputs->score_factor);
    } else {
        mat_mul(&rows, inputs->A, inputs->input, 1);
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

/* With RoPE, write the factors of the gradient of one distance's W_QK, which acts on pairs of a
 * query and the key at that distance. Also write the factors of the gradients of W_Q and W_K, which
 * all distances share; the gradient of W_Q is rotated as W_Q is in the product. */
static void distance_factors(ProductGradient *out, const ProductJob *making, Arena *scratch) {
    const HeadChoice *choice = &making->request->choice;
    const AttnShape *shape = making->shape;
    const Mat *input = making->analysis->inputs.input;
    const AttnBack *back = &making->run->layers[making->request->layer].gradient.back;
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
    Mat rotations = mat_push(scratch, 1, shape->K), rotated = mat_push(scratch, shape->T, shape->K);
    rope_angles(rotations.at, shape->K, choice->offset, shape->traits.rope);
    mat_copy(&rotated, &dQ);
    rope_rotate(&rotated, &rotations);
    mat_transpose(&out->left_in, input);
    mat_transpose(&out->right_in, input);
    mat_transpose(&out->left_by, &rotated);
    mat_transpose(&out->right_by, &dK);
}

bool product_analysis_step(const ProductJob *making) {
    ProductAnalysis *analysis = making->analysis;
    HeadProduct *p = &analysis->product;
    int T = making->run->T, E = p->product.rows, m = p->left.cols;
    if (!product_analysis_has_factors(making->shape, making->request))
        return true;
    uint64_t scratch = product_step_scratch_bytes(T, E, m) + mat_bytes(T, E);
    scratch += product_gradient_bytes(T, E, m);
    scratch += mat_bytes(1, m) + mat_bytes(T, m);
    if (!results_gradient_make(making->run, making->request->layer, GRADIENT_USED, making->err))
        return false;
    Arena *arena = product_analysis_room(making, PART_STEP, product_step_bytes(E), scratch);
    if (arena == NULL)
        return false;
    Arena *room = making->scratch;
    ProductGradient gradient = product_gradient_push(room, T, E, m);
    if (product_analysis_turns(making->shape, making->request)) {
        distance_factors(&gradient, making, room);
    } else {
        gradient_factors(&gradient, making, room);
        product_gradient_follow(&gradient, p);
    }
    analysis->step = product_step_push(arena, E);
    product_step(&analysis->step, p, &gradient, making->request->rate, room);
    return true;
}
