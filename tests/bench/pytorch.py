#!/usr/bin/env python3
"""Time headlight beside PyTorch, one thread and one core each.

usage: pytorch.py [--what forward|backward|study|train] [--program build/headlight] [--rounds N] [--json]
                  [SHAPE...]
SHAPE is TxDxH, such as 8x64x4. Needs python3-torch.

forward: ours keeps every intermediate. PyTorch's paths are nn.MultiheadAttention in training and,
where it can, in evaluation mode, with the weights of every head returned and without any; and the
same layer written out with one product for Q, K and V, plain and compiled by torch.jit.
backward: a forward pass and the gradients of the input and of every parameter by those paths.
study: one seed of the comparison of schemes: weights and an output gradient are drawn, both passes
run, and the 19 numbers that `headlight compare` writes are measured.
train: one step of training: a forward pass, the mean squared error, the gradients of every
parameter and Adam, by torch.optim with and without its foreach, or with Adam written out too.

PyTorch's fastest path counts. The two programs take turns, ours after each of PyTorch's paths, so
that a busy moment of the machine, or a faster one, meets both as often; the best median of all
rounds is compared.
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import time

SHAPES = {"forward": ["8x64x4", "16x128x8", "32x256x8", "128x512x8", "512x768x12"],
          "backward": ["8x64x4", "16x128x8", "32x256x8", "128x512x8", "512x768x12"],
          "study": ["12x64x4"],
          "train": ["12x64x4", "16x128x8", "32x256x8", "128x512x8"]}
SLICE_S = 0.15  # how long one path is timed for in one round
LEAST_CALLS = 5


def pin_to_one_core():
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def median_us(call):
    warm = time.perf_counter() + SLICE_S / 3
    call()
    while time.perf_counter() < warm:
        call()
    times, end = [], time.perf_counter() + SLICE_S
    while time.perf_counter() < end or len(times) < LEAST_CALLS:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


def written_out(x, fused, W_O, H: int):
    """One layer without biases: x (T, D), fused (3D, D) and W_O (D, D) as nn.Linear holds them."""
    import torch

    T, D = x.shape
    q, k, v = torch.mm(x, fused.t()).view(T, 3, H, D // H).permute(1, 2, 0, 3).unbind(0)
    A = torch.softmax(torch.bmm(q, k.transpose(1, 2)) * (D // H) ** -0.5, -1)
    return torch.mm(torch.bmm(A, v).transpose(0, 1).reshape(T, D), W_O.t())


def scripted():
    """written_out compiled by torch.jit, which wants it in a file, annotated and on its own."""
    import torch

    return torch.jit.CompilationUnit("""
def layer(x, fused, W_O, H: int):
    T, D = x.shape
    q, k, v = torch.mm(x, fused.t()).view(T, 3, H, D // H).permute(1, 2, 0, 3).unbind(0)
    A = torch.softmax(torch.bmm(q, k.transpose(1, 2)) * (float(D // H) ** -0.5), -1)
    return torch.mm(torch.bmm(A, v).transpose(0, 1).reshape(T, D), W_O.t())
""").layer


def forward_paths(T, D, H):
    import torch

    x = torch.randn(1, T, D)
    paths = {}

    def without_gradients(call):
        def run():
            with torch.inference_mode():
                call()
        return run

    for bias in (False, True):
        for training in (True, False):
            layer = torch.nn.MultiheadAttention(D, H, bias=bias, batch_first=True).train(training)
            for weights in (True, False):
                def call(layer=layer, weights=weights):
                    layer(x, x, x, need_weights=weights, average_attn_weights=False)
                run = without_gradients(call)
                try:
                    run()
                except TypeError:  # 1.13 has no fast path for a layer without biases
                    continue
                mode = "train" if training else "eval"
                paths[f"{mode}{', bias' if bias else ''}{', weights' if weights else ''}"] = run
    rows, fused, W_O = x[0], torch.randn(3 * D, D) / D ** 0.5, torch.randn(D, D) / D ** 0.5
    compiled = scripted()
    paths["written out"] = without_gradients(lambda: written_out(rows, fused, W_O, H))
    paths["written out, jit"] = without_gradients(lambda: compiled(rows, fused, W_O, H))
    return paths


def backward_paths(T, D, H):
    import torch

    x = torch.randn(1, T, D, requires_grad=True)
    g = torch.randn(1, T, D)
    paths = {}
    for bias in (False, True):
        layer = torch.nn.MultiheadAttention(D, H, bias=bias, batch_first=True)
        inputs = (x, *layer.parameters())
        for weights in (True, False):
            def call(layer=layer, inputs=inputs, weights=weights):
                y, _ = layer(x, x, x, need_weights=weights, average_attn_weights=False)
                torch.autograd.grad(y, inputs, g)
            paths[f"train{', bias' if bias else ''}{', weights' if weights else ''}"] = call
    rows = torch.randn(T, D, requires_grad=True)
    fused = (torch.randn(3 * D, D) / D ** 0.5).requires_grad_()
    W_O = (torch.randn(D, D) / D ** 0.5).requires_grad_()
    for name, layer in (("written out", written_out), ("written out, jit", scripted())):
        def call(layer=layer):
            torch.autograd.grad(layer(rows, fused, W_O, H), (rows, fused, W_O), g[0])
        paths[name] = call
    return paths


def study_paths(T, D, H):
    """What a careful person would write: no graph beyond what the gradients need, no copies."""
    import torch

    x = torch.randn(T, D)

    def draw():
        bound = math.sqrt(6 / (D + D))
        fused = torch.empty(3 * D, D).uniform_(-bound, bound)
        W_O = torch.empty(D, D).uniform_(-bound, bound)
        return fused.requires_grad_(), W_O.requires_grad_()

    def spreads(x, parts):  # deviations of as many equal blocks of rows at once
        return torch.std(x.view(parts, -1), 1, unbiased=False)

    def measure(weights, parts, gradients):
        (fused, W_O), (qkv, S, A, Z, Y), (dx, dfused, dW_O) = weights, parts, gradients
        with torch.no_grad():
            entropy = -torch.xlogy(A, A).sum(-1).mean()
            norm = torch.sqrt(dfused.square().sum() + dW_O.square().sum())
            numbers = [spreads(fused, 3), spreads(W_O, 1), torch.std(qkv, (1, 2), unbiased=False),
                       spreads(S, 1), spreads(Z, 1), spreads(Y, 1), spreads(dx, 1),
                       spreads(dfused, 3), spreads(dW_O, 1),
                       torch.stack((entropy, A.amax(-1).mean(), norm))]
            return torch.cat(numbers).tolist()

    def by_hand():
        weights = draw()
        fused, W_O = weights
        rows = x.detach().requires_grad_()
        qkv = torch.mm(rows, fused.t()).view(T, 3, D).transpose(0, 1)
        q, k, v = qkv.view(3, T, H, D // H).transpose(1, 2).unbind(0)
        S = torch.bmm(q, k.transpose(1, 2)) * (D // H) ** -0.5
        A = torch.softmax(S, -1)
        Z = torch.bmm(A, v).transpose(0, 1).reshape(T, D)
        Y = torch.mm(Z, W_O.t())
        gradients = torch.autograd.grad(Y, (rows, fused, W_O), torch.randn(T, D))
        return measure(weights, (qkv, S, A, Z, Y), gradients)

    return {"written out": by_hand}


def adam_by_hand(weights, rate=0.002, beta1=0.9, beta2=0.999, epsilon=1e-8):
    """Adam on a few tensors without what torch.optim does for every case there may be."""
    import torch

    first = [torch.zeros_like(w) for w in weights]
    second = [torch.zeros_like(w) for w in weights]
    number = 0

    @torch.no_grad()
    def step(gradients):
        nonlocal number
        number += 1
        root = math.sqrt(1 - beta2 ** number)
        for w, g, m, v in zip(weights, gradients, first, second):
            m.lerp_(g, 1 - beta1)
            v.mul_(beta2).addcmul_(g, g, value=1 - beta2)
            w.addcdiv_(m, v.sqrt().div_(root).add_(epsilon), value=-rate / (1 - beta1 ** number))

    return step


def train_paths(T, D, H):
    import torch

    x, target = torch.randn(1, T, D), torch.randn(1, T, D)
    loss = torch.nn.functional.mse_loss
    paths = {}

    def drawn():
        bound = math.sqrt(3 / D)
        return [torch.empty(rows, D).uniform_(-bound, bound).requires_grad_()
                for rows in (3 * D, D)]

    def add(name, weights, output, foreach):
        adam = torch.optim.Adam(weights, lr=0.002, foreach=foreach)
        def call():
            adam.zero_grad(set_to_none=True)
            loss(output(), target).backward()
            adam.step()
        paths[f"{name}, Adam{' foreach' if foreach else ''}"] = call

    for foreach in (False, True):
        layer = torch.nn.MultiheadAttention(D, H, bias=False, batch_first=True)
        add("train", list(layer.parameters()),
            lambda layer=layer: layer(x, x, x, need_weights=False)[0], foreach)
        for name, forward in (("written out", written_out), ("written out, jit", scripted())):
            weights = drawn()
            add(name, weights, lambda forward=forward, weights=weights:
                forward(x[0], *weights, H)[None], foreach)
    for name, forward in (("written out", written_out), ("written out, jit", scripted())):
        weights = drawn()
        step = adam_by_hand(weights)
        def call(forward=forward, weights=weights, step=step):
            step(torch.autograd.grad(loss(forward(x[0], *weights, H), target[0]), weights))
        paths[f"{name}, Adam by hand"] = call
    return paths


PATHS = {"forward": forward_paths, "backward": backward_paths, "study": study_paths,
         "train": train_paths}
FORMS = {"forward": ["separate", "merged"], "backward": ["separate", "merged"],
         "study": ["separate"], "train": ["separate", "merged"]}


def ours_us(program, what, T, D, H, form):
    command = [program, "bench", what, "--tokens", str(T), "--d-model", str(D), "--heads",
               str(H), "--form", form, "--json"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["us_median"]


def compare(program, what, shape, rounds):
    T, D, H = (int(part) for part in shape.split("x"))
    paths = PATHS[what](T, D, H)
    torch_us = dict.fromkeys(paths, math.inf)
    own_us = dict.fromkeys(FORMS[what], math.inf)
    for _ in range(rounds):
        for name, call in paths.items():
            torch_us[name] = min(torch_us[name], median_us(call))
            own_us["separate"] = min(own_us["separate"],
                                     ours_us(program, what, T, D, H, "separate"))
        if "merged" in own_us:
            own_us["merged"] = min(own_us["merged"], ours_us(program, what, T, D, H, "merged"))
    fastest = min(torch_us, key=torch_us.get)
    return {"what": what, "tokens": T, "d_model": D, "heads": H, "torch_us": torch_us[fastest],
            "torch_path": fastest, **{f"{form}_us": us for form, us in own_us.items()},
            "ratio": torch_us[fastest] / own_us["separate"]}


def print_row(row):
    merged = f"{row['merged_us']:12.2f}" if "merged_us" in row else " " * 12
    print(f"{row['tokens']:4} {row['d_model']:4} {row['heads']:3} {row['torch_us']:12.1f} "
          f"{row['separate_us']:12.2f} {merged} {row['ratio']:7.1f}  {row['torch_path']}",
          flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--what", choices=sorted(PATHS), default="forward")
    parser.add_argument("--program", default="build/headlight")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("shapes", nargs="*")
    options = parser.parse_args()
    pin_to_one_core()
    import torch

    torch.set_num_threads(1)
    rows = []
    if not options.json:
        print("   T    D   H   PyTorch µs  separate µs    merged µs   ratio  PyTorch's fastest")
    for shape in options.shapes or SHAPES[options.what]:
        rows.append(compare(options.program, options.what, shape, options.rounds))
        if not options.json:
            print_row(rows[-1])
    if options.json:
        json.dump(rows, sys.stdout, indent=1)
        print()


if __name__ == "__main__":
    main()
