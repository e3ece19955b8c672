/* part_numbers.h: the numbers that a part of the picture shows, as CSV, or a matrix as code. */
#ifndef HEADLIGHT_APP_PART_NUMBERS_H
#define HEADLIGHT_APP_PART_NUMBERS_H

#include "app/app.h"
#include "base/err.h"
#include "base/text_out.h"
#include "draw/draw.h"

/* Append to out the numbers that the part with this id shows: one table, or a table for each of its
 * matrices, separated by empty lines. list is the whole picture. Return false and err if the part
 * shows none. */
bool part_numbers_write(TextOut *out, const DrawList *list, App *app, const char *id, Err *err);

/* The code for a matrix: a Python expression, or amsmath with three decimals. */
typedef enum MatrixCode { MATRIX_NUMPY, MATRIX_PYTORCH, MATRIX_LATEX } MatrixCode;

/* Append the matrix that the part shows. Return false if it shows none, or several. */
bool part_matrix_write(TextOut *out, const DrawList *list, const char *id, MatrixCode code);

bool part_has_matrix(const DrawList *list, const char *id);

#endif
