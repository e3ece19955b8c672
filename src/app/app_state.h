/* app_state.h: the parts of an App; for the files of app/ only. */
#ifndef HEADLIGHT_APP_APP_STATE_H
#define HEADLIGHT_APP_APP_STATE_H

#include "app/app.h"
#include "app/film_marks.h"
#include "app/keymap.h"
#include "app/layout.h"
#include "app/lecture.h"
#include "app/part_menu.h"
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

typedef void AppAction(App *app, int argument);

/* Run an action that may change the session: at once, or at the end of a pass that is being built,
 * because a pass must draw one state. Of several in one pass the last one runs. */
void app_do(App *app, AppAction *action, int argument);

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

/* A session and its settings at some time. Zeroed: none. */
typedef struct Snapshot {
    Session session; /* owned; its text is NULL for none */
    Settings settings;
} Snapshot;

/* Replace *out by the current state. */
void snapshot_take(Snapshot *out, const App *app);
bool snapshot_is_current(const Snapshot *snapshot, const App *app);

#define MESSAGES_MAX   16
#define MESSAGES_SHOWN 3

typedef struct AppMessage {
    char text[600];
    bool warning;
    double since_s, until_s; /* time span on screen; until_s is INFINITY until it is first shown */
    bool leaves;             /* closed and fading */
    const Text *about;       /* it ends when the session has another text; NULL: never */
    unsigned number;         /* counts messages from the start */
} AppMessage;

#define RECENT_MAX     12
#define TOURS_LEFT_MAX 16

/* A recently opened or saved file. */
typedef struct RecentFile {
    const char *path;
    bool is_gone;
} RecentFile;

/* The tour as it was last kept; see keep_tour.h. */
typedef struct AppKeptTour {
    bool is_kept;
    unsigned changes; /* as those of the editor */
    char words[TOUR_FIELD_MAX];
} AppKeptTour;

/* The session's file; see desk.h. */
typedef struct AppDesk {
    char path[DOCUMENT_PATH_MAX]; /* "" if none */
    Snapshot saved;               /* as last saved; at first, as at the start */
    Snapshot autosaved;           /* at the last autosave check */
    bool is_kept, failed;         /* an autosave exists; the last attempt failed */
    AppKeptTour tour;
    double due_s;              /* time of the next autosave, INFINITY for none */
    uint64_t opened_at;        /* position in the history at opening; earlier steps had no path */
    Settings seen, remembered; /* settings in the last frame, and those in the settings' file */
    OptionPair window, window_seen;
    double remember_due_s;
    char *recent_bytes;             /* owned: the bytes of the list of recent files, */
    RecentFile recents[RECENT_MAX]; /* the paths in that list, newest first */
    int recent_count;
    char title[512];
    FileNames names;                     /* names in the folder that the sheet lists */
    char failed_path[DOCUMENT_PATH_MAX]; /* the last file that could not be read, and */
    unsigned failed_message;             /* the number of its message, 0 for none */
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

/* The hints of the first start; see hints.h. */
#define HINTS_COUNT 3
#define HINTS_ALL   7u
typedef struct AppHints {
    bool is_on;    /* true in a window that remembers its settings */
    unsigned done; /* a bit for each hint that is done */
    double done_s[HINTS_COUNT];
    bool has_edited; /* the user has edited the text */
} AppHints;

/* The layer before a question changed it; see detour.h. */
typedef struct AppDetour {
    Snapshot before;   /* none outside of a detour */
    uint64_t begun_at; /* position in the history at its beginning */
} AppDetour;

/* What the hall sees: the stage, or a black or white picture that covers it. */
typedef enum PresentCover { PRESENT_STAGE, PRESENT_BLACK, PRESENT_WHITE } PresentCover;

/* The presenter's strokes, in shares of the stage's height; see pen.h. */
#define PEN_POINTS_MAX 8192
typedef struct AppPen {
    bool is_on, is_down, has_laser;
    struct {
        Vec2 at;
        bool begins; /* this point begins a stroke */
    } points[PEN_POINTS_MAX];
    int count;
} AppPen;

/* The layout of the stage for the current step; see hall.h. */
typedef struct AppHall {
    int trial; /* index of the height that is tried */
    bool is_found;
    Camera camera; /* camera of the last pass; zoom 0 for none */
    Vec2 pointer;  /* position on the stage, in logical pixels */
    float closer;  /* how far the presenter zoomed in, 1 to 16; 0 is 1 */
    Vec2 shift;    /* the zoomed stage's corner relative to the stage's */
    Rect stage;
    double moved_s; /* time of the pointer's last motion */
    float width_px, height_px;
} AppHall;

/* The tour that is played, and what the user did in its step; see tour.h. */
typedef struct AppTour {
    Tour tour; /* owned; without steps if none is played */
    char id[64];
    int step;
    double since_s;    /* when the step began */
    Vec2 pointer_then; /* where the pointer was when the step began */
    const char *seen;  /* the moment's light, once it was scrolled to; only compared */
    double limit_s;  /* presenting: time of the cue that the next press shows; otherwise INFINITY */
    double shown_s;  /* time in the step that the current state belongs to; -1 before the first */
    int keys;        /* keys that the step has pressed so far */
    uint64_t undo;   /* undo tag of the changes that the step's cues make */
    Snapshot as_set; /* the state that the tour set, to detect detours */
    bool is_detour;
    bool is_done; /* the user has done the step's task */
    int tries;    /* wrong answers so far */
    OptionPair pin_tried;
    int guess;     /* the key guessed by the user, from 1; 0 for none yet, -1 for skipped */
    double done_s; /* when the task was done or the guess taken */
    struct {
        char id[64];
        int step;
    } left[TOURS_LEFT_MAX]; /* steps where tours were left, the latest tour first */
    bool is_offered;        /* the first tour is offered, at the first start */
    bool is_presented, has_notes, has_spot, hides_pointer;
    PresentCover cover;
    AppHall hall;
    AppPen pen;
    bool keeps_theme;   /* see hall_keep_theme */
    bool is_frozen;     /* the hall keeps its current picture */
    bool has_console;   /* the presenter's own window is open; see console.h */
    int displays;       /* number of displays; 0 counts as one */
    float spot_r;       /* radius of the spotlight, as a share of the stage's height */
    double presented_s; /* when presenting began */
    int minutes;        /* planned length of the talk; 0 for no limit */
    int before_jump;    /* the step before the last jump; -1 for none */
    int typed;          /* the number typed after G; -1 for none */
    bool is_recorded;   /* recorded as a film, without the panel */
    bool has_caption;   /* the step's words are drawn in the picture */
} AppTour;

/* The recording of what the user does; see take.h. */
typedef struct AppTake {
    bool is_on;
    TextOut text;            /* owned: the tour so far, without the current step */
    Snapshot now;            /* that step's state; none while nothing is recorded */
    double begun_s, since_s; /* beginning of the recording, and of the current step */
    int steps;
} AppTake;

/* Text for the clipboard or the selection; owned. */
typedef struct AppCopy {
    char *bytes;
    size_t capacity;
} AppCopy;

struct App {
    AppResources resources;
    Session session;
    Settings settings;
    Theme theme;               /* the current theme with the chosen palette of signed values */
    History history;           /* undo steps, each a session and its settings */
    uint64_t step, step_count; /* changes with one step are one undo step; 0: each is its own */
    Results run;               /* the results on screen; see work.h */
    AppWork work;
    bool has_scratch; /* true if there is memory for the view and the inspector */
    bool view_ready;  /* the view's own data are computed; otherwise view_err says why not */
    Err view_err;
    Arena scratch;
    EditQueue edits;
    bool building;    /* results are being drawn: the session must not change */
    AppAction *later; /* what runs after this pass, or NULL; see app_do */
    int later_argument;
    Ui ui;
    Hover hover;
    ViewMemory memory;
    Layout layout;
    LineEdit line;     /* state of the token field */
    bool line_waits;   /* a click on a word set its caret, which the chips show until one types */
    float chip_scroll; /* logical pixels */
    float notice_h;    /* height of notice and offer at the view's foot; 0 for none */
    AppDesk desk;
    AppSheet sheet;
    ViewResult wanted,
        result;          /* the export that a view requested; the one whose name is being asked */
    ViewTrained trained; /* the layer that the view asks to use */
    char result_part[PART_ID_MAX]; /* the part to export; "" for the whole view */
    char picture_path[DOCUMENT_PATH_MAX], picture_now[DOCUMENT_PATH_MAX]; /* due; taken now */
    Scroll sheet_scroll;
    bool is_under_sheet, has_drawn_sheet; /* a sheet is open; this pass has drawn it */
    UiId focus_under;                     /* what had the focus before the sheet opened, */
    bool focus_under_is_visible;          /* whether that focus showed its ring */
    Finder finder;                        /* the search field of the sheet */
    struct {
        Tooltip tip; /* its strings are constants */
        Rect rect;
    } word; /* the words explained last: see word_tip.h */
    bool drawer_open, rail_open;
    Scroll inspector_scroll;
    float inspector_h;                 /* height of the inspector's contents in the last pass */
    AppMessage messages[MESSAGES_MAX]; /* oldest first; those after MESSAGES_SHOWN wait */
    int message_count;
    unsigned message_number; /* number of the last message */
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
    unsigned in_row;    /* number of items in the state row in the last pass */
    bool in_state_row;  /* its controls are being drawn: rarer forms are under More */
    bool wrong_is_said; /* the error is shown at its control in this pass */
    double pass_s;      /* duration of the last pass; negative without a clock */
    double copied_until_s;
    AppCopy copied, selected; /* texts for the clipboard and the selection after this frame */
    const Text *missing_in;   /* the text in which `missing` was searched */
    uint32_t missing;         /* its first code point without a font, or 0 */
    double time_s;
    AppEffects effects;
};

/* Return the option with this key, of the session or the settings, or NULL. option_row asserts that
 * it exists. */
const OptionRow *option_lookup(const char *key, size_t bytes);
const OptionRow *option_row(const char *key);
bool option_is_setting(const OptionRow *row);

/* Return the i-th option, those of the session first; NULL after the last. */
const OptionRow *option_nth(int i);

/* Return the address of an option's value, or write the value. */
const void *app_value(const App *app, const OptionRow *row);
void app_value_text(char out[OPTION_TEXT_MAX], const App *app, const OptionRow *row);

/* Set one option: at once, or at the end of a pass that is being built. An invalid value changes
 * nothing and shows a message; return false if it is known to be invalid now. */
bool app_set(App *app, const OptionRow *row, const char *value, uint64_t serial);

bool app_set_key(App *app, const char *key, const char *value);

/* Choose the next head (by 1) or the previous one (-1), cyclically; or a layer of a checkpoint.
 * */
void step_head(App *app, int by);
void step_layer(App *app, int by);

/* Open the map of a checkpoint's layers, or close it. */
void show_layers(App *app, int argument);

/* Replace bytes from..to of the text. Malformed input is repaired, with a message. */
bool app_edit_text(App *app, size_t from, size_t to, const char *insert, size_t bytes,
                   uint64_t serial);

/* A command: undo all edits of the mask's edges. */
void app_reset_edges(App *app, int argument);

/* Apply an edit. Call between passes. On failure show a message and return false. */
bool app_apply(App *app, const Edit *edit);

/* True if the tokens are the rows of a file's X, so that no text can be typed. The second function
 * then shows a message. */
bool text_is_fixed(const App *app);
bool text_say_fixed(App *app);

/* Replace the session by changed (its contents move), and settings unless NULL, as one undo step.
 * Fails if it needs something that was not loaded. */
bool app_take_session(App *app, Session *changed, const Settings *settings, Err *err);

/* Apply the edits that widgets queued in this pass. */
void app_apply_edits(App *app);

/* All changes between the two calls become one undo step. */
void app_step_begin(App *app);
void app_step_end(App *app);

/* Read a state string into a session and settings: a default session and the settings of a first
 * start, or those given. On failure the session is released. */
bool app_read_state(const App *app, Session *out, Settings *settings, const char *state,
                    size_t bytes, Err *err);
bool app_read_over(const App *app, Session *over, Settings *settings, const char *state,
                   size_t bytes, Err *err);

/* Show an error as a message. */
void app_say_err(App *app, const Err *err);

/* A command: undo (-1) or redo (1). */
void app_undo(App *app, int way);

/* Copy text to the clipboard after this frame, unless it is empty. */
void app_copy(App *app, const char *text, size_t bytes);

/* True if there are results of at least one token. */
static inline bool app_has_picture(const App *app) {
    return app->run.valid && app->run.T > 0;
}

/* Return the context of the views in this pass. */
ViewContext app_view_context(App *app);

#endif
