#include <string.h>

#include "gfx/atlas.h"
#include "support/test.h"

#define SIDE_W 60
#define SIDE_H 20

static unsigned char shade_of(uint64_t key) {
    return (unsigned char)(1 + key * 37 % 255);
}

/* An image of one shade, which depends on its key. */
static RasterImage image_of(uint64_t key, int width, int height) {
    static unsigned char pixels[4 * RASTER_SIDE_MAX * 1100];
    memset(pixels, shade_of(key), (size_t)(4 * width * height));
    return (RasterImage){.pixels = pixels, .width = width, .height = height, .scale = 1};
}

static void assert_image(Atlas *atlas, uint64_t key) {
    const AtlasEntry *entry = atlas_find(atlas, key);
    assert_non_null(entry);
    const AtlasSheet *sheet = &atlas->sheets[entry->sheet];
    assert_int_equal(entry->width, SIDE_W - 2 * RASTER_EDGE);
    for (int y = -RASTER_EDGE; y < entry->height + RASTER_EDGE; y++)
        for (int x = -RASTER_EDGE; x < entry->width + RASTER_EDGE; x++)
            assert_int_equal(
                sheet->pixels[(size_t)(entry->y + y) * ATLAS_SIZE + (size_t)(entry->x + x)],
                shade_of(key));
}

/* Add images until the atlas is full; clearing it makes room. */
TEST(images_stay_until_all_are_dropped) {
    LOCAL(atlas_release) Atlas atlas;
    uint64_t count = 0;
    RasterImage image = image_of(1, SIDE_W, SIDE_H);
    assert_true(atlas_create(&atlas));
    while (atlas_add(&atlas, count + 1, &image) != NULL) {
        count++;
        image = image_of(count + 1, SIDE_W, SIDE_H);
    }
    assert_int_equal(count, (ATLAS_SIZE / SIDE_W) * (ATLAS_SIZE / SIDE_H));
    for (uint64_t key = 1; key <= count; key++)
        assert_image(&atlas, key);
    atlas_clear(&atlas);
    assert_null(atlas_find(&atlas, 1));
    RasterImage large = image_of(3, RASTER_SIDE_MAX, 1100);
    assert_non_null(atlas_add(&atlas, 3, &large));
}
