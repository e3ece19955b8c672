#include "app/part_numbers.h"

#include <math.h>
#include <string.h>

#include "app/app_state.h"
#include "base/util.h"
#include "results/product_analysis.h"
#include "views/parts.h"
#include "views/shared/heatmap.h"
#include "views/shared/matrix_results.h"

/* Return the number of matrices of the part: its own, else those of the parts inside it, else all
 * that are drawn inside it. Set *out to matrix number `at`, from 0. The map of all layers has none,
 * because its matrices are pooled. */
static int find_matrix(NamedMatrix *out, const DrawList *list, const char *id, int at) {
    bool is_map = strcmp(id, "heads.layers") == 0 ||
                  (strcmp(id, "window.view") == 0 &&
                   part_find(list, "heads.layers", strlen("heads.layers")) != NULL);
    const DrawPart *part = is_map ? NULL : part_find(list, id, strlen(id));
    bool has_heads = strncmp(id, "compare.", 8) == 0 || strncmp(id, "train.", 6) == 0;
    int count = 0;
    if (part != NULL && part->numbers.rows > 0) {
        *out = part->numbers;
        return 1;
    }
    for (size_t i = 0; part != NULL && i < list->part_count; i++) {
        const DrawPart *inner = &list->parts[i];
        if (inner->numbers.rows > 0 && rect_contains(part->rect, rect_centre(inner->rect)) &&
            count++ == at)
            *out = inner->numbers;
    }
    if (count > 0)
        return count;
    for (size_t i = 0; part != NULL && i < list->command_count; i++) {
        const DrawCells *cells = &list->commands[i].as.cells;
        if (list->commands[i].kind != DRAW_CELLS ||
            !rect_contains(part->rect, rect_centre(cells->rect)))
            continue;
        if (count++ == at)
            *out = (NamedMatrix){id,        cells->values, cells->rows, cells->cols, cells->stride,
                                 has_heads, has_heads,     NULL,        NULL};
    }
    return count;
}

static void put_sigma(TextOut *out, const ProductAnalysis *analysis) {
    text_out(out, "index,sigma\n");
    for (int i = 0; i < analysis->product.count; i++) {
        text_out(out, "%d,", i + 1);
        text_out_number(out, (double)analysis->product.sigma[i], "");
        text_out(out, "\n");
    }
}

static void put_curve(TextOut *out, const RankCurve *curve) {
    text_out(out, "rank,W,S,max |dA|,KL\n");
    for (int i = 0; i < curve->count; i++) {
        const float *const columns[] = {curve->W, curve->S, curve->A, curve->KL};
        text_out_number(out, (double)curve->rank[i], "");
        for (size_t k = 0; k < ARRAY_COUNT(columns); k++) {
            text_out(out, ",");
            text_out_number(out, (double)columns[k][i], "");
        }
        text_out(out, "\n");
    }
}

static void put_next(TextOut *out, const NextTokens *next) {
    text_out(out, "token,probability,logit\n");
    for (int i = 0; i < next->count; i++) {
        matrix_csv_name(out, (TokenLabel){next->at[i].name, strlen(next->at[i].name)});
        text_out(out, ",");
        text_out_number(out, next->at[i].share[0], "");
        text_out(out, ",");
        text_out_number(out, next->at[i].logit[0], "");
        text_out(out, "\n");
    }
}

bool part_numbers_write(TextOut *out, const DrawList *list, App *app, const char *id, Err *err) {
    const Results *run = app_results(app), *names = run;
    NamedMatrix m;
    int row = part_row(id, strlen(id)), count = find_matrix(&m, list, id, 0);
    if (strcmp(id, "heads.second") == 0)
        names = &heatmap_pair(app_context(app))->run;
    if (row >= 0 && PARTS[row].has_view_numbers)
        return app_write_csv(app, out) || err_fail(err, id, "has no numbers yet");
    if (strcmp(id, "wqk.sigma") == 0 && run->analysis != NULL)
        put_sigma(out, run->analysis);
    else if (strcmp(id, "wqk.curve") == 0 && run->analysis != NULL)
        put_curve(out, &run->analysis->curve);
    else if (strcmp(id, "heads.next") == 0)
        put_next(out, &run->next);
    else if (count == 0)
        return err_fail(err, id, "has no numbers that can be written as a table");
    for (int i = 0; i < count; i++) {
        find_matrix(&m, list, id, i);
        m.row_tokens = m.row_tokens && (m.row_order != NULL || m.rows == names->T);
        m.col_tokens = m.col_tokens && (m.col_order != NULL || m.cols == names->T);
        text_out(out, "%s", i > 0 ? "\n" : "");
        matrix_csv(out, names, &m);
    }
    return true;
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
    NamedMatrix m;
    if (find_matrix(&m, list, id, 0) != 1)
        return false;
    if (code == MATRIX_LATEX && m.cols > 10) /* amsmath allows at most 10 columns by default */
        text_out(out, "\\setcounter{MaxMatrixCols}{%d}\n", m.cols);
    text_out(out, "%s", SYNTAX[code].begin);
    for (int row = 0; row < m.rows; row++) {
        text_out(out, "%s", SYNTAX[code].row);
        for (int col = 0; col < m.cols; col++) {
            text_out(out, "%s", col > 0 ? SYNTAX[code].between : "");
            put_value(out, (double)m.values[row * m.stride + col], code);
        }
        text_out(out, "%s", SYNTAX[code].row_end);
    }
    text_out(out, "%s", SYNTAX[code].end);
    return true;
}

bool part_has_matrix(const DrawList *list, const char *id) {
    NamedMatrix m;
    return find_matrix(&m, list, id, 0) == 1;
}
