/* tour.h: a tour that is played in the window or on the stage: which step is shown, since when, and
 * what a learner has done. Every move sets an absolute state, so jumping to a step gives the
 * picture that playing to it gives. A detour, anything the person changes, stops the step's cues;
 * the next move ends it. No clock: times are those of app_frame. */
#ifndef HEADLIGHT_APP_TOUR_H
#define HEADLIGHT_APP_TOUR_H

#include "app/app_state.h"

/* Take the tour over, which moves, and show a step of it. The layer before it can be restored
 * (detour.h). */
void tour_begin(App *app, Tour *tour, int step);

/* Show another text of the same tour, at a step whose state stays as it is on screen. Takes the
 * tour over. */
void tour_replace(App *app, Tour *tour, int step);

/* Read a tour that has no fault. */
bool tour_read_text(Tour *out, const char *bytes, size_t size, Err *err);

/* Read a state string over a default session and settings. On failure there is nothing to
 * release. */
bool tour_read_state(const App *app, Session *session, Settings *settings, const char *state,
                     size_t bytes, Err *err);

/* Read a .tour file's bytes and begin it where it was left. On failure nothing changes. */
bool tour_begin_bytes(App *app, const char *id, const char *bytes, size_t size, Err *err);

/* The same with a file. */
bool tour_open(App *app, const char *path, Err *err);

/* Begin a tour that ships, by its id; what failed is shown. */
void tour_begin_shipped(App *app, const char *id);

/* Leave the tour and keep what is shown; or restore the layer from before it, too. */
void tour_leave(App *app);
void tour_leave_back(App *app);
void tour_release_all(App *app);

bool tour_is_on(const App *app);

/* Show a step from its begin, or at its end, as one undo step. Do nothing if there is none. */
void tour_go(App *app, int step);
void tour_go_end(App *app, int step);

/* Take the tour over for a recording: in the hall's form or in the window's without its panel. Its
 * words are in the picture only if has_caption. Then show a step from its begin at time_s, between
 * frames. */
void tour_record_begin(App *app, Tour *tour, int step, bool is_hall, bool has_caption);
void tour_record_step(App *app, int step, double time_s);

/* Show the next cue of the step, or else the next step; the step before. */
void tour_next(App *app);
void tour_back(App *app);

/* Commands: the next or (-1) the step before; the first tour. They do nothing without a tour. */
void tour_press(App *app, int way);
void tour_take_first(App *app, int argument);

/* Do what the step asks for; false if it can only be done by hand. */
bool tour_show_me(App *app);

/* Before a pass: bring the state to the tour's time. */
void tour_update(App *app);

/* After a pass: notice what the step asks for. */
void tour_notice(App *app);

/* What is shown and said now. */
TourMoment tour_moment(const App *app);

/* Return the places of the parts and addresses in the last pass's picture, at most most of them.
 * *missing is set to one that is not in it, or NULL. */
int tour_places(Rect *out, int most, const DrawList *list, const char *parts, const char **missing);

/* True if the goal "pin(9,*)", "form=merged" or "A(9,2) > 0.5" is met. err says why it cannot be
 * read; it is empty otherwise. */
bool tour_goal_met(App *app, const char *goal, Err *err);

/* Dim all of area but the holes, at most TOUR_HOLES_MAX. */
#define TOUR_HOLES_MAX 10
void tour_dim(App *app, Rect area, const Rect *holes, int count, float alpha);

/* Check a step that is shown at its end: its words, parts, expectation and goals. */
void tour_check_step(App *app, int step, TourFaults *faults);

#endif
