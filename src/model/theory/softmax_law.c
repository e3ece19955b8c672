#include "model/theory/softmax_law.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/util.h"

/* The means are integrals over u, a standard normal number with the score s = σ·u, and over t > 0
 * (see softmax_law.h). Sums with even steps replace them, which are nearly exact for such smooth
 * functions. With z = ln t + σ·u, the functions e^(kz − e^z), k ≥ 1, are negligible outside
 * NEAR_LO..NEAR_HI. For k = 0 the function is 1 below that range. */
#define NEAR_LO  (-20.0)
#define NEAR_HI  3.7
#define U_MOST   6.5 /* largest |u|; beyond it the normal density is negligible */
#define Z_STEP   0.25
#define T_STEP   0.5
#define T_STEPS  10    /* steps of ln t per standard deviation of the scores, if that is large */
#define NEAR_MAX 128   /* limit of values of u whose z is between NEAR_LO and NEAR_HI */
#define NOTHING  1e-15 /* a smaller weight cannot be the largest of its row */
#define EULER    0.57721566490153286
#define PI       3.14159265358979324

/* Means over u, a standard normal number, of one score s = σ·u: [a][b] is the mean of
 * e^(−w)·w^a·u^b, with w = te^s. */
#define POWERS 5
typedef struct Kernels {
    double at[POWERS][POWERS];
} Kernels;

/* For a score near t: its probability, w·e^−w, and the logarithm of the factor e^(−te^s) of all
 * lower scores. */
typedef struct Near {
    double weight, below_log;
} Near;

typedef struct Step {
    Kernels mean;
    Near near[NEAR_MAX];
    int near_count;
} Step;

static double normal_below(double u) {
    return 0.5 * erfc(-u * 0.70710678118654752);
}

static double normal_density(double u) {
    return 0.39894228040143268 * exp(-0.5 * u * u);
}

/* Return the integral of the density, from its sum over even places, by the Euler–Maclaurin formula
 * for midpoints. The last place lies half a step before `edge`. */
static double below_places(double edge, double h) {
    /* third: the third derivative of the density, divided by the density */
    double square = h * h, third = 3 * edge - edge * edge * edge;
    return normal_below(edge) +
           normal_density(edge) * square * (edge / 24 + 7 * square / 5760 * third);
}

/* Sum over u in steps of h around 0, while z is in the range; below the range e^(−te^s) = 1. */
static void take_step(Step *step, double log_t, double std, double h) {
    double from = fmax((NEAR_LO - log_t) / std, -U_MOST);
    double to = fmin((NEAR_HI - log_t) / std, U_MOST);
    long first = (long)ceil(from / h), last = (long)floor(to / h);
    Kernels *mean = &step->mean;
    double below = below_places(((double)first - 0.5) * h, h);
    *step = (Step){0};
    mean->at[0][0] = from > -U_MOST ? below : 0;
    double sum = mean->at[0][0], u = (double)first * h, growth = exp(std * h);
    double w = exp(log_t + std * u), share = h * normal_density(u);
    /* fade: the factor by which the density changes at the next step. fade_by: the factor by which
     * fade changes at each step. */
    double fade = exp(-h * (u + h / 2)), fade_by = exp(-h * h);
    for (long i = first; i <= last && step->near_count < NEAR_MAX; i++) {
        double left = share * exp(-w), part = left * w;
        /* integrate up to u: count the last point half, and correct the end by Euler–Maclaurin */
        double ends = (-u - std * w) * h / 12;
        if (part > NOTHING)
            step->near[step->near_count++] = (Near){part, log(sum + left * (0.5 - ends))};
        sum += left;
        mean->at[0][0] += left;
        double power = part;
        for (int a = 1; a < POWERS; a++, power *= w) {
            double term = power;
            for (int b = 0; b < POWERS; b++, term *= u)
                mean->at[a][b] += term;
        }
        u = (double)(i + 1) * h;
        w *= growth;
        share *= fade;
        fade *= fade_by;
    }
}

/* Return the weight of a product of weights of `keys` different keys: n·(n − 1)·…, with `keys`
 * factors, times the mean of e^(−tZ) over the other keys. */
static double of_keys(const Kernels *k, int n, int keys) {
    double out = n >= keys ? pow(k->at[0][0], n - keys) : 0;
    for (int i = 0; i < keys; i++)
        out *= n - i;
    return out;
}

/* Each mean of a product of weights is a sum over the ways in which the keys of its factors can
 * coincide. */
static void add_moments(SoftmaxLaw *out, const Kernels *kernels, int n) {
    const double(*k)[POWERS] = kernels->at;
    double one = of_keys(kernels, n, 1), two = of_keys(kernels, n, 2);
    double three = of_keys(kernels, n, 3), four = of_keys(kernels, n, 4), wu2 = k[1][1] * k[1][1];
    double p2_u2 = one * k[2][2];
    double p2_u_mean = one * k[3][2] + two * k[2][1] * k[1][1];
    double p2_mean2 =
        one * k[4][2] + two * (2 * k[3][1] * k[1][1] + k[2][0] * k[2][2]) + three * k[2][0] * wu2;
    out->bent += p2_u2 - 2 * p2_u_mean / 2 + p2_mean2 / 6;
    double square2 = one * k[2][4] + two * k[1][2] * k[1][2];
    double square_mean2 =
        one * k[3][4] + two * (2 * k[2][3] * k[1][1] + k[2][2] * k[1][2]) + three * k[1][2] * wu2;
    double mean4 = one * k[4][4] + two * (4 * k[3][3] * k[1][1] + 3 * k[2][2] * k[2][2]) +
                   three * 6 * k[2][2] * wu2 + four * wu2 * wu2;
    out->spread_both += square2 - 2 * square_mean2 / 2 + mean4 / 6;
    out->along += p2_u2 + two * wu2;
    out->own += p2_u2;
    out->keys += p2_u2 - 2 * one * k[3][2] / 2 + (one * k[4][2] + two * k[2][0] * k[2][2]) / 6;
}

/* Add one step of t to the means over n keys. In ln Z = ∫ (e^(−t) − e^(−tZ)) dt/t the first term is
 * replaced by one as smooth as the second: ∫ (e^(−t) − Φ(−ln t/s)) dt/t is −EULER for any s. */
static void add_step(SoftmaxLaw *out, const Step *step, double log_t, double std, int n) {
    const Kernels *k = &step->mean;
    double ones = of_keys(k, n, 1), pairs = of_keys(k, n, 2);
    out->entropy += normal_below(-log_t / fmax(std, 1)) - pow(k->at[0][0], n);
    out->entropy -= ones * std * k->at[1][1];
    out->squares += ones * k->at[2][0];
    out->cubes += ones * k->at[3][0] / 2;
    out->fourths += ones * k->at[4][0] / 6;
    out->squares_both += (ones * k->at[4][0] + pairs * k->at[2][0] * k->at[2][0]) / 6;
    add_moments(out, k, n);
    for (int i = 0; i < step->near_count; i++)
        out->largest += n * step->near[i].weight * exp((n - 1) * step->near[i].below_log);
}

static void scale(SoftmaxLaw *law, double by) {
    double *const means[] = {&law->largest,      &law->squares,    &law->cubes, &law->fourths,
                             &law->squares_both, &law->along,      &law->own,   &law->keys,
                             &law->bent,         &law->spread_both};
    law->entropy = law->entropy * by - EULER;
    for (size_t i = 0; i < ARRAY_COUNT(means); i++)
        *means[i] *= by;
}

/* A single key has all weight; with a standard deviation of 0 all keys have an even share. */
static SoftmaxLaw even(int n) {
    double share = 1.0 / n, rest = 1 - share;
    return (SoftmaxLaw){.entropy = log(n),
                        .largest = share,
                        .squares = share,
                        .cubes = share * share,
                        .fourths = share * share * share,
                        .squares_both = share * share,
                        .along = share,
                        .own = share,
                        .keys = share * rest,
                        .bent = share * rest,
                        .spread_both = rest * rest + 2 * share * rest};
}

/* The steps of ln t, and the step of u within each. */
typedef struct Grid {
    double from, to, by, h;
} Grid;

static Grid grid_of(double sigma, int most) {
    return (Grid){.from = -U_MOST * sigma + NEAR_LO - log(most),
                  .to = U_MOST * fmax(sigma, 1) + NEAR_HI,
                  .by = fmax(T_STEP, sigma / T_STEPS),
                  .h = Z_STEP / fmax(sigma, 1)};
}

void softmax_law(SoftmaxLaw *out, const int *keys, int count, double std) {
    assert(std >= 0);
    const SoftmaxLaw none = {0};
    double sigma = fmin(std, SOFTMAX_LAW_STD_MAX);
    int most = 1;
    for (int i = 0; i < count; i++) {
        most = keys[i] > most ? keys[i] : most;
        out[i] = keys[i] > 1 && sigma > 1e-6 ? none : even(keys[i]);
    }
    if (most == 1 || !(sigma > 1e-6))
        return;
    Grid grid = grid_of(sigma, most);
    Step step;
    /* one step more or less at the far end does not matter
     * NOLINTNEXTLINE(clang-analyzer-security.FloatLoopCounter) */
    for (double log_t = grid.from; log_t < grid.to; log_t += grid.by) {
        take_step(&step, log_t, sigma, grid.h);
        for (int i = 0; i < count; i++)
            if (keys[i] > 1)
                add_step(&out[i], &step, log_t, sigma, keys[i]);
    }
    for (int i = 0; i < count; i++)
        if (keys[i] > 1)
            scale(&out[i], grid.by);
}

/* Add one step of t to the mean and the mean square of ln E − ln Z. For a distribution that is
 * above x with probability above(x) they are ∫ (above(x) − Φ(−x/w)) dx and w² + ∫ 2x·(…) dx. */
static void add_sum_step(SumLaw *out, double one, double log_t, double width, int n) {
    double more = pow(one, n) - normal_below(-log_t / width);
    out->mean += more;
    out->variance += 2 * log_t * more;
}

void softmax_sum_law(SumLaw *out, const int *scores, int count, double std) {
    assert(std >= 0);
    double sigma = fmin(std, SOFTMAX_LAW_STD_MAX), width = fmax(sigma, 1);
    int most = 1;
    for (int i = 0; i < count; i++) {
        most = scores[i] > most ? scores[i] : most;
        out[i] = (SumLaw){0, 0};
    }
    Grid grid = grid_of(fmax(sigma, 1e-6), most);
    Step step;
    /* NOLINTNEXTLINE(clang-analyzer-security.FloatLoopCounter) */
    for (double log_t = grid.from; log_t < grid.to; log_t += grid.by) {
        take_step(&step, log_t, fmax(sigma, 1e-6), grid.h);
        for (int i = 0; i < count; i++)
            add_sum_step(&out[i], step.mean.at[0][0], log_t, width, scores[i]);
    }
    for (int i = 0; i < count; i++) {
        double mean = grid.by * out[i].mean;
        double squares = grid.by * out[i].variance + width * width;
        out[i].mean = -EULER - mean;
        out[i].variance = fmax(squares - mean * mean - PI * PI / 6, 0);
    }
}

double softmax_weight_below(double x, const SumLaw *others, double std) {
    if (!(x > 0) || x >= 1)
        return x >= 1 ? 1 : 0;
    double sigma = fmin(std, SOFTMAX_LAW_STD_MAX);
    double logit = log(x) - log1p(-x);
    return normal_below((logit + others->mean) / sqrt(sigma * sigma + others->variance));
}
