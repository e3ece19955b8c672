/* toast.h: words over the lower edge of an area, for a while or for as long as they hold. One for a
 * while comes and goes with motion, and has a button that closes it, which Tab reaches. */
#ifndef HEADLIGHT_UI_TOAST_H
#define HEADLIGHT_UI_TOAST_H

#include "ui/ui.h"

typedef struct Toast {
    const char *text; /* borrowed for the call */
    bool warning;
    bool is_prose;      /* it is ours, with names of mathematics in it; see prose.h */
    bool passes;        /* it is there for a while: from since_s until until_s */
    const char *action; /* of one that passes: what a button in it says, or NULL */
    double since_s, until_s;
    float size;  /* of its words, 0 for the usual; all else grows with them */
    float above; /* how far its lower edge is above the area's: what stands below it */
} Toast;

typedef struct ToastState {
    Rect rect, close; /* where it stands, and its button */
    bool closed;      /* the button was clicked */
    bool acted;       /* the one that says the action was */
    bool held;        /* the pointer or the focus is on it, so that it should stay */
} ToastState;

/* Before until_s by this much a toast begins to fade. */
#define TOAST_LEAVES_S 0.14

/* Draw it at the left of area, its words in as many lines as they take in a width that reads well.
 * Where it has a button that closes it, that is the control of this id. */
ToastState toast(Ui *ui, UiId id, Rect area, const Toast *toast);

#endif
