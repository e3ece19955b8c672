/* cell_fade.h: a matrix of cells whose colours fade to new values. A picture without earlier frames
 * shows the final state: colours change at once if the previous frame did not draw the matrix in
 * the same shape. They also change at once with MOTION_NONE or ui->reduced_motion, and if a limit
 * below is reached or memory runs out. */
#ifndef HEADLIGHT_UI_CELL_FADE_H
#define HEADLIGHT_UI_CELL_FADE_H

#include "ui/tween.h"

#define CELL_FADES_MAX 128
#define CELL_FADE_MOST (1 << 18) /* maximum number of values of one matrix that can fade */
/* Maximum number of values of all matrices together; for each, two numbers are stored. */
#define CELL_FADES_MOST (1 << 19)

typedef struct CellFade {
    UiId id;
    int rows, cols;
    float *values; /* owned: rows * cols current values, then rows * cols earlier ones */
    float lo, hi, before_lo, before_hi;
    Motion motion; /* MOTION_NONE: no fade is running */
    double start_s;
    uint64_t born_frame, seen_frame;
} CellFade;

/* The matrices of one view. All zero is empty. Owns the values. */
typedef struct CellFades {
    CellFade at[CELL_FADES_MAX];
    int count;
    size_t kept; /* number of values of all matrices */
} CellFades;

void cell_fades_release(CellFades *fades);

/* Draw cells; cells->before must be unset. If the matrix with this id showed other values in the
 * previous frame, fade from those values. motion is the kind of fade for a change in this frame:
 * MOTION_NONE changes at once, MOTION_REROLL starts at the left. */
void ui_cells(Ui *ui, CellFades *fades, UiId id, const DrawCells *cells, Motion motion);

#endif
