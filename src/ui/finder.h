/* finder.h: a text field above a list that it filters: the user types, moves with arrows, and
 * presses Enter. The owner supplies the rows; the finder stores the text and the lit row, the one
 * that Enter chooses. */
#ifndef HEADLIGHT_UI_FINDER_H
#define HEADLIGHT_UI_FINDER_H

#include "ui/ui.h"

#define FINDER_TEXT_MAX 1024 /* bytes, NUL included */
#define FINDER_FIELD_H  44

typedef struct Finder {
    char text[FINDER_TEXT_MAX];
    char copied[FINDER_TEXT_MAX]; /* cut text, kept until the clipboard has it */
    LineEdit edit;
    /* True if Enter chooses the typed text itself, until an arrow or the pointer lights a row. */
    bool may_light_none;
    int at;   /* lit row, -1 for none */
    int from; /* first row on screen */
} Finder;

/* The contents of one row; borrowed until the list is drawn. */
typedef struct FinderRow {
    const char *label, *note; /* note is at the right, "" for none */
    bool is_current;          /* true if the row has a tick, because it is the current choice */
    bool is_dim;              /* true if the row's target does not exist */
    /* True if label is a path, in which an underscore is not a subscript. */
    bool is_path;
} FinderRow;

typedef enum FinderEvent {
    FINDER_NONE,
    FINDER_ENTER, /* choose the lit row */
    FINDER_CHANGED,
    FINDER_COMPLETE, /* Tab */
    FINDER_ESCAPE,
} FinderEvent;

/* Fill the field with text and focus it. */
void finder_open(Ui *ui, Finder *finder, UiId id, const char *text, bool may_light_none);

/* Replace the text and put the caret at its end. */
void finder_set(Finder *finder, const char *text);

/* Draw the field in rect and handle its keys. hint is shown while the field is empty. The owner
 * handles the returned event, then calls finder_list. */
FinderEvent finder_field(Ui *ui, UiId id, Rect rect, Finder *finder, const char *hint);

/* Draw count rows in rect; row(data, i, &out) fills row i. Return the clicked row, or -1. */
int finder_list(Ui *ui, UiId id, Rect rect, Finder *finder, int count,
                void (*row)(void *data, int i, FinderRow *out), void *data);

#endif
