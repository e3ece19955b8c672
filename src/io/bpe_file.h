/* bpe_file.h: the merges of a byte pair encoding read from a safetensors file: `merges` U16 (count,
 * 2), two tokens in each row, numbered as in text/bpe.h. To make such a file:
 * assets/gpt2/README.md. */
#ifndef HEADLIGHT_IO_BPE_FILE_H
#define HEADLIGHT_IO_BPE_FILE_H

#include "base/err.h"
#include "text/bpe.h"

#define BPE_FILE_MAX        ((size_t)1 << 20) /* bytes */
#define BPE_FILE_MERGES_MAX (UINT16_MAX - BPE_BYTES)

/* Merges and their memory; must not be copied while in use. */
typedef struct BpeFile {
    Bpe bpe;
    BpeMerge *merges; /* owned */
    uint32_t *index;  /* owned */
} BpeFile;

/* Read the file at path. Fails, naming the file and the field, if it is invalid, if a merge joins
 * tokens that no earlier merge makes, or if a pair occurs twice. On failure out holds nothing.
 * Release with bpe_file_release. */
bool bpe_file_load(BpeFile *out, const char *path, Err *err);

/* Read a file that is in memory; name is its name in errors. */
bool bpe_file_open(BpeFile *out, const char *name, const void *bytes, size_t size, Err *err);

void bpe_file_release(BpeFile *file);

#endif
