#!/usr/bin/env python3
"""Write checkpoints of each architecture with random weights, and compare A and Y with PyTorch's.

usage: check_checkpoints.py HEADLIGHT FOLDER     (needs python3-torch)

Each architecture's tensors have the names, shapes and order of its published checkpoints, at small
size, with config.json. The program's X goes through the architecture's own projection, written here
from its definition, and A and Y must agree to 1e-4; so must GPT-2's X, from its own word vectors. Prints a
line of TAP for each.
"""

import json
import math
import pathlib
import struct
import subprocess
import sys

import torch
import torch.nn.functional as F

D, H, T, LAYERS = 24, 4, 6, 3
TEXT = "Hello, world! the the"  # tokens of GPT-2: 15496 11 995 0 262 262
GPT2_IDS = [15496, 11, 995, 0, 262, 262]
TYPES = {torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16", torch.float64: "F64"}


def data_of(tensor):
    tensor = tensor.contiguous()
    if tensor.dtype == torch.bfloat16:
        tensor = tensor.view(torch.int16)
    return tensor.numpy().tobytes()


def write_safetensors(path, tensors):
    header, data, at = {}, b"", 0
    for name, tensor in tensors.items():
        part = data_of(tensor)
        header[name] = {"dtype": TYPES[tensor.dtype], "shape": list(tensor.shape),
                        "data_offsets": [at, at + len(part)]}
        data, at = data + part, at + len(part)
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def read_safetensors(path):
    raw = path.read_bytes()
    start = 8 + int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8:start])
    header.pop("__metadata__")
    return {name: torch.frombuffer(bytearray(raw[start + e["data_offsets"][0]:start + e["data_offsets"][1]]),
                                   dtype=torch.float32).reshape(e["shape"]).double()
            for name, e in header.items()}


def draw(*shape, spread=0.3):
    return torch.randn(*shape) * spread


def heads(x, count):
    return x.view(len(x), count, -1).transpose(0, 1)


def attend(q, k, v, causal, scale=None):
    """A, and what its heads give, side by side."""
    s = q @ k.transpose(1, 2) * (scale or 1 / math.sqrt(q.shape[-1]))
    if causal:
        s = s.masked_fill(torch.ones(s.shape[-2:]).triu(1) > 0, -math.inf)
    a = s.softmax(-1)
    return a, (a @ v).transpose(0, 1).reshape(s.shape[1], -1)


def rotate(x):
    """RoPE as Llama's code has it: the second half of each head is the first one's partner."""
    half = x.shape[-1] // 2
    angle = torch.arange(x.shape[1])[:, None] / 10000 ** (torch.arange(half).double() / half)
    cos, sin = angle.cos().repeat(1, 2), angle.sin().repeat(1, 2)
    return x * cos + torch.cat([-x[..., half:], x[..., :half]], -1) * sin


def linear(t, name, x):
    bias = t.get(name + ".bias")
    return F.linear(x, t[name + ".weight"].double(), None if bias is None else bias.double())


def norm(t, name, x):
    return F.layer_norm(x, (D,), t[name + ".weight"].double(), t[name + ".bias"].double())


def linears(t, names, sizes, bias=True):
    for name, (rows, columns) in zip(names, sizes):
        t[name + ".weight"] = draw(rows, columns)
        if bias:
            t[name + ".bias"] = draw(rows)


def with_norm(t, name):
    t[name + ".weight"], t[name + ".bias"] = 1 + draw(D), draw(D)


def gpt2():
    t = {"wte.weight": draw(50257, D), "wpe.weight": draw(64, D)}
    for i in range(LAYERS):
        p = f"h.{i}."
        with_norm(t, p + "ln_1")
        t[p + "attn.c_attn.weight"], t[p + "attn.c_attn.bias"] = draw(D, 3 * D), draw(3 * D)
        t[p + "attn.c_proj.weight"], t[p + "attn.c_proj.bias"] = draw(D, D), draw(D)
        t[p + "attn.bias"] = torch.ones(1, 1, 8, 8)  # the mask, which files of old have

    def attention(i, x):
        p = f"h.{i}."
        qkv = norm(t, p + "ln_1", x) @ t[p + "attn.c_attn.weight"].double() + t[p + "attn.c_attn.bias"]
        a, z = attend(*(heads(part, H) for part in qkv.split(D, 1)), True)
        return a, x + z @ t[p + "attn.c_proj.weight"].double() + t[p + "attn.c_proj.bias"]

    return t, {"model_type": "gpt2", "n_head": H}, attention


def gpt_neo():
    t = {}
    for i in range(LAYERS):
        p = f"transformer.h.{i}."
        with_norm(t, p + "ln_1")
        linears(t, [p + f"attn.attention.{n}_proj" for n in "qkv"], [(D, D)] * 3, bias=False)
        linears(t, [p + "attn.attention.out_proj"], [(D, D)])

    def attention(i, x):
        p = f"transformer.h.{i}."
        n = norm(t, p + "ln_1", x)
        qkv = (heads(linear(t, p + f"attn.attention.{m}_proj", n), H) for m in "qkv")
        a, z = attend(*qkv, True, scale=1)
        return a, x + linear(t, p + "attn.attention.out_proj", z)

    return t, {"model_type": "gpt_neo", "num_heads": H}, attention


def gpt_neox():
    t = {}
    for i in range(LAYERS):
        p = f"gpt_neox.layers.{i}."
        with_norm(t, p + "input_layernorm")
        linears(t, [p + "attention.query_key_value", p + "attention.dense"], [(3 * D, D), (D, D)])

    def attention(i, x):
        p = f"gpt_neox.layers.{i}."
        qkv = linear(t, p + "attention.query_key_value", norm(t, p + "input_layernorm", x))
        q, k, v = qkv.view(len(x), H, 3 * D // H).transpose(0, 1).chunk(3, -1)
        a, z = attend(rotate(q), rotate(k), v, True)
        return a, x + linear(t, p + "attention.dense", z)

    return t, {"model_type": "gpt_neox", "num_attention_heads": H, "rotary_pct": 1.0}, attention


def llama(bias=False):
    groups, K = 2, 8  # d_k is not d_model / heads
    t = {}
    for i in range(LAYERS):
        p = f"model.layers.{i}.self_attn."
        linears(t, [p + "q_proj", p + "k_proj", p + "v_proj"],
                [(H * K, D), (groups * K, D), (groups * K, D)], bias=bias)
        linears(t, [p + "o_proj"], [(D, H * K)], bias=False)

    def attention(i, x):
        p = f"model.layers.{i}.self_attn."
        q = heads(linear(t, p + "q_proj", x), H)
        k, v = (heads(linear(t, p + n + "_proj", x), groups) for n in "kv")
        shared = [m.repeat_interleave(H // groups, 0) for m in (rotate(k), v)]
        a, z = attend(rotate(q), *shared, True)
        return a, linear(t, p + "o_proj", z)

    config = {"num_attention_heads": H, "num_key_value_heads": groups, "rope_theta": 10000.0}
    return t, config, attention


def named_qkv(prefix, names, out, config):
    t = {}
    for i in range(LAYERS):
        p = prefix.format(i)
        linears(t, [p + n for n in names] + [p + out], [(D, D)] * 4)

    def attention(i, x):
        p = prefix.format(i)
        a, z = attend(*(heads(linear(t, p + n, x), H) for n in names), False)
        return a, linear(t, p + out, z)

    return t, config, attention


def torch_layer(prefix, layers):
    modules = [torch.nn.MultiheadAttention(D, H) for _ in range(layers)]
    t = {}
    for i, module in enumerate(modules):
        module.in_proj_bias.data = draw(3 * D)
        t.update({prefix.format(i) + n: v.detach() for n, v in module.state_dict().items()})

    def attention(i, x):
        x = x.float()[:, None]
        y, a = modules[i](x, x, x, average_attn_weights=False)
        return a[0].detach().double(), y[:, 0].detach().double()

    return t, {"num_heads": H}, attention


def transformer_lens():
    K, V = 5, 7
    t = {}
    for i in range(LAYERS):
        p = f"blocks.{i}.attn."
        for name, shape in (("W_Q", (H, D, K)), ("W_K", (H, D, K)), ("W_V", (H, D, V)),
                            ("W_O", (H, V, D)), ("b_Q", (H, K)), ("b_K", (H, K)), ("b_V", (H, V)),
                            ("b_O", (D,))):
            t[p + name] = draw(*shape)

    def attention(i, x):
        p = f"blocks.{i}.attn."
        n = F.layer_norm(x, (D,))
        qkv = (torch.einsum("td,hdk->htk", n, t[p + "W_" + m].double()) + t[p + "b_" + m][:, None]
               for m in "QKV")
        a, z = attend(*qkv, True)
        y = torch.einsum("thv,hvd->td", z.view(len(x), H, V), t[p + "W_O"].double())
        return a, x + y + t[p + "b_O"]

    return t, None, attention


ARCHITECTURES = {
    "gpt2": gpt2, "gpt-neo": gpt_neo, "gpt-neox": gpt_neox, "llama": llama,
    "qwen": lambda: llama(bias=True),
    "bert": lambda: named_qkv("bert.encoder.layer.{}.attention.",
                              ("self.query", "self.key", "self.value"), "output.dense",
                              {"num_attention_heads": H}),
    "distilbert": lambda: named_qkv("distilbert.transformer.layer.{}.attention.",
                                    ("q_lin", "k_lin", "v_lin"), "out_lin", {"n_heads": H}),
    "torch-encoder": lambda: torch_layer("layers.{}.self_attn.", LAYERS),
    "torch": lambda: torch_layer("", 1),
    "transformer-lens": transformer_lens,
}


def write_folder(folder, t, config, shards):
    folder.mkdir(parents=True)
    if config is not None:
        (folder / "config.json").write_text(json.dumps(config))
    if not shards:
        write_safetensors(folder / "model.safetensors", t)
        return
    names, places = list(t), {}
    for k in range(shards):
        file = f"model-{k + 1:05d}-of-{shards:05d}.safetensors"
        write_safetensors(folder / file, {n: t[n] for n in names[k::shards]})
        places.update({n: file for n in names[k::shards]})
    index = {"metadata": {"total_size": 0}, "weight_map": places}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))


def check(program, folder, kind, dtype, shards):
    t, config, attention = ARCHITECTURES[kind]()
    stored = {n: v.to(dtype) for n, v in t.items()}
    for n in t:  # what attention reads is what the file holds
        t[n].copy_(stored[n].float())
    write_folder(folder, stored, config, shards)
    worst = 0.0
    for layer in range(1, 2 if kind == "torch" else LAYERS + 1):
        out = folder / "out.safetensors"
        subprocess.run([program, "export", "-o", out, "--weights", folder, "--layer", str(layer),
                        "--text", TEXT], check=True)
        got = read_safetensors(out)
        x = got["X"]
        if kind == "gpt2" and layer == 1:
            own = t["wte.weight"][GPT2_IDS] + t["wpe.weight"][:len(GPT2_IDS)]
            worst = max(worst, float((x - own).abs().max()))
        for name, wanted in zip("AY", attention(layer - 1, x)):
            worst = max(worst, float((got[name] - wanted).abs().max()))
    return worst


def main():
    program, tree = sys.argv[1], pathlib.Path(sys.argv[2])
    torch.manual_seed(3)
    failures = 0
    cases = [(kind, torch.float32, 0) for kind in ARCHITECTURES]
    cases += [("llama", torch.bfloat16, 3), ("gpt-neox", torch.float16, 2), ("bert", torch.float64, 0)]
    for n, (kind, dtype, shards) in enumerate(cases, 1):
        name = f"{kind}, {TYPES[dtype]}, {shards or 'no'} shards"
        try:
            worst = check(program, tree / str(n), kind, dtype, shards)
        except subprocess.CalledProcessError:
            worst = math.inf
        failures += not worst <= 1e-4
        print(f"{'ok' if worst <= 1e-4 else 'not ok'} {n} - {name}: A and Y differ by {worst:.1e}", flush=True)
    print(f"1..{len(cases)}")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
