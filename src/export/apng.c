#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "export/changed_rect.h"
#include "export/film_format.h"
#include "export/png.h"

/* Writes an animated PNG, which loops for ever. libpng compresses each rectangle that changed into
 * a PNG, and the chunks of that are copied into the film. Source: PNG specification, third edition,
 * section 11.3.4. */

#define HEAD_BYTES  33 /* bytes of the signature and IHDR */
#define COUNT_MAX   65535
#define CHUNK_BYTES 12 /* bytes of a chunk around its data */

typedef struct Apng {
    FilmShape shape;
    const FilmOut *out;
    png_structp chunks;  /* libpng's writer, used for chunks only */
    Err err;             /* the error of the last chunk */
    uint64_t patch;      /* offset of bytes to be overwritten; 0: append */
    uint32_t *shown;     /* owned: the previous picture */
    unsigned char *part; /* owned: memory for the changed rectangle as RGBA */
    uint32_t sequence, pictures;
    struct {                /* the picture that is written when its duration is known */
        unsigned char *png; /* owned, NULL for none */
        size_t size;
        ChangedRect rect;
        long count;
    } next;
} Apng;

static void release(void *film) {
    Apng *apng = film;
    if (apng == NULL)
        return;
    png_destroy_write_struct(&apng->chunks, NULL);
    free(apng->shown);
    free(apng->part);
    free(apng->next.png);
    free(apng);
}

static void write_bytes(png_structp png, png_bytep data, png_size_t size) {
    Apng *apng = png_get_io_ptr(png);
    const FilmOut *out = apng->out;
    bool put = apng->patch == 0 ? out->put(out->context, data, size, &apng->err)
                                : out->put_at(out->context, apng->patch, data, size, &apng->err);
    apng->patch += apng->patch > 0 ? size : 0;
    if (!put)
        png_longjmp(png, 1);
}

static void flush_nothing(png_structp png) {
    (void)png;
}

static void keep_error(png_structp png, png_const_charp message) {
    Apng *apng = png_get_error_ptr(png);
    err_fail(&apng->err, "PNG", "%s", message);
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

/* Write a chunk whose data are head and then tail. */
static bool put_chunk(Apng *apng, const char *name, const void *head, size_t head_bytes,
                      const void *tail, size_t tail_bytes, Err *err) {
    png_structp png = apng->chunks;
    if (setjmp(png_jmpbuf(png)) != 0) {
        *err = apng->err;
        return false;
    }
    png_write_chunk_start(png, (png_const_bytep)name, (png_uint_32)(head_bytes + tail_bytes));
    png_write_chunk_data(png, head, head_bytes);
    png_write_chunk_data(png, tail, tail_bytes);
    png_write_chunk_end(png);
    return true;
}

static bool begin(void **film, const FilmShape *shape, const FilmOut *out, Err *err) {
    size_t pixels = (size_t)shape->width * (size_t)shape->height;
    Apng *apng = *film = heap_get_zero(1, sizeof *apng);
    if (apng != NULL) {
        apng->shape = *shape;
        apng->out = out;
        apng->shown = heap_get(pixels * sizeof *apng->shown);
        apng->part = heap_get(4 * pixels);
        apng->chunks =
            png_create_write_struct(PNG_LIBPNG_VER_STRING, apng, keep_error, ignore_warning);
    }
    if (apng == NULL || apng->shown == NULL || apng->part == NULL || apng->chunks == NULL)
        return err_fail(err, "memory", "too little for a moving PNG; use a smaller --size");
    png_set_write_fn(apng->chunks, apng, write_bytes, flush_nothing);
    return true;
}

/* Write the chunk with the number of pictures and the number of loops, for ever. */
static bool put_animation(Apng *apng, Err *err) {
    unsigned char control[8] = {0};
    png_save_uint_32(control, apng->pictures);
    return put_chunk(apng, "acTL", control, sizeof control, NULL, 0, err);
}

/* Write the chunk with the place and the duration of the waiting picture. */
static bool put_frame_control(Apng *apng, Err *err) {
    unsigned char control[26] = {0}; /* last two bytes: keep the picture, overwrite pixels */
    const ChangedRect *r = &apng->next.rect;
    const uint32_t words[] = {apng->sequence++, (uint32_t)r->width, (uint32_t)r->height,
                              (uint32_t)r->x, (uint32_t)r->y};
    for (int i = 0; i < 5; i++)
        png_save_uint_32(control + 4 * i, words[i]);
    png_save_uint_16(control + 20, (unsigned)apng->next.count);
    png_save_uint_16(control + 22, (unsigned)apng->shape.fps);
    return put_chunk(apng, "fcTL", control, sizeof control, NULL, 0, err);
}

/* Write one chunk of the waiting PNG in the form that it has in the film. */
static bool put_part(Apng *apng, const char *name, const unsigned char *data, size_t size,
                     Err *err) {
    unsigned char sequence[4];
    bool is_first = apng->pictures == 1;
    if (strcmp(name, "IDAT") != 0)
        return !is_first || put_chunk(apng, name, data, size, NULL, 0, err);
    if (is_first)
        return put_chunk(apng, name, data, size, NULL, 0, err);
    png_save_uint_32(sequence, apng->sequence++);
    return put_chunk(apng, "fdAT", sequence, sizeof sequence, data, size, err);
}

/* Write the chunks of the waiting PNG between its head and its end. */
static bool put_parts(Apng *apng, Err *err) {
    const unsigned char *png = apng->next.png;
    bool is_controlled = false;
    for (size_t at = HEAD_BYTES; at + CHUNK_BYTES < apng->next.size;) {
        char name[5] = "";
        size_t size = png_get_uint_32(png + at);
        memcpy(name, png + at + 4, 4);
        if (strcmp(name, "IDAT") == 0 && !is_controlled && !put_frame_control(apng, err))
            return false;
        is_controlled |= strcmp(name, "IDAT") == 0;
        if (!put_part(apng, name, png + at + 8, size, err))
            return false;
        at += size + CHUNK_BYTES;
    }
    return true;
}

/* Write the waiting picture. */
static bool put_next(Apng *apng, Err *err) {
    if (apng->next.png == NULL)
        return true;
    bool is_first = apng->pictures++ == 0;
    bool done =
        (!is_first || (apng->out->put(apng->out->context, apng->next.png, HEAD_BYTES, err) &&
                       put_animation(apng, err))) &&
        put_parts(apng, err);
    free(apng->next.png);
    apng->next.png = NULL;
    return done;
}

static bool prepare(Apng *apng, const uint32_t *pixels, const ChangedRect *rect, Err *err) {
    unsigned char *to = apng->part;
    for (int y = 0; y < rect->height; y++)
        for (int x = 0; x < rect->width; x++, to += 4) {
            uint32_t pixel =
                pixels[(size_t)(rect->y + y) * (size_t)apng->shape.width + (size_t)(rect->x + x)];
            png_save_uint_32(to, pixel << 8 | pixel >> 24);
        }
    apng->next.rect = *rect;
    apng->next.count = 0;
    return png_encode(&apng->next.png, &apng->next.size, apng->part, rect->width, rect->height,
                      err);
}

/* Repeat a picture's first pixel, because a picture is shown for at most COUNT_MAX frames. */
static bool count_frames(Apng *apng, const uint32_t *pixels, long count, Err *err) {
    static const ChangedRect dot = {0, 0, 1, 1};
    while (apng->next.count + count > COUNT_MAX) {
        count -= COUNT_MAX - apng->next.count;
        apng->next.count = COUNT_MAX;
        if (!put_next(apng, err) || !prepare(apng, pixels, &dot, err))
            return false;
    }
    apng->next.count += count;
    return true;
}

static bool show(void *film, const uint32_t *pixels, long count, Err *err) {
    Apng *apng = film;
    int width = apng->shape.width, height = apng->shape.height;
    bool is_first = apng->pictures == 0 && apng->next.png == NULL;
    ChangedRect rect = is_first ? (ChangedRect){0, 0, width, height}
                                : changed_rect(apng->shown, pixels, width, height);
    if (rect.width > 0) {
        if (!put_next(apng, err) || !prepare(apng, pixels, &rect, err))
            return false;
        memcpy(apng->shown, pixels, (size_t)width * (size_t)height * sizeof *pixels);
    }
    return count_frames(apng, pixels, count, err);
}

static bool end(void *film, Err *err) {
    Apng *apng = film;
    if (!put_next(apng, err) || !put_chunk(apng, "IEND", NULL, 0, NULL, 0, err))
        return false;
    apng->patch = HEAD_BYTES;
    return put_animation(apng, err);
}

const FilmFormat FILM_APNG = {
    .fps = 30,
    .begin = begin,
    .show = show,
    .end = end,
    .release = release,
};
