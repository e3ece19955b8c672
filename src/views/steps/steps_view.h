/* steps_view.h: the parts of the Steps view; for the files steps*.c only. */
#ifndef HEADLIGHT_VIEWS_STEPS_STEPS_VIEW_H
#define HEADLIGHT_VIEWS_STEPS_STEPS_VIEW_H

#include "views/steps/steps.h"

#define STEPS_COUNT   6
#define STEPS_GAP_MIN 24 /* px between columns: room for an arrow */

/* The matrices of the row. In a form without factors Q is X·W_QK, and K does not exist. */
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
    /* Learned matrices, drawn above the matrices that they make. In a form without factors W_Q is
     * W_QK. */
    STEPS_W_Q = STEPS_PARTS,
    STEPS_W_K,
    STEPS_W_V,
    STEPS_W_O,
    STEPS_ALL
} StepsPart;

typedef struct StepsPartRow {
    const char *name;
    int step;       /* the step whose card it belongs to, from 1 */
    bool by_token;  /* its columns are tokens */
    bool of_keys;   /* its rows are keys, not queries */
    int hand;       /* the kind of number that an edit changes, of A its score; -1 for none */
    StepsPart made; /* the matrix below a learned one */
} StepsPartRow;
extern const StepsPartRow STEPS_PART[STEPS_ALL];

static inline bool steps_is_learned(StepsPart part) {
    return part >= STEPS_W_Q;
}

/* All cards in one row under their matrices; in two rows; only the current one. */
typedef enum StepsMode { STEPS_ROW, STEPS_GRID, STEPS_ONE } StepsMode;

/* Places of all parts. A part without room has no width. */
typedef struct StepsPlan {
    StepsMode mode;
    Rect part[STEPS_ALL];
    Rect learned[2], computed; /* backgrounds of W_Q W_K W_V and W_O, and words between them */
    Rect card[STEPS_COUNT];
    Rect transport;
    float token, feature;         /* px of one token or feature in a matrix */
    float weight;                 /* px of one row of a learned matrix */
    int token_pool, feature_pool; /* entries that share a cell */
    int weight_pool;
    float labels_w, names_h;
    float over_y[2], under_y; /* y of the beams above and below the matrices */
} StepsPlan;

typedef struct Steps {
    const ViewContext *c;
    CellStory n; /* the numbers, with a column of Y */
    StepsPlan plan;
    int step;               /* counted from 1 */
    float row, key, output; /* position of the path, moving towards the cell and the column */
    float flight;           /* animation of the current step, 0 to 1 (finished) */
} Steps;

/* Return the numbers to follow: those of the pinned cell, else of the strongest cell; if no weight
 * stands out, of the last token. The column is the chosen one, else that of the row's largest
 * output. */
CellStory steps_story(const ViewContext *c, Arena *arena);

/* Pool the matrices and find their scales if needed. Return false if memory runs out. */
bool steps_prepare(const Steps *s);

/* Return the matrix of a part in the chosen head; closed pairs of A are DRAW_CELL_MASKED. */
Mat steps_matrix(const Steps *s, StepsPart part);
int steps_rows(const CellStory *n, StepsPart part);
int steps_cols(const CellStory *n, StepsPart part);
const char *steps_name(const CellStory *n, StepsPart part);

StepsPlan steps_plan(const ViewContext *c, const CellStory *n, Rect area);

/* Draw the matrices with the path, and handle the pointer. */
void steps_row(const Steps *s);

/* Draw the beams between matrices. */
void steps_beams(const Steps *s);

/* Return where a beam enters a matrix from above, or INFINITY. */
float steps_beam_into(const Steps *s, StepsPart part);

/* Return where the beam that leaves V goes up. */
float steps_beam_from(const Steps *s);

/* Draw the cards. The pointer on a number of a card lights its cell in the matrix. */
void steps_cards(const Steps *s);

/* Fill the rest of a card. A low card has one line for its result, of STEPS_RESULT_H. */
#define STEPS_RESULT_H 34
void steps_card_body(const Steps *s, int step, Rect rest, bool is_low);

/* Light a part of a matrix; rows and columns from 0. */
void steps_light(const Steps *s, StepsPart part, int row, int rows, int col, int cols);

/* Return the place of cells of a matrix; row and column may be fractions during motion. */
Rect steps_cells_rect(const Steps *s, StepsPart part, float row, float rows, float col, float cols);

void steps_go(const ViewContext *c, int step);

#endif
