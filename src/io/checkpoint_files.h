/* checkpoint_files.h: finds the tensors of a checkpoint by name, in one file or several. Only for
 * checkpoint*.c. */
#ifndef HEADLIGHT_IO_CHECKPOINT_FILES_H
#define HEADLIGHT_IO_CHECKPOINT_FILES_H

#include <jansson.h>

#include "io/architecture.h"
#include "io/file.h"
#include "io/float_decode.h"
#include "io/safetensors_read.h"

#define CHECKPOINT_NAME_BYTES 256

typedef struct Checkpoint {
    uint64_t stamp;               /* checkpoint_stamp before the files were read */
    const char *main;             /* name of the file with all tensors, if there is no index */
    const char *name;             /* the checkpoint's name in errors */
    char folder[FILE_PATH_BYTES]; /* path of the folder with its last '/', or "" */
    /* Owned: the index of a checkpoint with several files; NULL for one file. */
    json_t *index;
    json_t *names;  /* borrowed: a JSON object whose keys are the tensors' names */
    json_t *config; /* owned: config.json; NULL for none */
    /* Kind of the current layer, as named in config.json; or NULL. */
    const char *layer_kind;
    Architecture *described; /* owned: architecture.txt; NULL for none */
    char shard[256];         /* name of the open file */
    FileIn in;
    Safetensors file;
    bool is_open;
    const FileMap *map; /* the whole file, mapped; NULL: values are read from the file */
} Checkpoint;

/* Open a folder or a file. Call checkpoint_close even on failure. */
bool checkpoint_open(Checkpoint *out, const char *path, const char *name, Err *err);
void checkpoint_close(Checkpoint *c);

/* Return a number that changes when one of the checkpoint's files is replaced or written to. If the
 * number is equal before and after two passes over the files, both passes have read the same
 * bytes. */
uint64_t checkpoint_stamp(const Checkpoint *c);

bool checkpoint_has_file(const Checkpoint *c, const char *file);

/* Read a file in the checkpoint's folder; see file_read. *bytes is NULL if the file does not exist.
 * The caller frees *bytes. */
bool checkpoint_read_file(char **bytes, size_t *size, const Checkpoint *c, const char *file,
                          size_t most, Err *err);

bool checkpoint_has(const Checkpoint *c, const char *tensor);

typedef struct CheckpointTensor {
    char name[CHECKPOINT_NAME_BYTES];
    /* The tensor that was found; valid until the next call of checkpoint_find. */
    const SafetensorsTensor *at;
} CheckpointTensor;

/* Find the tensor called t->name, and open its file. Fails if there is none, or if its values are
 * not floats. */
bool checkpoint_find(Checkpoint *c, CheckpointTensor *t, Err *err);

bool checkpoint_fail(const Checkpoint *c, const char *tensor, const char *why, Err *err);

/* Return the value of the first of these keys that exists, or NULL. keys are separated by blanks.
 * They are searched in config.json and in its objects for the language model and for RoPE.
 *
 * checkpoint_config and checkpoint_number store the value in *out, or leave *out unchanged if no
 * key exists. They fail if the value is not a whole number from 1 to most, or not a number from
 * least to most. */
const json_t *checkpoint_value(const Checkpoint *c, const char *keys);
bool checkpoint_config(int *out, const Checkpoint *c, const char *keys, int most, Err *err);
bool checkpoint_number(double *out, const Checkpoint *c, const char *keys, double least,
                       double most, Err *err);

/* Return count values of a tensor from entry `first` on, inside c->map. Return NULL if there is no
 * map, or if the map does not contain them as aligned float32 values. */
float *checkpoint_mapped(const Checkpoint *c, const CheckpointTensor *t, size_t first,
                         size_t count);

/* Read count float values of a tensor from entry `first` on. Fails if a value is not finite. */
bool checkpoint_read(float *out, const Checkpoint *c, const CheckpointTensor *t, size_t first,
                     size_t count, Err *err);

bool checkpoint_check(const float *values, const Checkpoint *c, const char *tensor, size_t count,
                      Err *err);

#endif
