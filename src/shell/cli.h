/* cli.h: the command line. Verbs and options are tables; parsing, `--help` and the messages about
 * a wrong call are made from them, together with the tables of the state's own options.
 * No I/O but reading --text-file and --weights. */
#ifndef HEADLIGHT_SHELL_CLI_H
#define HEADLIGHT_SHELL_CLI_H

#include <string.h>

#include "document/layer_code.h"
#include "lab/study.h"
#include "views/settings.h"

/* Groups of options; a verb takes some of them. */
typedef enum CallGroup {
    CALL_STATE = 1,      /* the layer's: STATE_OPTIONS, --text, --text-file, --state */
    CALL_PICTURE = 2,    /* how it is shown: PICTURE_OPTIONS */
    CALL_TRAIN = 1024,   /* the rows of PICTURE_OPTIONS that begin with "train-" */
    CALL_OUTPUT = 4,     /* -o, --format */
    CALL_JSON = 8,       /* --json */
    CALL_TOKENS = 16,    /* --tokens */
    CALL_STUDY = 64,     /* --schemes, --seeds, --threads */
    CALL_EXPORT = 128,   /* --grad, --code */
    CALL_WINDOW = 256,   /* --fullscreen */
    CALL_LECTURE = 512,  /* --lecture */
    CALL_TOUR = 2048,    /* --check, --list, --describe, --present, --from, --minutes, --display */
    CALL_KEYS = 32768,   /* --keys */
    CALL_MOMENT = 4096,  /* --time */
    CALL_FIGURE = 16384, /* --part, --ground, --width, --font-pt */
    CALL_FILM = 8192,    /* the recorder's own */
    CALL_GENERAL = 32,   /* --help, --version: every verb */
} CallGroup;

typedef struct Call Call;

/* What is done with a tour. */
typedef enum CallTour { TOUR_PLAYED, TOUR_CHECK, TOUR_LIST, TOUR_DESCRIBE, TOUR_PRESENT } CallTour;

typedef enum Captions { CAPTIONS_BURN, CAPTIONS_SRT, CAPTIONS_VTT, CAPTIONS_NONE } Captions;
typedef enum RecordStage { RECORD_AS_TOUR, RECORD_HALL, RECORD_WINDOW } RecordStage;

/* What is recorded, or the moment of a picture. */
typedef struct CallFilm {
    const char *keys;  /* --keys, or NULL */
    const char *to;    /* the state string that one motion leads to, or NULL */
    const char *steps; /* of the tour, "ID..ID", or NULL for all */
    Captions captions;
    RecordStage stage;
    float time_s;          /* of the picture; below 0: not given */
    float seconds, over_s; /* the film's length, the motion's; 0: not given */
    float tempo;
    int fps;         /* 0: the format's own */
    float cursor_px; /* height of the pointer; 0 for none */
    bool has_caps;   /* keys that are pressed are shown */
} CallFilm;

/* A figure of one part of the picture. */
typedef struct CallFigure {
    const char *part; /* its id, or NULL for all of the picture */
    bool no_ground;
    float width_mm, font_pt; /* 0: not given */
} CallFigure;

typedef struct Verb {
    Entry entry;      /* id; label: what follows it in the usage line; help */
    const char *word; /* what its one argument is, "KIND", or NULL for none */
    bool word_needed;
    unsigned groups; /* of CallGroup */
    /* Settings to begin with in place of the defaults, before options are read; NULL for none. */
    void (*prepare)(Settings *settings);
    /* Do it. Output appears only when all went well. */
    bool (*run)(const Call *call, Err *err);
} Verb;

/* What was asked for. Strings are borrowed from argv. */
struct Call {
    const Verb *verb;
    const char *word; /* the argument, or NULL */
    Session session;
    Settings settings;
    uint64_t fixed;              /* rows of STATE_OPTIONS that were given; see weights_fit */
    bool says_state;             /* what to show was given, even if it is the default */
    const char *weights;         /* --weights, or NULL */
    bool has_ids;                /* --ids was given */
    char text_from[160];         /* "--text-file NAME" where the text came from there, for errors */
    const char *output, *format; /* -o and --format, or NULL */
    bool json, grad, has_code;
    LayerCode code;
    int tokens;                                   /* 0: not given */
    int schemes[STUDY_SCHEMES_MAX], scheme_count; /* rows of SCHEMES; none: not given */
    int seeds, threads;                           /* 0: not given */
    bool help, version, fullscreen, lecture;
    CallTour tour;
    const char *from; /* --from, or NULL */
    int minutes;      /* 0: not given */
    int display;      /* of the hall, from 1; 0: not given */
    CallFilm film;
    CallFigure figure;
};

/* One of the command line's own options. */
typedef struct CallOption {
    Entry entry; /* id without dashes, label unused, formula: the value's placeholder or "", help */
    char letter; /* short form, or 0 */
    CallGroup group;
    bool (*apply)(Call *call, const char *value, Err *err); /* value is "" where it takes none */
} CallOption;

/* True if the groups have that row of PICTURE_OPTIONS. */
static inline bool call_has_picture(unsigned groups, const OptionRow *row) {
    return (groups & CALL_PICTURE) != 0 ||
           ((groups & CALL_TRAIN) != 0 && strncmp(row->entry.id, "train-", 6) == 0);
}

extern const CallOption CALL_OPTIONS[];
extern const Registry CALL_OPTION_REGISTRY;

/* The verbs, the window's bare one first with the id "". */
extern const Verb VERBS[];
extern const Registry VERB_REGISTRY;

/* Read the words after the program's name. Release call with call_release in any case. */
bool call_parse(Call *call, int count, char *const *words, Err *err);
void call_release(Call *call);

/* What an error calls a word by: itself, or a pair of quotes where it is empty. */
const char *call_name(const char *word);

/* Parse, run, print the one line of an error, and return the exit status. */
int cli_main(int argc, char *const *argv);

#endif
