/* line.h: the caret and the selection of one text field: what lasts between frames. */
#ifndef HEADLIGHT_UI_LINE_H
#define HEADLIGHT_UI_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINE_COMPOSING_MAX 512

/* Offsets are bytes at character borders. The selection runs from anchor to caret. */
typedef struct LineEdit {
    size_t caret, anchor;
    bool leads;           /* where the text changes direction, the caret stands at the character
                           * behind it, not at the one before */
    float scroll;         /* logical pixels of text left of the field's edge */
    size_t shown_from;    /* where the part of a long text begins that is laid out */
    uint64_t word_serial; /* grows where a typed word ends: one undo step each */
    /* An input method's text, drawn at the caret and not yet in the text, the caret within it and
     * the clause that is being chosen, in bytes; and whether the next typed text comes of it. */
    char composing[LINE_COMPOSING_MAX];
    size_t compose_caret, clause_from, clause_to;
    bool has_composed;
    char committed[LINE_COMPOSING_MAX]; /* a composition that a press ended */
    bool restarts;                      /* the input method, by leaving the text for a frame */
    int drag_unit; /* what a drag selects by: 1 characters, 2 words, 3 everything; 0 not */
    size_t drag_anchor;
    size_t drawn_caret, drawn_size; /* of the last frame: the caret stays lit while they change */
    double shown_since_s;
} LineEdit;

#endif
