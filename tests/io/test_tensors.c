#include <string.h>

#include "base/util.h"
#include "io/tensors.h"
#include "support/test.h"

enum { T = 3, D = 5, H = 2, K = 2, V = 3, FUSED = 2 * H * K + H * V };

/* A pass in which every entry encodes its place: the matrix's number, row and column. */
static float room[20][64];
static uint8_t open_pairs[T * T] = {1, 0, 0, 1, 1, 0, 1, 1, 1};

static Mat numbered(int which, int rows, int cols) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            room[which][i * cols + j] = (float)(which * 10000 + i * 100 + j);
    return (Mat){room[which], rows, cols, cols};
}

static Results separate_run(void) {
    static float fused[D * FUSED];
    for (int i = 0; i < D * FUSED; i++)
        fused[i] = (float)(i / FUSED * 100 + i % FUSED);
    Results run = {.valid = true, .T = T, .form = FORM_SEPARATE, .layer_count = 1};
    LayerResults *layer = &run.layers[0];
    layer->shape[FORM_SEPARATE] = (AttnShape){
        .T = T, .D = D, .H = H, .K = K, .V = V, .form = FORM_SEPARATE, .score_factor = 1};
    run.X = numbered(1, T, D);
    run.mask = (Mask){open_pairs, T};
    layer->params.p[ATTN_W_Q] = (Mat){fused, D, H * K, FUSED};
    layer->params.p[ATTN_W_K] = (Mat){fused + H * K, D, H * K, FUSED};
    layer->params.p[ATTN_W_V] = (Mat){fused + 2 * H * K, D, H * V, FUSED};
    layer->params.p[ATTN_W_O] = numbered(2, H * V, D);
    AttnTrace *trace = &layer->trace[FORM_SEPARATE];
    trace->Q = numbered(3, T, H * K);
    trace->K = numbered(4, T, H * K);
    trace->V = numbered(5, T, H * V);
    trace->S = numbered(6, H * T, T);
    trace->A = numbered(7, H * T, T);
    trace->Z = numbered(8, T, H * V);
    trace->Y = numbered(9, T, D);
    return run;
}

static const TensorView *find(const TensorView *tensors, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(tensors[i].name, name) == 0)
            return &tensors[i];
    return NULL;
}

static float entry(const TensorView *tensor, size_t number) {
    float value;
    tensor_read(&value, tensor, number, 1);
    return value;
}

TEST(names_and_shapes_are_the_contracts) {
    static const struct {
        const char *name;
        int rank;
        size_t shape[3];
    } expected[] = {
        {"X", 2, {T, D}},       {"W_Q", 3, {H, D, K}}, {"W_K", 3, {H, D, K}}, {"W_V", 3, {H, D, V}},
        {"W_O", 2, {H * V, D}}, {"Q", 3, {H, T, K}},   {"K", 3, {H, T, K}},   {"V", 3, {H, T, V}},
        {"S", 3, {H, T, T}},    {"M", 2, {T, T}},      {"A", 3, {H, T, T}},   {"Z", 3, {H, T, V}},
        {"Y", 2, {T, D}},
    };
    Results run = separate_run();
    TensorView tensors[TENSORS_MAX];
    int count = tensors_of_run(tensors, &run, 0);
    assert_int_equal(count, ARRAY_COUNT(expected));
    for (size_t i = 0; i < ARRAY_COUNT(expected); i++) {
        const TensorView *tensor = find(tensors, count, expected[i].name);
        assert_non_null(tensor);
        assert_int_equal(tensor->rank, expected[i].rank);
        assert_memory_equal(tensor->shape, expected[i].shape,
                            (size_t)expected[i].rank * sizeof(size_t));
    }
}

TEST(heads_come_first) {
    Results run = separate_run();
    TensorView tensors[TENSORS_MAX];
    int count = tensors_of_run(tensors, &run, 0);
    /* (head, token, column) = (1, 2, 0) of Q is row 2, column K of the matrix. */
    assert_float_equal(entry(find(tensors, count, "Q"), (1 * T + 2) * K + 0), 30000 + 200 + K, 0);
    assert_float_equal(entry(find(tensors, count, "Z"), (1 * T + 2) * V + 1), 80000 + 200 + V + 1,
                       0);
    /* (head, query, key) = (1, 2, 1) of A is row T + 2. */
    assert_float_equal(entry(find(tensors, count, "A"), (1 * T + 2) * T + 1),
                       70000 + (T + 2) * 100 + 1, 0);
    /* (head, row, column) = (1, 4, 1) of W_K comes after all of W_Q in the fused matrix. */
    assert_float_equal(entry(find(tensors, count, "W_K"), (1 * D + 4) * K + 1), 400 + H * K + K + 1,
                       0);
    assert_float_equal(entry(find(tensors, count, "W_O"), 4 * D + 2), 20000 + 400 + 2, 0);
}

TEST(the_mask_is_zeros_and_ones) {
    Results run = separate_run();
    TensorView tensors[TENSORS_MAX];
    int count = tensors_of_run(tensors, &run, 0);
    float values[T * T];
    tensor_read(values, find(tensors, count, "M"), 0, T * T);
    for (int i = 0; i < T * T; i++)
        assert_float_equal(values[i], open_pairs[i], 0);
}

TEST(merged_has_the_product_in_place_of_queries) {
    Results run = separate_run();
    LayerResults *layer = &run.layers[0];
    layer->trace[FORM_MERGED] = layer->trace[FORM_SEPARATE];
    layer->shape[FORM_MERGED] = layer->shape[FORM_SEPARATE];
    layer->trace[FORM_MERGED].Q = layer->trace[FORM_MERGED].K = (Mat){0};
    layer->trace[FORM_MERGED].W_QK = numbered(10, H * D, D);
    run.form = FORM_MERGED;
    TensorView tensors[TENSORS_MAX];
    int count = tensors_of_run(tensors, &run, 0);
    assert_null(find(tensors, count, "Q"));
    assert_null(find(tensors, count, "K"));
    assert_non_null(find(tensors, count, "W_Q"));
    const TensorView *product = find(tensors, count, "W_QK");
    assert_int_equal(product->shape[0], H);
    assert_int_equal(product->shape[1], D);
    assert_float_equal(entry(product, (1 * D + 3) * D + 4), 100000 + (D + 3) * 100 + 4, 0);
}

TEST(any_piece_reads_as_the_whole_does) {
    Results run = separate_run();
    TensorView tensors[TENSORS_MAX];
    int count = tensors_of_run(tensors, &run, 0);
    const TensorView *tensor = find(tensors, count, "W_V");
    size_t total = tensor_count(tensor);
    float whole[H * D * V], piece[H * D * V];
    assert_int_equal(total, H * D * V);
    tensor_read(whole, tensor, 0, total);
    for (size_t from = 0; from <= total; from++)
        for (size_t size = 0; from + size <= total; size++) {
            tensor_read(piece, tensor, from, size);
            assert_memory_equal(piece, whole + from, size * sizeof(float));
        }
}
