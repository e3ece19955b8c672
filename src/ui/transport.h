/* transport.h: a row of round buttons to go through steps: first, back, play or pause, forward,
 * last. The caller decides what plays and how fast. */
#ifndef HEADLIGHT_UI_TRANSPORT_H
#define HEADLIGHT_UI_TRANSPORT_H

#include "ui/ui.h"

#define TRANSPORT_HEIGHT 68 /* height of the card behind the buttons */
#define TRANSPORT_PAD    20 /* px from the card's left edge to the first button */

typedef enum TransportButton {
    TRANSPORT_NONE,
    TRANSPORT_FIRST,
    TRANSPORT_BACK,
    TRANSPORT_PLAY, /* play or pause */
    TRANSPORT_FORWARD,
    TRANSPORT_LAST,
    TRANSPORT_COUNT,
    TRANSPORT_FAR_BACK, /* no button, only keys: ten steps back */
    TRANSPORT_FAR_FORWARD
} TransportButton;

/* The state of the buttons. words are their tooltips, indexed by TransportButton. The tooltip of
 * TRANSPORT_PLAY says what a press does now. */
typedef struct Transport {
    bool plays;
    bool at_first, at_last; /* true if there is no previous step; true if there is no next step */
    bool with_last;         /* true if the button for the last step is shown */
    const char *words[TRANSPORT_COUNT];
} Transport;

/* Draw the card behind a bar at the bottom of a view. Return the space inside its padding. */
Rect transport_card(Ui *ui, Rect rect);

float transport_width(const Transport *t);

/* Draw the buttons from the left edge of rect, centred vertically. Return the button that was
 * clicked or pressed with Enter. Space presses a button only if the focus came by keyboard, because
 * otherwise Space plays. id is the id of the play button; the other buttons have the next ids. */
TransportButton transport(Ui *ui, UiId id, Rect rect, const Transport *t);

#endif
