#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "io/tensors.h"
#include "io/weights_file.h"
#include "shell/output.h"
#include "shell/pass.h"

/* A format. write is NULL for a script, which needs a safetensors file next to it. */
typedef struct ExportFormat {
    OutputFormat output;
    TensorsFormat *write;
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
static const Registry FORMAT_REGISTRY = REGISTRY("formats", "format", FORMATS);

static bool write_run(const Call *call, const ExportFormat *format, const Results *run, Err *err) {
    FileOut out;
    return output_begin(&out, call, err) &&
           tensors_write(&out, format->write, run, call->grad, err) && output_commit(&out, err);
}

/* Write the path of the tensors that a script reads: layer.safetensors for layer.py. */
static bool tensors_path(char path[FILE_PATH_BYTES], const char *script, Err *err) {
    const char *end = strrchr(script, '.'), *slash = strrchr(script, '/');
    bool has_ending = end != NULL && (slash == NULL || end > slash + 1) && end > script;
    int stem = (int)(has_ending ? (size_t)(end - script) : strlen(script));
    int bytes = snprintf(path, FILE_PATH_BYTES, "%.*s.safetensors", stem, script);
    if (bytes < 0 || bytes >= FILE_PATH_BYTES)
        return err_usage(err, "-o", "the name is too long; use a shorter one");
    if (strcmp(path, script) == 0 || file_is_same(path, script))
        return err_usage(err, "-o",
                         "the script would replace its own tensors; end its name in .py");
    if (utf8_first_invalid(path, (size_t)bytes) != (size_t)bytes)
        return err_usage(err, "-o", "a script needs a name that is valid UTF-8");
    return true;
}

/* Fail if the weights come from this file. The user has not named it, and a script's tensors would
 * overwrite it. */
static bool spares_weights(const char *path, const Weights *weights, Err *err) {
    bool is_read = weights != NULL && file_exists(path) &&
                   (file_is_same(path, weights->path) ||
                    (weights->layers > 0 && checkpoint_reads(weights->path, path)));
    return !is_read ||
           err_usage(err, "-o", "%.200s holds the weights; give the script another name", path);
}

/* Write both files or none. The script is written first and renamed last. */
static bool write_script(const Call *call, const Results *run, Err *err) {
    char path[FILE_PATH_BYTES];
    TextOut text = {0};
    FileOut out;
    if (!tensors_path(path, call->output, err) ||
        !spares_weights(path, call->session.weights, err) || !output_begin(&out, call, err))
        return false;
    const char *slash = strrchr(path, '/');
    layer_code(&text, &call->session, call->code, slash != NULL ? slash + 1 : path, true);
    Call tensors = *call;
    tensors.output = path;
    bool wrote = text.failed
                     ? err_fail(err, "memory", "too little for the script")
                     : file_append(&out, text.at, text.used, err) && file_settle(&out, err) &&
                           write_run(&tensors, &FORMATS[0], run, err);
    if (!wrote)
        file_abandon(&out);
    wrote = wrote && output_commit(&out, err);
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
