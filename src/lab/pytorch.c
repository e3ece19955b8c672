#include "lab/pytorch.h"

#include <math.h>

#include "base/number.h"

/* For the scheme mimetic: write a list comprehension that samples both matrices of a pair, W_Q and
 * W_K or W_V and W_O. It splits a random matrix plus or minus the identity by its singular values
 * into two factors, cut or padded to the width of the pair. */
static void pair_list(TextOut *out, AttnParam first, const AttnShape *s) {
    bool scores = first == ATTN_W_Q;
    const char *share = scores ? "0.7" : "0.4", *sign = scores ? "+" : "-";
    int heads = scores ? s->H : 1, width = scores ? s->K : s->H * s->V;
    text_out(out,
             "[torch.nn.functional.pad(m * S[:, None].sqrt(), (0, %d))"
             ".permute(1, 0, 2).reshape(%d, -1) for U, S, Vh in [torch.linalg.svd("
             "%s * torch.randn(%d, %d, %d) / %d ** 0.5 %s %s * torch.eye(%d))]"
             " for m in (U, Vh.mT)]",
             width - s->D, s->D, share, heads, s->D, s->D, s->D, sign, share, s->D);
}

static bool is_paired(const SchemePlan *plan, AttnParam param) {
    return SCHEMES[plan->scheme[param]].law == SCHEME_PAIRED;
}

static void matrix(TextOut *out, const SchemePlan *plan, AttnParam param, const AttnShape *shape) {
    const Scheme *scheme = &SCHEMES[plan->scheme[param]];
    int rows = param_axis_size(PARAMS[param].rows, shape);
    int cols = param_axis_size(PARAMS[param].cols, shape);
    double std = scheme_std(plan, param, shape);
    bool uniform = scheme->distribution == DISTRIBUTION_UNIFORM;
    const char *number = EXACT((float)(uniform ? sqrt(3) * std : std));
    if (is_paired(plan, param)) {
        bool second = param == ATTN_W_K || param == ATTN_W_O;
        pair_list(out, second ? param - 1 : param, shape);
        text_out(out, "[%d]%s", second, param == ATTN_W_O ? ".T" : "");
    } else if (std == 0)
        text_out(out, "torch.zeros(%d, %d)", rows, cols);
    else if (scheme->law == SCHEME_FIXED)
        text_out(out, "torch.eye(%d, %d)", rows, cols);
    else if (uniform)
        text_out(out, "torch.empty(%d, %d).uniform_(-%s, %s)", rows, cols, number, number);
    else if (scheme->distribution == DISTRIBUTION_NORMAL)
        text_out(out, "torch.empty(%d, %d).normal_(0, %s)", rows, cols, number);
    else
        text_out(out, "torch.nn.init.orthogonal_(torch.empty(%d, %d))", rows, cols);
}

/* Write a line "W_Q, W_K = …" or "W_V, W_O = …". In a scheme that samples pairs, one expression
 * gives both matrices; otherwise each matrix has an expression of its own. */
static void pair_line(TextOut *out, const SchemePlan *plan, AttnParam first,
                      const AttnShape *shape) {
    AttnParam second = first + 1;
    text_out(out, first == ATTN_W_Q ? "W_Q, W_K = " : "W_V, W_O = ");
    if (is_paired(plan, first) && is_paired(plan, second)) {
        bool transposed = second == ATTN_W_O;
        text_out(out, transposed ? "(lambda V, O: (V, O.T))(*" : "");
        pair_list(out, first, shape);
        text_out(out, transposed ? ")" : "");
    } else {
        matrix(out, plan, first, shape);
        text_out(out, ", ");
        matrix(out, plan, second, shape);
    }
    text_out(out, "\n");
}

void pytorch_lines(TextOut *out, const char *name, const SchemePlan *plan, const AttnShape *shape) {
    text_out(out, "# %s\nimport torch  # (in, out), as in Q = X @ W_Q; torch.nn.Linear holds W.T\n",
             name);
    pair_line(out, plan, ATTN_W_Q, shape);
    pair_line(out, plan, ATTN_W_V, shape);
}
