/* chrome.h: the frame around every view: text row, state row, rail, status, sheets. */
#ifndef HEADLIGHT_APP_CHROME_H
#define HEADLIGHT_APP_CHROME_H

#include "app/app_state.h"

/* Draw the program's name at the left of a row. Return its right end. */
float wordmark_draw(App *app, Rect row);

/* Draw the program's name, the token field, the menus and the buttons. */
void text_row_draw(App *app);

/* Draw the token field. The second function puts the caret into it, the third returns true if the
 * caret is there. */
void token_field_draw(App *app, Rect field);
void token_field_edit(App *app);
bool token_field_editing(const App *app);

/* Draw the controls of form, schemes, seed, mask, temperature and shape. */
void state_row_draw(App *app);

/* True if an item of the row appeared or disappeared, so that the row must be drawn again. Call
 * later in the same pass. */
bool state_row_is_stale(const App *app);

/* Draw the list of views by number. In a narrow window it is a panel that opens and closes. */
void rail_draw(App *app);
void rail_toggle(App *app);

/* Find what the current view requests, before a pass; then draw the view and the inspector. */
void view_place_prepare(App *app);
void view_place_draw(App *app);
void inspector_place_draw(App *app);

/* Reset what the views keep between frames: panning, selection. Return false, and reset
 * nothing, if a job that uses these data does not stop. */
bool view_place_forget(App *app);

/* Return why there is no picture ("" if the reason need not be shown), or NULL if there is one. */
const char *view_place_absent(const App *app);

/* Draw the count of learned numbers, the comparison of two forms, edits, the state string. */
void status_draw(App *app);

/* Draw notices about the current picture: a shortened text, words without a vector, a script
 * without a font. They take a line from the view's lower edge. */
void notice_draw(App *app);

/* Draw the open sheet, if any. */
void sheet_draw(App *app);

/* After a pass: if a sheet opened, let Tab start at its top. If it closed, return the focus to the
 * control that had it before, unless the focus has moved. */
void sheet_follow(App *app);

/* Open a sheet at its top, or close it. */
void sheet_open(App *app, AppSheet sheet);
void sheet_close(App *app);

/* Draw the background of a sheet with a search field. Return the space inside. A press outside
 * closes it. */
Rect sheet_finder(App *app, float width, float height);

/* Draw the background of a sheet, its title and its close button. Return the space for its rows. */
Rect sheet_ground(App *app, Rect sheet, const char *title);

/* Draw the messages in a stack, the newest at the bottom. */
void messages_draw(App *app);

/* Close the newest visible message, or the one with this number (0: the newest). Return false if
 * there is none. */
bool message_dismiss(App *app);

void message_end(App *app, unsigned number);

/* Remove messages whose time is over or whose text was replaced. Call before a pass. */
void messages_age(App *app);

/* Draw a text in place of the view's picture. title may be NULL. */
void sentence_draw(App *app, Rect area, const char *title, const char *text);

/* Show the last message only as long as the session has this text. */
void message_about(App *app, const Text *text);

/* Return the text of the message with this number, or NULL if it is gone. */
const char *message_text(const App *app, unsigned number);

#endif
