/* Partial redraw: the same pixels as if everything were drawn. */
#include <string.h>

#include "base/rng.h"
#include "gfx/canvas.h"
#include "support/test.h"

#define THINGS       60
#define ROUNDS       120
#define LARGE_SCALE  2.3f
#define LARGE_WIDTH  552
#define LARGE_HEIGHT 368

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

/* Change, add, remove or move a few commands, or a value, or nothing. */
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

/* Draw the list into pixels, several tiles each way. */
static void draw_large(Soft *soft, const DrawList *list, unsigned char *pixels) {
    must(soft_draw(soft, list, LARGE_WIDTH, LARGE_HEIGHT, &told));
    soft_read(soft, pixels);
}

CANVAS_TEST(a_part_has_the_pixels_of_the_whole) {
    static unsigned char parts[LARGE_WIDTH * LARGE_HEIGHT * 4], whole[sizeof parts];
    Rng rng = rng_stream(11, 0);
    Scene scene = {.count = 30};
    for (int i = 0; i < scene.count; i++)
        scene.things[i] = rng_bits(rng, 5000 + (uint64_t)i);
    for (uint64_t round = 0; round < ROUNDS; round++) {
        Soft *fresh;
        draw_begin(&canvas->list, CANVAS_WIDTH, CANVAS_HEIGHT, LARGE_SCALE, CANVAS_GROUND);
        draw_scene(&canvas->list, &scene);
        draw_large(canvas->soft, &canvas->list, parts);
        must(soft_create(&fresh, canvas->fonts, (JobPool){.start = NULL}, &told));
        draw_large(fresh, &canvas->list, whole);
        soft_release(fresh);
        if (memcmp(whole, parts, sizeof whole) != 0)
            fail_msg("round %d", (int)round);
        change_scene(&scene, rng, round);
    }
}

/* Fill the picture with a mark colour between two lists. It stays in all places where the lists
 * agree. */
CANVAS_TEST(what_is_the_same_is_not_drawn_again) {
    Colour red = COLOUR_RGB(0xFF0000), green = COLOUR_RGB(0x00FF00);
    for (int turn = 0; turn < 3; turn++) {
        int width, height;
        DrawList *list = canvas_list(canvas, 1);
        draw_fill(list, (Rect){100, 90, 40, 40}, 0, red);
        draw_fill(list, (Rect){10, 10, 8, 8}, 0, turn == 0 ? red : green);
        list->ground = turn < 2 ? CANVAS_GROUND : 0x777777FFu;
        uint32_t *pixels = soft_pixels(canvas->soft, &width, &height);
        for (int i = 0; i < width * height; i++)
            pixels[i] = 0xFF0000FFu;
        soft_mark_shown(canvas->soft);
        canvas_draw(canvas);
        PixelRect changes[SOFT_CHANGES_MAX];
        assert_int_equal(soft_changes(changes, canvas->soft), turn == 1 ? 1 : 3);
        assert_int_equal(changes[0].bottom, SOFT_TILE_HEIGHT);
        assert_pixel(canvas, 12, 12, turn == 0 ? red : green, 0);
        assert_pixel(canvas, 120, 100, turn == 1 ? COLOUR_RGB(0x0000FF) : red, 0);
        assert_pixel(canvas, 60, 140, turn == 1 ? COLOUR_RGB(0x0000FF) : list->ground, 0);
    }
}

TEST_ALL(canvas_begin_soft, canvas_end)
