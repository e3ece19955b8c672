#include "shell/print.h"

#include <stdlib.h>

#include "shell/progress.h"

static bool no_memory(Err *err) {
    return err_fail(err, "memory", "too little to print the result; close other programs");
}

bool print_begin(Print *print, Err *err) {
    *print = (Print){0};
    print->to = open_memstream(&print->bytes, &print->size);
    return print->to != NULL ? true : no_memory(err);
}

bool print_end_to(Print *print, FileOut *out, bool whole, Err *err) {
    progress_end(); /* its line is not mixed with the result */
    whole = ferror(print->to) == 0 && whole;
    whole = fclose(print->to) == 0 && print->bytes != NULL && whole;
    if (!whole)
        file_abandon(out);
    bool wrote = whole ? file_append(out, print->bytes, print->size, err) : no_memory(err);
    free(print->bytes);
    *print = (Print){0};
    return wrote;
}

bool print_end(Print *print, Err *err) {
    FileOut out;
    file_begin_stdout(&out);
    return print_end_to(print, &out, true, err) && file_commit(&out, err);
}

void print_discard(Print *print) {
    fclose(print->to);
    free(print->bytes);
    *print = (Print){0};
}
