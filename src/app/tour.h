/* tour.h: plays a tour in the window or on the stage: which step is shown, since when, and what the
 * user has done. Every move sets an absolute state, so jumping to a step gives the same picture as
 * playing up to it. A detour (any change by the user) stops the step's cues; the next move ends it.
 * No clock: times are those of app_frame. */
#ifndef HEADLIGHT_APP_TOUR_H
#define HEADLIGHT_APP_TOUR_H

#include "app/app_state.h"

/* Play the tour from this step. Its contents move. The layer before the tour can be restored
 * (detour.h). */
void tour_begin(App *app, Tour *tour, int step);

/* Continue with another text of the same tour, at a step whose state stays on screen. The tour's
 * contents move. */
void tour_replace(App *app, Tour *tour, int step);

/* Read a tour from bytes. Fails if a line has a fault. */
bool tour_read_text(Tour *out, const char *bytes, size_t size, Err *err);

/* Read a .tour file's bytes and play it from where it was left. On failure nothing changes. */
bool tour_begin_bytes(App *app, const char *id, const char *bytes, size_t size, Err *err);

/* Read the .tour file at this path and play it from where it was left. On failure nothing changes.
 * */
bool tour_open(App *app, const char *path, Err *err);

/* Play a tour that ships, by its id. Errors are shown. */
void tour_begin_shipped(App *app, const char *id);

/* End the tour. The first function keeps the layer on screen, the second restores the layer from
 * before the tour. */
void tour_leave(App *app);
void tour_leave_back(App *app);
void tour_release_all(App *app);

bool tour_is_on(const App *app);

/* Show a step from its beginning, or its end, as one undo step. Do nothing if there is no such
 * step. */
void tour_go(App *app, int step);
void tour_go_end(App *app, int step);

/* Play the tour for a recording, whose contents move: in the hall form, or as in the window without
 * the panel. Its words are in the picture only if has_caption. The second function shows a step
 * from its beginning at time_s, between frames. */
void tour_record_begin(App *app, Tour *tour, int step, bool is_hall, bool has_caption);
void tour_record_step(App *app, int step, double time_s);

/* Show the step's next cue or, after the last, the next step. The second function shows the
 * previous step. */
void tour_next(App *app);
void tour_back(App *app);

/* Commands: go to the next step or (-1) the previous one; play the first tour. Without a tour the
 * former do nothing. */
void tour_press(App *app, int way);
void tour_take_first(App *app, int argument);

/* Do the step's task for the user. Return false if only the user can do it. */
bool tour_show_me(App *app);

/* Before a pass: set the state to that of the tour at this time. */
void tour_update(App *app);

/* After a pass: check whether the user did what the step asks for. */
void tour_notice(App *app);

/* Return the current moment of the tour. */
TourMoment tour_moment(const App *app);

/* Find the places of parts and addresses in the last pass's picture. Return their number, up to
 * `most`. *missing: a name that is not in the picture, or NULL. */
int tour_places(Rect *out, int most, const DrawList *list, const char *parts, const char **missing);

/* True if a goal such as "pin(9,*)", "form=merged" or "A(9,2) > 0.5" is met. If it cannot be read,
 * err says why; otherwise err is empty. */
bool tour_goal_met(App *app, const char *goal, Err *err);

/* Dim area except for the holes, of which there are at most TOUR_HOLES_MAX. */
#define TOUR_HOLES_MAX 10
void tour_dim(App *app, Rect area, const Rect *holes, int count, float alpha);

/* Check a step whose end is on screen: its words, parts, expectations and goals. */
void tour_check_step(App *app, int index, TourFaults *faults);

#endif
