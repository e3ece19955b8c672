/* wall_parts.h: declarations for the files that draw a wall (all heatmaps of one layer: wall.h). */
#ifndef HEADLIGHT_VIEWS_HEADS_WALL_PARTS_H
#define HEADLIGHT_VIEWS_HEADS_WALL_PARTS_H

#include "views/heads/wall.h"

#define WALL_LABEL_SIZE 15
/* Px: largest width of a label; a longer token is shortened with an ellipsis. */
#define WALL_LABEL_MAX 108
#define WALL_LABEL_GAP 10 /* px between label and matrix */
#define WALL_TITLE_H   34
#define WALL_CELL_MAX  96
#define WALL_SLANT     0.70710678f

typedef struct Wall {
    const ViewContext *context;
    const WallLayout *layout;
    const Heatmap *shown;
    int layer;
    AttnCell focus; /* the cell that the view explains */
} Wall;

PanZoomLimits wall_zoom(const ViewContext *context, const WallLayout *layout);

/* Draw the token labels and handle the pointer over them. */
void wall_labels(const Wall *wall);

/* Handle the pointer over a tile's matrix: mark and pin a cell, select a token, pan, zoom, edit a
 * score or the mask. */
void wall_pointer(const Wall *wall, int tile);

/* Draw the mask as a matrix, with its edits. */
void wall_mask_draw(const Wall *wall, Rect matrix);

/* Add a token to the selection, or remove it if it is selected (Shift and a click). */
void wall_select(const ViewContext *context, int token, bool as_key);

/* The layout of the titles of all heads. It is measured with the widest digits, so that all titles
 * look alike. If there is too little room, the entropy becomes smaller, then "Head 4" becomes "4",
 * then the entropy moves to the figures below (size 0). */
typedef struct WallTitleStyle {
    float size; /* letter size of the entropy */
    bool brief; /* true for "4" instead of "Head 4" */
} WallTitleStyle;

WallTitleStyle wall_title_style(const ViewContext *context, float side, float title_h);

/* Draw a tile's title, and its figures. */
void wall_title(const Wall *wall, int tile);
void wall_foot(const Wall *wall, int tile);

/* Return the number of lines of figures below a matrix of this side: 1 or 2, or 3 if they do not
 * fit in two. */
int wall_foot_lines(const ViewContext *context, float side, float title_h);

const HeadStats *wall_stats(const Wall *wall, int head);

/* Return the factor of a head's output: 1 unless set by hand. */
float wall_gain(const Wall *wall, int head);

/* Show a tooltip with all figures of a head, with their full names and meanings. */
void wall_figures_tip(const Wall *wall, UiId owner, Rect place, bool hovered, int head);

#endif
