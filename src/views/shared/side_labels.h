/* side_labels.h: the names of tokens along one side of a matrix: rows at its left, or columns above
 * it, whose names rise to the right. A place is a row or a column on screen. */
#ifndef HEADLIGHT_VIEWS_SHARED_SIDE_LABELS_H
#define HEADLIGHT_VIEWS_SHARED_SIDE_LABELS_H

#include "views/view.h"

typedef struct SideLabels {
    const ViewContext *context;
    const TokenLabel *names; /* indexed by token */
    const int *at;           /* the token at each place, or NULL if they are in order */
    int count;
    Rect matrix;          /* the visible part of the matrix */
    float cell;           /* px per row or column */
    float first;          /* index of the first visible row or column; may be fractional */
    float angle_rad;      /* the angle at which the names of columns rise; 0 for rows */
    float size, most;     /* letter size; largest width of a name */
    float gap;            /* px between the matrix and a name */
    float pill;           /* height of the background of a lit name */
    float left;           /* left end of the room for horizontal names */
    int lit, bold;        /* place of the lit and of the bold name, or -1 */
    const bool *selected; /* tokens whose names get a background if there is room, or NULL */
    const bool *faint;    /* tokens with a faint name, or NULL */
} SideLabels;

/* Draw every n-th name, so that names do not touch, and the marked names that do not overlap. If a
 * column's name would leave the picture, draw it horizontally if it is lit; otherwise leave it
 * out. */
void side_labels_draw(const SideLabels *labels);

/* Draw the lit name of a column horizontally, with its top at y. */
void side_labels_upright(const SideLabels *labels, float y);

/* Return the token whose name is under the pointer in this strip, and set *state; -1 for none. */
int side_labels_pointer(const SideLabels *labels, UiId id, Rect strip, UiState *state);

#endif
