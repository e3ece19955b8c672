/* tools.h: a view's controls, each with its label, from left to right in rows. */
#ifndef HEADLIGHT_VIEWS_SHARED_TOOLS_H
#define HEADLIGHT_VIEWS_SHARED_TOOLS_H

#include "ui/dropdown.h"
#include "views/view.h"

#define TOOL_ROW    44 /* px from one row to the next */
#define TOOL_NUMBER 72 /* width of a number's field */

/* Where the next control goes. With is_dry nothing is drawn, so that x and y measure the controls.
 */
typedef struct Tools {
    Rect area;
    float x, y, gap;
    bool is_dry;
} Tools;

Tools tools_in(Rect area, float gap);

/* Start a new row if controls of this width, which belong together, do not fit into this one. */
void tools_keep(Tools *tools, float width);

/* Return a place, BUTTON_HEIGHT high, in the next free room. The second function draws a label (""
 * for none) before it. */
Rect tools_place(Tools *tools, float width);
Rect tools_place_named(const ViewContext *context, Tools *tools, const char *label, float width);

/* Draw a dropdown. Return the chosen row, or DROPDOWN_UNCHANGED. */
int tool_dropdown(const ViewContext *context, Tools *tools, UiId id, const char *label,
                  const DropdownChoices *choices, int chosen);

/* Draw an option of PICTURE_OPTIONS as a dropdown, and set it. */
void tool_choice(const ViewContext *context, Tools *tools, const char *key, const char *label,
                 int chosen);

/* Draw a choice of PICTURE_OPTIONS as a row of segments, or as a menu, from the left of a place,
 * and set it. The second function returns the width of the segments. */
void tool_segments(const ViewContext *context, Rect place, const char *key);
float tool_segments_width(const ViewContext *context, const char *key);
void tool_menu(const ViewContext *context, Rect place, const char *key);

/* Draw an option of PICTURE_OPTIONS as the field of a number. view_take_number applies the result.
 */
NumberChange tool_number(const ViewContext *context, Tools *tools, const char *key,
                         const char *label, const char *text, float width);

/* Draw a menu of results to copy, and then to save: rows in the order of ViewResult, first those
 * that can be copied. results writes them into *copy, which lasts until the next frame. */
float results_menu_width(const ViewContext *context, const Registry *rows);
void results_menu_draw(const ViewContext *context, UiId id, Rect place, const Registry *rows,
                       bool (*results)(const ViewContext *, ViewResult, TextOut *), TextOut *copy);

#endif
