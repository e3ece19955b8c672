#include <math.h>
#include <string.h>

#include "base/util.h"
#include "model/attention/params.h"
#include "model/layer.h"
#include "support/test.h"

#define DRAWS 1000000
#define BINS  65536

static const Distribution KNOWN[] = {
    {DISTRIBUTION_UNIFORM, 0.3},  {DISTRIBUTION_NORMAL, 2.5},
    {DISTRIBUTION_SPHERE, 0.5},   {DISTRIBUTION_SPHERE, 0.44721359549995794}, /* 5 dimensions */
    {DISTRIBUTION_SPHERE, 0.125}, {DISTRIBUTION_SPHERE, 0.015625},            /* 4096 */
};

/* By Simpson's rule the density has area 1 and the stated variance, and its integral is the
 * distribution function.
 */
TEST(densities_add_up) {
    enum { STEPS = 20000 };
    for (size_t k = 0; k < ARRAY_COUNT(KNOWN); k++) {
        Distribution d = KNOWN[k];
        double end = d.kind == DISTRIBUTION_UNIFORM  ? sqrt(3) * d.std
                     : d.kind == DISTRIBUTION_SPHERE ? fmin(1, 12 * d.std)
                                                     : 12 * d.std;
        double step = 2 * end / STEPS, area = 0, variance = 0;
        for (int i = 0; i < STEPS; i += 2) {
            double x = -end + i * step;
            double a = distribution_density(d, x), b = distribution_density(d, x + step),
                   c = distribution_density(d, fmin(x + 2 * step, end));
            area += step / 3 * (a + 4 * b + c);
            variance +=
                step / 3 *
                (a * x * x + 4 * b * (x + step) * (x + step) + c * (x + 2 * step) * (x + 2 * step));
            if (i % 1000 == 0)
                assert_true(fabs(area - distribution_below(d, x + 2 * step)) < 1e-6);
        }
        assert_true(fabs(area - 1) < 1e-6);
        assert_true(fabs(variance / (d.std * d.std) - 1) < 1e-5);
        assert_true(fabs(distribution_below(d, 0) - 0.5) < 1e-12);
        assert_true(distribution_below(d, -2 * end) < 1e-12);
        assert_true(distribution_below(d, 2 * end) > 1 - 1e-12);
    }
}

/* In two dimensions a coordinate is a cosine, in three it is uniform, in one it is ±1. */
TEST(small_spheres_are_known) {
    Distribution one = {DISTRIBUTION_SPHERE, 1}, two = {DISTRIBUTION_SPHERE, sqrt(0.5)},
                 three = {DISTRIBUTION_SPHERE, sqrt(1.0 / 3)}, none = {DISTRIBUTION_NORMAL, 0};
    assert_true(distribution_below(one, 0.9) == 0.5 && distribution_below(one, 1) == 1);
    assert_true(distribution_below(one, -1) == 0.5 && distribution_below(one, -1.1) == 0);
    assert_true(distribution_density(one, 0) == 0 && isinf(distribution_density(one, 1)));
    for (double x = -0.9; x < 1; x += 0.3) {
        assert_true(fabs(distribution_below(two, x) - (0.5 + asin(x) / acos(-1))) < 1e-14);
        assert_true(fabs(distribution_below(three, x) - (0.5 + x / 2)) < 1e-14);
        assert_true(fabs(distribution_density(three, x) - 0.5) < 1e-14);
    }
    assert_true(isnan(distribution_density(none, 0)) && isnan(distribution_below(none, 0)));
    none = (Distribution){DISTRIBUTION_NONE, 1};
    assert_true(isnan(distribution_density(none, 0)) && isnan(distribution_below(none, 0)));
}

/* The chance that the largest distance between the two distribution functions is at least this.
 * Source: Kolmogorov 1933; the asymptotic series. */
static double kolmogorov(double distance, double count) {
    double x = distance * sqrt(count), sum = 0;
    for (int k = 1; k < 100; k++)
        sum += (k % 2 == 1 ? 2 : -2) * exp(-2.0 * k * k * x * x);
    return x < 0.2 ? 1 : sum;
}

/* Statistics of DRAWS entries: each as its quantile, and in units of the standard deviation. */
typedef struct Sample {
    double sum, squares;
    long long count, bins[BINS];
} Sample;

static void add_draws(Sample *sample, const Mat *w, Distribution d) {
    for (int i = 0; i < w->rows && sample->count < DRAWS; i++)
        for (int j = 0; j < w->cols && sample->count < DRAWS; j++) {
            double x = (double)mat_row(w, i)[j], below = distribution_below(d, x);
            int bin = (int)(below * BINS);
            sample->bins[bin < BINS ? bin : BINS - 1]++;
            sample->sum += x / d.std;
            sample->squares += x * x / (d.std * d.std);
            sample->count++;
        }
}

/* The most that the distance can be: between two borders both functions rise by no more than a
 * bin's share in theory. */
static double distance(const Sample *sample) {
    double largest = 0;
    long long below = 0;
    for (int b = 0; b < BINS; b++) {
        below += sample->bins[b];
        double away = fabs((double)below / (double)sample->count - (b + 1.0) / BINS);
        largest = fmax(largest, away);
    }
    return largest + 1.0 / BINS;
}

static void check_sample(const Sample *sample, const char *id, const char *matrix) {
    double mean = sample->sum / DRAWS, variance = sample->squares / DRAWS - mean * mean;
    double p = kolmogorov(distance(sample), DRAWS);
    if (!(fabs(mean) < 4 / sqrt(DRAWS) && fabs(variance - 1) < 0.01 && p > 0.001))
        fail_msg("%s, %s: mean %.2g σ, variance %.5f σ², Kolmogorov-Smirnov p %.2g", id, matrix,
                 mean, variance, p);
}

/* Each matrix has its own σ. D, H·K and H·V differ, so that swapped fans are found. */
TEST(a_million_draws_of_every_matrix_follow_its_law) {
    static const AttnShape shape = {.T = 2, .D = 64, .H = 4, .K = 24, .V = 40, .score_factor = 1};
    static Sample samples[ATTN_WEIGHT_COUNT];
    int known = 0;
    LAYER(layer, shape, MASK_NONE, 1);
    for (int scheme = 0; scheme < SCHEME_REGISTRY.count; scheme++) {
        SchemePlan plan = scheme_plan(scheme, 4, 20240);
        if (SCHEMES[scheme].distribution == DISTRIBUTION_NONE)
            continue;
        memset(samples, 0, sizeof samples);
        for (long long least = 0; least < DRAWS; plan.seed++) {
            least = DRAWS;
            must(scheme_draw(&layer.params, &shape, &plan, &told));
            for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++) {
                add_draws(&samples[p], &layer.params.p[p], scheme_distribution(&plan, p, &shape));
                least = samples[p].count < least ? samples[p].count : least;
            }
        }
        for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++, known++)
            check_sample(&samples[p], registry_entry(&SCHEME_REGISTRY, scheme)->id,
                         PARAMS[p].entry.id);
    }
    assert_true(known >= 16 * ATTN_WEIGHT_COUNT);
}
