#include "shell/record_out.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* True for a pattern of frames' names: it has one %d, with a width from %1d to %09d, and no other
 * %. */
static bool check_pattern(const char *pattern, Err *err) {
    const char *at = strchr(pattern, '%');
    size_t digits = at != NULL ? strspn(at + 1, "0123456789") : 0;
    if (at != NULL && digits <= 2 && at[1 + digits] == 'd' && strchr(at + 1, '%') == NULL)
        return true;
    return err_usage(err, "-o",
                     "a file for each frame needs its number in the name, as in frames/%%05d.png");
}

bool record_out_begin(RecordOut *out, const Call *call, Err *err) {
    out->file.fd = out->ffmpeg.input = -1;
    if (out->pattern != NULL) {
        output_take_signals(out->pattern);
        return check_pattern(out->pattern, err) && file_make_folders(out->pattern, err);
    }
    if (!output_begin(&out->file, call, err))
        return false;
    if (out->encoder == NULL)
        return true;
    if (out->file.in_place)
        return err_fail(err, call->output, "is no regular file, which this format needs");
    return ffmpeg_begin(&out->ffmpeg, out->encoder, out->chapters.at, out->file.temporary, err);
}

static bool put(void *context, const void *bytes, size_t size, Err *err) {
    RecordOut *out = context;
    if (out->encoder != NULL)
        return ffmpeg_put(&out->ffmpeg, bytes, size, err);
    out->size += size;
    return file_append(&out->file, bytes, size, err);
}

static bool put_at(void *context, uint64_t at, const void *bytes, size_t size, Err *err) {
    RecordOut *out = context;
    return file_seek(&out->file, at, err) && file_append(&out->file, bytes, size, err) &&
           file_seek(&out->file, out->size, err);
}

static bool put_file(void *context, long number, const void *bytes, size_t size, Err *err) {
    RecordOut *out = context;
    char path[FILE_PATH_BYTES];
    const char *at = strchr(out->pattern, '%');
    int width = 0, skip = 1;
    assert(at != NULL);
    for (; at[skip] != 'd'; skip++)
        width = 10 * width + at[skip] - '0';
    int bytes_used = snprintf(path, sizeof path, at[1] == '0' ? "%.*s%0*ld%s" : "%.*s%*ld%s",
                              (int)(at - out->pattern), out->pattern, width, number, at + skip + 1);
    if (bytes_used < 0 || (size_t)bytes_used >= sizeof path)
        return err_usage(err, "-o", "the name is too long; use a shorter one");
    output_hold(true);
    bool wrote = output_check_memory(err) && file_write_quick(path, bytes, size, err);
    output_hold(false);
    return wrote;
}

FilmOut record_out_film(RecordOut *out) {
    return (FilmOut){.context = out, .put = put, .put_at = put_at, .put_file = put_file};
}

/* Fail if the file is empty, because a program called ffmpeg may report success without writing. */
static bool end_encoder(RecordOut *out, Err *err) {
    struct stat info;
    return ffmpeg_end(&out->ffmpeg, err) &&
           ((fstat(out->file.fd, &info) == 0 && info.st_size > 0) ||
            err_fail(err, "ffmpeg", "wrote nothing; see that the program of this name is FFmpeg"));
}

bool record_out_commit(RecordOut *out, Err *err) {
    if (out->pattern != NULL)
        return true;
    if (out->encoder != NULL && !end_encoder(out, err))
        return false;
    return output_commit(&out->file, err);
}

void record_out_release(RecordOut *out) {
    if (out->encoder != NULL)
        ffmpeg_release(&out->ffmpeg);
    if (out->file.fd >= 0)
        file_abandon(&out->file);
}
