/* A layer's parameters are read back from a file unchanged, to the bit. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/util.h"
#include "document/session.h"
#include "io/tensors.h"
#include "io/weights_file.h"
#include "model/layer.h"
#include "support/files.h"
#include "support/test.h"

static char path[MADE_PATH_BYTES];

static int setup(void **state) {
    made_path(path, ".safetensors");
    return 0;
}

static int teardown(void **state) {
    return unlink(path);
}

static Weights *weights_of(const Layer *layer) {
    Weights *weights = weights_of_params(path, &layer->shape, &layer->params, &told);
    must(weights != NULL);
    return weights;
}

static AttnShape shape_of(AttnForm form, AttnBias bias) {
    return (AttnShape){.T = 3,
                       .D = 10,
                       .H = 2,
                       .K = 3,
                       .V = 4,
                       .form = form,
                       .score_factor = 1,
                       .rank = 2,
                       .bias = bias};
}

/* Every parameter that a file holds, from the file back into a layer of the session's shape. */
static void check_layer(const Weights *weights, const Layer *layer) {
    LAYER(other, layer->shape, MASK_NONE, 99);
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++) {
        bool is_there = layer->params.p[p].rows > 0 && p < ATTN_W_Q_FULL;
        is_there = is_there || (p == ATTN_W_QK && layer->shape.form == FORM_FREE);
        assert_int_equal(weights_give(weights, p), is_there);
        if (!is_there)
            continue;
        weights_copy(&other.params.p[p], weights, p);
        assert_true(mat_max_difference(&other.params.p[p], &layer->params.p[p]) == 0);
    }
}

TEST(every_form_comes_back) {
    static const char *const wanted[] = {
        [FORM_SEPARATE] = "separate", [FORM_FREE] = "free", [FORM_NESTED] = "separate"};
    static const AttnForm forms[] = {FORM_SEPARATE, FORM_FREE, FORM_NESTED};
    for (size_t f = 0; f < ARRAY_COUNT(forms); f++)
        for (AttnBias bias = 0; bias < BIAS_COUNT; bias++) {
            LOCAL(session_release) Session session;
            LAYER(layer, shape_of(forms[f], bias), MASK_NONE, 3);
            layer_forward(&layer); /* folds */
            Weights *made = weights_of(&layer);
            assert_true(weights_file_save(path, made, "step 7", &told));
            Weights *read = weights_file_load(path, NULL, &told);
            must(read != NULL);
            assert_true(weights_equal(made, read));
            check_layer(read, &layer);
            assert_true(session_init(&session, &told));
            assert_true(session_set_weights(&session, read, 0, &told));
            assert_int_equal(session.options.bias, bias);
            assert_string_equal(wanted[forms[f]],
                                registry_entry(&ATTN_FORMS, session.options.form.row)->id);
            weights_drop(made);
        }
}

TEST(what_is_not_finite_is_refused) {
    Err err = {0};
    LAYER(layer, shape_of(FORM_SEPARATE, BIAS_NONE), MASK_NONE, 3);
    mat_row(&layer.params.p[ATTN_W_V], 4)[5] = INFINITY;
    assert_null(weights_of_params(path, &layer.shape, &layer.params, &err));
    assert_string_equal(err.what, "W_V");
}

TEST(a_file_that_cannot_be_written_is_named) {
    Err err = {0};
    LAYER(layer, shape_of(FORM_SEPARATE, BIAS_NONE), MASK_NONE, 3);
    Weights *weights = weights_of(&layer);
    assert_false(weights_file_save("/nowhere/at/all.safetensors", weights, "", &err));
    assert_string_equal(err.what, "/nowhere/at/all.safetensors");
    weights_drop(weights);
}

TEST_ALL(setup, teardown)
