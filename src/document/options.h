/* options.h: the state that a layer and its picture are a function of, besides the text.
 * The table STATE_OPTIONS is the contract's "State options". Pure. */
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

/* Choices are rows of the registries that the table names. */
typedef struct Options {
    int tokenizer, embedding, positions;
    int d_model, heads;
    int d_k, d_v; /* 0: d_model / heads */
    OptionChoice mask, form;
    int bias, block;
    int scale, init;
    int init_q, init_k, init_v, init_o; /* a scheme for one matrix, or -1: that of the layer */
    int depth;                          /* layers that a depth-aware scheme assumes */
    int beside;                         /* a second scheme to compare with the first, or -1 */
    int layer;                          /* of a checkpoint, from 1 */
    int head;                           /* the chosen one, from 1 */
    float temperature;
    uint64_t seed;
    OptionPair pin; /* query and key from 1, or {0, 0} */
    AttnTraits traits; /* of the weights; no row of STATE_OPTIONS */
} Options;

typedef enum ScaleKind { SCALE_SQRT, SCALE_NONE } ScaleKind;
extern const Registry SCALES;

extern const OptionTable STATE_OPTIONS;

/* Whether the options agree with each other; err names the option and the remedy. */
bool options_check(const Options *options, Err *err);

/* The shape of the layer for T tokens; options must have passed options_check. */
AttnShape options_shape(const Options *options, int T, AttnForm form);

/* The plan for drawing a layer of that scheme: init for the first, beside for the second. The four
 * overrides hold for both. */
SchemePlan options_plan(const Options *options, int scheme);

#endif
