#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "math/framed.h"
#include "math/orthogonal.h"

static double entry(const Mat *m, int i, int j, bool turned) {
    return (double)(turned ? mat_row(m, j)[i] : mat_row(m, i)[j]);
}

/* Qᵀ·m (of the tall one of m and mᵀ) must be an upper triangle with a diagonal above 0. */
static void assert_triangle(const Mat *q, const Mat *m) {
    bool wide = m->rows < m->cols;
    int length = wide ? m->cols : m->rows, count = wide ? m->rows : m->cols;
    for (int a = 0; a < count; a++)
        for (int b = 0; b <= a; b++) {
            double r = 0;
            for (int p = 0; p < length; p++)
                r += entry(q, p, a, wide) * entry(m, p, b, wide);
            assert_true(a == b ? r > 0 : fabs(r) < 1e-5 * length);
        }
}

static void orthogonalised_is_the_q_of_qr(void **state) {
    (void)state;
    static const int shapes[][2] = {{1, 1}, {5, 5}, {40, 7},    {7, 40},    {130, 100},
                                    {1, 9}, {9, 1}, {129, 129}, {161, 170}, {230, 200}};
    for (size_t s = 0; s < ARRAY_COUNT(shapes); s++) {
        Framed m = framed(shapes[s][0], shapes[s][1], 8), q = framed(shapes[s][0], shapes[s][1], 8);
        Err err;
        assert_true(orthogonal_factor(&q.m, NULL, &err));
        assert_frame_untouched(&q);
        assert_triangle(&q.m, &m.m);
        free(m.block), free(q.block);
    }
}

static void orthogonalising_nothing_still_ends(void **state) {
    (void)state;
    Framed m = framed(4, 3, 1);
    Err err;
    for (int i = 0; i < 4; i++)
        memset(mat_row(&m.m, i), 0, 3 * sizeof(float));
    assert_true(orthogonal_factor(&m.m, NULL, &err));
    assert_true(mat_is_finite(&m.m));
    free(m.block);
}

static void it_stops_where_it_is_told_to(void **state) {
    (void)state;
    static const int shapes[][2] = {{200, 200}, {150, 300}, {300, 150}};
    for (size_t s = 0; s < ARRAY_COUNT(shapes); s++) {
        Framed m = framed(shapes[s][0], shapes[s][1], 3);
        Err err = {0};
        JobWatch watch;
        job_watch_begin(&watch);
        assert_true(orthogonal_factor(&m.m, &watch, &err));
        atomic_store(&watch.stop, true);
        assert_false(orthogonal_factor(&m.m, &watch, &err));
        assert_int_equal(err.kind, ERR_FAILED);
        assert_frame_untouched(&m);
        free(m.block);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orthogonalised_is_the_q_of_qr),
        cmocka_unit_test(orthogonalising_nothing_still_ends),
        cmocka_unit_test(it_stops_where_it_is_told_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
