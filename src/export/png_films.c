#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "export/film_format.h"
#include "export/png.h"

/* Two film formats of PNG. The first writes a PNG file for each frame, counted from 1. The second
 * writes an animated PNG, which loops for ever: each changed rectangle is compressed as a PNG, and
 * its chunks are copied into the film. Source: PNG specification, third edition, section 11.3.4. */

#define HEAD_BYTES  33 /* bytes of the PNG signature and of the chunk IHDR */
#define COUNT_MAX   65535
#define CHUNK_BYTES 12 /* bytes of a chunk in addition to its data */

static bool encode(TextOut *png, const FilmWriter *w, const uint32_t *pixels, const FilmRect *rect,
                   Err *err) {
    unsigned char *rgba = heap_get(4 * (size_t)rect->width * (size_t)rect->height), *to = rgba;
    if (rgba == NULL)
        return err_fail(err, "memory", "too little for a frame; use a smaller --size");
    for (int y = rect->y; y < rect->y + rect->height; y++)
        for (int x = rect->x; x < rect->x + rect->width; x++, to += 4) {
            uint32_t pixel = pixels[(size_t)y * (size_t)w->shape.width + (size_t)x];
            png_save_uint_32(to, pixel << 8 | pixel >> 24);
        }
    bool encoded = png_encode(png, rgba, rect->width, rect->height, NULL, err);
    free(rgba);
    return encoded;
}

static bool show_frames(FilmWriter *w, const FilmPicture *picture, Err *err) {
    TextOut png = {0};
    FilmRect whole = {0, 0, w->shape.width, w->shape.height};
    bool put = encode(&png, w, picture->pixels, &whole, err);
    for (long i = 1; i <= picture->count && put; i++)
        put = w->out.put_file(w->out.context, picture->first + i, png.at, png.used, err);
    text_out_release(&png);
    return put;
}

const FilmFormat FILM_PNG = {.fps = 60, .show = show_frames};

typedef struct Apng {
    uint32_t sequence, pictures;
} Apng;

/* Append the chunk acTL: the number of pictures, and 0 loops, which means for ever. */
static bool append_animation(TextOut *out, const Apng *apng, Err *err) {
    unsigned char control[8] = {0};
    png_save_uint_32(control, apng->pictures);
    return png_chunk(out, "acTL", control, sizeof control, err);
}

/* Append the chunk fcTL: the place and the duration of a picture. */
static bool append_control(TextOut *out, FilmWriter *w, const FilmRect *r, long count, Err *err) {
    /* The last two bytes stay 0: keep the picture, overwrite its pixels. */
    unsigned char control[26] = {0};
    Apng *apng = w->state;
    const uint32_t words[] = {apng->sequence++, (uint32_t)r->width, (uint32_t)r->height,
                              (uint32_t)r->x, (uint32_t)r->y};
    for (int i = 0; i < 5; i++)
        png_save_uint_32(control + 4 * i, words[i]);
    png_save_uint_16(control + 20, (unsigned)count);
    png_save_uint_16(control + 22, (unsigned)w->shape.fps);
    return png_chunk(out, "fcTL", control, sizeof control, err);
}

/* Append the data of a picture. Only the first picture uses chunks named IDAT. */
static bool append_picture(TextOut *out, FilmWriter *w, const unsigned char *png, size_t size,
                           const FilmRect *rect, long count, Err *err) {
    Apng *apng = w->state;
    TextOut data = {0};
    size_t at = HEAD_BYTES;
    bool is_first = apng->pictures++ == 0, done = true;
    while (memcmp(png + at + 4, "IDAT", 4) != 0)
        at += png_get_uint_32(png + at) + CHUNK_BYTES;
    if (is_first) {
        text_out_bytes(out, png, HEAD_BYTES);
        done = append_animation(out, apng, err);
        text_out_bytes(out, png + HEAD_BYTES, at - HEAD_BYTES);
    }
    done = done && append_control(out, w, rect, count, err);
    if (is_first)
        text_out_bytes(out, png + at, size - CHUNK_BYTES - at);
    for (size_t bytes; !is_first && done && at < size - CHUNK_BYTES; at += bytes + CHUNK_BYTES) {
        unsigned char sequence[4];
        bytes = png_get_uint_32(png + at);
        png_save_uint_32(sequence, apng->sequence++);
        text_out_reset(&data);
        text_out_bytes(&data, sequence, sizeof sequence);
        text_out_bytes(&data, png + at + 8, bytes);
        done = data.failed ? err_fail(err, "PNG", "out of memory")
                           : png_chunk(out, "fdAT", data.at, data.used, err);
    }
    text_out_release(&data);
    return done && (!out->failed || err_fail(err, "PNG", "out of memory"));
}

static bool put_picture(FilmWriter *w, const FilmPicture *picture, const FilmRect *rect, long count,
                        Err *err) {
    TextOut png = {0}, out = {0};
    bool put = encode(&png, w, picture->pixels, rect, err) &&
               append_picture(&out, w, (const unsigned char *)png.at, png.used, rect, count, err) &&
               film_put(w, out.at, out.used, err);
    text_out_release(&out);
    text_out_release(&png);
    return put;
}

/* APNG shows a picture for at most COUNT_MAX frames. For more frames, write its first pixel again,
 * which changes nothing. */
static bool show_apng(FilmWriter *w, const FilmPicture *picture, Err *err) {
    static const FilmRect dot = {0, 0, 1, 1};
    bool put = true;
    for (long left = picture->count, count; left > 0 && put; left -= count) {
        count = left < COUNT_MAX ? left : COUNT_MAX;
        put = put_picture(w, picture, left == picture->count ? &picture->rect : &dot, count, err);
    }
    return put;
}

static bool end_apng(FilmWriter *w, Err *err) {
    TextOut end = {0}, animation = {0};
    bool put = png_chunk(&end, "IEND", NULL, 0, err) &&
               append_animation(&animation, w->state, err) && film_put(w, end.at, end.used, err) &&
               w->out.put_at(w->out.context, HEAD_BYTES, animation.at, animation.used, err);
    text_out_release(&end);
    text_out_release(&animation);
    return put;
}

const FilmFormat FILM_APNG = {
    .fps = 30, .state_bytes = sizeof(Apng), .show = show_apng, .end = end_apng};
