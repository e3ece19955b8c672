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
    LOCAL(free_at) unsigned char *rgba = noise(width, height);
    LOCAL(text_out_release) TextOut png = {0};
    must(png_encode(&png, rgba, width, height, NULL, &told));
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_memory(&image, png.at, png.used));
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    image.format = PNG_FORMAT_RGBA;
    LOCAL(free_at) unsigned char *decoded = malloc(PNG_IMAGE_SIZE(image));
    assert_non_null(decoded);
    assert_true(png_image_finish_read(&image, NULL, decoded, 0, NULL));
    assert_memory_equal(decoded, rgba, PNG_IMAGE_SIZE(image));
}

TEST(pictures_come_back) {
    check_decodes(1, 1);
    check_decodes(3, 700);
    check_decodes(1021, 2);
    check_decodes(128, 96);
}

TEST(bytes_are_the_same_each_time_and_srgb) {
    LOCAL(free_at) unsigned char *rgba = noise(40, 30);
    LOCAL(text_out_release) TextOut first = {0};
    LOCAL(text_out_release) TextOut second = {0};
    must(png_encode(&first, rgba, 40, 30, NULL, &told));
    must(png_encode(&second, rgba, 40, 30, NULL, &told));
    assert_int_equal(first.used, second.used);
    assert_memory_equal(first.at, second.at, first.used);
    assert_non_null(memmem(first.at, first.used, "sRGB", 4));
    assert_null(memmem(first.at, 200, "tIME", 4));
}

TEST(sizes_out_of_range_are_refused) {
    const int sizes[][2] = {{0, 5}, {5, 0}, {-1, 5}, {PNG_SIDE_MAX + 1, 1}};
    unsigned char pixel[4] = {0};
    TextOut png = {0};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Err err = {0};
        assert_false(png_encode(&png, pixel, sizes[i][0], sizes[i][1], NULL, &err));
        assert_null(png.at);
        assert_int_equal(err.kind, ERR_FAILED);
    }
}
