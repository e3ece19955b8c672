/* Means by quadrature against means over draws. */
#include <math.h>

#include "base/rng.h"
#include "base/util.h"
#include "model/theory/softmax_law.h"
#include "support/test.h"

#define DRAWS    20000
#define KEYS_MAX 60
#define MEANS    11

static const char *const NAMES[MEANS] = {"entropy", "largest",      "squares",    "cubes",
                                         "fourths", "squares_both", "along",      "own",
                                         "keys",    "bent",         "spread_both"};

static void one_draw(double out[MEANS], Rng rng, uint64_t at, int n, double std) {
    double u[KEYS_MAX], p[KEYS_MAX], most = -INFINITY, total = 0, along = 0;
    for (int i = 0; i < n; i++) {
        u[i] = (double)rng_normal(rng, at * KEYS_MAX + (uint64_t)i);
        most = fmax(most, u[i]);
    }
    for (int i = 0; i < n; i++)
        total += p[i] = exp(std * (u[i] - most));
    double entropy = 0, squares = 0, cubes = 0;
    for (int i = 0; i < n; i++) {
        p[i] /= total;
        entropy -= p[i] > 0 ? p[i] * log(p[i]) : 0;
        squares += p[i] * p[i];
        cubes += p[i] * p[i] * p[i];
        along += p[i] * u[i];
    }
    double bent = 0, spread = 0, fourths = 0, own = 0, keys = 0;
    for (int i = 0; i < n; i++) {
        fourths += p[i] * p[i] * p[i] * p[i];
        own += p[i] * p[i] * u[i] * u[i];
        keys += p[i] * p[i] * (1 - 2 * p[i] + squares) * u[i] * u[i];
        bent += p[i] * p[i] * (u[i] - along) * (u[i] - along);
        spread += p[i] * (u[i] - along) * (u[i] - along);
    }
    double values[MEANS] = {entropy,           1 / total,     squares, cubes, fourths,
                            squares * squares, along * along, own,     keys,  bent,
                            spread * spread};
    for (int m = 0; m < MEANS; m++)
        out[m] = values[m];
}

TEST(means_are_those_of_draws) {
    static const double deviations[] = {0.01, 0.3, 1, 2, 5, 20, 90};
    static const int keys[] = {2, 3, 12, KEYS_MAX};
    for (size_t d = 0; d < ARRAY_COUNT(deviations); d++) {
        SoftmaxLaw law[ARRAY_COUNT(keys)];
        softmax_law(law, keys, (int)ARRAY_COUNT(keys), deviations[d]);
        for (size_t k = 0; k < ARRAY_COUNT(keys); k++) {
            double sum[MEANS] = {0}, squares[MEANS] = {0}, values[MEANS];
            const double expected[MEANS] = {law[k].entropy, law[k].largest,    law[k].squares,
                                            law[k].cubes,   law[k].fourths,    law[k].squares_both,
                                            law[k].along,   law[k].own,        law[k].keys,
                                            law[k].bent,    law[k].spread_both};
            Rng rng = rng_stream(77, d * ARRAY_COUNT(keys) + k);
            for (int i = 0; i < DRAWS; i++) {
                one_draw(values, rng, (uint64_t)i, keys[k], deviations[d]);
                for (int m = 0; m < MEANS; m++) {
                    sum[m] += values[m];
                    squares[m] += values[m] * values[m];
                }
            }
            for (int m = 0; m < MEANS; m++) {
                double mean = sum[m] / DRAWS;
                double error = sqrt(fmax(squares[m] / DRAWS - mean * mean, 0) / DRAWS);
                if (!(fabs(mean - expected[m]) < 4.5 * error + 2e-4 * mean + 1e-7))
                    fail_msg("%s of %d keys at %g: %.6g, expected %.6g", NAMES[m], keys[k],
                             deviations[d], mean, expected[m]);
            }
        }
    }
}

/* Properties of any softmax, and the limits that are known exactly. */
TEST(laws_hold_from_even_to_saturated) {
    static const int keys[] = {1, 2, 7, 100, 4096};
    SoftmaxLaw before[ARRAY_COUNT(keys)], law[ARRAY_COUNT(keys)];
    softmax_law(before, keys, (int)ARRAY_COUNT(keys), 0);
    for (size_t k = 0; k < ARRAY_COUNT(keys); k++) {
        assert_true(before[k].entropy == log(keys[k]) && before[k].largest == 1.0 / keys[k]);
        assert_true(before[k].squares == 1.0 / keys[k] && before[k].along == 1.0 / keys[k]);
    }
    for (double std = 1e-3; std < 1e6; std *= 1.7) {
        softmax_law(law, keys, (int)ARRAY_COUNT(keys), std);
        for (size_t k = 0; k < ARRAY_COUNT(keys); k++) {
            double slack = 2e-3;
            assert_true(law[k].entropy <= before[k].entropy + slack);
            assert_true(law[k].entropy > -slack && law[k].largest <= 1 + slack);
            assert_true(law[k].largest >= before[k].largest * (1 - slack));
            assert_true(law[k].squares >= before[k].squares * (1 - slack));
            assert_true(law[k].squares <= law[k].largest * (1 + slack));
            assert_true(law[k].cubes <= law[k].squares * (1 + slack));
            assert_true(law[k].squares_both >=
                        law[k].squares * law[k].squares * (1 - slack)); /* Jensen */
            before[k] = law[k];
        }
    }
    for (size_t k = 1; k < ARRAY_COUNT(keys); k++)
        assert_true(law[k].largest > 0.997 && law[k].entropy < 0.01);
}

#define WEIGHTS 1000000
#define PLACES  200

/* Return the largest difference between the measured and the expected share of weights up to x,
 * over several x. */
static double furthest(const double *below, long weights, const SumLaw *others, double std) {
    double worst = 0, share = 0;
    for (int i = 0; i < PLACES; i++) {
        share += below[i] / (double)weights;
        double logit = -30 + 60.0 * (i + 1) / PLACES, x = 1 / (1 + exp(-logit));
        worst = fmax(worst, fabs(share - softmax_weight_below(x, others, std)));
    }
    return worst;
}

/* 10⁶ weights of each number of keys and deviation, counted by their logits. The largest errors are
 * those of five keys or so: 0.0045. */
TEST(a_weight_lies_as_expected) {
    static const double deviations[] = {0.25, 1, 3, 8, 64};
    static const int keys[] = {2, 3, 5, 12, KEYS_MAX};
    for (size_t d = 0; d < ARRAY_COUNT(deviations); d++)
        for (size_t k = 0; k < ARRAY_COUNT(keys); k++) {
            static double below[PLACES];
            int n = keys[k], scores = n - 1;
            Rng rng = rng_stream(5, k);
            SumLaw others;
            for (int i = 0; i < PLACES; i++)
                below[i] = 0;
            long draws = WEIGHTS / n;
            for (long t = 0; t < draws; t++) {
                double e[KEYS_MAX], total = 0;
                for (int i = 0; i < n; i++)
                    total += e[i] =
                        exp(deviations[d] * rng_normal(rng, (uint64_t)t * KEYS_MAX + (uint64_t)i));
                for (int i = 0; i < n; i++) {
                    double at = (log(e[i] / (total - e[i])) + 30) / 60 * PLACES;
                    if (at < PLACES)
                        below[at < 0 ? 0 : (int)at]++;
                }
            }
            softmax_sum_law(&others, &scores, 1, deviations[d]);
            double worst = furthest(below, draws * n, &others, deviations[d]);
            if (!(worst < (n == 2 ? 0.001 : SOFTMAX_WEIGHT_ERROR)))
                fail_msg("%d keys at %g: %.4f off", n, deviations[d], worst);
        }
}
