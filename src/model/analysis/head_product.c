#include "model/analysis/head_product.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "math/decompose.h"
#include "math/softmax.h"
#include "model/analysis/stats.h"
#include "model/attention/position.h"

static const Entry ROWS[] = {
    {"qk", "W_QK", "W_{QK} = W_Q W_K^⊤",
     "Product of the query and key weights: it makes the scores."},
    {"ov", "W_OV", "W_{OV} = W_V W_O",
     "Product of the value and output weights: it makes the output."},
};
const Registry PRODUCTS = REGISTRY("products", "product", ROWS);

static bool is_free(const AttnShape *shape, ProductKind kind) {
    return kind == PRODUCT_QK && shape->form == FORM_FREE;
}

int head_product_width(const AttnShape *shape, ProductKind kind) {
    if (is_free(shape, kind))
        return attn_input_width(shape);
    return kind == PRODUCT_QK ? shape->K : shape->V;
}

/* Return the number of singular values; 0 if it exceeds HEAD_PRODUCT_SIGMA_MAX. */
static int sigma_count(const HeadProduct *p) {
    int E = p->left.rows, m = p->left.cols, count = m < E && !p->is_edited ? m : E;
    return count <= HEAD_PRODUCT_SIGMA_MAX ? count : 0;
}

uint64_t head_product_bytes(const AttnShape *shape, ProductKind kind) {
    int E = attn_input_width(shape), m = head_product_width(shape, kind);
    uint64_t bytes = mat_bytes(E, m) + mat_bytes(E, m);
    bytes += mat_bytes(E, E);
    return bytes + mat_bytes(1, m); /* the last term is a row of rotations */
}

uint64_t head_vectors_bytes(const HeadProduct *p) {
    int E = p->left.rows, count = sigma_count(p);
    uint64_t vectors = mat_bytes(E, count) + mat_bytes(E, count);
    return vectors + arena_padded((size_t)count * sizeof(double));
}

static void copy_factors(HeadProduct *p, const AttnShape *shape, const AttnParams *params,
                         const HeadChoice *choice) {
    bool scores = p->kind == PRODUCT_QK;
    Mat left = p->has_factors
                   ? attn_head_factor(params, shape, scores ? ATTN_W_Q : ATTN_W_V, choice->head)
                   : attn_head_product(&params->p[ATTN_W_QK], shape, choice->head);
    mat_copy(&p->left, &left);
    if (!p->has_factors) {
        mat_diagonal(&p->right, 1);
    } else if (scores) {
        Mat right = attn_head_factor(params, shape, ATTN_W_K, choice->head);
        mat_copy(&p->right, &right);
    } else { /* right is W_Oᵀ; its row for the constant 1, if there is one, is 0 */
        int D = shape->D;
        Mat W_O = mat_rows(&params->p[ATTN_W_O], choice->head * shape->V, shape->V);
        Mat rows = mat_rows(&p->right, 0, D), last = mat_rows(&p->right, D, p->right.rows - D);
        mat_transpose(&rows, &W_O);
        mat_diagonal(&last, 0);
    }
}

bool head_product_push(HeadProduct *out, Arena *arena, const AttnShape *shape,
                       const AttnParams *params, const HeadChoice *choice, Err *err) {
    int E = attn_input_width(shape), m = head_product_width(shape, choice->kind);
    *out = (HeadProduct){.kind = choice->kind, .has_factors = !is_free(shape, choice->kind)};
    out->left = mat_push(arena, E, m);
    out->right = mat_push(arena, E, m);
    out->product = mat_push(arena, E, E);
    copy_factors(out, shape, params, choice);
    if (shape->rope && choice->kind == PRODUCT_QK) {
        Mat rotations = mat_push(arena, 1, m);
        rope_angles(rotations.at, m, choice->offset, shape->traits.rope);
        rope_rotate(&out->left, &rotations);
    }
    if (!mat_is_finite(&out->left) || !mat_is_finite(&out->right))
        return err_fail(err, "weights",
                        "are too large for float32; use a scheme with smaller weights");
    mat_mul_bt(&out->product, &out->left, &out->right, 1);
    return true;
}

void head_product_edit(HeadProduct *p, const Mat *used) {
    mat_copy(&p->product, used);
    p->is_edited = true;
}

bool head_vectors_push(HeadProduct *p, Arena *arena, Err *err) {
    int E = p->left.rows, count = sigma_count(p);
    p->u = mat_push(arena, E, count);
    p->v = mat_push(arena, E, count);
    p->sigma = arena_push_zero(arena, (size_t)count * sizeof *p->sigma);
    p->count = count;
    if (count == 0)
        return true;
    if (!p->is_edited)
        return decompose_product(&p->u, p->sigma, &p->v, &p->left, &p->right, err);
    if (!decompose_matrix(&p->u, p->sigma, &p->v, &p->product, err))
        return false;
    /* Leave out values that are only rounding errors. An edited product can have a rank above d_k,
     * so more than d_k values may remain. */
    double least = p->sigma[0] * (double)FLT_EPSILON * p->product.rows;
    while (p->count > 1 && p->sigma[p->count - 1] <= least)
        p->count--;
    p->u = mat_cols(&p->u, 0, p->count);
    p->v = mat_cols(&p->v, 0, p->count);
    return true;
}

/* True if there are no row_parts and col_parts: without singular values, or for W_QK with RoPE,
 * where no single matrix gives the scores. */
static bool has_no_parts(const HeadProduct *p, const HeadInputs *inputs) {
    return p->count == 0 || (p->kind == PRODUCT_QK && inputs->rotations != NULL);
}

uint64_t head_spectrum_bytes(const HeadProduct *p, const HeadInputs *inputs) {
    int E = p->left.rows, T = inputs->input->rows, count = p->count;
    uint64_t sides = mat_bytes(T, count) + mat_bytes(p->kind == PRODUCT_QK ? T : E, count);
    return has_no_parts(p, inputs) ? 0 : sides + mat_bytes(T, E); /* for A·X */
}

/* The scores are X·W·Xᵀ, so both parts are products with X. The output is A·X·W, so only the left
 * part is a product, with A·X. */
void head_spectrum_push(HeadProduct *p, Arena *arena, const HeadInputs *inputs) {
    bool scores = p->kind == PRODUCT_QK;
    int T = inputs->input->rows, E = p->left.rows;
    p->row_parts = p->col_parts = (Mat){0};
    if (has_no_parts(p, inputs))
        return;
    Mat read = *inputs->input;
    if (!scores) {
        read = mat_push(arena, T, E);
        mat_mul(&read, inputs->A, inputs->input, 1);
    }
    p->row_parts = mat_push(arena, T, p->count);
    p->col_parts = mat_push(arena, scores ? T : E, p->count);
    mat_mul(&p->row_parts, &read, &p->u, 1);
    if (scores)
        mat_mul(&p->col_parts, inputs->input, &p->v, 1);
    else
        mat_copy(&p->col_parts, &p->v);
    mat_scale_cols(&p->col_parts, p->sigma);
}

uint64_t head_result_bytes(int T, int E) {
    uint64_t wide = mat_bytes(T, E > T ? E : T);
    return wide + mat_bytes(T, T);
}

HeadResult head_result_push(Arena *arena, const HeadInputs *inputs) {
    int T = inputs->input->rows;
    if (inputs->kind == PRODUCT_OV)
        return (HeadResult){.S = mat_push(arena, T, inputs->input->cols)};
    HeadResult result = {mat_push(arena, T, T), {0}};
    result.A = mat_push(arena, T, T);
    return result;
}

uint64_t head_scratch_bytes(int T, int E, int m) {
    return 10 * mat_bytes(E, m) + 8 * mat_bytes(T, E) + 2 * mat_bytes(E, E) + 6 * mat_bytes(T, T) +
           4 * mat_bytes(T, m) + 4 * mat_bytes(1, m);
}

void head_through_factors(HeadResult *out, const HeadInputs *inputs, const Mat *left,
                          const Mat *right, Arena *scratch) {
    size_t mark = scratch->used;
    int T = inputs->input->rows, m = left->cols;
    Mat a = mat_push(scratch, T, m), b = mat_push(scratch, T, m);
    mat_mul(&a, inputs->input, left, 1);
    if (inputs->kind == PRODUCT_OV) {
        mat_mul(&b, inputs->A, &a, 1);
        mat_mul_bt(&out->S, &b, right, 1);
    } else {
        mat_mul(&b, inputs->input, right, 1);
        if (inputs->rotations != NULL) {
            rope_rotate(&a, inputs->rotations);
            rope_rotate(&b, inputs->rotations);
        }
        mat_mul_bt(&out->S, &a, &b, inputs->score_factor);
        softmax_rows(&out->A, &out->S, inputs->mask->open);
    }
    scratch->used = mark;
}

void head_through_product(HeadResult *out, const HeadInputs *inputs, const Mat *product,
                          Arena *scratch) {
    size_t mark = scratch->used;
    assert(inputs->rotations == NULL || inputs->kind == PRODUCT_OV);
    Mat a = mat_push(scratch, inputs->input->rows, product->cols);
    mat_mul(&a, inputs->input, product, 1);
    if (inputs->kind == PRODUCT_OV) {
        mat_mul(&out->S, inputs->A, &a, 1);
    } else {
        mat_mul_bt(&out->S, &a, inputs->input, inputs->score_factor);
        softmax_rows(&out->A, &out->S, inputs->mask->open);
    }
    scratch->used = mark;
}

void head_through_rank(HeadResult *out, const HeadInputs *inputs, const HeadProduct *p, int rank,
                       Arena *scratch) {
    if (rank >= p->count) {
        head_through_product(out, inputs, &p->product, scratch);
        return;
    }
    Mat rows = mat_cols(&p->row_parts, 0, rank), cols = mat_cols(&p->col_parts, 0, rank);
    mat_mul_bt(&out->S, &rows, &cols, inputs->kind == PRODUCT_QK ? inputs->score_factor : 1);
    if (inputs->kind == PRODUCT_QK)
        softmax_rows(&out->A, &out->S, inputs->mask->open);
}

float head_result_difference(const HeadResult *a, const HeadResult *b, const Mask *mask,
                             bool of_S) {
    const Mat *x = of_S ? &a->S : head_result_shown(a), *y = of_S ? &b->S : head_result_shown(b);
    if (x->rows == 0 || y->rows == 0)
        return NAN;
    return of_S && a->A.rows > 0 ? stats_difference(x, y, mask) : mat_max_difference(x, y);
}

float head_result_largest(const HeadResult *a, const Mask *mask) {
    if (a->A.rows == 0)
        return mat_largest(&a->S);
    float most = 0;
    for (int i = 0; i < a->S.rows; i++)
        for (int j = 0; j < a->S.cols; j++)
            if (mask_row(mask, i)[j])
                most = stats_larger(most, fabsf(mat_row(&a->S, i)[j]));
    return most;
}

void head_product_truncate(Mat *out, const HeadProduct *p, int rank, Arena *scratch) {
    size_t mark = scratch->used;
    int kept = rank < p->count ? rank : p->count;
    if (kept == p->count) {
        mat_copy(out, &p->product);
        return;
    }
    Mat scaled = mat_push(scratch, p->u.rows, kept);
    Mat u = mat_cols(&p->u, 0, kept), v = mat_cols(&p->v, 0, kept);
    mat_copy(&scaled, &u);
    mat_scale_cols(&scaled, p->sigma);
    mat_mul_bt(out, &scaled, &v, 1);
    scratch->used = mark;
}

double head_product_parts(Mat *symmetric, Mat *antisymmetric, const Mat *w) {
    double even = 0, all = 0;
    mat_transpose(antisymmetric, w);
    for (int i = 0; i < w->rows; i++)
        for (int j = 0; j < w->cols; j++) {
            double a = (double)mat_row(w, i)[j], b = (double)mat_row(antisymmetric, i)[j];
            double half = (a + b) / 2;
            mat_row(symmetric, i)[j] = (float)half;
            mat_row(antisymmetric, i)[j] = (float)((a - b) / 2);
            even += half * half;
            all += a * a;
        }
    return all > 0 ? even / all : NAN;
}
