#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "gfx/atlas.h"

#define SIDE_W 60
#define SIDE_H 20

static unsigned char shade_of(uint64_t key) {
    return (unsigned char)(1 + key * 37 % 255);
}

/* An image all in a shade of its key. */
static RasterImage image_of(uint64_t key, int width, int height) {
    static unsigned char pixels[4 * RASTER_SIDE_MAX * 1100];
    memset(pixels, shade_of(key), (size_t)(4 * width * height));
    return (RasterImage){.pixels = pixels, .width = width, .height = height, .scale = 1};
}

/* As a Painter asks for an image. */
static const AtlasEntry *look_up(Atlas *atlas, uint64_t key) {
    const AtlasEntry *entry = atlas_find(atlas, key);
    RasterImage image = image_of(key, SIDE_W, SIDE_H);
    if (entry == NULL)
        entry = atlas_add(atlas, key, &image);
    if (entry != NULL)
        return entry;
    atlas_make_room(atlas);
    return atlas_add(atlas, key, &image);
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

/* Labels of every picture, and numbers that each of a hundred thousand pictures has others of. */
static void what_several_pictures_have_stays_while_numbers_run_through(void **state) {
    (void)state;
    Atlas atlas;
    uint64_t number = 1000;
    int added_again = 0;
    assert_true(atlas_create(&atlas, true));
    for (int picture = 0; picture < 2000; picture++) {
        atlas_begin_picture(&atlas);
        for (uint64_t label = 1; label <= 300; label++) {
            added_again += picture > 0 && atlas_find(&atlas, label) == NULL;
            assert_non_null(look_up(&atlas, label));
        }
        for (int i = 0; i < 50; i++)
            assert_non_null(look_up(&atlas, number++));
    }
    assert_int_equal(added_again, 0);
    assert_int_equal(atlas.sheets[ATLAS_PLAIN].height, ATLAS_SIZE);
    for (uint64_t label = 1; label <= 300; label++)
        assert_image(&atlas, label);
    for (uint64_t last = number - 50; last < number; last++)
        assert_image(&atlas, last);
    atlas_release(&atlas);
}

/* What was added for the picture in hand stays too, though it may be its first. */
static void a_sheet_grows_with_all_that_it_holds(void **state) {
    (void)state;
    Atlas atlas;
    assert_true(atlas_create(&atlas, true));
    atlas_begin_picture(&atlas);
    uint64_t key = 1;
    while (look_up(&atlas, key) != NULL && atlas.sheets[ATLAS_PLAIN].height == ATLAS_FIRST)
        key++;
    assert_int_equal(atlas.sheets[ATLAS_PLAIN].height, 2 * ATLAS_FIRST);
    for (uint64_t kept = 1; kept <= key; kept++)
        assert_image(&atlas, kept);
    atlas_release(&atlas);
}

/* Of one picture that fills most of a sheet nothing stays, so that the largest image has room. */
static void what_would_leave_little_room_goes(void **state) {
    (void)state;
    Atlas atlas;
    assert_true(atlas_create(&atlas, true));
    atlas_begin_picture(&atlas);
    for (uint64_t key = 1; key <= 3000; key++)
        assert_non_null(look_up(&atlas, key));
    assert_int_equal(atlas.sheets[ATLAS_PLAIN].height, ATLAS_SIZE);
    RasterImage large = image_of(3001, RASTER_SIDE_MAX, 1100);
    assert_null(atlas_add(&atlas, 3001, &large));
    atlas_make_room(&atlas);
    assert_non_null(atlas_add(&atlas, 3001, &large));
    assert_null(atlas_find(&atlas, 3000));
    atlas_release(&atlas);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_several_pictures_have_stays_while_numbers_run_through),
        cmocka_unit_test(a_sheet_grows_with_all_that_it_holds),
        cmocka_unit_test(what_would_leave_little_room_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
