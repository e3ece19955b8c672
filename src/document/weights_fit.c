#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/heap.h"
#include "base/pairs.h"
#include "base/utf8.h"
#include "document/weights.h"

WeightsRequest weights_request(const Options *o, uint64_t fixed) {
    bool chosen = (fixed & weights_fixed_bit(option_find(&STATE_OPTIONS, "heads", 5))) != 0;
    return (WeightsRequest){.layer = o->layer, .heads = chosen ? o->heads : 0};
}

typedef struct Fit {
    Options *o;
    const Weights *w;
    uint64_t fixed;
    Err *err;
} Fit;

uint64_t weights_fixed_bit(const OptionRow *row) {
    assert(row >= STATE_OPTIONS.rows && STATE_OPTIONS.count <= 64);
    return UINT64_C(1) << (row - STATE_OPTIONS.rows);
}

/* Set an option to a value, given as text. If the user chose another value, fail and name the
 * tensor that contradicts it. */
static bool want(const Fit *fit, const char *key, const char *value, WeightsPart part) {
    const OptionRow *row = option_find(&STATE_OPTIONS, key, strlen(key));
    assert(row != NULL);
    if ((fit->fixed & weights_fixed_bit(row)) == 0)
        return option_set(fit->o, row, value, strlen(value), fit->err);
    char chosen[OPTION_TEXT_MAX];
    option_get(chosen, row, fit->o);
    return err_usage(fit->err, PRINT("--%s %s", key, chosen),
                     "“%s” of %.160s asks for %s; change one of them, or close the file",
                     WEIGHTS_PARTS[part].name, fit->w->path, value);
}

static bool want_size(const Fit *fit, const char *key, int now, int size, WeightsPart part) {
    char value[16];
    snprintf(value, sizeof value, "%d", size);
    return size == 0 || now == size || want(fit, key, value, part);
}

/* Return the current width; 0 if the width is auto and the heads do not divide d_model. */
static int width(const Options *o, int chosen) {
    return chosen > 0 ? chosen : o->d_model % o->heads == 0 ? o->d_model / o->heads : 0;
}

static bool fit_sizes(const Fit *fit) {
    Options *o = fit->o;
    const int *size = fit->w->size;
    const WeightsPart *said = fit->w->said;
    if (!want_size(fit, "d-model", o->d_model, size[WEIGHTS_D], said[WEIGHTS_D]) ||
        !want_size(fit, "heads", o->heads, size[WEIGHTS_H], said[WEIGHTS_H]))
        return false;
    int V = size[WEIGHTS_V];
    if (V == 0 && size[WEIGHTS_HV] > 0) {
        if (size[WEIGHTS_HV] % o->heads != 0)
            return err_usage(fit->err, "--heads",
                             "“W_O” of %.160s has %d rows, which is not a multiple of %d heads",
                             fit->w->path, size[WEIGHTS_HV], o->heads);
        V = size[WEIGHTS_HV] / o->heads;
    }
    return want_size(fit, "d-k", width(o, o->d_k), size[WEIGHTS_K], said[WEIGHTS_K]) &&
           want_size(fit, "d-v", width(o, o->d_v), V,
                     V == size[WEIGHTS_V] ? said[WEIGHTS_V] : WEIGHTS_W_O);
}

/* Set the option bias to the fewest biases that the tensors need. If the user chose more, the
 * additional ones start at 0. */
static bool fit_bias(const Fit *fit) {
    static const WeightsPart inner[] = {WEIGHTS_B_Q, WEIGHTS_B_K, WEIGHTS_B_V};
    const Weights *w = fit->w;
    bool is_wide = w->size[WEIGHTS_E] > w->size[WEIGHTS_D];
    for (size_t i = 0; i < sizeof inner / sizeof *inner; i++)
        if (weights_has(w, inner[i]) && fit->o->bias < BIAS_ALL)
            return want(fit, "bias", "all", inner[i]);
    if (is_wide && fit->o->bias < BIAS_ALL)
        return want(fit, "bias", "all", WEIGHTS_W_QK);
    if (weights_has(w, WEIGHTS_B_O) && fit->o->bias < BIAS_OUTPUT)
        return want(fit, "bias", "output", WEIGHTS_B_O);
    return true;
}

static bool fit_form(const Fit *fit) {
    static const WeightsPart folded[] = {WEIGHTS_W_Q, WEIGHTS_W_K, WEIGHTS_W_V};
    const Weights *w = fit->w;
    int form = fit->o->form.row;
    bool product = weights_has(w, WEIGHTS_W_QK), factors = weights_has(w, WEIGHTS_W_Q);
    if (product && !factors)
        return form == FORM_FREE || want(fit, "form", "free", WEIGHTS_W_QK);
    for (size_t i = 0; i < sizeof folded / sizeof *folded; i++) {
        bool no_place =
            form == FORM_NESTED || (form == FORM_FREE && !product && folded[i] != WEIGHTS_W_V);
        if (weights_has(w, folded[i]) && no_place)
            return want(fit, "form", "separate", folded[i]);
    }
    return true;
}

/* Set each pair of a text such as "positions=rope&mask=causal", except for the rows in fixed. */
static bool set_pairs(Options *options, const char *text, uint64_t fixed, Err *err) {
    Pairs pairs = {.bytes = text, .size = strlen(text)};
    Pair pair;
    while (pairs_next_joined(&pairs, &pair)) {
        const OptionRow *row = option_find(&STATE_OPTIONS, pair.key, pair.key_bytes);
        if (row == NULL || pair.value == NULL)
            return err_usage(err, "options", "“%.*s” is no option of a layer", (int)pair.key_bytes,
                             pair.key);
        if ((fixed & weights_fixed_bit(row)) == 0 &&
            !option_set(options, row, pair.value, pair.value_bytes, err))
            return false;
    }
    return true;
}

bool weights_take_options(Weights *weights, const char *text, Err *err) {
    Options trial = {0};
    Err wrong;
    option_set_standard(&trial, &STATE_OPTIONS);
    if (!set_pairs(&trial, text, 0, &wrong))
        return err_fail(err, weights->path, "its metadata “options”: %s: %s", wrong.what,
                        wrong.why);
    weights->options = heap_copy(text, strlen(text));
    return weights->options != NULL ||
           err_fail(err, "memory", "too little to read weights; close other programs");
}

void weights_set_options(Options *options, const Weights *weights, uint64_t fixed) {
    Err none;
    if ((fixed & weights_fixed_bit(option_find(&STATE_OPTIONS, "layer", 5))) == 0)
        options->layer = weights != NULL && weights->layer > 0 ? weights->layer : 1;
    options->traits = weights != NULL ? weights->traits : (AttnTraits){0};
    if (weights != NULL && weights->options != NULL)
        set_pairs(options, weights->options, fixed,
                  &none); /* cannot fail: weights_take_options has checked the text */
}

/* Fail if the weights are of another layer than the chosen one: a layer's weights are read when it
 * is chosen. */
static bool fit_layer(const Options *o, const Weights *w, Err *err) {
    const char *what = PRINT("--layer %d", o->layer);
    if (w == NULL || o->layer == (w->layer > 0 ? w->layer : 1))
        return true;
    if (w->layer == 0)
        return err_usage(err, what, "%.160s has one layer", w->path);
    return err_usage(err, what, "%.160s was read for layer %d; open it again", w->path, w->layer);
}

bool weights_fit(Options *options, const Weights *weights, uint64_t fixed, Err *err) {
    Options fitted = *options;
    Fit fit = {&fitted, weights, fixed, err};
    if (!fit_layer(&fitted, weights, err))
        return false;
    if (weights != NULL && !(fit_sizes(&fit) && fit_bias(&fit) && fit_form(&fit)))
        return false;
    bool head_is_free = (fixed & weights_fixed_bit(option_find(&STATE_OPTIONS, "head", 4))) == 0;
    if (fitted.head > fitted.heads && head_is_free)
        fitted.head = fitted.heads;
    *options = fitted;
    return true;
}
