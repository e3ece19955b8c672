#include "model/init/scheme.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/rng.h"
#include "base/util.h"
#include "math/decompose.h"
#include "model/init/mimetic.h"

/* A share p of the entries is 1, and the others are 0. */
static double std_identity(const SchemeInputs *inputs) {
    double p = 1.0 / fmax(inputs->fan_in, inputs->fan_out);
    return sqrt(p * (1 - p));
}

static double xavier(double fan_in, double fan_out) {
    return sqrt(2 / (fan_in + fan_out));
}

static double std_xavier(const SchemeInputs *inputs) {
    return xavier(inputs->fan_in, inputs->fan_out);
}

static double std_he(const SchemeInputs *inputs) {
    return sqrt(2.0 / inputs->fan_in);
}

static double std_lecun(const SchemeInputs *inputs) {
    return sqrt(1.0 / inputs->fan_in);
}

/* The standard deviation of U(±1/√fan_in). */
static double std_pytorch_linear(const SchemeInputs *inputs) {
    return sqrt(1.0 / 3 / inputs->fan_in);
}

/* Its columns or its rows, whichever are longer, are unit vectors. */
static double std_orthogonal(const SchemeInputs *inputs) {
    return sqrt(1.0 / fmax(inputs->fan_in, inputs->fan_out));
}

/* Xavier's standard deviation for W_O alone, or for one matrix with the columns of W_Q, W_K and
 * W_V. */
static double std_fused(const SchemeInputs *inputs) {
    const AttnShape *s = inputs->shape;
    double columns = (double)s->H * (2.0 * s->K + s->V);
    return inputs->param == ATTN_W_O ? std_xavier(inputs) : xavier(s->D, columns);
}

static double std_fused_fixed(const SchemeInputs *inputs) {
    return inputs->param == ATTN_W_O ? std_xavier(inputs) : sqrt(2) * std_fused(inputs);
}

static double std_per_head(const SchemeInputs *inputs) {
    return inputs->param == ATTN_W_O
               ? std_xavier(inputs)
               : xavier(inputs->fan_in, (double)inputs->fan_out / inputs->shape->H);
}

static double std_gpt2(const SchemeInputs *inputs) {
    return inputs->param == ATTN_W_O ? 0.02 / sqrt(2.0 * inputs->depth) : 0.02;
}

static double std_small(const SchemeInputs *inputs) {
    return sqrt(2 / (5.0 * inputs->shape->D));
}

static double std_t5(const SchemeInputs *inputs) {
    return sqrt(1.0 / inputs->fan_in / (inputs->param == ATTN_W_Q ? inputs->shape->K : 1));
}

static bool fill_normal(Mat *w, const SchemeInputs *inputs, double std, Err *err) {
    (void)err;
    mat_normals(w, rng_stream(inputs->seed, (uint64_t)inputs->stream), 0, std);
    return true;
}

static bool fill_uniform(Mat *w, const SchemeInputs *inputs, double std, Err *err) {
    (void)err;
    Rng rng = rng_stream(inputs->seed, (uint64_t)inputs->stream);
    rng_uniform_rows(w->at, (size_t)w->stride, (size_t)w->rows, (size_t)w->cols, rng,
                     2 * (sqrt(3) * std));
    return true;
}

static bool fill_orthogonal(Mat *w, const SchemeInputs *inputs, double std, Err *err) {
    (void)std;
    mat_normals(w, rng_stream(inputs->seed, (uint64_t)inputs->stream), 0, 1);
    return decompose_orthogonal(w, err);
}

static bool fill_identity(Mat *w, const SchemeInputs *inputs, double std, Err *err) {
    (void)inputs, (void)std, (void)err;
    mat_diagonal(w, 1);
    return true;
}

static bool fill_zeros(Mat *w, const SchemeInputs *inputs, double std, Err *err) {
    (void)inputs, (void)std, (void)err;
    mat_diagonal(w, 0);
    return true;
}

/* fan_in and fan_out are those of the whole matrix with all heads, unless the row says otherwise.
 */
const Scheme SCHEMES[] = {
    {{"zeros", "Zeros", "W = 0",
      "Every score is 0, so each query reads all its keys equally. Every gradient has a factor 0, "
      "too, so no weight matrix ever learns."},
     "the baseline without any signal",
     {SCHEME_CENTRED, DISTRIBUTION_NONE, .fixed_std = 0, .fill = fill_zeros}},
    {{"identity", "Identity", "W[i][j] = 1 where i = j, else 0",
      "In each head Q, K and V start as a slice of X, so scores compare tokens as they are. A "
      "token then usually attends most to itself and to repeats of its word."},
     "Le, Jaitly and Hinton 2015, \"A simple way to initialize recurrent networks of rectified "
     "linear units\"",
     {SCHEME_FIXED, DISTRIBUTION_NONE, std_identity, .fill = fill_identity}},
    {{"normal", "Normal, σ = 1", "σ_W = 1",
      "Far too large: scores grow with d_model, and each row of A is nearly one-hot."},
     "the unscaled baseline",
     {SCHEME_CENTRED, DISTRIBUTION_NORMAL, .fixed_std = 1, .fill = fill_normal}},
    {{"normal_002", "Normal, σ = 0.02", "σ_W = 0.02",
      "A small σ that does not depend on the width. BERT has it too, truncated at 2σ. In a narrow "
      "layer scores are near 0 and A is nearly uniform."},
     "Radford et al. 2018, \"Improving language understanding by generative pre-"
     "training\", section 4.1",
     {SCHEME_CENTRED, DISTRIBUTION_NORMAL, .fixed_std = 0.02, .fill = fill_normal}},
    {{"xavier_uniform", "Xavier uniform", "σ_W = √(2/(d_model + h·d_k))",
      "Uniform between ±√3·σ_W: a compromise in which signals and gradients both roughly keep "
      "their variance through a linear layer."},
     "Glorot and Bengio 2010, \"Understanding the difficulty of training deep feedforward neural "
     "networks\", equation 16",
     {SCHEME_CENTRED, DISTRIBUTION_UNIFORM, std_xavier, .fill = fill_uniform}},
    {{"xavier_normal", "Xavier normal", "σ_W = √(2/(d_model + h·d_k))",
      "The σ of Xavier uniform with a normal distribution: a few entries are large."},
     "Glorot and Bengio 2010, equation 12",
     {SCHEME_CENTRED, DISTRIBUTION_NORMAL, std_xavier, .fill = fill_normal}},
    {{"he_uniform", "He uniform", "σ_W = √(2/fan_in)",
      "Made for layers before a ReLU, which drops half of the signal. Attention has no ReLU, so "
      "every product doubles the variance."},
     "He et al. 2015, \"Delving deep into rectifiers\", equation 10",
     {SCHEME_CENTRED, DISTRIBUTION_UNIFORM, std_he, .fill = fill_uniform}},
    {{"he_normal", "He normal", "σ_W = √(2/fan_in)",
      "The σ of He uniform with a normal distribution. Scores have twice the standard deviation of "
      "LeCun's."},
     "He et al. 2015, \"Delving deep into rectifiers\", equation 10",
     {SCHEME_CENTRED, DISTRIBUTION_NORMAL, std_he, .fill = fill_normal}},
    {{"lecun_uniform", "LeCun uniform", "σ_W = √(1/fan_in)",
      "Keeps the variance of the signal in the forward pass and ignores the backward pass. For a "
      "square W it equals Xavier."},
     "LeCun et al. 1998, \"Efficient backprop\", section 4.6",
     {SCHEME_CENTRED, DISTRIBUTION_UNIFORM, std_lecun, .fill = fill_uniform}},
    {{"lecun_normal", "LeCun normal", "σ_W = √(1/fan_in)",
      "The σ of LeCun uniform with a normal distribution. Some libraries truncate it; here it is "
      "not truncated."},
     "LeCun et al. 1998, \"Efficient backprop\", section 4.6",
     {SCHEME_CENTRED, DISTRIBUTION_NORMAL, std_lecun, .fill = fill_normal}},
    {{"pytorch_linear", "PyTorch Linear", "W uniform on ±1/√fan_in",
      "The default of nn.Linear. Weights have a third of the variance that would keep the signal's "
      "variance, so scores have a third of their standard deviation."},
     "PyTorch, torch.nn.Linear: kaiming_uniform_ with a = √5",
     {SCHEME_CENTRED, DISTRIBUTION_UNIFORM, std_pytorch_linear, .fill = fill_uniform}},
    {{"orthogonal", "Orthogonal", "WᵀW = I, or WWᵀ = I where W is wider than tall",
      "A random rotation: a square W changes no lengths and no angles between tokens. A single "
      "head is a slice of W and does change them."},
     "Saxe, McClelland and Ganguli 2014, \"Exact solutions to the nonlinear dynamics of learning "
     "in deep linear neural networks\"",
     {SCHEME_CENTRED, DISTRIBUTION_SPHERE, std_orthogonal, .fill = fill_orthogonal}},
    {{"xavier_fused", "Xavier, fused", "σ_W = √(2/(d_model + 3·h·d_k))",
      "The pitfall: if W_Q, W_K and W_V are one d_model × 3·d_model matrix, Xavier counts all its "
      "columns. Each of the three has half the variance, and scores have half their standard "
      "deviation."},
     "Glorot and Bengio 2010, \"Understanding the difficulty of training deep feedforward neural "
     "networks\", equation 16, on one matrix with the columns of three",
     {SCHEME_CENTRED, DISTRIBUTION_UNIFORM, std_fused, .fill = fill_uniform}},
    {{"xavier_fused_fixed", "Xavier, fused, × √2", "σ_W = √2·√(2/(d_model + 3·h·d_k))",
      "The fused matrix with a gain of √2: for square weights this is Xavier uniform again."},
     "Glorot and Bengio 2010, \"Understanding the difficulty of training deep feedforward neural "
     "networks\", equation 16, times the gain √2",
     {SCHEME_CENTRED, DISTRIBUTION_UNIFORM, std_fused_fixed, .fill = fill_uniform}},
    {{"xavier_per_head", "Xavier per head", "σ_W = √(2/(d_model + d_k))",
      "Each head as a matrix of its own with fans d_model and d_k: the more heads, the larger the "
      "scores, up to twice those of Xavier on the whole matrix."},
     "Glorot and Bengio 2010, \"Understanding the difficulty of training deep feedforward neural "
     "networks\", equation 16, on one head",
     {SCHEME_CENTRED, DISTRIBUTION_UNIFORM, std_per_head, .fill = fill_uniform}},
    {{"gpt2", "GPT-2", "σ_W = 0.02, W_O: 0.02/√(2·depth)",
      "A small fixed σ that ignores the width. With more layers W_O is smaller, so that the "
      "residual stream grows little."},
     "Radford et al. 2019, \"Language models are unsupervised multitask learners\", section 2.3",
     {SCHEME_CENTRED, DISTRIBUTION_NORMAL, std_gpt2, .fill = fill_normal}},
    {{"small", "SmallInit", "σ_W = √(2/(5·d_model))",
      "All matrices get the σ that Xavier gives a matrix of d_model × 4·d_model. Scores stay "
      "small; with pre-norm, deep stacks train without warm-up."},
     "Nguyen and Salazar 2019, \"Transformers without tears\"",
     {SCHEME_CENTRED, DISTRIBUTION_NORMAL, std_small, .fill = fill_normal}},
    {{"t5", "T5", "σ² = 1/(d_model·d_k) for W_Q, 1/d_model for W_K and W_V, 1/(h·d_v) for W_O",
      "W_Q contains the division by √d_k, which T5 leaves out of the scores. With the scale 1/√d_k "
      "the scores are divided by √d_k twice."},
     "Raffel et al. 2020, \"Exploring the limits of transfer learning with a unified text-to-text "
     "transformer\", and its Mesh TensorFlow code",
     {SCHEME_CENTRED, DISTRIBUTION_NORMAL, std_t5, .fill = fill_normal}},
    {{"mimetic", "Mimetic", "W_Q·W_Kᵀ ≈ 0.7·N + 0.7·I, W_V·W_O ≈ 0.4·N − 0.4·I",
      "Imitates trained layers: tokens attend to similar tokens, and Y is roughly −0.4·A·X. N is "
      "random noise, different in each product. The product of one head has only rank d_k."},
     "Trockman and Kolter 2023, \"Mimetic initialization of self-attention layers\"",
     {SCHEME_PAIRED, DISTRIBUTION_NONE, .fixed_std = NAN, .fill = mimetic_fill,
      .fill_pair = mimetic_fill_pair}},
};

const Registry SCHEME_REGISTRY = REGISTRY("schemes", "scheme", SCHEMES);

static SchemeInputs inputs_of(const SchemePlan *plan, AttnParam param, const AttnShape *shape) {
    int scheme = plan->scheme[PARAMS[param].like];
    assert(scheme >= 0 && scheme < SCHEME_REGISTRY.count && plan->depth >= 1);
    return (SchemeInputs){.param = PARAMS[param].like,
                          .stream = param,
                          .fan_in = param_axis_size(PARAMS[param].rows, shape),
                          .fan_out = param_axis_size(PARAMS[param].cols, shape),
                          .depth = plan->depth,
                          .seed = plan->seed,
                          .shape = shape};
}

SchemePlan scheme_plan(int scheme, int depth, uint64_t seed) {
    SchemePlan plan = {.depth = depth, .seed = seed};
    for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
        plan.scheme[p] = scheme;
    return plan;
}

double scheme_std(const SchemePlan *plan, AttnParam param, const AttnShape *shape) {
    SchemeInputs inputs = inputs_of(plan, param, shape);
    const Scheme *scheme = &SCHEMES[plan->scheme[inputs.param]];
    return scheme->std != NULL ? scheme->std(&inputs) : scheme->fixed_std;
}

Distribution scheme_distribution(const SchemePlan *plan, AttnParam param, const AttnShape *shape) {
    const Scheme *scheme = &SCHEMES[plan->scheme[PARAMS[param].like]];
    return (Distribution){scheme->distribution, scheme_std(plan, param, shape)};
}

bool scheme_draw_one(Mat *w, const AttnShape *shape, const SchemePlan *plan, AttnParam param,
                     Err *err) {
    SchemeInputs inputs = inputs_of(plan, param, shape);
    assert(w->rows == inputs.fan_in && w->cols == inputs.fan_out);
    const Scheme *scheme = &SCHEMES[plan->scheme[inputs.param]];
    return scheme->fill(w, &inputs, scheme_std(plan, param, shape), err);
}

/* Measure the standard deviation in the first head, because all heads have the same distribution.
 */
static bool measure_product(double *std, const AttnShape *shape, const SchemePlan *plan, Err *err) {
    Arena arena = {0};
    int D = shape->D, HK = shape->H * shape->K;
    if (!arena_reserve(&arena, 2 * mat_bytes(D, HK) + mat_bytes(D, D), err))
        return false;
    Mat W_Q = mat_push(&arena, D, HK), W_K = mat_push(&arena, D, HK);
    Mat product = mat_push(&arena, D, D);
    bool drawn = scheme_draw_one(&W_Q, shape, plan, ATTN_W_Q, err) &&
                 scheme_draw_one(&W_K, shape, plan, ATTN_W_K, err);
    if (drawn) {
        Mat query = attn_head_query(&W_Q, shape, 0), key = attn_head_query(&W_K, shape, 0);
        mat_mul_bt(&product, &query, &key, 1);
        double sum = 0;
        for (int i = 0; i < D; i++)
            for (int j = 0; j < D; j++)
                sum += (double)mat_row(&product, i)[j] * (double)mat_row(&product, i)[j];
        *std = sqrt(sum / ((double)D * D));
    }
    arena_release(&arena);
    return drawn;
}

/* Find the root mean square of an entry of W_Q·W_Kᵀ: by theory if W_Q and W_K are independent with
 * mean 0, otherwise measured on one sample. */
static bool find_product_std(double *std, const AttnShape *shape, const SchemePlan *plan,
                             Err *err) {
    bool centred = SCHEMES[plan->scheme[ATTN_W_Q]].law == SCHEME_CENTRED &&
                   SCHEMES[plan->scheme[ATTN_W_K]].law == SCHEME_CENTRED;
    if (!centred)
        return measure_product(std, shape, plan, err);
    *std = sqrt(shape->K) * scheme_std(plan, ATTN_W_Q, shape) * scheme_std(plan, ATTN_W_K, shape);
    return true;
}

static void draw_free_head(Mat *w, int head, int D, double std, uint64_t seed) {
    Mat rows = mat_rows(w, 0, D), entries = mat_cols(&rows, 0, D);
    uint64_t first = (uint64_t)head * (uint64_t)D * (uint64_t)D;
    mat_diagonal(w, 0);
    mat_normals(&entries, rng_stream(seed, ATTN_W_QK), first, std);
}

/* The last row and column of each head, for biases, stay 0. */
static bool draw_free(Mat *w, const AttnShape *shape, const SchemePlan *plan, Err *err) {
    double std;
    int E = attn_input_width(shape);
    if (!find_product_std(&std, shape, plan, err))
        return false;
    for (int h = 0; h < w->rows / E; h++) {
        Mat head = mat_rows(w, h * E, E);
        draw_free_head(&head, h, shape->D, std, plan->seed);
    }
    return true;
}

bool scheme_free_spectrum(double *sigma, int head, const AttnShape *shape, const SchemePlan *plan,
                          Err *err) {
    /* Leave out the row and column for biases, which only add a singular value of 0. */
    int D = shape->D, E = attn_input_width(shape);
    Arena arena = {0};
    double std;
    if (!find_product_std(&std, shape, plan, err) || !arena_reserve(&arena, mat_bytes(D, D), err))
        return false;
    Mat w = mat_push(&arena, D, D);
    memset(sigma, 0, (size_t)E * sizeof *sigma);
    draw_free_head(&w, head, D, std, plan->seed);
    bool found = decompose_matrix(NULL, sigma, NULL, &w, err);
    arena_release(&arena);
    return found;
}

/* In the nested form W_Q, W_K and W_V are products of sampled factors. */
static bool is_drawn(AttnParam param, const AttnShape *shape) {
    bool folded = param == ATTN_W_Q || param == ATTN_W_K || param == ATTN_W_V;
    return param_used(param, shape) && !(folded && shape->form == FORM_NESTED);
}

static bool draw_param(Mat *w, const AttnShape *shape, const SchemePlan *plan, AttnParam param,
                       Err *err) {
    SchemeLaw law = SCHEMES[plan->scheme[PARAMS[param].like]].law;
    bool is_full = param == ATTN_W_Q_FULL || param == ATTN_W_K_FULL || param == ATTN_W_V_FULL;
    if (param == ATTN_W_QK)
        return draw_free(w, shape, plan, err);
    if (param_is_bias(param))
        mat_diagonal(w, 0);
    else if (is_full && law == SCHEME_PAIRED)
        mat_diagonal(w, 1);
    else
        return scheme_draw_one(w, shape, plan, param, err);
    return true;
}

static const AttnParam PAIRS[][2] = {{ATTN_W_Q, ATTN_W_K},
                                     {ATTN_W_Q_HEAD, ATTN_W_K_HEAD},
                                     {ATTN_W_V, ATTN_W_O},
                                     {ATTN_W_V_HEAD, ATTN_W_O}};

static bool can_pair(const AttnShape *shape, const SchemePlan *plan, const AttnParam pair[2]) {
    int scheme = plan->scheme[PARAMS[pair[0]].like];
    return is_drawn(pair[0], shape) && is_drawn(pair[1], shape) &&
           SCHEMES[scheme].fill_pair != NULL && plan->scheme[PARAMS[pair[1]].like] == scheme;
}

bool scheme_draw(AttnParams *params, const AttnShape *shape, const SchemePlan *plan, Err *err) {
    static const bool none[ATTN_PARAM_COUNT];
    return scheme_draw_rest(params, shape, plan, none, err);
}

bool scheme_draw_rest(AttnParams *params, const AttnShape *shape, const SchemePlan *plan,
                      const bool given[ATTN_PARAM_COUNT], Err *err) {
    bool done[ATTN_PARAM_COUNT];
    memcpy(done, given, sizeof done);
    for (size_t i = 0; i < ARRAY_COUNT(PAIRS); i++) {
        const AttnParam *pair = PAIRS[i];
        if (done[pair[0]] || done[pair[1]] || !can_pair(shape, plan, pair))
            continue;
        SchemeInputs inputs = inputs_of(plan, pair[0], shape);
        const Scheme *scheme = &SCHEMES[plan->scheme[inputs.param]];
        if (!scheme->fill_pair(&params->p[pair[0]], &params->p[pair[1]], &inputs, err))
            return false;
        done[pair[0]] = done[pair[1]] = true;
    }
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (!done[p] && is_drawn(p, shape) && !draw_param(&params->p[p], shape, plan, p, err))
            return false;
    return true;
}

static const double PI = 3.14159265358979323846;

static bool is_known(Distribution d) {
    return d.kind != DISTRIBUTION_NONE && d.std > 0;
}

static int sphere_dimensions(Distribution d) {
    return (int)lround(1 / (d.std * d.std));
}

/* Return ∫ cosᵖ from 0 to the angle, integrated by parts two powers at a time; all terms have the
 * same sign. */
static double cosine_integral(int power, double angle) {
    double c = cos(angle), s = sin(angle);
    double sum = power % 2 == 0 ? angle : s, term = power % 2 == 0 ? c * s : c * c * s;
    for (int p = power % 2 == 0 ? 2 : 3; p <= power; p += 2) {
        sum = (term + (p - 1) * sum) / p;
        term *= c * c;
    }
    return sum;
}

static double sphere_density(int n, double x) {
    if (fabs(x) > 1)
        return 0;
    if (n == 1)
        return fabs(x) == 1 ? INFINITY : 0;
    double whole = 2 * cosine_integral(n - 2, PI / 2);
    return pow(1 - x * x, 0.5 * (n - 3)) / whole;
}

static double sphere_below(int n, double x) {
    if (fabs(x) >= 1)
        return x >= 1 ? 1 : n == 1 && x == -1 ? 0.5 : 0;
    if (n == 1)
        return 0.5;
    double half = cosine_integral(n - 2, PI / 2);
    return 0.5 + 0.5 * cosine_integral(n - 2, asin(x)) / half;
}

double distribution_density(Distribution d, double x) {
    double bound = sqrt(3) * d.std, scaled = x / d.std;
    if (!is_known(d))
        return NAN;
    switch (d.kind) {
    case DISTRIBUTION_NONE:
        break;
    case DISTRIBUTION_UNIFORM:
        return fabs(x) <= bound ? 0.5 / bound : 0;
    case DISTRIBUTION_NORMAL:
        return exp(-0.5 * scaled * scaled) / (sqrt(2 * PI) * d.std);
    case DISTRIBUTION_SPHERE:
        return sphere_density(sphere_dimensions(d), x);
    }
    return NAN;
}

double distribution_below(Distribution d, double x) {
    double bound = sqrt(3) * d.std;
    if (!is_known(d))
        return NAN;
    switch (d.kind) {
    case DISTRIBUTION_NONE:
        break;
    case DISTRIBUTION_UNIFORM:
        return x <= -bound ? 0 : x >= bound ? 1 : 0.5 + 0.5 * x / bound;
    case DISTRIBUTION_NORMAL:
        return 0.5 * erfc(-x / (sqrt(2) * d.std));
    case DISTRIBUTION_SPHERE:
        return sphere_below(sphere_dimensions(d), x);
    }
    return NAN;
}
