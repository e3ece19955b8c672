/* film_marks.h: what a recording draws over the picture: a pointer that goes where a person would
 * point, to the pinned cell or to what the tour lights; and the last key pressed. */
#ifndef HEADLIGHT_APP_FILM_MARKS_H
#define HEADLIGHT_APP_FILM_MARKS_H

#include "app/app.h"

#define FILM_AHEAD_S 0.8 /* that the pointer starts before what its click does */

typedef struct AppMarks {
    float pointer_px; /* its height in device pixels; 0 for none */
    bool has_keys;
    Vec2 from, to;                   /* of its last way, in shares of the window */
    double shown_s, since_s, over_s; /* when it appeared; its last way */
    bool is_shown;
    double click_s;     /* when a ring shows that it clicks; INFINITY for never */
    OptionPair pin;     /* that it was sent to */
    double next_step_s; /* when the tour's next step begins; INFINITY for never */
    OptionPair due;     /* the pin that comes without a tour, */
    double due_s;       /* and when; INFINITY for never */
} AppMarks;

/* Show them from now on. */
void film_marks_begin(App *app, float pointer_px, bool has_keys);

/* Tell when the tour's next step begins, so that the pointer is there before. */
void film_marks_expect(App *app, double next_step_s);

/* The same of a pin that comes without a tour. */
void film_marks_expect_pin(App *app, OptionPair pin, double at_s);

/* Draw them over the pass's picture. */
void film_marks_draw(App *app);

#endif
