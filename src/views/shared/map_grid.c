#include "views/shared/map_grid.h"

#include <math.h>

#define MARGIN     38 /* px by which the grid of heads may be higher than a single head */
#define GAP_ACROSS 11

MapGrid map_grid(int heads, float width, float most, float scale) {
    MapGrid m = {.heads = heads};
    for (m.across = heads < 4 ? heads : 4;; m.across++) {
        m.gap = m.across > 4 ? 4 : fminf(GAP_ACROSS, width * 0.03f);
        m.side = (width - m.gap * (float)(m.across - 1)) / (float)m.across;
        m.side = fmaxf(fminf(m.side, most), 1);
        m.rows = (heads + m.across - 1) / m.across;
        if ((m.side + m.gap) * (float)m.rows <= most + MARGIN || m.across == heads)
            break;
    }
    m.side = fmaxf(floorf(m.side * scale), 1) / scale;
    return m;
}

Rect map_grid_place(const MapGrid *grid, Vec2 at, int head) {
    float pitch = grid->side + grid->gap;
    return (Rect){at.x + pitch * (float)(head % grid->across),
                  at.y + pitch * (float)(head / grid->across), grid->side, grid->side};
}
