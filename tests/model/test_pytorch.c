/* The layer, forward and backward, against PyTorch in float64: tests/reference/attention_*.json. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/attention/backward.h"
#include "model/attention/params.h"
#include "support/reference.h"
#include "support/test.h"

/* Relative to the largest value, or to 1 for a gradient that is 0 except for rounding. */
#define FORWARD  1e-5
#define BACKWARD 1e-4

static void check(const Mat *m, const json_t *file, const char *key, int blocks, double tolerance) {
    LOCAL(free_at) double *wanted = reference_values(file, key, blocks, m);
    double largest = 0;
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
    size_t bytes = mat_bytes(s->T, s->D) + attn_grads_bytes(s) + attn_back_bytes(s);
    ARENA(arena, bytes);
    Mat G = mat_push(&arena, s->T, s->D);
    AttnParams grads = attn_grads_push(&arena, s);
    AttnBack back = attn_back_push(&arena, s);
    reference_read(&G, file, "G", 1);
    attn_backward(&grads, &back, s, &layer->params, &layer->trace, &layer->x, &G);
    check(&back.X, file, "grad.X", 1, BACKWARD);
    check(&back.S, file, "grad.S", 1, BACKWARD);
    check(&back.A, file, "grad.A", 1, BACKWARD);
    for (int p = 0; p < ATTN_PARAM_COUNT; p++)
        if (grads.p[p].rows > 0) {
            char key[40];
            snprintf(key, sizeof key, "grad.%s", PARAMS[p].entry.id);
            check(&grads.p[p], file, key, reference_blocks(p, s), BACKWARD);
        }
}

static void agree(const char *name) {
    char of[64];
    snprintf(of, sizeof of, "attention_%s", name);
    json_t *file = reference_file(of);
    static const AttnForm forms[] = {FORM_SEPARATE, FORM_MERGED, FORM_RANK};
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        LOCAL(layer_release) Layer layer;
        reference_layer(&layer, file, forms[f]);
        layer_forward(&layer);
        check_forward(&layer, file);
        check_backward(&layer, file);
    }
    json_decref(file);
}

#define AGREES_WITH_PYTORCH(name)                                                                  \
    TEST(agrees_with_pytorch_##name) {                                                             \
        agree(#name);                                                                              \
    }
AGREES_WITH_PYTORCH(plain)
AGREES_WITH_PYTORCH(causal)
AGREES_WITH_PYTORCH(one_token)
AGREES_WITH_PYTORCH(temperature)
AGREES_WITH_PYTORCH(wide_heads)
AGREES_WITH_PYTORCH(saturated)
AGREES_WITH_PYTORCH(narrow_values)
AGREES_WITH_PYTORCH(holes)
AGREES_WITH_PYTORCH(many_tokens)
AGREES_WITH_PYTORCH(residual)
AGREES_WITH_PYTORCH(post_norm)
AGREES_WITH_PYTORCH(pre_norm)
