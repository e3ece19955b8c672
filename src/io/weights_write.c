#include "io/weights_write.h"

#include "base/util.h"
#include "base/version.h"
#include "io/safetensors_write.h"

static TensorView view_of(const Weights *weights, WeightsPart part) {
    const WeightsTensor *tensor = &weights->tensors[part];
    TensorView view = {.name = WEIGHTS_PARTS[part].name, .at = tensor->at, .rank = tensor->rank};
    size_t stride = 1;
    for (int d = tensor->rank; d-- > 0; stride *= tensor->shape[d]) {
        view.shape[d] = tensor->shape[d];
        view.stride[d] = stride;
    }
    return view;
}

bool weights_write(FileOut *out, const Weights *weights, const TensorNote *notes, int note_count,
                   Err *err) {
    TensorView views[WEIGHTS_PART_COUNT];
    int count = 0;
    for (WeightsPart p = WEIGHTS_X + 1; p < WEIGHTS_PART_COUNT; p++)
        if (weights_has(weights, p))
            views[count++] = view_of(weights, p);
    return safetensors_write(out, views, count, notes, note_count, err);
}

bool weights_file_save(const char *path, const Weights *weights, const char *note, Err *err) {
    const TensorNote notes[] = {{.key = "trained", .value = note},
                                {.key = "version", .value = HEADLIGHT_VERSION}};
    FileOut out;
    return file_begin(&out, path, err) &&
           weights_write(&out, weights, notes, ARRAY_COUNT(notes), err) && file_commit(&out, err);
}
