/* wall_parts.h: the parts of a wall; for the files wall*.c alone. */
#ifndef HEADLIGHT_VIEWS_HEADS_WALL_PARTS_H
#define HEADLIGHT_VIEWS_HEADS_WALL_PARTS_H

#include "views/heads/wall.h"

#define WALL_LABEL_SIZE 15
#define WALL_LABEL_MAX  108 /* px: a longer token is cut with an ellipsis */
#define WALL_LABEL_GAP  10  /* between label and matrix */
#define WALL_TITLE_H    34
#define WALL_CELL_MAX   96
#define WALL_SLANT      0.70710678f

typedef struct Wall {
    const ViewContext *context;
    const WallLayout *layout;
    const Heatmap *shown;
    int layer;
    AttnCell focus; /* what is looked at */
} Wall;

/* Token labels, and the pointer on them. */
void wall_labels(const Wall *wall);

/* The pointer over a tile's matrix: light, pin, select, pan, zoom, edit the mask. */
void wall_pointer(const Wall *wall, int tile);

/* The mask as a matrix, with what was edited. */
void wall_mask_draw(const Wall *wall, Rect matrix);

/* Shift and a click: take a token into the selection, or out of it. */
void wall_select(const ViewContext *context, int token, bool as_key);

/* How every head's title is set: asked of the widest digits, so that all are set alike. Where its
 * entropy has no room it becomes smaller, then the name becomes its number, then it is left to
 * what stands under the matrix: size 0. */
typedef struct WallTitleStyle {
    float size; /* of the entropy */
    bool brief; /* "4" for "Head 4" */
} WallTitleStyle;

WallTitleStyle wall_title_style(const ViewContext *context, float side, float title_h);

/* A tile's title and what stands under it. */
void wall_title(const Wall *wall, int tile);
void wall_foot(const Wall *wall, int tile);

/* How many lines the figures of a head take under a matrix of that side, 1 or 2; 3 where they do
 * not fit two. */
int wall_foot_lines(const ViewContext *context, float side, float title_h);

const HeadStats *wall_stats(const Wall *wall, int head);

/* All figures of a head at once, with their whole names and what they mean, while the pointer rests
 * on what owns them. */
void wall_figures_tip(const Wall *wall, UiId owner, Rect place, bool hovered, int head);

#endif
