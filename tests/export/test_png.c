#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "export/png.h"
#include "support/test.h"

/* Pixels of noise, with every alpha there is. */
static unsigned char *noise(int width, int height) {
    size_t size = (size_t)width * (size_t)height * 4;
    unsigned char *rgba = malloc(size);
    assert_non_null(rgba);
    for (size_t i = 0; i < size; i++)
        rgba[i] = (unsigned char)rng_bits(rng_stream(1, 2), i);
    return rgba;
}

static void check_decodes(int width, int height) {
    unsigned char *rgba = noise(width, height), *bytes;
    size_t size;
    Err err;
    assert_true(png_encode(&bytes, &size, rgba, width, height, NULL, &err));
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_memory(&image, bytes, size));
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    image.format = PNG_FORMAT_RGBA;
    unsigned char *decoded = malloc(PNG_IMAGE_SIZE(image));
    assert_non_null(decoded);
    assert_true(png_image_finish_read(&image, NULL, decoded, 0, NULL));
    assert_memory_equal(decoded, rgba, PNG_IMAGE_SIZE(image));
    free(decoded);
    free(bytes);
    free(rgba);
}

TEST(pictures_come_back) {
    check_decodes(1, 1);
    check_decodes(3, 700);
    check_decodes(1021, 2);
    check_decodes(128, 96);
}

/* The offset of a chunk's name, or 0. */
static size_t find_chunk(const unsigned char *bytes, size_t size, const char *name) {
    for (size_t i = 8; i + 4 <= size; i++)
        if (memcmp(bytes + i, name, 4) == 0)
            return i;
    return 0;
}

TEST(bytes_are_the_same_each_time_and_srgb) {
    unsigned char *rgba = noise(40, 30), *first, *second;
    size_t first_size, second_size;
    Err err;
    assert_true(png_encode(&first, &first_size, rgba, 40, 30, NULL, &err));
    assert_true(png_encode(&second, &second_size, rgba, 40, 30, NULL, &err));
    assert_int_equal(first_size, second_size);
    assert_memory_equal(first, second, first_size);
    assert_int_not_equal(find_chunk(first, first_size, "sRGB"), 0);
    assert_int_equal(find_chunk(first, 200, "tIME"), 0);
    free(first);
    free(second);
    free(rgba);
}

TEST(sizes_out_of_range_are_refused) {
    const int sizes[][2] = {{0, 5}, {5, 0}, {-1, 5}, {PNG_SIDE_MAX + 1, 1}};
    unsigned char pixel[4] = {0}, *bytes = pixel;
    size_t size = 1;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Err err = {0};
        assert_false(png_encode(&bytes, &size, pixel, sizes[i][0], sizes[i][1], NULL, &err));
        assert_null(bytes);
        assert_int_equal(err.kind, ERR_FAILED);
    }
}
