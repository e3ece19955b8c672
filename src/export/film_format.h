/* film_format.h: writes pictures as a film in one of several formats. A picture that is shown
 * several times in a row is written once, with the number of its frames. Deterministic: the same
 * pictures give the same bytes. To add a format, write its file with a FilmFormat, declare it here,
 * and add a row to FORMATS in shell/record.c. */
#ifndef HEADLIGHT_EXPORT_FILM_FORMAT_H
#define HEADLIGHT_EXPORT_FILM_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

typedef struct FilmOut {
    void *context;
    bool (*put)(void *context, const void *bytes, size_t size, Err *err);
    bool (*put_at)(void *context, uint64_t at, const void *bytes, size_t size, Err *err);
    bool (*put_file)(void *context, long number, const void *bytes, size_t size, Err *err);
} FilmOut;

typedef struct FilmShape {
    int width, height; /* pixels */
    int fps;
} FilmShape;

typedef struct FilmRect {
    int x, y, width, height;
} FilmRect;

/* A picture, 0xFFRRGGBB. It differs from the previous picture. */
typedef struct FilmPicture {
    const uint32_t *pixels, *before; /* before: the previous picture; NULL for the first */
    FilmRect rect;                   /* a rectangle that contains every difference from `before` */
    /* First frame that shows the picture, and number of such frames. */
    long first, count;
} FilmPicture;

typedef struct FilmWriter FilmWriter;

typedef struct FilmFormat {
    int fps;            /* default number of frames per second */
    int fps_most;       /* limit of frames per second; 0: none */
    size_t state_bytes; /* size of FilmWriter.state, which is set to zeros before begin */
    /* begin, end and release may be NULL if there is nothing to do. */
    bool (*begin)(FilmWriter *writer, Err *err);
    bool (*show)(FilmWriter *writer, const FilmPicture *picture, Err *err);
    bool (*end)(FilmWriter *writer, Err *err);
    void (*release)(FilmWriter *writer); /* frees the memory that state owns */
} FilmFormat;

extern const FilmFormat FILM_Y4M, FILM_GIF, FILM_APNG, FILM_PNG;

struct FilmWriter {
    const FilmFormat *format;
    FilmShape shape;
    FilmOut out;
    void *state; /* owned: the format's own data */
    /* Owned: the last picture, not written yet because its number of frames may grow; the picture
     * before it. */
    uint32_t *waiting, *shown;
    FilmRect rect;
    /* First frame and number of frames of the waiting picture; count 0: no picture waits. */
    long first, count;
};

/* Start a film of this shape. Call film_writer_release even on failure. */
bool film_writer_begin(FilmWriter *writer, const FilmFormat *format, const FilmShape *shape,
                       const FilmOut *out, Err *err);

/* Append a picture that is shown for count frames, at least one. */
bool film_writer_show(FilmWriter *writer, const uint32_t *pixels, long count, Err *err);

bool film_writer_end(FilmWriter *writer, Err *err);
void film_writer_release(FilmWriter *writer);

/* For use by formats: append bytes to the film. */
bool film_put(FilmWriter *writer, const void *bytes, size_t size, Err *err);

#endif
