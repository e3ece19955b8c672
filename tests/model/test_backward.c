/* Gradients of the layer with every option mixed: the program's against plain loops in double, both
 * against finite differences, and against PyTorch's. */
#include <math.h>
#include <string.h>

#include "model/attention/backward.h"
#include "model/attention/position.h"
#include "support/test.h"
#include "support/wide.h"

#define TOLERANCE 1e-4 /* of the largest value */
#define ROUNDS    2000

/* Those of PyTorch's torch.autograd.gradcheck. */
#define CHECK_STEP     1e-6
#define CHECK_ABSOLUTE 1e-5
#define CHECK_RELATIVE 1e-3

/* A layer after its backward pass, by the program and in double. */
typedef struct Pass {
    Layer layer;
    Arena arena;
    Mat G;
    AttnParams grads;
    AttnBack back;
    WideLayer exact;
    Wide wide_G;
    WideTrace trace;
    WideBack wide;
    int rounded_count; /* 0 until they are needed */
    WideBack rounded[LAYER_ROUNDINGS];
} Pass;

/* The largest error of the gradients in a layer with float32 matrices. */
static void round_pass(Pass *pass) {
    WideLayer rounded = pass->exact;
    for (; pass->rounded_count < LAYER_ROUNDINGS; pass->rounded_count++) {
        int k = pass->rounded_count;
        rounded.roundings = (uint64_t)k + 1;
        LOCAL(wide_trace_release) WideTrace trace = wide_forward(&rounded);
        pass->rounded[k] = wide_backward(&rounded, &trace, &pass->wide_G);
    }
}

/* Both backward passes of pass->layer, which is drawn. */
static void run_pass(Pass *pass, uint64_t seed) {
    const AttnShape *s = &pass->layer.shape;
    size_t bytes = mat_bytes(s->T, s->D) + attn_grads_bytes(s) + attn_back_bytes(s);
    pass->arena = (Arena){0};
    must(arena_reserve(&pass->arena, bytes, &told));
    pass->G = mat_push(&pass->arena, s->T, s->D);
    pass->grads = attn_grads_push(&pass->arena, s);
    pass->back = attn_back_push(&pass->arena, s);
    assert_int_equal(pass->arena.used, bytes);
    memset(pass->grads.fused.at, 0xFF, bytes - mat_bytes(s->T, s->D)); /* NaN: all is overwritten */
    attn_output_gradient_draw(&pass->G, seed);
    layer_forward(&pass->layer);
    attn_backward(&pass->grads, &pass->back, s, &pass->layer.params, &pass->layer.trace,
                  &pass->layer.x, &pass->G);
    pass->exact = wide_layer(&pass->layer, true);
    pass->wide_G = wide_of(&pass->G);
    pass->trace = wide_forward(&pass->exact);
    pass->wide = wide_backward(&pass->exact, &pass->trace, &pass->wide_G);
    pass->rounded_count = 0;
}

static void pass_release(Pass *pass) {
    wide_layer_release(&pass->exact);
    wide_release(&pass->wide_G);
    wide_trace_release(&pass->trace);
    wide_back_release(&pass->wide);
    for (int k = 0; k < pass->rounded_count; k++)
        wide_back_release(&pass->rounded[k]);
    layer_release(&pass->layer);
    arena_release(&pass->arena);
}

static double largest_of(const Wide *m) {
    double largest = 0;
    for (int e = 0; e < m->rows * m->cols; e++)
        largest = fmax(largest, fabs(m->at[e]));
    return largest;
}

/* Return the number that TOLERANCE is relative to: the largest entry. A gradient that should be 0,
 * such as that of b_K, consists of rounding errors, in double, too; it is relative to the terms
 * that cancel.
 */
static double scale_of(const Wide *expected, const Pass *pass) {
    double largest = largest_of(expected), through = largest_of(&pass->wide.A);
    return largest > 1e-12 * through ? largest : through;
}

/* With one token the gradient of A has one entry per head, and is relative to its largest term. */
static double scale_of_weights(const Pass *pass) {
    return fmax(scale_of(&pass->wide.A, pass),
                largest_of(&pass->wide.Z) * largest_of(&pass->trace.V));
}

/* A bias has few entries, each a sum over tokens that may be near 0. It is relative to the largest
 * term. */
static double scale_of_param(const Pass *pass, int param) {
    const WideBack *w = &pass->wide;
    const Wide *summed[ATTN_PARAM_COUNT] = {
        [ATTN_B_Q] = &w->Q, [ATTN_B_K] = &w->K, [ATTN_B_V] = &w->V, [ATTN_B_O] = &pass->wide_G};
    double scale = scale_of(&w->p[param], pass);
    return summed[param] != NULL ? fmax(scale, largest_of(summed[param])) : scale;
}

/* Return the distance by which roundings move `expected`, a matrix of pass->wide. */
static double rounding_of(const Wide *expected, Pass *pass) {
    round_pass(pass);
    size_t at = (size_t)((const char *)expected - (const char *)&pass->wide);
    double most = 0;
    for (int k = 0; k < pass->rounded_count; k++) {
        const Wide *rounded = (const void *)((const char *)&pass->rounded[k] + at);
        most = fmax(most, wide_distance(rounded, expected));
    }
    return most;
}

static double distance(const Mat *m, const Wide *expected) {
    Wide got = wide_of(m);
    double most = wide_distance(&got, expected);
    wide_release(&got);
    return most;
}

/* Use roundings only if TOLERANCE is exceeded. */
static void check_close(const Mat *m, const Wide *expected, double scale, Pass *pass,
                        const char *name, const char *what) {
    double most = TOLERANCE * scale, off = distance(m, expected);
    if (!(off <= most))
        most += LAYER_WORSE * rounding_of(expected, pass);
    if (!(off <= most))
        fail_msg("%s: grad.%s is off by %.3g, more than %.3g; its scale is %.3g", what, name, off,
                 most, scale);
}

static void check_pass(Pass *pass, const char *what) {
    const AttnBack *b = &pass->back;
    const WideBack *w = &pass->wide;
    const struct {
        const char *name;
        const Mat *got;
        const Wide *wanted;
    } pairs[] = {{"X", &b->X, &w->x}, {"S", &b->S, &w->S}, {"A", &b->A, &w->A}, {"Q", &b->Q, &w->Q},
                 {"K", &b->K, &w->K}, {"V", &b->V, &w->V}, {"Z", &b->Z, &w->Z}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        bool is_A = pairs[i].wanted == &w->A;
        check_close(pairs[i].got, pairs[i].wanted,
                    is_A ? scale_of_weights(pass) : scale_of(pairs[i].wanted, pass), pass,
                    pairs[i].name, what);
    }
    for (int p = 0; p < ATTN_PARAM_COUNT; p++)
        check_close(&pass->grads.p[p], &w->p[p], scale_of_param(pass, p), pass, PARAMS[p].entry.id,
                    what);
}

TEST(every_option_mixed_agrees_with_plain_loops) {
    uint64_t seed = layer_test_seed();
    for (int round = 0; round < ROUNDS; round++) {
        LOCAL(pass_release) Pass pass;
        char what[LAYER_NAME_BYTES];
        layer_init_round(&pass.layer, what, seed, round);
        run_pass(&pass, seed + (uint64_t)round);
        check_pass(&pass, what);
    }
}

typedef double (*LossFn)(Pass *pass);

static double loss_of_all(Pass *pass) {
    return wide_loss(&pass->exact, &pass->wide_G);
}

static double loss_from_scores(Pass *pass) {
    return wide_loss_from_scores(&pass->trace, &pass->exact, &pass->wide_G);
}

static double loss_from_weights(Pass *pass) {
    return wide_loss_from_weights(&pass->trace, &pass->exact, &pass->wide_G);
}

/* Change one entry of input at a time. */
static void check_slope(Pass *pass, LossFn loss, Wide *input, const Wide *gradient, const Mat *ours,
                        const char *name) {
    const AttnShape *s = &pass->layer.shape;
    for (int e = 0; e < input->rows * input->cols; e++) {
        double kept = input->at[e];
        input->at[e] = kept + CHECK_STEP;
        double above = loss(pass);
        input->at[e] = kept - CHECK_STEP;
        double slope = (above - loss(pass)) / (2 * CHECK_STEP);
        input->at[e] = kept;
        double most = CHECK_ABSOLUTE + CHECK_RELATIVE * fabs(slope);
        double got = (double)mat_row(ours, e / input->cols)[e % input->cols];
        if (!(fabs(gradient->at[e] - slope) <= most && fabs(got - slope) <= most))
            fail_msg("form %d bias %d block %d rope %d: grad.%s[%d] is %.9g, in double %.9g, the "
                     "slope %.9g",
                     (int)s->form, (int)s->bias, (int)s->block, (int)s->rope, name, e, got,
                     gradient->at[e], slope);
    }
}

/* Factors that the forward pass does not use, because the nested form folds their product. */
static bool is_folded(const AttnShape *s, int param) {
    return s->form == FORM_NESTED && param <= ATTN_W_V;
}

static void check_slopes(Pass *pass, int checked[ATTN_PARAM_COUNT]) {
    const AttnShape *s = &pass->layer.shape;
    check_slope(pass, loss_of_all, &pass->exact.x, &pass->wide.x, &pass->back.X, "X");
    for (int p = 0; p < ATTN_PARAM_COUNT; p++)
        if (pass->wide.p[p].rows > 0 && !is_folded(s, p)) {
            check_slope(pass, loss_of_all, &pass->exact.p[p], &pass->wide.p[p], &pass->grads.p[p],
                        PARAMS[p].entry.id);
            checked[p]++;
        }
    check_slope(pass, loss_from_scores, &pass->trace.S, &pass->wide.S, &pass->back.S, "S");
    loss_from_scores(pass);
    check_slope(pass, loss_from_weights, &pass->trace.A, &pass->wide.A, &pass->back.A, "A");
}

/* Open edges with a query that may read nothing and a key that nothing may read. */
static void open_some(Mask *mask) {
    for (int e = 0; e < mask->T * mask->T; e++)
        mask->open[e] = e / mask->T != 1 && e % mask->T != 2 && e % 3 != 1;
}

static bool can_turn(AttnForm form) {
    return form != FORM_RANK && form != FORM_FREE;
}

static void check_masks(AttnShape s, int checked[ATTN_PARAM_COUNT]) {
    enum { EDGES = MASK_KIND_COUNT };
    for (int mask = 0; mask <= EDGES; mask++) {
        LOCAL(pass_release) Pass pass;
        layer_init(&pass.layer, s, mask < EDGES ? (MaskKind)mask : MASK_NONE, 31);
        if (mask == EDGES)
            open_some(&pass.layer.mask);
        run_pass(&pass, 32);
        check_slopes(&pass, checked);
    }
}

/* Every row of the parameter table, X, S and A, wherever an option brings them. */
TEST(gradients_are_the_slopes_of_the_loss) {
    int checked[ATTN_PARAM_COUNT] = {0};
    for (int form = 0; form < FORM_COUNT; form++)
        for (int bias = 0; bias < BIAS_COUNT; bias++)
            for (int block = 0; block < BLOCK_COUNT; block++)
                for (int rope = 0; rope <= can_turn((AttnForm)form); rope++)
                    check_masks((AttnShape){.T = 4,
                                            .D = 5,
                                            .H = 2,
                                            .K = 2,
                                            .V = 3,
                                            .form = (AttnForm)form,
                                            .rank = 1,
                                            .bias = (AttnBias)bias,
                                            .block = (AttnBlock)block,
                                            .rope = rope,
                                            .score_factor = 0.8F},
                                checked);
    for (int p = 0; p < ATTN_PARAM_COUNT; p++)
        if (checked[p] == 0)
            fail_msg("no form has a gradient of %s", PARAMS[p].entry.id);
}

static AttnShape small_shape(AttnForm form, bool rope) {
    return (AttnShape){.T = 7,
                       .D = 10,
                       .H = 3,
                       .K = 4,
                       .V = 5,
                       .form = form,
                       .bias = BIAS_ALL,
                       .rope = rope,
                       .score_factor = 0.5F};
}

static void start_pass(Pass *pass, AttnShape shape) {
    layer_init(&pass->layer, shape, MASK_CAUSAL, 41);
    run_pass(pass, 42);
}

static Mat family_of(Arena *arena, const Pass *pass) {
    const AttnShape *s = &pass->layer.shape;
    *arena = (Arena){0};
    must(arena_reserve(arena, attn_offset_gradient_bytes(s), &told));
    Mat family = attn_offset_gradient_push(arena, s, &pass->layer.trace, &pass->back);
    assert_true(arena->used <= attn_offset_gradient_bytes(s));
    return family;
}

/* Entry (a, b) of the gradient of the matrix of one distance, pair by pair. */
static double family_entry(const Pass *pass, int offset, int head, int a, int b) {
    const AttnShape *s = &pass->layer.shape;
    const Mat *x = &pass->layer.trace.input;
    double sum = 0;
    for (int i = 0; i < s->T; i++)
        for (int j = 0; j < s->T; j++)
            if (i - j == offset)
                sum += (double)s->score_factor * *wide_entry(&pass->wide.S, head * s->T + i, j) *
                       (double)mat_row(x, i)[a] * (double)mat_row(x, j)[b];
    return sum;
}

TEST(each_distance_has_the_gradient_of_its_own_pairs) {
    LOCAL(pass_release) Pass pass;
    LOCAL(arena_release) Arena arena;
    start_pass(&pass, small_shape(FORM_MERGED, true));
    const AttnShape *s = &pass.layer.shape;
    int E = attn_input_width(s);
    Mat family = family_of(&arena, &pass);
    assert_int_equal(family.rows, (2 * s->T - 1) * s->H * E);
    for (int row = 0; row < family.rows; row++)
        for (int b = 0; b < E; b++) {
            int offset = row / (s->H * E) - (s->T - 1), head = row / E % s->H;
            double expected = family_entry(&pass, offset, head, row % E, b);
            assert_true(fabs((double)mat_row(&family, row)[b] - expected) < 1e-5);
        }
}

/* N(0, 1), and no row changes when another is added below. */
TEST(G_is_normal_and_grows_by_rows) {
    enum { ROWS = 200, COLS = 50 };
    static float values[ROWS * COLS], fewer[COLS], others[COLS];
    Mat g = {values, ROWS, COLS, COLS}, first = {fewer, 1, COLS, COLS},
        other = {others, 1, COLS, COLS};
    double mean = 0, square = 0;
    attn_output_gradient_draw(&g, 7);
    attn_output_gradient_draw(&first, 7);
    attn_output_gradient_draw(&other, 8);
    assert_memory_equal(values, fewer, sizeof fewer);
    assert_memory_not_equal(others, fewer, sizeof fewer);
    for (int e = 0; e < ROWS * COLS; e++) {
        mean += (double)values[e] / (ROWS * COLS);
        square += (double)values[e] * (double)values[e] / (ROWS * COLS);
    }
    assert_true(fabs(mean) < 4 / sqrt(ROWS * COLS));
    assert_true(fabs(square - 1) < 4 * sqrt(2.0 / (ROWS * COLS)));
}
