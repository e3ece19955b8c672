/* steps_view.h: the parts of the Steps view; for the files steps*.c alone. */
#ifndef HEADLIGHT_VIEWS_STEPS_STEPS_VIEW_H
#define HEADLIGHT_VIEWS_STEPS_STEPS_VIEW_H

#include "views/steps/steps.h"
#include "views/steps/steps_numbers.h"

#define STEPS_COUNT   6
#define STEPS_GAP_MIN 24 /* px between columns: room for an arrow */

/* The matrices of the row. With products Q is X·W_QK and there is no K. */
typedef enum StepsPart {
    STEPS_X,
    STEPS_Q,
    STEPS_K,
    STEPS_V,
    STEPS_S,
    STEPS_A,
    STEPS_Z,
    STEPS_Y,
    STEPS_PARTS
} StepsPart;

/* Cards all in one row, under their matrices; in two rows; the current one alone. */
typedef enum StepsMode { STEPS_ROW, STEPS_GRID, STEPS_ONE } StepsMode;

/* Where everything stands. What there is no room for has no width. */
typedef struct StepsPlan {
    StepsMode mode;
    Rect part[STEPS_PARTS];
    Rect card[STEPS_COUNT];
    Rect transport;
    float token, feature;         /* px of one along a matrix */
    int token_pool, feature_pool; /* so many of them share a cell */
    float labels_w, names_h;
    float over_y[2], under_y; /* of the beams that go above and below the matrices */
} StepsPlan;

typedef struct Steps {
    const ViewContext *c;
    StepsNumbers n;
    StepsPlan plan;
    int step;               /* from 1 */
    float row, key, output; /* where the path stands, on its way to what n.at says */
    float flight;           /* of the current step, 0 to 1: settled */
} Steps;

/* The number that is followed: of what is pinned or else strongest; where no weight stands out, of
 * the last token. */
StepsPlace steps_place(const ViewContext *c);

/* Make smaller what the plan asks for, and find the scales, where they are not yet; false for want
 * of memory. */
bool steps_prepare(const Steps *s);

/* What is drawn of a matrix, pooled where the plan says so; one value of it; its columns before
 * that. */
Mat steps_values(const Steps *s, StepsPart part);
float steps_value(const Steps *s, StepsPart part, int row, int col);
int steps_cols(const StepsNumbers *n, StepsPart part);
bool steps_is_by_token(StepsPart part); /* whether its columns are tokens: S and A */
const char *steps_name(const StepsNumbers *n, StepsPart part);
int steps_step_of(StepsPart part); /* whose card it belongs to, from 1 */

StepsPlan steps_plan(const ViewContext *c, const StepsNumbers *n, Rect area);

/* The matrices, what of them is on the path, and the pointer on them. */
void steps_row(const Steps *s);

/* The beams between them. */
void steps_beams(const Steps *s);

/* Where one comes into a matrix from above, or INFINITY. */
float steps_beam_into(const Steps *s, StepsPart part);

/* Where the one that leaves V goes up. */
float steps_beam_from(const Steps *s);

/* The cards; the pointer on them lights where a number comes from. */
void steps_cards(const Steps *s);

/* A piece of a matrix, lit: rows and columns from 0. */
void steps_light(const Steps *s, StepsPart part, int row, int rows, int col, int cols);
void steps_ring(const ViewContext *c, Rect rect, Colour colour, float border);

/* Where a cell or a row of a matrix stands; row and column may be between two. */
Rect steps_cells_rect(const Steps *s, StepsPart part, float row, float rows, float col, float cols);

void steps_go(const ViewContext *c, int step);

#endif
