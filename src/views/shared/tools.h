/* tools.h: a view's controls, each with its label, from left to right in rows. */
#ifndef HEADLIGHT_VIEWS_SHARED_TOOLS_H
#define HEADLIGHT_VIEWS_SHARED_TOOLS_H

#include "ui/dropdown.h"
#include "views/view.h"

#define TOOL_ROW 44 /* px from one row to the next */

/* x, y: the place of the next control. If is_dry, nothing is drawn, and x and y show how much room
 * the controls need. */
typedef struct Tools {
    Rect area;
    float x, y, gap;
    bool is_dry;
} Tools;

Tools tools_in(Rect area, float gap);

/* Start a new row if controls of this total width, which belong together, do not fit into the
 * current row. */
void tools_keep(Tools *tools, float width);

/* Return the next free place of this width, BUTTON_HEIGHT high. */
Rect tools_place(Tools *tools, float width);

/* Draw a dropdown. Return the chosen row, or DROPDOWN_UNCHANGED. */
int tool_dropdown(const ViewContext *context, Tools *tools, UiId id, const char *label,
                  const DropdownChoices *choices, int chosen);

/* Draw a choice of STATE_OPTIONS or PICTURE_OPTIONS: as a dropdown, or as a row of segments at the
 * left of a place. If the user chooses a row, set the option; tool_segments then returns true.
 *
 * tool_segments_some draws only the first `count` rows, and the first one as chosen if none of them
 * is. A tooltip explains the chosen row. Return the width used. */
void tool_menu(const ViewContext *context, Rect place, const char *key);
float tool_menu_width(const ViewContext *context, const char *key);
bool tool_segments(const ViewContext *context, Rect place, const char *key);
float tool_segments_some(const ViewContext *context, Rect place, const char *key, int count);
float tool_segments_width(const ViewContext *context, const char *key);

/* Draw a choice at the next free place, with a label: as a dropdown (tool_choice) or as segments
 * (tool_switch). */
void tool_choice(const ViewContext *context, Tools *tools, const char *key, const char *label);
bool tool_switch(const ViewContext *context, Tools *tools, const char *key, const char *label);

/* Draw an option of PICTURE_OPTIONS as a number field. The caller passes the result to
 * view_take_number; tool_count does this for a whole number that steps by 1. */
NumberChange tool_number(const ViewContext *context, Tools *tools, const char *key,
                         const char *label, const char *text, float width);
void tool_count(const ViewContext *context, Tools *tools, const char *key, const char *label);

/* Draw a menu of the view's results that can be copied or saved. */
float results_menu_width(const ViewContext *context);
void results_menu_draw(const ViewContext *context, Rect place);

#endif
