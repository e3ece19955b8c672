/* The layer, forward and backward, against PyTorch in float64: tests/reference/attention_*.json. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/backward.h"
#include "model/block.h"
#include "model/layer.h"
#include "model/params.h"

/* Of the largest value; a gradient that is 0 but for rounding is taken as part of 1. */
#define FORWARD  1e-5
#define BACKWARD 1e-4

static int json_number(const json_t *file, const char *key) {
    return (int)json_integer_value(json_object_get(file, key));
}

static int json_choice(const json_t *file, const char *key, const Registry *choices) {
    const char *id = json_string_value(json_object_get(file, key));
    assert_non_null(id);
    int found = registry_find(choices, id, strlen(id));
    assert_true(found >= 0);
    return found;
}

/* A reference tensor held as (blocks, rows, cols) becomes (rows, blocks*cols), in the shape of m:
 * the contract keeps heads apart, the layer holds them side by side. */
static double *side_by_side(const json_t *file, const char *key, int blocks, const Mat *m) {
    const json_t *list = json_object_get(file, key);
    int rows = m->rows, cols = m->cols / blocks;
    double *out = calloc((size_t)rows * (size_t)m->cols, sizeof *out);
    assert_non_null(out);
    if (json_array_size(list) != (size_t)rows * (size_t)m->cols)
        fail_msg("%s has %zu entries", key, json_array_size(list));
    for (int b = 0; b < blocks; b++)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < cols; j++) {
                const json_t *value = json_array_get(list, (size_t)((b * rows + i) * cols + j));
                out[(i * blocks + b) * cols + j] = json_number_value(value);
            }
    return out;
}

static void read_mat(Mat *m, const json_t *file, const char *key, int blocks) {
    double *values = side_by_side(file, key, blocks, m);
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            mat_row(m, i)[j] = (float)values[i * m->cols + j];
    free(values);
}

/* Heads that lie in columns are blocks of the reference; in rows they follow each other in both. */
static int param_blocks(int param, const AttnShape *shape) {
    return PARAMS[param].layout == PARAM_HEADS_IN_COLUMNS ? shape->H : 1;
}

static void read_inputs(Layer *layer, const json_t *file, AttnForm form) {
    AttnShape shape = {.T = json_number(file, "T"),
                       .D = json_number(file, "D"),
                       .H = json_number(file, "H"),
                       .K = json_number(file, "d_k"),
                       .V = json_number(file, "d_v"),
                       .form = form,
                       .rank = json_number(file, "d_k")};
    shape.score_factor = (float)json_number_value(json_object_get(file, "score_factor"));
    shape.block = (AttnBlock)json_choice(file, "block", &ATTN_BLOCKS);
    shape.bias = (AttnBias)json_choice(file, "bias", &ATTN_BIASES);
    layer_init(layer, shape, MASK_NONE, 1);
    for (int p = 0; p < ATTN_PARAM_COUNT; p++)
        if (layer->params.p[p].rows > 0)
            read_mat(&layer->params.p[p], file, PARAMS[p].entry.id, param_blocks(p, &shape));
    read_mat(&layer->x, file, "X", 1);
    const json_t *open = json_object_get(file, "M");
    for (int e = 0; e < shape.T * shape.T; e++)
        layer->mask.open[e] = json_number_value(json_array_get(open, (size_t)e)) > 0;
}

static void check(const Mat *m, const json_t *file, const char *key, int blocks, double tolerance) {
    double *wanted = side_by_side(file, key, blocks, m), largest = 0;
    for (int e = 0; e < m->rows * m->cols; e++)
        largest = fmax(largest, fabs(wanted[e]));
    double scale = largest > 1e-12 ? largest : 1;
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++) {
            double got = (double)mat_row(m, i)[j], expected = wanted[i * m->cols + j];
            if (!(fabs(got - expected) <= tolerance * scale))
                fail_msg("%s[%d][%d] is %.9g, expected %.9g, largest %.3g", key, i, j, got,
                         expected, largest);
        }
    free(wanted);
}

static void check_forward(const Layer *layer, const json_t *file) {
    const AttnTrace *t = &layer->trace;
    int H = layer->shape.H;
    if (attn_has_factors(&layer->shape)) {
        check(&t->Q, file, "Q", H, FORWARD);
        check(&t->K, file, "K", H, FORWARD);
    }
    check(&t->V, file, "V", H, FORWARD);
    check(&t->S, file, "S", 1, FORWARD);
    check(&t->A, file, "A", 1, FORWARD);
    check(&t->Z, file, "Z", H, FORWARD);
    check(&t->Y, file, "Y", 1, FORWARD);
}

static void check_backward(const Layer *layer, const json_t *file) {
    const AttnShape *s = &layer->shape;
    Arena arena = {0};
    Err err;
    size_t bytes = mat_bytes(s->T, s->D) + attn_grads_bytes(s) + attn_back_bytes(s);
    assert_true(arena_reserve(&arena, bytes, &err));
    Mat G = mat_push(&arena, s->T, s->D);
    AttnParams grads = attn_grads_push(&arena, s);
    AttnBack back = attn_back_push(&arena, s);
    read_mat(&G, file, "G", 1);
    attn_backward(&grads, &back, s, &layer->params, &layer->trace, &layer->x, &G);
    check(&back.X, file, "grad.X", 1, BACKWARD);
    check(&back.S, file, "grad.S", 1, BACKWARD);
    check(&back.A, file, "grad.A", 1, BACKWARD);
    for (int p = 0; p < ATTN_PARAM_COUNT; p++)
        if (grads.p[p].rows > 0) {
            char key[40];
            snprintf(key, sizeof key, "grad.%s", PARAMS[p].entry.id);
            check(&grads.p[p], file, key, param_blocks(p, s), BACKWARD);
        }
    arena_release(&arena);
}

static void agrees_with_pytorch(void **state) {
    const char *name = *state;
    char path[200];
    snprintf(path, sizeof path, "tests/reference/attention_%s.json", name);
    json_error_t error;
    json_t *file = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (file == NULL)
        fail_msg("%s:%d: %s", path, error.line, error.text);
    static const AttnForm forms[] = {FORM_SEPARATE, FORM_MERGED, FORM_RANK};
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        Layer layer;
        read_inputs(&layer, file, forms[f]);
        layer_forward(&layer);
        check_forward(&layer, file);
        check_backward(&layer, file);
        layer_release(&layer);
    }
    json_decref(file);
}

#define PYTORCH(name)                                                                              \
    { "agrees with PyTorch: " name, agrees_with_pytorch, NULL, NULL, (void *)(uintptr_t)(name) }

int main(void) {
    const struct CMUnitTest tests[] = {
        PYTORCH("plain"),         PYTORCH("causal"),     PYTORCH("one_token"),
        PYTORCH("temperature"),   PYTORCH("wide_heads"), PYTORCH("saturated"),
        PYTORCH("narrow_values"), PYTORCH("holes"),      PYTORCH("many_tokens"),
        PYTORCH("residual"),      PYTORCH("post_norm"),  PYTORCH("pre_norm"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
