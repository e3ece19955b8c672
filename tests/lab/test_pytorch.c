/* The lines of PyTorch say the deviations that the schemes have. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/broken_inits.h"
#include "lab/pytorch.h"
#include "support/test.h"

static int lines_of(const char *text) {
    int lines = 0;
    for (; *text != '\0'; text++)
        lines += *text == '\n';
    return lines;
}

/* Return the standard deviation in an expression; NaN if it has none. */
static double deviation_of(const char *expression) {
    const char *uniform = strstr(expression, "uniform_(-"),
               *normal = strstr(expression, "normal_(0, ");
    if (uniform != NULL)
        return strtod(uniform + strlen("uniform_(-"), NULL) / sqrt(3);
    return normal != NULL ? strtod(normal + strlen("normal_(0, "), NULL) : NAN;
}

static const char *last_call(const char *text) {
    const char *last = text;
    for (const char *at = text; at != NULL; at = strstr(at + 1, "torch."))
        last = at;
    return last;
}

TEST(every_scheme_is_four_lines_with_its_deviation) {
    AttnShape shape = broken_init_shape(8, 48);
    shape.V = 20;
    for (int i = 0; i < SCHEME_REGISTRY.count; i++) {
        TextOut out = {0};
        SchemePlan plan = scheme_plan(i, 6, 1);
        pytorch_lines(&out, "scheme", &plan, &shape);
        assert_int_equal(lines_of(out.at), 4);
        bool has_sizes = strstr(out.at, "(48, 80)") != NULL;
        double said = deviation_of(last_call(out.at));
        text_out_release(&out);
        if (SCHEMES[i].law == SCHEME_PAIRED)
            continue;
        assert_true(has_sizes);
        double wanted = scheme_std(&plan, ATTN_W_O, &shape);
        assert_true(isnan(said) || fabs(said - wanted) < 1e-6 * wanted);
        bool drawn = SCHEMES[i].distribution == DISTRIBUTION_UNIFORM ||
                     SCHEMES[i].distribution == DISTRIBUTION_NORMAL;
        assert_true(isnan(said) == (!drawn || wanted == 0));
    }
}
