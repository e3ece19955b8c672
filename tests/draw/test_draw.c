#include <math.h>
#include <string.h>

#include "base/util.h"
#include "draw/draw.h"
#include "support/test.h"

static const Colour GROUND = 0x102030FFu;

static DrawList begin(void) {
    DrawList list = {0};
    draw_begin(&list, 800, 600, 2, GROUND);
    return list;
}

static void fill(DrawList *list, float x) {
    draw_fill(list, (Rect){x, 0, 10, 10}, 0, 0xFF0000FFu);
}

static void say(DrawList *list, const char *words) {
    DrawText style = {.at = {10, 20}, .size = 18, .font = FONT_SANS, .colour = 0xFFFFFFFFu};
    draw_text_run(list, &style, words, strlen(words));
}

TEST(layers_are_ordered_and_keep_their_own_order) {
    static const int layers[] = {2, 0, 1, 3, 0, 2, 1, 0, 3, 1};
    LOCAL(draw_release) DrawList list = begin();
    for (size_t i = 0; i < ARRAY_COUNT(layers); i++) {
        list.layer = layers[i];
        fill(&list, (float)i);
    }
    draw_end(&list);
    assert_int_equal(list.command_count, ARRAY_COUNT(layers));
    for (size_t i = 1; i < list.command_count; i++) {
        const DrawCommand *before = &list.commands[i - 1], *c = &list.commands[i];
        assert_true(before->layer < c->layer ||
                    (before->layer == c->layer && before->as.box.rect.x < c->as.box.rect.x));
    }
}

TEST(texts_follow_their_commands_through_the_order) {
    LOCAL(draw_release) DrawList list = begin();
    list.layer = 1;
    say(&list, "above");
    list.layer = 0;
    say(&list, "below");
    draw_end(&list);
    const DrawText *first = &list.commands[0].as.text, *second = &list.commands[1].as.text;
    assert_memory_equal(list.text + first->text_at, "below", 5);
    assert_memory_equal(list.text + second->text_at, "above", 5);
}

TEST(clips_nest_and_are_given_back) {
    LOCAL(draw_release) DrawList list = begin();
    fill(&list, 0);
    Rect whole = draw_clip(&list, (Rect){10, 10, 100, 100});
    fill(&list, 1);
    Rect outer = draw_clip(&list, (Rect){50, 50, 100, 100});
    fill(&list, 2);
    draw_clip_restore(&list, outer);
    fill(&list, 3);
    draw_clip_restore(&list, whole);
    fill(&list, 4);
    static const Rect expected[] = {{0, 0, 800, 600},
                                    {10, 10, 100, 100},
                                    {50, 50, 60, 60},
                                    {10, 10, 100, 100},
                                    {0, 0, 800, 600}};
    assert_int_equal(list.command_count, ARRAY_COUNT(expected));
    for (size_t i = 0; i < ARRAY_COUNT(expected); i++)
        assert_memory_equal(&list.commands[i].clip, &expected[i], sizeof(Rect));
}

TEST(what_is_clipped_away_is_no_command) {
    LOCAL(draw_release) DrawList list = begin();
    draw_clip(&list, (Rect){900, 0, 50, 50});
    fill(&list, 0);
    say(&list, "unseen");
    draw_line(&list, (Vec2){0, 0}, (Vec2){5, 5}, 1, GROUND);
    assert_int_equal(list.command_count, 0);
    assert_int_equal(list.dropped, 0);
    draw_begin(&list, 0, 600, 1, GROUND);
    fill(&list, 0);
    assert_int_equal(list.command_count, 0);
}

TEST(an_empty_text_is_no_command) {
    LOCAL(draw_release) DrawList list = begin();
    say(&list, "");
    assert_int_equal(list.command_count, 0);
}

TEST(a_list_grows_and_is_kept) {
    DrawList list = begin();
    char words[64];
    memset(words, 'w', sizeof words);
    for (int i = 0; i < 20000; i++) {
        words[0] = (char)('a' + i % 26);
        draw_text_run(&list, &(DrawText){.at = {(float)i, 0}}, words, sizeof words);
    }
    assert_int_equal(list.command_count, 20000);
    assert_int_equal(list.dropped, 0);
    for (int i = 0; i < 20000; i += 999) {
        const DrawText *text = &list.commands[i].as.text;
        assert_true(text->at.x == (float)i);
        assert_int_equal(text->text_bytes, sizeof words);
        assert_int_equal(list.text[text->text_at], 'a' + i % 26);
    }
    const DrawCommand *commands = list.commands;
    draw_begin(&list, 10, 10, 1, GROUND);
    assert_int_equal(list.command_count, 0);
    assert_int_equal(list.text_used, 0);
    fill(&list, 0);
    assert_ptr_equal(list.commands, commands);
    draw_release(&list);
    assert_null(list.commands);
}

static float VALUES[6] = {0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f};

/* A list of every kind of command. */
static DrawList one_of_each(void) {
    DrawList list = begin();
    fill(&list, 1);
    draw_line(&list, (Vec2){1, 2}, (Vec2){3, 4}, 1, GROUND);
    draw_triangle(&list, &(DrawTriangle){.b = {9, 0}, .c = {0, 9}});
    draw_cells(&list, &(DrawCells){.rows = 2, .cols = 3, .stride = 3, .values = VALUES});
    say(&list, "words");
    draw_end(&list);
    return list;
}

static uint64_t plain_hash(void) {
    LOCAL(draw_release) DrawList list = one_of_each();
    return draw_hash(&list);
}

/* But for the addresses of values. */
static bool is_in_hash(const DrawCommand *c, size_t at) {
    size_t from = offsetof(DrawCommand, as.cells.values);
    return c->kind != DRAW_CELLS || at < from || at >= from + 2 * sizeof c->as.cells.values;
}

TEST(every_byte_of_a_command_is_in_the_hash) {
    LOCAL(draw_release) DrawList list = one_of_each();
    uint64_t plain = draw_hash(&list);
    assert_true(plain_hash() == plain);
    for (size_t i = 0; i < list.command_count; i++)
        for (size_t at = offsetof(DrawCommand, layer); at < sizeof(DrawCommand); at++) {
            unsigned char *byte = (unsigned char *)&list.commands[i] + at;
            *byte ^= 1;
            if ((draw_hash(&list) != plain) != is_in_hash(&list.commands[i], at))
                fail_msg("byte %zu of command %zu", at, i);
            *byte ^= 1;
        }
    for (size_t at = 0; at < list.text_used; at++) {
        list.text[at] ^= 1;
        assert_true(draw_hash(&list) != plain);
        list.text[at] ^= 1;
    }
}

TEST(the_frame_is_in_the_hash) {
    static const struct {
        float width, height, scale;
        Colour ground;
    } frames[] = {{800, 600, 1, GROUND},      {801, 600, 1, GROUND},
                  {800, 601, 1, GROUND},      {800, 600, 2, GROUND},
                  {800, 600, 1, 0x102031FFu}, {800, 600, 1, 0x102030FEu},
                  {800, 600, 1, 0xF0F0F0FFu}, {800, 600, 1, 0xF0F0F1FFu}};
    uint64_t seen[ARRAY_COUNT(frames)];
    for (size_t i = 0; i < ARRAY_COUNT(frames); i++) {
        LOCAL(draw_release) DrawList list = {0};
        draw_begin(&list, frames[i].width, frames[i].height, frames[i].scale, frames[i].ground);
        fill(&list, 1);
        seen[i] = draw_hash(&list);
        for (size_t k = 0; k < i; k++)
            if (seen[k] == seen[i])
                fail_msg("frames %zu and %zu have one hash", k, i);
    }
}

TEST(values_are_in_the_hash_and_their_address_is_not) {
    uint64_t plain = plain_hash();
    for (size_t i = 0; i < ARRAY_COUNT(VALUES); i++) {
        float kept = VALUES[i];
        VALUES[i] = nextafterf(kept, 1);
        assert_true(plain_hash() != plain);
        VALUES[i] = NAN;
        assert_true(plain_hash() != plain);
        VALUES[i] = kept;
    }
    float apart[2][5] = {{0.1f, 0.2f, 0.3f, 9, 9}, {0.4f, 0.5f, 0.6f, 9, 9}};
    LOCAL(draw_release) DrawList list = begin();
    draw_cells(&list, &(DrawCells){.rows = 2, .cols = 3, .stride = 3, .values = VALUES});
    draw_cells(&list, &(DrawCells){.rows = 2, .cols = 3, .stride = 5, .values = apart[0]});
    draw_cells(&list, &(DrawCells){.rows = 2, .cols = 3, .stride = 3, .values = apart[0]});
    assert_true(list.commands[0].as.cells.hash == list.commands[1].as.cells.hash);
    assert_true(list.commands[0].as.cells.hash != list.commands[2].as.cells.hash);
}

TEST(own_cells_outlive_the_values_that_were_drawn) {
    float values[] = {1, 2, 99, 3, 4, 99};
    LOCAL(draw_release) DrawList list = begin();
    fill(&list, 0);
    draw_cells(
        &list,
        &(DrawCells){
            .rect = {0, 0, 20, 20}, .rows = 2, .cols = 2, .stride = 3, .values = values, .hi = 4});
    draw_end(&list);
    assert_true(draw_own_cells(&list));
    memset(values, 0, sizeof values);
    const DrawCells *cells = &list.commands[1].as.cells;
    for (int i = 0; i < 4; i++)
        assert_float_equal(cells->values[i / 2 * cells->stride + i % 2], i + 1, 0);
}

/* The padding between struct members does not change the hash. */
TEST(padding_is_not_in_the_hash) {
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        DrawCells cells;
        memset(&cells, i == 0 ? 0x00 : 0xFF, sizeof cells);
        cells.rect = (Rect){1, 2, 3, 4};
        cells.rows = 2, cells.cols = 3, cells.stride = 3;
        cells.values = VALUES;
        cells.lo = 0, cells.hi = 1, cells.gap = 0;
        cells.palette = 0, cells.has_numbers = false;
        cells.ground = cells.masked = cells.masked_stroke = cells.wrong = 0;
        LOCAL(draw_release) DrawList list = begin();
        draw_cells(&list, &cells);
        hashes[i] = draw_hash(&list);
    }
    assert_true(hashes[0] == hashes[1]);
}

TEST(order_is_in_the_hash) {
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        LOCAL(draw_release) DrawList list = begin();
        fill(&list, i == 0 ? 1 : 2);
        fill(&list, i == 0 ? 2 : 1);
        hashes[i] = draw_hash(&list);
    }
    assert_true(hashes[0] != hashes[1]);
}

TEST(lines_are_curves_that_are_straight) {
    LOCAL(draw_release) DrawList list = begin();
    draw_line(&list, (Vec2){3, 6}, (Vec2){33, -24}, 2, GROUND);
    const DrawCurve *c = &list.commands[0].as.curve;
    assert_int_equal(list.commands[0].kind, DRAW_CURVE);
    assert_float_equal(c->control_1.x, 13, 1e-4);
    assert_float_equal(c->control_1.y, -4, 1e-4);
    assert_float_equal(c->control_2.x, 23, 1e-4);
    assert_float_equal(c->control_2.y, -14, 1e-4);
}

TEST(snapping_is_to_device_pixels) {
    LOCAL(draw_release) DrawList list = {0};
    draw_begin(&list, 100, 100, 2, GROUND);
    assert_float_equal(draw_snap(&list, 10.3f), 10.5f, 1e-6);
    assert_float_equal(draw_snap(&list, 10.2f), 10, 1e-6);
    draw_begin(&list, 100, 100, 0.83f, GROUND);
    float px = draw_snap(&list, 77.7f) * 0.83f;
    assert_float_equal(px, roundf(px), 1e-4);
}

TEST(colours_fade_and_mix) {
    assert_int_equal(colour_fade(0x11223380u, 0.5f), 0x11223340u);
    assert_int_equal(colour_fade(0x112233FFu, -1), 0x11223300u);
    assert_int_equal(colour_fade(0x112233FFu, 9), 0x112233FFu);
    assert_int_equal(colour_fade(0x112233FFu, NAN), 0x11223300u);
    assert_int_equal(colour_mix(0x000000FFu, 0x20406000u, 0.5f), 0x10203080u);
    assert_int_equal(colour_mix(0x01020304u, 0xFFFEFDFCu, 0), 0x01020304u);
    assert_int_equal(colour_mix(0x01020304u, 0xFFFEFDFCu, 1), 0xFFFEFDFCu);
    assert_float_equal(colour_contrast(COLOUR_RGB(0), COLOUR_RGB(0xFFFFFF)), 21, 1e-3);
    assert_float_equal(colour_contrast(COLOUR_RGB(0x777777), COLOUR_RGB(0xFFFFFF)), 4.48, 0.01);
    assert_float_equal(colour_contrast(COLOUR_RGB(0x123456), COLOUR_RGB(0x123456)), 1, 1e-6);
}
