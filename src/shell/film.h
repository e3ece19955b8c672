/* film.h: a stage on which time passes at a fixed rate and keys are pressed at their times. Time is
 * virtual, so a frame is a function of the session, the settings, the keys and its number. */
#ifndef HEADLIGHT_SHELL_FILM_H
#define HEADLIGHT_SHELL_FILM_H

#include "shell/key_script.h"
#include "shell/stage.h"
#include "shell/state_motion.h"
#include "shell/tour_film.h"

#define FILM_FPS 60 /* of `render`, so that its picture is that of a recording at this rate */

/* Borrows stage, keys, motion and tour. */
typedef struct Film {
    Stage *stage;
    const KeyScript *keys;
    StateMotion *motion; /* or NULL */
    TourFilm *tour;      /* or NULL */
    int fps;
    double tempo;  /* seconds of the program in a second of the film */
    long frame;    /* the next one */
    int pressed;   /* keys so far */
    double wake_s; /* when the picture changes by itself */
    Err failure;   /* of kind ERR_NONE, or why the motion stopped */
} Film;

/* Draw the frame before the first key. */
void film_begin(Film *film, Stage *stage, const KeyScript *keys, int fps, double tempo);

/* True if the next frame may differ from the last one. */
bool film_changes(const Film *film);

/* Pass to the next frame, and draw it if it may differ. */
void film_next(Film *film);

/* Pass to this time, and draw the picture of it. The frames before it have no pixels. */
void film_show(Film *film, double time_s);

#endif
