/* tour_film.h: a tour with its own clock, for a recording: when each step begins, and its captions.
 * */
#ifndef HEADLIGHT_SHELL_TOUR_FILM_H
#define HEADLIGHT_SHELL_TOUR_FILM_H

#include "app/tour.h"
#include "shell/subtitles.h"

/* Read a tour, by its file or the id of one that ships, over *out; release it with tour_release.
 * Faults are listed in faults. */
bool tour_load(Tour *out, TourFaults *faults, const char *name, Err *err);

/* Print notes on standard error, and fail with the first error. */
bool tour_report(const TourFaults *faults, const char *name, Err *err);

/* A tour that is recorded. All zero is none. */
typedef struct TourFilm {
    Tour tour;        /* owned, until the App takes it */
    double *begins_s; /* owned: when each step begins, and the end of the last */
    int first, count; /* the steps of the tour that are shown */
    int shown;        /* number of steps that have begun */
    bool is_hall;     /* true: the hall form; false: as in the window */
    bool has_caption; /* captions are in the picture */
    Subtitles subtitles;
} TourFilm;

/* Read the tour of this name, and plan the steps "ID..ID", or all if steps is NULL. A step lasts
 * longer than it says if its words take longer to read. Call tour_film_release in any case. */
bool tour_film_begin(TourFilm *film, const char *name, const char *steps, Err *err);

/* Return the length of all steps, in seconds. */
double tour_film_seconds(const TourFilm *film);

/* Append the steps as chapters in ffmpeg's metadata, with tempo. */
void tour_film_chapters(TextOut *out, const TourFilm *film, double tempo);

/* True if the next step begins at time_s or has begun. */
bool tour_film_is_due(const TourFilm *film, double time_s);

/* Show the current step on app. */
void tour_film_step(TourFilm *film, App *app, double time_s);

/* After a frame: add its caption to the subtitles. */
void tour_film_listen(TourFilm *film, App *app, double time_s);

void tour_film_release(TourFilm *film);

#endif
