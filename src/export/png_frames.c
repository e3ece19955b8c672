#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "export/film_format.h"
#include "export/png.h"

/* Writes a PNG file for each frame, counted from 1. */

typedef struct PngFrames {
    FilmShape shape;
    const FilmOut *out;
    unsigned char *rgba;
    long number; /* number of the last frame */
} PngFrames;

static void release(void *film) {
    PngFrames *frames = film;
    if (frames != NULL)
        free(frames->rgba);
    free(frames);
}

static bool begin(void **film, const FilmShape *shape, const FilmOut *out, Err *err) {
    PngFrames *frames = *film = heap_get_zero(1, sizeof *frames);
    if (frames != NULL) {
        *frames = (PngFrames){.shape = *shape, .out = out};
        frames->rgba = heap_get((size_t)shape->width * (size_t)shape->height * 4);
    }
    return (frames != NULL && frames->rgba != NULL) ||
           err_fail(err, "memory", "too little for frames; use a smaller --size");
}

static bool show(void *film, const uint32_t *pixels, long count, Err *err) {
    PngFrames *frames = film;
    unsigned char *png;
    size_t size, many = (size_t)frames->shape.width * (size_t)frames->shape.height;
    for (size_t i = 0; i < many; i++) {
        const unsigned char rgba[] = {(unsigned char)(pixels[i] >> 16),
                                      (unsigned char)(pixels[i] >> 8), (unsigned char)pixels[i],
                                      (unsigned char)(pixels[i] >> 24)};
        memcpy(frames->rgba + 4 * i, rgba, sizeof rgba);
    }
    if (!png_encode(&png, &size, frames->rgba, frames->shape.width, frames->shape.height, err))
        return false;
    bool put = true;
    for (long i = 0; i < count && put; i++)
        put = frames->out->put_file(frames->out->context, ++frames->number, png, size, err);
    free(png);
    return put;
}

static bool end(void *film, Err *err) {
    (void)film, (void)err;
    return true;
}

const FilmFormat FILM_PNG = {
    .fps = 60,
    .begin = begin,
    .show = show,
    .end = end,
    .release = release,
};
