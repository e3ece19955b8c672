/* film_format.h: the interface of film formats. A format gets each picture once, with the number of
 * frames that show it, and writes bytes. Deterministic: the same pictures give the same bytes. */
#ifndef HEADLIGHT_EXPORT_FILM_FORMAT_H
#define HEADLIGHT_EXPORT_FILM_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Where a film's bytes go. */
typedef struct FilmOut {
    void *context;
    bool (*put)(void *context, const void *bytes, size_t size, Err *err); /* appends */
    bool (*put_at)(void *context, uint64_t at, const void *bytes, size_t size, Err *err);
    bool (*put_file)(void *context, long number, const void *bytes, size_t size, Err *err);
} FilmOut;

/* All pictures of a film have this size. */
typedef struct FilmShape {
    int width, height; /* pixels */
    int fps;
} FilmShape;

typedef struct FilmFormat {
    int fps;      /* default number of frames per second */
    int fps_most; /* greatest number of frames per second; 0: no limit */
    /* Start a film of this shape. out is borrowed. *film must be released in any case. */
    bool (*begin)(void **film, const FilmShape *shape, const FilmOut *out, Err *err);
    /* Append a picture, 0xAARRGGBB with straight alpha, that is shown for count frames. */
    bool (*show)(void *film, const uint32_t *pixels, long count, Err *err);
    bool (*end)(void *film, Err *err);
    void (*release)(void *film); /* NULL is allowed */
} FilmFormat;

extern const FilmFormat FILM_Y4M, FILM_GIF, FILM_APNG, FILM_PNG;

#endif
