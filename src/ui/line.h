/* line.h: the state of one text field that lasts between frames: caret and selection. */
#ifndef HEADLIGHT_UI_LINE_H
#define HEADLIGHT_UI_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINE_COMPOSING_MAX 512

/* Caret and selection of one text field. Offsets are bytes at character boundaries. The selection
 * runs from anchor to caret. */
typedef struct LineEdit {
    size_t caret, anchor;
    /* At a change of text direction: true if the caret belongs to the character after it. */
    bool leads;
    float scroll;         /* logical pixels of text to the left of the field's edge */
    size_t shown_from;    /* start of the part of a long text that is laid out */
    uint64_t word_serial; /* number that grows between undo steps; continuous typing keeps it */
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

#endif
