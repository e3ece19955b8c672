#include "shell/print.h"

#include "shell/output.h"
#include "shell/progress.h"

bool print_append(FileOut *out, TextOut *text, Err *err) {
    bool wrote = !text->failed && output_check_memory(err);
    progress_end(); /* its line must not mix with the result */
    if (wrote) {
        wrote = file_append(out, text->at, text->used, err);
    } else {
        file_abandon(out);
        err_fail(err, "memory", "too little to print the result; close other programs");
    }
    text_out_release(text);
    return wrote;
}

bool print_text(TextOut *text, Err *err) {
    FileOut out;
    file_begin_stdout(&out);
    return print_append(&out, text, err) && file_commit(&out, err);
}
