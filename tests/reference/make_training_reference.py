#!/usr/bin/env python3
"""Write training.json: layers trained by PyTorch in float64, with torch.optim.

usage: make_training_reference.py [FOLDER]     (needs python3-torch; the result is committed)

The layers are those of attention_*.json beside it: X, weights, mask, block and biases are read
there. Each is trained for 50 steps on the word before (row i − 1 of X, for the first its own) by
the mean squared error, once by each optimiser, as a layer of W_Q and W_K and as one of W_QK, which
starts from their product. Written are the losses of steps 0 to 50, and A and Y of step 50.
"""

import json
import math
import os
import sys

import torch

from make_reference import LEAVES, forward, merged

CASES = ("plain", "causal", "narrow_values", "holes", "residual", "post_norm", "pre_norm")
STEPS = 50
OPTIMISERS = {
    "sgd": (0.05, lambda w, rate: torch.optim.SGD(w, lr=rate)),
    "momentum": (0.02, lambda w, rate: torch.optim.SGD(w, lr=rate, momentum=0.9)),
    "adam": (0.005, lambda w, rate: torch.optim.Adam(w, lr=rate)),
}
BATCHED = ("plain", "causal", "post_norm")
BATCH, BATCH_STEPS, SEED = 4, 10, 5
BITS = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(z):
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & BITS
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & BITS
    return z ^ (z >> 31)


def stream(seed, number):
    return mix(mix((seed + GOLDEN) & BITS) ^ mix((number * GOLDEN + 1) & BITS))


def bits(base, index):
    return mix((base + (index + 1) * GOLDEN) & BITS)


def hashed(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & BITS
    return mix(value)


def shuffled(T, base):
    order = list(range(T))
    for i in range(T - 1, 0, -1):
        j = bits(base, i) % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def held_out(T, seed):
    base = stream(seed, hashed(b"held-out orders\0"))
    count = min(64, math.factorial(T - 1))
    return [list(range(T))] + [shuffled(T, stream(bits(base, i), 0)) for i in range(1, count)]


def training_order(T, seed, number, held):
    own = bits(stream(seed, hashed(b"training orders\0")), number)
    for i in range(20):
        order = shuffled(T, stream(own, i))
        if order not in held:
            break
    return order


def read_case(folder, name):
    with open(os.path.join(folder, f"attention_{name}.json"), encoding="ascii") as file:
        case = json.load(file)
    T, D, H, K, V = (case[key] for key in ("T", "D", "H", "d_k", "d_v"))
    shapes = {"X": (T, D), "W_Q": (H, D, K), "W_K": (H, D, K), "W_V": (H, D, V), "W_O": (H * V, D),
              "b_Q": (H, K), "b_K": (H, K), "b_V": (H, V), "b_O": (D,)}
    w = {key: torch.tensor(case[key], dtype=torch.float64).view(shape)
         for key, shape in shapes.items() if key in case}
    assert set(w) <= set(LEAVES)
    mask = torch.tensor(case["M"], dtype=torch.float64).view(T, T).bool()
    return w, mask, case["score_factor"], case["block"]


def train(w, mask, factor, block, optimiser):
    rate, make = OPTIMISERS[optimiser]
    x = w["X"]
    target = torch.cat([x[:1], x[:-1]])
    w = {name: value.clone().requires_grad_(name != "X") for name, value in w.items()}
    # Adam is told float32's rate, as the program is.
    rate = torch.tensor(rate, dtype=torch.float32).item()
    descent = make([value for value in w.values() if value.requires_grad], rate)
    losses = []
    for step in range(STEPS + 1):
        out = forward(w, mask, factor, block)
        loss = torch.nn.functional.mse_loss(out["Y"], target)
        losses.append(loss.item())
        if step < STEPS:
            descent.zero_grad()
            loss.backward()
            descent.step()
    assert math.isfinite(losses[-1])
    return {"rate": rate, "loss": losses, "A": out["A"].flatten().tolist(),
            "Y": out["Y"].flatten().tolist()}


def train_on_orders(w, mask, factor, block, optimiser):
    rate, make = OPTIMISERS[optimiser]
    rate = torch.tensor(rate, dtype=torch.float32).item()
    T = len(w["X"])
    words, held = w["X"] / 2, held_out(T, SEED)
    leaves = {name: value.clone().requires_grad_() for name, value in w.items() if name != "X"}
    trained = words.clone().requires_grad_()
    descent = make([*leaves.values(), trained], rate)
    losses = []
    for step in range(BATCH_STEPS + 1):
        of_step = []
        for i in range(BATCH):
            order = training_order(T, SEED, step * BATCH + i, held)
            out = forward({**leaves, "X": trained[order] + words}, mask, factor, block)
            target = words[[order[max(i - 1, 0)] for i in range(T)]]
            of_step.append(torch.nn.functional.mse_loss(out["Y"], target))
        loss = torch.stack(of_step).mean()
        losses.append(loss.item())
        if step < BATCH_STEPS:
            descent.zero_grad()
            loss.backward()
            descent.step()
    assert math.isfinite(losses[-1])
    return {"rate": rate, "batch": BATCH, "seed": SEED, "loss": losses,
            "E": trained.flatten().tolist()}


def as_text(name, form, optimiser, found):
    print(f"{name} {form} {optimiser}: {found['loss'][0]:.4g} to {found['loss'][-1]:.4g}")
    fields = [f'"case": "{name}"', f'"form": "{form}"', f'"optimiser": "{optimiser}"']
    for key, value in found.items():
        numbers = value if isinstance(value, list) else [value]
        text = ", ".join(f"{number:.9g}" for number in numbers)
        fields.append(f'"{key}": [{text}]' if isinstance(value, list) else f'"{key}": {text}')
    return "  {" + ",\n   ".join(fields) + "}"


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    lines = []
    for name in CASES:
        w, mask, factor, block = read_case(folder, name)
        for form, leaves in (("separate", w), ("merged", merged(w))):
            for optimiser in OPTIMISERS:
                found = train(leaves, mask, factor, block, optimiser)
                lines.append(as_text(name, form, optimiser, found))
                if name in BATCHED:
                    found = train_on_orders(leaves, mask, factor, block, optimiser)
                    lines.append(as_text(name, form, optimiser, found))
    with open(os.path.join(folder, "training.json"), "w", encoding="ascii") as file:
        file.write("[\n" + ",\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    main()
