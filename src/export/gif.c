#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "export/changed_rect.h"
#include "export/colour_cut.h"
#include "export/film_format.h"
#include "export/lzw.h"

/* Writes a GIF, which loops for ever. Each picture after the first is the rectangle that changed,
 * with a palette of its own; its unchanged pixels are transparent. Source: GIF89a specification. */

#define CLEAR     0 /* index of the transparent colour */
#define DELAY_MAX 65535

typedef struct Gif {
    FilmShape shape;
    const FilmOut *out;
    uint32_t *shown; /* owned: the previous picture */
    bool has_shown;
    ColourCut cut;
    Lzw lzw;
    long frames; /* number of frames so far */
    struct {     /* the picture that is written when its duration is known */
        bool is_there, leaves;
        ChangedRect rect;
        int palette_bits;
        unsigned char palette[3 * COLOUR_CUT_MAX];
        long count;
    } next;
} Gif;

static void release(void *film) {
    Gif *gif = film;
    if (gif == NULL)
        return;
    colour_cut_release(&gif->cut);
    lzw_release(&gif->lzw);
    free(gif->shown);
    free(gif);
}

static bool fail_memory(Err *err) {
    return err_fail(err, "memory", "too little for a GIF; use a smaller --size");
}

static bool put(Gif *gif, const void *bytes, size_t size, Err *err) {
    return gif->out->put(gif->out->context, bytes, size, err);
}

#define LOW(value)  ((unsigned char)(value))
#define HIGH(value) ((unsigned char)((value) >> 8))

static bool begin(void **film, const FilmShape *shape, const FilmOut *out, Err *err) {
    Gif *gif = *film = heap_get_zero(1, sizeof *gif);
    if (gif == NULL)
        return fail_memory(err);
    gif->shape = *shape;
    gif->out = out;
    gif->shown = heap_get((size_t)shape->width * (size_t)shape->height * sizeof *gif->shown);
    if (gif->shown == NULL)
        return fail_memory(err);
    const unsigned char head[] = {'G',
                                  'I',
                                  'F',
                                  '8',
                                  '9',
                                  'a',
                                  LOW(shape->width),
                                  HIGH(shape->width),
                                  LOW(shape->height),
                                  HIGH(shape->height),
                                  0x70,
                                  0,
                                  0};
    static const unsigned char loop[] = "\x21\xFF\x0BNETSCAPE2.0\x03\x01\x00\x00";
    return put(gif, head, sizeof head, err) && put(gif, loop, sizeof loop, err);
}

/* Return a pixel on white, because GIF has no partial transparency. */
static uint32_t colour_of(uint32_t pixel) {
    uint32_t alpha = pixel >> 24, out = 0;
    for (int shift = 0; shift <= 16; shift += 8)
        out |= ((pixel >> shift & 255) * alpha + 255 * (255 - alpha) + 127) / 255 << shift;
    return out;
}

/* True if the pixel has not changed since the previous picture. */
static bool stays(const Gif *gif, const uint32_t *pixels, size_t at) {
    return gif->has_shown && gif->shown[at] == pixels[at];
}

static size_t place(const Gif *gif, const ChangedRect *rect, int x, int y) {
    return (size_t)(rect->y + y) * (size_t)gif->shape.width + (size_t)(rect->x + x);
}

static bool choose_palette(Gif *gif, const uint32_t *pixels, const ChangedRect *rect) {
    uint32_t colours[COLOUR_CUT_MAX];
    colour_cut_begin(&gif->cut);
    for (int y = 0; y < rect->height; y++)
        for (int x = 0; x < rect->width; x++) {
            size_t at = place(gif, rect, x, y);
            if (!stays(gif, pixels, at) && !colour_cut_add(&gif->cut, colour_of(pixels[at])))
                return false;
        }
    int count = colour_cut(colours, &gif->cut, COLOUR_CUT_MAX - 1), bits = 2;
    while (1 << bits < count + 1)
        bits++;
    memset(gif->next.palette, 0, sizeof gif->next.palette);
    for (int i = 0; i < count; i++)
        for (int channel = 0; channel < 3; channel++)
            gif->next.palette[3 * (i + 1) + channel] = LOW(colours[i] >> (16 - 8 * channel));
    gif->next.palette_bits = bits;
    return count > 0;
}

static bool prepare(Gif *gif, const uint32_t *pixels, const ChangedRect *rect, Err *err) {
    if (!choose_palette(gif, pixels, rect))
        return fail_memory(err);
    lzw_begin(&gif->lzw, gif->next.palette_bits);
    for (int y = 0; y < rect->height; y++)
        for (int x = 0; x < rect->width; x++) {
            size_t at = place(gif, rect, x, y);
            lzw_put(&gif->lzw, stays(gif, pixels, at)
                                   ? CLEAR
                                   : 1 + colour_cut_index(&gif->cut, colour_of(pixels[at])));
        }
    if (!lzw_end(&gif->lzw))
        return fail_memory(err);
    gif->next.rect = *rect;
    gif->next.is_there = true;
    gif->next.leaves = gif->has_shown;
    return true;
}

/* Return the time of a frame in hundredths of a second. Computed from its number, so rounding
 * errors do not accumulate. */
static long hundredths(const Gif *gif, long frame) {
    return (frame * 100 + gif->shape.fps / 2) / gif->shape.fps;
}

/* Write the waiting picture. */
static bool put_next(Gif *gif, Err *err) {
    if (!gif->next.is_there)
        return true;
    const ChangedRect *r = &gif->next.rect;
    long delay = hundredths(gif, gif->frames) - hundredths(gif, gif->frames - gif->next.count);
    int bits = gif->next.palette_bits;
    delay = delay < DELAY_MAX ? delay : DELAY_MAX;
    gif->next.is_there = false;
    const unsigned char head[] = {0x21,
                                  0xF9,
                                  4,
                                  (unsigned char)(1 << 2 | gif->next.leaves),
                                  LOW(delay),
                                  HIGH(delay),
                                  CLEAR,
                                  0,
                                  0x2C,
                                  LOW(r->x),
                                  HIGH(r->x),
                                  LOW(r->y),
                                  HIGH(r->y),
                                  LOW(r->width),
                                  HIGH(r->width),
                                  LOW(r->height),
                                  HIGH(r->height),
                                  (unsigned char)(0x80 | (bits - 1))};
    unsigned char symbol_bits = (unsigned char)bits;
    return put(gif, head, sizeof head, err) &&
           put(gif, gif->next.palette, (size_t)3 << bits, err) && put(gif, &symbol_bits, 1, err) &&
           put(gif, gif->lzw.bytes, gif->lzw.used, err);
}

static bool show(void *film, const uint32_t *pixels, long count, Err *err) {
    Gif *gif = film;
    size_t bytes = (size_t)gif->shape.width * (size_t)gif->shape.height * sizeof *pixels;
    ChangedRect rect = {0, 0, gif->shape.width, gif->shape.height};
    if (gif->has_shown)
        rect = changed_rect(gif->shown, pixels, gif->shape.width, gif->shape.height);
    if (rect.width > 0) {
        if (!put_next(gif, err) || !prepare(gif, pixels, &rect, err))
            return false;
        gif->next.count = 0;
        memcpy(gif->shown, pixels, bytes);
        gif->has_shown = true;
    }
    gif->next.count += count;
    gif->frames += count;
    return true;
}

static bool end(void *film, Err *err) {
    return put_next(film, err) && put(film, "\x3B", 1, err);
}

const FilmFormat FILM_GIF = {
    .fps = 25,
    .fps_most = 50,
    .begin = begin,
    .show = show,
    .end = end,
    .release = release,
};
