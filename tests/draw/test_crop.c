/* Cropping a draw list to a part. */
#include "draw/camera.h"
#include "draw/part.h"
#include "support/measure.h"
#include "support/test.h"

#define INK    0x102030FFu
#define PANEL  0x405060FFu
#define CANVAS 0xFFFFFFFFu

static DrawList list;
static TextMeasure measure;
static long measured;

static void begin(void) {
    measure = measure_fixed(&measured);
    draw_begin(&list, 200, 100, 2, CANVAS);
    draw_fill(&list, (Rect){0, 0, 150, 100}, 0, PANEL);
    draw_fill(&list, (Rect){10, 10, 5, 5}, 0, INK);
    draw_fill(&list, (Rect){55, 25, 5, 5}, 0, INK);
    draw_line(&list, (Vec2){50, 50}, (Vec2){300, 50}, 1, INK);
    draw_text_run(&list, &(DrawText){.at = {60, 30}, .size = 12, .colour = INK}, "word", 4);
    draw_text_run(&list, &(DrawText){.at = {65, 40}, .size = 20, .colour = INK}, "B", 1);
    draw_part(&list, PART_RECT(((Rect){50, 20, 40, 30})), "a.part");
    draw_end(&list);
}

TEST(what_is_outside_is_left_out) {
    begin();
    draw_crop(&list, &measure, (Rect){50, 20, 40, 30}, 6);
    assert_true(list.width == 52 && list.height == 42);
    for (size_t i = 0; i < list.command_count; i++) {
        Rect clip = list.commands[i].clip;
        assert_true(clip.x >= 6 && clip.y >= 6 && rect_right(clip) <= 46 &&
                    rect_bottom(clip) <= 36);
    }
    assert_int_equal(list.commands[0].kind, DRAW_BOX);
    assert_true(list.commands[0].as.box.rect.x == 11 && list.commands[0].as.box.rect.y == 11);
    const DrawPart *part = part_find(&list, "a.part", 6);
    assert_true(part->rect.x == 6 && part->rect.y == 6);
    draw_release(&list);
}

TEST(what_covers_it_is_its_ground) {
    begin();
    size_t all = list.command_count;
    draw_crop(&list, &measure, (Rect){50, 20, 40, 30}, 6);
    assert_int_equal(list.ground, PANEL);
    assert_true(list.command_count < all);
    begin();
    draw_crop(&list, &measure, (Rect){140, 20, 40, 30}, 6);
    assert_int_equal(list.ground, CANVAS);
    draw_release(&list);
}

TEST(most_letters_have_a_size) {
    begin();
    assert_true(draw_text_size(&list) == 12);
    draw_begin(&list, 10, 10, 1, CANVAS);
    assert_true(draw_text_size(&list) == 0);
    draw_release(&list);
}
