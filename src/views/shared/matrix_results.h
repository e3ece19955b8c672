/* matrix_results.h: writes the matrices of a view as CSV or JSON. */
#ifndef HEADLIGHT_VIEWS_SHARED_MATRIX_RESULTS_H
#define HEADLIGHT_VIEWS_SHARED_MATRIX_RESULTS_H

#include "base/text_out.h"
#include "draw/part.h"
#include "views/view.h"

/* Append a matrix as rows of CSV. The first row and the first column contain the tokens' names, or
 * numbers from 1. */
void matrix_csv(TextOut *out, const Results *run, const NamedMatrix *matrix);

/* Append a token's name as a field of CSV, in quotes. */
void matrix_csv_name(TextOut *out, TokenLabel name);

/* Append the first matrix as CSV, or all of them as JSON with the state, the head and the tokens.
 * Return false for another format, or if memory runs out. */
bool matrix_results(TextOut *out, const ViewContext *context, ViewResult result,
                    const NamedMatrix *matrices, int count);

/* Write the weights and scores of the chosen head: a View's `results`. */
bool head_results(const ViewContext *context, ViewResult result, TextOut *out);

/* Write the beginning of results in JSON, {"state": "…", without a comma. */
void results_json(TextOut *out, const ViewContext *context);

#endif
