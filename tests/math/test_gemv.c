#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/util.h"
#include "math/framed.h"
#include "math/gemm.h"
#include "math/gemv.h"

/* A row alone has the bits that it has among others, and nothing beside it is written. */
static void assert_as_gemm(int cols, int depth, float factor, bool turned) {
    Framed a = framed(1, depth, 1), b = turned ? framed(cols, depth, 2) : framed(depth, cols, 2);
    Framed out = framed(1, cols, 3), be = framed(1, cols, 3);
    gemm(&be.m, &a.m, &b.m, &(GemmPlan){.factor = factor, .b_turned = turned});
    (turned ? gemv_turned : gemv)(&out.m, &a.m, &b.m, factor);
    if (memcmp(out.m.at, be.m.at, (size_t)cols * sizeof *out.m.at) != 0)
        fail_msg("%d columns, depth %d, turned %d", cols, depth, turned);
    assert_frame_untouched(&out);
    free(a.block), free(b.block), free(out.block), free(be.block);
}

static void one_row_has_the_bits_of_many(void **state) {
    (void)state;
    static const int sizes[] = {1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 48, 64, 100, 512, 1030};
    for (size_t c = 0; c < ARRAY_COUNT(sizes); c++)
        for (size_t d = 0; d < ARRAY_COUNT(sizes); d++)
            for (int turned = 0; turned < 2; turned++)
                assert_as_gemm(sizes[c], sizes[d], d % 2 == 0 ? 1 : 0.3F, turned != 0);
    Rng rng = rng_stream(5, 0);
    for (uint64_t n = 0; n < 400; n++)
        assert_as_gemm(1 + (int)(rng_bits(rng, 2 * n) % 80),
                       1 + (int)(rng_bits(rng, 2 * n + 1) % 80), 1, n % 2 == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_row_has_the_bits_of_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
