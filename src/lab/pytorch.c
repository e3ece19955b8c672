#include "lab/pytorch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

#define LINE_MAX 700

/* Write code for the scheme mimetic: a list comprehension that samples both matrices of a pair. It
 * takes the singular values of the matrix that their product approximates, cut or padded to the
 * width of the pair. */
static void pair_list(char out[LINE_MAX], AttnParam first, const AttnShape *s) {
    bool scores = first == ATTN_W_Q;
    const char *share = scores ? "0.7" : "0.4", *sign = scores ? "+" : "-";
    int heads = scores ? s->H : 1, width = scores ? s->K : s->H * s->V;
    snprintf(out, LINE_MAX,
             "[torch.nn.functional.pad(m * S[:, None].sqrt(), (0, %d))"
             ".permute(1, 0, 2).reshape(%d, -1) for U, S, Vh in [torch.linalg.svd("
             "%s * torch.randn(%d, %d, %d) / %d ** 0.5 %s %s * torch.eye(%d))]"
             " for m in (U, Vh.mT)]",
             width - s->D, s->D, share, heads, s->D, s->D, s->D, sign, share, s->D);
}

static bool is_paired(const SchemePlan *plan, AttnParam param) {
    return SCHEMES[plan->scheme[param]].law == SCHEME_PAIRED;
}

/* Write the expression that samples one matrix. */
static void matrix(char out[LINE_MAX], const SchemePlan *plan, AttnParam param,
                   const AttnShape *shape) {
    const Scheme *scheme = &SCHEMES[plan->scheme[param]];
    int rows = param_axis_size(PARAMS[param].rows, shape);
    int cols = param_axis_size(PARAMS[param].cols, shape);
    double std = scheme_std(plan, param, shape);
    char number[32];
    bool uniform = scheme->distribution == DISTRIBUTION_UNIFORM;
    number_format_exact(number, sizeof number, (float)(uniform ? sqrt(3) * std : std));
    if (is_paired(plan, param)) {
        bool second = param == ATTN_W_K || param == ATTN_W_O;
        pair_list(out, second ? param - 1 : param, shape);
        size_t used = strlen(out);
        snprintf(out + used, LINE_MAX - used, "[%d]%s", second, param == ATTN_W_O ? ".T" : "");
    } else if (std == 0)
        snprintf(out, LINE_MAX, "torch.zeros(%d, %d)", rows, cols);
    else if (scheme->law == SCHEME_FIXED)
        snprintf(out, LINE_MAX, "torch.eye(%d, %d)", rows, cols);
    else if (uniform)
        snprintf(out, LINE_MAX, "torch.empty(%d, %d).uniform_(-%s, %s)", rows, cols, number,
                 number);
    else if (scheme->distribution == DISTRIBUTION_NORMAL)
        snprintf(out, LINE_MAX, "torch.empty(%d, %d).normal_(0, %s)", rows, cols, number);
    else
        snprintf(out, LINE_MAX, "torch.nn.init.orthogonal_(torch.empty(%d, %d))", rows, cols);
}

/* Write "W_Q, W_K = …" if one expression samples both matrices, otherwise a line that samples
 * each. */
static size_t pair_line(char *out, size_t capacity, const SchemePlan *plan, AttnParam first,
                        const AttnShape *shape) {
    AttnParam second = first + 1;
    char a[LINE_MAX], b[LINE_MAX];
    const char *names = first == ATTN_W_Q ? "W_Q, W_K" : "W_V, W_O";
    if (is_paired(plan, first) && is_paired(plan, second)) {
        bool transposed = second == ATTN_W_O;
        pair_list(a, first, shape);
        return (size_t)snprintf(out, capacity, "%s = %s%s%s\n", names,
                                transposed ? "(lambda V, O: (V, O.T))(*" : "", a,
                                transposed ? ")" : "");
    }
    matrix(a, plan, first, shape);
    matrix(b, plan, second, shape);
    return (size_t)snprintf(out, capacity, "%s = %s, %s\n", names, a, b);
}

void pytorch_lines(char out[PYTORCH_MAX], const SchemePlan *plan, const AttnShape *shape) {
    size_t used = (size_t)snprintf(
        out, PYTORCH_MAX,
        "import torch  # (in, out), as in Q = X @ W_Q; torch.nn.Linear holds W.T\n");
    used += pair_line(out + used, PYTORCH_MAX - used, plan, ATTN_W_Q, shape);
    pair_line(out + used, PYTORCH_MAX - used, plan, ATTN_W_V, shape);
}
