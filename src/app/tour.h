/* tour.h: plays a tour in the window or, presented, on the stage (hall.h): which step is shown,
 * since when, and what the user has done. A step may light parts; the window outside them is
 * dimmed. Every step sets the whole state, so jumping to a step gives the same picture as playing
 * up to it. A detour (any change by the user) stops the step's cues; the next change of step ends
 * it. Times are those of app_frame. */
#ifndef HEADLIGHT_APP_TOUR_H
#define HEADLIGHT_APP_TOUR_H

#include "app/app_state.h"
#include "views/tour_numbers.h"

/* Play the tour from this step. The contents of *tour move. The layer before the tour can be
 * restored (examples.h), unless the step shows that layer. */
void tour_begin(App *app, Tour *tour, int step);

/* Continue with another text of the same tour, at a step whose state is already on screen. The
 * contents of *tour move. */
void tour_replace(App *app, Tour *tour, int step);

/* Read a tour from bytes. Fails if a line has a fault. */
bool tour_read_text(Tour *out, const char *bytes, size_t size, Err *err);

/* Read a .tour file's bytes and play it from where it was left. On failure nothing changes. */
bool tour_begin_bytes(App *app, const char *id, const char *bytes, size_t size, Err *err);

/* Read the .tour file at this path and play it from where it was left. On failure nothing changes.
 * */
bool tour_open(App *app, const char *path, Err *err);

/* Play a row of TOURS. Errors are shown. */
void tour_begin_shipped(App *app, int tour);

/* End the tour. The first function keeps the layer on screen, the second restores the layer from
 * before the tour. */
void tour_leave(App *app);
void tour_leave_back(App *app);
void tour_release_all(App *app);

bool tour_is_on(const App *app);

/* Show a step from its beginning; the second function shows its end. Each is one undo step. Do
 * nothing if there is no such step. */
void tour_go(App *app, int step);
void tour_go_end(App *app, int step);

/* Play a tour for a recording: if is_hall, as presented to an audience (hall.h), otherwise like the
 * window without the panel. The contents of *tour move. The words are in the picture only if
 * has_caption. The second function shows a step from its beginning at time_s; call it between
 * frames. */
void tour_record_begin(App *app, Tour *tour, int step, bool is_hall, bool has_caption);
void tour_record_step(App *app, int step, double time_s);

/* Show the next step or, while presenting, the next cue if the step has another one. The second
 * function shows the previous step or, during a detour, the current step again. */
void tour_next(App *app);
void tour_back(App *app);

/* Do the step's task for the user. Return false if only the user can do it. */
bool tour_show_me(App *app);

/* After ui_begin: if the pointer has not moved since the step began, for example on the list of
 * questions, let it hover nothing in the picture. */
void tour_aim(App *app);

/* Before a pass: set the state to the tour's state at this time. */
void tour_update(App *app);

/* After a pass: check whether the user has completed the step's task. */
void tour_notice(App *app);

TourMoment tour_moment(const App *app);

/* Find where the last pass drew the named parts and cells. Return the number of places, up to
 * `most`. *missing: a name that is not in the picture, or NULL. */
int tour_places(Rect *out, int most, const DrawList *list, const char *parts, const char **missing);

/* True if a goal such as "pin(9,*)", "form=merged" or "A(9,2) > 0.5" is met. If the goal cannot be
 * parsed, err says why; otherwise err is empty. */
bool tour_goal_met(App *app, const char *goal, Err *err);

/* Dim area, but leave out the holes, at most TOUR_HOLES_MAX. */
#define TOUR_HOLES_MAX 10
void tour_dim(App *app, Rect area, const Rect *holes, int count, float alpha);

/* Add a fault for each number in these words that is wrong or not computed. key: the line's key.
 * words may be NULL. */
void tour_check_words(App *app, const char *key, const char *words, TourFaults *faults);

/* Check a step whose end is on screen: its words, its parts, its expected numbers and its goals. */
void tour_check_step(App *app, int index, TourFaults *faults);

/* Make room for the panel with words, task and progress: in the inspector's place, or at the foot
 * of the window if it is narrow or the tour lights the inspector. While the tour is edited, make
 * room for the editor's strip instead; while it is recorded as a film, for its caption. Does
 * nothing without a tour, in lecture mode, or while the tour is presented. */
void tour_panel_place(App *app);

/* Return the parts to which the view must scroll, because the current moment lights them; NULL if
 * there are none, or after a pass has drawn them. */
const char *tour_to_reveal(const App *app);

/* If the window is too narrow for an inspector next to the view, offer the first tour in a line at
 * the foot of the view; otherwise the hints in the inspector offer it. The line disappears for ever
 * when the user begins a tour, closes the line, edits the text or chooses another view than
 * Heads. */
void tour_offer_draw(App *app);

/* Draw the offer of the first tour as a row of the hints. */
#define TOUR_OFFER_ROW_H 36
void tour_offer_row(App *app, Rect *rest);

/* Dim everything that is not lit, over the finished picture of the window, and draw the panel. */
void tour_panel_draw(App *app);

/* In a recording, draw the words in large type at the lower edge of the picture, in place of the
 * panel. The first function reserves the room. */
void tour_caption_place(App *app);
void tour_caption_draw(App *app);

/* Return words with their numbers filled in, valid until the next call, and set tour.lacks. err:
 * see tour_words. If no layer is in the picture, the words are unchanged and err is empty. */
const char *tour_fill(App *app, const char *words, Err *err);

/* Return the words of this moment, before tour_fill: the caption or, if spoken, the spoken text; ""
 * if there are none. */
const char *tour_caption(const App *app, bool spoken);

/* True if a tour made in the window has changes that the user has not saved to a file. Such a tour
 * is autosaved in a file next to the session's autosave. */
bool keep_tour_needs(const App *app);

/* True if the tour differs from its autosave. */
bool keep_tour_is_stale(const App *app);

/* Autosave the tour, including text that is being typed. If it needs no autosave, remove the old
 * one. */
bool keep_tour_write(App *app, Err *err);

/* Continue the tour that was autosaved with this session, if there is one. */
void keep_tour_recover(App *app, const char *session);

/* While what the user does is recorded as a tour, draw a dot in the window's corner. Each state
 * becomes one step, which lasts as long as the state was on screen. */
void take_draw(App *app);

/* End the recording, if there is one, and edit it as a tour. Return false if there is no tour. */
bool take_end(App *app);

/* True if a recording has changes to be kept. The second function appends it as a tour's text. */
bool take_needs(const App *app);
void take_write(TextOut *out, const App *app);

/* After each frame: begin a new step if the state has changed. */
void take_frame(App *app);

#endif
