#include "views/steps/steps_numbers.h"

#include <math.h>
#include <string.h>

#include "math/norm.h"
#include "model/attention/position.h"

size_t steps_numbers_bytes(const AttnShape *shape) {
    size_t D = (size_t)shape->D, E = D + 1, K = (size_t)shape->K, H = (size_t)shape->H;
    return arena_padded((E > K ? E : K) * sizeof(float)) + 2 * arena_padded(D * sizeof(float)) +
           arena_padded(H * sizeof(double));
}

static StepsNorm norm_of(const float *row, int count, NormKind kind) {
    double sum = 0, square = 0;
    for (int m = 0; m < count; m++)
        sum += (double)row[m];
    double mean = kind.rms ? 0 : sum / count;
    for (int m = 0; m < count; m++)
        square += ((double)row[m] - mean) * ((double)row[m] - mean);
    double epsilon = kind.epsilon > 0 ? (double)kind.epsilon : NORM_EPSILON;
    return (StepsNorm){mean, sqrt(square / count + epsilon)};
}

/* Find the parts of x = e + p. Without a position x is the word alone. */
static void add_input(StepsNumbers *n, const Results *run, const Session *session, Arena *arena) {
    const Options *o = &session->options;
    int D = n->shape->D;
    n->x = mat_row(&run->X, n->at.query);
    n->input = mat_row(&n->trace.input, n->at.query);
    n->is_given = session_gives_x(session);
    double square = 0;
    for (int m = 0; m < D; m++)
        square += (double)n->x[m] * (double)n->x[m];
    n->length = sqrt(square);
    if (n->shape->block == BLOCK_PRE_NORM)
        n->input_norm = norm_of(n->x, D, n->shape->traits.norm);
    if (n->is_given || (o->positions != POSITION_SINUSOIDAL && o->positions != POSITION_LEARNED))
        return;
    float *word = arena_push(arena, (size_t)D * sizeof *word);
    Mat p = {arena_push_zero(arena, (size_t)D * sizeof(float)), 1, D, D};
    results_add_positions(&p, n->at.query, session);
    for (int m = 0; m < D; m++)
        word[m] = n->x[m] - p.at[m];
    n->word = word;
    n->position = p.at;
}

static void add_projections(StepsNumbers *n) {
    const AttnShape *shape = n->shape;
    const AttnTrace *t = &n->trace;
    size_t head = (size_t)n->at.head;
    bool factors = attn_has_factors(shape);
    n->query_count = factors ? shape->K : attn_input_width(shape);
    n->query = mat_row(factors ? &t->Q : &t->XW, n->at.query) + head * (size_t)n->query_count;
    n->key = factors ? mat_row(&t->K, n->at.key) + head * (size_t)shape->K
                     : mat_row(&t->input, n->at.key);
    n->value = mat_row(&t->V, n->at.key) + head * (size_t)shape->V;
}

static void add_score(StepsNumbers *n, const Results *run, Arena *arena) {
    const AttnShape *shape = n->shape;
    int E = attn_input_width(shape), most = E > shape->K ? E : shape->K;
    float *terms = arena_push(arena, (size_t)most * sizeof *terms);
    n->terms = terms;
    n->term_count = attn_score_terms(terms, most, &n->trace, shape, &run->layers[0].params,
                                     n->at.head, n->at.query, n->at.key);
    for (int m = 0; m < n->term_count; m++)
        n->dot += (double)terms[m];
    Mat S = results_scores(run, 0, n->at.head);
    n->score = mat_row(&S, n->at.query)[n->at.key];
}

static void add_weight(StepsNumbers *n, const Results *run) {
    const uint8_t *open = mask_row(&run->mask, n->at.query);
    Mat S = results_scores(run, 0, n->at.head);
    Mat A = attn_head_scores(&n->trace.A, n->shape, n->at.head);
    const float *scores = mat_row(&S, n->at.query);
    n->weights = mat_row(&A, n->at.query);
    n->weight = n->weights[n->at.key];
    n->is_open = open[n->at.key] != 0;
    n->open_keys = mask_open_keys(&run->mask, n->at.query);
    n->softmax = softmax_terms(scores, open, run->T, n->at.key);
}

static void add_output(StepsNumbers *n, const Results *run, Arena *arena) {
    const AttnShape *shape = n->shape;
    const AttnParams *params = &run->layers[0].params;
    const float *z = mat_row(&n->trace.Z, n->at.query);
    const Mat *W_O = &params->p[ATTN_W_O];
    int c = n->at.output;
    n->read = z + n->at.head * shape->V;
    n->head_parts = arena_push(arena, (size_t)shape->H * sizeof *n->head_parts);
    for (int h = 0; h < shape->H; h++) {
        double part = 0;
        for (int m = h * shape->V; m < (h + 1) * shape->V; m++)
            part += (double)z[m] * (double)mat_row(W_O, m)[c];
        n->head_parts[h] = part;
        n->sum += part;
    }
    if (shape->bias != BIAS_NONE)
        n->bias = (double)params->p[ATTN_B_O].at[c];
    if (shape->block != BLOCK_ATTENTION)
        n->residual = (double)n->x[c];
    n->sum += n->bias + n->residual;
    if (shape->block == BLOCK_POST_NORM)
        n->output_norm = norm_of(mat_row(&n->trace.sum, n->at.query), shape->D, shape->traits.norm);
    n->output = mat_row(&n->trace.Y, n->at.query)[c];
}

StepsNumbers steps_numbers(const Results *run, const Session *session, StepsPlace at,
                           Arena *arena) {
    StepsNumbers n = {.at = at, .shape = &run->layers[0].shape[run->form]};
    n.trace = *results_trace(run, 0);
    add_input(&n, run, session, arena);
    add_projections(&n);
    add_score(&n, run, arena);
    add_weight(&n, run);
    add_output(&n, run, arena);
    return n;
}
