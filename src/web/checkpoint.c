/* io/checkpoint.h for the page, which cannot open checkpoints of whole models. */
#include "io/checkpoint.h"

bool checkpoint_is_folder(const char *path) {
    (void)path;
    return false;
}

Weights *checkpoint_load(const char *path, const char *name, const WeightsRequest *request,
                         Err *err) {
    (void)path, (void)request;
    err_fail(err, name, "has none of this layer's tensors; checkpoints of models need the program");
    return NULL;
}
