#include "io/weights_file.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/heap.h"
#include "base/utf8.h"
#include "base/util.h"
#include "io/json.h"
#include "io/npy.h"
#include "io/safetensors_read.h"
#include "io/weights_source.h"
#include "math/mat.h"
#include "model/attention/attention.h"

#define CHUNK 8192 /* values read at a time */

void weights_source_name(const WeightsSource *source, const char *tensor, Err *err) {
    const char *path = source->file->name;
    char why[sizeof err->why];
    memcpy(why, err->why, sizeof why);
    if (strcmp(err->what, path) == 0 && strncmp(why, "tensor", 6) != 0)
        err_fail(err, path, "tensor “%s”: %s", tensor, why);
}

bool weights_passes_over(const WeightsSource *source, WeightsPart part) {
    return part == WEIGHTS_POSITIONS && source->weights->options == NULL;
}

bool weights_zip_fail(const WeightsSource *source, zip_error_t *error, Err *err) {
    int code = zip_error_code_zip(error);
    if (code == ZIP_ER_MEMORY)
        return err_fail(err, "memory", "too little to read %.160s", source->file->name);
    if (code == ZIP_ER_EXISTS)
        return err_fail(err, source->file->name, "has two entries of the same name");
    return err_fail(err, source->file->name, "cannot be read as a zip archive: %s",
                    zip_error_strerror(error));
}

bool weights_open(WeightsIn *in, const WeightsSource *source, uint64_t entry, uint64_t at,
                  Err *err) {
    *in = (WeightsIn){.source = source, .at = at};
    if (source->archive == NULL)
        return true;
    unsigned char skipped[NPY_HEADER_MAX];
    assert(at <= sizeof skipped);
    in->entry = zip_fopen_index(source->archive, entry, 0);
    return in->entry != NULL ? weights_read(in, skipped, (size_t)at, err)
                             : weights_zip_fail(source, zip_get_error(source->archive), err);
}

bool weights_read(WeightsIn *in, void *out, size_t size, Err *err) {
    if (in->entry == NULL) {
        in->at += size;
        return file_read_at(out, in->source->file, in->at - size, size, err);
    }
    zip_int64_t got = 1;
    for (size_t used = 0; used < size && got > 0; used += (size_t)got) {
        got = zip_fread(in->entry, (char *)out + used, size - used);
        if (got < 0)
            return weights_zip_fail(in->source, zip_file_get_error(in->entry), err);
    }
    return got > 0 ||
           err_fail(err, in->source->file->name, "its compressed data end early; it is damaged");
}

bool weights_read_end(WeightsIn *in, Err *err) {
    char more;
    zip_int64_t got = in->entry != NULL ? zip_fread(in->entry, &more, 1) : 0;
    if (got < 0)
        return weights_zip_fail(in->source, zip_file_get_error(in->entry), err);
    return got == 0 ||
           err_fail(err, in->source->file->name,
                    "its compressed data are longer than their size says; it is damaged");
}

void weights_close(WeightsIn *in) {
    if (in->entry != NULL)
        zip_fclose(in->entry);
    in->entry = NULL;
}

bool weights_take_shape(WeightsSource *source, WeightsPart part, const size_t *shape, int rank,
                        Err *err) {
    WeightsTensor *tensor = &source->weights->tensors[part];
    int needed = WEIGHTS_PARTS[part].rank;
    if (rank != needed)
        return weights_source_fail(source, WEIGHTS_PARTS[part].name,
                                   PRINT("shape has rank %d; rank %d is needed", rank, needed),
                                   err);
    tensor->rank = rank;
    memcpy(tensor->shape, shape, (size_t)rank * sizeof *shape);
    return true;
}

static bool take_tensors(WeightsSource *source, const Safetensors *file, Err *err) {
    for (WeightsPart p = 0; p < WEIGHTS_PART_COUNT; p++) {
        const SafetensorsTensor *tensor = safetensors_find(file, WEIGHTS_PARTS[p].name);
        if (tensor == NULL || weights_passes_over(source, p))
            continue;
        if (!tensor->type->is_float)
            return weights_source_fail(
                source, WEIGHTS_PARTS[p].name,
                PRINT("dtype is %s; F8, F16, BF16, F32 or F64 is needed", tensor->type->name), err);
        if (!weights_take_shape(source, p, tensor->shape, tensor->rank, err))
            return false;
        source->places[p].at = tensor->at;
        source->places[p].type = tensor->type->as;
    }
    return true;
}

static bool take_list(WeightsSource *source, const json_t *list, size_t bytes, Err *err) {
    size_t count = json_array_size(list), used = 0;
    bool sound = json_is_array(list) && count <= TOKENS_MAX;
    for (size_t i = 0; i < count && sound; i++)
        sound = json_is_string(json_array_get(list, i));
    if (!sound)
        return err_fail(err, source->file->name,
                        "its metadata “tokens” must be a JSON array of texts, at most %d",
                        TOKENS_MAX);
    source->names = heap_get((count + 1) * sizeof *source->names);
    source->room = heap_get(bytes);
    if (source->names == NULL || source->room == NULL)
        return err_fail(err, "memory", "too little for the names of rows");
    for (size_t i = 0; i < count; i++) {
        const json_t *text = json_array_get(list, i);
        size_t size = json_string_length(text);
        memcpy(source->room + used, json_string_value(text), size);
        source->names[i] = (WeightsName){source->room + used, size};
        used += size;
    }
    source->name_count = count;
    return true;
}

static bool take_texts(WeightsSource *source, const char *text, Err *err) {
    json_error_t error;
    json_t *list = json_read(text, strlen(text), &error);
    bool taken = take_list(source, list, strlen(text) + 1, err);
    json_decref(list);
    return taken;
}

static bool from_safetensors(WeightsSource *source, Err *err) {
    Safetensors file;
    Weights *weights = source->weights;
    if (!safetensors_open_file(&file, source->file, err))
        return false;
    const char *names = safetensors_metadata(&file, "tokens");
    const char *options = safetensors_metadata(&file, "options");
    const char *note = safetensors_note(&file);
    weights->card = safetensors_card(&file);
    weights->note = note != NULL ? heap_copy(note, strlen(note)) : NULL;
    bool taken = (options == NULL || weights_take_options(weights, options, err)) &&
                 (note == NULL || weights->note != NULL ||
                  err_fail(err, "memory", "too little to read weights; close other programs")) &&
                 take_tensors(source, &file, err) &&
                 (names == NULL || !weights_has(weights, weights_named(weights)) ||
                  take_texts(source, names, err));
    safetensors_release(&file);
    return taken;
}

static const struct {
    const char *ending;
    /* Finds the tensors of a file; NULL if such a file is always a checkpoint. */
    bool (*find)(WeightsSource *source, Err *err);
} FORMATS[] = {{".safetensors", from_safetensors},
               {".npz", weights_from_npz},
               {".safetensors.index.json", NULL}};

static int format_of(const char *path) {
    for (size_t i = 0; i < ARRAY_COUNT(FORMATS); i++) {
        size_t size = strlen(path), ending = strlen(FORMATS[i].ending);
        if (size > ending && strcasecmp(path + size - ending, FORMATS[i].ending) == 0)
            return (int)i;
    }
    return -1;
}

bool weights_file_is(const char *path) {
    return format_of(path) >= 0 || file_is_folder(path);
}

/* Return the place in C order of the file's entry i, and set index[d] to its index in dimension
 * d. */
static size_t entry_place(size_t index[WEIGHTS_RANK_MAX], const WeightsSource *source,
                          WeightsPart part, size_t i) {
    const WeightsTensor *tensor = &source->weights->tensors[part];
    size_t place = 0;
    for (int k = 0; k < tensor->rank; k++) {
        int d = source->places[part].fortran_order ? k : tensor->rank - 1 - k;
        index[d] = i % tensor->shape[d];
        i /= tensor->shape[d];
    }
    for (int d = 0; d < tensor->rank; d++)
        place = place * tensor->shape[d] + index[d];
    return place;
}

static bool not_finite(const WeightsSource *source, WeightsPart part, size_t i, Err *err) {
    size_t index[WEIGHTS_RANK_MAX] = {0};
    char list[120] = "";
    entry_place(index, source, part, i);
    for (int d = 0; d < WEIGHTS_PARTS[part].rank; d++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%zu", d > 0 ? ", " : "",
                 index[d]);
    bool is_double = source->places[part].type == FLOAT_F64;
    return weights_source_fail(
        source, WEIGHTS_PARTS[part].name,
        PRINT("entry [%s] is not finite%s", list, is_double ? ", or too large for float32" : ""),
        err);
}

static bool take_values(const WeightsSource *source, WeightsPart part, const float *values,
                        size_t first, size_t count, Err *err) {
    size_t index[WEIGHTS_RANK_MAX];
    float *out = source->weights->tensors[part].at;
    bool sound = isfinite(row_largest(values, (int)count));
    for (size_t i = 0; !sound && i < count; i++)
        if (!isfinite(values[i]))
            return not_finite(source, part, first + i, err);
    if (!source->places[part].fortran_order)
        memcpy(out + first, values, count * sizeof *values);
    for (size_t i = 0; source->places[part].fortran_order && i < count; i++)
        out[entry_place(index, source, part, first + i)] = values[i];
    return true;
}

static bool read_part(const WeightsSource *source, WeightsPart part, Err *err) {
    const WeightsPlace *place = &source->places[part];
    unsigned char bytes[CHUNK * sizeof(double)];
    float values[CHUNK];
    size_t total = weights_tensor_count(&source->weights->tensors[part]), count;
    WeightsIn in;
    bool read = weights_open(&in, source, place->entry, place->at, err);
    for (size_t first = 0; first < total && read; first += count) {
        count = total - first < CHUNK ? total - first : CHUNK;
        read = weights_read(&in, bytes, count * float_width(place->type), err);
        if (read)
            float_decode(values, bytes, count, place->type, place->big_endian);
        read = read && take_values(source, part, values, first, count, err);
    }
    read = read && weights_read_end(&in, err);
    weights_close(&in);
    if (!read)
        weights_source_name(source, WEIGHTS_PARTS[part].name, err);
    return read;
}

/* Return the number of bytes of the parameters of a layer with these weights and otherwise default
 * options; 0 if the layer is invalid. */
static uint64_t layer_bytes(const Weights *weights) {
    Options options = {0};
    Err unfit = {0};
    option_set_standard(&options, &STATE_OPTIONS);
    if (!weights_fit(&options, weights, 0, &unfit) || !options_check(&options, &unfit))
        return 0;
    AttnShape shape = options_shape(&options, 1, (AttnForm)options.form.row);
    return attn_params_bytes(&shape);
}

static bool check_memory(const WeightsSource *source, Err *err) {
    uint64_t bytes = 0, layer = layer_bytes(source->weights);
    WeightsPart largest = 0;
    for (WeightsPart p = 0; p < WEIGHTS_PART_COUNT; p++) {
        const WeightsTensor *tensors = source->weights->tensors;
        bytes += weights_tensor_count(&tensors[p]) * sizeof(float);
        largest = weights_tensor_count(&tensors[p]) > weights_tensor_count(&tensors[largest])
                      ? p
                      : largest;
    }
    bytes = layer > bytes ? layer : bytes;
    return bytes <= ARENA_BYTES_MAX ||
           weights_source_fail(source, WEIGHTS_PARTS[largest].name,
                               PRINT("shape makes a layer that would take %.1f GB of memory; the "
                                     "limit is 4.3 GB",
                                     (double)bytes / 1e9),
                               err);
}

static bool take_parts(WeightsSource *source, Err *err) {
    for (WeightsPart p = 0; p < WEIGHTS_PART_COUNT; p++) {
        WeightsTensor *tensor = &source->weights->tensors[p];
        if (tensor->rank == 0)
            continue;
        tensor->at = heap_get(weights_tensor_count(tensor) * sizeof *tensor->at);
        if (tensor->at == NULL)
            return err_fail(err, "memory", "too little for “%s” of %.160s; close other programs",
                            WEIGHTS_PARTS[p].name, source->file->name);
        if (!read_part(source, p, err))
            return false;
    }
    return true;
}

static bool take_names(WeightsSource *source, Err *err) {
    Weights *weights = source->weights;
    WeightsPart named = weights_named(weights);
    if (!weights_has(weights, named))
        return true;
    size_t count = source->names != NULL ? source->name_count : weights->tensors[named].shape[0];
    return weights_name_rows(weights, source->names, count, err);
}

/* Find the tensors. Discard an embedding table that cannot be used: its words have no names, or the
 * file also has X. */
static bool find(WeightsSource *source, int format, Err *err) {
    Weights *weights = source->weights;
    if (!FORMATS[format].find(source, err))
        return false;
    if (weights_has(weights, WEIGHTS_X) || source->names == NULL)
        weights->tensors[WEIGHTS_EMBEDDING].rank = 0;
    return true;
}

Weights *weights_file_load(const char *path, const WeightsRequest *request, Err *err) {
    return weights_file_load_as(path, path, request, err);
}

Weights *weights_file_load_as(const char *path, const char *name, const WeightsRequest *request,
                              Err *err) {
    int format = format_of(path);
    uint64_t stamp = file_stamp(path);
    FileIn file;
    if (file_is_folder(path) || (format >= 0 && FORMATS[format].find == NULL))
        return checkpoint_load(path, name, request, err);
    if (format < 0) {
        err_usage(err, path, "weights are read from files that end in .safetensors or .npz");
        return NULL;
    }
    if (!file_open(&file, path, err))
        return NULL;
    WeightsSource source = {.file = &file, .weights = weights_new(name, err)};
    bool found = source.weights != NULL && find(&source, format, err);
    /* A file without Headlight's tensor names may be a checkpoint. */
    bool strange = found && source.archive == NULL;
    for (WeightsPart p = 0; p < WEIGHTS_PART_COUNT && strange; p++)
        strange = !weights_has(source.weights, p);
    bool loaded = found && !strange && weights_agree(source.weights, err) &&
                  check_memory(&source, err) && take_names(&source, err) &&
                  take_parts(&source, err) &&
                  (file_stamp(path) == stamp ||
                   err_fail(err, name, "changed while it was read; open it again"));
    free(source.names);
    free(source.room);
    if (source.archive != NULL)
        zip_discard(source.archive);
    file_close(&file);
    if (loaded)
        return source.weights;
    weights_drop(source.weights);
    return strange ? checkpoint_load(path, name, request, err) : NULL;
}
