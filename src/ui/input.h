/* input.h: the user's input since the last frame, as plain data.
 * The window, a script and a test fill the same struct. */
#ifndef HEADLIGHT_UI_INPUT_H
#define HEADLIGHT_UI_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/geom.h"

/* A key is the lower-case code point that it types in the user's layout, or one of the values
 * below. A digit means the key's position, whatever the layout types there. */
typedef enum Key {
    KEY_ESCAPE = 0x110000,
    KEY_ENTER,
    KEY_TAB,
    KEY_BACKSPACE,
    KEY_DELETE,
    KEY_INSERT,
    KEY_LEFT,
    KEY_RIGHT,
    KEY_UP,
    KEY_DOWN,
    KEY_HOME,
    KEY_END,
    KEY_PAGE_UP,
    KEY_PAGE_DOWN,
    KEY_F1,
    KEY_F11 = KEY_F1 + 10,
} Key;

/* Modifiers. KEY_MOD_COMMAND is Ctrl, or the command key on macOS. */
typedef enum KeyMod {
    KEY_MOD_SHIFT = 1,
    KEY_MOD_COMMAND = 2,
    KEY_MOD_ALT = 4,
} KeyMod;

typedef enum PointerButton { POINTER_LEFT, POINTER_MIDDLE, POINTER_RIGHT } PointerButton;

typedef enum InputKind {
    INPUT_KEY, /* has key and mods; a key that is held down repeats, except Enter */
    INPUT_TEXT,
    INPUT_COMPOSE,   /* has text that an input method is composing; empty when it ends */
    INPUT_PASTE,     /* text that AppEffects.want_paste or want_selection requested */
    INPUT_DROP_FILE, /* has text, the path of the file */
    /* Has button, mods, and clicks: 2 for a double click, 3 for a triple click. */
    INPUT_BUTTON_DOWN,
    INPUT_BUTTON_UP, /* has button */
    INPUT_WHEEL,     /* has mods, and the wheel's notches: y up, x right */
    INPUT_QUIT,      /* the window's close button */
} InputKind;

typedef struct InputEvent {
    InputKind kind;
    uint32_t key;
    unsigned mods;
    PointerButton button;
    int clicks;
    Vec2 wheel;
    /* For INPUT_COMPOSE: place and length of the clause that the user is choosing, in characters of
     * text. The caret is at the end of the clause. */
    int clause_at, clause_count;
    const char *text; /* UTF-8, text_bytes long, may be malformed; borrowed for this frame */
    size_t text_bytes;
} InputEvent;

/* The input of one frame. At most one button goes down or up; the pointer is then at the place of
 * that event. Sizes and the pointer are in device pixels. */
typedef struct Input {
    float width_px, height_px;
    float density; /* device pixels per pixel of an ordinary display, such as 2; 0 if unknown */
    Vec2 pointer_px;
    bool pointer_inside;
    unsigned mods; /* modifiers that are held now */
    const InputEvent *events;
    int event_count;
} Input;

#endif
