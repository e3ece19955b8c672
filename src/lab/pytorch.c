#include "lab/pytorch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

/* One matrix as an expression; false where it has none of its own. */
static bool matrix(char out[160], const SchemePlan *plan, AttnParam param, const AttnShape *shape) {
    const Scheme *scheme = &SCHEMES[plan->scheme[param]];
    int rows = param_axis_size(PARAMS[param].rows, shape);
    int cols = param_axis_size(PARAMS[param].cols, shape);
    double deviation = scheme_deviation(plan, param, shape);
    char number[32];
    bool uniform = scheme->distribution == DISTRIBUTION_UNIFORM;
    number_format_exact(number, sizeof number, (float)(uniform ? sqrt(3) * deviation : deviation));
    if (scheme->law == SCHEME_PAIRED)
        return false;
    if (deviation == 0)
        snprintf(out, 160, "torch.zeros(%d, %d)", rows, cols);
    else if (scheme->law == SCHEME_FIXED)
        snprintf(out, 160, "torch.eye(%d, %d)", rows, cols);
    else if (uniform)
        snprintf(out, 160, "torch.empty(%d, %d).uniform_(-%s, %s)", rows, cols, number, number);
    else if (scheme->distribution == DISTRIBUTION_NORMAL)
        snprintf(out, 160, "torch.empty(%d, %d).normal_(0, %s)", rows, cols, number);
    else
        snprintf(out, 160, "torch.nn.init.orthogonal_(torch.empty(%d, %d))", rows, cols);
    return true;
}

bool pytorch_lines(char out[PYTORCH_MAX], const SchemePlan *plan, const AttnShape *shape) {
    char m[ATTN_WEIGHT_COUNT][160];
    for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
        if (!matrix(m[p], plan, p, shape)) {
            snprintf(out, PYTORCH_MAX, "# %s draws matrices in pairs: more than three lines\n",
                     SCHEMES[plan->scheme[p]].entry.label);
            return false;
        }
    snprintf(out, PYTORCH_MAX, "import torch\nW_Q, W_K, W_V = %s, %s, %s\nW_O = %s\n", m[ATTN_W_Q],
             m[ATTN_W_K], m[ATTN_W_V], m[ATTN_W_O]);
    return true;
}
