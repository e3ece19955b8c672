/* film_marks.h: what a recording draws over the picture: a pointer that moves to the pinned cell or
 * to what the tour highlights, and the last key pressed. */
#ifndef HEADLIGHT_APP_FILM_MARKS_H
#define HEADLIGHT_APP_FILM_MARKS_H

#include "app/app.h"

#define FILM_AHEAD_S 0.8 /* seconds between the start of the pointer's motion and its click */

typedef struct AppMarks {
    float pointer_px; /* height of the pointer in device pixels; 0 for no pointer */
    bool has_keys;
    /* Start and end of the pointer's last motion, in shares of the window. */
    Vec2 from, to;
    /* When the pointer appeared; start and duration of its last motion. */
    double shown_s, since_s, over_s;
    bool is_shown;
    double click_s;     /* time of the last click, which a ring marks; INFINITY for none */
    OptionPair pin;     /* the pin to which the pointer last moved */
    double next_step_s; /* time at which the tour's next step begins; INFINITY for none */
    OptionPair due;     /* in a recording without a tour: the next pin */
    double due_s;       /* time of that pin; INFINITY for none */
} AppMarks;

/* Draw the pointer and the keys from now on. */
void film_marks_begin(App *app, float pointer_px, bool has_keys);

/* Announce when the tour's next step begins, so that the pointer arrives before it. */
void film_marks_expect(App *app, double next_step_s);

/* Announce a pin of a recording without a tour. */
void film_marks_expect_pin(App *app, OptionPair pin, double at_s);

/* Draw the pointer and the pressed key over the picture of this pass. */
void film_marks_draw(App *app);

#endif
