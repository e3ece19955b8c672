/* film_marks.h: what a recording draws over the picture: a pointer that goes where a person would
 * point, to the pinned cell or to what the tour lights; and the last key pressed. */
#ifndef HEADLIGHT_APP_FILM_MARKS_H
#define HEADLIGHT_APP_FILM_MARKS_H

#include "app/app.h"

typedef struct AppMarks {
    float pointer_px; /* its height in device pixels; 0 for none */
    bool has_keys;
    Vec2 from, to;                   /* of its last way, in shares of the window */
    double shown_s, since_s, over_s; /* when it appeared; its last way */
    bool is_shown, clicks;           /* clicks: a ring where it arrives */
    OptionPair pin;                  /* that it was sent to */
} AppMarks;

/* Show them from now on. */
void film_marks_begin(App *app, float pointer_px, bool has_keys);

/* Draw them over the pass's picture. */
void film_marks_draw(App *app);

#endif
