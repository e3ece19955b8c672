#include "model/scheme.h"

#include <assert.h>
#include <math.h>

#include "base/rng.h"
#include "base/util.h"

static double deviation_one(AttnParam param, SchemeFans fans, const AttnShape *shape) {
    (void)param, (void)fans, (void)shape;
    return 1;
}

static double deviation_002(AttnParam param, SchemeFans fans, const AttnShape *shape) {
    (void)param, (void)fans, (void)shape;
    return 0.02;
}

static double deviation_xavier(AttnParam param, SchemeFans fans, const AttnShape *shape) {
    (void)param, (void)shape;
    return sqrt(2.0 / ((double)fans.fan_in + fans.fan_out));
}

static double deviation_he(AttnParam param, SchemeFans fans, const AttnShape *shape) {
    (void)param, (void)shape;
    return sqrt(2.0 / fans.fan_in);
}

/* The shorter side's vectors have length 1 along the longer side. */
static double deviation_orthogonal(AttnParam param, SchemeFans fans, const AttnShape *shape) {
    (void)param, (void)shape;
    return sqrt(1.0 / fmax(fans.fan_in, fans.fan_out));
}

/* A share p of the entries is 1 and the rest 0. */
static double deviation_identity(AttnParam param, SchemeFans fans, const AttnShape *shape) {
    (void)param, (void)shape;
    double p = 1.0 / fmax(fans.fan_in, fans.fan_out);
    return sqrt(p * (1 - p));
}

static void fill_scaled(Mat *w, AttnParam param, double scale, uint64_t seed,
                        double (*draw)(Rng rng, uint64_t index)) {
    Rng rng = rng_stream(seed, (uint64_t)param);
    for (int i = 0; i < w->rows; i++)
        for (int j = 0; j < w->cols; j++) {
            uint64_t index = (uint64_t)i * (uint64_t)w->cols + (uint64_t)j;
            mat_row(w, i)[j] = (float)(scale * draw(rng, index));
        }
}

static bool fill_normal(Mat *w, AttnParam param, double deviation, uint64_t seed, Err *err) {
    (void)err;
    fill_scaled(w, param, deviation, seed, rng_normal);
    return true;
}

/* Uniform on (−1, 1), whose standard deviation is 1/√3. */
static double draw_centred(Rng rng, uint64_t index) {
    return 2 * rng_uniform(rng, index) - 1;
}

static bool fill_uniform(Mat *w, AttnParam param, double deviation, uint64_t seed, Err *err) {
    (void)err;
    fill_scaled(w, param, sqrt(3) * deviation, seed, draw_centred);
    return true;
}

static bool fill_orthogonal(Mat *w, AttnParam param, double deviation, uint64_t seed, Err *err) {
    (void)deviation;
    fill_scaled(w, param, 1, seed, rng_normal);
    return mat_orthogonalise(w, err);
}

static bool fill_identity(Mat *w, AttnParam param, double deviation, uint64_t seed, Err *err) {
    (void)param, (void)deviation, (void)seed, (void)err;
    for (int i = 0; i < w->rows; i++)
        for (int j = 0; j < w->cols; j++)
            mat_row(w, i)[j] = i == j ? 1.0F : 0.0F;
    return true;
}

/* In the order of the contract's list. Every matrix has the fans of all its heads together. */
const Scheme SCHEMES[] = {
    {{"identity", "Identity", "W[i][j] = 1 where i = j, else 0",
      "Every head starts as a copy of its own slice of X, so scores compare tokens as they are."},
     "Le, Jaitly and Hinton 2015, \"A simple way to initialize recurrent networks of rectified "
     "linear units\"",
     deviation_identity,
     fill_identity},
    {{"normal", "Normal, σ = 1", "σ_W = 1",
      "Far too wide: scores grow with d_model and each row of A is nearly one-hot."},
     "the unscaled baseline",
     deviation_one,
     fill_normal},
    {{"normal_002", "Normal, σ = 0.02", "σ_W = 0.02",
      "A small deviation that does not depend on the width, as in GPT-2 and BERT."},
     "Radford et al. 2018, \"Improving language understanding by generative pre-training\", "
     "section 4.1",
     deviation_002,
     fill_normal},
    {{"xavier_uniform", "Xavier uniform", "σ_W = √(2/(D + H·K))",
      "Uniform between ±√3·σ_W, so that signals and gradients keep their spread through a linear "
      "layer."},
     "Glorot and Bengio 2010, \"Understanding the difficulty of training deep feedforward neural "
     "networks\", equation 16",
     deviation_xavier,
     fill_uniform},
    {{"xavier_normal", "Xavier normal", "σ_W = √(2/(D + H·K))",
      "The deviation of Xavier uniform, drawn from a normal distribution."},
     "Glorot and Bengio 2010, equation 12",
     deviation_xavier,
     fill_normal},
    {{"he_normal", "He normal", "σ_W = √(2/fan_in)",
      "Made for layers before a ReLU; attention has none, so every product doubles the variance."},
     "He et al. 2015, \"Delving deep into rectifiers\", equation 10",
     deviation_he,
     fill_normal},
    {{"orthogonal", "Orthogonal", "WᵀW = I, or WWᵀ = I where W is wider than tall",
      "A random rotation: a square W changes no length and no angle between tokens."},
     "Saxe, McClelland and Ganguli 2014, \"Exact solutions to the nonlinear dynamics of learning "
     "in deep linear neural networks\"",
     deviation_orthogonal,
     fill_orthogonal},
};

const Registry SCHEME_REGISTRY = {"schemes", "scheme", SCHEMES, sizeof(Scheme),
                                  ARRAY_COUNT(SCHEMES)};

static const Scheme *scheme_row(int index) {
    assert(index >= 0 && index < SCHEME_REGISTRY.count);
    return &SCHEMES[index];
}

double scheme_deviation(int index, AttnParam param, const AttnShape *shape) {
    SchemeFans fans = {param_axis_size(PARAMS[param].rows, shape),
                       param_axis_size(PARAMS[param].cols, shape)};
    return scheme_row(index)->deviation(param, fans, shape);
}

bool scheme_draw_one(Mat *w, const AttnShape *shape, int index, AttnParam param, uint64_t seed,
                     Err *err) {
    assert(w->rows == param_axis_size(PARAMS[param].rows, shape));
    assert(w->cols == param_axis_size(PARAMS[param].cols, shape));
    double deviation = scheme_deviation(index, param, shape);
    return scheme_row(index)->fill(w, param, deviation, seed, err);
}

bool scheme_draw(AttnParams *params, const AttnShape *shape, int index, uint64_t seed, Err *err) {
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (!scheme_draw_one(&params->p[p], shape, index, p, seed, err))
            return false;
    return true;
}
