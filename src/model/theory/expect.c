#include "model/theory/expect.h"

#include <math.h>

#include "model/theory/softmax_law.h"

/* p is a row of A with n open keys. x_j are the rows of X, of random directions and mean square 1,
 * as the random embedding and layer normalisation give. */
typedef struct ReadingLaw {
    double entropy, largest; /* over rows with an open key: mean of −Σ p·ln p, and of max p */
    double saturation; /* over rows with at least two open keys: mean of 1 − Σ p(1 − p)/(1 − 1/n) */
    /* Over all rows; a row without an open key counts as 0. */
    double squares;       /* Σ p² */
    double read;          /* mean square of an entry of Σ p_j·x_j */
    double read_together; /* mean square of an entry of the mean of Σ p_j·x_j over rows */
    /* For C = Xᵀ·M·X, where M = diag(p) − p·pᵀ is the softmax's derivative: how much of a gradient
     * the softmax passes. u is the direction in which the scores of the row grow. NaN beyond
     * SOFTMAX_LAW_STD_MAX, where a few near ties among many rows determine the average. */
    double along;  /* |C·u|² of the unit vector u, lowered because the weights depend on x·u */
    double across; /* Σ |C·v|² over the D − 1 unit vectors v orthogonal to u */
    double through_q;  /* mean of tr C²·|q|² divided by the mean of |q|², where tr C² = along +
                          across: long queries have sharper rows */
    double slope_keys; /* tr M²: how much of a gradient the softmax passes to the keys */
} ReadingLaw;

/* Limit of nodes. A node is a number of keys for which the law is computed; for numbers between
 * nodes it is interpolated. */
#define NODES 16

typedef struct Node {
    int keys;
    /* Number of rows near this node, as interpolated in ln n and in 1/n. */
    double by_log, by_share;
} Node;

typedef struct Rows {
    Node nodes[NODES];
    int keys[NODES];
    int count;
    int open, choice; /* rows with at least one open key, and with at least two */
} Rows;

static int open_keys(const AttnShape *shape, const Mask *mask, int row) {
    return mask != NULL ? mask_open_keys(mask, row) : shape->T;
}

/* Place the nodes at all whole numbers from least to most if they fit, otherwise at even steps of
 * ln n. */
static void place_nodes(Rows *rows, int least, int most) {
    bool few = most - least < NODES;
    int last = 0;
    for (int i = 0; i < NODES; i++) {
        double at = log(least) + (log(most) - log(least)) * i / (NODES - 1);
        int keys = few ? least + i : (int)lround(exp(at));
        if (keys > last && keys <= most)
            rows->nodes[rows->count++].keys = last = keys;
    }
}

static double between(double from, double to, double at) {
    return from == to ? 0 : (at - from) / (to - from);
}

static void share_out(Rows *rows, int keys) {
    int above = 0;
    while (rows->nodes[above].keys < keys)
        above++;
    Node *b = &rows->nodes[above], *a = above > 0 ? b - 1 : b;
    double by_log = between(log(a->keys), log(b->keys), log(keys));
    double by_share = between(1.0 / a->keys, 1.0 / b->keys, 1.0 / keys);
    a->by_log += 1 - by_log;
    b->by_log += by_log;
    a->by_share += 1 - by_share;
    b->by_share += by_share;
}

static Rows rows_of(const AttnShape *shape, const Mask *mask) {
    Rows rows = {0};
    int least = 0, most = 0;
    for (int i = 0; i < shape->T; i++) {
        int n = open_keys(shape, mask, i);
        least = n > 0 && (least == 0 || n < least) ? n : least;
        most = n > most ? n : most;
    }
    if (most == 0)
        return rows;
    place_nodes(&rows, least, most);
    for (int i = 0; i < shape->T; i++) {
        int n = open_keys(shape, mask, i);
        if (n > 0)
            share_out(&rows, n);
        rows.open += n > 0;
        rows.choice += n > 1;
    }
    for (int k = 0; k < rows.count; k++)
        rows.keys[k] = rows.nodes[k].keys;
    return rows;
}

/* Add the slopes of one node. A row of X is x = z·u + r·ω, where ω is a random direction orthogonal
 * to u. For r² = D − z² the mean weighted by M² is used. C consists of z'Mz, the row z'M·rω and the
 * block rω'·M·rω. */
static void add_slopes(ReadingLaw *sum, const SoftmaxLaw *p, double D, double share, double query) {
    double trace = 1 - 2 * p->squares + p->squares_both;       /* (tr M)² */
    double keys = p->squares - 2 * p->cubes + p->squares_both; /* tr M² */
    double diagonal = p->squares - 2 * p->cubes + p->fourths;  /* Σ M_jj² */
    double r2 = keys > 0 ? fmax(D - p->keys / keys, 0) : D, row = r2 * p->bent;
    double block = D > 1 ? r2 * r2 * (keys + (trace + keys - 2 * diagonal) / (D - 1)) : 0;
    double along = p->spread_both + row, across = block + row;
    sum->along += share * along;
    sum->across += share * across;
    sum->through_q += share * query * (along + across);
    sum->slope_keys += share * keys;
}

/* Add one node. query: |q|² divided by its mean, in rows whose scores have the standard deviation
 * of p. */
static void add_node(ReadingLaw *sum, const Node *node, const SoftmaxLaw *p, double D,
                     double weight, double query) {
    double share = weight * node->by_share;
    sum->entropy += weight * node->by_log * p->entropy;
    sum->largest += weight * node->by_log * p->largest;
    if (node->keys > 1)
        sum->saturation += share * (1 - (1 - p->squares) / (1 - 1.0 / node->keys));
    sum->squares += share * p->squares;
    sum->read += share * (p->squares + (p->along - p->own) / D);
    add_slopes(sum, p, D, share, query);
}

/* Return the χ²/ν that corresponds to this value of a standard normal: both have the same
 * probability below them. Its cube root is nearly normal. Source: Wilson and Hilferty 1931, "The
 * distribution of chi-square". */
static double spread_at(double nu, double normal) {
    double a = 2 / (9 * nu);
    return pow(fmax(1 - a + normal * sqrt(a), 0), 3);
}

/* Return the mean of Σ_j p_j·p'_j over two rows with uniform weights. */
static double even_together(const AttnShape *shape, const Mask *mask) {
    double sum = 0, T = shape->T;
    if (mask == NULL)
        return (T - 1) / (T * T);
    for (int j = 0; j < shape->T; j++) {
        double share = 0, own = 0;
        for (int i = 0; i < shape->T; i++) {
            double even = mask_row(mask, i)[j] ? 1.0 / mask_open_keys(mask, i) : 0;
            share += even;
            own += even * even;
        }
        sum += share * share - own;
    }
    return sum / (T * T);
}

static void divide(ReadingLaw *sum, const Rows *rows, int T) {
    sum->entropy /= rows->open > 0 ? rows->open : 1;
    sum->largest /= rows->open > 0 ? rows->open : 1;
    sum->saturation /= rows->choice > 0 ? rows->choice : 1;
    sum->squares /= T;
    sum->read /= T;
    sum->along /= T;
    sum->across /= T;
    sum->through_q /= T;
    sum->slope_keys /= T;
}

/* Gauss–Hermite quadrature, exact for polynomials of the fifth degree. */
#define PLACES 3
static const double NORMAL_AT[PLACES] = {-1.7320508075688772, 0, 1.7320508075688772};
static const double WEIGHTS[PLACES] = {1.0 / 6, 2.0 / 3, 1.0 / 6};

/* At each point: the standard deviation of a row's scores, and |q|² divided by its mean. */
typedef struct Places {
    double std[PLACES], query[PLACES];
} Places;

static ReadingLaw law_over(const AttnShape *shape, const Mask *mask, const Places *places) {
    ReadingLaw sum = {0};
    Rows rows = rows_of(shape, mask);
    SoftmaxLaw p[NODES];
    for (int i = 0; i < PLACES; i++) {
        softmax_law(p, rows.keys, rows.count, places->std[i]);
        for (int k = 0; k < rows.count; k++)
            add_node(&sum, &rows.nodes[k], &p[k], shape->D, WEIGHTS[i], places->query[i]);
    }
    divide(&sum, &rows, shape->T);
    sum.read_together = sum.read / shape->T + even_together(shape, mask);
    if (places->std[1] > SOFTMAX_LAW_STD_MAX)
        sum.along = sum.across = sum.through_q = sum.slope_keys = NAN;
    return sum;
}

static const ReadingLaw NO_LAW = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

/* Return the relative variance of a row's mean square of scores or, if `query`, of |q|². |x|² is
 * fixed. Each product with random weights on the way from x to the score has n independent normal
 * entries, so it multiplies 1 + the variance by 1 + 2/n. */
static double variance_of_squares(const AttnShape *shape, bool query) {
    double K = 1 + 2.0 / shape->K, D = 1 + 2.0 / shape->D;
    if (shape->form == FORM_FREE)
        return D - 1;
    double q = shape->form == FORM_NESTED ? D * K : K;
    double k = shape->form == FORM_NESTED ? D * D : D;
    return (query ? q : q * k) - 1;
}

/* Return the law for scores of this standard deviation over all pairs, after scale and temperature.
 * NaN gives a law of NaNs. mask NULL: every key is open. The scores of a row are independent
 * normals, given its query. Their variance differs from query to query: about the mean variance
 * times χ²/ν, where ν follows from the numbers of terms, d_k and d_model, in the sums that give a
 * score. */
static ReadingLaw reading_law(const AttnShape *shape, const Mask *mask, double std) {
    double variance = variance_of_squares(shape, false);
    double part = variance_of_squares(shape, true) / variance;
    Places places;
    for (int i = 0; i < PLACES; i++) {
        double spread = spread_at(2 / variance, NORMAL_AT[i]);
        places.std[i] = std * sqrt(spread);
        places.query[i] = 1 + part * (spread - 1);
    }
    return isnan(std) ? NO_LAW : law_over(shape, mask, &places);
}

/* points of the density of singular values; more points change nothing in four digits */
#define RANK_PLACES 400

/* In the nested form, an entry of W_Q, W_K or W_V is a sum of D products of independent entries. */
double expect_weights(const AttnShape *shape, const SchemePlan *plan, AttnParam param) {
    static const AttnParam factors[][2] = {[ATTN_W_Q] = {ATTN_W_Q_FULL, ATTN_W_Q_HEAD},
                                           [ATTN_W_K] = {ATTN_W_K_FULL, ATTN_W_K_HEAD},
                                           [ATTN_W_V] = {ATTN_W_V_FULL, ATTN_W_V_HEAD}};
    if (shape->form != FORM_NESTED || param == ATTN_W_O)
        return scheme_std(plan, param, shape);
    if (SCHEMES[plan->scheme[param]].law != SCHEME_CENTRED)
        return NAN;
    return sqrt(shape->D) * scheme_std(plan, factors[param][0], shape) *
           scheme_std(plan, factors[param][1], shape);
}

/* A fixed matrix is an identity cut to its shape, so its mean is not 0. */
static double root_mean_square(const SchemePlan *plan, AttnParam param, const AttnShape *shape) {
    if (SCHEMES[plan->scheme[param]].law != SCHEME_FIXED)
        return expect_weights(shape, plan, param);
    int rows = param_axis_size(PARAMS[param].rows, shape);
    int cols = param_axis_size(PARAMS[param].cols, shape);
    return sqrt(1.0 / fmax(rows, cols));
}

static double expected_scores(const Expected *e, const AttnShape *shape, const SchemePlan *plan) {
    if (e->Q == 0 || e->K == 0)
        return 0;
    bool cut = shape->form == FORM_RANK && shape->rank < shape->K;
    bool fixed = shape->form != FORM_FREE && SCHEMES[plan->scheme[ATTN_W_Q]].law == SCHEME_FIXED &&
                 SCHEMES[plan->scheme[ATTN_W_K]].law == SCHEME_FIXED;
    return fixed || cut ? NAN : (double)shape->score_factor * sqrt(shape->K) * e->Q * e->K;
}

static bool all_open(const AttnShape *shape, const Mask *mask) {
    for (int i = 0; mask != NULL && i < shape->T; i++)
        if (mask_open_keys(mask, i) < shape->T)
            return false;
    return true;
}

/* A standard deviation leaves out the mean of the n scores, which has 1/n of their mean square. For
 * many scores this is far below expect_bound, so return `scores` itself, as in textbooks. */
static double without_mean(double scores, const AttnShape *shape, const Mask *mask) {
    double pairs = mask != NULL ? 0 : (double)shape->T * shape->T;
    for (int i = 0; mask != NULL && i < shape->T; i++)
        pairs += mask_open_keys(mask, i);
    double share = 1 / (pairs * shape->H);
    return share < expect_bound(shape) / 2 ? scores : scores * sqrt(fmax(1 - share, 0));
}

static bool is_centred(const SchemePlan *plan, AttnParam param) {
    return SCHEMES[plan->scheme[param]].law == SCHEME_CENTRED;
}

/* Return the standard deviation of Y or of the gradient of X: the root of the sum of squares of two
 * standard deviations, `attention` and, if the block has a residual, 1. NaN if W_V and W_O are both
 * fixed or paired, because the two parts then depend on each other, unless attention is 0. */
static double with_residual(double attention, const AttnShape *shape, const SchemePlan *plan) {
    if (shape->block == BLOCK_ATTENTION)
        return attention;
    bool independent = is_centred(plan, ATTN_W_V) || is_centred(plan, ATTN_W_O);
    return attention == 0 || independent ? sqrt(1 + attention * attention) : NAN;
}

/* Return the standard deviation of the entries of Z or, without the residual, of Y. V·√read is
 * their rms; the part of the overall mean is removed. The overall mean is the mean of the columns'
 * means, so its mean square is V²·read_together / columns. */
static double expected_reading(double V, const ReadingLaw *law, int columns) {
    return V == 0 ? 0 : V * sqrt(law->read - law->read_together / columns);
}

/* Return the rms of W_V times that of W_O. If both are identities and W_V has more than D columns,
 * only its first D are not 0, so W_O counts as cut to its first D rows. */
static double rms_V_O(const double *rms, const AttnShape *shape, const SchemePlan *plan) {
    bool fixed = SCHEMES[plan->scheme[ATTN_W_V]].law == SCHEME_FIXED &&
                 SCHEMES[plan->scheme[ATTN_W_O]].law == SCHEME_FIXED;
    double D = shape->D, columns = (double)shape->H * shape->V;
    return fixed && columns > D ? 1 / sqrt(columns * D) : rms[ATTN_W_V] * rms[ATTN_W_O];
}

/* Return the mean square of factor·W_Kᵀ·C·w, the gradient of one query, without the constant
 * factors. C = Xᵀ·M·X, and w = W_V·W_Oᵀ·g_i is independent of the scores. Along
 * u, the direction in which the scores grow, C is smaller than in other directions, but W_K acts
 * more strongly, because u lies in its column space. |W_Kᵀu|² is σ²·(D + K + 1) for independent
 * entries, and σ²·D for orthogonal ones. Over all directions it sums to σ²·D·K. */
static double query_pull(const ReadingLaw *law, const AttnShape *shape, const SchemePlan *plan) {
    double D = shape->D, K = shape->K;
    bool sphere = SCHEMES[plan->scheme[ATTN_W_K]].distribution == DISTRIBUTION_SPHERE;
    double along = sphere ? D : shape->form == FORM_NESTED ? D + 2 * K + 2 : D + K + 1;
    along = fmin(along, D * K);
    double across = D > 1 ? (D * K - along) / (D - 1) : 0;
    return along * law->along + across * law->across;
}

/* ∂L/∂X is the sum of the gradients through the values, through the token's own query, and through
 * other tokens' keys. */
static double expected_grad_x(const ReadingLaw *law, const double *rms, const AttnShape *shape,
                              const SchemePlan *plan) {
    double H = shape->H, D = shape->D, K = shape->K, factor = (double)shape->score_factor;
    double out = rms_V_O(rms, shape, plan), back = factor * rms[ATTN_W_Q] * rms[ATTN_W_K];
    double w2 = D * shape->V * out * out; /* mean square of an entry of w */
    double values = D * H * shape->V * law->squares * out * out;
    double query = H * query_pull(law, shape, plan) * w2 * back * back;
    double key = H * K * D * D * w2 * law->slope_keys * back * back;
    return sqrt(values + query + key);
}

/* The formulas need an X of independent entries, which only the lowest layer has, and no
 * normalisation in the backward pass. Otherwise set all but zeros to NaN. */
static void expect_gradients(Expected *e, const double *rms, const AttnShape *shape,
                             const SchemePlan *plan, const ReadingLaw *law, bool is_lowest) {
    bool plain = is_lowest && (shape->block == BLOCK_ATTENTION || shape->block == BLOCK_RESIDUAL);
    bool nothing = rms[ATTN_W_V] == 0 || rms[ATTN_W_O] == 0;
    double w = sqrt(shape->D * (double)shape->V) * rms_V_O(rms, shape, plan);
    double step = plain ? (double)shape->score_factor * sqrt(shape->T) * w : NAN;
    double rms_Q = rms[ATTN_W_Q], rms_K = rms[ATTN_W_K];
    e->grad_W[ATTN_W_Q] =
        nothing || rms_K == 0 ? 0 : step * rms_K * sqrt(query_pull(law, shape, plan) / shape->K);
    e->grad_W[ATTN_W_K] = nothing || rms_Q == 0 ? 0 : step * rms_Q * sqrt(law->through_q);
    e->grad_W[ATTN_W_O] = e->V == 0 ? 0 : plain ? e->V * sqrt(shape->T * law->read) : NAN;
    e->grad_W[ATTN_W_V] = rms[ATTN_W_O] == 0 ? 0
                          : plain            ? sqrt(shape->T * law->read * shape->D) * rms[ATTN_W_O]
                                             : NAN;
    e->grad_X = NAN;
    if (nothing && shape->block != BLOCK_POST_NORM)
        e->grad_X = with_residual(0, shape, plan);
    else if (plain)
        e->grad_X = with_residual(expected_grad_x(law, rms, shape, plan), shape, plan);
}

static double keep_zero(double value) {
    return value == 0 ? 0 : NAN;
}

/* True if a head's columns are orthonormal up to a common factor. */
static bool has_orthonormal_columns(const SchemePlan *plan, AttnParam param,
                                    const AttnShape *shape) {
    const Scheme *scheme = &SCHEMES[plan->scheme[param]];
    bool whole = scheme->law == SCHEME_FIXED || scheme->distribution == DISTRIBUTION_SPHERE;
    return whole && shape->H * shape->K <= shape->D;
}

static bool is_drawn(const SchemePlan *plan, AttnParam param) {
    const Scheme *scheme = &SCHEMES[plan->scheme[param]];
    return scheme->law == SCHEME_CENTRED && scheme->distribution != DISTRIBUTION_SPHERE;
}

/* Return the imaginary part of the complex roots of a·x³ + b·x² + c·x + d; 0 if all are real. */
static double cubic_imaginary(double a, double b, double c, double d) {
    double p = (3 * a * c - b * b) / (9 * a * a);
    double q = (27 * a * a * d - 9 * a * b * c + 2 * b * b * b) / (54 * a * a * a);
    double inside = q * q + p * p * p;
    if (inside <= 0)
        return 0;
    double root = sqrt(inside);
    return 0.86602540378443865 * fabs(cbrt(-q + root) - cbrt(-q - root));
}

static double quadratic_imaginary(double a, double b, double c) {
    double inside = 4 * a * c - b * b;
    return inside <= 0 ? 0 : sqrt(inside) / (2 * fabs(a));
}

/* Return the density of the squared singular values, scaled to mean 1. If ψ(1/x) is the sum of
 * their moments, (1 + ψ)(1 + q·ψ)(1 + k·ψ) = x·ψ, and the imaginary part of ψ gives the density. */
static double density(double q, double k, double x) {
    double cube = q * k, square = q + k + q * k, line = 1 + q + k - x;
    double imaginary =
        cube > 0 ? cubic_imaginary(cube, square, line, 1) : quadratic_imaginary(square, line, 1);
    return imaginary / (3.14159265358979324 * x);
}

/* Return the effective rank that theory expects of one head's W_Q·W_Kᵀ. Each factor (D, K) has
 * independent entries of mean 0, or columns that are orthonormal up to a common factor. The squared
 * singular values of the product are those of W_QᵀW_Q·W_KᵀW_K; for wide matrices their law is the
 * free product of the factors' laws, within 2 % even for a few columns. Source: Marchenko and
 * Pastur 1967 for one random factor, Voiculescu 1987, "Multiplication of certain noncommuting
 * random variables", for the product. */
static double rank_law(int D, int K, bool query_drawn, bool key_drawn) {
    double ratio = (double)K / D, q = query_drawn ? ratio : 0, k = key_drawn ? ratio : 0;
    if (q + k == 0)
        return K;
    double most = pow((1 + sqrt(q)) * (1 + sqrt(k)), 2), sum = 0, logs = 0;
    for (int i = 0; i < RANK_PLACES; i++) {
        double t = (i + 0.5) / RANK_PLACES,
               x = most * t * t * t; /* more points near 0, where the density is high */
        double share = density(q, k, x) * 3 * most * t * t / RANK_PLACES, sigma = sqrt(x);
        sum += share * sigma;
        logs += share * sigma * log(sigma);
    }
    return K * sum * exp(-logs / sum);
}

static double expected_rank(const double *rms, const AttnShape *shape, const SchemePlan *plan) {
    bool query = is_drawn(plan, ATTN_W_Q), key = is_drawn(plan, ATTN_W_K);
    bool known = (query || has_orthonormal_columns(plan, ATTN_W_Q, shape)) &&
                 (key || has_orthonormal_columns(plan, ATTN_W_K, shape));
    if (rms[ATTN_W_Q] == 0 || rms[ATTN_W_K] == 0)
        return 0;
    bool cut = shape->form == FORM_RANK && shape->rank < shape->K;
    if (!known || cut || shape->form == FORM_FREE || shape->form == FORM_NESTED)
        return NAN;
    return rank_law(shape->D, shape->K, query, key);
}

/* For a layer above the lowest, set to NaN the expectations that need independent rows of X,
 * because attention gives all rows a common part. Zeros are kept, and the softmax of zero scores.
 * Normalised rows have mean square 1, so Q, K and V of centred weights are kept, too, and Y with
 * post-norm. */
static void forget_input(Expected *e, const AttnShape *shape, const SchemePlan *plan) {
    bool normalised =
        shape->D > 1 && (shape->block == BLOCK_PRE_NORM || shape->block == BLOCK_POST_NORM);
    e->Q = normalised && is_centred(plan, ATTN_W_Q) ? e->Q : keep_zero(e->Q);
    e->K = normalised && is_centred(plan, ATTN_W_K) ? e->K : keep_zero(e->K);
    e->V = normalised && is_centred(plan, ATTN_W_V) ? e->V : keep_zero(e->V);
    e->Z = keep_zero(e->Z);
    if (e->S != 0)
        e->S = e->entropy = e->largest = e->saturation = NAN;
    e->Y = shape->block == BLOCK_POST_NORM ? e->Y : keep_zero(e->Y);
}

static void forget_gradient(Expected *e) {
    e->grad_X = keep_zero(e->grad_X);
    for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
        e->grad_W[p] = keep_zero(e->grad_W[p]);
}

Expected expect_in_stack(const AttnShape *shape, const SchemePlan *plan, const Mask *mask,
                         StackPlace place) {
    Expected e = {0};
    double rms[ATTN_WEIGHT_COUNT];
    for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++) {
        e.W[p] = expect_weights(shape, plan, p);
        rms[p] = root_mean_square(plan, p, shape);
    }
    e.Q = rms[ATTN_W_Q] * sqrt(shape->D);
    e.K = rms[ATTN_W_K] * sqrt(shape->D);
    e.V = rms[ATTN_W_V] * sqrt(shape->D);
    e.S = expected_scores(&e, shape, plan);
    ReadingLaw law = reading_law(shape, mask, e.S);
    e.entropy = law.entropy;
    e.largest = law.largest;
    e.saturation = law.saturation;
    e.rank_A = e.S == 0 && all_open(shape, mask) ? 1 : NAN;
    e.rank_W_QK = expected_rank(rms, shape, plan);
    e.Z = expected_reading(e.V, &law, shape->H * shape->V);
    double read = sqrt((double)shape->H * shape->V * shape->D) * rms_V_O(rms, shape, plan);
    e.Y = shape->block == BLOCK_POST_NORM
              ? shape->D > 1
              : with_residual(expected_reading(read, &law, shape->D), shape, plan);
    expect_gradients(&e, rms, shape, plan, &law, place.layer == 0);
    e.S = without_mean(e.S, shape, mask);
    if (place.layer > 0)
        forget_input(&e, shape, plan);
    if (place.layer < place.layers - 1)
        forget_gradient(&e);
    return e;
}

double expect_bound(const AttnShape *shape) {
    return 0.02 + 0.5 / shape->D;
}

double expect_scores(const AttnShape *shape, const SchemePlan *plan) {
    Expected e = {.Q = root_mean_square(plan, ATTN_W_Q, shape) * sqrt(shape->D),
                  .K = root_mean_square(plan, ATTN_W_K, shape) * sqrt(shape->D)};
    return expected_scores(&e, shape, plan);
}

Expected expect(const AttnShape *shape, const SchemePlan *plan, const Mask *mask) {
    return expect_in_stack(shape, plan, mask, (StackPlace){.layer = 0, .layers = 1});
}
