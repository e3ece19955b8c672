#include "results/cell_story.h"

#include <math.h>

#include "math/norm.h"
#include "model/attention/position.h"

uint64_t cell_story_bytes(const AttnShape *shape) {
    size_t D = (size_t)shape->D, E = D + 1, K = (size_t)shape->K, H = (size_t)shape->H;
    return arena_padded((E > K ? E : K) * sizeof(float)) + 2 * arena_padded(D * sizeof(float)) +
           arena_padded(H * sizeof(double));
}

/* Find the parts of x = e + p. Without position codes, x is the word alone. */
static void add_input(CellStory *s, const Results *run, Arena *arena) {
    const Session *session = results_session(run);
    int D = s->shape->D, positions = session->options.positions;
    s->x = mat_row(&run->X, s->at.query);
    s->input = mat_row(&s->trace->input, s->at.query);
    s->is_given = session_gives_x(session);
    double square = 0;
    for (int m = 0; m < D; m++)
        square += (double)s->x[m] * (double)s->x[m];
    s->length = sqrt(square);
    if (s->shape->block == BLOCK_PRE_NORM)
        s->input_norm = norm_of_row(s->x, D, s->shape->traits.norm);
    if (s->is_given || (positions != POSITION_SINUSOIDAL && positions != POSITION_LEARNED))
        return;
    float *word = arena_push(arena, (size_t)D * sizeof *word);
    Mat p = {arena_push_zero(arena, (size_t)D * sizeof(float)), 1, D, D};
    results_add_positions(&p, s->at.query, session);
    for (int m = 0; m < D; m++)
        word[m] = s->x[m] - p.at[m];
    s->word = word;
    s->position = p.at;
}

static void add_score(CellStory *s, const Results *run, Arena *arena) {
    const AttnShape *shape = s->shape;
    const AttnTrace *t = s->trace;
    size_t head = (size_t)s->at.head;
    bool factors = attn_has_factors(shape);
    int E = attn_input_width(shape), most = E > shape->K ? E : shape->K;
    s->query_count = factors ? shape->K : E;
    s->query = mat_row(factors ? &t->Q : &t->XW, s->at.query) + head * (size_t)s->query_count;
    s->key = factors ? mat_row(&t->K, s->at.key) + head * (size_t)shape->K
                     : mat_row(&t->input, s->at.key);
    s->value = mat_row(&t->V, s->at.key) + head * (size_t)shape->V;
    float *terms = arena_push(arena, (size_t)most * sizeof *terms);
    s->terms = terms;
    s->term_count = attn_score_terms(terms, most, t, shape, &run->layers[s->at.layer].params,
                                     s->at.head, s->at.query, s->at.key);
    for (int m = 0; m < s->term_count; m++)
        s->dot += (double)terms[m];
    double scaled = s->dot * (double)shape->score_factor, cap = (double)shape->traits.cap;
    s->computed = cap > 0 ? cap * tanh(scaled / cap) : scaled;
    HandNumber place = {.name = HAND_S, .head = s->at.head, .row = s->at.query, .col = s->at.key};
    s->is_set = hand_set_find(results_session(run)->hand, &place) != NULL;
}

static void add_weight(CellStory *s, const Results *run) {
    const uint8_t *open = mask_row(&run->mask, s->at.query);
    Mat S = results_scores(run, s->at.layer, s->at.head);
    Mat A = results_weights(run, s->at.layer, s->at.head);
    s->score = mat_row(&S, s->at.query)[s->at.key];
    s->weights = mat_row(&A, s->at.query);
    s->weight = s->weights[s->at.key];
    s->is_open = open[s->at.key] != 0;
    s->open_keys = mask_open_keys(&run->mask, s->at.query);
    s->softmax = softmax_terms(mat_row(&S, s->at.query), open, run->T, s->at.key);
    s->read = mat_row(&s->trace->Z, s->at.query) + s->at.head * s->shape->V;
}

static void add_output(CellStory *s, const Results *run, Arena *arena) {
    const AttnShape *shape = s->shape;
    const AttnParams *params = &run->layers[s->at.layer].params;
    const float *z = mat_row(&s->trace->Z, s->at.query);
    s->head_parts = arena_push_zero(arena, (size_t)shape->H * sizeof *s->head_parts);
    for (int h = 0; h < shape->H; h++) {
        for (int m = h * shape->V; m < (h + 1) * shape->V; m++)
            s->head_parts[h] += (double)z[m] * (double)mat_row(&params->p[ATTN_W_O], m)[s->column];
        s->sum += s->head_parts[h];
    }
    if (shape->bias != BIAS_NONE)
        s->bias = (double)params->p[ATTN_B_O].at[s->column];
    if (shape->block != BLOCK_ATTENTION)
        s->residual = (double)s->x[s->column];
    s->sum += s->bias + s->residual;
    if (shape->block == BLOCK_POST_NORM)
        s->output_norm =
            norm_of_row(mat_row(&s->trace->sum, s->at.query), shape->D, shape->traits.norm);
    s->output = mat_row(&s->trace->Y, s->at.query)[s->column];
}

CellStory cell_story(const Results *run, AttnCell at, int column, Arena *arena) {
    CellStory s = {.at = at,
                   .column = column,
                   .shape = &run->layers[at.layer].shape[run->form],
                   .trace = results_trace(run, at.layer)};
    add_input(&s, run, arena);
    add_score(&s, run, arena);
    add_weight(&s, run);
    if (column >= 0)
        add_output(&s, run, arena);
    return s;
}
