/* chrome.h: the frame around every view: text row, state row, rail, status, sheets. */
#ifndef HEADLIGHT_APP_CHROME_H
#define HEADLIGHT_APP_CHROME_H

#include "app/app_state.h"

/* The name at the left of a row; returns where it ends. */
float wordmark_draw(App *app, Rect row);

/* Wordmark, token field, theme and help. */
void text_row_draw(App *app);

/* Put the caret into the token field, or take it out. */
void text_row_edit(App *app);
void text_row_leave(App *app);
bool text_row_editing(const App *app);

/* Form, schemes, seed, mask, temperature, shape. */
void state_row_draw(App *app);

/* The views, by number; in a narrow window opened and closed. */
void rail_draw(App *app);
void rail_toggle(App *app);

/* What the view in force asks of the Results, before a pass; then the view, and what stands beside
 * it about a number. */
void view_place_prepare(App *app);
void view_place_draw(App *app);
void inspector_place_draw(App *app);

/* Forget what the views keep between frames: panning, a selection, a kept state. False if a
 * computation that uses it could not be stopped; then nothing is forgotten. */
bool view_place_forget(App *app);

/* Why there is no picture to draw, "" where that is not worth saying; NULL where there is one. */
const char *view_place_absent(const App *app);

/* Parameters, multiply-adds, time, the check of the forms, the state string. */
void status_draw(App *app);

/* What holds for the picture as it stands and should be known: a text that was cut, words
 * without a vector, a script without a font. It takes its line from the view's lower edge. */
void notice_draw(App *app);

/* The sheet that is open, if any. */
void sheet_draw(App *app);

/* After a pass: a sheet that has opened has Tab begin at its start; one that has closed gives the
 * focus back to what had it before, unless the focus was sent elsewhere. */
void sheet_follow(App *app);

/* The ground of one. */
void sheet_panel(App *app, Rect sheet);

/* The messages, one above the other, the newest at the bottom. */
void messages_draw(App *app);

/* End the newest message that is shown, or that of this number; false where there is none. */
bool message_dismiss(App *app);
void message_end(App *app, unsigned number);

/* Drop the messages whose time or text is over; before a pass. */
void messages_age(App *app);

/* In the view's place, what there is to say where there is no picture. Without a title: NULL. */
void sentence_draw(App *app, Rect area, const char *title, const char *text);

/* What was said last is about this text, and ends with it. */
void message_about(App *app, const Text *text);

/* What the message of that number says, or NULL where it is gone. */
const char *message_text(const App *app, unsigned number);

#endif
