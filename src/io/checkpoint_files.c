#include "io/checkpoint_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "base/util.h"
#include "io/json.h"
#include "io/vocabulary_file.h"
#include "io/weights_file.h"

#define RUN_MAX        8192 /* values read at a time */
#define JSON_BYTES_MAX ((size_t)16 << 20)
#define SINGLE         "model.safetensors"
#define INDEX          SINGLE ".index.json"
#define CONFIG         "config.json"

bool checkpoint_fail(const Checkpoint *c, const char *tensor, const char *why, Err *err) {
    return err_fail(err, c->name, "tensor “%.120s”: %s", tensor, why);
}

static bool join(char out[FILE_PATH_BYTES], const Checkpoint *c, const char *file, Err *err) {
    int bytes = snprintf(out, FILE_PATH_BYTES, "%s%s", c->folder, file);
    return (bytes > 0 && bytes < FILE_PATH_BYTES) || err_fail(err, c->name, "its path is too long");
}

bool checkpoint_has_file(const Checkpoint *c, const char *file) {
    char path[FILE_PATH_BYTES];
    Err err;
    return join(path, c, file, &err) && file_exists(path);
}

bool checkpoint_read_file(char **bytes, size_t *size, const Checkpoint *c, const char *file,
                          size_t most, Err *err) {
    char path[FILE_PATH_BYTES];
    *bytes = NULL;
    return !checkpoint_has_file(c, file) ||
           (join(path, c, file, err) && file_read(bytes, size, path, most, err));
}

/* Read a JSON object from a file; *out stays NULL if the file does not exist. */
static bool read_object(json_t **out, const Checkpoint *c, const char *file, Err *err) {
    char *bytes;
    size_t size;
    json_error_t error;
    if (!checkpoint_read_file(&bytes, &size, c, file, JSON_BYTES_MAX, err))
        return false;
    if (bytes == NULL)
        return true;
    *out = json_read(bytes, size, &error);
    free(bytes);
    return json_is_object(*out) ||
           err_fail(err, c->name, "%s cannot be read as a JSON object: %s", file, error.text);
}

static void close_shard(Checkpoint *c) {
    if (!c->is_open)
        return;
    safetensors_release(&c->file);
    file_close(&c->in);
    c->is_open = false;
}

static bool open_shard(Checkpoint *c, const char *shard, Err *err) {
    char path[FILE_PATH_BYTES];
    if (c->is_open && strcmp(c->shard, shard) == 0)
        return true;
    close_shard(c);
    snprintf(c->shard, sizeof c->shard, "%s", shard);
    if (!join(path, c, shard, err) || !file_open(&c->in, path, err))
        return false;
    c->is_open = safetensors_open_file(&c->file, &c->in, err);
    if (!c->is_open)
        file_close(&c->in);
    if (c->index == NULL)
        c->names = c->file.header;
    return c->is_open;
}

static bool check_index(const Checkpoint *c, Err *err) {
    const char *tensor;
    json_t *shard;
    if (!json_is_object(c->names))
        return err_fail(err, c->name, INDEX " has no object “weight_map”");
    json_object_foreach(c->names, tensor, shard) {
        const char *name = json_string_value(shard);
        size_t bytes = json_string_length(shard);
        if (bytes == 0 || bytes >= sizeof c->shard || name[0] == '.' || strchr(name, '/') != NULL)
            return checkpoint_fail(c, tensor, "its shard in " INDEX " is no file in the folder",
                                   err);
    }
    return true;
}

static uint64_t add_stamp(uint64_t stamp, const Checkpoint *c, const char *file) {
    char path[FILE_PATH_BYTES];
    Err err;
    const uint64_t both[] = {stamp, join(path, c, file, &err) ? file_stamp(path) : 0};
    return rng_hash(both, sizeof both);
}

/* Return the stamp of all files except the shards that the index lists. */
static uint64_t first_stamp(const Checkpoint *c) {
    const char *const files[] = {CONFIG, ARCHITECTURE_FILE, VOCABULARY_FILE, INDEX, c->main};
    uint64_t stamp = 0;
    for (size_t i = 0; i < ARRAY_COUNT(files); i++)
        stamp = add_stamp(stamp, c, files[i]);
    return stamp;
}

static uint64_t add_shards(uint64_t stamp, const Checkpoint *c) {
    const char *tensor, *last = "";
    json_t *shard;
    json_object_foreach(c->index != NULL ? c->names : NULL, tensor, shard) {
        const char *name = json_string_value(shard);
        if (strcmp(name, last) != 0)
            stamp = add_stamp(stamp, c, name);
        last = name;
    }
    return stamp;
}

uint64_t checkpoint_stamp(const Checkpoint *c) {
    return add_shards(first_stamp(c), c);
}

bool checkpoint_open(Checkpoint *c, const char *path, const char *name, Err *err) {
    const char *slash = strrchr(path, '/'), *file = slash != NULL ? slash + 1 : path;
    bool is_folder = file_is_folder(path);
    *c = (Checkpoint){.name = name};
    c->main = is_folder || strcmp(file, INDEX) == 0 ? SINGLE : file;
    int bytes = is_folder ? snprintf(c->folder, FILE_PATH_BYTES, "%s/", path)
                          : snprintf(c->folder, FILE_PATH_BYTES, "%.*s", (int)(file - path), path);
    if (bytes < 0 || bytes >= FILE_PATH_BYTES)
        return err_fail(err, name, "its path is too long");
    c->stamp = first_stamp(c);
    if (!read_object(&c->config, c, CONFIG, err))
        return false;
    char *described;
    size_t size;
    if (!checkpoint_read_file(&described, &size, c, ARCHITECTURE_FILE, ARCHITECTURE_FILE_BYTES,
                              err))
        return false;
    c->described = described != NULL ? architecture_read(described, size, err) : NULL;
    free(described);
    if (described != NULL && c->described == NULL)
        return false;
    if (!is_folder && strcmp(file, INDEX) != 0)
        return open_shard(c, file, err);
    if (!read_object(&c->index, c, INDEX, err))
        return false;
    if (c->index != NULL) {
        c->names = json_object_get(c->index, "weight_map");
        bool is_sound = check_index(c, err);
        c->stamp = is_sound ? add_shards(c->stamp, c) : 0;
        return is_sound;
    }
    return checkpoint_has_file(c, SINGLE)
               ? open_shard(c, SINGLE, err)
               : err_fail(err, name, "has neither " SINGLE " nor " INDEX);
}

bool checkpoint_reads(const char *path, const char *file) {
    Checkpoint c;
    Err err;
    char own[FILE_PATH_BYTES];
    const char *tensor;
    json_t *shard;
    bool reads = false;
    if (checkpoint_open(&c, path, path, &err)) {
        reads = c.index == NULL && join(own, &c, c.shard, &err) && file_is_same(own, file);
        json_object_foreach(c.index != NULL ? c.names : NULL, tensor, shard) {
            if (!reads && join(own, &c, json_string_value(shard), &err))
                reads = file_is_same(own, file);
        }
    }
    checkpoint_close(&c);
    return reads;
}

void checkpoint_close(Checkpoint *c) {
    close_shard(c);
    json_decref(c->index);
    json_decref(c->config);
    free(c->described);
}

bool checkpoint_has(const Checkpoint *c, const char *tensor) {
    return json_object_get(c->names, tensor) != NULL;
}

bool checkpoint_find(Checkpoint *c, CheckpointTensor *t, Err *err) {
    json_t *shard = c->index != NULL ? json_object_get(c->names, t->name) : NULL;
    if (shard != NULL && !open_shard(c, json_string_value(shard), err))
        return checkpoint_fail(c, t->name, PRINT("its shard %.60s: %.120s", c->shard, err->why),
                               err);
    t->at = safetensors_find(&c->file, t->name);
    if (t->at == NULL)
        return checkpoint_fail(c, t->name,
                               PRINT("is not in %.100s", c->index != NULL ? INDEX : c->shard), err);
    return t->at->type->is_float ||
           checkpoint_fail(
               c, t->name,
               PRINT("dtype is %s; F8, F16, BF16, F32 or F64 is needed", t->at->type->name), err);
}

/* Return the value of a key in config.json, or in an object inside it that may contain the key;
 * NULL if there is none. text_config may contain rope_parameters, and these an object for each kind
 * of layer, so the search is 3 levels deep. With more levels, a malicious file could cost seconds
 * for each key. */
static const json_t *value_of(const Checkpoint *c, const json_t *object, const char *key,
                              int levels) {
    const char *const names[] = {"text_config", "rope_parameters", "rope_scaling", c->layer_kind};
    const json_t *value = json_object_get(object, key);
    for (size_t i = 0; i < ARRAY_COUNT(names) && (value == NULL || json_is_null(value)); i++) {
        const json_t *inner = names[i] != NULL ? json_object_get(object, names[i]) : NULL;
        value = inner != NULL && levels > 0 ? value_of(c, inner, key, levels - 1) : NULL;
    }
    return value == NULL || json_is_null(value) ? NULL : value;
}

/* Do what checkpoint_value does, and set *key and *bytes to the key that was found. */
static const json_t *find_value(const Checkpoint *c, const char *keys, const char **key,
                                int *bytes) {
    const json_t *value = NULL;
    for (*key = keys; **key != '\0'; *key += strspn(*key, " ")) {
        *bytes = (int)strcspn(*key, " ");
        value = value_of(c, c->config, PRINT("%.*s", *bytes, *key), 3);
        if (value != NULL)
            return value;
        *key += *bytes;
    }
    return NULL;
}

const json_t *checkpoint_value(const Checkpoint *c, const char *keys) {
    const char *key;
    int bytes;
    return find_value(c, keys, &key, &bytes);
}

static bool take_number(double *out, const Checkpoint *c, const char *keys, double least,
                        double most, bool is_whole, Err *err) {
    const char *key;
    int bytes;
    const json_t *value = find_value(c, keys, &key, &bytes);
    double number = json_number_value(value);
    if (value == NULL)
        return true;
    if (!(is_whole ? json_is_integer(value) : json_is_number(value)) || !(number >= least) ||
        !(number <= most))
        return err_fail(err, c->name, CONFIG ": “%.*s” must be a %snumber from %g to %g", bytes,
                        key, is_whole ? "whole " : "", least, most);
    *out = number;
    return true;
}

bool checkpoint_number(double *out, const Checkpoint *c, const char *keys, double least,
                       double most, Err *err) {
    return take_number(out, c, keys, least, most, false, err);
}

bool checkpoint_config(int *out, const Checkpoint *c, const char *keys, int most, Err *err) {
    double number = *out;
    bool taken = take_number(&number, c, keys, 1, most, true, err);
    *out = (int)number;
    return taken;
}

float *checkpoint_mapped(const Checkpoint *c, const CheckpointTensor *t, size_t first,
                         size_t count) {
    uint64_t at = t->at->at + first * sizeof(float);
    bool is_inside = c->map != NULL && t->at->type->as == FLOAT_F32 && at % sizeof(float) == 0 &&
                     at + count * sizeof(float) <= c->map->size;
    return is_inside ? (float *)(void *)((char *)c->map->at + at) : NULL;
}

bool checkpoint_read(float *out, const Checkpoint *c, const CheckpointTensor *t, size_t first,
                     size_t count, Err *err) {
    unsigned char bytes[RUN_MAX * sizeof(double)];
    for (size_t at = 0; at < count; at += RUN_MAX) {
        size_t some = count - at < RUN_MAX ? count - at : RUN_MAX;
        bool is_ours = t->at->type->as == FLOAT_F32;
        if (!file_read_at(is_ours ? (void *)(out + at) : bytes, &c->in,
                          t->at->at + (first + at) * float_width(t->at->type->as),
                          some * float_width(t->at->type->as), err))
            return false;
        if (!is_ours)
            float_decode(out + at, bytes, some, t->at->type->as, false);
    }
    return checkpoint_check(out, c, t->name, count, err);
}

bool checkpoint_check(const float *values, const Checkpoint *c, const char *tensor, size_t count,
                      Err *err) {
    for (size_t at = 0; at < count; at += RUN_MAX)
        if (!isfinite(row_largest(values + at, (int)(count - at < RUN_MAX ? count - at : RUN_MAX))))
            return checkpoint_fail(c, tensor, "has a value that is not finite", err);
    return true;
}
