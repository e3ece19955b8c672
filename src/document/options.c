#include "document/options.h"

#include <math.h>
#include <stdio.h>

#include "base/util.h"
#include "model/attention/block.h"
#include "model/attention/embedding.h"
#include "model/attention/mask.h"
#include "model/attention/position.h"
#include "text/tokenizer.h"

static const Entry SCALE_ROWS[] = {
    {"sqrt", "1/√d_k", "s = q·k / √d_k", "Divide each score by the square root of d_k."},
    {"none", "None", "s = q·k", "Leave the scores as they come; they grow with √d_k."},
};
const Registry SCALES = {"scales", "scale", SCALE_ROWS, sizeof SCALE_ROWS[0],
                         ARRAY_COUNT(SCALE_ROWS)};

#define AT(member) offsetof(Options, member)

static const OptionRow ROWS[] = {
    {{"tokenizer", "Tokens", "ID", "How the text is cut into tokens."},
     OPTION_CHOICE,
     &TOKENIZER_REGISTRY,
     AT(tokenizer),
     0,
     0,
     "words",
     NULL,
     NULL},
    {{"embedding", "Embedding", "ID", "Where each token's vector comes from."},
     OPTION_CHOICE,
     &EMBEDDINGS,
     AT(embedding),
     0,
     0,
     "glove",
     NULL,
     NULL},
    {{"positions", "Positions", "ID", "How the layer learns the position of a token."},
     OPTION_CHOICE,
     &POSITIONS,
     AT(positions),
     0,
     0,
     "sinusoidal",
     NULL,
     NULL},
    {{"d-model", "d_model", "N", "Width of the model: entries in each token's vector."},
     OPTION_INT,
     NULL,
     AT(d_model),
     1,
     OPTION_WIDTH_MAX,
     "64",
     NULL,
     NULL},
    {{"heads", "h", "N", "Number of attention heads."},
     OPTION_INT,
     NULL,
     AT(heads),
     1,
     OPTION_HEADS_MAX,
     "4",
     NULL,
     NULL},
    {{"d-k", "d_k", "N", "Width of a query or key, per head; auto is d_model / heads."},
     OPTION_INT,
     NULL,
     AT(d_k),
     1,
     OPTION_WIDTH_MAX,
     "auto",
     "auto",
     NULL},
    {{"d-v", "d_v", "N", "Width of a value, per head; auto is d_model / heads."},
     OPTION_INT,
     NULL,
     AT(d_v),
     1,
     OPTION_WIDTH_MAX,
     "auto",
     "auto",
     NULL},
    {{"scale", "Scale", "ID", "What the scores are multiplied by."},
     OPTION_CHOICE,
     &SCALES,
     AT(scale),
     0,
     0,
     "sqrt",
     NULL,
     NULL},
    {{"temperature", "Temperature", "X",
      "Divides the scores once more before the softmax: low = sharper, high = flatter."},
     OPTION_REAL,
     NULL,
     AT(temperature),
     1e-30,
     1e30,
     "1",
     NULL,
     NULL},
    {{"mask", "Mask", "ID[:W]", "Which keys each query may read."},
     OPTION_CHOICE,
     &MASKS,
     AT(mask),
     0,
     TOKENS_MAX,
     "none",
     NULL,
     "window:2"},
    {{"bias", "Bias", "ID", "Which products have a bias; biases start at 0."},
     OPTION_CHOICE,
     &ATTN_BIASES,
     AT(bias),
     0,
     0,
     "none",
     NULL,
     NULL},
    {{"block", "Block", "ID", "The parts around the attention: residual, normalisation."},
     OPTION_CHOICE,
     &ATTN_BLOCKS,
     AT(block),
     0,
     0,
     "attention",
     NULL,
     NULL},
    {{"form", "Form", "ID[:R]",
      "Two matrices W_Q and W_K (Separate), or their product W_QK (Merged)."},
     OPTION_CHOICE,
     &ATTN_FORMS,
     AT(form),
     1,
     OPTION_WIDTH_MAX,
     "separate",
     NULL,
     "rank:8"},
    {{"init", "Init", "SCHEME", "How the weights are initialised."},
     OPTION_CHOICE,
     &SCHEME_REGISTRY,
     AT(init),
     0,
     0,
     "xavier_uniform",
     NULL,
     NULL},
    {{"init-q", "Init W_Q", "SCHEME", "Scheme for W_Q; auto uses the scheme under Init."},
     OPTION_CHOICE,
     &SCHEME_REGISTRY,
     AT(init_q),
     0,
     0,
     "auto",
     "auto",
     NULL},
    {{"init-k", "Init W_K", "SCHEME", "Scheme for W_K; auto uses the scheme under Init."},
     OPTION_CHOICE,
     &SCHEME_REGISTRY,
     AT(init_k),
     0,
     0,
     "auto",
     "auto",
     NULL},
    {{"init-v", "Init W_V", "SCHEME", "Scheme for W_V; auto uses the scheme under Init."},
     OPTION_CHOICE,
     &SCHEME_REGISTRY,
     AT(init_v),
     0,
     0,
     "auto",
     "auto",
     NULL},
    {{"init-o", "Init W_O", "SCHEME", "Scheme for W_O; auto uses the scheme under Init."},
     OPTION_CHOICE,
     &SCHEME_REGISTRY,
     AT(init_o),
     0,
     0,
     "auto",
     "auto",
     NULL},
    {{"depth", "Depth", "N", "Layers that a depth-aware scheme assumes, and that compare stacks."},
     OPTION_INT,
     NULL,
     AT(depth),
     1,
     OPTION_DEPTH_MAX,
     "1",
     NULL,
     NULL},
    {{"layer", "Layer", "N", "The layer of a checkpoint, from 1."},
     OPTION_INT,
     NULL,
     AT(layer),
     1,
     OPTION_LAYER_MAX,
     "1",
     NULL,
     NULL},
    {{"beside", "Compare with", "SCHEME", "Compare with another initialisation."},
     OPTION_CHOICE,
     &SCHEME_REGISTRY,
     AT(beside),
     0,
     0,
     "none",
     "none",
     NULL},
    {{"seed", "Seed", "N", "Seed of the random weights; same seed, same numbers."},
     OPTION_SEED,
     NULL,
     AT(seed),
     0,
     0,
     "1",
     NULL,
     NULL},
    {{"head", "Head", "N", "The chosen head, from 1."},
     OPTION_INT,
     NULL,
     AT(head),
     1,
     OPTION_HEADS_MAX,
     "1",
     NULL,
     NULL},
    {{"pin", "Pin", "QUERY,KEY", "The pinned cell: the query's and the key's position, from 1."},
     OPTION_CELL,
     NULL,
     AT(pin),
     1,
     TOKENS_MAX,
     "none",
     "none",
     NULL},
};

const OptionTable STATE_OPTIONS = {ROWS, ARRAY_COUNT(ROWS)};

/* Set d_k or d_v if it is auto. Fails if the heads do not divide d_model. */
static bool width_check(const Options *o, int width, Err *err) {
    if (width > 0 || o->d_model % o->heads == 0)
        return true;
    char what[64];
    snprintf(what, sizeof what, "--heads %d", o->heads);
    return err_usage(err, what,
                     "%d is not divisible by %d; choose another number, or set --d-k and --d-v",
                     o->d_model, o->heads);
}

static bool rank_check(const Options *o, Err *err) {
    if (o->form.row != FORM_RANK || o->form.number <= o->d_model)
        return true;
    char what[64];
    snprintf(what, sizeof what, "--form rank:%d", o->form.number);
    return err_usage(err, what, "must be a rank from 1 to d_model, which is %d", o->d_model);
}

/* Report that QK-norm excludes a product of W_Q and W_K, because it lies between X and the scores.
 * */
static bool qk_norm_check(const Options *o, Err *err) {
    if (o->traits.qk_epsilon == 0 || o->form.row == FORM_SEPARATE || o->form.row == FORM_NESTED)
        return true;
    char what[64];
    snprintf(what, sizeof what, "--form %s", registry_entry(&ATTN_FORMS, o->form.row)->id);
    return err_usage(err, what, "has no place for these weights' QK-norm; choose separate");
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
                         "makes W_QK another matrix at each distance i − j, and the form %s has "
                         "one; choose separate, merged or nested",
                         registry_entry(&ATTN_FORMS, o->form.row)->id);
    return true;
}

bool options_check(const Options *o, Err *err) {
    if (!width_check(o, o->d_k, err) || !width_check(o, o->d_v, err))
        return false;
    if (o->head > o->heads) {
        char what[64];
        snprintf(what, sizeof what, "--head %d", o->head);
        return err_usage(err, what, "there are %d heads; choose one from 1 to %d", o->heads,
                         o->heads);
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
