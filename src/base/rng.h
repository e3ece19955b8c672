/* rng.h: random numbers as a function of (seed, stream, index), so that one matrix's draws never
 * depend on another's and any entry can be drawn alone. Pure.
 * Source: the counter form of SplitMix64, Steele, Lea and Flood, "Fast splittable pseudorandom
 * number generators", OOPSLA 2014. */
#ifndef HEADLIGHT_BASE_RNG_H
#define HEADLIGHT_BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

typedef struct Rng {
    uint64_t base;
} Rng;

/* One stream of a seed; different streams are independent. */
Rng rng_stream(uint64_t seed, uint64_t stream);

/* The draw of this index: 64 bits, and a double in (0, 1), never either end. */
uint64_t rng_bits(Rng rng, uint64_t index);
double rng_uniform(Rng rng, uint64_t index);

/* The standard normal quantile of rng_uniform, so that uniform and normal schemes share their
 * ranks. Relative error under 1e-15. Source: Wichura 1988, algorithm AS 241 (PPND16). */
double rng_normal(Rng rng, uint64_t index);

/* count draws from the first index on, the same to the bit as one by one, and several times faster.
 */
void rng_uniforms(double *out, Rng rng, uint64_t first, size_t count);
void rng_normals(double *out, Rng rng, uint64_t first, size_t count);

/* Row by row, out[i * stride + j] = width * (rng_uniform - 1/2) of index i * cols + j. */
void rng_uniform_rows(float *out, size_t stride, size_t rows, size_t cols, Rng rng, double width);

/* The standard normal quantile of p in (0, 1). */
double rng_normal_quantile(double p);

/* A 64-bit hash of bytes, the same on every machine (FNV-1a, then mixed). */
uint64_t rng_hash(const void *bytes, uint64_t size);

#endif
