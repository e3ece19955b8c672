/* Partial redraw: the same pixels as if everything were drawn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "gfx/canvas.h"
#include "gfx/damage.h"

#define THINGS 60
#define ROUNDS 120

/* A number for each thing of the picture; all of a thing follows from its number. */
typedef struct Scene {
    uint64_t things[THINGS];
    int count;
    float values[16];
} Scene;

static float part(uint64_t bits, int at, float most) {
    return (float)(bits >> at & 255) / 255 * most;
}

static Colour colour_of(uint64_t bits) {
    return (Colour)(bits >> 32) | 0x40u;
}

static Vec2 place(uint64_t bits, int at) {
    return (Vec2){part(bits, at, CANVAS_WIDTH) - 10, part(bits, at + 5, CANVAS_HEIGHT) - 10};
}

static void add_box(DrawList *list, uint64_t bits) {
    Vec2 at = place(bits, 4);
    draw_box(list, &(DrawBox){.rect = {at.x, at.y, part(bits, 20, 60), part(bits, 25, 40)},
                              .radius = part(bits, 30, 9),
                              .border = part(bits, 31, 3),
                              .fill = colour_of(bits),
                              .fill_right = colour_of(bits << 7),
                              .stroke = colour_of(bits << 3)});
}

static void add_text(DrawList *list, uint64_t bits) {
    static const char *const words[] = {"attention", "Ágy", "q·k", "日本 שלום", "e\u0301\u0302"};
    DrawText style = {.at = place(bits, 4),
                      .size = 9 + part(bits, 40, 24),
                      .angle_rad = (bits >> 50 & 3) == 0 ? part(bits, 52, 6) : 0,
                      .colour = colour_of(bits)};
    const char *text = words[bits % 5];
    draw_text_run(list, &style, text, strlen(text));
}

static void add_cells(DrawList *list, const Scene *scene, uint64_t bits) {
    Vec2 at = place(bits, 4);
    draw_cells(list, &(DrawCells){.rect = {at.x, at.y, 20 + part(bits, 20, 60), 40},
                                  .rows = 4,
                                  .cols = 4,
                                  .stride = 4,
                                  .values = scene->values,
                                  .hi = 1 + part(bits, 40, 2),
                                  .gap = 1});
}

/* Enough thin curves of one colour to be drawn as one picture, and an arrowhead among them. */
static void add_curves(DrawList *list, uint64_t bits) {
    Vec2 a = place(bits, 3), b = place(bits, 17);
    Colour colour = (colour_of(bits) & ~0xFFu) | 0x20u;
    for (int i = 0; i < 310; i++) {
        Vec2 to = {b.x + (float)(i % 31), b.y + (float)(i / 31)};
        draw_line(list, a, to, 1.5f, colour);
        if (i == 100)
            draw_triangle(list, &(DrawTriangle){a, b, to, colour, colour, colour});
    }
}

static void add_thing(DrawList *list, const Scene *scene, uint64_t bits) {
    Vec2 a = place(bits, 3), b = place(bits, 17), c = place(bits, 29);
    Colour colour = colour_of(bits);
    list->layer = (int)(bits >> 60 & 1);
    Rect clip = draw_clip(list, (bits >> 58 & 3) == 0 ? (Rect){30, 20, 90, 70} : list->clip);
    switch (bits % 7) {
    case 0:
        draw_line(list, a, b, part(bits, 40, 9), colour);
        break;
    case 1:
        draw_triangle(list, &(DrawTriangle){a, b, c, colour, colour, colour});
        draw_triangle(list, &(DrawTriangle){b, c, {a.x + 30, b.y}, colour, colour, colour});
        break;
    case 2:
        add_text(list, bits);
        break;
    case 3:
        add_cells(list, scene, bits);
        break;
    case 4:
        if (bits % 3 == 0)
            add_curves(list, bits);
        break;
    default:
        add_box(list, bits);
    }
    draw_clip_restore(list, clip);
    list->layer = 0;
}

static void draw_scene(DrawList *list, const Scene *scene) {
    for (int i = 0; i < scene->count; i++)
        add_thing(list, scene, scene->things[i]);
    draw_end(list);
}

/* Change, add, take away or move a few things, or a value, or nothing. */
static void change_scene(Scene *scene, Rng rng, uint64_t round) {
    uint64_t bits = rng_bits(rng, 3 * round), thing = rng_bits(rng, 3 * round + 1);
    int at = (int)(bits >> 8) % scene->count;
    at = at < 0 ? -at : at;
    if (bits % 6 <= 1)
        scene->things[at] = thing;
    if (bits % 6 == 2 && scene->count < THINGS)
        scene->things[scene->count++] = thing;
    if (bits % 6 == 3 && scene->count > 9)
        memmove(scene->things + at, scene->things + at + 1,
                (size_t)(--scene->count - at) * sizeof thing);
    if (bits % 6 == 4) {
        uint64_t moved = scene->things[at];
        scene->things[at] = scene->things[0];
        scene->things[0] = moved;
    }
    if (bits % 11 == 0)
        scene->values[bits >> 20 & 15] = part(bits, 30, 2);
}

static void a_part_has_the_pixels_of_the_whole(void **state) {
    Canvas *canvas = *state;
    static unsigned char parts[sizeof canvas->pixels];
    Rng rng = rng_stream(11, 0);
    Scene scene = {.count = 30};
    for (int i = 0; i < scene.count; i++)
        scene.things[i] = rng_bits(rng, 5000 + (uint64_t)i);
    for (uint64_t round = 0; round < ROUNDS; round++) {
        draw_scene(canvas_list(canvas, 1.25f), &scene);
        canvas_draw_again(canvas, true, parts);
        canvas_draw_again(canvas, false, canvas->pixels);
        if (memcmp(parts, canvas->pixels, sizeof parts) != 0)
            fail_msg("round %d", (int)round);
        change_scene(&scene, rng, round);
    }
}

/* With blue. */
static void fill(const Target *target) {
    for (int i = 0; target->kind == TARGET_SOFT && i < CANVAS_WIDTH * CANVAS_HEIGHT; i++)
        target->pixels[i] = 0xFF0000FFu;
    if (target->kind != TARGET_CARD)
        return;
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glClearColor(0, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

/* The target is filled with a colour of ours between two lists: it stays where they agree. */
static void what_is_the_same_is_not_drawn_again(void **state) {
    Canvas *canvas = *state;
    Colour red = COLOUR_RGB(0xFF0000), green = COLOUR_RGB(0x00FF00);
    for (int turn = 0; turn < 3; turn++) {
        DrawList *list = canvas_list(canvas, 1);
        draw_fill(list, (Rect){100, 60, 40, 40}, 0, red);
        draw_fill(list, (Rect){10, 10, 8, 8}, 0, turn == 0 ? red : green);
        list->ground = turn < 2 ? CANVAS_GROUND : 0x777777FFu;
        draw_end(list);
        Damage damage = {.count = 0};
        DamageMarks marks = {0}, none = {0};
        assert_true(damage_marks_fill(&marks, list));
        damage_compare(&damage, &marks, &none);
        assert_int_equal(damage.count, 0);
        assert_true(marks.at[0].is_new);
        damage_marks_release(&marks);
        Colour filled = COLOUR_RGB(0x0000FF);
        fill(offscreen_target(canvas->offscreen));
        canvas_draw_again(canvas, turn > 0, canvas->pixels);
        assert_pixel(canvas, 12, 12, turn == 0 ? red : green, 0);
        assert_pixel(canvas, 120, 80, turn == 1 ? filled : red, 0);
        assert_pixel(canvas, 60, 60, turn == 1 ? filled : list->ground, 0);
    }
}

static void damage_covers_all_that_is_added(void **state) {
    (void)state;
    Rng rng = rng_stream(5, 0);
    for (uint64_t round = 0; round < 300; round++) {
        Damage damage = {.count = 0};
        PixelRect added[12];
        double least = 0;
        for (uint64_t i = 0; i < 12; i++) {
            uint64_t bits = rng_bits(rng, round * 12 + i);
            int left = (int)(bits & 511), top = (int)(bits >> 9 & 511);
            added[i] =
                (PixelRect){left, top, left + (int)(bits >> 18 & 63), top + (int)(bits >> 24 & 63)};
            damage_add(&damage, &added[i]);
            least += (added[i].right - left) * (added[i].bottom - top);
        }
        assert_in_range(damage.count, 1, DAMAGE_RECTS);
        assert_true(damage_area(&damage) <= 600.0 * 600 && least > 0);
        for (int i = 0; i < damage.count; i++)
            for (int j = 0; j < i; j++) {
                Damage one = {.rects = {damage.rects[j]}, .count = 1};
                assert_false(damage_touches(&one, &damage.rects[i]));
            }
        for (int i = 0; i < 12; i++)
            for (int x = added[i].left; x < added[i].right; x += 7) {
                PixelRect pixel = {x, added[i].top, x + 1, added[i].top + 1};
                if (added[i].bottom > added[i].top)
                    assert_true(damage_touches(&damage, &pixel));
            }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_part_has_the_pixels_of_the_whole),
        cmocka_unit_test(what_is_the_same_is_not_drawn_again),
        cmocka_unit_test(damage_covers_all_that_is_added),
    };
    return canvas_run_group(tests);
}
