#include "model/theory/reading_law.h"

#include <math.h>

#include "model/theory/softmax_law.h"

/* Most nodes: numbers of keys for which the law is computed. For rows with other numbers of keys it
 * is interpolated. */
#define NODES 16

typedef struct Node {
    int keys;
    /* Weight of the rows near this node, interpolated in ln n and in 1/n. */
    double by_log, by_share;
} Node;

typedef struct Rows {
    Node nodes[NODES];
    int keys[NODES];
    int count;
    int open, choice; /* number of rows with at least one open key, and with at least two */
} Rows;

static int open_keys(const AttnShape *shape, const Mask *mask, int row) {
    return mask != NULL ? mask_open_keys(mask, row) : shape->T;
}

/* Place the nodes: at all whole numbers from least to most, if these are few; otherwise at even
 * steps of ln n. */
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

/* Add one node to the sums. query: |q|² divided by its mean, in rows whose scores have the standard
 * deviation of p. */
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

/* Three points of Gauss–Hermite quadrature, which is exact for polynomials of the fifth degree. */
#define PLACES 3
static const double NORMAL_AT[PLACES] = {-1.7320508075688772, 0, 1.7320508075688772};
static const double WEIGHTS[PLACES] = {1.0 / 6, 2.0 / 3, 1.0 / 6};

/* At each point: the standard deviation of a row's scores, and |q|² over its mean. */
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

/* Return the relative variance of a row's mean square of scores, or of |q|² alone. |x|² is fixed.
 * Each product with random weights on the way from x to the score has n independent normal entries,
 * so it multiplies 1 + the variance by 1 + 2/n. */
static double variance_of_squares(const AttnShape *shape, bool query) {
    double K = 1 + 2.0 / shape->K, D = 1 + 2.0 / shape->D;
    if (shape->form == FORM_FREE)
        return D - 1;
    double q = shape->form == FORM_NESTED ? D * K : K;
    double k = shape->form == FORM_NESTED ? D * D : D;
    return (query ? q : q * k) - 1;
}

ReadingLaw reading_law(const AttnShape *shape, const Mask *mask, double std) {
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
