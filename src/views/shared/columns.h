/* columns.h: the schemes that Compare and Train show in columns: their colours, marks and names,
 * the functions that edit the list of columns, and the places of heads in a column. */
#ifndef HEADLIGHT_VIEWS_SHARED_COLUMNS_H
#define HEADLIGHT_VIEWS_SHARED_COLUMNS_H

#include "ui/mark.h"
#include "views/view.h"

Colour column_colour(const ViewContext *context, int column);
Mark column_mark(int column);
const Scheme *column_scheme(const ViewContext *context, int column);

/* Write a short name, "Xavier" for "Xavier uniform". Write the full name if another column would
 * have the same short name. */
const char *column_short_name(char out[64], const ViewContext *context, int column);

/* Return the row of SCHEMES that a column uses for this matrix only, or -1 if it has none. */
int column_own(const ViewContext *context, int column, AttnParam param);

/* Change the columns: replace a scheme, or add, remove or move a column. Each call is one undo
 * step. scheme -1 adds the first scheme that has no column. */
void column_replace(const ViewContext *context, int column, int scheme);
void column_replace_own(const ViewContext *context, int column, AttnParam param, int scheme);
void column_add(const ViewContext *context, int scheme);
void column_remove(const ViewContext *context, int column);
void column_move(const ViewContext *context, int from, int to);

/* The places of a column's heads as small heatmaps, in logical pixels; side is a whole number of
 * device pixels. */
typedef struct MapGrid {
    int heads, across, rows;
    float side, gap;
} MapGrid;

/* Lay out the heads in this width: at most four in a row, or more if the grid would be much higher
 * than `most`. most: largest side of a head in px. scale: device pixels per logical pixel. */
MapGrid map_grid(int heads, float width, float most, float scale);

static inline float map_grid_height(const MapGrid *grid) {
    return (grid->side + grid->gap) * (float)grid->rows - grid->gap;
}

/* Return the place of one head. at is the top left corner of the grid. */
Rect map_grid_place(const MapGrid *grid, Vec2 at, int head);

#endif
