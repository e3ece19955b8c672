#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "model/analysis/percentile.h"
#include "support/test.h"

#define COUNT 700

static uint32_t scratch[PERCENTILE_SCRATCH];

static int ascending(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

TEST(it_is_the_entry_of_that_rank) {
    float values[COUNT], sorted[COUNT];
    for (uint64_t draw = 0; draw < 20; draw++) {
        Rng rng = rng_stream(draw, 3);
        for (int i = 0; i < COUNT; i++) {
            double size = pow(10, 40 * rng_uniform(rng, (uint64_t)i) - 30);
            values[i] = (float)(i % 2 == 0 ? size : -size);
            sorted[i] = fabsf(values[i]);
        }
        Mat mats[2] = {{values, 10, 30, 30}, {values + 300, 4, 100, 100}};
        qsort(sorted, COUNT, sizeof *sorted, ascending);
        for (double percent = 0; percent <= 100; percent += 0.5) {
            int rank = (int)ceil(percent / 100 * COUNT - 1e-9);
            float expected = sorted[rank < 1 ? 0 : rank - 1];
            assert_true(magnitude_percentile(mats, 2, percent, scratch) == expected);
        }
    }
}

TEST(what_is_not_finite_does_not_count) {
    float values[] = {NAN, INFINITY, -INFINITY, -3, 2, 0};
    Mat all = {values, 2, 3, 3}, none = {values, 1, 3, 3};
    assert_true(magnitude_percentile(&all, 1, 100, scratch) == 3);
    assert_true(magnitude_percentile(&all, 1, 50, scratch) == 2);
    assert_true(magnitude_percentile(&none, 1, 100, scratch) == 0);
}
