/* train_use.h: a column's layer, as it is at the step on screen, put in use. */
#ifndef HEADLIGHT_VIEWS_TRAIN_TRAIN_USE_H
#define HEADLIGHT_VIEWS_TRAIN_TRAIN_USE_H

#include "views/train/train.h"

#define TRAIN_USE_W 54

/* The column's mark, which a click puts in use, and the same in words, as wide as that. */
void train_use_mark(const TrainScene *scene, Rect place, int column);
void train_use_draw(const TrainScene *scene, Rect line, int column);

/* Compute the weights that were asked for, and give them to the App when they are done. */
void train_use_go_on(const ViewContext *context);

#endif
