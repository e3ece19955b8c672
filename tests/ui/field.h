/* field.h: a text field with its own text, for the tests of line_edit. */
#ifndef HEADLIGHT_TESTS_UI_FIELD_H
#define HEADLIGHT_TESTS_UI_FIELD_H

#include "support/panel.h"
#include "ui/line_edit.h"

#define FIELD_SIZE 20                  /* of its letters */
#define EM         (FIELD_SIZE * 0.6f) /* the width of one code point */
#define LEFT       50
#define COMMAND    KEY_MOD_COMMAND
#define SHIFT      KEY_MOD_SHIFT

typedef struct Field {
    Panel panel;
    LineEdit edit;
    char text[16384];
    uint64_t serials[64]; /* of the changes, in order */
    int changes;
    LineAction last; /* the last action that was neither none nor a change */
} Field;

/* Open a focused field with the caret at its end. The Field must not be moved while open. */
void field_open(Field *f, const char *text);
void field_close(Field *f);

/* Declare a Field that ends with its block, and open it. */
#define FIELD(name, text)                                                                          \
    LOCAL(field_close) Field name;                                                                 \
    field_open(&(name), text)

void field_key(Field *f, uint32_t code, unsigned mods);
void field_place(Field *f, size_t anchor, size_t caret);

/* Open a field, press keys as panel_keys does, and compare. In both texts "|" is the caret and "["
 * the other end of a selection. */
typedef struct FieldEdit {
    const char *before, *keys, *after;
} FieldEdit;
void field_edits(const FieldEdit *edits, size_t count);

/* Assert the text and the selection. */
void field_check(const Field *f, const char *text, size_t anchor, size_t caret);

#define GRAPHEME_COUNT 7

/* One grapheme each: a letter with two marks, a family of three with joiners, a flag, a Hangul
 * syllable, an emoji with a skin tone, and two plain letters. */
extern const char *const GRAPHEMES[GRAPHEME_COUNT];

#endif
