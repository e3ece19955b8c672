#include "document/layer_code.h"

#include <stdlib.h>

#include "base/util.h"
#include "document/state.h"

static const Entry CODE_ROWS[] = {
    [LAYER_CODE_PYTORCH] = {"pytorch", "PyTorch", "", "A script that needs PyTorch."},
    [LAYER_CODE_NUMPY] = {"numpy", "NumPy", "", "A script that needs NumPy."},
};
const Registry LAYER_CODES = REGISTRY("codes", "code", CODE_ROWS);

/* Features of a layer. They decide which pieces of code the script needs. */
enum {
    TORCH = 1 << 0,
    NUMPY = 1 << 1,
    FACTORS = 1 << 2, /* S from W_Q and W_K */
    NESTED = 1 << 3,
    PRODUCT = 1 << 4, /* S from W_QK */
    OFFSETS = 1 << 5, /* S from a W_QK for each distance i - j */
    ROPE = 1 << 6,
    INNER_BIAS = 1 << 7,
    OUTER_BIAS = 1 << 8,
    ADDS = 1 << 9, /* X is added to the output */
    PRE_NORM = 1 << 10,
    POST_NORM = 1 << 11,
    OPEN = 1 << 12, /* the option mask is none */
    CAUSAL = 1 << 13,
    WINDOW = 1 << 14,
    BY_HAND = 1 << 15, /* the mask has edges set by hand, or a checkpoint's window */
    HAND_SCORES = 1 << 16,
    RMS = 1 << 17,
    EPSILON = 1 << 18, /* the norm is RMSNorm, or its epsilon is not 1e-5 */
    SPEEDS = 1 << 19,  /* RoPE's base, width or scaling is not the default */
    QK_NORM = 1 << 20,
    CAP = 1 << 21,
    GAINS = 1 << 22, /* gains of heads are set by hand */
    MEANS = 1 << 23,
};

/* A piece of the script. It is appended if the layer has all features of `needs`, at least one of
 * `of` (if `of` is not 0), and none of `lacks`. */
typedef struct Piece {
    unsigned needs, of, lacks;
    const char *text;
} Piece;

static const Piece READ[] = {
    {TORCH, 0, 0, "import json\nimport pathlib\n\nimport torch\n\n"},
    {NUMPY, 0, 0, "import json\nimport pathlib\n\nimport numpy as np\n\n"},
};

static const Piece LAYER[] = {
    {0, 0, 0,
     "start = 8 + int.from_bytes(raw[:8], \"little\")\n"
     "header = json.loads(raw[8:start])\n"
     "tokens = json.loads(header.pop(\"__metadata__\")[\"tokens\"])\n"
     "t = {}\n"
     "for name, entry in header.items():\n"
     "    begin, end = entry[\"data_offsets\"]\n"},
    {TORCH, 0, 0,
     "    values = torch.frombuffer(raw[start + begin:start + end], dtype=torch.float32)\n"
     "    t[name] = values.reshape(entry[\"shape\"]).double()\n\n"},
    {NUMPY, 0, 0,
     "    values = np.frombuffer(raw[start + begin:start + end], \"<f4\")\n"
     "    t[name] = values.reshape(entry[\"shape\"]).astype(float)\n\n"},
    {0, 0, 0,
     "X = t[\"X\"]  # (T, D): a row for each token, with its position added\n"
     "T, D = X.shape\n"},
    {TORCH, 0, 0, "i, j = torch.arange(T)[:, None], torch.arange(T)  # query, key\n"},
    {NUMPY, 0, 0, "i, j = np.arange(T)[:, None], np.arange(T)  # query, key\n"},
    {0, OPEN, BY_HAND, "M = (i >= 0) & (j >= 0)  # the mask leaves every key open\n"},
    {0, CAUSAL, BY_HAND, "M = j <= i  # causal mask\n"},
    {0, WINDOW, BY_HAND, "M = abs(i - j) <= window  # mask\n"},
    {BY_HAND, 0, 0, "M = t[\"M\"] > 0  # mask, with edges set by hand\n"},
    {RMS, PRE_NORM | POST_NORM, 0,
     "\ndef norm(x):\n    return x / ((x * x).sum(-1)[..., None] / D + epsilon) ** 0.5\n\n"},
    {EPSILON, PRE_NORM | POST_NORM, RMS,
     "\ndef norm(x):\n    x = x - x.sum(-1)[..., None] / D\n"
     "    return x / ((x * x).sum(-1)[..., None] / D + epsilon) ** 0.5\n\n"},
    {TORCH, PRE_NORM | POST_NORM, EPSILON,
     "\ndef norm(x):\n    return torch.nn.functional.layer_norm(x, (D,), eps=1e-5)\n\n"},
    {NUMPY, PRE_NORM | POST_NORM, EPSILON,
     "\ndef norm(x):\n"
     "    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)\n\n"},
    {PRE_NORM, 0, 0, "x = norm(X)\n"},
    {0, 0, PRE_NORM, "x = X\n"},

    {FACTORS, 0, 0, "Q, K = x @ t[\"W_Q\"], x @ t[\"W_K\"]  # (H, T, d_k)\n"},
    {NESTED, 0, 0,
     "Q = x @ t[\"W_Q_full\"] @ t[\"W_Q_head\"]  # (H, T, d_k)\n"
     "K = x @ t[\"W_K_full\"] @ t[\"W_K_head\"]\n"
     "V = x @ t[\"W_V_full\"] @ t[\"W_V_head\"]\n"},
    {0, 0, NESTED, "V = x @ t[\"W_V\"]  # (H, T, d_v)\n"},
    {INNER_BIAS, FACTORS | NESTED, 0, "Q, K = Q + t[\"b_Q\"][:, None], K + t[\"b_K\"][:, None]\n"},
    {INNER_BIAS, 0, 0, "V = V + t[\"b_V\"][:, None]\n"},
    {QK_NORM, FACTORS | NESTED, 0,
     "\ndef unit(q, gain):\n"
     "    return q / ((q * q).sum(-1)[..., None] / len(gain) + qk_epsilon) ** 0.5 * gain\n\n"
     "Q, K = unit(Q, t[\"q_gain\"]), unit(K, t[\"k_gain\"])\n"},
    {TORCH | ROPE | SPEEDS, FACTORS | NESTED, 0,
     "angle = i * torch.tensor(speeds).double()\nc, s = angle.cos(), angle.sin()\n"},
    {NUMPY | ROPE | SPEEDS, FACTORS | NESTED, 0,
     "angle = i * np.array(speeds)\nc, s = np.cos(angle), np.sin(angle)\n"},
    {TORCH | ROPE, FACTORS | NESTED, SPEEDS,
     "pair = torch.arange(0, Q.shape[-1], 2, dtype=torch.float64)\n"
     "angle = i * 10000 ** (-pair / Q.shape[-1])\n"
     "c, s = angle.cos(), angle.sin()\n"},
    {NUMPY | ROPE, FACTORS | NESTED, SPEEDS,
     "angle = i * 10000 ** (-np.arange(0, Q.shape[-1], 2) / Q.shape[-1])\n"
     "c, s = np.cos(angle), np.sin(angle)\n"},
    {ROPE, FACTORS | NESTED, 0,
     "\ndef rotate(q):  # rotate each pair of columns by the position\n"
     "    a, b = q[..., ::2], q[..., 1::2]\n"},
    {TORCH | ROPE, FACTORS | NESTED, 0,
     "    return torch.stack([a * c - b * s, a * s + b * c], -1).reshape(q.shape)\n\n"},
    {NUMPY | ROPE, FACTORS | NESTED, 0,
     "    return np.stack([a * c - b * s, a * s + b * c], -1).reshape(q.shape)\n\n"},
    {ROPE, FACTORS | NESTED, 0, "Q, K = rotate(Q), rotate(K)\n"},
    {0, FACTORS | NESTED, 0, "S = factor * Q @ K.swapaxes(1, 2)  # (H, T, T)\n"},
    {TORCH | INNER_BIAS, PRODUCT | OFFSETS, 0,
     "x = torch.cat([x, torch.ones(T, 1).double()], 1)  # the 1 multiplies the biases\n"},
    {NUMPY | INNER_BIAS, PRODUCT | OFFSETS, 0,
     "x = np.concatenate([x, np.ones((T, 1))], 1)  # the 1 multiplies the biases\n"},
    {PRODUCT, 0, 0, "S = factor * x @ t[\"W_QK\"] @ x.T  # (H, T, T)\n"},
    {OFFSETS, 0, 0,
     "\ndef score(i, j):  # of all heads; each distance i - j has its own matrix\n"
     "    return factor * x[i] @ t[\"W_QK_offset\"][i - j + T - 1] @ x[j]\n\n"},
    {TORCH | OFFSETS, 0, 0,
     "S = torch.stack([torch.stack([score(i, j) for j in range(T)], -1) for i in range(T)], 1)\n"},
    {NUMPY | OFFSETS, 0, 0,
     "S = np.stack([np.stack([score(i, j) for j in range(T)], -1) for i in range(T)], 1)\n"},

    {CAP | TORCH, 0, 0, "S = cap * (S / cap).tanh()\n"},
    {CAP | NUMPY, 0, 0, "S = cap * np.tanh(S / cap)\n"},
    {HAND_SCORES, 0, 0, "for h, query, key, score in by_hand:\n    S[h, query, key] = score\n"},
    {TORCH, 0, 0,
     "A = S.masked_fill(~M, float(\"-inf\")).softmax(-1)\n"
     "A = A.where(M.any(-1, keepdim=True), A.new_zeros(()))  # 0 in a row with no open key\n"
     "Z = A @ V  # (H, T, d_v)\n"},
    {NUMPY, 0, 0,
     "S = np.where(M, S, -np.inf)\n"
     "A = np.exp(S - np.maximum(S.max(-1, keepdims=True), -1e300))\n"
     "A /= np.maximum(A.sum(-1, keepdims=True), 1e-300)  # 0 in a row with no open key\n"
     "Z = A @ V  # (H, T, d_v)\n"},
    {GAINS, 0, 0, "for h, gain in gains:\n    Z[h] *= gain\n"},
    {MEANS, 0, 0, "for h, share in means:\n    Z[h] += share * (Z[h].mean(0) - Z[h])\n"},
    {0, 0, 0, "Y = Z.swapaxes(0, 1).reshape(T, -1) @ t[\"W_O\"]\n"},
    {OUTER_BIAS, 0, 0, "Y = Y + t[\"b_O\"]\n"},
    {ADDS, 0, 0, "Y = Y + X\n"},
    {POST_NORM, 0, 0, "Y = norm(Y)\n"},

    {0, 0, 0,
     "\nerror, of_Y = float(abs(A - t[\"A\"]).max()), float(abs(Y - t[\"Y\"]).max())\n"
     "print(f\"{len(tokens)} tokens: A differs by at most {error:.1e}, Y by {of_Y:.1e}\")\n"
     "limit = 1e-5 * max(1, float(abs(t[\"S\"]).max()) / 100)  # float32 rounds large scores more\n"
     "assert error <= limit, \"A differs from the file's A\"\n"},
};

/* Append the numbers set by hand that have this name, as a Python list called `of`. Its items are
 * (head, query, key, score) or, for gains and means, (head, value). Indices count from 0. Return
 * false if there are no such numbers. */
static bool put_by_hand(TextOut *out, const HandSet *hand, int name, const char *of) {
    int count = 0;
    for (int i = 0; hand != NULL && i < hand->count; i++) {
        const HandNumber *n = &hand->at[i];
        if (n->name != name)
            continue;
        text_out(out, "%s%s(%d, ", count == 0 ? of : "", count == 0 ? " = [" : ", ", n->head);
        if (name == HAND_S)
            text_out(out, "%d, %d, ", n->row, n->col);
        text_out_number(out, (double)n->value, "0");
        text_out(out, ")");
        count++;
    }
    text_out(out, "%s", count > 0 ? "]\n" : "");
    return count > 0;
}

static void put_number(TextOut *out, const char *name, float value) {
    text_out(out, "%s = ", name);
    text_out_number(out, (double)value, "0");
    text_out(out, "\n");
}

/* Append the numbers of a checkpoint's traits. Return the features that use these numbers. */
static unsigned put_traits(TextOut *out, const AttnShape *shape) {
    const AttnTraits *t = &shape->traits;
    const Rope rope = t->rope;
    bool has_norm = shape->block == BLOCK_PRE_NORM || shape->block == BLOCK_POST_NORM;
    bool has_epsilon =
        has_norm && (t->norm.rms || (t->norm.epsilon > 0 && t->norm.epsilon != 1e-5f));
    bool has_speeds = shape->rope && ((rope.base > 0 && rope.base != 10000) || rope.factor > 0 ||
                                      (rope.width > 0 && rope.width != shape->K));
    if (has_epsilon)
        put_number(out, "epsilon", t->norm.epsilon);
    if (t->qk_epsilon > 0)
        put_number(out, "qk_epsilon", t->qk_epsilon);
    if (t->cap > 0)
        put_number(out, "cap", t->cap);
    text_out(out, "%s", has_speeds ? "speeds = [" : "");
    for (int i = 0; i < shape->K && has_speeds; i += 2) {
        text_out(out, "%s", i > 0 ? ", " : "");
        text_out_number(out, rope_speed(i, shape->K, t->rope), "0");
    }
    text_out(out, "%s", has_speeds ? "]  # of each pair, in radians per token\n" : "");
    return (has_epsilon ? EPSILON : 0u) | (has_epsilon && t->norm.rms ? RMS : 0u) |
           (has_speeds ? SPEEDS : 0u) | (t->qk_epsilon > 0 ? QK_NORM : 0u) |
           (t->cap > 0 ? CAP : 0u);
}

static unsigned features(const Session *session, LayerCode code) {
    static const unsigned blocks[] = {[BLOCK_ATTENTION] = 0,
                                      [BLOCK_RESIDUAL] = ADDS,
                                      [BLOCK_POST_NORM] = ADDS | POST_NORM,
                                      [BLOCK_PRE_NORM] = ADDS | PRE_NORM};
    static const unsigned masks[] = {
        [MASK_NONE] = OPEN, [MASK_CAUSAL] = CAUSAL, [MASK_WINDOW] = WINDOW};
    static const unsigned biases[] = {
        [BIAS_NONE] = 0, [BIAS_OUTPUT] = OUTER_BIAS, [BIAS_ALL] = OUTER_BIAS | INNER_BIAS};
    const Options *o = &session->options;
    AttnShape shape = options_shape(o, 1, (AttnForm)o->form.row);
    unsigned form = shape.form == FORM_SEPARATE ? FACTORS
                    : shape.form == FORM_NESTED ? NESTED
                    : shape.rope                ? OFFSETS
                                                : PRODUCT;
    return (code == LAYER_CODE_NUMPY ? NUMPY : TORCH) | form | (shape.rope ? ROPE : 0) |
           blocks[shape.block] | biases[shape.bias] | masks[o->mask.row] |
           (session->edges != NULL || o->traits.window > 0 ? BY_HAND : 0);
}

static void put(TextOut *out, const Piece *pieces, size_t count, unsigned has) {
    for (size_t i = 0; i < count; i++) {
        const Piece *p = &pieces[i];
        bool fits = (has & p->needs) == p->needs && (p->of == 0 || (has & p->of) != 0);
        if (fits && (has & p->lacks) == 0)
            text_out(out, "%s", p->text);
    }
}

void layer_code(TextOut *out, const Session *session, LayerCode code, const char *tensors,
                bool is_beside) {
    const Options *o = &session->options;
    AttnShape shape = options_shape(o, 1, (AttnForm)o->form.row);
    unsigned has = features(session, code);
    char *state = state_make(session, NULL);
    out->failed = out->failed || state == NULL;
    text_out(out,
             "# Headlight's layer in %s: reads its tensors, computes A and Y, and compares them.\n"
             "# headlight export -o layer.safetensors --state '%s'\n",
             CODE_ROWS[code].label, state != NULL ? state : "");
    free(state);
    put(out, READ, ARRAY_COUNT(READ), has);
    text_out(out, "path = pathlib.Path(%s", is_beside ? "__file__).with_name(" : "");
    text_out_quoted(out, tensors);
    text_out(out, ")\nraw = bytearray(path.read_bytes())\nfactor = ");
    text_out_number(out, (double)shape.score_factor, "0");
    text_out(out, "  # multiplies every score: --scale over --temperature\n");
    if (o->mask.row == MASK_WINDOW && session->edges == NULL)
        text_out(out, "window = %d\n", o->mask.number);
    has |= put_by_hand(out, session->hand, HAND_S, "by_hand") ? HAND_SCORES : 0;
    has |= put_by_hand(out, session->hand, HAND_GAIN, "gains") ? GAINS : 0;
    has |= put_by_hand(out, session->hand, HAND_MEAN, "means") ? MEANS : 0;
    has |= put_traits(out, &shape);
    put(out, LAYER, ARRAY_COUNT(LAYER), has);
}
