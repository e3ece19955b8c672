/* film.h: a stage whose time advances at a fixed rate and on which keys are pressed at given times.
 * Time is virtual, so a frame depends only on its number, the session, the settings, the keys, the
 * motion and the tour. */
#ifndef HEADLIGHT_SHELL_FILM_H
#define HEADLIGHT_SHELL_FILM_H

#include "shell/stage.h"
#include "shell/tour_film.h"

/* Keys that are pressed at given times, as in `--keys 'F@1 Ctrl+L@2 "king queen"@2.5'`. Words are
 * separated by blanks. Each word is a key or a text in quotes, then @ and the time of the press in
 * seconds. A word without a time gets the time of the previous word, or 0 if it is the first. A
 * text is typed character by character. */
#define KEY_SCRIPT_MAX       1000
#define KEY_SCRIPT_SECONDS   3600
#define KEY_SCRIPT_TYPED_S   0.09 /* seconds between two typed characters */
#define KEY_PRESS_TEXT_BYTES 8

typedef struct KeyPress {
    double time_s;
    uint32_t key; /* a key as in InputEvent */
    unsigned mods;
    char text[KEY_PRESS_TEXT_BYTES]; /* text that the key types; "" for none */
} KeyPress;

/* Sorted by time. */
typedef struct KeyScript {
    KeyPress at[KEY_SCRIPT_MAX];
    int count;
} KeyScript;

/* Read text. On failure err names the word (ERR_USAGE). */
bool key_script_read(KeyScript *script, const char *text, Err *err);

/* A motion from one state to another. Numbers change gradually. Everything else changes at the
 * start, with the window's usual animations. Sessions are owned. */
typedef struct StateMotion {
    Session from, to;
    Settings shown_from, shown_to;
    double begin_s, over_s;
    bool has_numbers; /* true if some numbers change gradually */
    bool is_over;
} StateMotion;

/* Prepare the motion to the state string `to`, which is applied on top of the session and the
 * settings. On failure there is nothing to release. */
bool state_motion_begin(StateMotion *motion, const Session *session, const Settings *settings,
                        const char *to, Err *err);

/* Return the duration in seconds of the window's own animations: over_s or, if numbers change
 * gradually, almost 0, because each frame would start the animations again. */
float state_motion_each_s(const StateMotion *motion);

void state_motion_release(StateMotion *motion);

/* Frame rate of `render`: its picture equals a recording's at this rate. */
#define FILM_FPS 60

/* A film. Borrows stage, keys, motion and tour. */
typedef struct Film {
    Stage *stage;
    const KeyScript *keys;
    StateMotion *motion; /* NULL for no motion */
    TourFilm *tour;      /* NULL for no tour */
    int fps;
    double tempo; /* seconds of the program per second of the film */
    long frame;   /* number of the next frame */
    int pressed;
    double wake_s; /* time at which the picture changes without input */
    Err failure;   /* why the motion stopped early; kind ERR_NONE if it did not */
} Film;

void film_begin(Film *film, Stage *stage, const KeyScript *keys, int fps, double tempo);

/* True if the next frame may differ from the last one. */
bool film_changes(const Film *film);

/* Advance to the next frame, and draw it if it may differ. */
void film_next(Film *film);

/* Advance to this time, and draw the picture. Earlier frames are computed without pixels. */
void film_show(Film *film, double time_s);

#endif
