#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/utf8.h"
#include "base/util.h"
#include "io/checkpoint_layer.h"
#include "math/gemm.h"

#define WORDS_AT_ONCE 2048 /* limit of the unembedding's rows in memory at a time */
#define NEURONS_MAX   (1 << 20)
#define WORDS_MAX     (1 << 24)

bool layer_read_norm(StackNorm *out, const Layer *l, ArchTensor gain, ArchTensor shift) {
    *out = (StackNorm){.used = layer_has(l, gain) || (architecture_given(l->arch, gain) != NULL &&
                                                      l->arch->layout == ARCH_HEADS)};
    return layer_norm_kind(&out->kind, l) && layer_read_gain(&out->gain, l, gain, l->D) &&
           (shift == gain || layer_read_vector(&out->shift, l, shift, l->D));
}

/* Read a weight and its bias. If outputs is 0, the weight decides the number of outputs, at most
 * NEURONS_MAX. */
static bool read_linear(StackLinear *out, const Layer *l, ArchTensor weight, ArchTensor bias,
                        int inputs, int outputs) {
    CheckpointTensor t;
    *out = (StackLinear){.has_outputs_first = l->arch->layout == ARCH_LINEAR};
    if (!layer_has(l, weight))
        return true;
    if (!layer_find(l, &t, weight))
        return false;
    bool first = out->has_outputs_first;
    size_t found = t.at->rank == 2 ? t.at->shape[first ? 0 : 1] : 0;
    bool fits = t.at->rank == 2 && t.at->shape[first ? 1 : 0] == (size_t)inputs && found > 0 &&
                found <= NEURONS_MAX && (outputs == 0 || found == (size_t)outputs);
    if (!fits)
        return layer_shape_fail(
            l, &t,
            PRINT("%d inputs and %s%.0d outputs are needed; the %s dimension has the outputs",
                  inputs, outputs == 0 ? "up to 1048576" : "", outputs, first ? "first" : "last"));
    outputs = (int)found;
    float *at = layer_values(l, &t, 0, t.at->count);
    if (at == NULL)
        return false;
    out->w = first ? (Mat){at, outputs, inputs, inputs} : (Mat){at, inputs, outputs, outputs};
    return layer_read_vector(&out->bias, l, bias, outputs);
}

static bool find_activation(Activation *out, const Layer *l) {
    static const struct {
        const char *name;
        Activation activation;
    } NAMES[] = {{"gelu", ACTIVATION_GELU},
                 {"gelu_new", ACTIVATION_GELU_TANH},
                 {"gelu_fast", ACTIVATION_GELU_TANH},
                 {"gelu_tanh", ACTIVATION_GELU_TANH},
                 {"gelu_pytorch_tanh", ACTIVATION_GELU_TANH},
                 {"quick_gelu", ACTIVATION_GELU_QUICK},
                 {"relu", ACTIVATION_RELU},
                 {"silu", ACTIVATION_SILU},
                 {"swish", ACTIVATION_SILU}};
    const json_t *value = checkpoint_value(
        l->c, "hidden_activation hidden_act activation_function activation act_fn");
    const char *name = value != NULL                 ? json_string_value(value)
                       : l->arch->activation != NULL ? l->arch->activation
                                                     : "relu";
    if (name == NULL)
        return err_fail(l->err, l->c->name, "config.json: the activation must be a name");
    for (size_t i = 0; i < ARRAY_COUNT(NAMES); i++)
        if (strcmp(name, NAMES[i].name) == 0) {
            *out = NAMES[i].activation;
            return true;
        }
    return err_fail(l->err, l->c->name,
                    "config.json: “%.60s” is not an activation that Headlight knows", name);
}

bool layer_read_block(StackBlock *out, const Layer *l) {
    const json_t *parallel = checkpoint_value(l->c, "use_parallel_residual");
    *out = (StackBlock){.order = l->arch->order};
    if (out->order == STACK_PARALLEL && json_is_false(parallel))
        out->order = STACK_PRE;
    if (!find_activation(&out->activation, l) ||
        !layer_read_norm(&out->attention_end, l, ARCH_ATTENTION_GAIN, ARCH_ATTENTION_GAIN) ||
        !layer_read_norm(&out->middle, l, ARCH_MIDDLE_GAIN, ARCH_MIDDLE_SHIFT) ||
        !layer_read_norm(&out->end, l, ARCH_END_GAIN, ARCH_END_SHIFT) ||
        !read_linear(&out->up, l, ARCH_UP, ARCH_UP_BIAS, l->D, 0))
        return false;
    int neurons = stack_linear_outputs(&out->up);
    CheckpointTensor missing;
    if (neurons > 0 && !layer_has(l, ARCH_DOWN) && !layer_find(l, &missing, ARCH_DOWN))
        return false;
    return neurons == 0 || /* without neurons there is no MLP */
           (read_linear(&out->gate, l, ARCH_GATE, ARCH_GATE_BIAS, l->D, neurons) &&
            read_linear(&out->down, l, ARCH_DOWN, ARCH_DOWN_BIAS, neurons, l->D));
}

bool layer_read_head(StackHead *out, const Layer *l) {
    *out = (StackHead){0};
    if (!find_activation(&out->activation, l) ||
        !layer_read_norm(&out->final, l, ARCH_FINAL_GAIN, ARCH_FINAL_SHIFT))
        return false;
    return !layer_has(l, ARCH_TRANSFORM) ||
           (read_linear(&out->transform, l, ARCH_TRANSFORM, ARCH_TRANSFORM_BIAS, l->D, l->D) &&
            layer_read_norm(&out->transformed, l, ARCH_TRANSFORMED_GAIN, ARCH_TRANSFORMED_SHIFT));
}

/* Read a row of a table. Add it to out (D) if adds is true, otherwise overwrite out. */
static bool take_row(float *out, const Layer *l, ArchTensor table, size_t row, bool adds) {
    CheckpointTensor t;
    float values[OPTION_WIDTH_MAX];
    if (!layer_find(l, &t, table))
        return false;
    if (t.at->rank != 2 || t.at->shape[1] != (size_t)l->D || row >= t.at->shape[0])
        return layer_shape_fail(l, &t, "rows of d_model entries are needed");
    if (!checkpoint_read(values, l->c, &t, row * (size_t)l->D, (size_t)l->D, l->err))
        return false;
    for (int j = 0; j < l->D; j++)
        out[j] = (adds ? out[j] : 0) + values[j];
    return true;
}

/* Return the size of a matrix in one dimension; 0 if there is no such matrix, or if it is larger
 * than WORDS_MAX. */
static size_t size_of(const Layer *l, ArchTensor tensor, int dimension) {
    CheckpointTensor t;
    Err none;
    Layer quiet = *l;
    quiet.err = &none;
    bool found = layer_has(l, tensor) && layer_find(&quiet, &t, tensor) && t.at->rank == 2;
    return found && t.at->shape[dimension] <= WORDS_MAX ? t.at->shape[dimension] : 0;
}

size_t layer_rows(const Layer *l, ArchTensor table) {
    return size_of(l, table, 0);
}

bool layer_embed(Mat *x, const Layer *l, const int *ids) {
    size_t words = layer_rows(l, ARCH_WORDS), places = layer_rows(l, ARCH_PLACES);
    size_t first = (size_t)l->arch->first_place;
    if (layer_has(l, ARCH_PLACES) && (size_t)x->rows + first > places)
        return err_usage(l->err, "text", "has %d tokens, and %.160s has %zu positions; shorten it",
                         x->rows, l->c->name, places > first ? places - first : 0);
    for (int t = 0; t < x->rows; t++) {
        if (ids[t] < 0 || (size_t)ids[t] >= words)
            return err_usage(l->err, PRINT("--ids %d", ids[t]),
                             "is outside the vocabulary of %.160s, 0 to %zu", l->c->name,
                             words > 0 ? words - 1 : 0);
        float *row = mat_row(x, t);
        if (!take_row(row, l, ARCH_WORDS, (size_t)ids[t], false))
            return false;
        for (int j = 0; j < l->D && l->arch->scales_words; j++)
            row[j] *= sqrtf((float)l->D);
        if ((layer_has(l, ARCH_PLACES) &&
             !take_row(row, l, ARCH_PLACES, first + (size_t)t, true)) ||
            (layer_has(l, ARCH_TYPES) && !take_row(row, l, ARCH_TYPES, 0, true)))
            return false;
    }
    StackNorm norm = {0};
    bool read = !layer_has(l, ARCH_WORDS_GAIN) ||
                layer_read_norm(&norm, l, ARCH_WORDS_GAIN, ARCH_WORDS_SHIFT);
    if (read)
        stack_norm(x, &norm);
    return layer_clear_room(l, NULL) && read;
}

/* Return the tensor that turns the residual stream into logits; ARCH_TENSOR_COUNT for none. */
static ArchTensor unembedding(const Layer *l) {
    const json_t *tied = checkpoint_value(l->c, "tie_word_embeddings");
    bool is_tied = json_is_boolean(tied) ? json_is_true(tied) : l->arch->is_tied;
    bool has_head =
        architecture_given(l->arch, ARCH_TRANSFORM) == NULL || layer_has(l, ARCH_TRANSFORM);
    return layer_has(l, ARCH_UNEMBEDDING)                    ? ARCH_UNEMBEDDING
           : is_tied && has_head && layer_has(l, ARCH_WORDS) ? ARCH_WORDS
                                                             : ARCH_TENSOR_COUNT;
}

/* True if the tensor stores each word as a column instead of a row. */
static bool has_columns(const Layer *l, ArchTensor from) {
    return from == ARCH_UNEMBEDDING && l->arch->layout == ARCH_HEADS;
}

int layer_logits(const Layer *l) {
    ArchTensor from = unembedding(l);
    return from < ARCH_TENSOR_COUNT ? (int)size_of(l, from, has_columns(l, from)) : 0;
}

static bool add_bias(Mat *out, const Layer *l, ArchTensor bias) {
    Mat row;
    bool read = layer_read_vector(&row, l, bias, out->cols);
    for (int i = 0; read && row.rows > 0 && i < out->rows; i++)
        for (int j = 0; j < out->cols; j++)
            mat_row(out, i)[j] += row.at[j];
    return layer_clear_room(l, NULL) && read;
}

bool layer_project(Mat *out, const Layer *l, ArchTensor weight, ArchTensor bias, const Mat *x) {
    CheckpointTensor t;
    bool linear = l->arch->layout == ARCH_LINEAR;
    int inputs = x->cols, outputs = out->cols;
    size_t size = (size_t)inputs * (size_t)outputs;
    if (!layer_find_count(l, &t, weight, size))
        return false;
    float *values = layer_values(l, &t, 0, size);
    int heads = t.at->rank == 3 && weight != ARCH_W_O ? (int)t.at->shape[0] : 1;
    GemmPlan plan = {.factor = 1, .transpose_b = linear};
    for (int h = 0; h < heads && values != NULL; h++) {
        int width = outputs / heads;
        Mat some = mat_cols(out, h * width, width), w = {values, inputs, width, width};
        w.at += (size_t)h * (size_t)inputs * (size_t)width;
        if (linear)
            w = (Mat){values, outputs, inputs, inputs};
        gemm_in_job(&some, x, &w, &plan, l->job);
    }
    return layer_clear_room(l, out) && values != NULL && add_bias(out, l, bias);
}

bool layer_unembed(Mat *logits, const Layer *l, const Mat *x) {
    ArchTensor from = unembedding(l);
    bool columns = has_columns(l, from), read = true;
    CheckpointTensor t;
    double cap = 0;
    if (!layer_find(l, &t, from) ||
        !checkpoint_number(&cap, l->c, "final_logit_softcapping", 0, 1e6, l->err))
        return false;
    if (t.at->rank != 2 || t.at->shape[columns ? 0 : 1] != (size_t)l->D ||
        t.at->shape[columns ? 1 : 0] != (size_t)logits->cols)
        return layer_shape_fail(l, &t, "d_model entries for each word are needed");
    int step = columns || logits->cols < WORDS_AT_ONCE ? logits->cols : WORDS_AT_ONCE;
    for (int first = 0; first < logits->cols && read; first += step) {
        int count = logits->cols - first < step ? logits->cols - first : step;
        float *values =
            layer_values(l, &t, (size_t)first * (size_t)l->D, (size_t)count * (size_t)l->D);
        Mat some = mat_cols(logits, first, count);
        Mat w = columns ? (Mat){values, l->D, count, count} : (Mat){values, count, l->D, l->D};
        if (values != NULL)
            gemm_in_job(&some, x, &w, &(GemmPlan){.factor = 1, .transpose_b = !columns}, l->job);
        read = layer_clear_room(l, &some) && values != NULL;
    }
    read = read && add_bias(logits, l, ARCH_UNEMBEDDING_BIAS);
    if (read && cap > 0)
        stack_cap(logits, (float)cap);
    return read;
}
