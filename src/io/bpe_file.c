#include "io/bpe_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "io/file.h"
#include "io/safetensors_read.h"

/* Read the rows, and set v->starts to where each token's text begins. Return the number of rows
 * before the first invalid one. */
static uint32_t take_rows(Vocabulary *v, const unsigned char *at) {
    for (uint32_t i = 0; i < v->bpe.count; i++, at += 4) {
        uint32_t joined = BPE_BYTES + i, end = v->starts[joined],
                 pair[] = {(uint32_t)(at[0] | at[1] << 8), (uint32_t)(at[2] | at[3] << 8)};
        for (int side = 0; side < 2; side++) {
            if (pair[side] >= joined)
                return i;
            pair[side] = pair[side] < BPE_BYTES ? (uint32_t)v->bytes[pair[side]] : pair[side];
            end += v->starts[pair[side] + 1] - v->starts[pair[side]];
        }
        if (end > VOCABULARY_TEXT_MAX)
            return i;
        v->bpe.merges[i] = (BpeMerge){.left = pair[0], .right = pair[1], .joined = joined};
        v->starts[joined + 1] = end;
    }
    return v->bpe.count;
}

static void write_texts(Vocabulary *v) {
    for (int b = 0; b < BPE_BYTES; b++)
        v->text[v->bytes[b]] = (char)b;
    for (uint32_t i = 0; i < v->bpe.count; i++) {
        const BpeMerge *m = &v->bpe.merges[i];
        size_t first, second;
        const char *left = vocabulary_bytes(v, (int)m->left, &first),
                   *right = vocabulary_bytes(v, (int)m->right, &second);
        memcpy(v->text + v->starts[m->joined], left, first);
        memcpy(v->text + v->starts[m->joined] + first, right, second);
    }
}

static bool take_merges(Vocabulary *v, const SafetensorsTensor *tensor, const char *name,
                        Err *err) {
    if (tensor == NULL || strcmp(tensor->type->name, "U16") != 0 || tensor->rank != 2 ||
        tensor->shape[1] != 2)
        return err_fail(err, name, "needs a tensor “merges” of type U16 with 2 columns");
    if (tensor->shape[0] < 1 || tensor->shape[0] > BPE_FILE_MERGES_MAX)
        return err_fail(err, name, "“merges” must have 1 to %d rows", BPE_FILE_MERGES_MAX);
    uint32_t count = (uint32_t)tensor->shape[0], tokens = BPE_BYTES + count;
    v->model = &VOCABULARY_MODELS[VOCABULARY_BPE];
    v->count = (int)tokens;
    v->unknown = -1;
    v->is_bytes = true;
    v->steps[v->step_count++] = (VocabularyStep){.run = step_pattern};
    v->bpe = (Bpe){heap_get(count * sizeof *v->bpe.merges), count};
    v->starts = heap_get((tokens + 1) * sizeof *v->starts);
    if (v->bpe.merges == NULL || v->starts == NULL)
        return err_fail(err, name, "memory for the table of merges ran out");
    for (uint32_t letter = 0, id = 0; id < BPE_BYTES; letter++)
        if (vocabulary_byte(letter) >= 0)
            v->bytes[vocabulary_byte(letter)] = (int)id++;
    for (uint32_t id = 0; id <= BPE_BYTES; id++)
        v->starts[id] = id;
    uint32_t good = take_rows(v, tensor->data);
    if (good == count) {
        v->text = heap_get(v->starts[tokens]);
        if (v->text == NULL)
            return err_fail(err, name, "memory for the tokens ran out");
        write_texts(v);
        good = bpe_sort(&v->bpe);
    }
    return good == count ||
           err_fail(
               err, name,
               "“merges”: row %u uses a token that no earlier row makes, or repeats an earlier row",
               good + 1);
}

Vocabulary *bpe_file_open(const char *name, const void *bytes, size_t size, Err *err) {
    Safetensors file;
    if (!safetensors_open(&file, name, bytes, size, err))
        return NULL;
    Vocabulary *v = heap_get_zero(1, sizeof *v);
    bool taken = v != NULL ? take_merges(v, safetensors_find(&file, "merges"), name, err)
                           : err_fail(err, name, "memory for the merges ran out");
    safetensors_release(&file);
    if (taken)
        return v;
    vocabulary_release(v);
    return NULL;
}

Vocabulary *bpe_file_load(const char *path, Err *err) {
    char *bytes;
    size_t size;
    if (!file_read(&bytes, &size, path, BPE_FILE_MAX, err))
        return NULL;
    Vocabulary *v = bpe_file_open(path, bytes, size, err);
    free(bytes);
    return v;
}
