#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "gfx/canvas.h"
#include "gfx/text.h"
#include "support/test.h"

CANVAS_TESTS

#define RED   COLOUR_RGB(0xE02020)
#define WHITE COLOUR_RGB(0xFFFFFF)

static void add_text(DrawList *list, Vec2 at, float size, float angle_rad, Colour colour,
                     const char *text) {
    DrawText style = {.at = at, .size = size, .angle_rad = angle_rad, .colour = colour};
    draw_text_run(list, &style, text, strlen(text));
}

CANVAS_TEST(text_stays_within_its_measure) {
    const char *text = "Headlight 0.430";
    const float scales[] = {0.83f, 1, 2};
    TextMeasure measure = text_measure(canvas->fonts);
    for (size_t i = 0; i < ARRAY_COUNT(scales); i++) {
        float scale = scales[i], size = 12;
        add_text(canvas_list(canvas, scale), (Vec2){10, 40}, size, 0, WHITE, text);
        canvas_draw(canvas);
        CanvasInk ink = canvas_ink(canvas, 0, 0, CANVAS_WIDTH, CANVAS_HEIGHT);
        float width = measure.width(measure.context, FONT_SANS, size * scale, text, strlen(text));
        FontMetrics metrics = measure.metrics(measure.context, FONT_SANS, size * scale);
        float left = roundf(10 * scale), base = roundf(40 * scale);
        assert_true((float)ink.left >= left - 1 && (float)ink.right <= left + width + 1);
        assert_true((float)(ink.right - ink.left) > width * 0.9f);
        assert_true((float)ink.top >= base - metrics.ascent - 1);
        assert_true((float)ink.bottom <= base + metrics.descent + 1);
        assert_true(fabsf((float)ink.top - (base - metrics.cap_height)) <= 2);
    }
}

CANVAS_TEST(text_has_its_colour) {
    add_text(canvas_list(canvas, 1), (Vec2){20, 120}, 120, 0, RED, "I");
    canvas_draw(canvas);
    CanvasInk ink = canvas_ink(canvas, 0, 0, CANVAS_WIDTH, CANVAS_HEIGHT);
    assert_pixel(canvas, (ink.left + ink.right) / 2, (ink.top + ink.bottom) / 2, RED, 0);
}

CANVAS_TEST(digits_do_not_move_when_others_change) {
    static unsigned char first[sizeof canvas->pixels];
    const char *numbers[] = {"1.250", "7.250"};
    TextMeasure measure = text_measure(canvas->fonts);
    float advance = measure.width(measure.context, FONT_MONO, 20, "1", 1);
    for (int i = 0; i < 2; i++) {
        DrawText style = {.at = {20.3f, 60}, .size = 18, .font = FONT_MONO, .colour = WHITE};
        draw_text_run(canvas_list(canvas, 1.11f), &style, numbers[i], 5);
        canvas_draw(canvas);
        if (i == 0)
            memcpy(first, canvas->pixels, sizeof first);
    }
    size_t from = 4 * (size_t)(roundf(20.3f * 1.11f) + advance + 1);
    assert_memory_not_equal(first, canvas->pixels, sizeof first);
    for (size_t y = 0; y < CANVAS_HEIGHT; y++)
        assert_memory_equal(first + y * CANVAS_WIDTH * 4 + from,
                            canvas->pixels + y * CANVAS_WIDTH * 4 + from, CANVAS_WIDTH * 4 - from);
}

CANVAS_TEST(a_missing_character_is_a_box) {
    add_text(canvas_list(canvas, 1), (Vec2){20, 100}, 60, 0, WHITE, "\xF3\xB0\x80\x80");
    canvas_draw(canvas);
    CanvasInk ink = canvas_ink(canvas, 0, 0, CANVAS_WIDTH, CANVAS_HEIGHT);
    assert_in_range(ink.bottom - ink.top, 36, 48);
    assert_int_equal(ink.bottom, 100);
    assert_pixel(canvas, (ink.left + ink.right) / 2, (ink.top + ink.bottom) / 2, CANVAS_GROUND, 0);
    assert_pixel(canvas, ink.left, (ink.top + ink.bottom) / 2, WHITE, 0);
    assert_pixel(canvas, (ink.left + ink.right) / 2, ink.top, WHITE, 0);
}

/* A letter of no special shape, alone and before a word of the other direction. */
CANVAS_TEST(right_to_left_words_are_drawn_at_their_place) {
    TextMeasure measure = text_measure(canvas->fonts);
    const char *word = "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D"; /* shalom */
    if (measure.first_missing(measure.context, word, strlen(word)) != 0)
        skip();
    static unsigned char apart[sizeof canvas->pixels];
    char whole[32];
    float wide = roundf(measure.width(measure.context, FONT_SANS, 40, word, strlen(word)));
    float blank = measure.width(measure.context, FONT_SANS, 40, " ", 1);
    DrawList *list = canvas_list(canvas, 1);
    add_text(list, (Vec2){10, 100}, 40, 0, WHITE, "H");
    float h = measure.width(measure.context, FONT_SANS, 40, "H", 1);
    add_text(list, (Vec2){10 + h + blank, 100}, 40, 0, WHITE, word);
    canvas_draw(canvas);
    CanvasInk first = canvas_ink(canvas, 0, 0, CANVAS_WIDTH, CANVAS_HEIGHT);
    memcpy(apart, canvas->pixels, sizeof apart);
    snprintf(whole, sizeof whole, "%s H", word); /* the H follows, so it is at the left */
    add_text(canvas_list(canvas, 1), (Vec2){10, 100}, 40, 0, WHITE, whole);
    canvas_draw(canvas);
    CanvasInk second = canvas_ink(canvas, 0, 0, CANVAS_WIDTH, CANVAS_HEIGHT);
    assert_true(abs(first.left - second.left) <= 1 && abs(first.right - second.right) <= 2);
    assert_true((float)(second.right - second.left) > wide);
    for (int y = 0; y < CANVAS_HEIGHT; y++) /* the H itself, to the pixel */
        assert_memory_equal(apart + y * CANVAS_WIDTH * 4, canvas->pixels + y * CANVAS_WIDTH * 4,
                            (size_t)(10 + h) * 4);
}

CANVAS_TEST(a_direction_that_is_told_turns_brackets) {
    static unsigned char opening[sizeof canvas->pixels];
    for (int turn = 0; turn < 2; turn++) {
        DrawText style = {.at = {20, 100},
                          .size = 60,
                          .font = FONT_SANS,
                          .direction = turn == 0 ? TEXT_LTR : TEXT_RTL,
                          .colour = WHITE};
        draw_text_run(canvas_list(canvas, 1), &style, turn == 0 ? "(" : ")", 1);
        canvas_draw(canvas);
        if (turn == 0)
            memcpy(opening, canvas->pixels, sizeof opening);
    }
    assert_memory_equal(opening, canvas->pixels, sizeof opening);
}

CANVAS_TEST(turned_text_turns_clockwise) {
    const float quarter = 1.57079633f;
    add_text(canvas_list(canvas, 1), (Vec2){100, 20}, 20, quarter, WHITE, "lllllll");
    canvas_draw(canvas);
    CanvasInk ink = canvas_ink(canvas, 0, 0, CANVAS_WIDTH, CANVAS_HEIGHT);
    assert_true(ink.bottom - ink.top > 25 && ink.right - ink.left < 22);
    assert_true(ink.top >= 19 && ink.left >= 98); /* ink above the baseline is now right of it */
    add_text(canvas_list(canvas, 1), (Vec2){40, 120}, 20, -quarter / 2, WHITE, "lllllll");
    canvas_draw(canvas);
    ink = canvas_ink(canvas, 0, 0, CANVAS_WIDTH, CANVAS_HEIGHT);
    assert_true(ink.right > 60 && ink.top < 105);
}

/* The atlas has room for about 600 words of this size. Draw far more, so that it is cleared within
 * the frame; earlier words must not change. */
CANVAS_TEST(more_text_than_the_atlas_holds_is_drawn) {
    static unsigned char alone[sizeof canvas->pixels];
    for (int turn = 0; turn < 2; turn++) {
        DrawList *list = canvas_list(canvas, 1);
        add_text(list, (Vec2){10, 60}, 60, 0, WHITE, "first");
        for (int i = 0; i < 300 && turn == 1; i++) {
            char word[32];
            snprintf(word, sizeof word, "word %d", i);
            add_text(list, (Vec2){10, 60}, 200 + (float)(i % 60), 0, 0xFFFFFF01, word);
        }
        draw_fill(list, (Rect){0, 80, CANVAS_WIDTH, 80}, 0, CANVAS_GROUND);
        add_text(list, (Vec2){10, 140}, 60, 0, WHITE, "last");
        canvas_draw(canvas);
        if (turn == 0)
            memcpy(alone, canvas->pixels, sizeof alone);
    }
    for (int y = 85; y < CANVAS_HEIGHT; y++)
        assert_memory_equal(alone + y * CANVAS_WIDTH * 4, canvas->pixels + y * CANVAS_WIDTH * 4,
                            CANVAS_WIDTH * 4);
    assert_true(canvas_ink(canvas, 0, 0, CANVAS_WIDTH, 80).count >= 500);
}
