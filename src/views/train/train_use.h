/* train_use.h: use a column's layer of the step on screen in all views. */
#ifndef HEADLIGHT_VIEWS_TRAIN_TRAIN_USE_H
#define HEADLIGHT_VIEWS_TRAIN_TRAIN_USE_H

#include "views/train/train.h"

#define TRAIN_USE_W 54

/* Draw the column's mark, or a button with words. A click uses the layer. */
void train_use_mark(const TrainScene *scene, Rect place, int column);
void train_use_draw(const TrainScene *scene, Rect line, int column);

/* Compute the requested weights, and pass them to the App when they are done. */
void train_use_go_on(const ViewContext *context);

#endif
