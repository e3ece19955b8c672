#include "lab/study_stats.h"

#include <math.h>

#include "model/analysis/spectrum.h"
#include "model/analysis/stats.h"
#include "model/attention/params.h"

static double std(const Mat *m) {
    return m->rows == 0 ? NAN : stats_std(m);
}

static double param_std(const StudyLayer *layer, size_t which) {
    return std(&layer->params->p[which]);
}

static double trace_std(const StudyLayer *layer, size_t which) {
    return std((const Mat *)(const void *)((const char *)layer->trace + which));
}

static double input_std(const StudyLayer *layer, size_t which) {
    (void)which;
    return std(layer->x);
}

static double input_gradient_std(const StudyLayer *layer, size_t which) {
    (void)which;
    return std(layer->dx);
}

static double gradient_std(const StudyLayer *layer, size_t which) {
    return std(&layer->grads->p[which]);
}

/* In the nested form W_Q, W_K and W_V are products of factors: their gradients are not gradients of
 * parameters. */
static bool is_folded(size_t param, const AttnShape *shape) {
    return shape->form == FORM_NESTED &&
           (param == ATTN_W_Q || param == ATTN_W_K || param == ATTN_W_V);
}

static double gradient_norm(const StudyLayer *layer, size_t which) {
    (void)which;
    double squares = 0;
    for (size_t p = 0; p < ATTN_PARAM_COUNT; p++)
        if (!is_folded(p, layer->shape))
            squares += stats_sum_of_squares(&layer->grads->p[p]);
    return sqrt(squares);
}

static double score_std(const StudyLayer *layer, size_t which) {
    (void)which;
    return stats_score_std(&layer->trace->S, layer->mask);
}

static double mean_entropy(const StudyLayer *layer, size_t which) {
    (void)which;
    return stats_mean_entropy(&layer->trace->A, layer->mask);
}

static double mean_largest(const StudyLayer *layer, size_t which) {
    (void)which;
    return stats_mean_largest(&layer->trace->A, layer->mask);
}

static double input_residual(const StudyLayer *layer, size_t which) {
    (void)which;
    return stats_row_residual(layer->x);
}

static double output_residual(const StudyLayer *layer, size_t which) {
    (void)which;
    return stats_row_residual(&layer->trace->Y);
}

static double mean_saturation(const StudyLayer *layer, size_t which) {
    (void)which;
    double sum = 0;
    for (int h = 0; h < layer->shape->H; h++) {
        Mat S = attn_head_scores(&layer->trace->S, layer->shape, h);
        Mat A = attn_head_scores(&layer->trace->A, layer->shape, h);
        HeadStats stats;
        stats_head(&stats, &S, &A, layer->mask);
        sum += stats.saturation;
    }
    return sum / layer->shape->H;
}

static double mean_rank_of_weights(const StudyLayer *layer, size_t which) {
    (void)which;
    double sum = 0, rank = NAN;
    for (int h = 0; h < layer->shape->H && job_goes_on(layer->job); h++) {
        Mat A = attn_head_scores(&layer->trace->A, layer->shape, h);
        if (!spectrum_matrix_effective_rank(&rank, &A, NULL, layer->err))
            return NAN;
        sum += rank;
    }
    return sum / layer->shape->H;
}

/* Find the effective rank of a head's W_QK: in the free and rank forms from W_QK itself (in rank,
 * cut to rank R), otherwise from its factors. */
static bool rank_of_product(double *rank, const StudyLayer *layer, int head) {
    const AttnShape *shape = layer->shape;
    const AttnParams *params = layer->params;
    if (shape->form == FORM_RANK || shape->form == FORM_FREE) {
        Mat product = attn_head_product(&layer->trace->W_QK, shape, head);
        return spectrum_matrix_effective_rank(rank, &product, NULL, layer->err);
    }
    Mat w_q = attn_head_query(&params->p[ATTN_W_Q], shape, head);
    Mat w_k = attn_head_query(&params->p[ATTN_W_K], shape, head);
    return spectrum_matrix_effective_rank(rank, &w_q, &w_k, layer->err);
}

static double mean_rank_of_product(const StudyLayer *layer, size_t which) {
    (void)which;
    double sum = 0, rank = NAN;
    for (int h = 0; h < layer->shape->H && job_goes_on(layer->job); h++) {
        if (!rank_of_product(&rank, layer, h))
            return NAN;
        sum += rank;
    }
    return sum / layer->shape->H;
}

#define IN_TRACE(member)    offsetof(AttnTrace, member)
#define IN_EXPECTED(member) offsetof(Expected, member)
#define UNEXPECTED          SIZE_MAX

const StudyStatRow STUDY_STATS[STUDY_STAT_COUNT] = {
    [STUDY_STD_W_Q] = {{"std.W_Q", "std W_Q", "σ(W_Q)", "Standard deviation of the query weights."},
                       {STUDY_FORWARD, param_std, IN_EXPECTED(W[ATTN_W_Q]), .which = ATTN_W_Q,
                        .of_weight = true}},
    [STUDY_STD_W_K] = {{"std.W_K", "std W_K", "σ(W_K)", "Standard deviation of the key weights."},
                       {STUDY_FORWARD, param_std, IN_EXPECTED(W[ATTN_W_K]), .which = ATTN_W_K,
                        .of_weight = true}},
    [STUDY_STD_W_V] = {{"std.W_V", "std W_V", "σ(W_V)", "Standard deviation of the value weights."},
                       {STUDY_FORWARD, param_std, IN_EXPECTED(W[ATTN_W_V]), .which = ATTN_W_V,
                        .of_weight = true}},
    [STUDY_STD_W_O] = {{"std.W_O", "std W_O", "σ(W_O)",
                        "Standard deviation of the output weights."},
                       {STUDY_FORWARD, param_std, IN_EXPECTED(W[ATTN_W_O]), .which = ATTN_W_O,
                        .of_weight = true}},
    [STUDY_STD_Q] = {{"std.Q", "std Q", "σ(Q)", "Standard deviation of the queries."},
                     {STUDY_FORWARD, trace_std, IN_EXPECTED(Q), .which = IN_TRACE(Q)}},
    [STUDY_STD_K] = {{"std.K", "std K", "σ(K)", "Standard deviation of the keys."},
                     {STUDY_FORWARD, trace_std, IN_EXPECTED(K), .which = IN_TRACE(K)}},
    [STUDY_STD_V] = {{"std.V", "std V", "σ(V)", "Standard deviation of the values."},
                     {STUDY_FORWARD, trace_std, IN_EXPECTED(V), .which = IN_TRACE(V)}},
    [STUDY_STD_S] =
        {{"std.S", "std S", "σ(S)",
          "Standard deviation of the scores over the open pairs, after scale and temperature."},
         {STUDY_FORWARD, score_std, .expected = IN_EXPECTED(S)}},
    [STUDY_STD_Z] = {{"std.Z", "std Z", "σ(Z)",
                      "Standard deviation of Z, the heads' outputs before W_O."},
                     {STUDY_FORWARD, trace_std, IN_EXPECTED(Z), .which = IN_TRACE(Z)}},
    [STUDY_STD_Y] = {{"std.Y", "std Y", "σ(Y)", "Standard deviation of the layer's output."},
                     {STUDY_FORWARD, trace_std, IN_EXPECTED(Y), .which = IN_TRACE(Y)}},
    [STUDY_ENTROPY_A] = {{"entropy.A", "Entropy", "−Σ a·ln a",
                          "Entropy of a row of A in nats: the mean over rows and heads."},
                         {STUDY_FORWARD, mean_entropy, .expected = IN_EXPECTED(entropy)}},
    [STUDY_MAX_A] = {{"max.A", "Mean max A", "Σ_i max_j a_ij / n",
                      "A row's largest weight: the mean over rows and heads."},
                     {STUDY_FORWARD, mean_largest, .expected = IN_EXPECTED(largest)}},
    [STUDY_STD_GRAD_X] = {{"std.grad.X", "std grad X", "σ(∂L/∂X)",
                           "Standard deviation of the gradient of the layer's input X."},
                          {STUDY_BACKWARD, input_gradient_std, .expected = IN_EXPECTED(grad_X)}},
    [STUDY_STD_GRAD_W_Q] = {{"std.grad.W_Q", "std grad W_Q", "σ(∂L/∂W_Q)",
                             "Standard deviation of the gradient of the query weights."},
                            {STUDY_BACKWARD, gradient_std, IN_EXPECTED(grad_W[ATTN_W_Q]),
                             .which = ATTN_W_Q}},
    [STUDY_STD_GRAD_W_K] = {{"std.grad.W_K", "std grad W_K", "σ(∂L/∂W_K)",
                             "Standard deviation of the gradient of the key weights."},
                            {STUDY_BACKWARD, gradient_std, IN_EXPECTED(grad_W[ATTN_W_K]),
                             .which = ATTN_W_K}},
    [STUDY_STD_GRAD_W_V] = {{"std.grad.W_V", "std grad W_V", "σ(∂L/∂W_V)",
                             "Standard deviation of the gradient of the value weights."},
                            {STUDY_BACKWARD, gradient_std, IN_EXPECTED(grad_W[ATTN_W_V]),
                             .which = ATTN_W_V}},
    [STUDY_STD_GRAD_W_O] = {{"std.grad.W_O", "std grad W_O", "σ(∂L/∂W_O)",
                             "Standard deviation of the gradient of the output weights."},
                            {STUDY_BACKWARD, gradient_std, IN_EXPECTED(grad_W[ATTN_W_O]),
                             .which = ATTN_W_O}},
    [STUDY_STD_GRAD_W_QK] =
        {{"std.grad.W_QK", "std grad W_QK", "σ(∂L/∂W_QK)",
          "Standard deviation of the gradient of W_QK, in the forms that have it."},
         {STUDY_BACKWARD | STUDY_SIGNAL, gradient_std, UNEXPECTED, .which = ATTN_W_QK}},
    [STUDY_NORM_GRAD] = {{"norm.grad", "Gradient norm", "‖∂L/∂θ‖",
                          "Length of the gradient of all parameters of the layer together."},
                         {STUDY_BACKWARD | STUDY_SIGNAL, gradient_norm, .expected = UNEXPECTED}},
    [STUDY_STD_X] = {{"std.X", "std X", "σ(X)", "Standard deviation of the layer's input X."},
                     {STUDY_SIGNAL, input_std, .expected = UNEXPECTED}},
    [STUDY_STD_W_QK] = {{"std.W_QK", "std W_QK", "σ(W_QK)",
                         "Standard deviation of W_QK, in the forms that have it."},
                        {STUDY_SIGNAL, trace_std, UNEXPECTED, .which = IN_TRACE(W_QK)}},
    [STUDY_RESIDUAL_X] = {{"residual.X", "Residual of X", "‖X − 1·x̄ᵀ‖/‖X‖",
                           "How different the rows of the input are. 0: they are all equal."},
                          {STUDY_SIGNAL, input_residual, .expected = UNEXPECTED}},
    [STUDY_RESIDUAL_Y] =
        {{"residual.Y", "Residual of Y", "‖Y − 1·ȳᵀ‖/‖Y‖",
          "How different the rows of the output are. 0: they are all equal (rank collapse)."},
         {STUDY_SIGNAL, output_residual, .expected = UNEXPECTED}},
    [STUDY_SATURATION_A] =
        {{"saturation.A", "Saturation", "1 − Σ a(1 − a)/(1 − 1/n)",
          "How close a row of A is to a single key. 0: the row is even; 1: one key has all weight, "
          "and no gradient passes the softmax. The mean over rows and heads."},
         {STUDY_SIGNAL, mean_saturation, .expected = IN_EXPECTED(saturation)}},
    [STUDY_RANK_A] =
        {{"rank.A", "Effective rank of A", "exp(−Σ p·ln p), p = σ/Σσ",
          "Effective number of directions in a head's attention weights A: the mean over heads."},
         {STUDY_SPECTRA, mean_rank_of_weights, .expected = IN_EXPECTED(rank_A)}},
    [STUDY_RANK_W_QK] = {{"rank.W_QK", "Effective rank of W_QK", "exp(−Σ p·ln p), p = σ/Σσ",
                          "Effective number of directions in which queries and keys are compared: "
                          "the mean over heads."},
                         {STUDY_SPECTRA, mean_rank_of_product, .expected = IN_EXPECTED(rank_W_QK)}},
};

const Registry STUDY_STAT_REGISTRY = REGISTRY("statistics", "statistic", STUDY_STATS);

static bool is_in_form(StudyStat stat, const AttnShape *shape) {
    if (stat == STUDY_STD_W_Q || stat == STUDY_STD_W_K)
        return shape->form != FORM_FREE;
    bool of_factor = stat == STUDY_STD_Q || stat == STUDY_STD_K || stat == STUDY_STD_GRAD_W_Q ||
                     stat == STUDY_STD_GRAD_W_K;
    return !of_factor || attn_has_factors(shape);
}

/* Return the number of values that the statistic compares, which must be at least 2: entries for a
 * standard deviation, rows for a distance, open keys of a row for the softmax's derivative. Return
 * INFINITY if one value is enough. */
static double numbers_compared(StudyStat stat, const AttnShape *shape, const Mask *mask) {
    const StudyStatRow *row = &STUDY_STATS[stat];
    double pairs = 0, most = 0, H = shape->H, T = shape->T;
    if (row->measure == param_std || row->measure == gradient_std)
        return (double)param_axis_size(PARAMS[row->which].rows, shape) *
               param_axis_size(PARAMS[row->which].cols, shape);
    if (stat == STUDY_STD_Q || stat == STUDY_STD_K)
        return T * H * shape->K;
    if (stat == STUDY_STD_V || stat == STUDY_STD_Z)
        return T * H * shape->V;
    if (stat == STUDY_STD_X || stat == STUDY_STD_Y || stat == STUDY_STD_GRAD_X)
        return T * shape->D;
    if (stat == STUDY_RESIDUAL_X || stat == STUDY_RESIDUAL_Y)
        return T;
    if (stat != STUDY_STD_S && stat != STUDY_SATURATION_A)
        return INFINITY;
    for (int i = 0; i < shape->T; i++) {
        int open = mask_open_keys(mask, i);
        pairs += open;
        most = fmax(most, open);
    }
    return stat == STUDY_STD_S ? pairs * H : most;
}

bool study_stat_exists(StudyStat stat, const AttnShape *shape, const Mask *mask) {
    return is_in_form(stat, shape) && numbers_compared(stat, shape, mask) > 1;
}

bool study_measure(float values[STUDY_STAT_COUNT], const StudyLayer *layer, unsigned parts) {
    for (int s = 0; s < STUDY_STAT_COUNT; s++) {
        const StudyStatRow *row = &STUDY_STATS[s];
        bool wanted = (parts & row->parts) == row->parts &&
                      study_stat_exists((StudyStat)s, layer->shape, layer->mask);
        values[s] = wanted ? (float)row->measure(layer, row->which) : NAN;
        if (!job_goes_on(layer->job) || layer->err->kind != ERR_NONE)
            return false;
    }
    return true;
}
