/* part_menu.h: the menu of the right button over a part of the picture: copy or save the part, or
 * edit the number under the pointer. */
#ifndef HEADLIGHT_APP_PART_MENU_H
#define HEADLIGHT_APP_PART_MENU_H

#include "app/app.h"
#include "draw/part.h"
#include "views/view.h"

typedef struct AppPartMenu {
    char part[PART_ID_MAX]; /* the part under the menu */
    Vec2 at;                /* position of the menu, in logical pixels */
    AttnCell cell;          /* the pair of tokens under the pointer, or none */
    bool has_number;        /* true if there is a number that can be edited */
    char number[40];        /* the number under the pointer, to be copied; "" for none */
    bool is_asked;          /* true if the menu must open at the pinned cell in the next pass */
    /* The format in which the part is copied at the end of the frame; RESULT_NONE for no copy. */
    ViewResult copy;
} AppPartMenu;

/* Open the menu if the right button was pressed, and draw it while it is open. Call after all
 * controls of a pass. */
void part_menu_draw(App *app);

/* Return the score of a pair of tokens as a number to edit. `row` is its row in a matrix on screen;
 * its width is 0 if no matrix on screen shows the pair. */
NumberOffer part_menu_offer(const App *app, AttnCell pair);

/* At the end of a frame, ask the shell for the copy that the menu requested. */
void part_menu_frame(App *app);

#endif
