/* list.h: a scrolled list of rows with one chosen. */
#ifndef HEADLIGHT_UI_LIST_H
#define HEADLIGHT_UI_LIST_H

#include "ui/scroll.h"

#define LIST_ROW_HEIGHT 36

/* label(data, row) is borrowed until the list is drawn. */
typedef struct ListRows {
    int count;
    const char *(*label)(void *data, int row);
    void *data;
} ListRows;

/* Draw the visible rows in rect, with a tick at the chosen one. Return the row to choose, or -1.
 * The list is one stop of Tab; arrows, Page keys, Home and End choose while it has the focus. */
int list_rows(Ui *ui, UiId id, Rect rect, const ListRows *rows, int chosen, Scroll *scroll);

#endif
