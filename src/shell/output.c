#include "shell/output.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/util.h"

static bool is_stdout(const Call *call) {
    return strcmp(call->output, "-") == 0;
}

/* What follows the last point of the file's name, "" where there is none. */
static const char *ending(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *point = strrchr(slash != NULL ? slash : path, '.');
    return point != NULL ? point + 1 : "";
}

static int find_format(const Registry *formats, const char *id) {
    for (int i = 0; i < formats->count; i++)
        if (strcasecmp(registry_entry(formats, i)->id, id) == 0)
            return i;
    return -1;
}

static bool unknown_format(const Registry *formats, const Call *call, Err *err) {
    char what[160], ids[120];
    registry_ids(formats, ids, sizeof ids);
    if (call->format != NULL)
        snprintf(what, sizeof what, "--format %.120s", call->format);
    else
        snprintf(what, sizeof what, "-o %.140s", call->output);
    if (call->format == NULL && ending(call->output)[0] == '\0')
        return err_usage(err, what, "the name has no ending that says the format; there are: %s",
                         ids);
    return err_usage(err, what, "no such format here; there are: %s", ids);
}

bool output_format(int *row, const Registry *formats, const Call *call, Err *err) {
    if (is_stdout(call) && call->format == NULL) {
        char ids[120];
        registry_ids(formats, ids, sizeof ids);
        return err_usage(err, "-o -", "needs --format with it; there are: %s", ids);
    }
    const char *id = call->format != NULL ? call->format : ending(call->output);
    *row = find_format(formats, id);
    if (*row < 0)
        return unknown_format(formats, call, err);
    const OutputFormat *format = (const OutputFormat *)(const void *)registry_entry(formats, *row);
    if (is_stdout(call) && !format->to_terminal)
        return err_usage(err, "-o -", "%s is not written to standard output; name a file",
                         format->entry.id);
    return true;
}

static volatile sig_atomic_t asked_to_stop;

static void ask_to_stop(int signal_number) {
    (void)signal_number;
    asked_to_stop = 1;
}

/* A signal that was ignored, as under nohup, stays so. */
static void take_signals(void) {
    static const int stopping[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction before, ours = {.sa_handler = ask_to_stop};
    sigemptyset(&ours.sa_mask);
    for (size_t i = 0; i < ARRAY_COUNT(stopping); i++) {
        sigaction(stopping[i], NULL, &before);
        if (before.sa_handler != SIG_IGN)
            sigaction(stopping[i], &ours, NULL);
    }
}

bool output_begin(FileOut *out, const Call *call, Err *err) {
    take_signals();
    bool opened = is_stdout(call) || file_begin(out, call->output, err);
    if (is_stdout(call))
        file_begin_stdout(out);
    out->stop = &asked_to_stop;
    return opened;
}

bool output_stopped(void) {
    return asked_to_stop != 0;
}
