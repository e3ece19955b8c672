/* chrome.h: the frame around every view: text row, state row, rail, status, messages, tooltips,
 * hints, and the list of numbers set by hand. */
#ifndef HEADLIGHT_APP_CHROME_H
#define HEADLIGHT_APP_CHROME_H

#include "app/app_state.h"
#include "ui/number_field.h"

/* Draw the parts of the window, in the places of app->layout. */
void text_row_draw(App *app);  /* the program's name, the token field, the menus and the buttons */
void state_row_draw(App *app); /* form, schemes, seed, mask, temperature and shape */
void rail_draw(App *app);   /* the numbered list of views; in a narrow window it opens as a panel */
void status_draw(App *app); /* parameters, comparison of forms, edits, state string */
void view_place_draw(App *app);
void inspector_place_draw(App *app);
void messages_draw(App *app); /* a stack with the newest at the bottom */

/* At the view's lower edge, draw a notice about the picture, such as a shortened text or words
 * without a vector. Make the view smaller by the notice's height. */
void notice_draw(App *app);

void wordmark_draw(App *app, Rect row);

/* Draw the token field. The second function puts the caret into it, the third returns true if it
 * has the caret. */
void token_field_draw(App *app, Rect field);
AppAction token_field_edit;
bool token_field_editing(const App *app);

/* True if an item of the state row appeared or disappeared, so that the row must be drawn again.
 * Call later in the same pass. */
bool state_row_is_stale(const App *app);

/* Before a pass: reserve scratch memory for the current view, and check that it can be drawn. */
void view_place_prepare(App *app);

/* Reset what the views keep between frames: panning, selection. Return false, and reset
 * nothing, if a job that uses these data does not stop. */
bool view_place_forget(App *app);

/* Return why there is no picture ("" if the reason need not be shown), or NULL if there is one. */
const char *view_place_absent(const App *app);

/* Draw a text in place of the view's picture. title may be NULL. */
void sentence_draw(App *app, Rect area, const char *title, const char *text);

/* Close the newest visible message, or the one with this number. The first function returns false
 * if there is none. */
bool message_dismiss(App *app);
void message_end(App *app, unsigned number);

/* Remove messages whose time is over or whose text was replaced. Call before a pass. */
void messages_age(App *app);

/* Show the last message only as long as the session has this text. */
void message_about(App *app, const Text *text);

/* Return the text of the message with this number, or NULL if it is gone. */
const char *message_text(const App *app, unsigned number);

/* Right after the control with this id and rect, draw its tooltip: label, help and keys of a
 * command or an option. tip_words shows these words, and the keys of `command`. */
void tip_command(App *app, UiId id, Rect rect, const char *command);
void tip_option(App *app, UiId id, Rect rect, const OptionRow *row);
void tip_words(App *app, UiId id, Rect rect, const char *words, const char *command);

/* Draw a button that runs a command, with the command's tooltip. */
void command_button(App *app, Rect rect, const char *label, const char *command);

/* Explain words on screen that are not controls, such as titles, labels, symbols and axes. word_tip
 * returns their meaning in the current view; its text is NULL if no table has the words.
 * word_tip_draw shows the meaning of the words under the pointer, unless they have a tooltip of
 * their own; call it after everything else in the window is drawn. */
Tooltip word_tip(const App *app, const char *words);
void word_tip_draw(App *app);

/* Show a hint on what to look for, in a line at the view's lower edge. words must live as long as
 * the App. The hint ends when the session has another text than `about`; if about is NULL, when the
 * view or the page of Compare changes. */
void hint_say(App *app, const char *words, const Text *about);
bool hint_close(App *app); /* return false if there is none */
void hint_draw(App *app);

/* Draw the hints of the first start (three things to try) at the top of *rest, and remove their
 * area from *rest. A hint disappears when the user has done it; the settings' file stores which are
 * done. hints_notice checks which hints the user has just done; call it after every pass. */
void hints_draw(App *app, Rect *rest);
void hints_notice(App *app);

/* Draw the control of an option in rect, and apply the user's change. */
void option_control(App *app, const OptionRow *row, Rect rect);
float option_control_width(const App *app, const OptionRow *row);

/* Open the sheet of all settings with the focus on this option. */
void option_control_focus(App *app, const OptionRow *row);

/* Change a number, or the number that belongs to a choice, by `steps` steps; skip invalid values.
 * option_cycle sets the next choice; after the last one it sets the first. */
void option_step(App *app, const OptionRow *row, int steps, NumberPace pace, uint64_t serial);
void option_cycle(App *app, const OptionRow *row);

/* Draw at the left of area the origin of the view's weights (sampling, a file, a fixed scheme or
 * training) and the commands that change it, if they fit. Return the width; 0 for none. */
#define WEIGHTS_CHIP_H 40
float weights_chip_draw(App *app, Rect area);

/* Fill out with the name of the session's weights file, shortened for a control. */
#define WEIGHTS_NAME_MAX 40
void weights_file_name(char out[WEIGHTS_NAME_MAX], const Weights *weights);

/* Draw the numbers set by hand, what they changed and how to undo them at the top of *rest, and
 * remove their area from *rest. */
void hand_list_draw(App *app, Rect *rest);

/* If there are no word vectors, draw a line under the text field with a button to choose a file of
 * them. The first function returns the height of the line; 0 for none. */
float missing_words_height(const App *app);
void missing_words_draw(App *app);

/* Load the word vectors in this file. On failure nothing changes, and err says why: a bad file, no
 * memory, or a computation that does not stop. */
bool missing_words_take(App *app, const char *path, Err *err);

/* True if there are no word vectors yet, but the shell can read a file of them. */
bool missing_words_can_take(const App *app);

#endif
