/* weights_chip.h: says where the weights on screen come from: chance, a file, a scheme without
 * chance, or training; with the commands that change it. It stands in every view. */
#ifndef HEADLIGHT_APP_WEIGHTS_CHIP_H
#define HEADLIGHT_APP_WEIGHTS_CHIP_H

#include "app/app_state.h"

#define WEIGHTS_CHIP_H 40

/* Draw the chip at the left of area, with the words and the commands that fit. Return its width, or
 * 0 if not even the origin fits: then nothing is drawn. */
float weights_chip_draw(App *app, Rect area);

/* Fill out with the name of the file that the session's weights are from, cut to fit a control. */
#define WEIGHTS_NAME_MAX 40
void weights_file_name(char out[WEIGHTS_NAME_MAX], const Weights *weights);

#endif
