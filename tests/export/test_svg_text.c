#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/svg_parts.h"
#include "gfx/text.h"
#include "support/test.h"

#define WHITE  0xFFFFFFFFu
#define HALF   0xFFFFFF80u
#define FACE   "\xF0\x9F\x98\xB4"
#define SHALOM "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D"

/* Lines of one file, with the fonts that are installed. */
typedef struct Sheet {
    GfxFonts *fonts;
    TextMeasure measure;
    SvgTexts texts;
    TextOut out;
} Sheet;

static int set_up(void **state) {
    Sheet *sheet = calloc(1, sizeof *sheet);
    assert_non_null(sheet);
    must(fonts_create(&sheet->fonts, &told));
    sheet->measure = text_measure(sheet->fonts);
    sheet->texts = (SvgTexts){.measure = &sheet->measure, .fonts = sheet->fonts};
    *state = sheet;
    return 0;
}

static int tear_down(void **state) {
    Sheet *sheet = *state;
    text_out_release(&sheet->out);
    fonts_release(sheet->fonts);
    free(sheet);
    return 0;
}

/* Without a font in colours there is nothing to be seen of all this. */
static Sheet *sheet_with_colours(void **state) {
    Sheet *sheet = *state;
    int face = fonts_face(sheet->fonts, FONT_SANS, 0x1F634, true);
    if (face == FONTS_NO_FACE || !fonts_has_colour(sheet->fonts, face))
        skip();
    return sheet;
}

/* Return the text that a line adds to the file, valid until the next call. */
static const char *write_line(Sheet *sheet, const DrawText *text, const char *words) {
    DrawText line = *text;
    size_t before = sheet->out.used;
    line.text_bytes = (uint32_t)strlen(words);
    must(svg_text(&sheet->out, &sheet->texts, &line, words, 1, &told));
    assert_false(sheet->out.failed);
    return sheet->out.at + before;
}

/* The words between the tags of the text element. */
static void read_words(char *out, size_t capacity, const char *svg) {
    const char *at = strstr(svg, "<text"), *end = strstr(svg, "</text>");
    size_t used = 0;
    bool in_tag = false;
    assert_true(at != NULL && end != NULL);
    for (; at < end && used + 1 < capacity; at++) {
        in_tag = in_tag || *at == '<';
        if (!in_tag)
            out[used++] = *at;
        in_tag = in_tag && *at != '>';
    }
    out[used] = '\0';
}

TEST(letters_have_no_picture) {
    Sheet *sheet = *state;
    DrawText text = {.at = {10, 20}, .size = 18, .font = FONT_SANS, .colour = WHITE};
    const char *lines[] = {"the cat",
                           "caf\xC3\xA9 \xE2\x86\x92 \xE2\x88\x92"
                           "1",
                           SHALOM " 12"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char words[64];
        const char *svg = write_line(sheet, &text, lines[i]);
        assert_int_equal(count_in(svg, "<tspan") + count_in(svg, "<use"), 0);
        assert_int_equal(count_in(svg, "<image"), 0);
        read_words(words, sizeof words, svg);
        assert_string_equal(words, lines[i]);
    }
}

/* They stay text, all of the line in the order it is read, and only they are unseen. */
TEST(colours_are_a_picture_over_unseen_text) {
    Sheet *sheet = sheet_with_colours(state);
    DrawText text = {.at = {10, 20}, .size = 18, .font = FONT_SANS, .colour = WHITE};
    const char *lines[] = {"the " FACE " cat", SHALOM " " FACE " 12", ("\xE2\x80\x9C" FACE)};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char words[64];
        const char *svg = write_line(sheet, &text, lines[i]);
        assert_non_null(strstr(svg, " fill-opacity=\"0\">" FACE "</tspan>"));
        assert_int_equal(count_in(svg, "fill-opacity"), 1);
        assert_int_equal(count_in(svg, "<use"), 1);
        read_words(words, sizeof words, svg);
        assert_string_equal(words, lines[i]);
    }
}

TEST(a_picture_stands_in_the_file_once) {
    Sheet *sheet = sheet_with_colours(state);
    DrawText text = {.at = {10, 20}, .size = 18, .font = FONT_SANS, .colour = WHITE};
    const char *first = write_line(sheet, &text, FACE);
    assert_int_equal(count_in(first, "<image id=\"p1\""), 1);
    assert_int_equal(count_in(first, "data:image/png;base64,iVBORw0KGgo"), 1);
    text.size = 32;
    const char *second = write_line(sheet, &text, FACE);
    assert_int_equal(count_in(second, "<image"), 0);
    assert_non_null(
        strstr(second, "<use xlink:href=\"#p1\" transform=\"translate(10 20) scale(0.32)"));
}

/* The offset is the width of the words before it, rounded to a whole pixel as in the window. */
TEST(a_picture_stands_where_its_text_does) {
    Sheet *sheet = sheet_with_colours(state);
    DrawText text = {.at = {10, 20}, .size = 18, .font = FONT_SANS, .colour = HALF};
    float before = sheet->measure.width(sheet->measure.context, FONT_SANS, 18, "the ", 4);
    char expected[96];
    snprintf(expected, sizeof expected, "translate(%d 20) scale(0.18)\" opacity=\"0.5\"",
             10 + (int)(before + 0.5f));
    assert_non_null(strstr(write_line(sheet, &text, "the " FACE), expected));
    text.angle_rad = -1.5707963f;
    assert_non_null(strstr(write_line(sheet, &text, FACE), "translate(10 20) rotate(-90) scale("));
}

TEST_EACH(set_up, tear_down)
