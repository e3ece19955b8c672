#include "base/rng.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/job.h"
#include "base/ln.h"

/* Return mix(z) without its last step, z ^ (z >> 31). */
static inline uint64_t nearly_mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    return (z ^ (z >> 27)) * 0x94D049BB133111EBu;
}

static inline uint64_t mix(uint64_t z) {
    z = nearly_mix(z);
    return z ^ (z >> 31);
}

#define RNG_GOLDEN 0x9E3779B97F4A7C15u

Rng rng_stream(uint64_t seed, uint64_t stream) {
    return (Rng){mix(mix(seed + RNG_GOLDEN) ^ mix(stream * RNG_GOLDEN + 1))};
}

static inline uint64_t state_at(Rng rng, uint64_t index) {
    return rng.base + (index + 1) * RNG_GOLDEN;
}

uint64_t rng_bits(Rng rng, uint64_t index) {
    return mix(state_at(rng, index));
}

/* Finish mix, and return a uniform number in (1 - less, 2 - less), exact to the bit if less is 1
 * or 1.5. The upper 52 bits become the fraction of a number in [1, 2), at the middle of its
 * interval. This needs no integer conversion, which older vector units lack. */
static inline double uniform_less(uint64_t nearly_mixed, double less) {
    uint64_t pattern = ((nearly_mixed >> 12) ^ (nearly_mixed >> 43)) | 0x3FF0000000000000u;
    double above_one;
    memcpy(&above_one, &pattern, sizeof above_one);
    return (above_one - less) + 0x1p-53;
}

double rng_uniform(Rng rng, uint64_t index) {
    return uniform_less(nearly_mix(state_at(rng, index)), 1);
}

/* Add to the state for each number, because the product in state_at takes more time. */
void rng_uniforms(double *out, Rng rng, uint64_t first, size_t count) {
    uint64_t state = state_at(rng, first);
    for (size_t i = 0; i < count; i++, state += RNG_GOLDEN)
        out[i] = uniform_less(nearly_mix(state), 1);
}

void rng_uniform_rows(float *out, size_t stride, size_t rows, size_t cols, Rng rng, double width) {
    for (size_t i = 0; i < rows; i++, out += stride) {
        uint64_t state = state_at(rng, i * cols);
        job_breathe();
        for (size_t j = 0; j < cols; j++, state += RNG_GOLDEN)
            out[j] = (float)(width * uniform_less(nearly_mix(state), 1.5));
    }
}

static inline double ratio(const double *over, const double *under, double x) {
    double a = over[7], b = under[7];
    for (int i = 6; i >= 0; i--) {
        a = a * x + over[i];
        b = b * x + under[i];
    }
    return a / b;
}

static const double NEAR_OVER[] = {3.3871328727963666080e0, 1.3314166789178437745e2,
                                   1.9715909503065514427e3, 1.3731693765509461125e4,
                                   4.5921953931549871457e4, 6.7265770927008700853e4,
                                   3.3430575583588128105e4, 2.5090809287301226727e3};
static const double NEAR_UNDER[] = {1.0,
                                    4.2313330701600911252e1,
                                    6.8718700749205790830e2,
                                    5.3941960214247511077e3,
                                    2.1213794301586595867e4,
                                    3.9307895800092710610e4,
                                    2.8729085735721942674e4,
                                    5.2264952788528545610e3};
static const double TAIL_OVER[] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                   5.76949722146069140550e0,  3.64784832476320460504e0,
                                   1.27045825245236838258e0,  2.41780725177450611770e-1,
                                   2.27238449892691845833e-2, 7.74545014278341407640e-4};
static const double TAIL_UNDER[] = {1.0,
                                    2.05319162663775882187e0,
                                    1.67638483018380384940e0,
                                    6.89767334985100004550e-1,
                                    1.48103976427480074590e-1,
                                    1.51986665636164571966e-2,
                                    5.47593808499534494600e-4,
                                    1.05075007164441684324e-9};
static const double FAR_OVER[] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                  1.78482653991729133580e0,  2.96560571828504891230e-1,
                                  2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                  2.71155556874348757815e-5, 2.01033439929228813265e-7};
static const double FAR_UNDER[] = {1.0,
                                   5.99832206555887937690e-1,
                                   1.36929880922735805310e-1,
                                   1.48753612908506148525e-2,
                                   7.86869131145613259100e-4,
                                   1.84631831751005468180e-5,
                                   1.42151175831644588870e-7,
                                   2.04426310338993978564e-15};

#define NEAR 0.425 /* largest |p - 0.5| for which one ratio of polynomials is enough */

static inline double near_quantile(double p) {
    double q = p - 0.5;
    return q * ratio(NEAR_OVER, NEAR_UNDER, 0.180625 - q * q);
}

/* Return √(−ln d), where d is the distance of p to 0 or 1, whichever is nearer. */
static inline double tail_root(double p) {
    return sqrt(-ln_normal(p < 0.5 ? p : 1 - p));
}

static inline double tail_quantile(double r, bool low) {
    double size =
        r <= 5 ? ratio(TAIL_OVER, TAIL_UNDER, r - 1.6) : ratio(FAR_OVER, FAR_UNDER, r - 5);
    return low ? -size : size;
}

double rng_normal_quantile(double p) {
    if (fabs(p - 0.5) <= NEAR)
        return near_quantile(p);
    bool low = p < 0.5;
    return tail_quantile(tail_root(p), low);
}

double rng_normal(Rng rng, uint64_t index) {
    return rng_normal_quantile(rng_uniform(rng, index));
}

#define BLOCK 256

/* count is at most BLOCK. First compute all entries by the formula for the middle, then the 15 % in
 * the tails again by that for tails, each in loops that the compiler can vectorise. */
static void quantiles(double *out, const double *p, size_t count) {
    double tail[BLOCK], root[BLOCK], size[BLOCK];
    size_t tails = 0;
    unsigned short at[BLOCK];
    for (size_t i = 0; i < count; i++)
        out[i] = near_quantile(p[i]);
    for (size_t i = 0; i < count; i++) {
        at[tails] = (unsigned short)i;
        tail[tails] = p[i];
        tails += fabs(p[i] - 0.5) > NEAR;
    }
    for (size_t t = 0; t < tails; t++) {
        /* The loop above wrote at[0..tails), which the analyser does not see.
         * NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage) */
        root[t] = tail_root(tail[t]);
        size[t] = ratio(TAIL_OVER, TAIL_UNDER, root[t] - 1.6);
    }
    for (size_t t = 0; t < tails; t++) {
        bool low = tail[t] < 0.5;
        /* cppcheck-suppress uninitvar; the loop above wrote it */
        out[at[t]] = root[t] > 5 ? tail_quantile(root[t], low) : low ? -size[t] : size[t];
    }
}

void rng_normals(double *out, Rng rng, uint64_t first, size_t count) {
    double p[BLOCK];
    for (size_t i = 0; i < count; i += BLOCK) {
        size_t block = count - i < BLOCK ? count - i : BLOCK;
        rng_uniforms(p, rng, first + i, block);
        quantiles(out + i, p, block);
    }
}

uint64_t rng_hash(const void *bytes, uint64_t size) {
    const unsigned char *at = bytes;
    uint64_t hash = 0xCBF29CE484222325u;
    for (uint64_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * 0x100000001B3u;
    return mix(hash);
}
