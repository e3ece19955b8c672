#!/usr/bin/env python3
"""Write attention_*.json: one attention layer computed by PyTorch in float64, and its gradients.

usage: make_reference.py [FOLDER]     (needs python3-torch; the results are committed)

X and the weights are whole 256ths, so float32 holds them exactly. Names and shapes are those of
the outside contract: W_Q (H, D, K), W_O (H·V, D), S (H, T, T) and so on, entries in row order.
Where the shape allows, nn.MultiheadAttention computes A and Y from copied weights and must agree
with the step-by-step values, so that two independent computations stand behind the file. grad.NAME is
autograd's gradient of L = Σ G∘Y; that of W_QK (H, D, D), or (H, D+1, D+1) with biases, comes from
the same layer with its scores made from W_QK.
"""

import json
import math
import os
import sys

import torch
import torch.nn.functional as F

CASES = [  # name, T, D, H, K, V, mask, temperature, spread of X, block, bias
    ("plain", 5, 8, 2, 4, 4, "none", 1.0, 1.0),
    ("causal", 7, 12, 3, 4, 4, "causal", 1.0, 1.0),
    ("one_token", 1, 8, 2, 4, 4, "causal", 1.0, 1.0),
    ("temperature", 6, 8, 1, 8, 8, "none", 0.25, 1.0),
    ("narrow_values", 9, 10, 2, 7, 3, "causal", 1.0, 1.0),
    ("wide_heads", 4, 5, 3, 9, 11, "none", 2.0, 1.0),
    ("saturated", 6, 16, 4, 4, 4, "none", 1.0, 12.0),
    ("holes", 6, 8, 2, 4, 4, "holes", 1.0, 1.0),
    ("many_tokens", 34, 4, 1, 4, 4, "causal", 1.0, 1.0),
    ("residual", 5, 6, 2, 3, 4, "causal", 1.0, 1.0, "residual", "output"),
    ("post_norm", 6, 8, 2, 4, 3, "none", 1.0, 1.0, "post-norm", "all"),
    ("pre_norm", 6, 7, 3, 4, 4, "holes", 1.0, 2.0, "pre-norm", "all"),
]
LEAVES = ("X", "W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O", "W_QK")


def draw(generator, *shape, spread=1.0):
    values = torch.randn(*shape, generator=generator, dtype=torch.float64) * spread
    return torch.round(values * 256) / 256


def make_mask(kind, T):
    if kind == "none":
        return torch.ones(T, T, dtype=torch.bool)
    if kind == "causal":
        return torch.tril(torch.ones(T, T)).bool()
    holes = torch.tensor([[(i * 5 + j * 3) % 4 != 0 for j in range(T)] for i in range(T)])
    holes[2] = False  # a query that may read nothing
    return holes


def softmax_open(scores, mask):
    some = mask.any(dim=-1, keepdim=True)
    weights = F.softmax(scores.masked_fill(~mask & some, -math.inf), dim=-1)
    return torch.where(some, weights, torch.zeros(()).double())


def check_by_module(x, w, mask, A, Y):
    """The same from nn.MultiheadAttention, whose weights stand on the left and are D by D."""
    H, D, K = w["W_Q"].shape
    layer = torch.nn.MultiheadAttention(D, H, bias=False, batch_first=True, dtype=torch.float64)
    side_by_side = [w[n].permute(1, 0, 2).reshape(D, H * K).T for n in ("W_Q", "W_K", "W_V")]
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.cat(side_by_side))
        layer.out_proj.weight.copy_(w["W_O"].T)
        out, weights = layer(x[None], x[None], x[None], attn_mask=~mask, need_weights=True,
                             average_attn_weights=False)
    torch.testing.assert_close(out[0], Y, rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(weights[0], A, rtol=1e-12, atol=1e-12)


def with_one(x):
    return torch.cat([x, torch.ones(len(x), 1, dtype=torch.float64)], dim=1)


def forward(w, mask, factor, block):
    """Q, K, V, S, A, Z and Y from the leaves w; S from W_QK where that is one of them."""
    x, out = w["X"], {}
    inner = F.layer_norm(x, x.shape[1:], eps=1e-5) if block == "pre-norm" else x
    for name in "QKV":
        if "W_" + name in w:
            out[name] = torch.einsum("td,hdk->htk", inner, w["W_" + name])
            if "b_" + name in w:
                out[name] = out[name] + w["b_" + name][:, None, :]
    if "W_QK" in w:
        wide = with_one(inner) if w["W_QK"].shape[1] > x.shape[1] else inner
        out["S"] = wide @ w["W_QK"] @ wide.T * factor
    else:
        out["S"] = out["Q"] @ out["K"].transpose(1, 2) * factor
    out["A"] = softmax_open(out["S"], mask)
    out["Z"] = out["A"] @ out["V"]
    Y = out["Z"].permute(1, 0, 2).reshape(len(x), -1) @ w["W_O"] + w.get("b_O", 0)
    Y = Y if block == "attention" else x + Y
    out["Y"] = F.layer_norm(Y, Y.shape[1:], eps=1e-5) if block == "post-norm" else Y
    return out


def gradients(w, mask, factor, block, G):
    """The tensors of a pass, and those of w, S and A that L depends on: their gradients."""
    w = {name: value.clone().requires_grad_() for name, value in w.items()}
    out = forward(w, mask, factor, block)
    of = {**w, "S": out["S"], "A": out["A"]}
    found = torch.autograd.grad((G * out["Y"]).sum(), list(of.values()))
    return out, {"grad." + name: value for name, value in zip(of, found)}


def merged(w):
    """The same leaves with W_QK in place of what it comes from."""
    query, key = w["W_Q"], w["W_K"]
    if "b_Q" in w:
        query = torch.cat([query, w["b_Q"][:, None, :]], dim=1)
        key = torch.cat([key, w["b_K"][:, None, :]], dim=1)
    gone = ("W_Q", "W_K", "b_Q", "b_K")
    return {**{name: w[name] for name in w if name not in gone},
            "W_QK": query @ key.transpose(1, 2)}


def draw_leaves(generator, T, D, H, K, V, spread, bias):
    w = {"X": draw(generator, T, D, spread=spread),
         "W_Q": draw(generator, H, D, K, spread=D ** -0.5),
         "W_K": draw(generator, H, D, K, spread=D ** -0.5),
         "W_V": draw(generator, H, D, V, spread=D ** -0.5),
         "W_O": draw(generator, H * V, D, spread=(H * V) ** -0.5)}
    if bias == "all":
        w |= {"b_Q": draw(generator, H, K), "b_K": draw(generator, H, K),
              "b_V": draw(generator, H, V)}
    if bias != "none":
        w["b_O"] = draw(generator, D)
    return w


def compute(generator, T, D, H, K, V, mask_kind, temperature, spread, block="attention",
            bias="none"):
    w = draw_leaves(generator, T, D, H, K, V, spread, bias)
    G = draw(generator, T, D)
    mask = make_mask(mask_kind, T)
    factor = torch.tensor(1 / (math.sqrt(K) * temperature), dtype=torch.float32).double()
    out, grads = gradients(w, mask, factor, block, G)
    as_one, of_one = gradients(merged(w), mask, factor, block, G)
    for name in ("Y", "S", "A"):
        torch.testing.assert_close(as_one[name], out[name], rtol=1e-9, atol=1e-9)
    for name in of_one.keys() & grads.keys():
        torch.testing.assert_close(of_one[name], grads[name], rtol=1e-9, atol=1e-9)
    plain = block == "attention" and bias == "none"
    if plain and H * K == D and K == V and temperature == 1 and mask.any(dim=-1).all():
        assert float(factor) == K ** -0.5, "choose a d_k whose root float32 holds exactly"
        check_by_module(w["X"], w, mask, out["A"], out["Y"])
        print("  nn.MultiheadAttention agrees")
    head = {"block": block, "bias": bias, "score_factor": float(factor)}
    return head, {**w, "M": mask.double(), **out, "G": G, **of_one, **grads}


def write_case(folder, seed, name, *case):
    print(name)
    generator = torch.Generator().manual_seed(seed)
    head, tensors = compute(generator, *case)
    T, D, H, K, V = case[:5]
    head = {"T": T, "D": D, "H": H, "d_k": K, "d_v": V, **head}
    lines = [f'  "{key}": {json.dumps(value)}' for key, value in head.items()]
    for key, tensor in tensors.items():
        exact = key in LEAVES or key == "G"
        numbers = ", ".join(repr(value) if exact else f"{value:.9g}"
                            for value in tensor.flatten().tolist())
        lines.append(f'  "{key}": [{numbers}]')
    with open(os.path.join(folder, f"attention_{name}.json"), "w", encoding="ascii") as file:
        file.write("{\n" + ",\n".join(lines) + "\n}\n")


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    for seed, case in enumerate(CASES, start=1):
        write_case(folder, seed, *case)


if __name__ == "__main__":
    main()
