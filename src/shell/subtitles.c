#include "shell/subtitles.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"

static size_t characters(const char *words, size_t bytes) {
    size_t count = 0;
    for (size_t at = 0; at < bytes; at = utf8_next(words, bytes, at))
        count++;
    return count;
}

/* Return the number of bytes in the first line of words: whole words, except if the first word
 * alone is too long. */
static size_t line_bytes(const char *words) {
    size_t bytes = strlen(words), fits = 0, count = 0;
    for (size_t at = 0; at < bytes; at = utf8_next(words, bytes, at), count++) {
        if (count > SUBTITLE_LINE)
            return fits;
        if (words[at] == ' ' || (fits == 0 && count == SUBTITLE_LINE))
            fits = at;
    }
    return count <= SUBTITLE_LINE ? bytes : fits;
}

static size_t skip_blanks(const char *words) {
    return strspn(words, " ");
}

/* Return the number of bytes that are shown at once, in at most two lines. */
static size_t part_bytes(const char *words) {
    size_t first = line_bytes(words);
    size_t next = first + skip_blanks(words + first);
    return words[next] == '\0' ? first : next + line_bytes(words + next);
}

static void put_time(Subtitles *s, double time_s) {
    long ms = lround(time_s * 1000);
    text_out(&s->text, "%02ld:%02ld:%02ld%c%03ld", ms / 3600000, ms / 60000 % 60, ms / 1000 % 60,
             s->is_vtt ? '.' : ',', ms % 1000);
}

static void put_part(Subtitles *s, const char *words, size_t bytes, double from_s, double to_s) {
    size_t first = line_bytes(words), next = first + skip_blanks(words + first);
    text_out(&s->text, "%s%d\n", s->count > 0 ? "\n" : "", s->count + 1);
    s->count++;
    put_time(s, from_s);
    text_out(&s->text, " --> ");
    put_time(s, to_s);
    text_out(&s->text, "\n%.*s\n", (int)(first < bytes ? first : bytes), words);
    if (next < bytes)
        text_out(&s->text, "%.*s\n", (int)(bytes - next), words + next);
}

/* Return the number of seconds that it takes to read this part. */
static double part_seconds(const char *words, size_t bytes) {
    return fmax((double)characters(words, bytes) / SUBTITLE_READING, SUBTITLE_LEAST_S);
}

/* Divide the time between the parts in proportion to their reading times. */
static void put_said(Subtitles *s, double end_s) {
    const char *words = s->said.at;
    if (s->text.used == 0 && s->is_vtt)
        text_out(&s->text, "WEBVTT\n\n");
    if (words == NULL || words[0] == '\0' || end_s <= s->since_s)
        return;
    double all = subtitles_reading_s(words), from_s = s->since_s;
    while (*words != '\0') {
        size_t bytes = part_bytes(words);
        double to_s = from_s + (end_s - s->since_s) * part_seconds(words, bytes) / all;
        put_part(s, words, bytes, from_s, to_s);
        words += bytes + skip_blanks(words + bytes);
        from_s = to_s;
    }
}

void subtitles_say(Subtitles *s, const char *words, double time_s) {
    if (strcmp(words, s->said.at != NULL ? s->said.at : "") == 0)
        return;
    put_said(s, time_s);
    text_out_reset(&s->said);
    text_out(&s->said, "%s", words);
    s->since_s = time_s;
}

bool subtitles_end(Subtitles *s, double time_s) {
    put_said(s, time_s);
    text_out_reset(&s->said);
    return !s->text.failed && !s->said.failed;
}

double subtitles_reading_s(const char *words) {
    double seconds = 0;
    while (*words != '\0') {
        size_t bytes = part_bytes(words);
        seconds += part_seconds(words, bytes);
        words += bytes + skip_blanks(words + bytes);
    }
    return seconds;
}

void subtitles_release(Subtitles *s) {
    text_out_release(&s->said);
    text_out_release(&s->text);
}
