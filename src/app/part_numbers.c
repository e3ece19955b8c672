#include "app/part_numbers.h"

#include <math.h>
#include <string.h>

#include "draw/part.h"
#include "results/product_analysis.h"
#include "views/shared/matrix_results.h"

/* Return the largest matrix of the part, or NULL. */
static const DrawCells *find_cells(const DrawList *list, const char *id) {
    const DrawCells *found = NULL;
    const DrawPart *part = part_find(list, id, strlen(id));
    for (size_t i = 0; part != NULL && i < list->command_count; i++) {
        const DrawCells *cells = &list->commands[i].as.cells;
        if (list->commands[i].kind == DRAW_CELLS &&
            rect_contains(part->rect, rect_centre(cells->rect)) &&
            (found == NULL || cells->rect.w * cells->rect.h > found->rect.w * found->rect.h))
            found = cells;
    }
    return found;
}

/* Write the numbers behind a part without cells: the weights of the chosen head for the graph, or
 * the singular values. Return false for any other part. */
static bool put_drawn(TextOut *out, const App *app, const char *part) {
    const Results *run = app_results(app);
    if (strcmp(part, "heads.graph") == 0 || strncmp(part, "graph.", 6) == 0) {
        Mat A = results_weights(run, 0, app_session(app)->options.head - 1);
        matrix_csv(out, run, &(NamedMatrix){"A", A.at, A.rows, A.cols, A.stride, true, true});
        return true;
    }
    if (strcmp(part, "wqk.sigma") != 0 || run->analysis == NULL)
        return false;
    text_out(out, "index,sigma\n");
    for (int i = 0; i < run->analysis->product.count; i++) {
        text_out(out, "%d,", i + 1);
        text_out_number(out, (double)run->analysis->product.sigma[i], "");
        text_out(out, "\n");
    }
    return true;
}

bool part_numbers_write(TextOut *out, const DrawList *list, App *app, const char *id, Err *err) {
    const Results *run = app_results(app);
    const DrawCells *cells = find_cells(list, id);
    bool are_weights = strncmp(id, "wqk.", 4) == 0;
    if (cells != NULL) {
        bool row_tokens = !are_weights && cells->rows == run->T;
        matrix_csv(out, run,
                   &(NamedMatrix){id, cells->values, cells->rows, cells->cols, cells->stride,
                                  row_tokens, row_tokens && cells->cols == run->T});
        return true;
    }
    bool is_frame = strncmp(id, "window.", 7) == 0 && strcmp(id, "window.view") != 0;
    return put_drawn(out, app, id) || (!is_frame && app_write_csv(app, out)) ||
           err_fail(err, id, "has no numbers that can be written as a table");
}

/* The syntax of a matrix, in which nan and inf stand for numbers that are not finite. */
static const struct {
    const char *begin, *row, *between, *row_end, *end, *nan, *inf;
} SYNTAX[] = {
    [MATRIX_NUMPY] = {"np.array([\n", "    [", ", ", "],\n", "])\n", "np.nan", "np.inf"},
    [MATRIX_PYTORCH] = {"torch.tensor([\n", "    [", ", ", "],\n", "])\n", "torch.nan",
                        "torch.inf"},
    [MATRIX_LATEX] = {"\\begin{pmatrix}\n", "", " & ", " \\\\\n", "\\end{pmatrix}\n", "\\cdot",
                      "\\infty"},
};

static void put_value(TextOut *out, double value, MatrixCode code) {
    if (isnan(value))
        text_out(out, "%s", SYNTAX[code].nan);
    else if (isinf(value))
        text_out(out, "%s%s", value < 0 ? "-" : "", SYNTAX[code].inf);
    else
        text_out(out, code == MATRIX_LATEX ? "%.3f" : "%.9g", value);
}

bool part_matrix_write(TextOut *out, const DrawList *list, const char *id, MatrixCode code) {
    const DrawCells *cells = find_cells(list, id);
    if (cells == NULL)
        return false;
    if (code == MATRIX_LATEX && cells->cols > 10) /* amsmath allows at most 10 columns by default */
        text_out(out, "\\setcounter{MaxMatrixCols}{%d}\n", cells->cols);
    text_out(out, "%s", SYNTAX[code].begin);
    for (int row = 0; row < cells->rows; row++) {
        text_out(out, "%s", SYNTAX[code].row);
        for (int col = 0; col < cells->cols; col++) {
            text_out(out, "%s", col > 0 ? SYNTAX[code].between : "");
            put_value(out, (double)cells->values[row * cells->stride + col], code);
        }
        text_out(out, "%s", SYNTAX[code].row_end);
    }
    text_out(out, "%s", SYNTAX[code].end);
    return true;
}

bool part_has_matrix(const DrawList *list, const char *id) {
    return find_cells(list, id) != NULL;
}
