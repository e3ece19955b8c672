#include "support/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/file.h"
#include "support/test.h"

void made_path(char path[MADE_PATH_BYTES], const char *ending) {
    snprintf(path, MADE_PATH_BYTES, "/tmp/headlight-test-XXXXXX%s", ending);
    int fd = mkstemps(path, (int)strlen(ending));
    assert_true(fd >= 0 && close(fd) == 0);
}

void made_write(const char *path, const void *bytes, size_t size) {
    must(file_write_quick(path, bytes, size, &told));
}

unsigned char *made_safetensors(size_t *size, const char *header, const void *data, size_t bytes) {
    size_t length = strlen(header);
    *size = 8 + length + bytes;
    unsigned char *made = malloc(*size);
    assert_non_null(made);
    memcpy(made, &(uint64_t){length}, 8);
    memcpy(made + 8, header, length);
    if (bytes > 0)
        memcpy(made + 8 + length, data, bytes);
    return made;
}

void made_write_safetensors(const char *path, const char *header, const void *data, size_t bytes) {
    size_t size;
    LOCAL(free_at) unsigned char *made = made_safetensors(&size, header, data, bytes);
    made_write(path, made, size);
}

size_t made_array(unsigned char *out, const char *dictionary, const void *data, size_t bytes) {
    size_t length = strlen(dictionary);
    memcpy(out, "\x93NUMPY\x01\x00", 8);
    memcpy(out + 8, &(uint16_t){(uint16_t)length}, 2);
    memcpy(out + 10, dictionary, length);
    if (bytes > 0)
        memcpy(out + 10 + length, data, bytes);
    return 10 + length + bytes;
}

void assert_error(const Err *err, const char *what, const char *words) {
    assert_string_equal(err->what, what);
    if (strstr(err->why, words) == NULL)
        fail_msg("“%s” does not say “%s”", err->why, words);
}
