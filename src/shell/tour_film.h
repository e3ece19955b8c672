/* tour_film.h: a tour on its own clock, for a recording: when each step begins, and its captions.
 */
#ifndef HEADLIGHT_SHELL_TOUR_FILM_H
#define HEADLIGHT_SHELL_TOUR_FILM_H

#include "app/tour.h"
#include "shell/subtitles.h"

/* Zeroed is none. */
typedef struct TourFilm {
    Tour tour;        /* owned, until the App takes it */
    double *begins_s; /* owned: of the steps, and behind the last one its end */
    int first, count; /* steps of the tour that are shown */
    int shown;        /* the number of steps that have begun */
    bool is_hall;     /* rather than the window */
    bool has_caption; /* in the picture */
    Subtitles subtitles;
} TourFilm;

/* Read the tour of this name, and plan the steps "ID..ID", or all of them if steps is NULL. A step
 * is longer than it says if its words take longer to read. Release in any case. */
bool tour_film_begin(TourFilm *film, const char *name, const char *steps, Err *err);

/* Return how long it is. */
double tour_film_seconds(const TourFilm *film);

/* Append the steps as chapters of ffmpeg's metadata, with tempo. */
void tour_film_chapters(TextOut *out, const TourFilm *film, double tempo);

/* True if the next step begins at time_s or has begun. */
bool tour_film_is_due(const TourFilm *film, double time_s);

/* Show the step that is due on app. */
void tour_film_step(TourFilm *film, App *app, double time_s);

/* After a frame: note the caption that it shows. */
void tour_film_listen(TourFilm *film, App *app, double time_s);

void tour_film_release(TourFilm *film);

#endif
