/* layer_map.h: the attention weights of every layer and head of a checkpoint's model, as small
 * matrices. No I/O, no clock; the model reads its file. */
#ifndef HEADLIGHT_RESULTS_LAYER_MAP_H
#define HEADLIGHT_RESULTS_LAYER_MAP_H

#include "results/results.h"

bool results_has_layer_map(const Session *session);

/* Compute run->map, unless it exists or results_has_layer_map is false; compute mean and rollout
 * only if `rolls`. The map has the weights of the layer on screen with all edits, and the layers
 * above continue from its output. run must be valid and have a token. Fails if model_output_make
 * would fail. */
bool results_layer_map(Results *run, bool rolls, const Job *job, Err *err);

/* Return the pooled matrix (side, side) of a head. Index `heads` is the mean, `heads` + 1 the
 * rollout. */
Mat layer_map_head(const LayerMap *map, int layer, int head);

#endif
