/* settings.h: how the picture is shown: not part of the layer, but of the same state string. */
#ifndef HEADLIGHT_APP_SETTINGS_H
#define HEADLIGHT_APP_SETTINGS_H

#include "base/option.h"

typedef struct Settings {
    int view, theme, palette;
    int edges;       /* that the graph draws for each token */
    float ui_scale;  /* the person's own, 1 = 100 %; multiplies the automatic one */
    OptionPair size; /* of a rendered picture or a new window, pixels */
} Settings;

/* view, theme, palette, edges, ui-scale, size. */
extern const OptionTable PICTURE_OPTIONS;

#endif
