/* app_state.h: the parts of an App; for the files of app/ only. While a tour is presented, "hall"
 * means its audience, and "stage" the picture that the audience sees: see hall.h. */
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

#define APP_STATE_MAX 2048 /* bytes for the state string on screen */

typedef void AppAction(App *app, int argument);

/* The actions of commands. The rows of COMMANDS say what they do; most take 0 as their argument. */
AppAction app_undo; /* -1: undo; 1: redo */
AppAction app_reset_edges, show_layers;
AppAction step_head, step_layer; /* 1: the next one; -1: the previous one, cyclically */
void step_layers(App *app);      /* after a pass: read the layer that step_layer chose */
AppAction pin_move;              /* 0 left, 1 right, 2 up, 3 down */
AppAction pin_here, part_menu_ask, hints_show;
AppAction hand_edit, hand_reset;
AppAction hand_zero_head, hand_mean_head; /* index of a head, from 0; -1: the chosen head */
AppAction desk_new, desk_save;
AppAction state_copy, layer_copy; /* layer_copy: a LayerCode */
AppAction lecture_toggle, presenter_toggle, take_toggle;
AppAction tour_press; /* 1: the next step; -1: the previous one */
AppAction tour_take_first, tour_editor_add, tour_editor_toggle;

/* Run an action that may change the session: at once, or at the end of the pass that is being
 * built, because a pass must draw one state. Of several actions in one pass only the last one
 * runs. */
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
    /* time span on screen; until_s is INFINITY until the message is first shown */
    double since_s, until_s;
    bool leaves; /* true while it fades after it was closed */
    /* The message ends when the session has another text than this. NULL for any text. */
    const Text *about;
    unsigned number; /* counts messages from the start */
} AppMessage;

#define RECENT_MAX     12
#define TOURS_LEFT_MAX 16

/* A recently opened or saved file. */
typedef struct RecentFile {
    const char *path;
    bool is_gone;
} RecentFile;

/* The tour as it was last autosaved; see tour.h. */
typedef struct AppKeptTour {
    bool is_kept;
    unsigned changes; /* AppTourEditor.changes at that time */
    char words[TOUR_FIELD_MAX];
} AppKeptTour;

/* The session's file; see desk.h. */
typedef struct AppDesk {
    char path[DOCUMENT_PATH_MAX]; /* "" if none */
    uint64_t stamp;               /* AppFiles.stamp of that file when it was last opened or saved */
    Snapshot saved;               /* the state as last saved; at first, the state at the start */
    Snapshot autosaved;           /* the state at the last autosave check */
    Session autosaved_own;        /* the user's own layer then; without a text if none */
    bool is_kept, failed;         /* true if an autosave exists; true if the last attempt failed */
    bool is_warned;               /* true if the user knows that quitting loses the session */
    bool saves_own; /* true if saving writes the user's own layer, not the one on screen */
    AppKeptTour tour;
    double due_s; /* time of the next autosave, INFINITY for none */
    /* Position in the history when the file was opened. If the user undoes more, the path is
     * forgotten. */
    uint64_t opened_at;
    Settings seen, remembered; /* settings in the last frame, and those in the settings' file */
    TextOut remembered_text; /* owned: the remembered settings as lines, as they were when the file
                                was last read or written */
    OptionPair window, window_seen;
    double remember_due_s;
    /* Owned: the contents of the file of recent files, into which recents points. */
    char *recent_bytes;
    RecentFile recents[RECENT_MAX]; /* the recent files, newest first */
    int recent_count;
    char title[512];
    char *names;                         /* owned: AppFiles.list of the folder `listed` */
    char failed_path[DOCUMENT_PATH_MAX]; /* path of the last file that could not be read */
    unsigned failed_message;             /* number of the message about failed_path; 0 for none */
    char listed[FINDER_TEXT_MAX];
    bool is_listed;
    char replaces[DOCUMENT_PATH_MAX]; /* the file that the next Enter overwrites */
} AppDesk;

typedef struct AppHint {
    const char *words; /* NULL for none */
    const Text *about;
    int view, part; /* the view, and the page of Compare, for which the hint was shown */
    double since_s;
} AppHint;

/* The hints of the first start; see chrome.h. */
#define HINTS_COUNT 3
#define HINTS_ALL   7u
typedef struct AppHints {
    bool is_on;    /* true in a window that remembers its settings */
    unsigned done; /* bit i is set if hint i is done */
    double done_s[HINTS_COUNT];
    bool has_edited; /* true if the user has edited the text */
} AppHints;

/* What the stage shows: its picture, or black or white in place of it. */
typedef enum PresentCover { PRESENT_STAGE, PRESENT_BLACK, PRESENT_WHITE } PresentCover;

/* The presenter's strokes, in shares of the window's height; see hall.h. */
#define PEN_POINTS_MAX 8192
typedef struct AppPen {
    bool is_on, is_down, has_laser;
    struct {
        Vec2 at;
        bool begins;
    } points[PEN_POINTS_MAX];
    int count;
} AppPen;

/* The layout of the stage for the current step; see hall.h. */
typedef struct AppHall {
    int trial; /* index of the height that settle_height tries */
    bool is_found;
    Camera camera; /* camera of the last pass; zoom 0 for none */
    Vec2 pointer;  /* position on the stage, in logical pixels */
    float closer;  /* the presenter's zoom factor, 1 to 16; 0 means 1 */
    Vec2 shift;    /* logical pixels from the stage's corner to that of the zoomed stage */
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
    /* The TourMoment.light whose parts the last pass has drawn, compared by address: the view
     * scrolls to them only once. */
    const char *seen;
    double limit_s; /* presenting: time of the cue that the next press shows; otherwise INFINITY */
    /* Time within the step at which the tour last changed the session; -1 before that. */
    double shown_s;
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
    /* True if the first tour is offered, which happens at the first start. */
    bool is_offered;
    bool is_presented, has_notes, has_spot, hides_pointer;
    PresentCover cover;
    AppHall hall;
    AppPen pen;
    bool keeps_theme;   /* see hall_keep_theme */
    bool is_frozen;     /* true if the hall keeps its current picture */
    bool has_console;   /* true if the presenter's own window is open; see console.h */
    int displays;       /* number of displays; 0 counts as one */
    float spot_r;       /* radius of the spotlight, as a share of the stage's height */
    double presented_s; /* when presenting began */
    int minutes;        /* planned length of the talk; 0 for no limit */
    int before_jump;    /* the step before the last jump; -1 for none */
    int typed;          /* the number typed after G; -1 for none */
    bool is_recorded;   /* true if the tour is recorded as a film, without the panel */
    bool has_caption;   /* true if the step's words are drawn in the picture */
    TextOut words;      /* the last words whose numbers were filled in */
    bool lacks;         /* true if a number in them was not computed yet */
} AppTour;

/* The recording of what the user does; see tour.h. */
typedef struct AppTake {
    bool is_on;
    TextOut text;            /* owned: the tour's text so far, without the current step */
    Snapshot now;            /* state of the current step; none while nothing is recorded */
    double begun_s, since_s; /* beginning of the recording, and of the current step */
    int steps;
} AppTake;

struct App {
    AppResources resources;
    Session session;
    Settings settings;
    Theme theme;     /* the current theme with the chosen palette of signed values */
    History history; /* undo steps, each a session, its settings, and its detour: see examples.h */
    /* Undo tag of the changes between app_step_begin and app_step_end, which are one undo step; 0
     * outside. And the number of these tags so far. */
    uint64_t step, step_count;
    Results run; /* the results on screen; see work.h */
    AppWork work;
    bool has_scratch; /* true if there is memory for the view and the inspector */
    /* True if the data of the view are computed; otherwise view_err says why not. */
    bool view_ready;
    Err view_err;
    Err failure; /* why a layer could not be read in this frame; kind ERR_NONE for none */
    Arena scratch;
    EditQueue edits;
    bool building;    /* true while results are drawn, so that the session must not change */
    AppAction *later; /* action to run after this pass, or NULL; see app_do */
    int later_argument;
    int layer_steps; /* layers to go up (negative: down), from the commands of this pass */
    Ui ui;
    Hover hover;
    ViewMemory memory;
    ViewContext context; /* see app_context */
    Layout layout;
    LineEdit line; /* state of the token field */
    /* True after a click on a word until the user types: the word is selected, but the field still
     * shows the chips and not the line of text. */
    bool line_waits;
    float chip_scroll; /* logical pixels */
    /* Height of the notice and the offer of a tour at the view's lower edge; 0 for none. */
    float notice_h;
    float status_end; /* x after the status row's words, next to which messages are shown */
    AppDesk desk;
    AppSheet sheet;
    ViewResult wanted,
        result; /* the export that a view requested; the export for which a file name is asked */
    ViewTrained trained;           /* the layer that the view asks to use */
    char result_part[PART_ID_MAX]; /* the part to export; "" for the whole view */
    /* Path of a picture that is saved once the sheet is closed, and of the picture of this
     * frame. */
    char picture_path[DOCUMENT_PATH_MAX], picture_now[DOCUMENT_PATH_MAX];
    Scroll sheet_scroll;
    /* True if a sheet is open; true if this pass has drawn it. */
    bool is_under_sheet, has_drawn_sheet;
    /* The control that had the focus before the sheet opened. */
    UiId focus_under;
    bool focus_under_is_visible; /* true if that control showed its focus ring */
    Finder finder;               /* the search field of the sheet */
    struct {
        Tooltip tip; /* a tooltip whose strings are constants */
        Rect rect;
    } word; /* the words that were last explained: see chrome.h */
    bool drawer_open, rail_open;
    Scroll inspector_scroll;
    float inspector_h; /* height of the inspector's contents in the last pass */
    /* Oldest first; messages after the first MESSAGES_SHOWN wait. */
    AppMessage messages[MESSAGES_MAX];
    int message_count;
    unsigned message_number;
    AppHint hint;
    AppHints hints;
    AppTour tour;
    AppLecture lecture;
    AppMarks marks;
    AppTake take;
    AppTourEditor tour_editor;
    AppPartMenu part_menu;
    KeyMap keys;
    const OptionRow *wrong; /* the option whose last edit was invalid, while its message exists */
    unsigned wrong_message;
    unsigned in_row; /* bit i is set if the state row showed item i in the last pass */
    /* True while the state row is measured and drawn. There the control of the form has no list
     * while one of its segments shows the current form. */
    bool in_state_row;
    bool wrong_is_said; /* the error is shown at its control in this pass */
    double pass_s;      /* duration of the last pass; negative without a clock */
    double copied_until_s;
    TextOut copied, selected; /* owned texts for the clipboard and the selection after this frame */
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

/* Return the address of an option's value. The second function writes the value as text. */
const void *app_value(const App *app, const OptionRow *row);
void app_value_text(char out[OPTION_TEXT_MAX], const App *app, const OptionRow *row);

/* Set one option at once, or at the end of the pass that is being built. An invalid value changes
 * nothing and shows a message. Return false if the value is already known to be invalid. */
bool app_set(App *app, const OptionRow *row, const char *value, uint64_t serial);

bool app_set_key(App *app, const char *key, const char *value);

/* Replace bytes from..to of the text. Malformed input is repaired, with a message. */
bool app_edit_text(App *app, size_t from, size_t to, const char *insert, size_t bytes,
                   uint64_t serial);

/* Apply an edit. Call between passes. On failure show a message and return false. */
bool app_apply(App *app, const Edit *edit);

/* True if the tokens are the rows of X in a file, so that no text can be typed. The second function
 * also shows a message in this case. */
bool text_is_fixed(const App *app);
bool text_say_fixed(App *app);

/* Replace the session by changed, whose contents move, and the settings unless NULL, as one undo
 * step. If made is false, only release changed and return false. Fails if the new session needs
 * something that was not loaded. */
bool app_take_session(App *app, bool made, Session *changed, const Settings *settings, Err *err);

/* Apply the edits that widgets queued in this pass. */
void app_apply_edits(App *app);

/* All changes between the two calls become one undo step. */
void app_step_begin(App *app);
void app_step_end(App *app);

/* Read a state string into a session and settings. Start from a default session and the settings of
 * a first start, or from those given. On failure the session is released. */
bool app_read_state(const App *app, Session *out, Settings *settings, const char *state,
                    size_t bytes, Err *err);
bool app_read_over(const App *app, Session *over, Settings *settings, const char *state,
                   size_t bytes, Err *err);

/* Show an error as a message. The second function does so only if `done` is false, and returns
 * done. */
void app_say_err(App *app, const Err *err);
bool app_told(App *app, bool done, const Err *err);

/* Copy text to the clipboard after this frame, unless it is empty. */
void app_copy(App *app, const char *text, size_t bytes);

/* True if there are results of at least one token. */
static inline bool app_has_picture(const App *app) {
    return app->run.valid && app->run.T > 0;
}

static inline const TourStep *app_tour_step(const App *app) {
    return &app->tour.tour.steps[app->tour.step];
}

/* Return the context of the views, as of now. It is the App's own: a later call updates it. */
const ViewContext *app_context(App *app);

#endif
