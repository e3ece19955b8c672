#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/util.h"
#include "support/test.h"

/* The published values of SplitMix64 for seed 1234567. */
TEST(bits_are_splitmix64) {
    static const uint64_t expected[] = {6457827717110365317u, 3203168211198807973u,
                                        9817491932198370423u, 4593380528125082431u,
                                        16408922859458223821u};
    for (uint64_t i = 0; i < ARRAY_COUNT(expected); i++)
        assert_true(rng_bits((Rng){1234567}, i) == expected[i]);
}

TEST(streams_are_unlike_each_other) {
    uint64_t seen[10 * 10 * 4];
    size_t count = 0;
    for (uint64_t seed = 0; seed < 10; seed++)
        for (uint64_t stream = 0; stream < 10; stream++)
            for (uint64_t index = 0; index < 4; index++) {
                uint64_t bits = rng_bits(rng_stream(seed, stream), index);
                for (size_t i = 0; i < count; i++)
                    assert_true(seen[i] != bits);
                seen[count++] = bits;
            }
    assert_true(rng_stream(UINT64_MAX, UINT64_MAX).base != rng_stream(0, 0).base);
}

/* Neighbouring entries, streams and seeds are not correlated. */
TEST(neighbours_are_uncorrelated) {
    enum { COUNT = 20000 };
    double next = 0, stream = 0, seed = 0;
    for (uint64_t i = 0; i < COUNT; i++) {
        double here = rng_normal(rng_stream(1, 0), i);
        next += here * rng_normal(rng_stream(1, 0), i + 1);
        stream += here * rng_normal(rng_stream(1, 1), i);
        seed += here * rng_normal(rng_stream(2, 0), i);
    }
    double bound = 4 * sqrt(COUNT);
    assert_true(fabs(next) < bound && fabs(stream) < bound && fabs(seed) < bound);
}

TEST(uniform_is_uniform) {
    enum { COUNT = 100000, BINS = 20 };
    int bins[BINS] = {0};
    Rng rng = rng_stream(3, 1);
    for (uint64_t i = 0; i < COUNT; i++) {
        double u = rng_uniform(rng, i);
        assert_true(u > 0 && u < 1);
        bins[(int)(u * BINS)]++;
    }
    double chi = 0, each = (double)COUNT / BINS;
    for (int b = 0; b < BINS; b++)
        chi += (bins[b] - each) * (bins[b] - each) / each;
    assert_true(chi < 50); /* 19 degrees of freedom: chance exceeds 50 once in 7,000 */
}

TEST(normal_has_its_moments) {
    enum { COUNT = 100000 };
    double sum = 0, squares = 0, fourths = 0;
    Rng rng = rng_stream(3, 2);
    for (uint64_t i = 0; i < COUNT; i++) {
        double z = rng_normal(rng, i);
        sum += z, squares += z * z, fourths += z * z * z * z;
    }
    assert_true(fabs(sum / COUNT) < 4 / sqrt(COUNT));
    assert_true(fabs(squares / COUNT - 1) < 4 * sqrt(2.0 / COUNT));
    assert_true(fabs(fourths / COUNT - 3) < 4 * sqrt(96.0 / COUNT));
}

TEST(quantile_inverts_the_distribution) {
    for (double p = 1e-300; p < 0.5; p *= 1.7) {
        double below = 0.5 * erfc(-rng_normal_quantile(p) / sqrt(2));
        assert_true(fabs(below / p - 1) < 1e-12 * (1 - log(p)));
    }
    for (double p = 0.001; p < 1; p += 0.001) {
        double below = 0.5 * erfc(-rng_normal_quantile(p) / sqrt(2));
        assert_true(fabs(below - p) < 1e-15);
    }
}

TEST(quantile_at_known_places) {
    assert_true(rng_normal_quantile(0.5) == 0);
    assert_true(fabs(rng_normal_quantile(0.975) - 1.959963984540054) < 1e-15);
    assert_true(fabs(rng_normal_quantile(0.25) + 0.6744897501960817) < 1e-15);
    double largest = rng_normal_quantile(1 - 0x1p-53);
    assert_true(isfinite(largest) && largest > 8 && largest < 9);
    assert_true(fabs(rng_normal_quantile(0x1p-53) + largest) < 1e-12);
}

TEST(hash_sees_every_byte) {
    char text[] = "didn't";
    uint64_t whole = rng_hash(text, 6);
    assert_true(rng_hash("didn't", 6) == whole);
    for (size_t i = 0; i < 6; i++) {
        text[i] ^= 1;
        assert_true(rng_hash(text, 6) != whole);
        text[i] ^= 1;
        assert_true(rng_hash(text, i) != whole);
    }
    assert_true(rng_hash("\0", 1) != rng_hash("\0\0", 2));
    assert_true(rng_hash(NULL, 0) == rng_hash("x", 0));
}

/* From any index, and across the borders of the blocks that are sampled together. */
TEST(many_draws_are_the_same_as_one_by_one) {
    static const size_t counts[] = {0, 1, 7, 255, 256, 257, 1000};
    double uniforms[1000], normals[1000];
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        Rng rng = rng_stream(11, c);
        uint64_t first = c % 2 == 0 ? 3 * c : UINT64_MAX - 100;
        rng_uniforms(uniforms, rng, first, counts[c]);
        rng_normals(normals, rng, first, counts[c]);
        for (size_t i = 0; i < counts[c]; i++) {
            assert_true(uniforms[i] == rng_uniform(rng, first + i));
            assert_true(normals[i] == rng_normal(rng, first + i));
        }
    }
}

TEST(rows_of_uniforms_are_the_same_draws) {
    enum { ROWS = 5, MOST = 37, STRIDE = 40 };
    for (size_t cols = 1; cols <= MOST; cols++) {
        float out[ROWS * STRIDE] = {0};
        Rng rng = rng_stream(12, cols);
        rng_uniform_rows(out, STRIDE, ROWS, cols, rng, 0.3);
        for (size_t i = 0; i < ROWS; i++)
            for (size_t j = 0; j < STRIDE; j++) {
                double draw = 0.3 * (rng_uniform(rng, i * cols + j) - 0.5);
                assert_true(out[i * STRIDE + j] == (j < cols ? (float)draw : 0));
            }
    }
}
