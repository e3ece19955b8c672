/* stack.h: a stack of trained blocks: the parts of a block after its attention, mainly the MLP, and
 * the parts after the last block. Pure. Sources: Radford et al. 2019 (pre-norm), Devlin et al. 2019
 * (post-norm), Wang and Komatsuzaki 2021 (parallel), Shazeer 2020, "GLU variants improve
 * transformer" (gates), Gemma Team 2024, "Gemma 2" (norms of outputs, cap of logits). T tokens, D
 * model width, N width of the MLP, W words of the vocabulary. */
#ifndef HEADLIGHT_MODEL_ATTENTION_STACK_H
#define HEADLIGHT_MODEL_ATTENTION_STACK_H

#include "base/job.h"
#include "math/norm.h"

typedef enum Activation {
    ACTIVATION_GELU,      /* x·Φ(x) */
    ACTIVATION_GELU_TANH, /* GELU approximated by tanh */
    ACTIVATION_GELU_QUICK,
    ACTIVATION_RELU,
    ACTIVATION_SILU,
} Activation;

/* How a block adds attention and MLP to the residual stream. */
typedef enum StackOrder {
    STACK_PRE,      /* x + attention, then + MLP(norm) */
    STACK_POST,     /* norm(x + attention), then norm of this sum + MLP */
    STACK_PARALLEL, /* x + attention + MLP(norm(x)) */
    STACK_ALONE,    /* attention, without x and without an MLP */
} StackOrder;

/* out = norm(x)∘gain + shift. Without rows there is no gain or shift. */
typedef struct StackNorm {
    bool used; /* false: norm(x) is x */
    NormKind kind;
    Mat gain, shift; /* (1, D) */
} StackNorm;

/* out = x·w + bias. Without rows of w there is no such step. */
typedef struct StackLinear {
    Mat w; /* (inputs, outputs), unless has_outputs_first */
    bool has_outputs_first;
    Mat bias; /* (1, outputs) or without rows */
} StackLinear;

typedef struct StackBlock {
    StackOrder order;
    Activation activation;
    StackNorm attention_end, middle, end; /* see stack_block_finish */
    StackLinear up, gate,
        down; /* the MLP; with a gate, down multiplies activation(x·gate)∘(x·up) */
} StackBlock;

/* The steps after the last block and before the unembedding. */
typedef struct StackHead {
    Activation activation;
    StackNorm final; /* norm before `transform` */
    /* (D, D), only in masked language models; followed by activation and `transformed`. */
    StackLinear transform;
    StackNorm transformed;
} StackHead;

/* Return the number of outputs; 0 without the step. */
int stack_linear_outputs(const StackLinear *linear);

void stack_norm(Mat *x, const StackNorm *norm);

/* Fill hidden (T, D) with the block's output, from its input x (T, D) and attention (T, D), the
 * output of its heads without residual or norm. hidden is neither of the two. scratch needs
 * stack_block_scratch_bytes. The workers of job, which may be NULL, share the products
 * (gemm_in_job). */
uint64_t stack_block_scratch_bytes(const StackBlock *block, int T, int D);
void stack_block_finish(Mat *hidden, const StackBlock *block, const Mat *x, const Mat *attention,
                        const Job *job, Arena *scratch);

/* Overwrite x (T, D), the residual stream after the last block, with the input of the unembedding.
 * scratch needs mat_bytes(T, D). */
void stack_head_enter(Mat *x, const StackHead *head, Arena *scratch);

void stack_cap(Mat *m, float cap);

#endif
