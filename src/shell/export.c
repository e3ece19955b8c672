#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/utf8.h"
#include "base/util.h"
#include "base/version.h"
#include "document/state.h"
#include "io/json_write.h"
#include "io/npz_write.h"
#include "io/safetensors_write.h"
#include "shell/output.h"
#include "shell/pass.h"
#include "shell/verbs.h"

/* A script has no write function, because it needs a safetensors file next to it. */
typedef struct ExportFormat {
    OutputFormat output;
    bool (*write)(FileOut *out, const TensorView *tensors, int count, const TensorNote *notes,
                  int note_count, Err *err);
} ExportFormat;

static const ExportFormat FORMATS[] = {
    {{{"safetensors", "safetensors", "", "All tensors in one file, float32."}, true},
     safetensors_write},
    {{{"npz", "npz", "", "A NumPy archive with an array for each tensor, float32."}, false},
     npz_write},
    {{{"json", "json", "", "One object with nested lists of numbers."}, true}, json_write},
    {{{"py", "py", "", "A script that rebuilds the layer, and its tensors in a safetensors file."},
      false},
     NULL},
};
static const Registry FORMAT_REGISTRY = {"formats", "format", FORMATS, sizeof FORMATS[0],
                                         ARRAY_COUNT(FORMATS)};

/* Return each token's bytes, or its label if they are not valid UTF-8. */
static TokenLabel *token_texts(const Results *run) {
    TokenLabel *texts = heap_get((size_t)run->T * sizeof *texts);
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
    ModelOutput model;
    bool wrote = model_output_make(&model, run, run->T, NULL, err);
    count += tensors_of_model(tensors + count, &model);
    wrote = wrote && output_begin(&out, call, err) &&
            format->write(&out, tensors, count, notes, note_count, err) && output_commit(&out, err);
    model_output_release(&model);
    return wrote;
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

/* Write the path of a script's tensors: layer.safetensors for layer.py. */
static bool tensors_path(char path[FILE_PATH_BYTES], const char *script, Err *err) {
    const char *end = strrchr(script, '.'), *slash = strrchr(script, '/');
    bool has_ending = end != NULL && (slash == NULL || end > slash + 1) && end > script;
    int stem = (int)(has_ending ? (size_t)(end - script) : strlen(script));
    int bytes = snprintf(path, FILE_PATH_BYTES, "%.*s.safetensors", stem, script);
    if (bytes < 0 || bytes >= FILE_PATH_BYTES)
        return err_usage(err, "-o", "the name is too long; use a shorter one");
    if (strcmp(path, script) == 0)
        return err_usage(err, "-o",
                         "the script would replace its own tensors; end its name in .py");
    if (utf8_first_invalid(path, (size_t)bytes) != (size_t)bytes)
        return err_usage(err, "-o", "a script needs a name that is valid UTF-8");
    return true;
}

/* Write both files or none: the script is opened first and put in its place last. */
static bool write_script(const Call *call, const Results *run, Err *err) {
    char path[FILE_PATH_BYTES];
    TextOut text = {0};
    FileOut out;
    if (!tensors_path(path, call->output, err) || !output_begin(&out, call, err))
        return false;
    const char *slash = strrchr(path, '/');
    layer_code(&text, &call->session, call->code, slash != NULL ? slash + 1 : path, true);
    Call tensors = *call;
    tensors.output = path;
    bool wrote = text.failed ? err_fail(err, "memory", "too little for the script")
                             : write_run(&tensors, &FORMATS[0], run, err);
    if (!wrote)
        file_abandon(&out);
    wrote = wrote && file_append(&out, text.at, text.used, err) && output_commit(&out, err);
    text_out_release(&text);
    return wrote;
}

bool verb_export(const Call *call, Err *err) {
    int format;
    Pass pass;
    if (!output_format(&format, &FORMAT_REGISTRY, call, err))
        return false;
    const ExportFormat *row = &FORMATS[format];
    if (call->has_code && row->write != NULL)
        return err_usage(err, "--code", "chooses the language of a script; end -o FILE in .py");
    if (!pass_begin(&pass, &call->session, err))
        return false;
    bool wrote = results_offset_family(&pass.run, 0, err) &&
                 (!call->grad || results_gradient(&pass.run, 0, err)) &&
                 (row->write != NULL ? write_run(call, row, &pass.run, err)
                                     : write_script(call, &pass.run, err));
    pass_end(&pass);
    return wrote;
}
