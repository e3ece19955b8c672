/* bpe_file.h: reads the merges of GPT-2 from a safetensors file: `merges` U16 (count, 2). A row
 * names two tokens: 0 to 255 are the bytes, and 256 + r is the result of row r. To make such a
 * file: assets/gpt2/README.md. */
#ifndef HEADLIGHT_IO_BPE_FILE_H
#define HEADLIGHT_IO_BPE_FILE_H

#include "text/vocabulary.h"

#define BPE_FILE_MAX        ((size_t)1 << 20) /* bytes */
#define BPE_FILE_MERGES_MAX (UINT16_MAX - BPE_BYTES)

/* Read the file at path; the caller owns the result. Return NULL and set err, naming the file and
 * the field, if it is invalid, if a merge joins tokens that no earlier merge makes, or if a pair
 * occurs twice. */
Vocabulary *bpe_file_load(const char *path, Err *err);

/* Read a file whose bytes are in memory; errors call it `name`. */
Vocabulary *bpe_file_open(const char *name, const void *bytes, size_t size, Err *err);

#endif
