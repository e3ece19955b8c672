/* app.h: the whole program except the shell: commands, the Session, the Results, the views.
 * Deterministic: it uses no clock, file, SDL or OpenGL. Runs in one thread. */
#ifndef HEADLIGHT_APP_APP_H
#define HEADLIGHT_APP_APP_H

#include "app/files.h"
#include "base/job.h"
#include "base/text_out.h"
#include "draw/draw.h"
#include "results/results.h"
#include "ui/input.h"
#include "ui/text.h"
#include "views/settings.h"

typedef struct App App;

#define APP_TOKENS_MAX 1024

/* Loads word vectors from a file that the user chooses, if none were found at the start. */
typedef struct AppWords {
    void *context;
    const char *why_none; /* why no vectors were loaded; NULL if they were */

    /* Read the file. *out: vectors that live as long as the program. *is_kept: true if the next
     * start will find them; if not, err says why. Return false and set err if the file is not
     * usable. */
    bool (*take)(void *context, const WordVectors **out, bool *is_kept, const char *path, Err *err);
} AppWords;

/* Resources from outside; all borrowed for the life of the App. */
typedef struct AppResources {
    ResultsResources run;
    const TextMeasure *measure;
    /* Number of tokens that are computed; later tokens are left out. 0: APP_TOKENS_MAX. */
    int tokens_max;
    AppFiles files;           /* all NULL if there are no files */
    WeightsLoad load_weights; /* NULL if files cannot be read */
    AppWords words;           /* take is NULL if files cannot be read */
    WeightsSave save_weights; /* NULL if files cannot be written */
    /* Write all tensors, in the format that the path's ending names. NULL if files cannot be
     * written. */
    bool (*save_tensors)(const char *path, const Results *run, Err *err);
    /* Read a tour that ships. NULL if files cannot be read. The caller frees *bytes. */
    bool (*load_tour)(char **bytes, size_t *size, const char *id, Err *err);
    bool cuts_parts;       /* true if the shell can handle AppEffects.part */
    bool recovers;         /* true to restore the session of an earlier window */
    bool first_example;    /* true if a new session starts with the first of EXAMPLES */
    double (*now_s)(void); /* clock to show the time of a pass; NULL for rendered pictures */
    JobPool pool;          /* runs long computations; all NULL: compute within the frame */
    float motion_s;        /* duration of every motion; 0: each motion has its own */
    bool still;            /* true for no motion, whatever the settings are */
} AppResources;

typedef enum Cursor {
    CURSOR_ARROW,
    CURSOR_TEXT,
    CURSOR_HAND,
    CURSOR_RESIZE_X,
    CURSOR_RESIZE_Y,
    CURSOR_NONE
} Cursor;

/* Requests to the shell after a frame; reset at the start of the next. */
typedef struct AppEffects {
    bool quit;
    bool toggle_fullscreen;
    bool want_paste;       /* send the clipboard as INPUT_PASTE */
    bool want_selection;   /* send the primary selection as INPUT_PASTE, if the system has one */
    const char *title;     /* the window's title; valid until the next frame */
    const char *clipboard; /* text for the clipboard, or NULL; valid until the next frame */
    size_t clipboard_bytes;
    const char *selection; /* text selected with the pointer, or NULL; valid until the next frame */
    size_t selection_bytes;
    bool text_input; /* a text field has the focus */
    Rect text_caret; /* place of the caret, for an input method's window; logical pixels */
    Cursor cursor;
    bool is_presented;   /* true if the screen saver must stay off */
    bool is_frozen;      /* true if the window must keep its previous picture */
    bool has_console;    /* true if the presenter's window is open (console.h) */
    const char *picture; /* file for this frame's picture, or NULL; valid until the next frame */
    /* Save only this part or, if picture is NULL, copy it. NULL: save the whole window. */
    const char *part;
    int result; /* ViewResult of the picture or part: RESULT_PNG, RESULT_SVG or RESULT_CSV */
    double next_frame_s; /* time of the next frame without input; INFINITY for none */
} AppEffects;

/* Return an App with copies of session and settings, or NULL and err if memory runs out. */
App *app_create(const AppResources *resources, const Session *session, const Settings *settings,
                Err *err);

/* Free the App. If a job does not stop soon, nothing is freed, because the job uses the memory and
 * the process is about to end. */
void app_destroy(App *app);

/* Build one frame: apply the input, update the results, and fill out with the picture at time_s.
 * out needs no draw_end. Errors are shown in the picture. */
void app_frame(App *app, const Input *input, double time_s, DrawList *out);

const AppEffects *app_effects(const App *app);

/* Return why the last picture is incomplete or shows an error; NULL if it is complete. */
const Err *app_failure(const App *app);
const Session *app_session(const App *app);
const Results *app_results(const App *app); /* the Results on screen */

/* Append what the view shows as CSV. Return false if it has no numbers, or they are not computed
 * yet. */
bool app_write_csv(App *app, TextOut *out);
bool app_lacks(const App *app);     /* true if numbers that the view needs are missing */
bool app_is_computing(App *app);    /* true while a job runs */
bool app_is_behind(const App *app); /* true if the picture shows an earlier session */
const Settings *app_settings(const App *app);

/* Replace the session and the settings by copies of these, as one undo step. Call between frames.
 * */
bool app_take(App *app, const Session *session, const Settings *settings, Err *err);

/* Use other word vectors, which live as long as the program. Call between frames. Fails while a
 * computation still uses the old vectors; the caller may then try again. */
bool app_take_words(App *app, const WordVectors *words, Err *err);

/* Open a session or a text by its path. On failure show a message and return false. */
bool app_open(App *app, const char *path);

/* True if a file with this suffix can be opened. */
bool app_opens(const char *path);

/* Read the settings' file into settings; invalid lines are skipped. */
void app_read_settings(Settings *settings, const char *bytes, size_t size);

/* Report the window's size, in the units used to create windows, for the next start. */
void app_window_size(App *app, OptionPair size);

/* Autosave now, as if the window were closed. Return false if unsaved work could not be kept. */
bool app_keep(App *app);

/* Begin lecture mode in the next frame. */
void app_begin_lecture(App *app);

/* Report that the requested picture was saved (err NULL), or why not. A message follows in the next
 * frame. */
void app_picture_saved(App *app, const Err *err);

/* Show a message, or a warning, for a while. */
TEXT_FORMAT(2, 3) void app_say(App *app, const char *format, ...);
TEXT_FORMAT(2, 3) void app_warn(App *app, const char *format, ...);

#endif
