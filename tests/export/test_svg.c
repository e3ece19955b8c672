#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "export/svg.h"
#include "export/svg_parts.h"
#include "support/measure.h"
#include "support/test.h"

#define WHITE     0xFFFFFFFFu
#define DEPTH_MAX 64

static DrawList new_list(void) {
    DrawList list = {0};
    draw_begin(&list, 400, 300, 1, COLOUR_RGB(0x101010));
    return list;
}

/* The picture as text, ended by NUL; the list is released. */
static char *encode(DrawList *list, const SvgAbout *about) {
    TextMeasure measure = measure_fixed(NULL);
    static const SvgAbout nothing = {0};
    TextOut out = {0};
    draw_end(list);
    must(svg_encode(&out, list, &measure, NULL, about ? about : &nothing, &told));
    draw_release(list);
    return out.at;
}

/* Every element that is opened is closed, in order, and every attribute is quoted. */
static void check_well_formed(const char *text) {
    const char *open[DEPTH_MAX];
    size_t lengths[DEPTH_MAX];
    int depth = 0;
    for (const char *at = strchr(text, '<'); at != NULL; at = strchr(at + 1, '<')) {
        const char *end = at + 1;
        for (bool quoted = false; *end != '\0' && (quoted || *end != '>'); end++) {
            quoted ^= *end == '"';
            assert_true(*end != '<');
        }
        assert_int_equal(*end, '>');
        if (at[1] == '?' || end[-1] == '/')
            continue;
        if (at[1] == '/') {
            depth--;
            assert_true(depth >= 0);
            assert_int_equal((size_t)(end - at - 2), lengths[depth]);
            assert_memory_equal(at + 2, open[depth], lengths[depth]);
            continue;
        }
        assert_true(depth < DEPTH_MAX);
        open[depth] = at + 1;
        lengths[depth++] = strcspn(at + 1, " >");
    }
    assert_int_equal(depth, 0);
}

TEST(text_is_text_and_cannot_break_out) {
    DrawList list = new_list();
    const char words[] = "a<b>&\"c\x01\xff é";
    DrawText style = {.at = {10, 20}, .size = 18, .font = FONT_MONO, .colour = WHITE};
    draw_text_run(&list, &style, words, sizeof words - 1);
    SvgAbout about = {.title = "<title>", .description = "a & b"};
    LOCAL(free_at) char *svg = encode(&list, &about);
    check_well_formed(svg);
    assert_non_null(strstr(svg, ">a&lt;b&gt;&amp;&quot;c \xEF\xBF\xBD é</text>"));
    assert_non_null(strstr(svg, "<title>&lt;title&gt;</title>"));
    assert_non_null(strstr(svg, "<desc>a &amp; b</desc>"));
    assert_non_null(strstr(svg, "textLength=\"118.8\"")); /* eleven code points of 0.6 em */
}

TEST(a_coordinate_is_always_a_number) {
    static const float values[] = {1e37f, -3e38f, INFINITY, NAN, -0.004f};
    for (size_t i = 0; i < ARRAY_COUNT(values); i++)
        assert_string_equal(SVG_NUMBER(values[i]), "0");
    assert_string_equal(SVG_NUMBER(2.5f), "2.5");
}

/* Inkscape would set each letter apart from the left. */
TEST(text_from_right_to_left_has_its_own_length) {
    DrawList list = new_list();
    DrawText style = {.at = {10, 20}, .size = 18, .font = FONT_SANS, .colour = WHITE};
    draw_text_run(&list, &style, "שלום", strlen("שלום"));
    LOCAL(free_at) char *svg = encode(&list, NULL);
    check_well_formed(svg);
    assert_non_null(strstr(svg, ">שלום</text>"));
    assert_null(strstr(svg, "textLength"));
}

/* In colour even if the font of the other words has black ones. Digits never come from an emoji
 * font. */
TEST(emoji_come_from_a_font_of_emoji) {
    DrawList list = new_list();
    DrawText text = {.at = {10, 20}, .size = 18, .font = FONT_SANS, .colour = WHITE};
    draw_text_run(&list, &text, "\xF0\x9F\x98\xB4", 4);
    draw_text_run(&list, &text, "12", 2);
    LOCAL(free_at) char *svg = encode(&list, NULL);
    check_well_formed(svg);
    assert_non_null(strstr(svg, ".e0{font-family:Inter,'Noto Color Emoji',"));
    assert_null(strstr(svg, ".f0{font-family:Inter,'Noto"));
    assert_int_equal(count_in(svg, "<text class=\"e0\""), 1);
    assert_int_equal(count_in(svg, "<text class=\"f0\""), 1);
}

TEST(turned_text_says_its_angle_in_degrees) {
    DrawList list = new_list();
    DrawText style = {.at = {100, 50}, .size = 12, .angle_rad = -0.785398f, .colour = WHITE};
    draw_text_run(&list, &style, "the", 3);
    LOCAL(free_at) char *svg = encode(&list, NULL);
    assert_non_null(strstr(svg, "translate(100 50) rotate(-45)"));
}

TEST(cells_carry_every_value_once) {
    static const float values[6] = {0, 1, 0, 1, DRAW_CELL_MASKED, NAN};
    DrawList list = new_list();
    DrawCells cells = {.rect = {0, 0, 60, 40},
                       .rows = 2,
                       .cols = 3,
                       .stride = 3,
                       .values = values,
                       .lo = 0,
                       .hi = 1,
                       .gap = 1,
                       .palette = PALETTE_CIVIDIS,
                       .ground = COLOUR_RGB(0x111111),
                       .masked = COLOUR_RGB(0x222222),
                       .masked_stroke = COLOUR_RGB(0x333333),
                       .wrong = COLOUR_RGB(0x444444)};
    draw_cells(&list, &cells);
    LOCAL(free_at) char *svg = encode(&list, NULL);
    check_well_formed(svg);
    assert_int_equal(count_in(svg, "fill=\"#00224e\""), 1); /* both zeros in one path */
    assert_int_equal(count_in(svg, "fill=\"#fee838\""), 1);
    assert_int_equal(count_in(svg, "fill=\"#222222\""), 1);
    assert_int_equal(count_in(svg, "stroke=\"#333333\""), 1);
    assert_int_equal(count_in(svg, "stroke=\"#444444\""), 1);
    assert_non_null(strstr(svg, "M40 0h20v19h-20z")); /* the gap is left out, not at the end */
    assert_int_equal(count_in(svg, "<image"), 0);
}

TEST(many_cells_are_one_picture) {
    enum { SIDE = 200 };
    LOCAL(free_at) float *values = calloc((size_t)SIDE * SIDE, sizeof *values);
    assert_non_null(values);
    DrawList list = new_list();
    DrawCells cells = {.rect = {0, 0, 300, 300},
                       .rows = SIDE,
                       .cols = SIDE,
                       .stride = SIDE,
                       .values = values,
                       .hi = 1,
                       .ground = COLOUR_RGB(0)};
    draw_cells(&list, &cells);
    LOCAL(free_at) char *svg = encode(&list, NULL);
    check_well_formed(svg);
    assert_int_equal(count_in(svg, "<image"), 1);
    assert_non_null(strstr(svg, "data:image/png;base64,iVBORw0KGgo"));
}

TEST(a_minus_is_seen_without_colour) {
    static const float values[2] = {-1, 1};
    for (int large = 0; large < 2; large++) {
        DrawList list = new_list();
        float cell = large != 0 ? 20 : 6;
        DrawCells cells = {.rect = {0, 0, 2 * cell, cell},
                           .rows = 1,
                           .cols = 2,
                           .stride = 2,
                           .values = values,
                           .lo = -1,
                           .hi = 1,
                           .palette = PALETTE_SIGNED_DARK,
                           .ground = COLOUR_RGB(0x111111)};
        draw_cells(&list, &cells);
        char *svg = encode(&list, NULL);
        const char *minus = large != 0 ? "M5 9h10v2h-10z" : "M0 1h6v3h-6z";
        assert_non_null(strstr(svg, minus));
        free(svg);
        list = new_list();
        cells.has_numbers = true;
        draw_cells(&list, &cells);
        svg = encode(&list, NULL);
        assert_null(strstr(svg, minus));
        free(svg);
    }
}

TEST(only_what_sticks_out_is_clipped) {
    DrawList list = new_list();
    Rect whole = draw_clip(&list, (Rect){50, 50, 100, 100});
    draw_fill(&list, (Rect){60, 60, 10, 10}, 0, WHITE);
    draw_fill(&list, (Rect){140, 60, 30, 10}, 0, WHITE);
    draw_fill(&list, (Rect){300, 300, 30, 10}, 0, WHITE);
    draw_clip_restore(&list, whole);
    draw_fill(&list, (Rect){0, 0, 10, 10}, 0, WHITE);
    LOCAL(free_at) char *svg = encode(&list, NULL);
    check_well_formed(svg);
    assert_int_equal(count_in(svg, "<clipPath"), 1);
    assert_int_equal(count_in(svg, "<g clip-path"), 1);
}

TEST(shapes_of_every_kind_are_well_formed) {
    DrawList list = new_list();
    DrawBox box = {.rect = {1, 2, 30, 40},
                   .radius = 8,
                   .border = 2,
                   .dash_on = 4,
                   .dash_off = 3,
                   .fill = 0xFF000080u,
                   .fill_right = 0x00FF00FFu,
                   .stroke = WHITE};
    draw_box(&list, &box);
    DrawCurve curve = {{20, 20}, {30, 60}, {80, 60}, {99, 20}, 4, 4, 5, 4, WHITE, WHITE};
    draw_curve(&list, &curve);
    curve.width_to = 1, curve.colour_to = 0xFF0000FFu, curve.dash_on = 0;
    draw_curve(&list, &curve);
    DrawTriangle triangle = {{0, 0}, {50, 0}, {0, 50}, 0xFF0000FFu, 0x00FF00FFu, 0x0000FFFFu};
    draw_triangle(&list, &triangle);
    triangle.colour_b = triangle.colour_c;
    draw_triangle(&list, &triangle);
    box.rect.x = NAN;
    draw_box(&list, &box);
    LOCAL(free_at) char *svg = encode(&list, NULL);
    check_well_formed(svg);
    assert_null(strstr(svg, "nan"));
    assert_null(strstr(svg, "inf"));
    assert_non_null(strstr(svg, "dasharray=\"4 3\"")); /* a third number would be another gap */
    assert_int_equal(count_in(svg, "<rect"), 3);       /* ground, fill, border */
}
