#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "base/util.h"
#include "math/decompose.h"
#include "model/layer.h"
#include "model/spectrum.h"

#define COUNT_MAX 80

static void effective_rank_of_known_spectra(void **state) {
    (void)state;
    assert_true(fabs(spectrum_effective_rank((const double[]){2, 2, 2, 2, 2}, 5) - 5) < 1e-12);
    assert_true(fabs(spectrum_effective_rank((const double[]){7, 0, 0}, 3) - 1) < 1e-12);
    assert_true(spectrum_effective_rank((const double[]){0, 0, 0}, 3) == 0);
    /* Shares 1/2, 1/4, 1/4: an entropy of 1.5 ln 2. */
    double known = spectrum_effective_rank((const double[]){4, 2, 2, 0}, 4);
    assert_true(fabs(known - pow(2, 1.5)) < 1e-12);
    double larger = spectrum_effective_rank((const double[]){4e9, 2e9, 2e9, 0}, 4);
    assert_true(fabs(larger - known) < 1e-12);
}

static void effective_rank_of_attention(void **state) {
    (void)state;
    enum { T = 9 };
    float at[T * T] = {0};
    Mat A = {at, T, T, T};
    assert_true(spectrum_matrix_effective_rank(&A) == 0);
    for (int i = 0; i < T; i++)
        at[i * T + i] = 1;
    assert_true(fabs(spectrum_matrix_effective_rank(&A) - T) < 1e-9);
    for (int e = 0; e < T * T; e++)
        at[e] = 1.0F / T;
    assert_true(fabs(spectrum_matrix_effective_rank(&A) - 1) < 1e-5);
    at[4] = NAN;
    assert_true(isnan(spectrum_matrix_effective_rank(&A)));
}

/* Against the singular values of the product itself. */
static void assert_spectrum(const double *sigma, int count, const Mat *product) {
    double whole[COUNT_MAX];
    Err err;
    assert_true(decompose_matrix(NULL, whole, NULL, product, &err));
    for (int i = 0; i < count; i++)
        if (!(fabs(sigma[i] - whole[i]) <= 1e-4 * whole[i] + 1e-6 * whole[0]))
            fail_msg("σ_%d is %.9g, the product's %.9g", i, sigma[i], whole[i]);
    for (int i = count; i < product->rows; i++)
        assert_true(whole[i] < 1e-6 * whole[0]);
}

static void spectra_are_those_of_the_products(void **state) {
    (void)state;
    static const AttnShape shapes[] = {
        {.T = 4, .D = 64, .H = 4, .K = 16, .V = 16, .form = FORM_SEPARATE, .score_factor = 1},
        {.T = 4, .D = 48, .H = 2, .K = 70, .V = 9, .form = FORM_SEPARATE, .score_factor = 1},
        {.T = 4, .D = 12, .H = 2, .K = 5, .V = 30, .form = FORM_SEPARATE, .score_factor = 1},
        {.T = 4, .D = 1, .H = 1, .K = 1, .V = 1, .form = FORM_SEPARATE, .score_factor = 1}};
    for (size_t s = 0; s < ARRAY_COUNT(shapes); s++) {
        Layer layer;
        layer_init(&layer, shapes[s], MASK_NONE, 6);
        int D = shapes[s].D;
        float at[COUNT_MAX * COUNT_MAX];
        double sigma[COUNT_MAX];
        Mat product = {at, D, D, D};
        for (int h = 0; h < shapes[s].H; h++) {
            Err err;
            Mat q = attn_head_query(&layer.params.p[ATTN_W_Q], &layer.shape, h);
            Mat k = attn_head_query(&layer.params.p[ATTN_W_K], &layer.shape, h);
            mat_mul_bt(&product, &q, &k, 1);
            assert_true(spectrum_query_key(sigma, &q, &k, &err));
            assert_spectrum(sigma, D < shapes[s].K ? D : shapes[s].K, &product);
            Mat v = attn_head_value(&layer.params.p[ATTN_W_V], &layer.shape, h);
            Mat o = mat_rows(&layer.params.p[ATTN_W_O], h * shapes[s].V, shapes[s].V);
            mat_mul(&product, &v, &o, 1);
            assert_true(spectrum_value_output(sigma, &v, &o, &err));
            assert_spectrum(sigma, D < shapes[s].V ? D : shapes[s].V, &product);
        }
        layer_release(&layer);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(effective_rank_of_known_spectra),
        cmocka_unit_test(effective_rank_of_attention),
        cmocka_unit_test(spectra_are_those_of_the_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
