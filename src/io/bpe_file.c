#include "io/bpe_file.h"

#include <stdlib.h>

#include "base/heap.h"
#include "io/file.h"
#include "io/safetensors_read.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the merges are used where they lie in the file, which is little-endian"
#endif

static bool check_tensor(const SafetensorsTensor *tensor, const char *name, Err *err) {
    if (tensor == NULL || tensor->type != SAFETENSORS_U16 || tensor->rank != 2 ||
        tensor->shape[1] != 2)
        return err_fail(err, name, "needs a tensor “merges” of type U16 with 2 columns");
    if (tensor->shape[0] < 1 || tensor->shape[0] > BPE_MERGES_MAX)
        return err_fail(err, name, "“merges” must have 1 to %d rows", BPE_MERGES_MAX);
    if ((uintptr_t)tensor->data % sizeof(uint16_t) != 0)
        return err_fail(err, name, "“merges” must begin at an even byte; pad the header");
    return true;
}

static bool take_merges(BpeFile *out, const SafetensorsTensor *tensor, const char *name, Err *err) {
    if (!check_tensor(tensor, name, err))
        return false;
    int count = (int)tensor->shape[0];
    out->slots = heap_get_zero(bpe_slot_count(count), sizeof *out->slots);
    if (out->slots == NULL)
        return err_fail(err, name, "memory for the table of merges ran out");
    const BpeMerge *merges = (const BpeMerge *)(const void *)tensor->data;
    int taken = bpe_build(&out->bpe, out->slots, merges, count);
    return taken == count ? true
                          : err_fail(err, name,
                                     "“merges”: row %d is of tokens that no row before it makes, "
                                     "or stands there twice",
                                     taken + 1);
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
    if (!bpe_file_open(out, path, bytes, size, err)) {
        free(bytes);
        return false;
    }
    out->bytes = bytes;
    return true;
}

void bpe_file_release(BpeFile *file) {
    free(file->bytes);
    free(file->slots);
    *file = (BpeFile){0};
}
