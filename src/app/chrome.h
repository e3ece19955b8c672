/* chrome.h: the frame around every view: text row, state row, rail, status, sheets. */
#ifndef HEADLIGHT_APP_CHROME_H
#define HEADLIGHT_APP_CHROME_H

#include "app/app_state.h"

/* Draw the program's name at the left of a row. Return its right end. */
float wordmark_draw(App *app, Rect row);

/* Wordmark, token field, theme and help. */
void text_row_draw(App *app);

/* Focus the token field, or leave it. */
void text_row_edit(App *app);
void text_row_leave(App *app);
bool text_row_editing(const App *app);

/* Form, schemes, seed, mask, temperature, shape. */
void state_row_draw(App *app);

/* Later in the same pass: true if an item came or left, so that the row is to be drawn again. */
bool state_row_is_stale(const App *app);

/* The views by number; in a narrow window it is opened and closed. */
void rail_draw(App *app);
void rail_toggle(App *app);

/* Find what the current view requests, before a pass; then draw the view and the inspector. */
void view_place_prepare(App *app);
void view_place_draw(App *app);
void inspector_place_draw(App *app);

/* Reset what the views keep between frames: panning, selection, snapshot. Return false, and reset
 * nothing, if a job that uses it does not stop. */
bool view_place_forget(App *app);

/* Return why there is no picture ("" if not worth a text), or NULL if there is one. */
const char *view_place_absent(const App *app);

/* Parameters, multiply-adds, time, the check of the forms, the state string. */
void status_draw(App *app);

/* Draw facts about the current picture: a shortened text, words without a vector, a script without
 * a font. Takes a line from the view's lower edge. */
void notice_draw(App *app);

/* Draw the open sheet, if any. */
void sheet_draw(App *app);

/* After a pass: on an opened sheet Tab starts at its top; a closed sheet returns the focus, unless
 * it went elsewhere. */
void sheet_follow(App *app);

/* Draw the background of a sheet. */
void sheet_panel(App *app, Rect sheet);

/* Draw the background of a sheet, its title and its cross. Return the space for its rows. */
Rect sheet_ground(App *app, Rect sheet, const char *title);

/* Draw the messages above each other, the newest at the bottom. */
void messages_draw(App *app);

/* Close the newest visible message, or the one with this number. Return false if there is none. */
bool message_dismiss(App *app);

/* Command: copy the state string. */
void state_copy(App *app, int argument);

/* Copy the layer as a script; code is a LayerCode. */
void layer_copy(App *app, int code);

/* A command: keep the state, to compare later ones with it. */
void state_keep(App *app, int argument);
void message_end(App *app, unsigned number);

/* Remove messages whose time or text has ended. Call before a pass. */
void messages_age(App *app);

/* Draw a text in the view's place if there is no picture. title may be NULL. */
void sentence_draw(App *app, Rect area, const char *title, const char *text);

/* Tie the last message to this text; it ends with it. */
void message_about(App *app, const Text *text);

/* Return the text of the message with this number, or NULL if it is gone. */
const char *message_text(const App *app, unsigned number);

#endif
