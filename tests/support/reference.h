/* reference.h: layers that PyTorch has computed, from the files of tests/reference/. */
#ifndef HEADLIGHT_TESTS_SUPPORT_REFERENCE_H
#define HEADLIGHT_TESTS_SUPPORT_REFERENCE_H

#include <jansson.h>

#include "model/layer.h"

/* tests/reference/NAME.json; a test fails if it cannot be read. */
json_t *reference_file(const char *name);

/* The inputs of the layer of attention_NAME.json, in that form: X, parameters, mask, shape. */
void reference_layer(Layer *layer, const json_t *file, AttnForm form);

/* The row of a registry that a key names. */
int reference_choice(const json_t *file, const char *key, const Registry *choices);

/* A tensor held as (blocks, rows, cols) becomes (rows, blocks*cols), in the shape of m: the
 * contract keeps heads apart, the layer holds them side by side. To be freed; and into m. */
double *reference_values(const json_t *file, const char *key, int blocks, const Mat *m);
void reference_read(Mat *m, const json_t *file, const char *key, int blocks);

/* Heads that lie in columns are blocks of the reference; in rows they follow each other in both. */
int reference_blocks(int param, const AttnShape *shape);

#endif
