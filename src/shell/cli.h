/* cli.h: the command line. Verbs and options are tables. Parsing, `--help` and the messages about
 * wrong calls use them, together with the tables of the state's own options. No I/O, except for
 * reading --text-file and --weights. */
#ifndef HEADLIGHT_SHELL_CLI_H
#define HEADLIGHT_SHELL_CLI_H

#include <string.h>

#include "document/layer_code.h"
#include "lab/study.h"
#include "views/settings.h"

/* Groups of options. Each verb accepts some of them. */
typedef enum CallGroup {
    CALL_STATE = 1,      /* the layer's: STATE_OPTIONS, --text, --text-file, --state */
    CALL_PICTURE = 2,    /* how the layer is shown: PICTURE_OPTIONS */
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
    CALL_FILM = 8192,    /* options of recordings */
    CALL_GENERAL = 32,   /* --help, --version: of every verb */
} CallGroup;

typedef struct Call Call;

typedef enum Captions { CAPTIONS_BURN, CAPTIONS_SRT, CAPTIONS_VTT, CAPTIONS_NONE } Captions;
typedef enum RecordStage { RECORD_AS_TOUR, RECORD_HALL, RECORD_WINDOW } RecordStage;
typedef enum FigureGround { GROUND_THEME, GROUND_NONE } FigureGround;

/* What to record, or the moment of a picture. */
typedef struct CallFilm {
    const char *keys;  /* --keys, or NULL */
    const char *to;    /* the state string at the end of the motion, or NULL */
    const char *steps; /* steps of the tour, "ID..ID", or NULL for all */
    Captions captions;
    RecordStage stage;
    float time_s;          /* time of the picture; below 0: not given */
    float seconds, over_s; /* length of the film, and of the motion; 0: not given */
    float tempo;
    int fps;         /* 0: the format's default */
    float cursor_px; /* height of the pointer; 0 for none */
    int has_caps;    /* 1: show the keys that are pressed */
} CallFilm;

/* A figure: one part of the picture. */
typedef struct CallFigure {
    const char *part; /* id of the part, or NULL for the whole picture */
    FigureGround ground;
    float width_mm, font_pt; /* 0: not given */
} CallFigure;

typedef struct Verb {
    Entry entry; /* id; label: its arguments in the usage line; help */
    struct {
        /* Run the verb. Output is only written if everything succeeds. */
        bool (*run)(const Call *call, Err *err);
        unsigned groups;  /* flags of CallGroup */
        const char *word; /* name of its one argument, such as "KIND", or NULL for none */
        bool word_needed;
        const Registry *words; /* the argument's values, for --help; NULL if it has no list */
        /* Change the settings before options are read, in place of the defaults; NULL for none. */
        void (*prepare)(Settings *settings);
    };
} Verb;

/* A call: verb and options. Strings are borrowed from argv. */
struct Call {
    const Verb *verb;
    const char *word; /* the verb's argument, or NULL */
    Session session;
    Settings settings;
    uint64_t fixed;              /* rows of STATE_OPTIONS that the call sets; see weights_fit */
    bool says_theme;             /* --theme was given */
    bool says_state;             /* the call says what to show, even if it is the default */
    const char *weights;         /* --weights, or NULL */
    bool has_ids;                /* --ids was given */
    char text_from[160];         /* "--text-file NAME" if the text came from there, for errors */
    const char *output, *format; /* -o and --format, or NULL */
    bool json, grad, has_code;
    LayerCode code;
    int tokens;                                   /* 0: not given */
    int schemes[STUDY_SCHEMES_MAX], scheme_count; /* rows of SCHEMES; count 0: not given */
    int seeds, threads;                           /* 0: not given */
    bool help, version, fullscreen, lecture;
    bool check, list, describe, present; /* what `headlight tour` does, instead of playing */
    const char *from;                    /* --from, or NULL */
    int minutes;                         /* 0: not given */
    int display;                         /* display of the hall, from 1; 0: not given */
    CallFilm film;
    CallFigure figure;
};

/* One of the command line's own options, which are not in the state. */
typedef struct CallOption {
    Entry entry; /* id without dashes, label unused, formula: the value's placeholder or "", help */
    struct {
        CallGroup group;
        /* What it does; value is "" if it has none. NULL: it sets some of the following. */
        bool (*apply)(Call *call, const char *value, Err *err);
        /* Offsets in Call of what it sets: true; the value; the value as a number, or as a row of
         * choices. */
        size_t flag, word, whole, real;
        double least, most;      /* of the number */
        const char *unit;        /* that may follow the number, or NULL */
        const char *absent;      /* the word for the number 0, or NULL */
        const Registry *choices; /* NULL for a number */
        char letter;             /* short form, or 0 */
        bool is_file;            /* the value is a name, which is not empty */
    };
} CallOption;

/* True if the groups include that row of PICTURE_OPTIONS. */
static inline bool call_has_picture(unsigned groups, const OptionRow *row) {
    return (groups & CALL_PICTURE) != 0 ||
           ((groups & CALL_TRAIN) != 0 && strncmp(row->entry.id, "train-", 6) == 0);
}

/* Return the next option of a verb, of any kind; NULL past the last. *index begins at 0. */
const Entry *call_option(int *index, const Verb *verb);

extern const CallOption CALL_OPTIONS[];
extern const Registry CALL_OPTION_REGISTRY;

/* The verbs. The first is the bare window, with the id "". */
extern const Verb VERBS[];
extern const Registry VERB_REGISTRY;

/* Read the words after the program's name. Call call_release in any case. */
bool call_parse(Call *call, int count, char *const *words, Err *err);
void call_release(Call *call);

/* Print how to call the verb; for the bare one, also the list of verbs. */
bool help_print(const Verb *verb, Err *err);
bool help_print_version(Err *err);

/* Print the candidates for the last of the words, one per line: the candidate, a tab, its help.
 * words are those after the program's name; the last may be empty. Prints nothing if a file or a
 * number is expected. */
bool complete_print(int count, char *const *words, Err *err);

/* Return a word for an error message: itself, or a pair of quotes if it is empty. */
const char *call_name(const char *word);

/* Parse and run the call, print its error in one line, and return the exit status. */
int cli_main(int argc, char *const *argv);

#endif
