/* steps_view.h: the parts of the Steps view. Only for steps*.c. */
#ifndef HEADLIGHT_VIEWS_STEPS_STEPS_VIEW_H
#define HEADLIGHT_VIEWS_STEPS_STEPS_VIEW_H

#include "views/steps/steps.h"

#define STEPS_COUNT   6
#define STEPS_GAP_MIN 24 /* px between two columns, enough for an arrow */

/* The matrices that the view draws in a row, from X to Y. In a form without factors Q stands for
 * X·W_QK, and K does not exist. */
typedef enum StepsPart {
    STEPS_X,
    STEPS_Q,
    STEPS_K,
    STEPS_V,
    STEPS_S,
    STEPS_A,
    STEPS_Z,
    STEPS_Y,
    STEPS_PARTS,
    /* Learned matrices, drawn above the matrices that they make. In a form without factors W_Q
     * stands for W_QK. */
    STEPS_W_Q = STEPS_PARTS,
    STEPS_W_K,
    STEPS_W_V,
    STEPS_W_O,
    STEPS_ALL
} StepsPart;

typedef struct StepsPartRow {
    const char *name;
    int step;       /* the step to whose card the matrix belongs, from 1 */
    bool by_token;  /* true if its columns are tokens */
    bool of_keys;   /* true if rows are keys instead of queries */
    int hand;       /* the kind of number that editing changes (for A, its score); -1 for none */
    StepsPart made; /* for a learned matrix: the matrix below, which it makes */
} StepsPartRow;
extern const StepsPartRow STEPS_PART[STEPS_ALL];

static inline bool steps_is_learned(StepsPart part) {
    return part >= STEPS_W_Q;
}

/* How the cards are shown: all in one row, each below its matrices; all in two rows; or only the
 * current one. */
typedef enum StepsMode { STEPS_ROW, STEPS_GRID, STEPS_ONE } StepsMode;

/* Places of all parts. A part without room has width 0. */
typedef struct StepsPlan {
    StepsMode mode;
    Rect part[STEPS_ALL];
    /* Backgrounds of W_Q W_K W_V and of W_O; place of the text between them. */
    Rect learned[2], computed;
    Rect card[STEPS_COUNT];
    Rect transport;
    float token, feature;         /* px: side of a cell along tokens, and along features */
    float weight;                 /* px of one row in a learned matrix */
    int token_pool, feature_pool; /* number of tokens, and of features, that share a cell */
    int weight_pool;
    float labels_w, names_h;
    float over_y[2], under_y; /* y of the two beams above the matrices, and of the beam below */
} StepsPlan;

typedef struct Steps {
    const ViewContext *c;
    CellStory n; /* the numbers on the path from X to one number of Y */
    StepsPlan plan;
    int step; /* counted from 1 */
    /* Position of the path, in cells, while it moves to the chosen cell and column. */
    float row, key, output;
    float flight; /* progress of the current step's animation, 0 to 1 */
} Steps;

/* Return the numbers of the path to follow: those of view_rest (the pinned or the strongest cell)
 * or, if there is none, of the last token and the key that it reads most. The column is the chosen
 * one, otherwise that of the row's largest output. */
CellStory steps_story(const ViewContext *c, Arena *arena);

/* Make pooled copies of matrices with more entries than pixels, and find the largest magnitude in
 * each matrix, unless this is done already. Return false if memory runs out. */
bool steps_prepare(const Steps *s);

/* Return a part's matrix in the chosen head. Closed pairs of A are DRAW_CELL_MASKED. */
Mat steps_matrix(const Steps *s, StepsPart part);
int steps_rows(const CellStory *n, StepsPart part);
int steps_cols(const CellStory *n, StepsPart part);
const char *steps_name(const CellStory *n, StepsPart part);

StepsPlan steps_plan(const ViewContext *c, const CellStory *n, Rect area);

/* Draw the matrices with the path and the beams between them, and handle the pointer. */
void steps_row(const Steps *s);

/* Fill the body of a card below its title. A low card has a single line for its result,
 * STEPS_RESULT_H high. */
#define STEPS_RESULT_H 34
void steps_card_body(const Steps *s, int step, Rect rest, bool is_low);

/* Draw a ring around a rectangle of cells in a matrix. Rows and columns count from 0. */
void steps_light(const Steps *s, StepsPart part, int row, int rows, int col, int cols);

void steps_go(const ViewContext *c, int step);

#endif
