/* transport.h: round buttons that go through something step by step: first, back, play or pause,
 * forward, last. What plays, and how fast, is the caller's. */
#ifndef HEADLIGHT_UI_TRANSPORT_H
#define HEADLIGHT_UI_TRANSPORT_H

#include "ui/ui.h"

#define TRANSPORT_HEIGHT 68 /* of the card that the buttons stand on */
#define TRANSPORT_PAD    20 /* from its left edge to the first of them */

typedef enum TransportButton {
    TRANSPORT_NONE,
    TRANSPORT_FIRST,
    TRANSPORT_BACK,
    TRANSPORT_PLAY, /* or pause */
    TRANSPORT_FORWARD,
    TRANSPORT_LAST,
    TRANSPORT_COUNT,
    TRANSPORT_FAR_BACK, /* by key alone, where there are many steps: ten at once */
    TRANSPORT_FAR_FORWARD
} TransportButton;

/* How it stands. words is what each button does, for its tooltip, by TransportButton; those of
 * TRANSPORT_PLAY say what a press would do now. */
typedef struct Transport {
    bool plays;
    bool at_first, at_last; /* then there is no way back, or on */
    bool with_last;         /* whether there is that button */
    bool cannot_play;
    const char *words[TRANSPORT_COUNT];
} Transport;

/* The ground of a bar at the bottom of a view; returns what lies inside its padding. */
Rect transport_card(Ui *ui, Rect rect);

float transport_width(const Transport *t);

/* The buttons from rect's left edge, in the middle of its height. Returns the one that was clicked,
 * by Enter too; by Space only where the focus came by keyboard, since Space plays. id is that of
 * the play button, those after it of the others. */
TransportButton transport(Ui *ui, UiId id, Rect rect, const Transport *t);

#endif
