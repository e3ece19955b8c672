/* app.h: the whole program above the waist: commands, the Session, the Results, the views.
 * Deterministic: knows no clock, no file, no SDL and no OpenGL. One thread. */
#ifndef HEADLIGHT_APP_APP_H
#define HEADLIGHT_APP_APP_H

#include "app/files.h"
#include "base/job.h"
#include "draw/draw.h"
#include "results/results.h"
#include "ui/input.h"
#include "views/settings.h"

typedef struct App App;

#define APP_TOKENS_MAX 1024

/* Who reads a file of word vectors that a person has chosen, where none were found. */
typedef struct AppWords {
    void *context;
    const char *why_none; /* NULL where there are some */

    /* The vectors, which last as long as the program, and whether the next window will find them
     * too: else err says why not. False, with what is wrong in err, where it is no such file. */
    bool (*take)(void *context, const WordVectors **out, bool *is_kept, const char *path, Err *err);
} AppWords;

/* What the program was given from outside; all borrowed for the life of the App. */
typedef struct AppResources {
    ResultsResources run;
    const TextMeasure *measure;
    int tokens_max; /* of a text that are computed; 0 for APP_TOKENS_MAX, which a frame affords */
    AppFiles files; /* all NULL where there are none */
    WeightsLoad load_weights; /* NULL where files cannot be read */
    AppWords words;           /* take is NULL likewise */
    WeightsSave save_weights; /* or be written */
    bool recovers;            /* take up the session that a window before left behind */
    double (*now_s)(void);    /* for showing how long a pass took; NULL leaves that out, so that a
                                 rendered picture is the same to the byte */
    JobRunner jobs;           /* who does what takes longer than a frame; all NULL: at once */
    JobHands hands;           /* whom studies of many draws are shared out to; none: at once */
    bool still;               /* no motion, whatever the settings say */
} AppResources;

typedef enum Cursor { CURSOR_ARROW, CURSOR_TEXT, CURSOR_HAND, CURSOR_RESIZE_X } Cursor;

/* What the shell is asked to do after a frame; reset at the start of the next. */
typedef struct AppEffects {
    bool quit;
    bool toggle_fullscreen;
    bool want_paste;       /* send the clipboard as INPUT_PASTE */
    bool want_selection;   /* send what is selected anywhere as INPUT_PASTE, where there is that */
    const char *title;     /* of the window; valid until the next frame */
    const char *clipboard; /* to be put on the clipboard, or NULL; valid until the next frame */
    size_t clipboard_bytes;
    const char *selection; /* what was selected here with the pointer, or NULL; likewise */
    size_t selection_bytes;
    bool text_input; /* a text field has the focus */
    Rect text_caret; /* where, for an input method's window; logical pixels */
    Cursor cursor;
    const char *picture; /* write the picture of this frame to that file, or NULL; likewise */
    bool picture_is_svg; /* else a PNG */
    double next_frame_s; /* draw again at this time even without input; INFINITY for never */
} AppEffects;

/* session and settings are copied. NULL and err when memory ran out. */
App *app_create(const AppResources *resources, const Session *session, const Settings *settings,
                Err *err);

/* Where a job goes on that would not stop soon, nothing is given back: the process is to end. */
void app_destroy(App *app);

/* One frame: input is applied, what it changed is computed, and out is filled with the picture at
 * time_s, ended by draw_end. Never fails: what went wrong is said in the picture. */
void app_frame(App *app, const Input *input, double time_s, DrawList *out);

const AppEffects *app_effects(const App *app);

/* Why something is missing in the last frame's picture, or says an error in its place; NULL if it
 * is whole. */
const Err *app_failure(const App *app);
const Session *app_session(const App *app);
bool app_lacks(const App *app);        /* something of what the view shows */
bool app_is_computing(const App *app); /* beside the frames, whatever it is */
bool app_is_behind(const App *app);    /* the picture is that of an earlier session */
const Settings *app_settings(const App *app);

/* Open a file by its name: a session, a text. False where that failed, which is said. */
bool app_open(App *app, const char *path);

/* Whether a file of this name can be opened: by its ending. */
bool app_opens(const char *path);

/* Read the settings' file over settings; what is wrong in it is passed over. */
void app_read_settings(Settings *settings, const char *bytes, size_t size);

/* How large the window is now, in the units that it is made with: the next one will be. */
void app_window_size(App *app, OptionPair size);

/* Keep what is not saved, as if the window were closed now. */
void app_keep(App *app);

/* Show what is shown as in a lecture, from the next frame on. */
void app_begin_lecture(App *app);

/* The picture that an effect asked for is in its file, or why not: err NULL where it is. Said in
 * the next frame. */
void app_picture_saved(App *app, const Err *err);

/* Show a message for a while, as for a failed command. The text is copied. */
void app_say(App *app, const char *text, bool is_warning);

#endif
