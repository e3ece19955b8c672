/* The size of text that an X11 desktop reports. */
#include <math.h>

#include "base/util.h"
#include "shell/x11.h"
#include "support/test.h"

TEST(text_is_as_dense_as_the_resource_says) {
    static const struct {
        const char *dpi;
        float density;
    } cases[] = {{"96", 1},        {"192", 2},   {"144", 1.5f},
                 {"144 \t", 1.5f}, {" ", 1},     {"120.5", 120.5f / 96},
                 {"1.2e2", 1.25f}, {NULL, 1},    {"", 1},
                 {"96dpi", 1},     {"dense", 1}, {"72", 1},
                 {"0", 1},         {"-192", 1},  {"10000", 4},
                 {"nan", 1},       {"inf", 1},   {"1e999", 1}};
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        float density = x11_density_of(cases[i].dpi);
        if (!(fabsf(density - cases[i].density) < 1e-5f))
            fail_msg("%s: %g", cases[i].dpi != NULL ? cases[i].dpi : "not set", (double)density);
    }
}
