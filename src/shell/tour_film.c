#include "shell/tour_film.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/examples.h"
#include "app/film_marks.h"
#include "app/tour.h"
#include "base/heap.h"
#include "base/utf8.h"
#include "io/file.h"
#include "shell/assets.h"

bool tour_load(Tour *out, TourFaults *faults, const char *name, Err *err) {
    char *bytes = NULL;
    size_t size;
    bool is_shipped = registry_find(&TOUR_REGISTRY, name, strlen(name)) >= 0;
    bool read = is_shipped ? assets_tour(&bytes, &size, name, err)
                           : file_read(&bytes, &size, name, TOUR_BYTES_MAX, err);
    Err why;
    if (read && !tour_read(out, bytes, size, &PICTURE_OPTIONS, faults, &why))
        read = err_fail(err, name, "%s", why.why);
    free(bytes);
    return read;
}

bool tour_report(const TourFaults *faults, const char *name, Err *err) {
    const Err *first = NULL;
    for (int i = 0; i < faults->count && i < TOUR_FAULTS_MAX; i++) {
        const Err *fault = &faults->at[i].err;
        if (faults->at[i].is_note) {
            Err note; /* a copy, in which err_fail replaces control characters */
            err_fail(&note, name, "%s: %s", fault->what, fault->why);
            fprintf(stderr, "headlight: %s: %s\n", note.what, note.why);
        } else if (first == NULL) {
            first = fault;
        }
    }
    if (first == NULL)
        return true;
    if (faults->errors > 1)
        return err_fail(err, name, "%s: %s (and %d more)", first->what, first->why,
                        faults->errors - 1);
    return err_fail(err, name, "%s: %s", first->what, first->why);
}

static size_t characters(const char *words, size_t bytes) {
    size_t count = 0;
    for (size_t at = 0; at < bytes; at = utf8_next(words, bytes, at))
        count++;
    return count;
}

/* Return the number of bytes of words that fit into a line: whole words, unless the first word
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

/* Return the number of bytes of words that fit into two lines. */
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

/* Write a line of words. WebVTT reads & and < as the start of a code, and --> as a time. */
static void put_line(Subtitles *s, const char *words, size_t bytes) {
    for (const char *c = words; c < words + bytes; c++)
        if (s->is_vtt && strchr("&<>", *c) != NULL)
            text_out(&s->text, "%s", *c == '&' ? "&amp;" : *c == '<' ? "&lt;" : "&gt;");
        else
            text_out_bytes(&s->text, c, 1);
    text_out(&s->text, "\n");
}

static void put_part(Subtitles *s, const char *words, size_t bytes, double from_s, double to_s) {
    size_t first = line_bytes(words), next = first + skip_blanks(words + first);
    text_out(&s->text, "%s%d\n", s->count > 0 ? "\n" : "", s->count + 1);
    s->count++;
    put_time(s, from_s);
    text_out(&s->text, " --> ");
    put_time(s, to_s);
    text_out(&s->text, "\n");
    put_line(s, words, first < bytes ? first : bytes);
    if (next < bytes)
        put_line(s, words + next, bytes - next);
}

static double part_seconds(const char *words, size_t bytes) {
    return fmax((double)characters(words, bytes) / SUBTITLE_READING, SUBTITLE_LEAST_S);
}

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

static bool choose_steps(TourFilm *film, const char *steps, Err *err) {
    const char *dots = strstr(steps, ".."), *last = dots != NULL ? dots + 2 : steps;
    size_t bytes = dots != NULL ? (size_t)(dots - steps) : strlen(steps);
    int from = tour_find(&film->tour, steps, bytes);
    int to = tour_find(&film->tour, last, strlen(last));
    film->first = from;
    film->count = to - from + 1;
    if (from >= 0 && to >= from)
        return true;
    return err_usage(
        err, PRINT("--steps %.100s", steps),
        "does not name steps in order, as first..last; run headlight tour FILE --list");
}

bool tour_film_begin(TourFilm *film, const char *name, const char *steps, Err *err) {
    TourFaults faults;
    if (!tour_load(&film->tour, &faults, name, err) || !tour_report(&faults, name, err))
        return false;
    film->count = film->tour.step_count;
    if (steps != NULL && !choose_steps(film, steps, err))
        return false;
    film->begins_s = heap_get_zero((size_t)film->count + 1, sizeof *film->begins_s);
    if (film->begins_s == NULL)
        return err_fail(err, "memory", "too little for the tour; close other programs");
    for (int i = 0; i < film->count; i++) {
        const TourStep *step = &film->tour.steps[film->first + i];
        const char *words = step->say != NULL ? step->say : step->caption;
        double seconds = tour_seconds(&film->tour, film->first + i);
        film->begins_s[i + 1] =
            film->begins_s[i] + fmax(seconds, words != NULL ? subtitles_reading_s(words) : 0);
    }
    return true;
}

double tour_film_seconds(const TourFilm *film) {
    return film->begins_s[film->count];
}

void tour_film_chapters(TextOut *out, const TourFilm *film, double tempo) {
    text_out(out, ";FFMETADATA1\n");
    for (int i = 0; i < film->count; i++) {
        text_out(out, "[CHAPTER]\nTIMEBASE=1/1000\nSTART=%.0f\nEND=%.0f\ntitle=",
                 1000 * film->begins_s[i] / tempo, 1000 * film->begins_s[i + 1] / tempo);
        for (const char *c = film->tour.steps[film->first + i].title; *c != '\0'; c++)
            text_out(out, "%s%c", strchr("=;#\\", *c) != NULL ? "\\" : "", *c);
        text_out(out, "\n");
    }
}

bool tour_film_is_due(const TourFilm *film, double time_s) {
    return film->shown < film->count && film->begins_s[film->shown] <= time_s;
}

void tour_film_step(TourFilm *film, App *app, double time_s) {
    while (tour_film_is_due(film, time_s))
        film->shown++;
    int step = film->first + film->shown - 1;
    if (film->tour.step_count > 0)
        tour_record_begin(app, &film->tour, step, film->is_hall, film->has_caption);
    tour_record_step(app, step, time_s);
    film_marks_expect(app, film->shown < film->count ? film->begins_s[film->shown] : INFINITY);
}

void tour_film_listen(TourFilm *film, App *app, double time_s) {
    Err err;
    subtitles_say(&film->subtitles, tour_fill(app, tour_caption(app, true), &err), time_s);
    tour_film_note(film, app);
}

void tour_film_note(TourFilm *film, App *app) {
    const char *words = film->has_words ? tour_caption(app, !film->has_caption) : "";
    film->has_failed |= film->faults.count > 0 && film->noted != words;
    if (film->has_failed)
        return;
    film->faults.count = film->faults.errors = 0;
    film->noted = words;
    tour_check_words(app, words == app_tour_step(app)->say ? "say" : "caption", words,
                     &film->faults);
}

bool tour_film_check(const TourFilm *film, const char *name, Err *err) {
    return film->faults.count == 0 || tour_report(&film->faults, name, err);
}

void tour_film_release(TourFilm *film) {
    tour_release(&film->tour);
    free(film->begins_s);
    subtitles_release(&film->subtitles);
    *film = (TourFilm){0};
}
