#include "lab/broken_inits.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"

#define BIAS_DEVIATION 3

static int scheme_named(const char *id) {
    int row = registry_find(&SCHEME_REGISTRY, id, strlen(id));
    assert(row >= 0);
    return row;
}

static void scale(Mat *m, float factor) {
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            mat_row(m, i)[j] *= factor;
}

static void no_depth(AttnParams *params, const AttnShape *shape, const SchemePlan *meant) {
    double ratio = scheme_std(meant, ATTN_W_Q, shape) / scheme_std(meant, ATTN_W_O, shape);
    scale(&params->p[ATTN_W_O], (float)ratio);
}

/* Replace standard deviations √(1/fan_in) by √(1/fan_out), with the fan_out of one head. */
static void swapped(AttnParams *params, const AttnShape *shape, const SchemePlan *meant) {
    (void)meant;
    for (AttnParam p = ATTN_W_Q; p <= ATTN_W_K; p++)
        scale(&params->p[p], sqrtf((float)shape->D / (float)shape->K));
    scale(&params->p[ATTN_W_V], sqrtf((float)shape->D / (float)shape->V));
}

static void no_queries(AttnParams *params, const AttnShape *shape, const SchemePlan *meant) {
    (void)shape, (void)meant;
    scale(&params->p[ATTN_W_Q], 0);
}

/* Give every head the first head's columns of W_Q, W_K and W_V, and its rows of W_O. */
static void same_heads(AttnParams *params, const AttnShape *shape, const SchemePlan *meant) {
    (void)meant;
    for (int h = 1; h < shape->H; h++)
        for (AttnParam p = ATTN_W_Q; p <= ATTN_W_O; p++) {
            const Mat *w = &params->p[p];
            int width = p <= ATTN_W_K ? shape->K : shape->V;
            Mat (*part)(const Mat *, int, int) = p == ATTN_W_O ? mat_rows : mat_cols;
            Mat first = part(w, 0, width), other = part(w, h * width, width);
            mat_copy(&other, &first);
        }
}

static void biased(AttnParams *params, const AttnShape *shape, const SchemePlan *meant) {
    (void)shape;
    for (AttnParam p = ATTN_B_Q; p <= ATTN_B_V; p++) {
        Rng rng = rng_stream(meant->seed, (uint64_t)p);
        for (int j = 0; j < params->p[p].cols; j++)
            params->p[p].at[j] = (float)(BIAS_DEVIATION * rng_normal(rng, (uint64_t)j));
    }
}

const BrokenInit BROKEN_INITS[] = {
    {{"fused", "Xavier on the fused QKV matrix", "σ_W = √(2/(d_model + 3·h·d_k))",
      "W_Q, W_K and W_V were one matrix, and Xavier counted its 3·d_model columns as one fan-out. "
      "Each has half the intended variance, so the scores have half their standard deviation and "
      "attention starts too even. A gain of √2 corrects it."},
     "pytorch/pytorch issue 166378: in_proj_weight of nn.MultiheadAttention",
     "xavier_uniform",
     .drawn = "xavier_fused"},
    {{"depth", "W_O never scaled by the depth", "σ(W_O) = 0.02 in place of 0.02/√(2·12)",
      "The rule for W_O was written, but no parameter name matched it. In one layer only the "
      "standard deviations of W_O and Y show it: 4.9 times the intended value. In a deep stack the "
      "residual stream grows with every layer."},
     "huggingface/transformers issue 47458: GPT-2's c_proj weights",
     "gpt2",
     .spoil = no_depth},
    {{"swapped", "The wrong fan: d_k in place of d_model",
      "σ_W = √(1/d_k) in place of √(1/d_model)",
      "σ was computed from the head width d_k (fan-out) instead of d_model (fan-in). Q and K are "
      "each √h times as large as intended, the scores h times."},
     "clankur/einygpt pull request 3: projections scaled by the head's width",
     "lecun_normal",
     .spoil = swapped},
    {{"zero", "W_Q is all zero", "W_Q = 0",
      "Every score is 0 and every row of A is even. W_K has no gradient while W_Q is 0. Some "
      "implementations start W_Q at 0 on purpose, for a soft start."},
     "microsoft/mup issue 36: should query weights start at 0?",
     "xavier_uniform",
     .spoil = no_queries},
    {{"wide", "Normal with σ = 1", "σ_W = 1",
      "Nothing divides by the width: Q and K have a standard deviation of √d_model, the scores "
      "have one of d_model, and most rows of A read one token alone. These rows pass almost "
      "nothing of ∂L/∂A: see Saturation. ∂W_K is still large: V, W_O and Q are √d_model times too "
      "large each."},
     "pytorch/pytorch issue 3121: an N(0, 1) default kept a net from training",
     "xavier_uniform",
     .drawn = "normal"},
    {{"per-head", "Fans of a single head", "σ_W = √(2/(d_model + d_k))",
      "A kernel stored as d_model × h × d_k was read as one small matrix per head. With fewer "
      "columns, Xavier chooses a larger σ: with more heads, the scores' standard deviation grows "
      "to at most twice the intended one."},
     "keras-team/keras pull request 22789: fans of kernels with a rank above 2",
     "xavier_uniform",
     .drawn = "xavier_per_head"},
    {{"same", "The same seed for every head", "W_Q¹ = W_Q² = …, W_O¹ = W_O² = …",
      "Each head, and its block of W_O, was initialised with the same seed. So all heads are "
      "copies of one: they compute the same, get the same gradients, and never become different."},
     "keras-team/keras-hub issue 352: one initialiser called many times gives the same values",
     "xavier_uniform",
     .spoil = same_heads},
    {{"biases", "Biases far too large", "b ~ N(0, 3²)",
      "Biases should start at 0. A large b_Q gives each key a score that depends on no query: the "
      "columns of A are stripes, and all tokens read the same keys."},
     "NVIDIA-NeMo/Automodel issue 3920: biases of q, k, v and o were not initialised",
     "xavier_uniform",
     .spoil = biased},
    {{"none", "Nothing is wrong", "σ_W = √(2/(d_model + h·d_k))",
      "One draw from one seed is never exactly what theory expects. Small differences in both "
      "directions are chance, not a bug."},
     "initialised as intended",
     .scheme = "xavier_uniform"},
};

const Registry BROKEN_INIT_REGISTRY = REGISTRY("bugs", "bug", BROKEN_INITS);

void broken_init_input(Mat *x, uint64_t seed) {
    static const char name[] = "unit X";
    Rng rng = rng_stream(seed, rng_hash(name, sizeof name - 1));
    for (int i = 0; i < x->rows; i++) {
        double squares = 0;
        for (int j = 0; j < x->cols; j++) {
            uint64_t at = (uint64_t)i * (uint64_t)x->cols + (uint64_t)j;
            mat_row(x, i)[j] = (float)rng_normal(rng, at);
            squares += (double)mat_row(x, i)[j] * (double)mat_row(x, i)[j];
        }
        for (int j = 0; j < x->cols; j++)
            mat_row(x, i)[j] *= (float)sqrt(x->cols / squares);
    }
}

AttnShape broken_init_shape(int T, int D) {
    AttnShape shape = {.T = T, .D = D, .H = 4, .form = FORM_SEPARATE, .bias = BIAS_ALL};
    while (D % shape.H != 0)
        shape.H--;
    shape.K = shape.V = D / shape.H;
    shape.score_factor = 1 / sqrtf((float)shape.K);
    return shape;
}

SchemePlan broken_init_plan(const BrokenInit *bug, uint64_t seed) {
    return scheme_plan(scheme_named(bug->scheme), BROKEN_INIT_DEPTH, seed);
}

bool broken_init_sample(AttnParams *params, const AttnShape *shape, const BrokenInit *bug,
                        uint64_t seed, Err *err) {
    const SchemePlan meant = broken_init_plan(bug, seed);
    SchemePlan plan = meant;
    if (bug->drawn != NULL)
        plan = scheme_plan(scheme_named(bug->drawn), meant.depth, meant.seed);
    if (!scheme_draw(params, shape, &plan, err))
        return false;
    if (bug->spoil != NULL)
        bug->spoil(params, shape, &meant);
    return true;
}
