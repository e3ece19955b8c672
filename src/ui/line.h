/* line.h: the caret and the selection of one text field: what lasts between frames. */
#ifndef HEADLIGHT_UI_LINE_H
#define HEADLIGHT_UI_LINE_H

#include <stddef.h>
#include <stdint.h>

/* Offsets are bytes at character borders. The selection runs from anchor to caret. */
typedef struct LineEdit {
    size_t caret, anchor;
    float scroll;         /* logical pixels of text left of the field's edge */
    uint64_t word_serial; /* grows where a typed word ends: one undo step each */
    char composing[64];   /* an input method's text, drawn at the caret and not yet in the text */
    int drag_unit;        /* what a drag selects by: 1 characters, 2 words, 3 everything; 0 not */
    size_t drag_anchor;
    size_t drawn_caret, drawn_size; /* of the last frame: the caret stays lit while they change */
    double shown_since_s;
} LineEdit;

#endif
