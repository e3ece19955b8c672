/* heads_parts.h: the parts of the Heads view. A wall is all heads of one layer as heatmaps with
 * token labels, followed by summaries (mean, rollout, mask). Each of these matrices is a tile. All
 * tiles pan and zoom together. Only for this folder. */
#ifndef HEADLIGHT_VIEWS_HEADS_HEADS_PARTS_H
#define HEADLIGHT_VIEWS_HEADS_HEADS_PARTS_H

#include "views/heads/heads.h"
#include "views/shared/heatmap.h"

/* The layout of a wall: wall_layout.c */

#define WALL_LABEL_SIZE 15
/* Px: largest width of a label; a longer token is shortened with an ellipsis. */
#define WALL_LABEL_MAX   108
#define WALL_LABEL_GAP   10 /* px between a row label and the matrix */
#define WALL_LABEL_FOOT  12 /* px between a column label and the matrix */
#define WALL_LABEL_PILL  20 /* px: height of the background of a lit (focused) label */
#define WALL_LABEL_ANGLE 0.78539816f
#define WALL_TITLE_H     34
#define WALL_CELL_MAX    96
#define WALL_SLANT       0.70710678f

typedef struct WallLayout {
    int columns, rows, tokens;
    int first_tile, tiles; /* index of the first tile shown; number of tiles shown */
    /* Side of a cell if all tokens are visible, in logical pixels; a whole number of device pixels,
     * or less than one. */
    float fit;
    float cell; /* side of a cell at the current zoom, in logical pixels */
    float side;
    Vec2 first; /* column and row at the top left of the visible part; may be fractional */
    int pool;   /* number of cells along a side that share one drawn cell */
    float gap;  /* space between cells, logical pixels */
    /* Width of the row labels at the left; height of the column labels at the top. */
    float label_w, label_h;
    /* Height of the titles, and of the statistics below a matrix; 0 if there is no
     * room. */
    float title_h, foot_h;
    int foot_lines; /* number of lines of statistics below a matrix */
    /* Space below the lowest matrices for the label of the focused column, if the wall is
     * crowded. */
    float under_h;
    float between_x, between_y;
    float x, y;
    /* True if there is no room for column labels, so that only the focused column has its label,
     * below the wall. */
    bool crowded;
    bool moves; /* true early in a transition, when names and statistics are not drawn */
} WallLayout;

/* Return a layout in which all tiles fit into area, with cells about as large as possible, at the
 * zoom in memory. */
WallLayout wall_layout(const ViewContext *context, Rect area, bool row_labels, int tiles);

/* Return the layout at time t, 0 < t < 1, of the transition from `from` (all heads) to `to` (one
 * head). It has the one tile of `to` and the pooling of `from`. */
WallLayout wall_between(const ViewContext *context, const WallLayout *from, const WallLayout *to,
                        float t);

/* Return the right and the bottom end of the wall. */
float wall_right(const WallLayout *layout);
float wall_bottom(const WallLayout *layout);

Rect wall_matrix(const WallLayout *layout, int tile);

/* Return the rectangle of the cell in a row and column, in logical pixels. It may lie outside the
 * matrix. */
Rect wall_cell(const WallLayout *layout, Rect matrix, int row, int column);

HeatmapWindow wall_window(const WallLayout *layout);

PanZoomLimits wall_zoom(const ViewContext *context, const WallLayout *layout);

/* The wall: wall.c, wall_labels.c, wall_words.c, wall_pointer.c */

typedef struct Wall {
    const ViewContext *context;
    const WallLayout *layout;
    const Heatmap *shown;
    int layer;
    AttnCell focus; /* the cell that the view explains */
} Wall;

/* Draw the layer's tiles and handle the pointer on their cells, names and titles. */
void wall_draw(const ViewContext *context, const WallLayout *layout, const Heatmap *shown,
               int layer);

void wall_labels(const Wall *wall);

/* Handle the pointer over a tile's matrix: mark and pin a cell, select a token, pan, zoom, edit a
 * score or the mask. */
void wall_pointer(const Wall *wall, int tile);

/* Add a token to the selection, or remove it if it is selected (Shift and a click). */
void wall_select(const ViewContext *context, int token, bool as_key);

/* Draw a tile's title, and its statistics. */
void wall_title(const Wall *wall, int tile);
void wall_foot(const Wall *wall, int tile);

/* Return the number of lines of statistics that fit below a matrix of this side. */
int wall_foot_lines(const ViewContext *context, float side);

/* Return the factor by which a head's output is multiplied: 1 unless set by hand. */
float wall_gain(const Wall *wall, int head);

/* The row below the heatmaps, with the shown quantity, its colour scale and choices: heads_bar.c */

/* Draw the choice of the shown quantity at the left of *row, and cut its width off *row. */
void heads_show_control(const ViewContext *context, Rect *row);

/* Return the height that the bar needs at this width. It is higher if it may need notes, or if the
 * colour scale does not fit next to the choices. */
float heads_bar_height(const ViewContext *context, float width);

/* Draw the bar in area. Parts for which there is no room are left out. */
void heads_bar(const ViewContext *context, Rect area, const Heatmap *shown,
               const WallLayout *layout);

/* Draw the chosen head of a layer as a graph in area, with its title and the legend of widths. An
 * arrow goes from each query to the keys it reads most: to earlier keys on the left, to later ones
 * on the right. rows is the place of a matrix, or empty. If there is room, each token is at the
 * height of its row in that matrix. The mouse wheel changes how many edges are shown for each
 * token. For a checkpoint, the words that its model expects next are listed below. arcs.c */
void arcs_draw(const ViewContext *context, Rect area, Rect rows, int layer);

/* Draw a map of a checkpoint: a row for each layer, the first at the top, and a column for each
 * head or, if the user sorts the heads, all heads in that order. A click on a matrix chooses its
 * layer and head and shows all heads of that layer. If the layers need other tokens than those of
 * the text, say so instead. Return the width used. layer_map.c */
float layer_map_draw(const ViewContext *context, Rect area);

/* Draw the matrices of the chosen head for the text and for a second sentence, side by side, and
 * their difference; also the field in which the user types the second sentence. sentences_are_on:
 * true if there is a second sentence or its field is open. sentences.c */
void sentences_draw(const ViewContext *context, Rect area);
bool sentences_are_on(const ViewContext *context);

#endif
