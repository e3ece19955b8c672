#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "export/film_format.h"

/* Writes a film as uncompressed frames of Y, Cb and Cr, which most encoders can read. Cb and Cr
 * have half the resolution in both directions. Source: ITU-R BT.709, limited range; the format of
 * mjpegtools. */

#define FRAME_MARK  "FRAME\n"
#define FRAME_BYTES (sizeof FRAME_MARK - 1)

typedef struct Y4m {
    unsigned char *frame; /* owned: the marker of a frame, then its planes */
    size_t frame_bytes;
} Y4m;

static void release(FilmWriter *w) {
    free(((Y4m *)w->state)->frame);
}

static bool begin(FilmWriter *w, Err *err) {
    char head[120];
    Y4m *y4m = w->state;
    int width = w->shape.width, height = w->shape.height;
    size_t chroma = (size_t)((width + 1) / 2) * (size_t)((height + 1) / 2);
    y4m->frame_bytes = FRAME_BYTES + (size_t)width * (size_t)height + 2 * chroma;
    y4m->frame = heap_get(y4m->frame_bytes);
    if (y4m->frame == NULL)
        return err_fail(err, "memory", "too little for frames of %d x %d; use a smaller --size",
                        width, height);
    memcpy(y4m->frame, FRAME_MARK, FRAME_BYTES);
    int bytes = snprintf(head, sizeof head,
                         "YUV4MPEG2 W%d H%d F%d:1 Ip A1:1 C420mpeg2 XCOLORRANGE=LIMITED\n", width,
                         height, w->shape.fps);
    return film_put(w, head, (size_t)bytes, err);
}

/* Return Y, from 16 to 235; chroma returns Cb or Cr, from 16 to 240. Coefficients of BT.709, times
 * 65536. */
static unsigned char luma(int r, int g, int b) {
    return (unsigned char)(16 + ((11966 * r + 40254 * g + 4064 * b + 32768) >> 16));
}

static unsigned char chroma(int sum) {
    return (unsigned char)((sum + (128 << 16) + 32768) >> 16);
}

/* Compute the chroma planes. Each sample is the chroma of the mean of four pixels; at an odd edge
 * the last row or column counts twice. */
static void convert_chroma(unsigned char *blue, unsigned char *red, const uint32_t *above,
                           const uint32_t *below, int width) {
    for (int x = 0; x < width; x += 2) {
        int next = x + 1 < width ? x + 1 : x;
        uint32_t a = above[x], b = above[next], c = below[x], d = below[next];
        uint32_t odd = (a & 0xFF00FF) + (b & 0xFF00FF) + (c & 0xFF00FF) + (d & 0xFF00FF) + 0x20002;
        uint32_t green = (a >> 8 & 255) + (b >> 8 & 255) + (c >> 8 & 255) + (d >> 8 & 255) + 2;
        int r = (int)(odd >> 18 & 255), g = (int)(green >> 2), bl = (int)(odd >> 2 & 255);
        blue[x / 2] = chroma(-6596 * r - 22189 * g + 28785 * bl);
        red[x / 2] = chroma(28785 * r - 26145 * g - 2640 * bl);
    }
}

/* Convert the pairs of rows that differ from the previous picture. Write the frame count times. */
static bool show(FilmWriter *w, const FilmPicture *picture, Err *err) {
    Y4m *y4m = w->state;
    const uint32_t *pixels = picture->pixels;
    size_t width = (size_t)w->shape.width, height = (size_t)w->shape.height;
    size_t half = (width + 1) / 2, bottom = (size_t)picture->rect.y + (size_t)picture->rect.height;
    unsigned char *y = y4m->frame + FRAME_BYTES, *blue = y + width * height,
                  *red = blue + half * ((height + 1) / 2);
    for (size_t row = (size_t)picture->rect.y / 2 * 2; row < bottom; row += 2) {
        size_t rows = row + 1 < height ? 2 : 1, at = row * width;
        for (size_t i = at; i < at + rows * width; i++)
            y[i] = luma(pixels[i] >> 16 & 255, pixels[i] >> 8 & 255, pixels[i] & 255);
        convert_chroma(blue + row / 2 * half, red + row / 2 * half, pixels + at,
                       pixels + at + (rows - 1) * width, (int)width);
    }
    bool put = true;
    for (long i = 0; i < picture->count && put; i++)
        put = film_put(w, y4m->frame, y4m->frame_bytes, err);
    return put;
}

const FilmFormat FILM_Y4M = {
    .fps = 60, .state_bytes = sizeof(Y4m), .begin = begin, .show = show, .release = release};
