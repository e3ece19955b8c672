/* train_heads.h: the heatmaps of the Train view, and where they stand. */
#ifndef HEADLIGHT_VIEWS_TRAIN_TRAIN_HEADS_H
#define HEADLIGHT_VIEWS_TRAIN_TRAIN_HEADS_H

#include "views/shared/map_grid.h"
#include "views/train/train.h"

#define TRAIN_MOMENTS      5 /* steps of the chosen head that are shown */
#define TRAIN_SLOTS(heads) ((heads) + TRAIN_MOMENTS + 1)
#define TRAIN_COLUMN_LEAST 200
#define TRAIN_MAP_MOST     112 /* px: the side of a head */
#define TRAIN_MAP_LARGE    148 /* of few columns */
#define TRAIN_MAP_LEAST    44

/* Columns in rows, each as high; logical pixels. */
typedef struct TrainGrid {
    int columns, across, rows;
    float width, between, row_h, height;
    MapGrid heads;
    float moment, moment_gap; /* of the chosen head's steps */
} TrainGrid;

/* Heads as large as `most` at most. */
TrainGrid train_grid(const TrainScene *scene, float width, float most);
void train_columns_draw(const TrainScene *scene, const TrainGrid *grid, Rect area);

/* The matrix that is drawn in a slot of a column: one for each head, then one for each moment, then
 * the large one. */
Mat train_map(const TrainScene *scene, int column, int slot, int head, int step);

/* One head of a column at a kept step. A click chooses the head and the column. */
void train_map_draw(const TrainScene *scene, Rect map, int column, int slot, int head, int step);

/* The steps at which the chosen head is shown: fixed quarters of all steps. */
void train_moments(int out[TRAIN_MOMENTS], const TrainScene *scene);

/* The chosen head of the chosen start at the step on screen, with the names of its rows and
 * columns: the width that it needs, and its picture. */
float train_large_width(const TrainScene *scene, float height);
void train_large_draw(const TrainScene *scene, Rect area);

#endif
