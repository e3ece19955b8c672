/* ui.h: the immediate-mode core that every widget stands on: who is hovered, pressed and focused,
 * which events are still unused, and where to draw. Widgets are functions; what lasts between
 * frames is here or belongs to the caller. Knows no model and no session. */
#ifndef HEADLIGHT_UI_UI_H
#define HEADLIGHT_UI_UI_H

#include "base/err.h"
#include "base/geom.h"
#include "draw/draw.h"
#include "draw/theme.h"
#include "ui/input.h"
#include "ui/line.h"

typedef uint64_t UiId; /* 0 is no widget */

#define UI_FOCUS_MAX  512
#define UI_EVENTS_MAX 256 /* of one frame; the shell sends fewer */
#define UI_LAYERS     5
#define UI_TWEENS_MAX 1024

/* Layers of the picture, as draw layers: each above the one before. */
typedef enum UiLayer {
    UI_LAYER_BASE,
    UI_LAYER_DRAWER,
    UI_LAYER_POPUP,
    UI_LAYER_TOAST,
    UI_LAYER_TIP
} UiLayer;

/* A value on its way: see tween.h. Up to four numbers, for a rectangle or a colour. */
typedef struct UiTween {
    UiId id;
    float from[4], to[4];
    double start_s;
    float duration_s;
    int easing;
    uint64_t born_frame, seen_frame;
} UiTween;

/* How far an area is scrolled: see scroll.h. Belongs to the area's owner, who may set it; all zero
 * is the start. */
typedef struct Scroll {
    Vec2 offset;
    UiId focus_was; /* the focus that was brought into sight */
} Scroll;

/* The tooltip: whose it is, since when its control is hovered, and how it stands: see tooltip.h. */
typedef struct UiTip {
    UiId owner, quiet;      /* quiet: dismissed, until something else is hovered */
    double since_s, left_s; /* left_s: until when it waits for the pointer to come back */
    bool shown, pinned;
    Rect place; /* where it was drawn, in the frame of that number */
    uint64_t seen_frame;
} UiTip;

typedef struct Ui {
    /* Given anew for each pass. */
    const Input *input;
    DrawList *list;
    const Theme *theme;
    const TextMeasure *measure;
    double time_s;
    Vec2 pointer; /* logical pixels */
    bool pointer_inside;
    bool pointer_moved; /* since the frame before; known in a frame's first pass alone */
    bool first_pass;    /* events are only there in a frame's first pass */
    bool reduced_motion;
    /* Lasting. */
    Vec2 pointer_was_px; /* device pixels */
    float scale_was;
    UiId hot, active, focus, popup;
    UiId focus_was; /* the last that had the focus, and its place in the order of Tab: where Tab
                     * goes on from when that one has gone */
    int focus_at;
    bool focus_visible;  /* the focus came by keyboard, so its ring is shown */
    Vec2 press_at;       /* where the button went down */
    unsigned press_mods; /* and what was held then */
    float drag_from;     /* how far the drag has been turned into steps */
    int press_clicks;    /* of the last press on a number */
    int popup_at;        /* the lit row of the open list */
    char popup_text[32]; /* what was typed to find a row of it */
    char popup_copied[32];
    LineEdit popup_edit;
    Scroll popup_scroll;
    UiId typing; /* the number field that is edited as text */
    char typed[64];
    LineEdit typed_edit;
    char typed_copied[64]; /* what was copied from typed, which may then change */
    float drag_slip;       /* how far a slider's knob lies from the pointer, of its track */
    uint64_t drag_serial;  /* grows with every press, so that each drag is its own undo step */
    uint64_t frame;        /* counts frames, not passes */
    UiTween tweens[UI_TWEENS_MAX];
    UiTip tip;
    UiId wheel_owner; /* what the wheel turned last, until it rests or the pointer moves */
    double wheel_until_s;
    UiId hot_was;
    double hot_since_s;
    Rect cover[UI_LAYERS]; /* what each layer covered in the last pass */
    Rect covering[UI_LAYERS];
    /* This pass. */
    bool used[UI_EVENTS_MAX];
    int narrowed;  /* see ui_narrow */
    bool unlisted; /* from here on Tab passes over what is drawn, as behind an open sheet */
    bool disabled; /* see ui_disable */
    struct {
        UiId id;
        Rect rect;
    } order[UI_FOCUS_MAX];
    int order_count;
    bool again;           /* something changed that the pass had already drawn: build once more */
    double next_time_s;   /* when the picture changes by itself; INFINITY for never */
    int cursor;           /* 0 arrow, 1 text, 2 hand, 3 resize */
    bool wants_text;      /* a text field has the focus */
    bool wants_paste;     /* it asked for the clipboard */
    bool wants_selection; /* or for what is selected anywhere, by the middle button */
    Rect caret;
    const char *copied; /* what a widget put on the clipboard, or NULL; borrowed for this frame */
    size_t copied_bytes;
    const char *selected; /* what the pointer has just selected, or NULL; borrowed likewise */
    size_t selected_bytes;
    Err failure; /* see ui_fail; of kind ERR_NONE if nothing is missing */
} Ui;

/* How a control stands this pass. */
typedef struct UiState {
    bool hovered, held, focused;
    bool disabled; /* then nothing else is true */
    bool pressed;  /* the button went down on it */
    bool pasted;   /* the middle one went down on it, which is UI_TEXT */
    bool clicked;  /* and came up on it; or Enter or Space with the focus */
    int clicks;    /* of the press: 2 for a double click */
    unsigned mods; /* held at the press */
} UiState;

/* Flags of ui_control. */
enum {
    UI_NO_FOCUS = 1,
    UI_NO_KEYS = 2,    /* Enter and Space do not click it */
    UI_NO_HAND = 4,    /* the pointer stays an arrow */
    UI_NO_POINTER = 8, /* only the focus: what lies inside has the pointer */
    UI_TEXT = 16,      /* the middle button pastes into it */
};

/* An id from a name and a number, and from another id. */
UiId ui_id(const char *name, int number);

/* Begin and end a pass over all widgets. ui_end moves the focus on Tab. */
void ui_begin(Ui *ui);

/* Record that something is missing in this pass's picture, and why. The first failure counts. A
 * window shows the rest; a verb fails. */
void ui_fail(Ui *ui, const char *what, const char *why);
void ui_end(Ui *ui);

/* The hover, press, click and focus of one control. Register in reading order: it is Tab's. */
UiState ui_control(Ui *ui, UiId id, Rect rect, unsigned flags);

/* From here on controls are drawn as disabled, take no input and are passed over by Tab; or no
 * longer. Returns what was in force, to be given back. */
bool ui_disable(Ui *ui, bool disabled);

/* Whether the pointer is over rect and nothing above covers it, whatever is pressed. */
bool ui_over(const Ui *ui, Rect rect);

/* Take the next unused event of this kind, or NULL. */
const InputEvent *ui_take(Ui *ui, InputKind kind);

/* Take a key with exactly these modifiers. */
bool ui_key(Ui *ui, uint32_t key, unsigned mods);

/* How often that key was pressed in this frame; all of it taken, so that a key that repeats faster
 * than the picture loses none and no other part gets the rest. */
int ui_keys(Ui *ui, uint32_t key, unsigned mods);

/* Let ui_take and ui_key see one event alone, counted from 1, so that events of several kinds can
 * be handled in their order; 0 lets them see all again. False where there is no such event. */
bool ui_narrow(Ui *ui, int event);

/* The wheel's notches over rect, taken; 0 when there were none. *mods gets its modifiers. A wheel
 * that keeps turning stays with the id that it began with, whatever slides under the pointer. */
Vec2 ui_wheel(Ui *ui, UiId id, Rect rect, unsigned *mods);

/* Of a choice among several: whole notches down and to the right, one choice each. A wheel that
 * begins to turn over id is a drag of its own: ui->drag_serial grows. */
int ui_wheel_choice(Ui *ui, UiId id, Rect rect);

/* The serial of the changes that the wheel makes over id: one while it keeps turning; 0 where the
 * wheel is not at id. */
uint64_t ui_wheel_serial(const Ui *ui, UiId id);

/* Whether a button went down outside rect in this pass. The press is taken if it still can be. */
bool ui_pressed_outside(Ui *ui, Rect rect);

/* Say that rect is covered by the current draw layer, so that what lies below is not hovered. */
void ui_cover(Ui *ui, Rect rect);

/* Which of count choices side by side the keys ask for while their control has the focus: Left and
 * Right step, Home and End go to the ends. -1 for no other than chosen. */
int ui_choice_keys(Ui *ui, UiState state, int count, int chosen);

/* The ring of the focus, 2 px outside rect, when the focus came by keyboard. Where the clip would
 * cut it off it runs along the clip's edge. */
void ui_focus_ring(Ui *ui, UiId id, Rect rect, float radius);

/* Move the focus as by keyboard. */
void ui_focus(Ui *ui, UiId id);

/* Give the focus back to id, 0 for none, unless a control of this pass has it. visible is whether
 * its ring was. Tab goes on from there. */
void ui_focus_back(Ui *ui, UiId id, bool visible);

/* Forget where the focus is and was: Tab begins anew. */
void ui_focus_forget(Ui *ui);

/* Ask for a frame at time_s. */
void ui_wake(Ui *ui, double time_s);

#endif
