/* ui.h: the immediate-mode core of all widgets: hover, press and focus, the events that are not
 * used yet, and the draw list. Widgets are functions. Each frame calls all of them in one or more
 * passes: if something changes after it was drawn, `again` requests another pass. State that lasts
 * between frames is here or belongs to the caller. This code uses no model and no session. */
#ifndef HEADLIGHT_UI_UI_H
#define HEADLIGHT_UI_UI_H

#include "base/err.h"
#include "base/geom.h"
#include "draw/draw.h"
#include "draw/theme.h"
#include "ui/input.h"

typedef uint64_t UiId; /* 0 is no widget */

#define UI_NAME_MAX   48
#define UI_WORDS_MAX  96
#define UI_FOCUS_MAX  512
#define UI_EVENTS_MAX 256 /* maximum number of events in a frame; the shell sends fewer */
#define UI_LAYERS     5
#define UI_TWEENS_MAX 1024

#define LINE_COMPOSING_MAX 512

/* Caret and selection of one text field. Offsets are bytes at character boundaries. The selection
 * runs from anchor to caret. */
typedef struct LineEdit {
    size_t caret, anchor;
    /* At a change of text direction: true if the caret belongs to the character after it. */
    bool leads;
    float scroll;         /* logical pixels of text to the left of the field's edge */
    size_t shown_from;    /* start of the part of a long text that is laid out */
    uint64_t word_serial; /* number of the undo step; grows, but not during continuous typing */
    /* Text that an input method is composing: drawn at the caret, but not yet part of the text. */
    char composing[LINE_COMPOSING_MAX];
    /* Offsets in composing: the caret, and the ends of the clause that the user is choosing. */
    size_t compose_caret, clause_from, clause_to;
    bool has_composed; /* true if the next typed text ends a composition */
    /* Composed text that a press of the mouse made part of the text. */
    char committed[LINE_COMPOSING_MAX];
    /* True if the input method must restart, which needs one frame without a text field. */
    bool restarts;
    int drag_unit; /* unit of a drag: 1 characters, 2 words, 3 everything; 0 for no drag */
    size_t drag_anchor;
    double drag_next_s; /* time at which a drag outside the field scrolls again */
    float drag_x;       /* x of the pointer in a drag outside the field */
    /* Caret and size of the text in the last frame; while they change, the caret does not blink. */
    size_t drawn_caret, drawn_size;
    double shown_since_s;
} LineEdit;

/* Layers of the picture, used as draw layers; each is above the previous one. */
typedef enum UiLayer {
    UI_LAYER_BASE,
    UI_LAYER_DRAWER,
    UI_LAYER_POPUP,
    UI_LAYER_TOAST,
    UI_LAYER_TIP
} UiLayer;

/* A value that moves to a target: see tween.h. Up to four numbers, for a rectangle or a colour. */
typedef struct UiTween {
    UiId id;
    float from[4], to[4];
    double start_s;
    float duration_s;
    int easing;
    uint64_t born_frame, seen_frame;
} UiTween;

/* The scroll position of an area: see scroll.h. It belongs to the area's owner, who may set it; all
 * zero is the start. */
typedef struct Scroll {
    Vec2 offset;
    UiId focus_was; /* the focus that was last scrolled into view */
} Scroll;

/* The tooltip: its owner, its timing and its state. See tooltip.h. */
typedef struct UiTip {
    /* quiet: an owner whose tip does not open until the pointer has left it. Reasons: the tip was
     * closed, or the pointer has not moved since a press. */
    UiId owner, quiet;
    double since_s, left_s; /* left_s: time at which the tip closes unless the pointer returns */
    bool shown, pinned;
    bool followed; /* true if the tip was clicked in this frame: see Tooltip.is_link */
    Rect place;    /* place of the tip in frame number seen_frame */
    uint64_t seen_frame;
} UiTip;

typedef struct Ui {
    /* Input of one pass. */
    const Input *input;
    DrawList *list;
    const Theme *theme;
    const TextMeasure *measure;
    double time_s;
    Vec2 pointer; /* logical pixels */
    bool pointer_inside;
    /* true if the pointer has moved since the previous frame; only in the first pass */
    bool pointer_moved;
    bool first_pass; /* events exist only in the first pass of a frame */
    bool reduced_motion;
    /* true while a tour is presented: no controls are drawn, because the audience cannot press
     * them */
    bool is_plain;
    /* State that lasts between frames. */
    Vec2 pointer_was_px; /* device pixels */
    bool pointer_rests;  /* true if the pointer has not moved since a button was pressed */
    float scale_was;
    UiId hot, active, focus, popup;
    /* The control that last had the focus, and its index in tab order. If the control is gone, Tab
     * continues from the index. */
    UiId focus_was;
    int focus_at;
    bool focus_visible;  /* true if the focus came by keyboard, so that its ring is shown */
    Vec2 press_at;       /* place where the button went down */
    unsigned press_mods; /* modifiers held when the button went down */
    float drag_from;     /* position up to which the drag was handled */
    /* number of clicks in the last press, stored by the control that was pressed */
    int press_clicks;
    int popup_at;        /* row of the open list that Enter chooses */
    char popup_text[32]; /* text that the user types to search in an open list */
    char popup_copied[32];
    LineEdit popup_edit;
    Scroll popup_scroll;
    UiId typing; /* the number field that is being edited as text */
    char typed[64];
    bool typed_is_changed; /* true if the user has changed it since the editing began */
    LineEdit typed_edit;
    /* Copy of text from typed, which may change before the clipboard has it. */
    char typed_copied[64];
    float drag_slip; /* distance of a slider's knob from the pointer, as a share of its track */
    uint64_t drag_serial; /* grows with every press, so that each drag is its own undo step */
    uint64_t frame;       /* counts frames, not passes */
    UiTween tweens[UI_TWEENS_MAX];
    UiTip tip;
    bool has_tip; /* true if the thing under the pointer has a tooltip of its own */
    struct {
        Rect rect;
        char text[UI_WORDS_MAX]; /* "" if there are no words, or if they are too long */
    } pointed;                   /* the words under the pointer, as passed to ui_point */
    /* The control that the wheel turns, until the wheel rests or the pointer moves. */
    UiId wheel_owner;
    double wheel_until_s;
    UiId wheel_scrolls;    /* the area with scroll bars that is being drawn, or 0 */
    Rect cover[UI_LAYERS]; /* the rectangle that each layer covered in the last pass */
    Rect covering[UI_LAYERS];
    /* State of one pass. */
    bool used[UI_EVENTS_MAX];
    int narrowed;  /* see ui_narrow */
    bool unlisted; /* true while Tab skips the controls that are drawn, as behind an open sheet */
    bool disabled;
    struct {
        UiId id;
        Rect rect;
        char name[UI_NAME_MAX];
    } order[UI_FOCUS_MAX];
    int order_count;
    /* True if something changed after it was drawn, so that another pass is needed. */
    bool again;
    float motion_s;     /* duration of every motion; 0: each has its own (ui/tween.h) */
    double next_time_s; /* time at which the picture changes without input; INFINITY for never */
    /* Mouse cursor: 0 arrow, 1 text, 2 hand, 3 resize horizontally, 4 resize vertically. */
    int cursor;
    bool wants_text;  /* true if a text field has the focus */
    bool is_cut;      /* true if a text was longer than its field; the owner reports it */
    bool wants_paste; /* true if the text field requests the clipboard */
    /* True if the text field requests the primary selection, for the middle button. */
    bool wants_selection;
    Rect caret;
    const char *copied; /* text for the clipboard, or NULL; borrowed for this frame */
    size_t copied_bytes;
    const char *selected; /* text for the primary selection, or NULL; borrowed for this frame */
    size_t selected_bytes;
    Err failure; /* why something is missing, see ui_fail; kind ERR_NONE if nothing is */
} Ui;

/* The state of a control in this pass. */
typedef struct UiState {
    bool hovered, held, focused;
    bool disabled; /* true: all other fields are then false */
    bool pressed;  /* true if a button went down on the control */
    bool pasted;   /* true if the middle button went down on the control; only with UI_TEXT */
    /* True if the button came up on the control, or if Enter or Space was pressed while the control
     * had the focus. */
    bool clicked;
    int clicks;    /* number of clicks in the press: 2 for a double click */
    unsigned mods; /* modifiers held at the press or release in this pass */
} UiState;

/* Flags of ui_control. */
enum {
    UI_NO_FOCUS = 1,
    UI_NO_KEYS = 2,    /* Enter and Space don't click the control */
    UI_NO_HAND = 4,    /* the pointer stays an arrow over the control */
    UI_NO_POINTER = 8, /* the control only takes the focus; controls inside it take the pointer */
    UI_TEXT = 16,      /* a text field: the middle button pastes into it */
};

/* Return an id made from a name and a number. */
UiId ui_id(const char *name, int number);

/* Begin and end a pass over all widgets. ui_end moves the focus on Tab. */
void ui_begin(Ui *ui);
void ui_end(Ui *ui);

/* Record why something is missing in the picture of this pass. Only the first failure is stored.
 * The window shows the other parts of the picture; a command such as `headlight render` fails. */
void ui_fail(Ui *ui, const char *what, const char *why);

/* Return the state of one control, and handle its hover, press, click and focus. Call in reading
 * order, which is then the tab order. */
UiState ui_control(Ui *ui, UiId id, Rect rect, unsigned flags);

/* True if the right button went down on a hovered control. Nothing else gets this press. */
bool ui_pressed_right(Ui *ui, UiState state);

/* Set whether the controls that follow are disabled: drawn as disabled, without input, and skipped
 * by Tab. Return the previous setting, which the caller restores. */
bool ui_disable(Ui *ui, bool disabled);

/* True if the pointer is over rect and no higher layer covers that place. Unlike UiState.hovered,
 * also true while another control is pressed. */
bool ui_over(const Ui *ui, Rect rect);

/* True if in this frame the user moves the pointer, drags, presses a button or turns the wheel. */
bool ui_pointer_is_used(const Ui *ui);

/* Return the next unused event of this kind and mark it as used. NULL if there is none. */
const InputEvent *ui_take(Ui *ui, InputKind kind);

/* Take a press of this key with exactly these modifiers. Return false if there is none. */
bool ui_key(Ui *ui, uint32_t key, unsigned mods);

/* Take all presses of this key in this frame, and return their number. So no press is lost if the
 * key repeats faster than frames are drawn. */
int ui_keys(Ui *ui, uint32_t key, unsigned mods);

/* Restrict ui_take and ui_key to one event, counted from 1; 0 ends the restriction. So events of
 * several kinds can be handled in the order in which they happened. Return false if there is no
 * such event. */
bool ui_narrow(Ui *ui, int event);

/* Take the wheel's notches over rect and return them; 0 for none. *mods is set to the modifiers.
 * While the wheel keeps turning, its notches go to the id where it started, even if something else
 * moves under the pointer. In an area with scroll bars, the wheel turns only the control that has
 * the focus, so that scrolling changes no value. */
Vec2 ui_wheel(Ui *ui, UiId id, Rect rect, unsigned *mods);

/* Return the number of choices by which the wheel over rect moves: one for each notch, positive
 * down or right. A turn that starts over id increments ui->drag_serial, like a drag. */
int ui_wheel_choice(Ui *ui, UiId id, Rect rect);

/* Return the serial number of the wheel's changes over id. It stays the same while the wheel keeps
 * turning; 0 if the wheel turns another control. */
uint64_t ui_wheel_serial(const Ui *ui, UiId id);

/* True if a button went down outside rect in this pass. Nothing else gets this press. */
bool ui_pressed_outside(Ui *ui, Rect rect);

/* Draw on a higher layer, anywhere in the window, until ui_lower gets the returned place. */
typedef struct UiPlace {
    int layer;
    Rect clip;
} UiPlace;
UiPlace ui_raise(Ui *ui, UiLayer layer);
void ui_lower(Ui *ui, UiPlace place);

/* Mark rect as covered by the current layer: controls in lower layers are not hovered there. */
void ui_cover(Ui *ui, Rect rect);

/* Return the choice, among count choices in a row, that the pressed keys request while the control
 * has the focus. Left and Right move by one, Home and End to the ends. Return -1 for no change. */
int ui_choice_keys(Ui *ui, UiState state, int count, int chosen);

/* Draw the focus ring 2 px outside rect, but inside the clip, if the focus came by keyboard. */
void ui_focus_ring(Ui *ui, UiId id, Rect rect, float radius);

/* Give the focus to a control and show its ring, as Tab does. */
void ui_focus(Ui *ui, UiId id);

/* Name a control for screen readers. Call after ui_control; the last name counts. */
void ui_name(Ui *ui, UiId id, const char *name);

/* Give the focus to id (0 for none), unless a control of this pass has it. visible: show the ring.
 * Tab then continues from there. */
void ui_focus_back(Ui *ui, UiId id, bool visible);

/* Clear the focus and its history: Tab starts at the first control. */
void ui_focus_forget(Ui *ui);

/* Record that these words are drawn in rect. If several texts lie under the pointer, the last one
 * counts, so call after the parts of a text are drawn. */
void ui_point(Ui *ui, Rect rect, const char *text, size_t bytes);

/* Request a frame at time_s. */
void ui_wake(Ui *ui, double time_s);

#endif
