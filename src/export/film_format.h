/* film_format.h: files of moving pictures. A format is handed each picture once, with the number of
 * frames that show it, and hands on its bytes. Deterministic: the same pictures give the same
 * bytes. */
#ifndef HEADLIGHT_EXPORT_FILM_FORMAT_H
#define HEADLIGHT_EXPORT_FILM_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Takes the bytes of a film. */
typedef struct FilmOut {
    void *context;
    bool (*put)(void *context, const void *bytes, size_t size, Err *err); /* behind the last ones */
    bool (*put_at)(void *context, uint64_t at, const void *bytes, size_t size, Err *err);
    bool (*put_file)(void *context, long number, const void *bytes, size_t size, Err *err);
} FilmOut;

/* All pictures of a film have this size. */
typedef struct FilmShape {
    int width, height; /* pixels */
    int fps;
} FilmShape;

typedef struct FilmFormat {
    int fps;      /* unless another is asked for */
    int fps_most; /* 0: no limit of its own */
    /* Start a film of this shape; out is borrowed, *film is to be released in any case. */
    bool (*begin)(void **film, const FilmShape *shape, const FilmOut *out, Err *err);
    /* Append a picture, 0xAARRGGBB with straight alpha, that count frames show. */
    bool (*show)(void *film, const uint32_t *pixels, long count, Err *err);
    bool (*end)(void *film, Err *err);
    void (*release)(void *film); /* NULL is none */
} FilmFormat;

extern const FilmFormat FILM_Y4M, FILM_GIF, FILM_APNG, FILM_PNG;

#endif
