#include <math.h>
#include <stdlib.h>

#include "base/util.h"
#include "math/framed.h"
#include "math/mat.h"
#include "support/test.h"

TEST(views_share_memory) {
    ARENA(arena, mat_bytes(6, 10));
    Mat m = mat_push(&arena, 6, 10), cols = mat_cols(&m, 3, 4), part = mat_rows(&cols, 2, 3);
    assert_int_equal(part.rows, 3);
    assert_int_equal(part.cols, 4);
    assert_ptr_equal(mat_row(&part, 1), m.at + 33);
    assert_ptr_equal(mat_cols(&m, 10, 0).at, m.at + 10);
    assert_int_equal(arena.used, mat_bytes(6, 10));
}

TEST(bytes_do_not_wrap) {
    assert_int_equal(mat_bytes(0, 5), 0);
    assert_true(mat_bytes(3, 3) >= 36);
    size_t huge = mat_bytes(INT32_MAX, INT32_MAX), most = INT32_MAX;
    assert_true(huge == SIZE_MAX || huge >= most * most);
}

TEST(differences_are_found) {
    Framed a = framed(4, 6, 1), b = framed(4, 6, 2);
    mat_copy(&b.m, &a.m);
    assert_true(mat_max_difference(&a.m, &b.m) == 0);
    mat_row(&a.m, 3)[5] = 1;
    mat_row(&b.m, 3)[5] = -1.5F;
    assert_true(mat_max_difference(&a.m, &b.m) == 2.5F);
    mat_row(&b.m, 0)[0] = NAN;
    assert_true(isnan(mat_max_difference(&a.m, &b.m)));
    assert_true(mat_is_finite(&a.m) && !mat_is_finite(&b.m));
    assert_frame_untouched(&b);
    free(a.block), free(b.block);
}

/* At every place of a row shorter or longer than a vector, and with every kind of value that is not
 * finite. */
TEST(the_largest_is_found) {
    for (int cols = 1; cols < 140; cols += 23)
        for (int at = 0; at < 3 * cols; at += 7) {
            Framed a = framed(3, cols, 7);
            for (int e = 0; e < 3 * cols; e++)
                mat_row(&a.m, e / cols)[e % cols] = e == at      ? -7.5F
                                                    : e % 5 == 0 ? NAN
                                                    : e % 5 == 1 ? INFINITY
                                                                 : 7.25F;
            assert_true(mat_largest(&a.m) == 7.5F);
            free(a.block);
        }
    Framed none = framed(1, 2, 3);
    mat_row(&none.m, 0)[0] = mat_row(&none.m, 0)[1] = -INFINITY;
    assert_true(mat_largest(&none.m) == 0);
    free(none.block);
}

TEST(the_largest_come_first) {
    const float values[] = {1, NAN, 3, -2, 3, -INFINITY, 7};
    const int order[] = {6, 2, 4, 0, 3};
    for (int most = 0; most < 8; most++) {
        int found[8], wanted = most < 5 ? most : 5;
        assert_int_equal(mat_largest_first(found, most, values, 7), wanted);
        for (int i = 0; i < wanted; i++)
            assert_int_equal(found[i], order[i]);
    }
}
