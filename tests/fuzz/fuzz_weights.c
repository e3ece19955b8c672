#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "document/session.h"
#include "io/file.h"
#include "io/npy.h"
#include "io/weights_file.h"

#include <math.h>
#include <zip.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *path_of(const char *ending) {
    static char path[64];
    const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"; /* fsync is slow */
    snprintf(path, sizeof path, "%s/headlight-fuzz-%ld%s", folder, (long)getpid(), ending);
    return path;
}

static void check_err(const Err *err) {
    size_t bytes = strlen(err->why);
    if (err->kind == ERR_NONE || bytes == 0 || utf8_first_invalid(err->why, bytes) != bytes)
        abort();
}

static size_t entries(const WeightsTensor *tensor) {
    size_t count = tensor->rank > 0;
    for (int d = 0; d < tensor->rank; d++)
        count *= tensor->shape[d];
    return count;
}

/* What is taken is finite and agrees with itself, and a session takes it or says why not. */
static void check_weights(Weights *weights) {
    Session session;
    Err err = {0};
    for (int p = 0; p < WEIGHTS_PART_COUNT; p++)
        for (size_t i = 0; i < entries(&weights->tensors[p]); i++)
            if (!isfinite(weights->tensors[p].at[i]))
                abort();
    if (weights_has(weights, WEIGHTS_X) != (weights->names != NULL) ||
        !weights_agree(weights, &err) || !session_init(&session, &err))
        abort();
    if (!session_set_weights(&session, weights, 0, &err))
        check_err(&err);
    else if (!session_check(&session, &err))
        abort();
    session_release(&session);
}

static void check_file(const char *path, const void *bytes, size_t size) {
    Err err = {0};
    if (!file_write_atomic(path, bytes, size, &err))
        return;
    err = (Err){0};
    Weights *weights = weights_file_load(path, &err);
    if (weights != NULL)
        check_weights(weights);
    else
        check_err(&err);
    unlink(path);
}

/* The bytes as one array of a sound archive: its name by the first byte, deflated or not. */
static void check_array(const uint8_t *data, size_t size) {
    static const char *const names[] = {"X", "W_Q", "W_O", "b_O", "W_QK", "tokens"};
    Err err = {0};
    char name[16];
    const char *path = path_of(".npz");
    zip_t *zip = size >= 2 ? zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, NULL) : NULL;
    if (zip == NULL)
        return;
    snprintf(name, sizeof name, "%s.npy", names[data[0] % 6]);
    if (zip_file_add(zip, name, zip_source_buffer(zip, data + 1, size - 1, 0), 0) != 0 ||
        zip_set_file_compression(zip, 0, data[0] & 64 ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0) != 0 ||
        zip_close(zip) != 0)
        abort();
    Weights *weights = weights_file_load(path, &err);
    if (weights != NULL)
        check_weights(weights);
    else
        check_err(&err);
    unlink(path);
}

/* The bytes as a header alone, as an array in an archive, as an archive, and as safetensors. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    NpyHeader header;
    Err err = {0};
    if (!npy_read_header(&header, "fuzz", data, size, &err))
        check_err(&err);
    else if (header.bytes > size || header.rank > NPY_RANK_MAX)
        abort();
    check_array(data, size);
    check_file(path_of(".npz"), data, size);
    check_file(path_of(".safetensors"), data, size);
    return 0;
}
