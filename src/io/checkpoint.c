#include "io/checkpoint.h"

#include <stdio.h>
#include <string.h>

#include "io/checkpoint_layer.h"
#include "io/checkpoint_model.h"

static bool choose_layer(Layer *l, int wanted) {
    char what[32];
    snprintf(what, sizeof what, "--layer %d", wanted);
    l->layer = wanted - 1;
    return wanted <= l->layers || err_usage(l->err, what, "%.160s has %d layer%s", l->c->name,
                                            l->layers, l->layers == 1 ? "" : "s");
}

Weights *checkpoint_load(const char *path, const char *name, const WeightsRequest *request,
                         Err *err) {
    static const WeightsRequest FIRST = {.layer = 1};
    Checkpoint c;
    LayerRoom room = {0};
    Layer l = {.c = &c, .weights = weights_new(name, err), .room = &room, .err = err};
    request = request != NULL ? request : &FIRST;
    bool loaded = checkpoint_open(&c, path, name, err) && l.weights != NULL &&
                  layer_find_model(&l) && choose_layer(&l, request->layer) &&
                  layer_read(&l, request->heads) && checkpoint_add_model(&l, path, request);
    layer_release_room(&room);
    checkpoint_close(&c);
    if (loaded)
        return l.weights;
    weights_drop(l.weights);
    return NULL;
}
