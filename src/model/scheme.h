/* scheme.h: initialisation schemes: how W_Q, W_K, W_V and W_O are drawn. Pure.
 * To add one, add a row to SCHEMES; options, menus, lists and tests follow. */
#ifndef HEADLIGHT_MODEL_SCHEME_H
#define HEADLIGHT_MODEL_SCHEME_H

#include "model/params.h"

/* What a scheme may look at for one matrix that stands on the right, Q = X·W: fan_in is its rows,
 * fan_out its columns, of the whole matrix with all heads. */
typedef struct SchemeFans {
    int fan_in, fan_out;
} SchemeFans;

typedef struct Scheme {
    Entry entry;
    const char *source;
    /* The standard deviation of an entry of W. For `identity`, of its entries as a set. */
    double (*deviation)(AttnParam param, SchemeFans fans, const AttnShape *shape);
    /* Fill w (fan_in, fan_out) given that deviation. seed and param choose the stream, so the
     * same draws underlie schemes that differ in scale alone. Needs scratch for orthogonal. */
    bool (*fill)(Mat *w, AttnParam param, double deviation, uint64_t seed, Err *err);
} Scheme;

extern const Scheme SCHEMES[];
extern const Registry SCHEME_REGISTRY;

/* Fill w, the whole matrix of that parameter, by SCHEMES[index]. Entry (i, j) of its draws is
 * index i * cols + j of the stream (seed, param), so one matrix never depends on another.
 * Fails only for want of memory. */
bool scheme_draw_one(Mat *w, const AttnShape *shape, int index, AttnParam param, uint64_t seed,
                     Err *err);

/* Draw every parameter of params by SCHEMES[index]. Fails only for want of memory. */
bool scheme_draw(AttnParams *params, const AttnShape *shape, int index, uint64_t seed, Err *err);

/* The expected standard deviation of an entry of that parameter. */
double scheme_deviation(int index, AttnParam param, const AttnShape *shape);

#endif
