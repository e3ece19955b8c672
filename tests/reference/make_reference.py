#!/usr/bin/env python3
"""Write attention_*.json: one attention layer computed by PyTorch in float64.

usage: make_reference.py [FOLDER]     (needs python3-torch; the results are committed)

X and the weights are whole 256ths, so float32 holds them exactly. Names and shapes are those of
the outside contract: W_Q (H, D, K), W_O (H·V, D), S (H, T, T) and so on, entries in row order.
Where the shape allows, nn.MultiheadAttention computes A and Y from copied weights and must agree
with the step-by-step values, so that two independent computations stand behind the file.
"""

import json
import math
import os
import sys

import torch
import torch.nn.functional as F

CASES = [  # name, T, D, H, K, V, mask, temperature, spread of X
    ("plain", 5, 8, 2, 4, 4, "none", 1.0, 1.0),
    ("causal", 7, 12, 3, 4, 4, "causal", 1.0, 1.0),
    ("one_token", 1, 8, 2, 4, 4, "causal", 1.0, 1.0),
    ("temperature", 6, 8, 1, 8, 8, "none", 0.25, 1.0),
    ("narrow_values", 9, 10, 2, 7, 3, "causal", 1.0, 1.0),
    ("wide_heads", 4, 5, 3, 9, 11, "none", 2.0, 1.0),
    ("saturated", 6, 16, 4, 4, 4, "none", 1.0, 12.0),
    ("holes", 6, 8, 2, 4, 4, "holes", 1.0, 1.0),
    ("many_tokens", 34, 4, 1, 4, 4, "causal", 1.0, 1.0),
]


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
    weights = F.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)
    return torch.where(mask.any(dim=-1, keepdim=True), weights, torch.zeros(()).double())


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


def compute(generator, T, D, H, K, V, mask_kind, temperature, spread):
    x = draw(generator, T, D, spread=spread)
    w = {"W_Q": draw(generator, H, D, K, spread=D ** -0.5),
         "W_K": draw(generator, H, D, K, spread=D ** -0.5),
         "W_V": draw(generator, H, D, V, spread=D ** -0.5),
         "W_O": draw(generator, H * V, D, spread=(H * V) ** -0.5)}
    mask = make_mask(mask_kind, T)
    factor = torch.tensor(1 / (math.sqrt(K) * temperature), dtype=torch.float32).double()
    Q, Kk, Vv = (torch.einsum("td,hdk->htk", x, w[n]) for n in ("W_Q", "W_K", "W_V"))
    S = Q @ Kk.transpose(1, 2) * factor
    A = softmax_open(S, mask)
    Z = A @ Vv
    Y = F.linear(Z.permute(1, 0, 2).reshape(T, H * V), w["W_O"].T)
    if H * K == D and K == V and temperature == 1 and mask.any(dim=-1).all():
        assert float(factor) == K ** -0.5, "choose a d_k whose root float32 holds exactly"
        check_by_module(x, w, mask, A, Y)
        print("  nn.MultiheadAttention agrees")
    tensors = {"X": x, **w, "M": mask.double(), "Q": Q, "K": Kk, "V": Vv, "S": S, "A": A, "Z": Z,
               "Y": Y}
    return float(factor), tensors


def write_case(folder, seed, name, *case):
    print(name)
    generator = torch.Generator().manual_seed(seed)
    factor, tensors = compute(generator, *case)
    T, D, H, K, V = case[:5]
    head = {"T": T, "D": D, "H": H, "d_k": K, "d_v": V, "score_factor": factor}
    lines = [f'  "{key}": {json.dumps(value)}' for key, value in head.items()]
    for key, tensor in tensors.items():
        exact = key == "X" or key.startswith("W_")
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
