/* Subtitles: short lines, time to read, every word. */
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "shell/tour_film.h"
#include "support/test.h"

static const char LONG[] =
    "Row 5 of W_Q and column 9 of W_K transposed: 16 products, added up, are one entry of W_QK. No "
    "score ever uses W_Q or W_K in any other way; “größere” words count by their characters.";

TEST(the_file_is_as_players_read_it) {
    LOCAL(subtitles_release) Subtitles srt = {0}, vtt = {.is_vtt = true};
    for (int i = 0; i < 2; i++) {
        Subtitles *s = i == 0 ? &srt : &vtt;
        subtitles_say(s, "One.", 0);
        subtitles_say(s, "One.", 1);
        subtitles_say(s, "", 2.5);
        subtitles_say(s, "Two.", 3725.25);
        assert_true(subtitles_end(s, 3727));
    }
    assert_string_equal(srt.text.at, "1\n00:00:00,000 --> 00:00:02,500\nOne.\n\n"
                                     "2\n01:02:05,250 --> 01:02:07,000\nTwo.\n");
    assert_string_equal(vtt.text.at, "WEBVTT\n\n1\n00:00:00.000 --> 00:00:02.500\nOne.\n\n"
                                     "2\n01:02:05.250 --> 01:02:07.000\nTwo.\n");
}

TEST(vtt_escapes_its_codes) {
    LOCAL(subtitles_release) Subtitles srt = {0}, vtt = {.is_vtt = true};
    for (int i = 0; i < 2; i++) {
        Subtitles *s = i == 0 ? &srt : &vtt;
        subtitles_say(s, "R&D: a < 0.1 --> b", 0);
        assert_true(subtitles_end(s, 2));
    }
    assert_non_null(strstr(srt.text.at, "\nR&D: a < 0.1 --> b\n"));
    assert_non_null(strstr(vtt.text.at, "\nR&amp;D: a &lt; 0.1 --&gt; b\n"));
}

static size_t characters(const char *text, size_t bytes) {
    size_t count = 0;
    for (size_t at = 0; at < bytes; at = utf8_next(text, bytes, at))
        count++;
    return count;
}

TEST(lines_are_short_and_slow_enough) {
    LOCAL(subtitles_release) Subtitles s = {0};
    char words[sizeof LONG + 8] = "";
    double seconds = subtitles_reading_s(LONG);
    subtitles_say(&s, LONG, 0);
    assert_true(subtitles_end(&s, seconds));
    double from = 0, to = 0;
    size_t shown = 0, lines = 0;
    for (char *line = strtok(s.text.at, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        int h, m, sec, ms, h2, m2, sec2, ms2, number;
        char after;
        if (sscanf(line, "%d:%d:%d,%d --> %d:%d:%d,%d", &h, &m, &sec, &ms, &h2, &m2, &sec2, &ms2) ==
            8) {
            from = sec + ms / 1000.0 + m * 60;
            to = sec2 + ms2 / 1000.0 + m2 * 60;
            shown = lines = 0;
            assert_true(to - from > SUBTITLE_LEAST_S - 0.002);
        } else if (sscanf(line, "%d%c", &number, &after) != 1) {
            assert_true(characters(line, strlen(line)) <= SUBTITLE_LINE);
            assert_true(++lines <= 2);
            shown += characters(line, strlen(line));
            assert_true((double)shown <= SUBTITLE_READING * (to - from) + 0.1);
            snprintf(words + strlen(words), sizeof words - strlen(words), "%s%s",
                     words[0] != '\0' ? " " : "", line);
        }
    }
    assert_string_equal(words, LONG);
}

TEST(a_word_that_is_too_long_is_cut) {
    char word[400];
    memset(word, 'x', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    LOCAL(subtitles_release) Subtitles s = {0};
    subtitles_say(&s, word, 0);
    assert_true(subtitles_end(&s, 30));
    size_t count = 0;
    for (const char *c = s.text.at; *c != '\0'; c++)
        count += *c == 'x';
    assert_int_equal(count, sizeof word - 1);
}
