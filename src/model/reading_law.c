#include "model/reading_law.h"

#include <math.h>

#include "model/softmax_law.h"

/* Numbers of keys that the law is computed for; rows between two of them lie between the two. */
#define NODES 16

typedef struct Node {
    int keys;
    double by_log, by_share; /* rows, shared out to the nodes linearly in ln n, and in 1/n */
} Node;

typedef struct Rows {
    Node nodes[NODES];
    int keys[NODES];
    int count;
    int open, choice; /* rows with one open key or more, and with two or more */
} Rows;

static int open_keys(const AttnShape *shape, const Mask *mask, int row) {
    return mask != NULL ? mask_open_keys(mask, row) : shape->T;
}

/* All whole numbers from least to most where they are few, else even steps of ln n. */
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

static void add_node(ReadingLaw *sum, const Node *node, const SoftmaxLaw *p, double D,
                     double weight) {
    double slope = 1 - p->squares, share = weight * node->by_share;
    sum->entropy += weight * node->by_log * p->entropy;
    sum->largest += weight * node->by_log * p->largest;
    if (node->keys > 1)
        sum->saturation += share * (1 - slope / (1 - 1.0 / node->keys));
    sum->squares += share * p->squares;
    sum->read += share * ((D - 1) * p->squares + p->along) / D;
    sum->slope_trace += share * (1 - 2 * p->squares + p->squares_both);
    sum->slope_squares += share * (p->squares - 2 * p->cubes + p->squares_both);
}

/* χ²/ν by its cube root, which is nearly normal. Source: Wilson and Hilferty 1931, "The
 * distribution of chi-square". */
static double spread_at(double nu, double normal) {
    double a = 2 / (9 * nu);
    return pow(fmax(1 - a + normal * sqrt(a), 0), 3);
}

static void divide(ReadingLaw *sum, const Rows *rows, int T) {
    sum->entropy /= rows->open > 0 ? rows->open : 1;
    sum->largest /= rows->open > 0 ? rows->open : 1;
    sum->saturation /= rows->choice > 0 ? rows->choice : 1;
    sum->squares /= T;
    sum->read /= T;
    sum->slope_trace /= T;
    sum->slope_squares /= T;
}

/* Gauss and Hermite's three places, by which polynomials of the fifth degree are exact. */
#define PLACES 3
static const double NORMAL_AT[PLACES] = {-1.7320508075688772, 0, 1.7320508075688772};
static const double WEIGHTS[PLACES] = {1.0 / 6, 2.0 / 3, 1.0 / 6};

static ReadingLaw law_over(const AttnShape *shape, const Mask *mask,
                           const double deviations[PLACES]) {
    ReadingLaw sum = {0};
    Rows rows = rows_of(shape, mask);
    SoftmaxLaw p[NODES];
    for (int i = 0; i < PLACES; i++) {
        softmax_law(p, rows.keys, rows.count, deviations[i]);
        for (int k = 0; k < rows.count; k++)
            add_node(&sum, &rows.nodes[k], &p[k], shape->D, WEIGHTS[i]);
    }
    divide(&sum, &rows, shape->T);
    return sum;
}

static const ReadingLaw NO_LAW = {NAN, NAN, NAN, NAN, NAN, NAN, NAN};

ReadingLaw reading_law(const AttnShape *shape, const Mask *mask, double deviation) {
    double deviations[PLACES], K = shape->K, D = shape->D;
    double nu = 2 / ((1 + 2 / K) * (1 + 2 / D) * (1 + 2 / D) - 1);
    for (int i = 0; i < PLACES; i++)
        deviations[i] = deviation * sqrt(spread_at(nu, NORMAL_AT[i]));
    return isnan(deviation) ? NO_LAW : law_over(shape, mask, deviations);
}

ReadingLaw reading_law_of_rows(const AttnShape *shape, const Mask *mask, double log_mean,
                               double log_deviation) {
    double deviations[PLACES];
    for (int i = 0; i < PLACES; i++)
        deviations[i] = exp(log_mean + log_deviation * NORMAL_AT[i]);
    return isfinite(log_mean) ? law_over(shape, mask, deviations) : NO_LAW;
}
