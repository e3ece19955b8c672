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
    AttnCell cell;          /* the pair under the menu, or none */
    bool has_number;        /* there is a number that can be edited */
    char number[40];        /* the number under the pointer, to be copied; "" for none */
    bool is_asked;          /* open the menu for the pinned cell in the next pass */
    ViewResult copy;        /* what is copied at the end of the frame; RESULT_NONE for nothing */
} AppPartMenu;

/* Open the menu if the right button was pressed, and draw it while it is open. Call after all
 * controls of a pass. */
void part_menu_draw(App *app);

/* A command: open the menu for the pinned cell, as the right button does there. */
void part_menu_ask(App *app, int argument);

/* At the end of a frame, request the copy that is due. */
void part_menu_frame(App *app);

#endif
