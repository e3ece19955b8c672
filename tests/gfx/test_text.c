#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "gfx/raster.h"
#include "gfx/text.h"
#include "support/test.h"

/* Two letters that join (beh, teh), the same kept apart by a joiner that forbids it, and Hebrew. */
#define ARABIC_JOINED "\xD8\xA8\xD8\xAA"
#define ARABIC_APART  "\xD8\xA8\xE2\x80\x8C\xD8\xAA"
#define HEBREW        "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D"
#define E_ACUTE_PARTS "e\xCC\x81"
#define FACE          "\xF0\x9F\x98\x80"
#define NOWHERE       "\xF3\xB0\x80\x80" /* U+F0000, for private use */

static float width_of(GfxFonts *fonts, Font font, float size, const char *text) {
    TextMeasure measure = text_measure(fonts);
    return measure.width(measure.context, font, size, text, strlen(text));
}

/* Two functions of SDL_ttf, in its place: while HarfBuzz lacks memory, they succeed and set errno.
 */
static bool is_short;

TTF_Font *TTF_OpenFontIndex(const char *file, int size, long index) {
    SDL_RWops *from = SDL_RWFromFile(file, "rb");
    TTF_Font *font = from != NULL ? TTF_OpenFontIndexRW(from, 1, size, index) : NULL;
    errno = is_short ? ENOMEM : errno;
    return font;
}

int TTF_SizeUTF8(TTF_Font *font, const char *text, int *width, int *height) {
    int count, done = TTF_MeasureUTF8(font, text, INT_MAX, width, &count);
    if (height != NULL)
        *height = TTF_FontHeight(font);
    errno = is_short ? ENOMEM : errno;
    return done;
}

static int begin(void **state) {
    Err err = {0};
    GfxFonts *fonts = NULL;
    if (!fonts_create(&fonts, &err))
        printf("# %s: %s\n", err.what, err.why);
    *state = fonts;
    return fonts != NULL ? 0 : -1;
}

static int end(void **state) {
    fonts_release(*state);
    return 0;
}

TEST(width_grows_with_text_and_size) {
    const char *text = "Attention, 0.430 \xE2\x88\x92 \xCF\x83";
    for (int font = 0; font < FONT_COUNT; font++) {
        TextMeasure measure = text_measure(*state);
        float last = 0;
        for (size_t bytes = 0; bytes <= 17; bytes++) {
            float width = measure.width(measure.context, (Font)font, 18, text, bytes);
            assert_true(width >= last);
            last = width;
        }
        for (float size = 6; size < 60; size += 3)
            assert_true(width_of(*state, (Font)font, size + 3, text) >
                        width_of(*state, (Font)font, size, text));
    }
}

/* The shaper reports a shortage by errno alone, which any other code may clear. */
TEST(a_shortage_while_text_is_shaped_is_reported) {
    for (int measures = 0; measures < 2; measures++) {
        GfxFonts *fonts = NULL;
        is_short = !measures;
        must(fonts_create(&fonts, &told));
        errno = 0;
        is_short = measures;
        width_of(fonts, FONT_SANS, 18, "A");
        is_short = false;
        errno = 0;
        assert_false(fonts_check(fonts, &told));
        fonts_release(fonts);
    }
}

TEST(nothing_has_no_width) {
    TextMeasure measure = text_measure(*state);
    assert_true(measure.width(measure.context, FONT_SANS, 18, "", 0) == 0);
    assert_true(measure.width(measure.context, FONT_SANS, 18, NULL, 0) == 0);
}

TEST(width_is_the_same_when_asked_again) {
    const char *text = "the animal didn\xE2\x80\x99t";
    float first = width_of(*state, FONT_SANS, 18, text);
    for (int i = 0; i < 40000; i++) { /* more than the cache holds */
        char other[16];
        snprintf(other, sizeof other, "%d", i);
        width_of(*state, FONT_SANS, 18, other);
    }
    assert_true(width_of(*state, FONT_SANS, 18, text) == first);
}

TEST(pieces_add_up_to_the_whole) {
    float parts = width_of(*state, FONT_SANS, 18, "reads ") + width_of(*state, FONT_SANS, 18, "it");
    assert_true(fabsf(width_of(*state, FONT_SANS, 18, "reads it") - parts) < 1);
}

/* An italic f reaches beyond its advance on both sides, which takes no room. A blank keeps the two
 * from becoming a ligature. */
TEST(what_reaches_beyond_an_advance_takes_no_room) {
    float one = width_of(*state, FONT_MATH_ITALIC, 24, "f");
    float blank = width_of(*state, FONT_MATH_ITALIC, 24, " ");
    assert_true(fabsf(width_of(*state, FONT_MATH_ITALIC, 24, "f f") - 2 * one - blank) < 1);
}

TEST(mono_advances_are_whole_and_equal) {
    for (int size = 8; size < 40; size++) {
        float one = width_of(*state, FONT_MONO, (float)size, "0");
        assert_true(one == floorf(one) && one > 0);
        assert_true(width_of(*state, FONT_MONO, (float)size, "->!=.:1") == 7 * one);
        assert_true(width_of(*state, FONT_MONO_BOLD, (float)size, "9,999") ==
                    5 * width_of(*state, FONT_MONO_BOLD, (float)size, "0"));
    }
}

TEST(arabic_letters_join) {
    TextMeasure measure = text_measure(*state);
    if (measure.first_missing(measure.context, ARABIC_JOINED, 4) != 0)
        skip();
    float joined = width_of(*state, FONT_SANS, 40, ARABIC_JOINED);
    float apart = width_of(*state, FONT_SANS, 40, ARABIC_APART);
    float sum =
        width_of(*state, FONT_SANS, 40, "\xD8\xA8") + width_of(*state, FONT_SANS, 40, "\xD8\xAA");
    assert_true(joined < sum * 0.95f);
    assert_true(fabsf(apart - sum) < 1.5f);
}

/* The result of a layout: the starts of its runs' texts from left to right. */
typedef struct Seen {
    TextRun runs[64];
    float x[64], width[64];
    int count;
} Seen;

static void note_run(void *context, const TextRun *run, float x, float width) {
    Seen *seen = context;
    assert_in_range(seen->count, 0, 63);
    seen->runs[seen->count] = *run;
    seen->x[seen->count] = x;
    seen->width[seen->count++] = width;
}

static Seen lay_out(GfxFonts *fonts, Font font, const char *text) {
    Seen seen = {0};
    float width = text_layout(fonts, font, 18, text, strlen(text), TEXT_AUTO, note_run, &seen);
    float at = 0;
    for (int i = 0; i < seen.count; i++) {
        assert_true(fabsf(seen.x[i] - at) < 0.01f);
        at += seen.width[i];
    }
    assert_true(fabsf(width - at) < 0.01f);
    return seen;
}

static int run_with(const Seen *seen, const char *text) {
    for (int i = 0; i < seen->count; i++)
        for (size_t at = 0; at + strlen(text) <= seen->runs[i].bytes; at++)
            if (memcmp(seen->runs[i].text + at, text, strlen(text)) == 0)
                return i;
    fail_msg("no run has %s", text);
    return -1;
}

TEST(right_to_left_words_are_turned_around) {
    Seen seen = lay_out(*state, FONT_SANS, "one " HEBREW " two");
    int one = run_with(&seen, "one"), hebrew = run_with(&seen, HEBREW);
    assert_true(one < hebrew && hebrew < run_with(&seen, "two"));
    assert_true(seen.runs[hebrew].is_rtl && !seen.runs[one].is_rtl);
    assert_string_equal(seen.runs[hebrew].script->code, "Hebr");
    seen = lay_out(*state, FONT_SANS, HEBREW " one");
    assert_true(run_with(&seen, "one") < run_with(&seen, HEBREW));
}

TEST(numbers_in_right_to_left_text_read_left_to_right) {
    Seen seen = lay_out(*state, FONT_SANS, HEBREW " 3.25 " HEBREW);
    int number = run_with(&seen, "3.25");
    assert_false(seen.runs[number].is_rtl);
    assert_true(number > 0 && number < seen.count - 1);
    assert_true(seen.runs[0].text > seen.runs[number].text); /* the later word is further left */
}

TEST(marks_stay_with_their_base) {
    Seen seen = lay_out(*state, FONT_MONO, "a" E_ACUTE_PARTS "b");
    assert_int_equal(seen.count, 3);
    assert_int_equal(seen.runs[1].bytes, 3);
    assert_int_equal(seen.runs[1].clusters, 1);
    float plain = width_of(*state, FONT_SANS, 40, "e");
    assert_true(fabsf(width_of(*state, FONT_SANS, 40, E_ACUTE_PARTS) - plain) < 1);
}

TEST(no_word_is_cut_where_it_can_be_kept) {
    char text[400] = "";
    for (int i = 0; i < 30; i++)
        strcat(text, "attention ");
    Seen seen = lay_out(*state, FONT_SANS, text);
    assert_true(seen.count > 1);
    for (int i = 0; i < seen.count; i++)
        assert_int_equal(seen.runs[i].text[seen.runs[i].bytes - 1], ' ');
}

TEST(a_character_no_font_has_is_told_and_measured) {
    TextMeasure measure = text_measure(*state);
    const char *text = "ab" NOWHERE "c";
    assert_int_equal(measure.first_missing(measure.context, text, strlen(text)), 0xF0000);
    assert_int_equal(measure.first_missing(measure.context, "plain \xE2\x80\x8D text\n\t", 16), 0);
    assert_true(fabsf(width_of(*state, FONT_SANS, 20, NOWHERE) - 20 * TEXT_BOX_ADVANCE) < 0.01f);
    assert_true(width_of(*state, FONT_MATH, 20, NOWHERE NOWHERE) >
                1.9f * width_of(*state, FONT_MATH, 20, NOWHERE));
}

TEST(malformed_text_has_a_width) {
    TextMeasure measure = text_measure(*state);
    const char bytes[] = {'a', '\xFF', '\xC3', '\0', '\x80', '\xF0', '\x9F', 'b', '\x7F', '\n'};
    for (size_t size = 1; size <= sizeof bytes; size++)
        assert_true(measure.width(measure.context, FONT_SANS, 18, bytes, size) > 0);
}

TEST(sizes_are_kept_within_bounds) {
    const float odd[] = {0, -5, NAN, -INFINITY};
    for (size_t i = 0; i < ARRAY_COUNT(odd); i++)
        assert_true(width_of(*state, FONT_SANS, odd[i], "text") ==
                    width_of(*state, FONT_SANS, 1, "text"));
    assert_true(width_of(*state, FONT_SANS, INFINITY, "text") ==
                width_of(*state, FONT_SANS, FONTS_SIZE_MAX, "text"));
}

TEST(huge_text_is_measured_whole) {
    TextMeasure measure = text_measure(*state);
    const size_t bytes = 100000;
    LOCAL(free_at) char *text = malloc(bytes);
    assert_non_null(text);
    memset(text, 'n', bytes);
    float one = width_of(*state, FONT_SANS, 40, "n");
    float all = measure.width(measure.context, FONT_SANS, 40, text, bytes);
    assert_true(fabsf(all / (one * (float)bytes) - 1) < 0.01f);
    memset(text, ' ', bytes);
    assert_true(measure.width(measure.context, FONT_SANS, 40, text, bytes) > 1000);
}

/* One letter under marks without end: no cluster may grow with them. */
TEST(a_tower_of_marks_is_bounded) {
    char text[3001] = "e";
    for (int i = 0; i < 1500; i++)
        memcpy(text + 1 + 2 * i - (i == 1499), "\xCC\x81", 2);
    Seen seen = {0};
    text_layout(*state, FONT_SANS, 18, text, 801, TEXT_AUTO, note_run, &seen);
    for (int i = 0; i < seen.count; i++) {
        RasterImage image = raster_run(*state, &seen.runs[i], 18);
        assert_true(image.width <= RASTER_SIDE_MAX && image.height <= RASTER_SIDE_MAX);
        free(image.pixels);
    }
    assert_true(seen.count > 0);
}

static RasterImage raster_first(GfxFonts *fonts, Font font, const char *text, int size) {
    Seen seen = {0};
    text_layout(fonts, font, size, text, strlen(text), TEXT_AUTO, note_run, &seen);
    assert_int_not_equal(seen.count, 0);
    return raster_run(fonts, &seen.runs[0], size);
}

TEST(the_largest_text_fits_its_image) {
    const char *texts[] = {"WWWWWWWWWWWWWWWW", "\xEF\xB7\xBD", "\xE6\x97\xA5\xE6\x9C\xAC",
                           FACE FACE FACE FACE, NOWHERE NOWHERE NOWHERE NOWHERE};
    for (size_t i = 0; i < ARRAY_COUNT(texts); i++) {
        RasterImage image = raster_first(*state, FONT_SANS, texts[i], FONTS_SIZE_MAX);
        assert_true(image.width <= RASTER_SIDE_MAX && image.height <= RASTER_SIDE_MAX);
        assert_non_null(image.pixels);
        free(image.pixels);
    }
}

TEST(emoji_are_as_tall_as_the_text) {
    const int sizes[] = {12, 18, 48};
    int face = fonts_face(*state, FONT_SANS, 0x1F600, true);
    if (face == FONTS_NO_FACE || !fonts_is_bitmap(*state, face))
        skip();
    for (size_t i = 0; i < ARRAY_COUNT(sizes); i++) {
        RasterImage image = raster_first(*state, FONT_SANS, FACE, sizes[i]);
        float height = (float)image.height * image.scale;
        assert_true(image.is_coloured);
        assert_true(fabsf(height / (float)sizes[i] - 1.15f) < 0.3f);
        float width = width_of(*state, FONT_SANS, (float)sizes[i], FACE);
        assert_true(width > 0.9f * (float)sizes[i] && width < 1.6f * (float)sizes[i]);
        free(image.pixels);
    }
}

/* The f of STIX Italic reaches left of its origin; that of a replacement face may not. */
TEST(letters_that_reach_left_are_placed) {
    if (strstr(fonts_substitutions(*state), "STIX") != NULL)
        skip();
    RasterImage image = raster_first(*state, FONT_MATH_ITALIC, "f", 100);
    assert_non_null(image.pixels);
    assert_in_range(image.left, 1, 40);
    free(image.pixels);
    image = raster_first(*state, FONT_SANS, "H", 100);
    assert_int_equal(image.left, 0);
    assert_false(image.is_coloured);
    free(image.pixels);
}

TEST(metrics_are_those_of_letters) {
    TextMeasure measure = text_measure(*state);
    for (int font = 0; font < FONT_COUNT; font++) {
        FontMetrics m = measure.metrics(measure.context, (Font)font, 100);
        assert_true(m.ascent > m.cap_height && m.cap_height > m.x_height && m.x_height > 30);
        assert_true(m.descent > 10 && m.descent < 60);
    }
}

TEST(without_fonts_the_package_is_named) {
    const char *path = "empty_fonts.conf";
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("<?xml version=\"1.0\"?><fontconfig><dir>/no/fonts/here</dir></fontconfig>", file);
    fclose(file);
    setenv("FONTCONFIG_FILE", path, 1);
    setenv("FONTCONFIG_PATH", ".", 1);
    GfxFonts *fonts = NULL;
    Err err = {0};
    bool created = fonts_create(&fonts, &err);
    unsetenv("FONTCONFIG_FILE");
    unsetenv("FONTCONFIG_PATH");
    remove(path);
    assert_false(created);
    assert_null(fonts);
    assert_non_null(strstr(err.why, "fonts-inter"));
}

TEST_ALL(begin, end)
