/* app_state.h: what an App is made of; for the files of app/ alone. */
#ifndef HEADLIGHT_APP_APP_STATE_H
#define HEADLIGHT_APP_APP_STATE_H

#include "app/app.h"
#include "app/keymap.h"
#include "app/layout.h"
#include "app/lecture.h"
#include "app/work.h"
#include "document/document.h"
#include "document/edit.h"
#include "document/history.h"
#include "document/state.h"
#include "results/results.h"
#include "ui/finder.h"
#include "ui/scroll.h"
#include "views/view.h"

#define APP_STATE_MAX 2048 /* bytes of the state string on screen */

typedef enum AppSheet {
    SHEET_NONE,
    SHEET_OPTIONS,
    SHEET_KEYS,
    SHEET_PALETTE,
    SHEET_OPEN,
    SHEET_SAVE,
    SHEET_RESULT,
    SHEET_WORDS
} AppSheet;

#define MESSAGES_MAX   16
#define MESSAGES_SHOWN 3

typedef struct AppMessage {
    char text[600];
    bool warning;
    double since_s, until_s; /* shown between them; until_s is INFINITY until it has been shown */
    bool leaves;             /* it was closed, and fades away */
    const Text *about; /* it ends where the session's text is no longer this one; NULL: never */
    unsigned number;   /* counts all that were ever said */
} AppMessage;

#define RECENT_MAX 12

/* A file that was opened or saved before. */
typedef struct RecentFile {
    const char *path;
    bool is_gone;
} RecentFile;

/* The session as a file; see desk.h. */
typedef struct AppDesk {
    char path[DOCUMENT_PATH_MAX];          /* "" where it has none */
    Session saved;                         /* as it is in the file, or was at the start */
    Session autosaved;                     /* as it was when that was last looked at */
    Settings saved_shown, autosaved_shown; /* how they were shown then */
    bool is_kept, failed;      /* there is an autosave; the last one could not be written */
    double due_s;              /* of the next, INFINITY for none */
    uint64_t opened_at;        /* position in the history: before it, what was there had no path */
    Settings seen, remembered; /* in the frame before; in the settings' file */
    OptionPair window, window_seen;
    double remember_due_s;
    char *recent_bytes;             /* owned: the file of recent ones, in which */
    RecentFile recents[RECENT_MAX]; /* are the paths, the newest first */
    int recent_count;
    char title[512];
    FileNames names;                     /* in the folder that the sheet lists */
    char failed_path[DOCUMENT_PATH_MAX]; /* what could not be read last, and */
    unsigned failed_message;             /* the message that says so, 0 for none */
    char listed[FINDER_TEXT_MAX];
    bool is_listed;
    char replaces[DOCUMENT_PATH_MAX]; /* the file that the next Enter overwrites */
} AppDesk;

/* What to look for; see hint.h. */
typedef struct AppHint {
    const char *words; /* NULL for none */
    const Text *about;
    int view, part; /* of Compare, whose pages have nothing in common */
    double since_s;
} AppHint;

/* The layer before a question changed it; see detour.h. */
typedef struct AppDetour {
    Session session; /* owned; its text is NULL outside of a detour */
    Settings settings;
    uint64_t begun_at; /* position in the history */
} AppDetour;

/* Text on its way out of the window; owned. */
typedef struct AppCopy {
    char *bytes;
    size_t capacity;
} AppCopy;

struct App {
    AppResources resources;
    Session session;
    Settings settings;
    Theme theme;               /* the one in force, with the signed palette that was chosen */
    History history;           /* of session and settings */
    uint64_t step, step_count; /* what is changed belongs to this step of undo, 0 for one each */
    Results run;               /* what is shown; see work.h */
    AppWork work;
    bool has_scratch; /* for the view and the inspector */
    bool view_ready;  /* the view's own part of the Results was made; else view_err says why not */
    Err view_err;
    Arena scratch;
    EditQueue edits;
    bool let_go;                   /* of the session's weights, once the pass is built */
    void (*after_build)(App *app); /* what a sheet asked for, which may change the session */
    int after_row;
    char after_path[FINDER_TEXT_MAX];
    bool building; /* the Results is being drawn: the session must stay what the Results was made
                      from */
    Ui ui;
    Hover hover;
    ViewMemory memory;
    Layout layout;
    LineEdit line;     /* of the token field */
    float chip_scroll; /* logical pixels */
    AppDesk desk;
    AppSheet sheet;
    ViewResult wanted, result; /* by a view in this pass; that the sheet asks a name for */
    ViewTrained trained_wanted, trained; /* likewise, of RESULT_WEIGHTS */
    char picture_path[DOCUMENT_PATH_MAX], picture_now[DOCUMENT_PATH_MAX]; /* due; taken */
    Scroll sheet_scroll;
    bool is_under_sheet, has_drawn_sheet; /* one is open; one is in the pass */
    UiId focus_under;                     /* what had the focus when the sheet opened, */
    bool focus_under_is_visible;          /* and whether it came by keyboard */
    Finder finder;                        /* of the sheet that has a field */
    bool drawer_open, rail_open;
    Scroll inspector_scroll;
    float inspector_h; /* of all that the inspector had to show in the pass before */
    AppMessage messages[MESSAGES_MAX]; /* the oldest first; those past MESSAGES_SHOWN wait */
    int message_count;
    unsigned message_number; /* of the last */
    AppHint hint;
    AppDetour detour;
    AppLecture lecture;
    KeyMap keys;
    const OptionRow *wrong; /* the option whose last edit could not hold, while a message says so */
    unsigned wrong_message;
    bool wrong_is_said; /* beside its control, in this pass */
    double pass_s;      /* how long the last pass took; negative where no clock was given */
    double copied_until_s;
    AppCopy copied, selected; /* what goes to the clipboard and to the selection after this frame */
    const Text *missing_in;   /* the text that `missing` was looked for in */
    uint32_t missing;         /* its first code point that no font has, or 0 */
    double time_s;
    AppEffects effects;
};

/* Set one option: at once, or while a pass is being built at its end. A value that cannot hold is
 * said and changes nothing; false where that is known at once. */
bool app_set(App *app, const OptionRow *row, const char *value, uint64_t serial);

/* The same by key of the session's table. */
bool app_set_state(App *app, const char *key, const char *value, uint64_t serial);

/* Replace bytes from..to of the text. Malformed input is repaired, and that is said. */
bool app_edit_text(App *app, size_t from, size_t to, const char *insert, size_t bytes,
                   uint64_t serial);

/* Open or close edges of the mask. Paintings of one serial other than 0 are one undo step. */
bool app_paint_edges(App *app, const EdgePaint *paint, uint64_t serial);

/* Put changed, which is given up, in the session's place, and settings, where they are not NULL, in
 * theirs, as one step of undo. Fails where it needs what was not loaded. */
bool app_take_session(App *app, Session *changed, const Settings *settings, Err *err);

/* At the end of a pass: what the widgets changed in it takes effect. */
void app_apply_edits(App *app);

/* What is changed between the two is one step of undo. */
void app_step_begin(App *app);
void app_step_end(App *app);

/* The session is another, changed outside of the functions above: a step of undo of its own. */
void app_record(App *app);

/* Read a state string onto a session and the picture's settings. On failure neither changes. */
bool app_read_state(const App *app, Session *session, Settings *settings, const char *string,
                    size_t bytes, Err *err);

/* Say what failed. */
void app_say_err(App *app, const Err *err);

void app_undo(App *app);
void app_redo(App *app);

/* The struct that a row's value lies in: the session's options, or the settings. */
const void *app_values(const App *app, const OptionRow *row);

/* Copy text, if there is any, so that it reaches the clipboard after this frame. */
void app_copy(App *app, const char *text, size_t bytes);

/* What the views are given in this pass. */
ViewContext app_view_context(App *app);

#endif
