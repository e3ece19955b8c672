/* architecture_file.h: a file of lines "key = value" that says how a checkpoint of an unknown
 * architecture names its tensors. Format: assets/doc/files.md. */
#ifndef HEADLIGHT_IO_ARCHITECTURE_FILE_H
#define HEADLIGHT_IO_ARCHITECTURE_FILE_H

#include "base/err.h"
#include "io/architecture.h"

#define ARCHITECTURE_FILE       "architecture.txt"
#define ARCHITECTURE_FILE_BYTES 16384
#define ARCHITECTURE_NAME_MAX   120

/* Read a text that names a known architecture and lists the tensors that have other names. The
 * caller frees the result with free(). On failure return NULL and set err, naming the line. */
Architecture *architecture_read(const char *text, size_t size, Err *err);

/* Write the key by which the text names the tensor. Return false if the text gives it no name. */
#define ARCHITECTURE_KEY_BYTES 32
bool architecture_key(char out[ARCHITECTURE_KEY_BYTES], const Architecture *read,
                      ArchTensor tensor);

#endif
