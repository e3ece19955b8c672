/* line.h: the state of one text field that lasts between frames: caret and selection. */
#ifndef HEADLIGHT_UI_LINE_H
#define HEADLIGHT_UI_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINE_COMPOSING_MAX 512

/* Offsets are bytes at character boundaries. The selection runs from anchor to caret. */
typedef struct LineEdit {
    size_t caret, anchor;
    bool leads;   /* at a change of text direction: the caret belongs to the character after it */
    float scroll; /* logical pixels of text to the left of the field's edge */
    size_t shown_from;    /* start of the part of a long text that is laid out */
    uint64_t word_serial; /* grows between undo steps: continuous typing is one step */
    /* The text of an input method, drawn at the caret but not yet part of the text; the caret in it
     * and the clause being chosen, in bytes; and true if the next typed text comes from it. */
    char composing[LINE_COMPOSING_MAX];
    size_t compose_caret, clause_from, clause_to;
    bool has_composed;
    char committed[LINE_COMPOSING_MAX]; /* a composition that was ended by a press */
    bool restarts; /* the input method restarts, by leaving the text for one frame */
    int drag_unit; /* unit of a drag: 1 characters, 2 words, 3 everything; 0 for no drag */
    size_t drag_anchor;
    double drag_next_s;             /* when a drag outside the field scrolls on, */
    float drag_x;                   /* while the pointer rests here */
    size_t drawn_caret, drawn_size; /* in the last frame; the caret stays lit while they change */
    double shown_since_s;
} LineEdit;

#endif
