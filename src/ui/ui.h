/* ui.h: the immediate-mode core of all widgets: hover, press and focus, the unused events, and the
 * draw list. Widgets are functions. State that lasts between frames is here or belongs to the
 * caller. Knows no model and no session. */
#ifndef HEADLIGHT_UI_UI_H
#define HEADLIGHT_UI_UI_H

#include "base/err.h"
#include "base/geom.h"
#include "draw/draw.h"
#include "draw/theme.h"
#include "ui/input.h"
#include "ui/line.h"

typedef uint64_t UiId; /* 0 is no widget */

#define UI_NAME_MAX   48
#define UI_WORDS_MAX  96
#define UI_FOCUS_MAX  512
#define UI_EVENTS_MAX 256 /* per frame; the shell sends fewer */
#define UI_LAYERS     5
#define UI_TWEENS_MAX 1024

/* Layers of the picture, used as draw layers; each is above the one before. */
typedef enum UiLayer {
    UI_LAYER_BASE,
    UI_LAYER_DRAWER,
    UI_LAYER_POPUP,
    UI_LAYER_TOAST,
    UI_LAYER_TIP
} UiLayer;

/* A value on its way to a target: see tween.h. At most four numbers, for a rectangle or a
 * colour. */
typedef struct UiTween {
    UiId id;
    float from[4], to[4];
    double start_s;
    float duration_s;
    int easing;
    uint64_t born_frame, seen_frame;
} UiTween;

/* The scroll position of an area: see scroll.h. Owned by the area's owner, who may set it; zeroed
 * is the start. */
typedef struct Scroll {
    Vec2 offset;
    UiId focus_was; /* the focus that was last scrolled into view */
} Scroll;

/* The tooltip: its owner, its timing and its state. See tooltip.h. */
typedef struct UiTip {
    UiId owner, quiet;      /* quiet: dismissed, until another control is hovered */
    double since_s, left_s; /* left_s: end of the wait for the pointer to return */
    bool shown, pinned;
    bool followed; /* clicked in this frame: see tooltip_link */
    Rect place;    /* place in the frame seen_frame */
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
    bool pointer_moved; /* since the frame before; only in the first pass of a frame */
    bool first_pass;    /* events exist only in the first pass of a frame */
    bool reduced_motion;
    bool is_plain; /* no controls are drawn: a hall cannot press them
                    */
    /* State that lasts between frames. */
    Vec2 pointer_was_px; /* device pixels */
    float scale_was;
    UiId hot, active, focus, popup;
    UiId focus_was; /* the last focus, and its index in the order of Tab. If that control is gone,
                       Tab continues from the index */
    int focus_at;
    bool focus_visible;  /* the focus came by keyboard, so its ring is shown */
    Vec2 press_at;       /* place where the button went down */
    unsigned press_mods; /* modifiers held then */
    float drag_from;     /* position of the drag that is already handled */
    int press_clicks;    /* clicks of the last press on a number */
    int popup_at;        /* lit row of the open list */
    char popup_text[32]; /* text typed to search in it */
    char popup_copied[32];
    LineEdit popup_edit;
    Scroll popup_scroll;
    UiId typing; /* the number field that is being edited as text */
    char typed[64];
    LineEdit typed_edit;
    char typed_copied[64]; /* text copied from typed, which may change afterwards */
    float drag_slip; /* distance of a slider's knob from the pointer, as a share of its track */
    uint64_t drag_serial; /* grows with every press, so that each drag is its own undo step */
    uint64_t frame;       /* counts frames, not passes */
    UiTween tweens[UI_TWEENS_MAX];
    UiTip tip;
    bool has_tip; /* what is under the pointer has a tooltip of its own */
    struct {
        Rect rect;
        char text[UI_WORDS_MAX]; /* "" for none, or if longer */
    } pointed;                   /* the words under the pointer, as passed to ui_point */
    UiId wheel_owner; /* the control that the wheel turns, until it rests or the pointer moves */
    double wheel_until_s;
    UiId hot_was;
    double hot_since_s;
    Rect cover[UI_LAYERS]; /* the rectangle covered by each layer in the last pass */
    Rect covering[UI_LAYERS];
    /* State of one pass. */
    bool used[UI_EVENTS_MAX];
    int narrowed;  /* see ui_narrow */
    bool unlisted; /* Tab skips controls from here on, as behind an open sheet */
    bool disabled; /* see ui_disable */
    struct {
        UiId id;
        Rect rect;
        char name[UI_NAME_MAX]; /* see ui_name */
    } order[UI_FOCUS_MAX];
    int order_count;
    bool again;           /* set if something changed after it was drawn: build another pass */
    float motion_s;       /* how long each motion takes; 0: its own duration (ui/tween.h) */
    double next_time_s;   /* time at which the picture changes by itself; INFINITY for never */
    int cursor;           /* 0 arrow, 1 text, 2 hand, 3 resize across, 4 resize down */
    bool wants_text;      /* a text field has the focus */
    bool wants_paste;     /* it requests the clipboard */
    bool wants_selection; /* it requests the primary selection, for the middle button */
    Rect caret;
    const char
        *copied; /* text that a widget put on the clipboard, or NULL; borrowed for this frame */
    size_t copied_bytes;
    const char
        *selected; /* text that the pointer has just selected, or NULL; borrowed for this frame */
    size_t selected_bytes;
    Err failure; /* see ui_fail; of kind ERR_NONE if nothing is missing */
} Ui;

/* The state of a control in this pass. */
typedef struct UiState {
    bool hovered, held, focused;
    bool disabled; /* all other fields are then false */
    bool pressed;  /* the button went down on it */
    bool pasted;   /* the middle button went down on it; only with UI_TEXT */
    bool clicked;  /* the button came up on it, or Enter or Space was pressed with the focus */
    int clicks;    /* clicks of the press: 2 for a double click */
    unsigned mods; /* held at the press */
} UiState;

/* Flags of ui_control. */
enum {
    UI_NO_FOCUS = 1,
    UI_NO_KEYS = 2,    /* Enter and Space don't click it */
    UI_NO_HAND = 4,    /* the pointer stays an arrow */
    UI_NO_POINTER = 8, /* takes only the focus; controls inside take the pointer */
    UI_TEXT = 16,      /* the middle button pastes into it */
};

/* Return an id made from a name and a number. */
UiId ui_id(const char *name, int number);

/* Begin and end a pass over all widgets. ui_end moves the focus on Tab. */
void ui_begin(Ui *ui);

/* Record that something is missing in this pass's picture, and why. Only the first failure is kept.
 * A window shows the rest of the picture; a verb fails. */
void ui_fail(Ui *ui, const char *what, const char *why);
void ui_end(Ui *ui);

/* Return the state of one control, and handle its hover, press, click and focus. Call in reading
 * order, which becomes the order of Tab. */
UiState ui_control(Ui *ui, UiId id, Rect rect, unsigned flags);

/* True if the right button went down on a control that is hovered. Takes the press. */
bool ui_pressed_right(Ui *ui, UiState state);

/* Set whether the following controls are disabled: drawn as such, without input, skipped by Tab.
 * Return the previous setting, to be restored. */
bool ui_disable(Ui *ui, bool disabled);

/* True if the pointer is over rect and nothing above covers it, even during a press elsewhere. */
bool ui_over(const Ui *ui, Rect rect);

/* Take the next unused event of this kind, or NULL. */
const InputEvent *ui_take(Ui *ui, InputKind kind);

/* Take a key with exactly these modifiers. */
bool ui_key(Ui *ui, uint32_t key, unsigned mods);

/* Take all presses of this key in this frame, and return their number. So a key that repeats faster
 * than the frames loses none. */
int ui_keys(Ui *ui, uint32_t key, unsigned mods);

/* Restrict ui_take and ui_key to one event, counted from 1, to handle events of several kinds in
 * order. 0 ends the restriction. Return false if there is no such event. */
bool ui_narrow(Ui *ui, int event);

/* Take the wheel's notches over rect; 0 for none. *mods is set to the modifiers. While the wheel
 * keeps turning it stays with the id where it started, whatever moves under the pointer. */
Vec2 ui_wheel(Ui *ui, UiId id, Rect rect, unsigned *mods);

/* Return the notches down and to the right, for one choice each. A turn that starts over id
 * increments ui->drag_serial, like a drag. */
int ui_wheel_choice(Ui *ui, UiId id, Rect rect);

/* Return the serial of the wheel's changes over id: constant while it keeps turning; 0 if the wheel
 * is elsewhere. */
uint64_t ui_wheel_serial(const Ui *ui, UiId id);

/* True if a button went down outside rect in this pass. Takes the press. */
bool ui_pressed_outside(Ui *ui, Rect rect);

/* Mark rect as covered by the current layer, so that controls below it are not hovered. */
void ui_cover(Ui *ui, Rect rect);

/* Return the choice that the keys ask for, of count choices in a row, while their control has the
 * focus. Left and Right step, Home and End go to the ends. -1 for no change. */
int ui_choice_keys(Ui *ui, UiState state, int count, int chosen);

/* Draw the focus ring 2 px outside rect, if the focus came by keyboard. The ring is moved inside
 * the clip. */
void ui_focus_ring(Ui *ui, UiId id, Rect rect, float radius);

/* Move the focus as Tab does, with a ring. */
void ui_focus(Ui *ui, UiId id);

/* Name a control for readers of the screen. Call after ui_control; the last name counts. */
void ui_name(Ui *ui, UiId id, const char *name);

/* Return the focus to id (0 for none), unless it is on a control of this pass. visible shows its
 * ring. Tab continues from there. */
void ui_focus_back(Ui *ui, UiId id, bool visible);

/* Clear the focus and its history: Tab starts at the first control. */
void ui_focus_forget(Ui *ui);

/* Record that words of the picture are drawn in rect. The last words under the pointer count, so
 * call after their parts are drawn. */
void ui_point(Ui *ui, Rect rect, const char *text, size_t bytes);

/* Request a frame at time_s. */
void ui_wake(Ui *ui, double time_s);

#endif
