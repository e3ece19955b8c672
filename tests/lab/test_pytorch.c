/* The lines of PyTorch say the deviations that the schemes have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/bugs.h"
#include "lab/pytorch.h"

static int lines_of(const char *text) {
    int lines = 0;
    for (; *text != '\0'; text++)
        lines += *text == '\n';
    return lines;
}

/* The deviation that an expression draws with, or not a number where it does not say one. */
static double deviation_of(const char *expression) {
    const char *uniform = strstr(expression, "uniform_(-"),
               *normal = strstr(expression, "normal_(0, ");
    if (uniform != NULL)
        return strtod(uniform + strlen("uniform_(-"), NULL) / sqrt(3);
    return normal != NULL ? strtod(normal + strlen("normal_(0, "), NULL) : NAN;
}

static void every_scheme_is_three_lines_with_its_deviation(void **state) {
    (void)state;
    AttnShape shape = bug_shape(8, 48);
    shape.V = 20;
    for (int i = 0; i < SCHEME_REGISTRY.count; i++) {
        char text[PYTORCH_MAX];
        SchemePlan plan = scheme_plan(i, 6, 1);
        bool has = pytorch_lines(text, &plan, &shape);
        assert_true(has == (SCHEMES[i].law != SCHEME_PAIRED));
        assert_int_equal(lines_of(text), has ? 3 : 1);
        if (!has)
            continue;
        assert_non_null(strstr(text, "(48, 80)"));
        double said = deviation_of(strstr(text, "W_O = "));
        double wanted = scheme_deviation(&plan, ATTN_W_O, &shape);
        assert_true(isnan(said) || fabs(said - wanted) < 1e-6 * wanted);
        bool drawn = SCHEMES[i].distribution == DISTRIBUTION_UNIFORM ||
                     SCHEMES[i].distribution == DISTRIBUTION_NORMAL;
        assert_true(isnan(said) == (!drawn || wanted == 0));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scheme_is_three_lines_with_its_deviation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
