#include "export/png.h"

#include <png.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/picture_state.h"

/* The file that is written, and where libpng jumps on an error. */
typedef struct Writer {
    unsigned char *bytes;
    size_t size, capacity;
    char why[128];
} Writer;

static void write_bytes(png_structp png, png_bytep data, png_size_t length) {
    Writer *writer = png_get_io_ptr(png);
    if (writer->capacity - writer->size < length) {
        size_t capacity = (writer->size + length) * 2;
        unsigned char *grown = heap_resize(writer->bytes, capacity);
        if (grown == NULL)
            png_error(png, "out of memory");
        writer->bytes = grown;
        writer->capacity = capacity;
    }
    memcpy(writer->bytes + writer->size, data, length);
    writer->size += length;
}

static void flush_nothing(png_structp png) {
    (void)png;
}

static void keep_error(png_structp png, png_const_charp message) {
    Writer *writer = png_get_error_ptr(png);
    strncpy(writer->why, message, sizeof writer->why - 1);
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

/* Call everything that may jump. Filter and level are fixed, so that the bytes stay the same. */
static bool write_picture(png_structp png, png_infop info, const unsigned char *rgba, int width,
                          int height, const char *state) {
    if (setjmp(png_jmpbuf(png)) != 0)
        return false;
    png_set_compression_level(png, 6);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB | PNG_FILTER_UP);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB_ALPHA,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB_gAMA_and_cHRM(png, info, PNG_sRGB_INTENT_RELATIVE);
    if (state != NULL)
        png_set_text(png, info,
                     &(png_text){.compression = PNG_ITXT_COMPRESSION_NONE,
                                 .key = PICTURE_STATE_KEYWORD,
                                 .text = (char *)(uintptr_t)state,
                                 .itxt_length = strlen(state)},
                     1);
    png_write_info(png, info);
    for (int y = 0; y < height; y++)
        png_write_row(png, rgba + (size_t)y * (size_t)width * 4);
    png_write_end(png, info);
    return true;
}

bool png_encode(unsigned char **bytes, size_t *size, const unsigned char *rgba, int width,
                int height, Err *err) {
    return png_encode_about(bytes, size, rgba, width, height, NULL, err);
}

bool png_encode_about(unsigned char **bytes, size_t *size, const unsigned char *rgba, int width,
                      int height, const char *state, Err *err) {
    *bytes = NULL;
    *size = 0;
    if (width < 1 || height < 1 || width > PNG_SIDE_MAX || height > PNG_SIDE_MAX)
        return err_fail(err, "PNG", "%dx%d pixels is outside 1x1 to %dx%d", width, height,
                        PNG_SIDE_MAX, PNG_SIDE_MAX);
    Writer writer = {.why = "out of memory"};
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, &writer, keep_error, ignore_warning);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    bool written = false;
    if (info != NULL) {
        png_set_write_fn(png, &writer, write_bytes, flush_nothing);
        written = write_picture(png, info, rgba, width, height, state);
    }
    png_destroy_write_struct(&png, &info);
    if (!written) {
        free(writer.bytes);
        return err_fail(err, "PNG", "%s", writer.why);
    }
    *bytes = writer.bytes;
    *size = writer.size;
    return true;
}
