#include "model/layer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "support/test.h"

void layer_draw(Mat *m, double scale, uint64_t seed, uint64_t stream) {
    Rng rng = rng_stream(seed, stream);
    uint64_t index = 0;
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            mat_row(m, i)[j] = (float)(scale * rng_normal(rng, index++));
}

void layer_init(Layer *layer, AttnShape shape, MaskKind mask, uint64_t seed) {
    *layer = (Layer){.shape = shape};
    size_t bytes = attn_params_bytes(&shape) + attn_trace_bytes(&shape) +
                   mat_bytes(shape.T, shape.D) + mask_bytes(shape.T);
    must(arena_reserve(&layer->arena, bytes, &told));
    layer->params = attn_params_push(&layer->arena, &shape);
    layer->trace = attn_trace_push(&layer->arena, &shape);
    layer->x = mat_push(&layer->arena, shape.T, shape.D);
    layer->mask = mask_push(&layer->arena, shape.T, mask, 0);
    assert_int_equal(layer->arena.used, bytes);
    for (int p = 0; p < ATTN_PARAM_COUNT; p++) {
        Mat *w = &layer->params.p[p];
        if (w->rows > 0)
            layer_draw(w, 1 / sqrt(w->rows), seed, (uint64_t)p);
    }
    layer_draw(&layer->x, 1, seed, ATTN_PARAM_COUNT);
}

uint64_t layer_test_seed(void) {
    const char *given = getenv("HEADLIGHT_TEST_SEED");
    uint64_t seed = given != NULL ? strtoull(given, NULL, 10) : 20261121;
    print_message("# HEADLIGHT_TEST_SEED=%llu\n", (unsigned long long)seed);
    return seed;
}

/* A number from 1 to most. */
static int roll(Rng rng, int *draws, int most) {
    return 1 + (int)(rng_bits(rng, (uint64_t)(*draws)++) % (uint64_t)most);
}

static AttnShape draw_shape(Rng rng, int *draws) {
    AttnShape s = {.T = roll(rng, draws, 20), .D = roll(rng, draws, 40), .H = roll(rng, draws, 4)};
    s.K = roll(rng, draws, 14);
    s.V = roll(rng, draws, 14);
    s.form = (AttnForm)(roll(rng, draws, FORM_COUNT) - 1);
    s.bias = (AttnBias)(roll(rng, draws, BIAS_COUNT) - 1);
    s.block = (AttnBlock)(roll(rng, draws, BLOCK_COUNT) - 1);
    s.rank = roll(rng, draws, s.D);
    s.rope = s.form != FORM_RANK && s.form != FORM_FREE && s.K % 2 == 0 && roll(rng, draws, 2) == 1;
    s.score_factor = (float)(1 / (sqrt(s.K) * roll(rng, draws, 4) / 2));
    return s;
}

void layer_init_round(Layer *layer, char what[LAYER_NAME_BYTES], uint64_t seed, int round) {
    Rng rng = rng_stream(seed, (uint64_t)round);
    int draws = 0;
    AttnShape s = draw_shape(rng, &draws);
    int kind = roll(rng, &draws, 4);
    layer_init(layer, s,
               kind == 1   ? MASK_CAUSAL
               : kind == 2 ? MASK_WINDOW
                           : MASK_NONE,
               seed + (uint64_t)round);
    for (int e = 0; kind == 3 && e < s.T * s.T; e++)
        layer->mask.open[e] = roll(rng, &draws, 3) == 1;
    snprintf(what, LAYER_NAME_BYTES,
             "round %d, T %d D %d H %d K %d V %d form %d rank %d bias %d block %d rope %d mask %d",
             round, s.T, s.D, s.H, s.K, s.V, (int)s.form, s.rank, (int)s.bias, (int)s.block,
             (int)s.rope, kind);
}

void layer_release(Layer *layer) {
    arena_release(&layer->arena);
}

void layer_forward(Layer *layer) {
    must(attn_fold(&layer->trace, &layer->shape, &layer->params, &told));
    attn_forward(&layer->trace, &layer->shape, &layer->params, &layer->x, &layer->mask);
}

void layer_assert_close(const Mat *m, const double *expected, double tolerance, const char *name) {
    double largest = 0;
    for (int e = 0; e < m->rows * m->cols; e++)
        largest = fmax(largest, fabs(expected[e]));
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++) {
            double wanted = expected[(size_t)i * (size_t)m->cols + (size_t)j];
            double got = (double)mat_row(m, i)[j];
            if (!(fabs(got - wanted) <= tolerance * largest))
                fail_msg("%s[%d][%d] is %.9g, expected %.9g, largest %.3g", name, i, j, got, wanted,
                         largest);
        }
}
