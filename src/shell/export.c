#include <stdlib.h>

#include "base/util.h"
#include "base/version.h"
#include "document/state.h"
#include "io/json_write.h"
#include "io/npz_write.h"
#include "io/safetensors_write.h"
#include "shell/output.h"
#include "shell/pass.h"
#include "shell/verbs.h"

typedef struct ExportFormat {
    OutputFormat output;
    bool (*write)(FileOut *out, const TensorView *tensors, int count, const TensorNote *notes,
                  int note_count, Err *err);
} ExportFormat;

static const ExportFormat FORMATS[] = {
    {{{"safetensors", "safetensors", "", "All tensors in one file, float32."}, true},
     safetensors_write},
    {{{"npz", "npz", "", "A NumPy archive of one array each, float32."}, false}, npz_write},
    {{{"json", "json", "", "One object with nested lists of numbers."}, true}, json_write},
};
static const Registry FORMAT_REGISTRY = {"formats", "format", FORMATS, sizeof FORMATS[0],
                                         ARRAY_COUNT(FORMATS)};

/* The bytes of each token; what is shown for it where they are not UTF-8. */
static TokenLabel *token_texts(const Results *run) {
    TokenLabel *texts = malloc((size_t)run->T * sizeof *texts);
    for (int i = 0; i < run->T && texts != NULL; i++)
        texts[i] = results_token_text(run, i);
    return texts;
}

static bool write_tensors(const Call *call, const ExportFormat *format, const Results *run,
                          const TensorNote *notes, int note_count, Err *err) {
    TensorView tensors[TENSORS_MAX];
    int count = tensors_of_run(tensors, run, 0);
    if (call->grad)
        count += tensors_of_gradient(tensors + count, run, 0);
    FileOut out;
    return output_begin(&out, call, err) &&
           format->write(&out, tensors, count, notes, note_count, err) && output_commit(&out, err);
}

static bool write_run(const Call *call, const ExportFormat *format, const Results *run, Err *err) {
    TokenLabel *tokens = token_texts(run);
    char *state = state_make(&call->session);
    const TensorNote notes[] = {{.key = "tokens", .list = tokens, .count = run->T},
                                {.key = "state", .value = state},
                                {.key = "version", .value = HEADLIGHT_VERSION}};
    bool wrote = tokens != NULL && state != NULL
                     ? write_tensors(call, format, run, notes, ARRAY_COUNT(notes), err)
                     : err_fail(err, "memory", "too little for the tokens; close other programs");
    free(tokens);
    free(state);
    return wrote;
}

bool verb_export(const Call *call, Err *err) {
    int format;
    Pass pass;
    if (!output_format(&format, &FORMAT_REGISTRY, call, err) ||
        !pass_begin(&pass, &call->session, err))
        return false;
    bool wrote = results_offset_family(&pass.run, 0, err) &&
                 (!call->grad || results_gradient(&pass.run, 0, err)) &&
                 write_run(call, &FORMATS[format], &pass.run, err);
    pass_end(&pass);
    return wrote;
}
