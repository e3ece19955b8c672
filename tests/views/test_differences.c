/* Differences of the matrices of Heads: from a head, another form, a second sentence. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "support/matrices.h"
#include "support/slow_job.h"
#include "support/test.h"
#include "views/shared/heatmap.h"

TEST(differences_are_of_what_is_shown) {
    Picture A = picture_of(""), less = picture_of("&minus=head:1");
    Picture form = picture_of("&minus=form");
    assert_int_equal(A.count, 2);
    for (int i = 0; i < entries(&A); i++) {
        assert_true(less.at[0][i] == 0);
        assert_true(less.at[1][i] == A.at[1][i] - A.at[0][i]);
        assert_true(fabsf(form.at[0][i]) < 1e-5f && fabsf(form.at[1][i]) < 1e-5f);
    }
}

/* Every quantity minus that of the other form equals the difference of the two forms in use; G is
 * the same in all. */
TEST(another_form_is_taken_off_every_quantity) {
    static const char *const forms[][2] = {
        {"separate", "merged"}, {"merged", "separate"}, {"rank:2", "separate"}, {"nested", NULL}};
    for (size_t f = 0; f < ARRAY_COUNT(forms); f++)
        for (int show = 0; show < SHOWS.count; show++) {
            char line[160];
            const char *id = registry_entry(&SHOWS, show)->id;
            snprintf(line, sizeof line, "&mask=causal&form=%s&show=%s", forms[f][0], id);
            Picture used = picture_of(line);
            strcat(line, "&minus=form");
            Picture less = picture_of(line), other = used;
            if (forms[f][1] != NULL) {
                snprintf(line, sizeof line, "&mask=causal&form=%s&show=%s", forms[f][1], id);
                other = picture_of(line);
            }
            for (int i = 0; i < entries(&used); i++) {
                float a = used.at[1][i], b = other.at[1][i], d = less.at[1][i];
                if (forms[f][1] != NULL)
                    assert_true(a == DRAW_CELL_MASKED ? d == DRAW_CELL_MASKED : d == a - b);
                else
                    assert_true(a == DRAW_CELL_MASKED || fabsf(d) < 1e-4f);
            }
        }
    Picture none = picture_of("&form=free&show=grad-a&minus=form");
    assert_int_equal(none.count, 0);
}

/* Each matrix of the comparison of two sentences has the values of the two texts alone. */
TEST(a_second_sentence_stands_next_to_the_text) {
    static const int first_at[] = {0, 1, -1, 2, 3, 4, 5}, second_at[] = {0, -1, 1, 2, 3, -1, -1};
    for (int show = 0; show < SHOWS.count; show++) {
        char line[160];
        const char *id = registry_entry(&SHOWS, show)->id;
        snprintf(line, sizeof line, "&mask=causal&head=2&show=%s", id);
        Picture first = picture_of(line);
        strcat(line, "&text=The%20dog%20sat%20on");
        Picture second = picture_of(line);
        snprintf(line, sizeof line, "&mask=causal&head=2&show=%s&second=The%%20dog%%20sat%%20on",
                 id);
        Picture pair = picture_of(line);
        assert_int_equal(pair.count, 3);
        assert_int_equal(pair.rows, 7);
        for (int i = 0; i < 7; i++)
            for (int j = 0; j < 7; j++) {
                int at = i * 7 + j, a = first_at[i] * 6 + first_at[j];
                int b = second_at[i] * 4 + second_at[j];
                bool in_first = first_at[i] >= 0 && first_at[j] >= 0;
                bool in_second = second_at[i] >= 0 && second_at[j] >= 0;
                float x = in_first ? first.at[1][a] : DRAW_CELL_MASKED;
                float y = in_second ? second.at[1][b] : DRAW_CELL_MASKED;
                bool both = x != DRAW_CELL_MASKED && y != DRAW_CELL_MASKED;
                assert_true(pair.at[0][at] == x && pair.at[1][at] == y);
                assert_true(pair.at[2][at] == (both ? y - x : DRAW_CELL_MASKED));
            }
    }
}

/* K shows a copy of the text, whose difference is 0; typing changes it; the cross removes it. */
TEST(a_second_sentence_is_typed) {
    Picture pair;
    SCRIPT(s, script_open, STANDARD "&motion=less");
    script_play(&s, "K |");
    keep_picture(&pair, &s.list);
    assert_int_equal(pair.count, 3);
    assert_int_equal(pair.rows, 6);
    for (int i = 0; i < entries(&pair); i++)
        assert_true(pair.at[2][i] == 0 && pair.at[0][i] == pair.at[1][i]);
    script_play(&s, "| End ' mark' |");
    assert_non_null(strstr(script_state(&s), "second=the%20cat%20sat%20on%20the%20mat%20mark"));
    keep_picture(&pair, &s.list);
    assert_int_equal(pair.rows, 7);
    script_play(&s, "Ctrl+A Delete |");
    assert_null(strstr(script_state(&s), "second="));
    script_play(&s, "{Type a second sentence*} Escape |");
    keep_picture(&pair, &s.list);
    assert_int_equal(pair.count, 2);
}

/* A copy has room for 223 bytes. */
TEST(a_copy_of_a_text_that_is_too_long_is_reported) {
    for (int words = 40; words <= 70; words += 30) {
        SCRIPT(s, script_open, script_with_words("motion=less&text=", words, words));
        script_play(&s,
                    words == 40 ? "K | -{The text is too long*}" : "K | {The text is too long*}");
    }
}

/* Two keys between two frames: the request of the first does not wait until Heads comes back. */
TEST(another_view_withdraws_the_second_sentence) {
    const InputEvent keys[] = {{.kind = INPUT_KEY, .key = 'k'}, {.kind = INPUT_KEY, .key = '4'}};
    SCRIPT(s, script_open, STANDARD);
    script_events(&s, keys, 2);
    script_play(&s, "~view=compare 1 | -~second=");
}

/* Another view changes the text, and the pair of the old one must not be drawn with the new one. */
TEST(no_pair_of_another_text_is_drawn) {
    static const char *const texts[][2] = {{"a%20b%20c%20d%20e%20f%20g%20h", "x"},
                                           {"x", "a%20b%20c%20d%20e%20f%20g%20h"}};
    for (size_t i = 0; i < ARRAY_COUNT(texts); i++) {
        Slow slow = {0};
        char line[160];
        snprintf(line, sizeof line, "second=a%%20b%%20z&pin=1,1&text=%s", texts[i][0]);
        SCRIPT(s, script_begin_jobs, line, slow_pool(&slow));
        script_play(&s, "#3 2");
        snprintf(line, sizeof line, "view=graph&second=a%%20b%%20z&text=%s", texts[i][1]);
        script_paste(&s, line, strlen(line));
        slow.polls = SLOW_FOR_GOOD;
        script_key(&s, '1', 0);
        for (int frame = 0; frame < 3; frame++, script_wait(&s, 1)) {
            assert_int_equal(drawn_cells_count(&s.list), 0);
            script_move(&s, (Vec2){s.width_px / 4, s.height_px / 2});
        }
        slow.polls = 0;
        script_play(&s, "| #3");
    }
}

/* For any two texts there is a picture or a reason why not. */
TEST(any_second_sentence_is_drawn_or_refused) {
    static const char *const seconds[] = {
        "%20",         "a",          "%F0%9F%98%80%20%D7%90", "&text=", "&text=%20",
        "x&ids=1,2,3", "it&layer=2", "it&view=lecture"};
    for (size_t i = 0; i < ARRAY_COUNT(seconds); i++) {
        const char *line = PRINT("%s&second=%s", STANDARD, seconds[i]);
        SCRIPT(s, script_begin, STANDARD, 1024, 768);
        script_paste(&s, line, strlen(line));
        script_play(&s, "| K |");
    }
}
