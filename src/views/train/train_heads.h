/* train_heads.h: the heatmaps of the Train view, and their places. */
#ifndef HEADLIGHT_VIEWS_TRAIN_TRAIN_HEADS_H
#define HEADLIGHT_VIEWS_TRAIN_TRAIN_HEADS_H

#include "views/shared/map_grid.h"
#include "views/train/train.h"

#define TRAIN_MOMENTS      5 /* number of moments at which the chosen head is shown */
#define TRAIN_SLOTS(heads) ((heads) + TRAIN_MOMENTS + 1)
#define TRAIN_COLUMN_LEAST 200
#define TRAIN_MAP_MOST     112 /* px: largest side of a head */
#define TRAIN_MAP_LARGE    148 /* px: largest side of a head if there are few columns */
#define TRAIN_MAP_LEAST    44

/* The grid of columns, in rows of equal height; logical pixels. */
typedef struct TrainGrid {
    int columns, across, rows;
    float width, between, row_h, height;
    MapGrid heads;
    /* Side of the maps that show the chosen head at the TRAIN_MOMENTS moments, and the gap between
     * them. */
    float moment, moment_gap;
} TrainGrid;

/* Return a grid whose heads are at most `most` wide. */
TrainGrid train_grid(const TrainScene *scene, float width, float most);
void train_columns_draw(const TrainScene *scene, const TrainGrid *grid, Rect area);

/* Return the matrix of one heatmap of a column. Slots count its heatmaps: each head, then the
 * chosen head at each of the TRAIN_MOMENTS moments, then the chosen head drawn large. */
Mat train_map(const TrainScene *scene, int column, int slot, int head, int step);

/* Draw one head of a column at a recorded step. A click chooses the head and the column. */
void train_map_draw(const TrainScene *scene, Rect map, int column, int slot, int head, int step);

/* Draw the chosen head of the chosen column at the step on screen, with the names of its tokens.
 * train_large_width returns the width that it needs. */
float train_large_width(const TrainScene *scene, float height);
void train_large_draw(const TrainScene *scene, Rect area);

#endif
