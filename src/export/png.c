#include "export/png.h"

#include <png.h>
#include <stdint.h>
#include <string.h>

#include "base/picture_state.h"
#include "base/text_out.h"

static void write_bytes(png_structp png, png_bytep data, png_size_t length) {
    TextOut *out = png_get_io_ptr(png);
    text_out_bytes(out, data, length);
    if (out->failed)
        png_error(png, "out of memory");
}

static void flush_nothing(png_structp png) {
    (void)png;
}

static void keep_error(png_structp png, png_const_charp message) {
    Err *err = png_get_error_ptr(png);
    err_fail(err, "PNG", "%s", message);
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp message) {
    (void)png, (void)message;
}

static png_structp create_writer(TextOut *out, Err *err) {
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, err, keep_error, ignore_warning);
    if (png != NULL)
        png_set_write_fn(png, out, write_bytes, flush_nothing);
    return png;
}

/* Call all functions of libpng that may longjmp. Filter and level are fixed, so that equal pictures
 * give equal bytes. */
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

bool png_encode(TextOut *out, const unsigned char *rgba, int width, int height, const char *state,
                Err *err) {
    if (width < 1 || height < 1 || width > PNG_SIDE_MAX || height > PNG_SIDE_MAX)
        return err_fail(err, "PNG", "%dx%d pixels is outside 1x1 to %dx%d", width, height,
                        PNG_SIDE_MAX, PNG_SIDE_MAX);
    png_structp png = create_writer(out, err);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    bool written = info != NULL ? write_picture(png, info, rgba, width, height, state)
                                : err_fail(err, "PNG", "out of memory");
    png_destroy_write_struct(&png, &info);
    return written;
}

static bool write_chunk(png_structp png, const char *name, const void *data, size_t size) {
    if (setjmp(png_jmpbuf(png)) != 0)
        return false;
    png_write_chunk(png, (png_const_bytep)name, data, size);
    return true;
}

bool png_chunk(TextOut *out, const char *name, const void *data, size_t size, Err *err) {
    png_structp png = create_writer(out, err);
    bool written =
        png != NULL ? write_chunk(png, name, data, size) : err_fail(err, "PNG", "out of memory");
    png_destroy_write_struct(&png, NULL);
    return written;
}
