#include "io/tensors_write.h"

#include <stdlib.h>

#include "base/heap.h"
#include "base/util.h"
#include "base/version.h"
#include "document/state.h"

/* Return each token's bytes, or its label if they are not valid UTF-8. */
static TokenLabel *token_texts(const Results *run) {
    TokenLabel *texts = heap_get((size_t)run->T * sizeof *texts);
    for (int i = 0; i < run->T && texts != NULL; i++)
        texts[i] = results_token_text(run, i);
    return texts;
}

static bool append_tensors(FileOut *out, TensorsFormat *write, const Results *run,
                           bool with_gradient, const TensorNote *notes, int note_count, Err *err) {
    TensorView tensors[TENSORS_MAX];
    int count = tensors_of_run(tensors, run, 0);
    if (with_gradient)
        count += tensors_of_gradient(tensors + count, run, 0);
    ModelOutput model;
    bool wrote = model_output_make(&model, run, run->T, NULL, err);
    count += tensors_of_model(tensors + count, &model);
    wrote = wrote && write(out, tensors, count, notes, note_count, err);
    model_output_release(&model);
    return wrote;
}

bool tensors_write(FileOut *out, TensorsFormat *write, const Results *run, bool with_gradient,
                   Err *err) {
    TokenLabel *tokens = token_texts(run);
    char *state = state_make(results_session(run), NULL);
    const TensorNote notes[] = {{.key = "tokens", .list = tokens, .count = run->T},
                                {.key = "state", .value = state},
                                {.key = "version", .value = HEADLIGHT_VERSION}};
    bool wrote =
        tokens != NULL && state != NULL
            ? append_tensors(out, write, run, with_gradient, notes, ARRAY_COUNT(notes), err)
            : err_fail(err, "memory", "too little for the tokens; close other programs");
    free(tokens);
    free(state);
    if (!wrote)
        file_abandon(out);
    return wrote;
}
