#include "export/film_format.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"

/* Return the smallest rectangle that contains every difference between two pictures; width is 0 if
 * there is none. */
static FilmRect changed_rect(const uint32_t *before, const uint32_t *now, int width, int height) {
    int top = -1, bottom = 0, left = width, right = 0;
    for (int y = 0; y < height; y++) {
        const uint32_t *a = before + (size_t)y * (size_t)width, *b = now + (a - before);
        if (memcmp(a, b, (size_t)width * sizeof *a) == 0)
            continue;
        top = top < 0 ? y : top;
        bottom = y + 1;
        int from = 0, to = width;
        while (a[from] == b[from])
            from++;
        while (a[to - 1] == b[to - 1])
            to--;
        left = from < left ? from : left;
        right = to > right ? to : right;
    }
    if (top < 0)
        return (FilmRect){0};
    return (FilmRect){left, top, right - left, bottom - top};
}

bool film_writer_begin(FilmWriter *w, const FilmFormat *format, const FilmShape *shape,
                       const FilmOut *out, Err *err) {
    size_t pixels = (size_t)shape->width * (size_t)shape->height;
    *w = (FilmWriter){.format = format,
                      .shape = *shape,
                      .out = *out,
                      .state = heap_get_zero(1, format->state_bytes + 1),
                      .waiting = heap_get(pixels * sizeof *w->waiting),
                      .shown = heap_get(pixels * sizeof *w->shown)};
    if (w->state == NULL || w->waiting == NULL || w->shown == NULL)
        return err_fail(err, "memory", "too little for frames of %d x %d; use a smaller --size",
                        shape->width, shape->height);
    return format->begin == NULL || format->begin(w, err);
}

/* Write the waiting picture. The number of its frames is now known. */
static bool put_waiting(FilmWriter *w, Err *err) {
    FilmPicture picture = {w->waiting, w->first > 0 ? w->shown : NULL, w->rect, w->first, w->count};
    w->first += w->count;
    w->count = 0;
    return picture.count == 0 || w->format->show(w, &picture, err);
}

bool film_writer_show(FilmWriter *w, const uint32_t *pixels, long count, Err *err) {
    int width = w->shape.width, height = w->shape.height;
    assert(count > 0);
    FilmRect rect = w->first + w->count == 0 ? (FilmRect){0, 0, width, height}
                                             : changed_rect(w->waiting, pixels, width, height);
    if (rect.width == 0) {
        w->count += count;
        return true;
    }
    if (!put_waiting(w, err))
        return false;
    uint32_t *next = w->shown;
    w->shown = w->waiting;
    w->waiting = memcpy(next, pixels, (size_t)width * (size_t)height * sizeof *pixels);
    w->rect = rect;
    w->count = count;
    return true;
}

bool film_writer_end(FilmWriter *w, Err *err) {
    return put_waiting(w, err) && (w->format->end == NULL || w->format->end(w, err));
}

void film_writer_release(FilmWriter *w) {
    if (w->state != NULL && w->format->release != NULL)
        w->format->release(w);
    free(w->state);
    free(w->waiting);
    free(w->shown);
    *w = (FilmWriter){0};
}

bool film_put(FilmWriter *w, const void *bytes, size_t size, Err *err) {
    return w->out.put(w->out.context, bytes, size, err);
}
