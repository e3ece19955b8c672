/* app_state.h: the parts of an App; for the files of app/ only. */
#ifndef HEADLIGHT_APP_APP_STATE_H
#define HEADLIGHT_APP_APP_STATE_H

#include "app/app.h"
#include "app/film_marks.h"
#include "app/keymap.h"
#include "app/layout.h"
#include "app/lecture.h"
#include "app/part_menu.h"
#include "app/take.h"
#include "app/tour_editor.h"
#include "app/work.h"
#include "document/document.h"
#include "document/edit.h"
#include "document/history.h"
#include "document/state.h"
#include "document/tour.h"
#include "draw/camera.h"
#include "results/results.h"
#include "ui/finder.h"
#include "ui/scroll.h"
#include "ui/tooltip.h"
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
    SHEET_WORDS,
    SHEET_GLOSSARY
} AppSheet;

#define MESSAGES_MAX   16
#define MESSAGES_SHOWN 3

typedef struct AppMessage {
    char text[600];
    bool warning;
    double since_s, until_s; /* time span on screen; until_s is INFINITY until it is first shown */
    bool leaves;             /* closed and fading */
    const Text *about;       /* ends when the session has another text; NULL: never */
    unsigned number;         /* number among all messages so far */
} AppMessage;

#define RECENT_MAX     12
#define TOURS_LEFT_MAX 16

/* A recently opened or saved file. */
typedef struct RecentFile {
    const char *path;
    bool is_gone;
} RecentFile;

/* The session's file; see desk.h. */
typedef struct AppDesk {
    char path[DOCUMENT_PATH_MAX];          /* "" if none */
    Session saved;                         /* the session as saved, or as it was at the start */
    Session autosaved;                     /* the session at the last autosave check */
    Settings saved_shown, autosaved_shown; /* the settings at these moments */
    bool is_kept, failed;                  /* an autosave exists; the last autosave failed */
    double due_s;                          /* time of the next autosave, INFINITY for none */
    uint64_t opened_at;        /* position in the history at opening; earlier steps had no path */
    Settings seen, remembered; /* in the last frame; in the settings' file */
    OptionPair window, window_seen;
    double remember_due_s;
    char *recent_bytes;             /* owned bytes of the list of recent files, */
    RecentFile recents[RECENT_MAX]; /* and the paths in it, newest first */
    int recent_count;
    char title[512];
    FileNames names;                     /* names in the folder that the sheet lists */
    char failed_path[DOCUMENT_PATH_MAX]; /* the last file that could not be read, and */
    unsigned failed_message;             /* its message's number, 0 for none */
    char listed[FINDER_TEXT_MAX];
    bool is_listed;
    char replaces[DOCUMENT_PATH_MAX]; /* the file that the next Enter overwrites */
} AppDesk;

/* The hint line; see hint.h. */
typedef struct AppHint {
    const char *words; /* NULL for none */
    const Text *about;
    int view, part; /* page of Compare, because its pages have nothing in common */
    double since_s;
} AppHint;

/* The first things to try; see hints.h. */
#define HINTS_COUNT 3
#define HINTS_ALL   7u
typedef struct AppHints {
    bool is_on;    /* in a window that remembers its settings */
    unsigned done; /* a bit for each hint */
    double done_s[HINTS_COUNT];
    bool has_edited; /* the text */
} AppHints;

/* The layer before a question changed it; see detour.h. */
typedef struct AppDetour {
    Session session; /* owned; its text is NULL outside of a detour */
    Settings settings;
    uint64_t begun_at; /* position in the history */
} AppDetour;

/* What the hall sees instead of the stage. */
typedef enum PresentCover { PRESENT_STAGE, PRESENT_BLACK, PRESENT_WHITE } PresentCover;

/* What the presenter draws over the stage, in shares of the stage's height; see pen.h. */
#define PEN_POINTS_MAX 8192
typedef struct AppPen {
    bool is_on, is_down, has_laser;
    struct {
        Vec2 at;
        bool begins; /* a stroke */
    } points[PEN_POINTS_MAX];
    int count;
} AppPen;

/* The stage's layout for a step; see hall.h. */
typedef struct AppHall {
    int trial; /* of the heights that are tried */
    bool is_found;
    Camera camera; /* of the last pass; zoom 0 for none */
    Vec2 pointer;  /* logical pixels of the stage */
    float closer;  /* how far the presenter zoomed in, 1 to 16; 0 is 1 */
    Vec2 shift;    /* then where the stage's corner is */
    Rect stage;
    double moved_s; /* when the pointer moved last */
    float width_px, height_px;
} AppHall;

/* The tour that is played, and what a learner did in its step; see tour.h. */
typedef struct AppTour {
    Tour tour; /* owned; no steps: none is played */
    char id[64];
    int step;
    double since_s; /* when the step began */
    double limit_s; /* presenting: the cue that the next press shows; else INFINITY */
    double shown_s; /* the step's time that the state is of; -1 before the first */
    int keys;       /* pressed so far in the step */
    uint64_t undo;  /* tag of what the step's cues change */
    Session as_set; /* the state as the tour set it, to tell a detour; text NULL for none */
    Settings shown_as_set;
    bool is_detour;
    bool is_done; /* the step's task */
    int tries;    /* that were wrong */
    OptionPair pin_tried;
    int guess;     /* the key that was guessed, from 1; 0 for none yet, -1 for skipped */
    double done_s; /* when the task was done or the guess taken */
    struct {
        char id[64];
        int step;
    } left[TOURS_LEFT_MAX]; /* where tours were left, the last first */
    bool is_offered;        /* the first tour, at the first start */
    bool is_presented, has_notes, has_spot, hides_pointer;
    PresentCover cover;
    AppHall hall;
    AppPen pen;
    bool is_frozen;     /* the hall keeps the picture that it shows */
    bool has_console;   /* the presenter's own window is open; see console.h */
    int displays;       /* 0 for one */
    float spot_r;       /* of the spotlight, as a share of the stage's height */
    double presented_s; /* when presenting began */
    int minutes;        /* of the talk; 0 for no limit */
    int before_jump;    /* the step before the last jump; -1 for none */
    int typed;          /* the number typed after G; -1 for none */
    bool is_recorded;   /* by a film: the panel is not drawn */
    bool has_caption;   /* the step's words are drawn in the picture */
} AppTour;

/* Text that leaves the window; owned. */
typedef struct AppCopy {
    char *bytes;
    size_t capacity;
} AppCopy;

struct App {
    AppResources resources;
    Session session;
    Settings settings;
    Theme theme;               /* the current theme with the chosen palette for signed values */
    History history;           /* of session and settings */
    uint64_t step, step_count; /* current changes belong to this undo step; 0: each is its own */
    Results run;               /* the results on screen; see work.h */
    AppWork work;
    bool has_scratch; /* for the view and the inspector */
    bool view_ready;  /* the view's own results are ready; otherwise view_err says why not */
    Err view_err;
    Arena scratch;
    EditQueue edits;
    bool let_go; /* close the weights' file after this pass */
    void (*after_build)(
        App *app); /* a sheet's request that may change the session, run after the pass */
    int after_row;
    char after_path[FINDER_TEXT_MAX];
    bool building; /* results are being drawn: the session must not change */
    Ui ui;
    Hover hover;
    ViewMemory memory;
    Layout layout;
    LineEdit line;     /* of the token field */
    bool line_waits;   /* a word was clicked: its caret is shown among the chips until one types */
    float chip_scroll; /* logical pixels */
    float notice_h;    /* of the line at the view's foot; 0 for none */
    AppDesk desk;
    AppSheet sheet;
    ViewResult wanted,
        result; /* results that a view asked to export; the one the sheet asks a name for */
    ViewTrained trained_wanted, trained; /* likewise, of RESULT_WEIGHTS */
    char result_part[PART_ID_MAX];       /* the part that the result is of; "" for the whole view */
    char picture_path[DOCUMENT_PATH_MAX], picture_now[DOCUMENT_PATH_MAX]; /* due; taken */
    Scroll sheet_scroll;
    bool is_under_sheet, has_drawn_sheet; /* a sheet is open; the sheet is part of this pass */
    UiId focus_under;                     /* the focus before the sheet opened, */
    bool focus_under_is_visible;          /* and if it was set by keyboard */
    Finder finder;                        /* of the sheet that has a field */
    struct {
        Tooltip tip; /* its strings are constants */
        Rect rect;
    } word; /* the words that were explained last: see word_tip.h */
    bool drawer_open, rail_open;
    Scroll inspector_scroll;
    float inspector_h;                 /* height of the inspector's contents in the last pass */
    AppMessage messages[MESSAGES_MAX]; /* oldest first; those after MESSAGES_SHOWN wait */
    int message_count;
    unsigned message_number; /* of the last */
    AppHint hint;
    AppHints hints;
    AppDetour detour;
    AppTour tour;
    AppLecture lecture;
    AppMarks marks;
    AppTake take;
    AppTourEditor tour_editor;
    AppPartMenu part_menu;
    KeyMap keys;
    const OptionRow *wrong; /* the option whose last edit was invalid, while its message exists */
    unsigned wrong_message;
    unsigned in_row;    /* items of the state row in the last pass */
    bool in_state_row;  /* its controls are drawn: forms beyond two are under More */
    bool wrong_is_said; /* the error is shown at its control in this pass */
    double pass_s;      /* duration of the last pass; negative without a clock */
    double copied_until_s;
    AppCopy copied, selected; /* texts for the clipboard and the selection after this frame */
    const Text *missing_in;   /* the text in which `missing` was searched */
    uint32_t missing;         /* its first code point without a font, or 0 */
    double time_s;
    AppEffects effects;
};

/* Set one option: at once, or at the end of a pass that is being built. An invalid value changes
 * nothing and shows a message; return false if it is known to be invalid now. */
bool app_set(App *app, const OptionRow *row, const char *value, uint64_t serial);

/* Set an option by its key in the session's table. */
bool app_set_state(App *app, const char *key, const char *value, uint64_t serial);

/* Choose the next head (step 1), the one before (-1), or so a layer of a checkpoint; the last is
 * followed by the first. */
void step_head(App *app, int step);
void step_layer(App *app, int step);

/* Replace bytes from..to of the text. Malformed input is repaired, with a message. */
bool app_edit_text(App *app, size_t from, size_t to, const char *insert, size_t bytes,
                   uint64_t serial);

/* Open or close edges of the mask. Calls with the same serial other than 0 are one undo step. */
bool app_paint_edges(App *app, const EdgePaint *paint, uint64_t serial);

/* A command: give every edge back to the mask. */
void app_reset_edges(App *app, int argument);

/* Set numbers by hand, or compute them again; serials as for edges. */
bool app_paint_hand(App *app, const HandPaint *paint, uint64_t serial);

/* Replace the session by changed (its contents move), and settings unless NULL, as one undo step.
 * Fails if it needs something that was not loaded. */
bool app_take_session(App *app, Session *changed, const Settings *settings, Err *err);

/* Apply the edits that widgets queued in this pass. */
void app_apply_edits(App *app);

/* Changes between the two calls are one undo step. */
void app_step_begin(App *app);
void app_step_end(App *app);

/* Record a session that was changed outside the functions above as an undo step of its own. */
void app_record(App *app);

/* Read a state string into a session and the picture's settings. On failure neither changes. */
bool app_read_state(const App *app, Session *session, Settings *settings, const char *string,
                    size_t bytes, Err *err);

/* Say what failed. */
void app_say_err(App *app, const Err *err);

/* A command: undo (-1) or redo (1). */
void app_undo(App *app, int way);

/* Return the struct that holds a row's value: the session's options, or the settings. */
const void *app_values(const App *app, const OptionRow *row);

/* Copy text to the clipboard after this frame, unless it is empty. */
void app_copy(App *app, const char *text, size_t bytes);

/* Return the context of the views in this pass. */
ViewContext app_view_context(App *app);

#endif
