/* weights_chip.h: shows in every view where its weights come from (sampling, a file, a fixed scheme
 * or training), and the commands that change this. */
#ifndef HEADLIGHT_APP_WEIGHTS_CHIP_H
#define HEADLIGHT_APP_WEIGHTS_CHIP_H

#include "app/app_state.h"

#define WEIGHTS_CHIP_H 40

/* Draw the chip at the left of area with the words and commands that fit. Return its width, or 0 if
 * nothing fits. */
float weights_chip_draw(App *app, Rect area);

/* Fill out with the name of the session's weights file, shortened for a control. */
#define WEIGHTS_NAME_MAX 40
void weights_file_name(char out[WEIGHTS_NAME_MAX], const Weights *weights);

#endif
