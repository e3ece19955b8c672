#include "support/reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/attention/block.h"
#include "model/attention/params.h"
#include "support/test.h"

json_t *reference_file(const char *name) {
    char path[200];
    json_error_t error;
    snprintf(path, sizeof path, "tests/reference/%s.json", name);
    json_t *file = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (file == NULL)
        fail_msg("%s:%d: %s", path, error.line, error.text);
    return file;
}

static int json_number(const json_t *file, const char *key) {
    return (int)json_integer_value(json_object_get(file, key));
}

int reference_choice(const json_t *file, const char *key, const Registry *choices) {
    const char *id = json_string_value(json_object_get(file, key));
    assert_non_null(id);
    int found = registry_find(choices, id, strlen(id));
    assert_true(found >= 0);
    return found;
}

double *reference_values(const json_t *file, const char *key, int blocks, const Mat *m) {
    const json_t *list = json_object_get(file, key);
    int rows = m->rows, cols = m->cols / blocks;
    double *out = calloc((size_t)rows * (size_t)m->cols, sizeof *out);
    assert_non_null(out);
    if (json_array_size(list) != (size_t)rows * (size_t)m->cols)
        fail_msg("%s has %zu entries", key, json_array_size(list));
    for (int b = 0; b < blocks; b++)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < cols; j++) {
                const json_t *value = json_array_get(list, (size_t)((b * rows + i) * cols + j));
                out[(i * blocks + b) * cols + j] = json_number_value(value);
            }
    return out;
}

void reference_read(Mat *m, const json_t *file, const char *key, int blocks) {
    LOCAL(free_at) double *values = reference_values(file, key, blocks, m);
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            mat_row(m, i)[j] = (float)values[i * m->cols + j];
}

int reference_blocks(int param, const AttnShape *shape) {
    return PARAMS[param].layout == PARAM_HEADS_IN_COLUMNS ? shape->H : 1;
}

void reference_layer(Layer *layer, const json_t *file, AttnForm form) {
    AttnShape shape = {.T = json_number(file, "T"),
                       .D = json_number(file, "D"),
                       .H = json_number(file, "H"),
                       .K = json_number(file, "d_k"),
                       .V = json_number(file, "d_v"),
                       .form = form,
                       .rank = json_number(file, "d_k")};
    shape.score_factor = (float)json_number_value(json_object_get(file, "score_factor"));
    shape.block = (AttnBlock)reference_choice(file, "block", &ATTN_BLOCKS);
    shape.bias = (AttnBias)reference_choice(file, "bias", &ATTN_BIASES);
    layer_init(layer, shape, MASK_NONE, 1);
    for (int p = 0; p < ATTN_PARAM_COUNT; p++)
        if (layer->params.p[p].rows > 0)
            reference_read(&layer->params.p[p], file, PARAMS[p].entry.id,
                           reference_blocks(p, &shape));
    reference_read(&layer->x, file, "X", 1);
    const json_t *open = json_object_get(file, "M");
    for (int e = 0; e < shape.T * shape.T; e++)
        layer->mask.open[e] = json_number_value(json_array_get(open, (size_t)e)) > 0;
}
