#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/weights_file.h"

/* A file may well be that large, with holes; its values are never looked at. */
static void a_layer_beyond_memory_is_refused(void **state) {
    (void)state;
    static const char header[] = "{\"W_QK\":{\"dtype\":\"F32\",\"shape\":[64,4096,4096],"
                                 "\"data_offsets\":[0,4294967296]}}";
    const unsigned char length[8] = {sizeof header - 1};
    char path[] = "/tmp/headlight-weights-XXXXXX.safetensors";
    int fd = mkstemps(path, (int)strlen(".safetensors"));
    Err err = {0};
    assert_true(fd >= 0 && write(fd, length, sizeof length) == (ssize_t)sizeof length);
    assert_int_equal(write(fd, header, sizeof header - 1), sizeof header - 1);
    assert_int_equal(ftruncate(fd, (off_t)(sizeof length + sizeof header - 1 + 4294967296)), 0);
    assert_null(weights_file_load(path, &err));
    close(fd);
    unlink(path);
    assert_string_equal(err.what, path);
    assert_non_null(strstr(err.why, "tensor “W_QK”: shape makes a layer"));
}

static void only_regular_files_of_known_endings(void **state) {
    (void)state;
    Err err;
    assert_null(weights_file_load("/tmp/no-such-file.npz", &err));
    assert_int_equal(err.kind, ERR_FAILED);
    assert_null(weights_file_load("/dev/null", &err));
    assert_int_equal(err.kind, ERR_USAGE);
    assert_true(weights_file_is("A.NPZ") && weights_file_is("b.safetensors"));
    assert_false(weights_file_is(".npz") || weights_file_is("npz") || weights_file_is("a.zip"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_layer_beyond_memory_is_refused),
        cmocka_unit_test(only_regular_files_of_known_endings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
