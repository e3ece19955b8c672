/* cli.h: the command line. Its first word is a verb, such as `render`; without one the window
 * opens. Verbs and options are tables, from which parsing, `--help` and error messages work,
 * together with the option tables of the state. Parsing reads the text file, the weights file and,
 * if the verb has a prepare function, the settings, but no other file. */
#ifndef HEADLIGHT_SHELL_CLI_H
#define HEADLIGHT_SHELL_CLI_H

#include <string.h>

#include "document/layer_code.h"
#include "lab/study.h"
#include "views/settings.h"

typedef enum CallGroup {
    CALL_STATE = 1,      /* options of the layer: STATE_OPTIONS, --text, --weights and others */
    CALL_PICTURE = 2,    /* PICTURE_OPTIONS, --reduced-motion */
    CALL_TRAIN = 1024,   /* only the rows of PICTURE_OPTIONS that begin with "train-" */
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
    CALL_GENERAL = 32,   /* options of every verb: --help, --version */
} CallGroup;

typedef struct Call Call;

typedef enum Captions { CAPTIONS_BURN, CAPTIONS_SRT, CAPTIONS_VTT, CAPTIONS_NONE } Captions;
typedef enum RecordStage { RECORD_AS_TOUR, RECORD_HALL, RECORD_WINDOW } RecordStage;
typedef enum FigureGround { GROUND_THEME, GROUND_NONE } FigureGround;

/* Options of a recording. In a single picture, keys and time choose the moment that is shown. */
typedef struct CallFilm {
    const char *keys;  /* --keys, or NULL */
    const char *to;    /* the state string at the end of the motion, or NULL */
    const char *steps; /* steps of the tour, "ID..ID", or NULL for all */
    Captions captions;
    RecordStage stage;
    float time_s;          /* time of the picture in seconds; below 0: not given */
    float seconds, over_s; /* seconds: length of the film; over_s: of the motion; 0: not given */
    float tempo;
    int fps;         /* 0: the format's default */
    float cursor_px; /* height of the drawn pointer in px; 0 for none */
    int has_caps;    /* 1: show the keys that are pressed */
} CallFilm;

typedef struct CallFigure {
    const char *part; /* id of the part, or NULL for the whole picture */
    FigureGround ground;
    float width_mm, font_pt; /* 0: not given */
} CallFigure;

typedef struct Verb {
    Entry entry; /* id; label: the arguments, for the usage line; help */
    struct {
        /* Run the verb. Output is written only if everything succeeds. */
        bool (*run)(const Call *call, Err *err);
        unsigned groups;  /* flags of CallGroup */
        const char *word; /* name of the verb's only argument, such as "KIND", or NULL for none */
        bool word_needed;
        /* Possible values of the argument, for --help; NULL if they cannot be listed. */
        const Registry *words;
        /* Fill the settings before options are read; NULL: keep the defaults. */
        void (*prepare)(Settings *settings);
    };
} Verb;

/* A command line as parsed: verb and options. Strings are borrowed from argv. */
struct Call {
    const Verb *verb;
    const char *word; /* the verb's argument, or NULL */
    Session session;
    Settings settings;
    /* Bits of the rows of STATE_OPTIONS that the command line sets; see weights_fit. */
    uint64_t fixed;
    bool says_theme; /* --theme was given */
    /* True if the command line states what to show, even if that is the default state. */
    bool says_state;
    const char *weights; /* --weights, or NULL */
    bool has_ids;
    char text_from[160];         /* name of the text in errors, such as "--text-file NAME" */
    const char *output, *format; /* -o and --format, or NULL */
    bool json, grad, has_code;
    LayerCode code;
    int tokens;                                   /* 0: not given */
    int schemes[STUDY_SCHEMES_MAX], scheme_count; /* rows of SCHEMES; count 0: not given */
    int seeds, threads;                           /* 0: not given */
    bool help, version, fullscreen, lecture;
    /* Options of `headlight tour` with these names. */
    bool check, list, describe, present;
    const char *from; /* --from, or NULL */
    int minutes;      /* 0: not given */
    /* Number of the audience's display, from 1; 0: not given. */
    int display;
    CallFilm film;
    CallFigure figure;
};

/* An option that belongs to the command line only, not to the state. */
typedef struct CallOption {
    /* id has no dashes; label is unused; formula is the value's placeholder or "". */
    Entry entry;
    struct {
        CallGroup group;
        /* Apply the option; value is "" if the option has none. NULL: the option only sets fields
         * of Call, at the offsets below. */
        bool (*apply)(Call *call, const char *value, Err *err);
        /* Offsets in Call of the fields that the option sets, 0 for none. flag is set to true, word
         * to the value, whole to a whole number or the row of a choice, real to a number. */
        size_t flag, word, whole, real;
        double least, most;      /* smallest and largest valid number */
        const char *unit;        /* unit that may follow the number, or NULL */
        const char *absent;      /* word for the number 0, or NULL */
        const Registry *choices; /* the valid words; NULL if the value is a number */
        char letter;             /* short form, or 0 */
        bool is_file;            /* true if the value is a file's name, which must not be empty */
    };
} CallOption;

/* True if a verb with these groups accepts this row of PICTURE_OPTIONS. */
static inline bool call_has_picture(unsigned groups, const OptionRow *row) {
    return (groups & CALL_PICTURE) != 0 ||
           ((groups & CALL_TRAIN) != 0 && strncmp(row->entry.id, "train-", 6) == 0);
}

/* Return the next option of a verb, of any kind; NULL after the last. *index begins at 0. */
const Entry *call_option(int *index, const Verb *verb);

extern const CallOption CALL_OPTIONS[];
extern const Registry CALL_OPTION_REGISTRY;

extern const Verb VERBS[];
extern const Registry VERB_REGISTRY;

/* Parse the words after the program's name. Call call_release even on failure. */
bool call_parse(Call *call, int count, char *const *words, Err *err);
void call_release(Call *call);

/* Print how to use the verb. For VERBS[0], the window, also list the verbs. */
bool help_print(const Verb *verb, Err *err);
bool help_print_version(Err *err);

/* Print the completions of the last word, one per line: the completion, a tab, its help. words: the
 * words after the program's name; the last one may be empty. Prints nothing if a file or a number
 * is expected. */
bool complete_print(int count, char *const *words, Err *err);

/* Return a word for an error message: the word itself, or a pair of quotes if it is empty. */
const char *call_name(const char *word);

int cli_main(int argc, char *const *argv);

/* The functions of the verbs, called after the command line was read. If one fails, it leaves no
 * incomplete file. */
bool verb_window(const Call *call, Err *err);
bool verb_render(const Call *call, Err *err);
bool verb_record(const Call *call, Err *err);
bool verb_export(const Call *call, Err *err);
bool verb_compare(const Call *call, Err *err);
bool verb_train(const Call *call, Err *err);
bool verb_bench(const Call *call, Err *err);
bool verb_list(const Call *call, Err *err);
bool verb_tour(const Call *call, Err *err);

/* Return a kind of things that `list` can print, by its index from 0; NULL after the last one. */
const Registry *list_kind(int index);

/* Set the settings to the ones that the last window stored. */
void verb_window_prepare(Settings *settings);

#endif
