/* tour.h: a tour, read from a .tour file: steps, which are absolute states with words, and cues
 * that change them over time. The player, the presenter and the recorder of tours use it. Pure: it
 * uses no window, clock or file.
 *
 *   # a comment has a line of its own, because captions may contain "#"
 *   title = What is attention?
 *   state = text=the animal&seed=11     every step's state is applied on top of this one
 *   == sums: Each row sums to 1         begins a step with an id and a title
 *   state = view=heads&wall=one         or +state, applied on top of the previous step's
 *   caption = “it” gives {A(9,2):%}
 *   at 2 play train-step 0..400 over 8  a cue: seconds from the step's start, and what happens
 *
 * All strings end with NUL and belong to the Tour; those that a file omits are NULL. */
#ifndef HEADLIGHT_DOCUMENT_TOUR_H
#define HEADLIGHT_DOCUMENT_TOUR_H

#include "base/err.h"
#include "base/option.h"
#include "base/text_out.h"

#define TOUR_SUFFIX     ".tour"
#define TOUR_BYTES_MAX  ((size_t)1 << 20)
#define TOUR_STEPS_MAX  1000
#define TOUR_CUES_MAX   64 /* limit of cues in one step */
#define TOUR_SECONDS    3600
#define TOUR_FAULTS_MAX 24                 /* limit of listed faults */
#define TOUR_STATES_MAX ((size_t)16 << 20) /* limit of bytes of all states together */

typedef enum TourCueKind {
    TOUR_SET,  /* set key (caption, light, frame or state) to value */
    TOUR_PLAY, /* move the option `key` from one number to another */
    TOUR_TYPE, /* append value to the text */
    TOUR_KEY   /* press the key named by value, such as "Ctrl+R" */
} TourCueKind;

typedef struct TourCue {
    TourCueKind kind;
    double at_s;
    const char *key, *value;
    double from, to, over_s; /* over_s: seconds that TOUR_PLAY and TOUR_TYPE take */
    bool is_whole;           /* true if the option takes whole numbers */
    bool by_change;          /* TOUR_PLAY: frames differ by equal changes of A, not of the option */
    bool by_word;            /* TOUR_TYPE: each word appears as a whole, not letter by letter */
    int line;
} TourCue;

/* A task for the user, such as "pin(9,*) : Click the word". See views/tour_numbers.h. */
typedef struct TourTask {
    const char *goal, *words;
} TourTask;

typedef struct TourStep {
    const char *id, *title;
    const char *state; /* the step's own state string; see tour_state */
    /* True if state is applied on top of the previous step's state instead of the tour's. */
    bool is_over_last;
    const char *frame; /* ids of the parts that the audience sees, enlarged; NULL: see app/hall.h */
    /* Ids of the parts, and addresses in them such as row(9), that are highlighted. */
    const char *light;
    const char *caption, *note, *say, *hint, *expect;
    TourTask ask, guess;
    const char *branch_key, *branch_id, *branch_words;
    /* The motion when the state changes, and its duration in seconds: "pin 0.8". */
    const char *move;
    double hold_s; /* duration of the step in seconds; 0: see tour_seconds */
    int cue, cue_count;
    int line;
} TourStep;

typedef struct Tour {
    char *bytes; /* owned: the file cut into strings, followed by a copy of the file */
    size_t size; /* bytes of the file */
    const char *title, *state, *scale;
    bool is_hall;
    double tempo;
    TourStep *steps; /* owned */
    int step_count;
    TourCue *cues; /* owned: the cues in the order of the file */
    int cue_count;
} Tour;

/* The faults of a file. err.what is, for example, "line 12: hold". An unknown key is skipped and
 * only noted. */
typedef struct TourFaults {
    struct {
        bool is_note;
        int line;
        Err err;
    } at[TOUR_FAULTS_MAX];
    int count, errors; /* count includes notes and may exceed TOUR_FAULTS_MAX */
} TourFaults;

/* Read a file, and overwrite *out. Lines with errors are listed in faults and skipped; a tour with
 * faults->errors > 0 must not be played. Fails, with nothing to release, if the bytes are not a
 * tour. options is the table of the picture's options. */
bool tour_read(Tour *out, const char *bytes, size_t size, const OptionTable *options,
               TourFaults *faults, Err *err);
void tour_release(Tour *tour);

/* Add a fault. Checks of states and parts add to the same list. */
void tour_fault(TourFaults *faults, int line, const char *key, const char *why);

/* Add a note, which is not an error. */
void tour_note(TourFaults *faults, int line, const char *key, const char *why);

int tour_line(const Tour *tour, const char *string);

int tour_find(const Tour *tour, const char *id, size_t bytes);

/* Append the whole state string of a step: the tour's, then those of previous steps on which the
 * step builds, then its own. It must be read over a default session. */
void tour_state(TextOut *out, const Tour *tour, int step);

/* A moment of a step. Strings are borrowed from the tour. */
typedef struct TourMoment {
    const char *caption, *light, *frame; /* NULL for none */
    int keys;                            /* number of TOUR_KEY cues of the step that have passed */
    /* Time at which the moment changes next: time_s itself while TOUR_PLAY or TOUR_TYPE changes it
     * in every frame; INFINITY: never. */
    double next_s;
} TourMoment;

/* Return the moment that is time_s seconds after the step began, and append its state string to
 * *state. INFINITY gives the step's end. If the state string repeats a key, its last value
 * counts. */
TourMoment tour_at(TextOut *state, const Tour *tour, int step, double time_s);

/* Return a step's TOUR_KEY cue number nth, from 0, in the order of time; NULL if there is none. */
const TourCue *tour_key(const Tour *tour, int step, int nth);

double tour_reading_s(const char *words);

/* Return a step's duration in seconds: its hold, or the time that its cues and words take. */
double tour_seconds(const Tour *tour, int step);

/* Changes to a tour's file. Each function appends the whole file after one change. All other lines
 * keep their bytes, including comments; only blank lines between steps are made uniform. */

/* In place of a step's index: the lines before the first step. */
#define TOUR_HEADER (-1)

/* Insert a step before step `at`, with a unique id. */
void tour_write_step(TextOut *out, const Tour *tour, int at, const char *title, const char *state);

/* Set a key of a step or of the header to one line of text; "" removes the key. A step's "title" is
 * in its first line; "" does not remove it. */
void tour_write_key(TextOut *out, const Tour *tour, int step, const char *key, const char *value);

void tour_write_move(TextOut *out, const Tour *tour, int step, int to);

void tour_write_without(TextOut *out, const Tour *tour, int step);

#endif
