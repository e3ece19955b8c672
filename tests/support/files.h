/* files.h: files that the tests make. */
#ifndef HEADLIGHT_TESTS_SUPPORT_FILES_H
#define HEADLIGHT_TESTS_SUPPORT_FILES_H

#include <stddef.h>

#include "base/err.h"

#define MADE_PATH_BYTES 64

/* Create an empty file with a new name that ends so. The test removes it. */
void made_path(char path[MADE_PATH_BYTES], const char *ending);

void made_write(const char *path, const void *bytes, size_t size);

/* Return a safetensors file with this header and data. It has no spare byte, so that a sanitizer
 * finds each read past its end. The caller frees it. */
unsigned char *made_safetensors(size_t *size, const char *header, const void *data, size_t bytes);
void made_write_safetensors(const char *path, const char *header, const void *data, size_t bytes);

/* Write an npy array with this dictionary and data, and return its size. */
size_t made_array(unsigned char *out, const char *dictionary, const void *data, size_t bytes);

/* Assert that an error names this, and has these words. */
void assert_error(const Err *err, const char *what, const char *words);

#endif
