/* The window's tensors are the bytes that the verb export writes for its state. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/util.h"
#include "io/file.h"
#include "io/tensors.h"
#include "shell/cli.h"
#include "support/disk.h"
#include "support/script.h"
#include "support/test.h"

static void assert_same_files(const char *a, const char *b) {
    char *bytes[2];
    size_t size[2];
    must(file_read(&bytes[0], &size[0], a, SIZE_MAX, &told));
    must(file_read(&bytes[1], &size[1], b, SIZE_MAX, &told));
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    free(bytes[0]);
    free(bytes[1]);
}

static void export_by_window(Script *s, const char *path) {
    script_play(s, "Ctrl+K 'npz' Enter {Export all tensors as .safetensors, .npz or .json} "
                   "Ctrl+A");
    script_play(s, PRINT("'%s' Enter |", path));
}

TEST(window_and_verb_write_the_same_bytes) {
    static const char *const endings[] = {"safetensors", "npz"}; /* a process writes two files */
    AppResources resources = {.files = disk_files(), .save_tensors = tensors_save, .still = true};
    char folder[] = "/tmp/headlight-tensors-XXXXXX", ours[64], verbs[64];
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < ARRAY_COUNT(endings); i++) {
        LOCAL(script_end) Script s;
        Call call = {.output = verbs};
        script_begin_given(&s, "text=one two one&embedding=random&form=merged&mask=causal",
                           &resources);
        call.session = *app_session(s.app);
        snprintf(ours, sizeof ours, "%s/ours.%s", folder, endings[i]);
        snprintf(verbs, sizeof verbs, "%s/verbs.%s", folder, endings[i]);
        export_by_window(&s, ours);
        must(verb_export(&call, &told));
        assert_same_files(ours, verbs);
        remove(ours);
        remove(verbs);
    }
    rmdir(folder);
}

TEST(another_ending_is_completed) {
    AppResources resources = {.files = disk_files(), .save_tensors = tensors_save, .still = true};
    char folder[] = "/tmp/headlight-tensors-XXXXXX", typed[64], written[80];
    LOCAL(script_end) Script s;
    assert_non_null(mkdtemp(folder));
    script_begin_given(&s, "text=one two&embedding=random", &resources);
    snprintf(typed, sizeof typed, "%s/layer.csv", folder);
    snprintf(written, sizeof written, "%s.safetensors", typed);
    export_by_window(&s, typed);
    assert_int_equal(access(written, F_OK), 0);
    remove(written);
    rmdir(folder);
}
