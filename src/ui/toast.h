/* toast.h: a message over the lower edge of an area. A message that passes is shown for some time,
 * fades in and out, and has a close button, which Tab reaches. Any other message is shown as long
 * as the caller draws it. */
#ifndef HEADLIGHT_UI_TOAST_H
#define HEADLIGHT_UI_TOAST_H

#include "ui/ui.h"

typedef struct Toast {
    const char *text; /* borrowed for the call */
    bool warning;
    /* True if the text is the program's own and may contain mathematical names: see label.h. */
    bool is_prose;
    bool passes;        /* true if the message is shown only from since_s until until_s */
    const char *action; /* label of a button in a message that passes, or NULL */
    double since_s, until_s;
    float size;  /* letter size of the text, 0 for the default; everything else scales with it */
    float above; /* px: distance of the toast's lower edge from the area's lower edge */
} Toast;

typedef struct ToastState {
    Rect rect, close; /* place of the toast, and of its close button */
    bool closed;
    bool acted;
    bool held; /* true if the pointer or the focus is on the toast, so that it should stay */
} ToastState;

/* Seconds before until_s at which a toast starts to fade. */
#define TOAST_LEAVES_S 0.14

/* Draw a toast at the lower left of area, wrapped to a readable width. id is that of the close
 * button. */
ToastState toast(Ui *ui, UiId id, Rect area, const Toast *toast);

#endif
