/* tour.h: a tour, read from a .tour file: steps that are absolute states with words, and cues that
 * change them by time. The core of player, presenter and recorder. Pure: knows no window, no clock
 * and no file.
 *
 *   # a comment; a caption may hold any character, so none stands at a line's end
 *   title = What is attention?
 *   state = text=the animal&seed=11     every step's state is laid over this one
 *   == sums: Each row sums to 1         begins a step with an id and a title
 *   state = view=heads&wall=one         or +state, laid over the step before
 *   caption = “it” gives {A(9,2):%}
 *   at 2 play train-step 0..400 over 8  a cue: seconds from the step's begin, and what happens
 *
 * All strings end with NUL and belong to the Tour; those that a file leaves out are NULL. */
#ifndef HEADLIGHT_DOCUMENT_TOUR_H
#define HEADLIGHT_DOCUMENT_TOUR_H

#include "base/err.h"
#include "base/option.h"
#include "base/text_out.h"

#define TOUR_SUFFIX     ".tour"
#define TOUR_BYTES_MAX  ((size_t)1 << 20)
#define TOUR_STEPS_MAX  1000
#define TOUR_CUES_MAX   64 /* of one step */
#define TOUR_SECONDS    3600
#define TOUR_FAULTS_MAX 24 /* that are kept */

typedef enum TourCueKind {
    TOUR_SET,  /* key is one of caption, light, frame, state; value replaces it */
    TOUR_PLAY, /* option key goes from one number to another */
    TOUR_TYPE, /* value is appended to the text */
    TOUR_KEY   /* value is the name of a key that is pressed: "Ctrl+R" */
} TourCueKind;

typedef struct TourCue {
    TourCueKind kind;
    double at_s;
    const char *key, *value;
    double from, to, over_s; /* TOUR_PLAY, TOUR_TYPE: over_s is how long it takes */
    bool is_whole;           /* the option takes whole numbers */
    bool by_change;          /* equal change of A a frame, not equal steps */
    bool by_word;            /* an unfinished word appears at its end */
    int line;
} TourCue;

/* What a learner is asked for: "pin(9,*) : Click the word". See views/tour_numbers.h. */
typedef struct TourTask {
    const char *goal, *words;
} TourTask;

typedef struct TourStep {
    const char *id, *title;
    const char *state; /* its own; see tour_state */
    bool is_over_last; /* laid over the step before instead of the base */
    const char *frame; /* ids of parts that fill the stage, in order */
    const char *light; /* parts and addresses that are lit */
    const char *caption, *note, *say, *hint, *expect;
    TourTask ask, guess;
    const char *branch_key, *branch_id, *branch_words;
    const char *move; /* what a change of state moves, and its seconds: "pin 0.8" */
    double hold_s;    /* 0: from what there is to read */
    int cue, cue_count;
    int line;
} TourStep;

typedef struct Tour {
    char *bytes; /* owned: the file cut into strings, and behind it the file as it was */
    size_t size; /* of the file */
    const char *title, *state, *scale;
    bool is_hall;
    double tempo;
    TourStep *steps; /* owned */
    int step_count;
    TourCue *cues; /* owned, in the order of the file */
    int cue_count;
} Tour;

/* What is wrong in a file. err.what is "line 12: hold". An unknown key is a note: it is passed
 * over and spoils nothing. */
typedef struct TourFaults {
    struct {
        bool is_note;
        int line;
        Err err;
    } at[TOUR_FAULTS_MAX];
    int count, errors; /* count includes notes; at holds the first TOUR_FAULTS_MAX */
} TourFaults;

/* Read a file over *out. Lines that are wrong are listed in faults and passed over; a tour with
 * faults->errors > 0 must not be played. Fails, with nothing to release, if the bytes are no tour
 * at all. options is the table of the picture's options. */
bool tour_read(Tour *out, const char *bytes, size_t size, const OptionTable *options,
               TourFaults *faults, Err *err);
void tour_release(Tour *tour);

/* Add a fault; the check of states and parts adds to the same list. */
void tour_fault(TourFaults *faults, int line, const char *key, const char *why);

/* Add a note, which spoils nothing. */
void tour_note(TourFaults *faults, int line, const char *key, const char *why);

/* Return the line that a string of the tour stands in. */
int tour_line(const Tour *tour, const char *string);

/* Return the index of a step, or -1. */
int tour_find(const Tour *tour, const char *id, size_t bytes);

/* Append the whole state string of a step: base, then the steps it is laid over, then its own. Read
 * it over a default session. */
void tour_state(TextOut *out, const Tour *tour, int step);

/* A moment of a step. Strings are borrowed from the tour. */
typedef struct TourMoment {
    const char *caption, *light, *frame; /* NULL for none */
    int keys;                            /* how many of the step's TOUR_KEY cues are due */
    double next_s; /* the next time at which this changes; INFINITY for never */
} TourMoment;

/* Return what holds time_s seconds after the step began, and append the state string to *state. So
 * INFINITY is the step's end. A state string that repeats a key means its last value. */
TourMoment tour_at(TextOut *state, const Tour *tour, int step, double time_s);

/* The nth TOUR_KEY cue of a step, in the order of time. */
const TourCue *tour_key(const Tour *tour, int step, int nth);

/* Return how many seconds it takes to read words, which may be NULL. */
double tour_reading_s(const char *words);

/* Return a step's length in seconds: its hold, or what its cues and its words take. */
double tour_seconds(const Tour *tour, int step);

#endif
