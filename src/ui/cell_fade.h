/* cell_fade.h: a matrix of cells whose colours pass to new values instead of jumping there.
 * As with tweens (tween.h), what is first seen, or was not drawn in the frame before, or has
 * another shape, stands as it is: a picture without a past is the settled one. So does all with
 * ui->reduced_motion, and a matrix that there is no room to remember. */
#ifndef HEADLIGHT_UI_CELL_FADE_H
#define HEADLIGHT_UI_CELL_FADE_H

#include "ui/tween.h"

#define CELL_FADES_MAX  128       /* matrices */
#define CELL_FADE_MOST  (1 << 18) /* values of one matrix */
#define CELL_FADES_MOST (1 << 19) /* of all: twice that is kept */

/* One matrix: what it shows, and what it passes from. */
typedef struct CellFade {
    UiId id;
    int rows, cols;
    float *values; /* owned: rows * cols that are shown, then as many from before */
    float lo, hi, before_lo, before_hi;
    Motion motion; /* MOTION_NONE: it stands */
    double start_s;
    uint64_t born_frame, seen_frame;
} CellFade;

/* All zero is empty. Owns what it remembers. */
typedef struct CellFades {
    CellFade at[CELL_FADES_MAX];
    int count;
    size_t kept; /* values of all matrices */
} CellFades;

void cell_fades_release(CellFades *fades);

/* Draw cells, whose before is not to be set, on their way from what the matrix of that id showed
 * in the frame before; a change that is seen now goes by motion: MOTION_NONE for at once, and with
 * MOTION_REROLL the cells on the left go first. */
void ui_cells(Ui *ui, CellFades *fades, UiId id, const DrawCells *cells, Motion motion);

#endif
