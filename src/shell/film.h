/* film.h: a stage whose time advances at a fixed rate and on which keys are pressed at given
 * times. Time is virtual, so a frame depends only on the session, the settings, the keys and its
 * number. */
#ifndef HEADLIGHT_SHELL_FILM_H
#define HEADLIGHT_SHELL_FILM_H

#include "shell/key_script.h"
#include "shell/stage.h"
#include "shell/state_motion.h"
#include "shell/tour_film.h"

/* Frame rate of `render`, whose picture equals that of a recording at this rate. */
#define FILM_FPS 60

/* A film. Borrows stage, keys, motion and tour. */
typedef struct Film {
    Stage *stage;
    const KeyScript *keys;
    StateMotion *motion; /* NULL for no motion */
    TourFilm *tour;      /* NULL for no tour */
    int fps;
    double tempo;  /* seconds of the program's time per second of the film */
    long frame;    /* number of the next frame */
    int pressed;   /* number of keys pressed so far */
    double wake_s; /* time at which the picture will change without input */
    Err failure;   /* why the motion of the state stopped; kind ERR_NONE if it did not */
} Film;

/* Draw the frame before the first key. */
void film_begin(Film *film, Stage *stage, const KeyScript *keys, int fps, double tempo);

/* True if the next frame may differ from the last one. */
bool film_changes(const Film *film);

/* Advance to the next frame, and draw it if it may differ. */
void film_next(Film *film);

/* Advance to this time, and draw the picture. Frames before it are not drawn. */
void film_show(Film *film, double time_s);

#endif
