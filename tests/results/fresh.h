/* fresh.h: a session and its updated Results, compared with Results computed from scratch. */
#ifndef HEADLIGHT_TESTS_SESSION_FRESH_H
#define HEADLIGHT_TESTS_SESSION_FRESH_H

#include "results/results.h"

#define TOKENS 32 /* computed at most, unless a test says otherwise */

/* A session and the Results that follows it. */
typedef struct Bench {
    Session session;
    Results run;
} Bench;

/* Return a session with the values of a state string, formatted as by printf, and empty Results. */
Bench bench_of(const char *state, ...);
void bench_close(Bench *b);

/* Declare a Bench that is closed with its block, and open it with a function of the test. */
#define BENCH(name, open, ...)                                                                     \
    LOCAL(bench_close) Bench name;                                                                 \
    open(&(name), __VA_ARGS__)

bool update(Bench *b);
const AttnShape *shape_of(const Bench *b);

/* set fails the test if the value is refused. */
bool try_set(Bench *b, const char *key, const char *value);
void set(Bench *b, const char *key, const char *value);
void write_text(Bench *b, const char *text);

/* Bytes that differ, not values: NaN is equal to itself, and 0 differs from -0. */
bool same_bytes(const Mat *a, const Mat *b);

/* Return the first difference between two Results of one shape in that layer, or NULL. */
const char *difference_of_layers(const Results *a, const Results *b, int layer);

/* Assert that updated Results equal Results computed from scratch, to the bit. */
void check_fresh(Bench *b, int tokens_max, const char *what);

#endif
