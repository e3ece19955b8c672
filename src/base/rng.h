/* rng.h: random numbers as a function of (seed, stream, index), so that samples of one matrix never
 * depend on another matrix. Pure. Source: the counter form of SplitMix64; Steele, Lea and Flood,
 * "Fast splittable pseudorandom number generators", OOPSLA 2014. */
#ifndef HEADLIGHT_BASE_RNG_H
#define HEADLIGHT_BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

typedef struct Rng {
    uint64_t base;
} Rng;

/* Different streams of a seed are independent. */
Rng rng_stream(uint64_t seed, uint64_t stream);

/* Return the sample at this index: 64 random bits, or a double in (0, 1). */
uint64_t rng_bits(Rng rng, uint64_t index);
double rng_uniform(Rng rng, uint64_t index);

/* Return the standard normal quantile of rng_uniform(rng, index). So an entry of a matrix has the
 * same rank by size in a normal and in a uniform scheme. Relative error below 1e-15. Source:
 * Wichura 1988, algorithm AS 241 (PPND16). */
double rng_normal(Rng rng, uint64_t index);

/* Fill out with count samples from index `first` on: bit for bit the values of single calls,
 * several times faster. */
void rng_uniforms(double *out, Rng rng, uint64_t first, size_t count);
void rng_normals(double *out, Rng rng, uint64_t first, size_t count);

/* Fill rows: out[i * stride + j] = width * (rng_uniform(rng, i * cols + j) - 1/2). */
void rng_uniform_rows(float *out, size_t stride, size_t rows, size_t cols, Rng rng, double width);

/* Return the standard normal quantile of p, 0 < p < 1. */
double rng_normal_quantile(double p);

/* Return a 64-bit hash of bytes, the same on every machine (FNV-1a, then mixed). */
uint64_t rng_hash(const void *bytes, uint64_t size);

#endif
