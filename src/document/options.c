#include "document/options.h"

#include <math.h>

#include "base/utf8.h"
#include "base/util.h"
#include "model/attention/block.h"
#include "model/attention/embedding.h"
#include "model/attention/mask.h"
#include "model/attention/position.h"
#include "text/tokenizer.h"

static const Entry SCALE_ROWS[] = {
    {"sqrt", "1/√d_k", "s = q·k / √d_k", "Divide each score by the square root of d_k."},
    {"none", "None", "s = q·k", "Don't scale the scores; they grow with √d_k."},
};
const Registry SCALES = REGISTRY("scales", "scale", SCALE_ROWS);

#define AT(member) offsetof(Options, member)

static const OptionRow ROWS[] = {
    {{"tokenizer", "Tokens", "ID", "How the text is cut into tokens."},
     {OPTION_CHOICE, AT(tokenizer), "words", .choices = &TOKENIZER_REGISTRY}},
    {{"embedding", "Embedding", "ID", "Where each token's vector comes from."},
     {OPTION_CHOICE, AT(embedding), "glove", .choices = &EMBEDDINGS}},
    {{"positions", "Positions", "ID", "How the position of a token enters the layer."},
     {OPTION_CHOICE, AT(positions), "sinusoidal", .choices = &POSITIONS}},
    {{"d-model", "d_model", "N", "Width of the model: entries in each token's vector."},
     {OPTION_INT, AT(d_model), "64", .least = 1, .most = OPTION_WIDTH_MAX}},
    {{"heads", "h", "N", "Number of attention heads."},
     {OPTION_INT, AT(heads), "4", .least = 1, .most = OPTION_HEADS_MAX}},
    {{"d-k", "d_k", "N", "Width of a query or key, per head; auto is d_model / heads."},
     {OPTION_INT, AT(d_k), "auto", .least = 1, .most = OPTION_WIDTH_MAX, .absent = "auto"}},
    {{"d-v", "d_v", "N", "Width of a value, per head; auto is d_model / heads."},
     {OPTION_INT, AT(d_v), "auto", .least = 1, .most = OPTION_WIDTH_MAX, .absent = "auto"}},
    {{"scale", "Scale", "ID", "What the scores are multiplied by."},
     {OPTION_CHOICE, AT(scale), "sqrt", .choices = &SCALES}},
    {{"temperature", "Temperature", "X",
      "Divides the scores once more before the softmax: low = sharper, high = flatter."},
     {OPTION_REAL, AT(temperature), "1", .least = 1e-30, .most = 1e30}},
    {{"mask", "Mask", "ID[:W]", "Which keys each query may read."},
     {OPTION_CHOICE, AT(mask), "none", .choices = &MASKS, .most = TOKENS_MAX,
      .numbered = "window:2"}},
    {{"bias", "Bias", "ID", "Which products have a bias; biases start at 0."},
     {OPTION_CHOICE, AT(bias), "none", .choices = &ATTN_BIASES}},
    {{"block", "Block", "ID", "The parts around the attention: residual, normalisation."},
     {OPTION_CHOICE, AT(block), "attention", .choices = &ATTN_BLOCKS}},
    {{"form", "Form", "ID[:R]",
      "Two matrices W_Q and W_K (Separate), or their product W_QK (Merged)."},
     {OPTION_CHOICE, AT(form), "separate", .choices = &ATTN_FORMS, .least = 1,
      .most = OPTION_WIDTH_MAX, .numbered = "rank:8"}},
    {{"init", "Init", "SCHEME", "How the weights are initialised."},
     {OPTION_CHOICE, AT(init), "xavier_uniform", .choices = &SCHEME_REGISTRY}},
    {{"init-q", "Init W_Q", "SCHEME", "Scheme for W_Q; auto uses the scheme under Init."},
     {OPTION_CHOICE, AT(init_q), "auto", .choices = &SCHEME_REGISTRY, .absent = "auto"}},
    {{"init-k", "Init W_K", "SCHEME", "Scheme for W_K; auto uses the scheme under Init."},
     {OPTION_CHOICE, AT(init_k), "auto", .choices = &SCHEME_REGISTRY, .absent = "auto"}},
    {{"init-v", "Init W_V", "SCHEME", "Scheme for W_V; auto uses the scheme under Init."},
     {OPTION_CHOICE, AT(init_v), "auto", .choices = &SCHEME_REGISTRY, .absent = "auto"}},
    {{"init-o", "Init W_O", "SCHEME", "Scheme for W_O; auto uses the scheme under Init."},
     {OPTION_CHOICE, AT(init_o), "auto", .choices = &SCHEME_REGISTRY, .absent = "auto"}},
    {{"depth", "Depth", "N",
      "Number of layers that a depth-aware scheme assumes, and that Compare stacks."},
     {OPTION_INT, AT(depth), "1", .least = 1, .most = OPTION_DEPTH_MAX}},
    {{"layer", "Layer", "N", "The layer of a checkpoint, from 1."},
     {OPTION_INT, AT(layer), "1", .least = 1, .most = OPTION_LAYER_MAX}},
    {{"beside", "Compare with", "SCHEME", "Compare with another initialisation."},
     {OPTION_CHOICE, AT(beside), "none", .choices = &SCHEME_REGISTRY, .absent = "none"}},
    {{"seed", "Seed", "N", "Seed of the random weights; same seed, same numbers."},
     {OPTION_SEED, AT(seed), .standard = "1"}},
    {{"head", "Head", "N", "The chosen head, from 1."},
     {OPTION_INT, AT(head), "1", .least = 1, .most = OPTION_HEADS_MAX}},
    {{"pin", "Pin", "QUERY,KEY", "The pinned cell: the query's and the key's position, from 1."},
     {OPTION_CELL, AT(pin), "none", .least = 1, .most = TOKENS_MAX, .absent = "none"}},
};

const OptionTable STATE_OPTIONS = {ROWS, ARRAY_COUNT(ROWS)};

static bool width_check(const Options *o, int width, Err *err) {
    if (width > 0 || o->d_model % o->heads == 0)
        return true;
    return err_usage(err, PRINT("--heads %d", o->heads),
                     "%d is not divisible by %d; choose another number, or set --d-k and --d-v",
                     o->d_model, o->heads);
}

static bool rank_check(const Options *o, Err *err) {
    if (o->form.row != FORM_RANK || o->form.number <= o->d_model)
        return true;
    return err_usage(err, PRINT("--form rank:%d", o->form.number),
                     "must be a rank from 1 to d_model, which is %d", o->d_model);
}

/* Fail if the weights have QK-norm, which changes Q and K, but the form computes scores from W_QK,
 * without Q and K. */
static bool qk_norm_check(const Options *o, Err *err) {
    if (o->traits.qk_epsilon == 0 || o->form.row == FORM_SEPARATE || o->form.row == FORM_NESTED)
        return true;
    return err_usage(err, PRINT("--form %s", registry_entry(&ATTN_FORMS, o->form.row)->id),
                     "does not allow the QK-norm of these weights; choose separate");
}

static bool rope_check(const Options *o, Err *err) {
    int K = o->d_k > 0 ? o->d_k : o->d_model / o->heads;
    if (o->positions != POSITION_ROPE)
        return true;
    if (K % 2 != 0)
        return err_usage(err, "--positions rope",
                         "rotates pairs of columns, and d_k is %d; set an even --d-k", K);
    if (o->form.row == FORM_RANK || o->form.row == FORM_FREE)
        return err_usage(err, "--positions rope",
                         "gives each distance i − j a W_QK of its own, but the form %s has only "
                         "one; choose separate, merged or nested",
                         registry_entry(&ATTN_FORMS, o->form.row)->id);
    return true;
}

bool options_check(const Options *o, Err *err) {
    if (!width_check(o, o->d_k, err) || !width_check(o, o->d_v, err))
        return false;
    if (o->head > o->heads) {
        return err_usage(err, PRINT("--head %d", o->head),
                         "there are %d heads; choose one from 1 to %d", o->heads, o->heads);
    }
    return rank_check(o, err) && qk_norm_check(o, err) && rope_check(o, err);
}

AttnShape options_shape(const Options *o, int T, AttnForm form) {
    AttnShape shape = {.T = T, .D = o->d_model, .H = o->heads, .form = form};
    shape.K = o->d_k > 0 ? o->d_k : o->d_model / o->heads;
    shape.V = o->d_v > 0 ? o->d_v : o->d_model / o->heads;
    float scale = o->scale == SCALE_SQRT ? 1.0f / sqrtf((float)shape.K) : 1.0f;
    shape.score_factor = scale / o->temperature;
    shape.rank = o->form.number;
    shape.bias = (AttnBias)o->bias;
    shape.block = (AttnBlock)o->block;
    shape.rope = o->positions == POSITION_ROPE;
    shape.traits = o->traits;
    return shape;
}

int options_fixed_scheme(const Options *o) {
    int q = o->init_q >= 0 ? o->init_q : o->init, k = o->init_k >= 0 ? o->init_k : o->init;
    int v = o->init_v >= 0 ? o->init_v : o->init;
    return q == k && k == v && SCHEMES[q].law == SCHEME_FIXED ? q : -1;
}

SchemePlan options_plan(const Options *o, int scheme) {
    SchemePlan plan = scheme_plan(scheme, o->depth, o->seed);
    const struct {
        AttnParam param;
        int scheme;
    } own[] = {
        {ATTN_W_Q, o->init_q}, {ATTN_W_K, o->init_k}, {ATTN_W_V, o->init_v}, {ATTN_W_O, o->init_o}};
    for (size_t i = 0; i < ARRAY_COUNT(own); i++)
        if (own[i].scheme >= 0)
            plan.scheme[own[i].param] = own[i].scheme;
    return plan;
}
