#include "views/settings.h"

#include <stddef.h>

#include "base/util.h"
#include "draw/palette.h"
#include "draw/theme.h"
#include "views/edges.h"
#include "views/view.h"

#define AT(member) offsetof(Settings, member)

static const Entry MOTION_ROWS[] = {
    {"full", "Full", "", "Colours, rings and panels pass from one state to the next."},
    {"less", "Less", "", "Everything changes at once."},
};
const Registry MOTION_REGISTRY = {"motions", "motion", MOTION_ROWS, sizeof MOTION_ROWS[0],
                                  ARRAY_COUNT(MOTION_ROWS)};

static const OptionRow ROWS[] = {
    {{"view", "View", "ID", "Which view is shown."},
     OPTION_CHOICE,
     &VIEW_REGISTRY,
     AT(view),
     0,
     0,
     "heads",
     NULL,
     NULL},
    {{"theme", "Theme", "ID", "Colours of the window."},
     OPTION_CHOICE,
     &THEME_REGISTRY,
     AT(theme),
     0,
     0,
     "dark",
     NULL,
     NULL},
    {{"palette", "Palette", "ID", "Colour scale of the weights."},
     OPTION_CHOICE,
     &PALETTE_REGISTRY,
     AT(palette),
     0,
     0,
     "cividis",
     NULL,
     NULL},
    {{"motion", "Motion", "ID", "Whether what changes moves; --reduced-motion is motion=less."},
     OPTION_CHOICE,
     &MOTION_REGISTRY,
     AT(motion),
     0,
     0,
     "full",
     NULL,
     NULL},
    {{"edges", "Edges", "N", "Edges that the graph draws for each token."},
     OPTION_INT,
     NULL,
     AT(edges),
     1,
     EDGES_PER_TOKEN_MAX,
     "3",
     NULL,
     NULL},
    {{"ui-scale", "UI scale", "X", "Size of everything, times the automatic one."},
     OPTION_REAL,
     NULL,
     AT(ui_scale),
     0.75,
     3,
     "1",
     NULL,
     NULL},
    {{"size", "Size", "WxH", "Pixels of a picture or a new window."},
     OPTION_SIZE,
     NULL,
     AT(size),
     64,
     16384,
     "1920x1080",
     NULL,
     NULL},
};

const OptionTable PICTURE_OPTIONS = {ROWS, ARRAY_COUNT(ROWS)};
