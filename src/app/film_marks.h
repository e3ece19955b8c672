/* film_marks.h: what a recording draws over the picture: a pointer that moves to the pinned cell or
 * to what the tour lights, and the last key pressed. */
#ifndef HEADLIGHT_APP_FILM_MARKS_H
#define HEADLIGHT_APP_FILM_MARKS_H

#include "app/app.h"

#define FILM_AHEAD_S 0.8 /* seconds that the pointer starts before its click takes effect */

typedef struct AppMarks {
    float pointer_px; /* height in device pixels; 0 for no pointer */
    bool has_keys;
    Vec2 from, to;                   /* start and end of its last motion, in shares of the window */
    double shown_s, since_s, over_s; /* when it appeared; start and length of its last motion */
    bool is_shown;
    double click_s;     /* time of the ring that marks a click; INFINITY for none */
    OptionPair pin;     /* the pin that it last moved to */
    double next_step_s; /* time at which the tour's next step begins; INFINITY for none */
    OptionPair due;     /* the next pin of a recording without a tour, */
    double due_s;       /* time of that pin; INFINITY for none */
} AppMarks;

/* Draw the pointer and the keys from now on. */
void film_marks_begin(App *app, float pointer_px, bool has_keys);

/* Announce when the tour's next step begins, so that the pointer arrives before it. */
void film_marks_expect(App *app, double next_step_s);

/* Announce a pin of a recording without a tour. */
void film_marks_expect_pin(App *app, OptionPair pin, double at_s);

/* Draw the pointer and the key over the pass's picture. */
void film_marks_draw(App *app);

#endif
