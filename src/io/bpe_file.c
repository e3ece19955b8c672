#include "io/bpe_file.h"

#include <stdlib.h>

#include "base/heap.h"
#include "io/file.h"
#include "io/safetensors_read.h"

static bool check_tensor(const SafetensorsTensor *tensor, const char *name, Err *err) {
    if (tensor == NULL || tensor->type != SAFETENSORS_U16 || tensor->rank != 2 ||
        tensor->shape[1] != 2)
        return err_fail(err, name, "needs a tensor “merges” of type U16 with 2 columns");
    return (tensor->shape[0] >= 1 && tensor->shape[0] <= BPE_FILE_MERGES_MAX) ||
           err_fail(err, name, "“merges” must have 1 to %d rows", BPE_FILE_MERGES_MAX);
}

static bool take_merges(BpeFile *out, const SafetensorsTensor *tensor, const char *name, Err *err) {
    if (!check_tensor(tensor, name, err))
        return false;
    uint32_t count = (uint32_t)tensor->shape[0], tokens = BPE_BYTES + count, bad = count;
    const unsigned char *at = tensor->data;
    out->merges = heap_get(count * sizeof *out->merges);
    out->index = heap_get(bpe_index_entries(tokens, count) * sizeof *out->index);
    if (out->merges == NULL || out->index == NULL)
        return err_fail(err, name, "memory for the table of merges ran out");
    for (uint32_t i = 0; i < count; i++, at += 4) {
        BpeMerge m = {(uint32_t)(at[0] | at[1] << 8), (uint32_t)(at[2] | at[3] << 8),
                      BPE_BYTES + i};
        out->merges[i] = m;
        if (bad == count && (m.left >= m.joined || m.right >= m.joined))
            bad = i;
    }
    if (bad == count)
        bad = bpe_build(&out->bpe, out->index, tokens, out->merges, count);
    return bad == count ? true
                        : err_fail(err, name,
                                   "“merges”: row %u is of tokens that no row before it makes, "
                                   "or stands there twice",
                                   bad + 1);
}

bool bpe_file_open(BpeFile *out, const char *name, const void *bytes, size_t size, Err *err) {
    Safetensors file;
    *out = (BpeFile){0};
    bool ok = safetensors_open(&file, name, bytes, size, err);
    if (ok) {
        ok = take_merges(out, safetensors_find(&file, "merges"), name, err);
        safetensors_release(&file);
    }
    if (!ok)
        bpe_file_release(out);
    return ok;
}

bool bpe_file_load(BpeFile *out, const char *path, Err *err) {
    char *bytes;
    size_t size;
    *out = (BpeFile){0};
    if (!file_read(&bytes, &size, path, BPE_FILE_MAX, err))
        return false;
    bool opened = bpe_file_open(out, path, bytes, size, err);
    free(bytes);
    return opened;
}

void bpe_file_release(BpeFile *file) {
    free(file->merges);
    free(file->index);
    *file = (BpeFile){0};
}
