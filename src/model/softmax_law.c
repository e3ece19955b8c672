#include "model/softmax_law.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Both integrals are sums over even steps, which for such smooth and fading functions is as good as
 * exact. In z = ln t + σ·u the kernels z ↦ e^(kz − e^z) have a width of about 1 and are nothing
 * outside NEAR_LO..NEAR_HI; e^(−e^z) alone is 1 below it. */
#define NEAR_LO  (-20.0)
#define NEAR_HI  3.7
#define U_MOST   6.5 /* beyond, a normal has no weight */
#define Z_STEP   0.25
#define T_STEP   0.5
#define T_STEPS  10    /* of a deviation of the scores, where that is wide */
#define NEAR_MAX 128   /* places of u within NEAR_LO..NEAR_HI */
#define NOTHING  1e-15 /* a weight that is not asked how likely it is the largest */
#define EULER    0.57721566490153286
#define PI       3.14159265358979324

/* Means over one score's u of e^(−te^s), s = σ·u, times what the names say; te^s is w. */
typedef struct Kernels {
    double one, w, w_u, w2, w2_u2, w3, w4;
} Kernels;

/* A score near t: its weight, w·e^−w, and ln of the share e^(−te^s) that is left of those below. */
typedef struct Near {
    double weight, below_log;
} Near;

typedef struct Step {
    Kernels mean;
    Near near[NEAR_MAX];
    int near_count;
} Step;

/* The chance of a normal below u. */
static double normal_below(double u) {
    return 0.5 * erfc(-u * 0.70710678118654752);
}

static double normal_density(double u) {
    return 0.39894228040143268 * exp(-0.5 * u * u);
}

/* The sum of the density over even places, the last of which lies half a step before edge, by the
 * formula of Euler and Maclaurin for middles. */
static double below_places(double edge, double h) {
    double square = h * h, third = 3 * edge - edge * edge * edge; /* of the derivative's factor */
    return normal_below(edge) +
           normal_density(edge) * square * (edge / 24 + 7 * square / 5760 * third);
}

/* u in steps of h about 0, over those places where z is near; what lies below has e^(−te^s) = 1. */
static void take_step(Step *step, double log_t, double deviation, double h) {
    double from = fmax((NEAR_LO - log_t) / deviation, -U_MOST);
    double to = fmin((NEAR_HI - log_t) / deviation, U_MOST);
    long first = (long)ceil(from / h), last = (long)floor(to / h);
    Kernels *mean = &step->mean;
    double below = below_places(((double)first - 0.5) * h, h);
    *step = (Step){0};
    mean->one = from > -U_MOST ? below : 0;
    double sum = mean->one, u = (double)first * h, growth = exp(deviation * h);
    double w = exp(log_t + deviation * u), share = h * normal_density(u);
    double fade = exp(-h * (u + h / 2)), fade_by = exp(-h * h); /* of the density */
    for (long i = first; i <= last && step->near_count < NEAR_MAX; i++) {
        double left = share * exp(-w), part = left * w;
        /* Half a step to u itself; the rest is the end's correction by Euler and Maclaurin. */
        double ends = (-u - deviation * w) * h / 12;
        if (part > NOTHING)
            step->near[step->near_count++] = (Near){part, log(sum + left * (0.5 - ends))};
        sum += left;
        mean->one += left;
        mean->w += part;
        mean->w_u += part * u;
        mean->w2 += part * w;
        mean->w2_u2 += part * w * u * u;
        mean->w3 += part * w * w;
        mean->w4 += part * w * w * w;
        u = (double)(i + 1) * h;
        w *= growth;
        share *= fade;
        fade *= fade_by;
    }
}

/* What one step of t adds to the means over n keys. Of ln Z = ∫ (e^(−t) − e^(−tZ)) dt/t the first
 * term is put as smooth as the second: ∫ (e^(−t) − Φ(−ln t/s)) dt/t is −EULER for any s. */
static void add_step(SoftmaxLaw *out, const Step *step, double log_t, double deviation, int n) {
    const Kernels *k = &step->mean;
    double others = pow(k->one, n - 2), less = others * k->one; /* of n − 2 and n − 1 keys */
    double pairs = (double)n * (n - 1) * others, ones = n * less;
    out->entropy += normal_below(-log_t / fmax(deviation, 1)) - less * k->one;
    out->entropy -= ones * deviation * k->w_u;
    out->squares += ones * k->w2;
    out->cubes += ones * k->w3 / 2;
    out->squares_both += (ones * k->w4 + pairs * k->w2 * k->w2) / 6;
    out->along += ones * k->w2_u2 + pairs * k->w_u * k->w_u;
    for (int i = 0; i < step->near_count; i++)
        out->largest += n * step->near[i].weight * exp((n - 1) * step->near[i].below_log);
}

static void scale(SoftmaxLaw *law, double by) {
    law->entropy = law->entropy * by - EULER;
    law->largest *= by;
    law->squares *= by;
    law->cubes *= by;
    law->squares_both *= by;
    law->along *= by;
}

/* One key has all; without any deviation each has its share. */
static SoftmaxLaw even(int n) {
    double share = 1.0 / n;
    return (SoftmaxLaw){log(n), share, share, share * share, share * share, share};
}

/* The steps of ln t, and the places of u within each. */
typedef struct Grid {
    double from, to, by, h;
} Grid;

static Grid grid_of(double sigma, int most) {
    return (Grid){.from = -U_MOST * sigma + NEAR_LO - log(most),
                  .to = U_MOST * fmax(sigma, 1) + NEAR_HI,
                  .by = fmax(T_STEP, sigma / T_STEPS),
                  .h = Z_STEP / fmax(sigma, 1)};
}

void softmax_law(SoftmaxLaw *out, const int *keys, int count, double deviation) {
    assert(deviation >= 0);
    const SoftmaxLaw none = {0};
    double sigma = fmin(deviation, SOFTMAX_LAW_DEVIATION_MAX);
    int most = 1;
    for (int i = 0; i < count; i++) {
        most = keys[i] > most ? keys[i] : most;
        out[i] = keys[i] > 1 && sigma > 1e-6 ? none : even(keys[i]);
    }
    if (most == 1 || !(sigma > 1e-6))
        return;
    Grid grid = grid_of(sigma, most);
    Step step;
    /* A step more or less at the far end adds nothing.
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

/* Adds what one step of t has to the mean and the mean square of ln E − ln Z: of a distribution
 * that lies above x with chance above(x) they are ∫ (above(x) − Φ(−x/w)) dx and w² + ∫ 2x·(…) dx.
 */
static void add_sum_step(SumLaw *out, double one, double log_t, double width, int n) {
    double more = pow(one, n) - normal_below(-log_t / width);
    out->mean += more;
    out->variance += 2 * log_t * more;
}

void softmax_sum_law(SumLaw *out, const int *scores, int count, double deviation) {
    assert(deviation >= 0);
    double sigma = fmin(deviation, SOFTMAX_LAW_DEVIATION_MAX), width = fmax(sigma, 1);
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
            add_sum_step(&out[i], step.mean.one, log_t, width, scores[i]);
    }
    for (int i = 0; i < count; i++) {
        double mean = grid.by * out[i].mean;
        double squares = grid.by * out[i].variance + width * width;
        out[i].mean = -EULER - mean;
        out[i].variance = fmax(squares - mean * mean - PI * PI / 6, 0);
    }
}

double softmax_weight_below(double x, const SumLaw *others, double deviation) {
    if (!(x > 0) || x >= 1)
        return x >= 1 ? 1 : 0;
    double sigma = fmin(deviation, SOFTMAX_LAW_DEVIATION_MAX);
    double logit = log(x) - log1p(-x);
    return normal_below((logit + others->mean) / sqrt(sigma * sigma + others->variance));
}
