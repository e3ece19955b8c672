/* lanes.h: vectors of floats as wide as the machine's, in the portable notation of GCC and Clang.
 * Pure. */
#ifndef HEADLIGHT_MATH_LANES_H
#define HEADLIGHT_MATH_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined __AVX512F__ && defined __AVX512BW__ && defined __AVX512VL__
#include <immintrin.h>
#define LANES 16
#elif defined __AVX__
#define LANES 8
#else
#define LANES 4
#endif

typedef float Lanes __attribute__((vector_size(LANES * sizeof(float))));
typedef float LooseLanes
    __attribute__((vector_size(LANES * sizeof(float)), aligned(sizeof(float)), may_alias));

typedef int32_t LaneBits __attribute__((vector_size(LANES * sizeof(int32_t))));

/* Put this before a short loop of constant length, so that GCC keeps its arrays in registers. */
#ifdef __clang__
#define LANES_UNROLL
#else
#define LANES_UNROLL _Pragma("GCC unroll 16")
#endif

static inline Lanes lanes_load(const float *from) {
    return *(const LooseLanes *)from;
}

static inline void lanes_store(float *to, Lanes v) {
    *(LooseLanes *)to = v;
}

/* Load, or store, only the first count floats, count < LANES. The other loaded lanes are 0. */
#if LANES == 16
static inline Lanes lanes_load_some(const float *from, int count) {
    return (Lanes)_mm512_maskz_loadu_ps((__mmask16)((1u << count) - 1), from);
}

static inline void lanes_store_some(float *to, Lanes v, int count) {
    _mm512_mask_storeu_ps(to, (__mmask16)((1u << count) - 1), (__m512)v);
}
#else
/* Copy count floats, count < LANES, in pieces of constant size, because a memcpy of variable size
 * is slower. */
static inline void lanes_copy_some(float *to, const float *from, int count) {
    for (int part = LANES / 2; part > 0; part /= 2)
        if (count & part) {
            memcpy(to, from, (size_t)part * sizeof *to);
            to += part;
            from += part;
        }
}

static inline Lanes lanes_load_some(const float *from, int count) {
    float some[LANES] = {0};
    lanes_copy_some(some, from, count);
    return lanes_load(some);
}

static inline void lanes_store_some(float *to, Lanes v, int count) {
    float some[LANES];
    lanes_store(some, v);
    lanes_copy_some(to, some, count);
}
#endif

/* Convert the lower and the upper half to doubles. GCC uses one instruction for each half only if
 * it converts a whole vector of floats. */
typedef double LaneDoubles __attribute__((vector_size(LANES / 2 * sizeof(double))));
typedef double BothDoubles __attribute__((vector_size(LANES * sizeof(double))));

static inline void lanes_widen(LaneDoubles out[2], Lanes v) {
    BothDoubles both = __builtin_convertvector(v, BothDoubles);
    memcpy(out, &both, sizeof both);
}

/* Load scores, with -∞ in the lanes whose byte in open is 0. The second function loads only the
 * first count scores, count < LANES, with -∞ in the other lanes. */
#if LANES == 16
static inline Lanes lanes_load_open(const float *scores, const uint8_t *open) {
    __m128i bytes = _mm_loadu_si128((const void *)open);
    return (Lanes)_mm512_mask_loadu_ps(_mm512_set1_ps(-INFINITY), _mm_test_epi8_mask(bytes, bytes),
                                       scores);
}

static inline Lanes lanes_load_open_some(const float *scores, const uint8_t *open, int count) {
    __m128i bytes = _mm_maskz_loadu_epi8((__mmask16)((1u << count) - 1), open);
    return (Lanes)_mm512_mask_loadu_ps(_mm512_set1_ps(-INFINITY), _mm_test_epi8_mask(bytes, bytes),
                                       scores);
}
#else
static inline Lanes lanes_load_open_some(const float *scores, const uint8_t *open, int count) {
    float chosen[LANES];
    for (int l = 0; l < LANES; l++)
        chosen[l] = l < count && open[l] ? scores[l] : -INFINITY;
    return lanes_load(chosen);
}

static inline Lanes lanes_load_open(const float *scores, const uint8_t *open) {
    return lanes_load_open_some(scores, open, LANES);
}
#endif

/* Return the larger of a and b in each lane; b if a is NaN. */
static inline Lanes lanes_larger(Lanes a, Lanes b) {
#if LANES == 16
    return (Lanes)_mm512_max_ps((__m512)a, (__m512)b);
#else
    LaneBits is_a = a > b;
    return (Lanes)(((LaneBits)a & is_a) | ((LaneBits)b & ~is_a));
#endif
}

static inline void lanes_copy(float *to, const float *from, int count) {
    for (; count >= LANES; count -= LANES, to += LANES, from += LANES)
        lanes_store(to, lanes_load(from));
    if (count > 0)
        lanes_store_some(to, lanes_load_some(from, count), count);
}

/* Return the lanes of a and b with these indices: a has the indices from 0, b those from LANES. GCC
 * 11 has no __builtin_shufflevector, Clang no __builtin_shuffle. */
#if defined __clang__ || __GNUC__ >= 12
#define LANES_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define LANES_SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (LaneBits){__VA_ARGS__})
#endif

/* The first four lanes of the result are the lanes p, q, r, s; each further group of four, the
 * lanes whose indices are four higher. a has the indices from 0, b those from LANES. */
#if LANES == 16
#define LANES_BY_FOUR(a, b, p, q, r, s)                                                            \
    LANES_SHUFFLE(a, b, p, q, r, s, (p) + 4, (q) + 4, (r) + 4, (s) + 4, (p) + 8, (q) + 8, (r) + 8, \
                  (s) + 8, (p) + 12, (q) + 12, (r) + 12, (s) + 12)
#elif LANES == 8
#define LANES_BY_FOUR(a, b, p, q, r, s)                                                            \
    LANES_SHUFFLE(a, b, p, q, r, s, (p) + 4, (q) + 4, (r) + 4, (s) + 4)
#else
#define LANES_BY_FOUR(a, b, p, q, r, s) LANES_SHUFFLE(a, b, p, q, r, s)
#endif

/* Return every other group of four lanes, of a and then of b: from the first group on if o is 0,
 * from the second if o is 4. */
#if LANES == 16
#define LANES_FOURS(a, b, o)                                                                       \
    LANES_SHUFFLE(a, b, o, (o) + 1, (o) + 2, (o) + 3, (o) + 8, (o) + 9, (o) + 10, (o) + 11,        \
                  (o) + 16, (o) + 17, (o) + 18, (o) + 19, (o) + 24, (o) + 25, (o) + 26, (o) + 27)
#elif LANES == 8
#define LANES_FOURS(a, b, o)                                                                       \
    LANES_SHUFFLE(a, b, o, (o) + 1, (o) + 2, (o) + 3, (o) + 8, (o) + 9, (o) + 10, (o) + 11)
#endif

/* Transpose each 4 × 4 square of four vectors in place. */
static inline void lanes_transpose_fours(Lanes v[4]) {
    Lanes a = LANES_BY_FOUR(v[0], v[1], 0, LANES, 1, LANES + 1);
    Lanes b = LANES_BY_FOUR(v[0], v[1], 2, LANES + 2, 3, LANES + 3);
    Lanes c = LANES_BY_FOUR(v[2], v[3], 0, LANES, 1, LANES + 1);
    Lanes d = LANES_BY_FOUR(v[2], v[3], 2, LANES + 2, 3, LANES + 3);
    v[0] = LANES_BY_FOUR(a, c, 0, 1, LANES, LANES + 1);
    v[1] = LANES_BY_FOUR(a, c, 2, 3, LANES + 2, LANES + 3);
    v[2] = LANES_BY_FOUR(b, d, 0, 1, LANES, LANES + 1);
    v[3] = LANES_BY_FOUR(b, d, 2, 3, LANES + 2, LANES + 3);
}

/* Transpose `rows` rows of LANES floats, `across` floats apart, and store the first `cols` columns
 * as rows of LANES floats, `stride` apart, padded with 0; rows, cols <= LANES. First transpose 4 ×
 * 4 squares, then exchange the squares in log2(LANES / 4) steps. */
static inline __attribute__((always_inline)) void lanes_transpose(float *to, ptrdiff_t stride,
                                                                  const float *from,
                                                                  ptrdiff_t across, int rows,
                                                                  int cols) {
    Lanes v[LANES];
    LANES_UNROLL for (int l = 0; l < LANES; l++) v[l] =
        l < rows ? lanes_load(from + l * across) : (Lanes){0};
    LANES_UNROLL for (int l = 0; l < LANES; l += 4) lanes_transpose_fours(v + l);
#if LANES > 4
    Lanes w[LANES];
    LANES_UNROLL for (int stage = 4; stage < LANES; stage *= 2) {
        LANES_UNROLL for (int l = 0; l < LANES / 2; l++) {
            Lanes a = v[l / 4 * 8 + l % 4], b = v[l / 4 * 8 + l % 4 + 4];
            w[l] = LANES_FOURS(a, b, 0);
            w[l + LANES / 2] = LANES_FOURS(a, b, 4);
        }
        LANES_UNROLL for (int l = 0; l < LANES; l++) v[l] = w[l];
    }
#endif
    LANES_UNROLL for (int l = 0; l < LANES; l++) if (l < cols) lanes_store(to + l * stride, v[l]);
}

/* Like lanes_transpose, but the rows of from have only cols floats. */
static inline void lanes_transpose_ends(float *to, ptrdiff_t stride, const float *from,
                                        ptrdiff_t across, int rows, int cols) {
    float square[LANES * LANES];
    for (int l = 0; l < rows; l++)
        lanes_copy(square + l * LANES, from + l * across, cols);
    lanes_transpose(to, stride, square, LANES, rows, cols);
}

/* Return eˣ for x up to 88; 0 below -87, NaN for NaN. Relative error under 3e-7 for x up to 8.
 * Source: Cody and Waite 1980, "Software manual for the elementary functions", chapter 6, for the
 * reduction to |r| <= ln 2 / 2; then the Taylor polynomial. */
static inline Lanes lanes_exp(Lanes x) {
    /* Adding and subtracting 1.5·2²³ rounds to a whole number, which is then in the low bits. */
    const float rounder = 12582912.0F;
    Lanes rounded = x * 1.44269504F + rounder;
    Lanes n = rounded - rounder;
    Lanes r = x - n * 0.693359375F; /* ln 2 in two parts, the first exact in 9 bits */
    r += n * 2.12194440e-4F;
    Lanes sum = r * (1.0F / 720) + 1.0F / 120;
    sum = sum * r + 1.0F / 24;
    sum = sum * r + 1.0F / 6;
    sum = sum * r + 0.5F;
    sum = sum * r + 1.0F;
    sum = sum * r + 1.0F;
    /* Build the exponent field of 2ⁿ; the bits of 1.5·2²³ are shifted out. */
    Lanes power = (Lanes)(((LaneBits)rounded + 127) << 23);
    return (Lanes)((LaneBits)(sum * power) & ~(x < -87.0F));
}

#endif
