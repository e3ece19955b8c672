/* finder.h: a text field over a list of rows that it filters: type, arrow, Enter. The owner says
 * what the rows are; the finder keeps what was typed and which row is lit. */
#ifndef HEADLIGHT_UI_FINDER_H
#define HEADLIGHT_UI_FINDER_H

#include "ui/ui.h"

#define FINDER_TEXT_MAX 1024 /* bytes typed, the NUL included */
#define FINDER_FIELD_H  44

typedef struct Finder {
    char text[FINDER_TEXT_MAX];
    char copied[FINDER_TEXT_MAX]; /* what was cut out of text, on its way to the clipboard */
    LineEdit edit;
    bool may_light_none; /* what is typed counts, until an arrow or the pointer lights a row */
    int at;              /* the lit row, -1 for none */
    int from;            /* the first row on screen */
} Finder;

/* What is drawn for one row; borrowed until the list is done. */
typedef struct FinderRow {
    const char *label, *note; /* note stands at the right, "" for none */
    bool is_current;          /* gets a tick */
    bool is_dim;              /* what it stands for is not there */
    bool is_path;             /* label is one, in which an underscore is just that */
} FinderRow;

typedef enum FinderEvent {
    FINDER_NONE,
    FINDER_ENTER,    /* take the lit row */
    FINDER_CHANGED,  /* the text has changed */
    FINDER_COMPLETE, /* Tab */
    FINDER_ESCAPE,
} FinderEvent;

/* Fill the field and focus it. */
void finder_open(Ui *ui, Finder *finder, UiId id, const char *text, bool may_light_none);

/* Replace the text, with the caret at its end. */
void finder_set(Finder *finder, const char *text);

/* The field in rect. hint is shown while nothing is typed. What follows from the event is for the
 * owner, who then draws the list. */
FinderEvent finder_field(Ui *ui, UiId id, Rect rect, Finder *finder, const char *hint);

/* The rows in rect, count of them; row(data, i, &out) says what row i shows. Returns the row that
 * was clicked, or -1. */
int finder_list(Ui *ui, UiId id, Rect rect, Finder *finder, int count,
                void (*row)(void *data, int i, FinderRow *out), void *data);

#endif
