/* options.h: the options that, together with the text, determine a layer and its picture. The table
 * STATE_OPTIONS lists them. Pure. */
#ifndef HEADLIGHT_DOCUMENT_OPTIONS_H
#define HEADLIGHT_DOCUMENT_OPTIONS_H

#include <stdint.h>

#include "base/option.h"
#include "model/attention/attention.h"
#include "model/init/scheme.h"

#define OPTION_HEADS_MAX 64
#define OPTION_WIDTH_MAX 4096
#define OPTION_DEPTH_MAX 1024
#define OPTION_LAYER_MAX 1024

/* An int that stands for a choice is an index into the choice's registry, see STATE_OPTIONS. */
typedef struct Options {
    int tokenizer, embedding, positions;
    int d_model, heads;
    int d_k, d_v; /* 0: d_model / heads */
    OptionChoice mask, form;
    int bias, block;
    int scale, init;
    /* Scheme for a single matrix, or -1: the scheme of the layer. */
    int init_q, init_k, init_v, init_o;
    int depth;  /* number of layers that a depth-aware scheme assumes */
    int beside; /* a second scheme to compare with the first, or -1 */
    int layer;  /* number of the layer in a checkpoint, from 1 */
    int head;   /* the chosen head, from 1 */
    float temperature;
    uint64_t seed;
    OptionPair pin;    /* the pinned query and key from 1, or {0, 0} */
    AttnTraits traits; /* traits that come with the weights; not in STATE_OPTIONS */
} Options;

typedef enum ScaleKind { SCALE_SQRT, SCALE_NONE } ScaleKind;
extern const Registry SCALES;

extern const OptionTable STATE_OPTIONS;

/* True if the options do not contradict each other; otherwise err names option and remedy. */
bool options_check(const Options *options, Err *err);

/* Return the shape of the layer for T tokens. options must have passed options_check. */
AttnShape options_shape(const Options *options, int T, AttnForm form);

/* Return the scheme of W_Q, W_K and W_V if it needs no random numbers; otherwise -1. */
int options_fixed_scheme(const Options *options);

/* Return the plan for sampling a layer by this scheme, options->init or options->beside. init_q,
 * init_k, init_v and init_o replace it for their matrices. */
SchemePlan options_plan(const Options *options, int scheme);

#endif
