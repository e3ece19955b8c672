/* lanes.h: vectors of floats as wide as the machine's, in GCC's and Clang's portable form. Pure. */
#ifndef HEADLIGHT_MATH_LANES_H
#define HEADLIGHT_MATH_LANES_H

#include <stddef.h>
#include <string.h>

#if defined __AVX512F__
#define LANES 16
#elif defined __AVX__
#define LANES 8
#else
#define LANES 4
#endif

typedef float Lanes __attribute__((vector_size(LANES * sizeof(float))));
typedef float LooseLanes
    __attribute__((vector_size(LANES * sizeof(float)), aligned(sizeof(float)), may_alias));

/* Before a loop of few, constant turns: GCC then keeps the arrays it runs over in registers. */
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

/* count floats; by the bits of what does not fill a vector, since memcpy would cost more. */
static inline void lanes_copy(float *to, const float *from, int count) {
    for (; count >= LANES; count -= LANES, to += LANES, from += LANES)
        lanes_store(to, lanes_load(from));
    for (int part = LANES / 2; part > 0; part /= 2)
        if (count & part) {
            memcpy(to, from, (size_t)part * sizeof *to);
            to += part;
            from += part;
        }
}

/* The first count <= LANES floats, then 0. */
static inline Lanes lanes_load_some(const float *from, int count) {
    if (count == LANES)
        return lanes_load(from);
    float some[LANES] = {0};
    lanes_copy(some, from, count);
    return lanes_load(some);
}

#if LANES == 16
#define LANES_LOW(a, b)                                                                            \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define LANES_HIGH(a, b)                                                                           \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#elif LANES == 8
#define LANES_LOW(a, b)  __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define LANES_HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#else
#define LANES_LOW(a, b)  __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define LANES_HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#endif

/* Turn a square of LANES rows, across floats apart, into one with rows stride apart. Interleaving
 * the first half of the rows with the second turns it when it is done log2(LANES) times. */
static inline void lanes_turn_square(float *to, ptrdiff_t stride, const float *from,
                                     ptrdiff_t across) {
    Lanes v[LANES], w[LANES];
    LANES_UNROLL for (int l = 0; l < LANES; l++) v[l] = lanes_load(from + l * across);
    LANES_UNROLL for (int stage = 1; stage < LANES; stage *= 2) {
        LANES_UNROLL for (int l = 0; l < LANES; l++) w[l] =
            l % 2 == 0 ? LANES_LOW(v[l / 2], v[l / 2 + LANES / 2])
                       : LANES_HIGH(v[l / 2], v[l / 2 + LANES / 2]);
        LANES_UNROLL for (int l = 0; l < LANES; l++) v[l] = w[l];
    }
    LANES_UNROLL for (int l = 0; l < LANES; l++) lanes_store(to + l * stride, v[l]);
}

/* The same where from has only so many rows and columns: to gets as many rows as from has columns,
 * LANES wide, with 0 where from has no row. */
static inline void lanes_turn_part(float *to, ptrdiff_t stride, const float *from, ptrdiff_t across,
                                   int rows, int cols) {
    float square[LANES * LANES] = {0};
    for (int l = 0; l < rows; l++)
        lanes_copy(square + l * LANES, from + l * across, cols);
    lanes_turn_square(square, LANES, square, LANES);
    for (int l = 0; l < cols; l++)
        lanes_store(to + l * stride, lanes_load(square + l * LANES));
}

#endif
