#!/usr/bin/env python3
"""Time a forward pass beside PyTorch's nn.MultiheadAttention, one thread and one core each.

usage: forward.py [--program build/headlight] [--rounds N] [--json] [SHAPE...]
SHAPE is TxDxH, such as 8x64x4. Needs python3-torch.

Ours keeps every intermediate. PyTorch is timed with the weights of every head returned and without
any, in training and, where it can, in evaluation mode, and its fastest counts. The two take turns,
so that a busy moment of the machine meets both; the best median of all rounds is compared.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

SHAPES = ["8x64x4", "12x64x4", "16x64x4", "32x64x4", "64x128x8", "128x256x8"]
SLICE_S = 0.25  # how long one variant is timed for in one round


def pin_to_one_core():
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def median_us(call):
    for _ in range(20):
        call()
    times, end = [], time.perf_counter() + SLICE_S
    while time.perf_counter() < end:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


def torch_variants(T, D, H):
    import torch

    torch.set_num_threads(1)
    x = torch.randn(1, T, D)
    variants = {}
    for bias in (False, True):
        for training in (True, False):
            layer = torch.nn.MultiheadAttention(D, H, bias=bias, batch_first=True).train(training)
            for weights in (True, False):
                def call(layer=layer, weights=weights):
                    with torch.no_grad():
                        layer(x, x, x, need_weights=weights, average_attn_weights=False)
                try:
                    call()
                except TypeError:  # 1.13 has no fast path for a layer without biases
                    continue
                mode = "train" if training else "eval"
                variants[f"{mode}{', bias' if bias else ''}{', weights' if weights else ''}"] = call
    return variants


def ours_us(program, T, D, H, form):
    command = [program, "bench", "forward", "--tokens", str(T), "--d-model", str(D), "--heads",
               str(H), "--form", form, "--json"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["us_median"]


def compare(program, shape, rounds):
    T, D, H = (int(part) for part in shape.split("x"))
    variants = torch_variants(T, D, H)
    torch_us = dict.fromkeys(variants, float("inf"))
    own_us = {"separate": float("inf"), "merged": float("inf")}
    for _ in range(rounds):
        for name, call in variants.items():
            torch_us[name] = min(torch_us[name], median_us(call))
        for form in own_us:
            own_us[form] = min(own_us[form], ours_us(program, T, D, H, form))
    fastest = min(torch_us, key=torch_us.get)
    return {"tokens": T, "d_model": D, "heads": H, "torch_us": torch_us[fastest],
            "torch_variant": fastest, **{f"{form}_us": us for form, us in own_us.items()},
            "ratio": torch_us[fastest] / own_us["separate"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/headlight")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("shapes", nargs="*", default=SHAPES)
    options = parser.parse_args()
    pin_to_one_core()
    rows = []
    if not options.json:
        print("   T    D   H   PyTorch µs  separate µs    merged µs   ratio  PyTorch's fastest")
    for shape in options.shapes:
        row = compare(options.program, shape, options.rounds)
        rows.append(row)
        if not options.json:
            print(f"{row['tokens']:4} {row['d_model']:4} {row['heads']:3} {row['torch_us']:12.1f} "
                  f"{row['separate_us']:12.2f} {row['merged_us']:12.2f} {row['ratio']:7.1f}  "
                  f"{row['torch_variant']}", flush=True)
    if options.json:
        json.dump(rows, sys.stdout, indent=1)
        print()


if __name__ == "__main__":
    main()
