/* checkpoint_files.h: finds the tensors of a checkpoint by name, in one file or several; for
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
    const char *name;             /* for errors */
    char folder[FILE_PATH_BYTES]; /* with its last '/', or "" */
    json_t *index;                /* owned: the index of several files; NULL for one file */
    json_t *config;               /* owned: config.json; NULL for none */
    const char *layer_kind;       /* of the layer that is read, as config.json says it; or NULL */
    Architecture *described;      /* owned: architecture.txt; NULL for none */
    char shard[256];              /* the file that is open, of several */
    FileIn in;
    Safetensors file;
    bool is_open;
} Checkpoint;

/* Open a folder or a file. Release with checkpoint_close in any case. */
bool checkpoint_open(Checkpoint *out, const char *path, const char *name, Err *err);
void checkpoint_close(Checkpoint *c);

bool checkpoint_has_file(const Checkpoint *c, const char *file);

/* Read a file of the checkpoint's folder, as file_read does. *bytes is NULL if it does not exist.
 * The caller frees *bytes. */
bool checkpoint_read_file(char **bytes, size_t *size, const Checkpoint *c, const char *file,
                          size_t most, Err *err);

/* Call take with each tensor's name until it returns true. */
void checkpoint_names(const Checkpoint *c, bool (*take)(void *context, const char *name),
                      void *context);
bool checkpoint_has(const Checkpoint *c, const char *tensor);

/* A tensor in its file. */
typedef struct CheckpointTensor {
    char name[CHECKPOINT_NAME_BYTES];
    const SafetensorsTensor *at; /* valid until the next one is found */
    FloatType type;
} CheckpointTensor;

/* Find the tensor of float values called t->name, and open its file. */
bool checkpoint_find(Checkpoint *c, CheckpointTensor *t, Err *err);

/* Fail with the tensor's name. */
bool checkpoint_fail(const Checkpoint *c, const char *tensor, const char *why, Err *err);

/* Read the first of the keys, separated by blanks, that config.json contains, or its object for the
 * language model or for RoPE. *out is unchanged if there is none. Fails unless the value is a whole
 * number from 1 to most, or a number from least to most. */
const json_t *checkpoint_value(const Checkpoint *c, const char *keys); /* NULL for none */
bool checkpoint_config(int *out, const Checkpoint *c, const char *keys, int most, Err *err);
bool checkpoint_number(double *out, const Checkpoint *c, const char *keys, double least,
                       double most, Err *err);

/* Map count float values of a tensor from entry `first` on. Return false if they are not stored as
 * our floats, or the system cannot map them. */
bool checkpoint_map(FileMap *map, const Checkpoint *c, const CheckpointTensor *t, size_t first,
                    size_t count);

/* Read count float values of a tensor from entry `first` on. Fails if one is not finite. */
bool checkpoint_read(float *out, const Checkpoint *c, const CheckpointTensor *t, size_t first,
                     size_t count, Err *err);

/* Fail if one of count values is not finite. */
bool checkpoint_check(const float *values, const Checkpoint *c, const char *tensor, size_t count,
                      Err *err);

#endif
