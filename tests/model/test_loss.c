/* The mean squared error and its gradient, against plain sums and finite differences in double. */
#include <math.h>

#include "base/util.h"
#include "model/attention/task.h"
#include "model/layer.h"
#include "support/test.h"

#define ROWS_MOST 7
#define COLS_MOST 70
#define STEP      1e-4

typedef struct Case {
    float y[ROWS_MOST * COLS_MOST], target[ROWS_MOST * COLS_MOST], dy[ROWS_MOST * COLS_MOST];
    Mat Y, wanted, dY;
} Case;

static void draw_case(Case *c, int rows, int cols, double scale) {
    c->Y = (Mat){c->y, rows, cols, COLS_MOST};
    c->wanted = (Mat){c->target, rows, cols, COLS_MOST};
    c->dY = (Mat){c->dy, rows, cols, COLS_MOST};
    layer_draw(&c->Y, scale, 3, 1);
    layer_draw(&c->wanted, scale, 3, 2);
}

/* With one entry of Y moved. */
static double plain_loss(const Case *c, int at_row, int at_col, double moved) {
    double sum = 0;
    for (int i = 0; i < c->Y.rows; i++)
        for (int j = 0; j < c->Y.cols; j++) {
            double away = (double)mat_row(&c->Y, i)[j] - (double)mat_row(&c->wanted, i)[j];
            away += i == at_row && j == at_col ? moved : 0;
            sum += away * away;
        }
    return sum / ((double)c->Y.rows * c->Y.cols);
}

static void check_case(Case *c, double scale) {
    double loss = plain_loss(c, 0, 0, 0);
    double got = (double)task_loss(&c->dY, &c->Y, &c->wanted);
    assert_true(fabs(got - loss) <= 1e-6 * loss);
    for (int i = 0; i < c->Y.rows; i++)
        for (int j = 0; j < c->Y.cols; j++) {
            double above = plain_loss(c, i, j, STEP * scale);
            double below = plain_loss(c, i, j, -STEP * scale);
            double slope = (above - below) / (2 * STEP * scale);
            double most = 1e-5 * scale / (c->Y.rows * c->Y.cols);
            assert_true(fabs((double)mat_row(&c->dY, i)[j] - slope) <= most);
        }
}

TEST(the_loss_and_its_gradient_are_those_of_double) {
    static const int cols[] = {1, 5, 15, 16, 17, 32, 63, COLS_MOST};
    static const double scales[] = {1e-3, 1, 1e3};
    for (size_t k = 0; k < ARRAY_COUNT(cols); k++)
        for (size_t s = 0; s < ARRAY_COUNT(scales); s++)
            for (int rows = 1; rows <= ROWS_MOST; rows += 3) {
                Case c;
                draw_case(&c, rows, cols[k], scales[s]);
                check_case(&c, scales[s]);
            }
}

TEST(what_is_reached_costs_nothing) {
    Case c;
    draw_case(&c, 4, 20, 1);
    mat_copy(&c.Y, &c.wanted);
    assert_true(task_loss(&c.dY, &c.Y, &c.wanted) == 0);
    assert_true(mat_largest(&c.dY) == 0);
}

TEST(what_is_beyond_float32_is_not_finite) {
    static const float far[] = {1e25f, INFINITY, -INFINITY, NAN};
    for (size_t i = 0; i < ARRAY_COUNT(far); i++) {
        Case c;
        draw_case(&c, 4, 20, 1);
        mat_row(&c.Y, 2)[7] = far[i];
        float loss = task_loss(&c.dY, &c.Y, &c.wanted);
        assert_true(isinf(loss) || isnan(loss));
    }
}
