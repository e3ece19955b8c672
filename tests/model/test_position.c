#include <math.h>
#include <string.h>

#include "model/attention/position.h"
#include "support/test.h"

#define WIDEST 64
static float block[600 * WIDEST];

static Mat filled(int T, int D, float value) {
    for (int e = 0; e < T * D; e++)
        block[e] = value;
    return (Mat){block, T, D, D};
}

TEST(none_changes_nothing) {
    Mat x = filled(9, 7, 0.25F);
    position_add(&x, 0, POSITION_NONE, 1);
    for (int e = 0; e < 63; e++)
        assert_true(block[e] == 0.25F);
}

TEST(sinusoidal_is_the_papers_formula) {
    for (int D = 1; D <= WIDEST; D += 9) {
        Mat x = filled(600, D, 0);
        position_add(&x, 0, POSITION_SINUSOIDAL, 1);
        for (int t = 0; t < 600; t++)
            for (int c = 0; c < D; c++) {
                double angle = t / pow(10000, 2.0 * (c / 2) / D);
                double expected = c % 2 == 0 ? sin(angle) : cos(angle);
                assert_true(fabs((double)mat_row(&x, t)[c] - expected) < 1e-6);
            }
    }
}

TEST(first_position_is_zeros_and_ones) {
    Mat x = filled(1, 5, 0);
    position_add(&x, 0, POSITION_SINUSOIDAL, 1);
    for (int c = 0; c < 5; c++)
        assert_true(block[c] == (c % 2 == 0 ? 0.0F : 1.0F));
}

TEST(it_is_added_and_stays_inside) {
    filled(3, 10, 2);
    Mat x = {block, 3, 6, 10};
    position_add(&x, 0, POSITION_SINUSOIDAL, 1);
    assert_float_equal(mat_row(&x, 1)[0], 2 + sinf(1), 1e-6);
    assert_float_equal(mat_row(&x, 1)[1], 2 + cosf(1), 1e-6);
    for (int t = 0; t < 3; t++)
        for (int c = 6; c < 10; c++)
            assert_true(block[t * 10 + c] == 2);
}

TEST(registry_lists_the_contracts_ids) {
    assert_int_equal(registry_find(&POSITIONS, "none", 4), POSITION_NONE);
    assert_int_equal(registry_find(&POSITIONS, "sinusoidal", 10), POSITION_SINUSOIDAL);
    assert_int_equal(registry_find(&POSITIONS, "sinus", 5), -1);
}
