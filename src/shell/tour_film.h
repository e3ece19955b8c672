/* tour_film.h: a tour that is recorded: the times at which its steps begin, and its captions. */
#ifndef HEADLIGHT_SHELL_TOUR_FILM_H
#define HEADLIGHT_SHELL_TOUR_FILM_H

#include "app/tour.h"
#include "base/text_out.h"

/* Read a tour into *out, by the path of its file or by the id of one that comes with the program.
 * Release it with tour_release. Faults are listed in faults. */
bool tour_load(Tour *out, TourFaults *faults, const char *name, Err *err);

/* Print the notes in faults on standard error. Fail with the first error in faults. */
bool tour_report(const TourFaults *faults, const char *name, Err *err);

#define SUBTITLE_LINE    42   /* limit of characters in a line */
#define SUBTITLE_READING 17.0 /* reading speed: characters per second */
#define SUBTITLE_LEAST_S 1.2

/* The captions of a film with their times, as SubRip or WebVTT: at most 42 characters in a line and
 * two lines at once. All zero is empty. */
typedef struct Subtitles {
    TextOut said; /* the current caption, written when the time of its end is known */
    double since_s;
    TextOut text; /* the file so far */
    bool is_vtt;
    int count;
} Subtitles;

/* Show words from time_s on, "" for none. Does nothing if they equal the current caption. */
void subtitles_say(Subtitles *subtitles, const char *words, double time_s);

/* End the current caption. Afterwards text is the whole file. Return false if memory ran out. */
bool subtitles_end(Subtitles *subtitles, double time_s);

double subtitles_reading_s(const char *words);

void subtitles_release(Subtitles *subtitles);

/* A tour that is recorded. All zero: no tour. */
typedef struct TourFilm {
    Tour tour;        /* owned, until the App takes it */
    double *begins_s; /* owned: the time at which each step begins, and the end of the last */
    int first, count; /* index of the first recorded step; number of recorded steps */
    int shown;        /* number of steps that have been shown or are shown now */
    bool is_hall;     /* true: as presented to an audience (app/hall.h); false: as in the window */
    bool has_caption; /* true if captions are drawn in the picture */
    bool has_words;   /* true if captions are drawn in the picture or are subtitles */
    /* The words of the last frame and their wrong or missing numbers. has_failed: true if they were
     * still wrong in the last frame that showed them. */
    const char *noted;
    TourFaults faults;
    bool has_failed;
    Subtitles subtitles;
} TourFilm;

/* Read the tour with this name, and plan the steps "ID..ID" or "ID"; NULL: all steps. A step lasts
 * longer than in its file if its words take longer to read. Call tour_film_release even on
 * failure. */
bool tour_film_begin(TourFilm *film, const char *name, const char *steps, Err *err);

double tour_film_seconds(const TourFilm *film);

/* Append the steps as chapters in the format of ffmpeg's metadata. tempo: see Film. */
void tour_film_chapters(TextOut *out, const TourFilm *film, double tempo);

/* True if the next step begins at time_s or has begun. */
bool tour_film_is_due(const TourFilm *film, double time_s);

void tour_film_step(TourFilm *film, App *app, double time_s);

/* After a frame: add the frame's caption to the subtitles, and note its wrong or missing numbers.
 * The second function only does the latter. */
void tour_film_listen(TourFilm *film, App *app, double time_s);
void tour_film_note(TourFilm *film, App *app);

/* After the last frame, or after any frame at rest: fail if words were shown with a wrong
 * or missing number. name is the tour's. */
bool tour_film_check(const TourFilm *film, const char *name, Err *err);

void tour_film_release(TourFilm *film);

#endif
