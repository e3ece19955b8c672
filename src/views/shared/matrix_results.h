/* matrix_results.h: the numbers of a view as CSV or JSON, if they are matrices. */
#ifndef HEADLIGHT_VIEWS_SHARED_MATRIX_RESULTS_H
#define HEADLIGHT_VIEWS_SHARED_MATRIX_RESULTS_H

#include "base/text_out.h"
#include "views/view.h"

/* A matrix (rows, cols): values[i * stride + j]; borrowed. */
typedef struct NamedMatrix {
    const char *name;
    const float *values;
    int rows, cols, stride;
    bool row_tokens, col_tokens; /* each row, or column, is a token of the text */
} NamedMatrix;

/* Append rows of CSV. The first row and column hold the tokens' names, or numbers from 1. */
void matrix_csv(TextOut *out, const Results *run, const NamedMatrix *matrix);

/* Append the first matrix as CSV, or all of them as JSON with the state, the head and the tokens.
 * Return false for another format, or if memory runs out. */
bool matrix_results(TextOut *out, const ViewContext *context, ViewResult result,
                    const NamedMatrix *matrices, int count);

/* A View's `results`: weights and scores of the chosen head. */
bool head_results(const ViewContext *context, ViewResult result, TextOut *out);

#endif
