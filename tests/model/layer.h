/* layer.h: a small attention layer with its memory, for the tests of model/. */
#ifndef HEADLIGHT_TESTS_MODEL_LAYER_H
#define HEADLIGHT_TESTS_MODEL_LAYER_H

#include "model/attention/attention.h"
#include "model/init/scheme.h"

typedef struct Layer {
    Arena arena;
    AttnShape shape;
    AttnParams params;
    AttnTrace trace;
    Mat x;
    Mask mask;
} Layer;

/* Room for a layer of this shape; parameters (biases too) and x are N(0, 1/rows) and N(0, 1) of the
 * seed. */
void layer_init(Layer *layer, AttnShape shape, MaskKind mask, uint64_t seed);
void layer_release(Layer *layer);

/* Declare a layer that is released with its block: LAYER(name, shape, mask, seed). */
#define LAYER(name, ...)                                                                           \
    LOCAL(layer_release) Layer name;                                                               \
    layer_init(&(name), __VA_ARGS__)

/* Return HEADLIGHT_TEST_SEED, or a new seed, and print it, so that a failure can be repeated. */
uint64_t layer_test_seed(void);

/* A layer of every option mixed: sizes, form, biases, block, positions and mask are drawn from the
 * seed and the round; a quarter of the masks are
 * edges at random, some of whose rows have none. what
 * gets the round and the options. */
#define LAYER_NAME_BYTES 160
void layer_init_round(Layer *layer, char what[LAYER_NAME_BYTES], uint64_t seed, int round);

/* If terms cancel, as in a layer that normalises two numbers, rounding to float32 is a part of the
 * result, in PyTorch, too. The roundings of wide.h measure that part: the error of a layer may be
 * at most LAYER_WORSE times the largest of LAYER_ROUNDINGS samples, because a layer also rounds in
 * every sum. */
#define LAYER_ROUNDINGS 4
#define LAYER_WORSE     16

/* attn_fold, then attn_forward. */
void layer_forward(Layer *layer);

/* Fill m with scale · N(0, 1), stream by stream. */
void layer_draw(Mat *m, double scale, uint64_t seed, uint64_t stream);

/* Every entry within tolerance times the largest |expected|; expected is row by row, no gaps. */
void layer_assert_close(const Mat *m, const double *expected, double tolerance, const char *name);

#endif
