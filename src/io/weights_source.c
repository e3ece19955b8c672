#include "io/weights_source.h"

#include <assert.h>
#include <string.h>

#include "io/npy.h"

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
