#!/usr/bin/env python3
"""Write checkpoints of each architecture with random weights, and compare with PyTorch's run of them.

usage: check_checkpoints.py HEADLIGHT FOLDER     (needs python3-torch)

Each architecture's tensors have the names, shapes and order of its published checkpoints, at small
size, with config.json. Its whole forward pass stands here, from its paper and published code, in
double. For every layer the program's X, A, hidden and logits must agree to 1e-4, for token ids and,
with GPT-2's vocabulary, for a text; and the scripts of `export -o layer.py` must find the last
layer's A. A file without an embedding gets the program's X. Prints a line of TAP for each.
"""

import contextlib
import io
import json
import math
import pathlib
import runpy
import struct
import subprocess
import sys

import torch
import torch.nn.functional as F

D, H, WORDS, LAYERS = 32, 4, 50, 3
IDS = [5, 17, 2, 2, 49, 0, 31]
TEXT = "Hello, world! the the"  # tokens of GPT-2:
TEXT_IDS = [15496, 11, 995, 0, 262, 262]
TYPES = {torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16", torch.float64: "F64",
         "F8_E4M3": "F8_E4M3", "F8_E5M2": "F8_E5M2"}


class Float8:
    """A tensor of bytes, because this PyTorch has no float8. Each number is rounded to the nearest
    that a byte has: 4 or 5 bits of exponent, 3 or 2 of mantissa, exponents from -6 or -14 up."""

    def __init__(self, value, dtype):
        self.dtype, self.shape = dtype, value.shape
        bits, least, bias = (3, -6, 7) if dtype == "F8_E4M3" else (2, -14, 15)
        exponent = (torch.frexp(value.double())[1] - 1).clamp(min=least)
        step = torch.pow(2.0, (exponent - bits).double())
        self.value = (value / step).round() * step
        exponent = (torch.frexp(self.value)[1] - 1).clamp(min=least)
        whole = (self.value.abs() * torch.pow(2.0, (bits - exponent).double())).round().to(torch.int64)
        code = ((exponent + bias - 1).to(torch.int64) << bits) + whole  # a normal number has the leading 1
        self.code = (code * (whole > 0) + 128 * torch.signbit(self.value)).to(torch.uint8)

    def contiguous(self):
        return self.code.contiguous()

    def float(self):
        return self.value.float()


def stored_as(value, dtype):
    return Float8(value, dtype) if isinstance(dtype, str) else value.to(dtype)


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


def attend(q, k, v, causal, scale=None, cap=0, window=0):
    """A, and what its heads give, side by side."""
    q, k, v = (m.repeat_interleave(H // len(m), 0) for m in (q, k, v))
    s = q @ k.transpose(1, 2) * (scale or 1 / math.sqrt(q.shape[-1]))
    if cap:
        s = cap * (s / cap).tanh()
    far = torch.ones(s.shape[-2:])
    if causal:
        s = s.masked_fill(far.triu(1) > 0, -math.inf)
    if window:
        s = s.masked_fill(far.tril(-window) > 0, -math.inf)
    a = s.softmax(-1)
    return a, (a @ v).transpose(0, 1).reshape(s.shape[1], -1)


def frequencies(width, base=10000):
    return base ** (-torch.arange(0, width, 2).double() / width)


def llama3(freq, factor, low, high, old):
    """As in Llama 3.1's code: long waves are slowed, short ones stay, between them a mixture."""
    out = []
    for f in freq.tolist():
        wave = 2 * math.pi / f
        if wave > old / low:
            out.append(f / factor)
        elif wave < old / high:
            out.append(f)
        else:
            smooth = (old / wave - low) / (high - low)
            out.append((1 - smooth) * f / factor + smooth * f)
    return torch.tensor(out).double()


def rotate(x, freq=None, neighbours=False):
    """RoPE on the first 2·len(freq) columns of each head."""
    freq = frequencies(x.shape[-1]) if freq is None else freq
    width, angle = 2 * len(freq), torch.arange(x.shape[1]).double()[:, None] * freq
    cos, sin, part = angle.cos(), angle.sin(), x[..., :width]
    if neighbours:
        a, b = part[..., ::2], part[..., 1::2]
        part = torch.stack([a * cos - b * sin, a * sin + b * cos], -1).flatten(-2)
    else:
        a, b = part.chunk(2, -1)
        part = torch.cat([a * cos - b * sin, b * cos + a * sin], -1)
    return torch.cat([part, x[..., width:]], -1)


def linear(t, name, x):
    bias = t.get(name + ".bias")
    return F.linear(x, t[name + ".weight"].double(), None if bias is None else bias.double())


def conv1d(t, name, x):
    return x @ t[name + ".weight"].double() + t[name + ".bias"].double()


def norm(t, name, x, eps=1e-5):
    return F.layer_norm(x, (D,), t[name + ".weight"].double(), t[name + ".bias"].double(), eps)


def rms(t, name, x, eps, one=0):
    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt() * (one + t[name + ".weight"].double())


def linears(t, names, sizes, bias=True):
    for name, (rows, columns) in zip(names, sizes):
        t[name + ".weight"] = draw(rows, columns)
        if bias:
            t[name + ".bias"] = draw(rows)


def with_norms(t, *names):
    for name in names:
        t[name + ".weight"], t[name + ".bias"] = 1 + draw(D), draw(D)


def gelu_new(x):
    return F.gelu(x, approximate="tanh")


def learned(t, words, places, ids):
    return (t[words][ids] + t[places][:len(ids)]).double()


def gpt2(words=WORDS, folder="", scale=None, **config):
    p = folder
    t = {p + "wte.weight": draw(words, D), p + "wpe.weight": draw(64, D)}
    for i in range(LAYERS):
        b = f"{p}h.{i}."
        with_norms(t, b + "ln_1", b + "ln_2")
        for name, rows, columns in (("attn.c_attn", D, 3 * D), ("attn.c_proj", D, D),
                                    ("mlp.c_fc", D, 4 * D), ("mlp.c_proj", 4 * D, D)):
            t[b + name + ".weight"], t[b + name + ".bias"] = draw(rows, columns), draw(columns)
        t[b + "attn.bias"] = torch.ones(1, 1, 8, 8)  # the mask, which files of old have
    with_norms(t, p + "ln_f")

    def block(i, x):
        b = f"{p}h.{i}."
        qkv = conv1d(t, b + "attn.c_attn", norm(t, b + "ln_1", x))
        a, z = attend(*(heads(part, H) for part in qkv.split(D, 1)), True, scale=scale)
        x = x + conv1d(t, b + "attn.c_proj", z)
        return a, x + conv1d(t, b + "mlp.c_proj", gelu_new(conv1d(t, b + "mlp.c_fc", norm(t, b + "ln_2", x))))

    return t, {"model_type": "gpt2", "n_head": H, "n_layer": LAYERS, **config}, {
        "embed": lambda ids: learned(t, p + "wte.weight", p + "wpe.weight", ids), "block": block,
        "head": lambda x: norm(t, p + "ln_f", x) @ t[p + "wte.weight"].double().T}


def gpt_neo():
    p = "transformer."
    t = {p + "wte.weight": draw(WORDS, D), p + "wpe.weight": draw(64, D), "lm_head.weight": draw(WORDS, D)}
    for i in range(LAYERS):
        b = f"{p}h.{i}."
        with_norms(t, b + "ln_1", b + "ln_2")
        linears(t, [b + f"attn.attention.{n}_proj" for n in "qkv"], [(D, D)] * 3, bias=False)
        linears(t, [b + "attn.attention.out_proj", b + "mlp.c_fc", b + "mlp.c_proj"],
                [(D, D), (4 * D, D), (D, 4 * D)])
    with_norms(t, p + "ln_f")

    def block(i, x):
        b = f"{p}h.{i}."
        n = norm(t, b + "ln_1", x)
        qkv = (heads(linear(t, b + f"attn.attention.{m}_proj", n), H) for m in "qkv")
        a, z = attend(*qkv, True, scale=1, window=3 if i % 2 else 0)
        x = x + linear(t, b + "attn.attention.out_proj", z)
        return a, x + linear(t, b + "mlp.c_proj", gelu_new(linear(t, b + "mlp.c_fc", norm(t, b + "ln_2", x))))

    config = {"model_type": "gpt_neo", "num_heads": H, "window_size": 3, "attention_types": [[["global", "local"], 2]],
              "attention_layers": ["global", "local", "global"], "activation_function": "gelu_new"}
    return t, config, {
        "embed": lambda ids: learned(t, p + "wte.weight", p + "wpe.weight", ids), "block": block,
        "head": lambda x: linear(t, "lm_head", norm(t, p + "ln_f", x))}


def gpt_j():
    p = "transformer."
    t = {p + "wte.weight": draw(WORDS, D)}
    for i in range(LAYERS):
        b = f"{p}h.{i}."
        with_norms(t, b + "ln_1")
        linears(t, [b + f"attn.{n}_proj" for n in ("q", "k", "v", "out")], [(D, D)] * 4, bias=False)
        linears(t, [b + "mlp.fc_in", b + "mlp.fc_out"], [(4 * D, D), (D, 4 * D)])
    with_norms(t, p + "ln_f")
    linears(t, ["lm_head"], [(WORDS, D)])

    def block(i, x):
        b = f"{p}h.{i}."
        n = norm(t, b + "ln_1", x)
        q, k, v = (heads(linear(t, b + f"attn.{m}_proj", n), H) for m in "qkv")
        a, z = attend(rotate(q, frequencies(4), True), rotate(k, frequencies(4), True), v, True)
        mlp = linear(t, b + "mlp.fc_out", gelu_new(linear(t, b + "mlp.fc_in", n)))
        return a, x + linear(t, b + "attn.out_proj", z) + mlp

    return t, {"model_type": "gptj", "n_head": H, "rotary_dim": 4, "tie_word_embeddings": False}, {
        "embed": lambda ids: t[p + "wte.weight"][ids].double(), "block": block,
        "head": lambda x: linear(t, "lm_head", norm(t, p + "ln_f", x))}


def gpt_neox(parallel=True):
    p = "gpt_neox."
    t = {p + "embed_in.weight": draw(WORDS, D), "embed_out.weight": draw(WORDS, D)}
    for i in range(LAYERS):
        b = f"{p}layers.{i}."
        with_norms(t, b + "input_layernorm", b + "post_attention_layernorm")
        linears(t, [b + "attention.query_key_value", b + "attention.dense", b + "mlp.dense_h_to_4h",
                    b + "mlp.dense_4h_to_h"], [(3 * D, D), (D, D), (4 * D, D), (D, 4 * D)])
    with_norms(t, p + "final_layer_norm")

    def block(i, x):
        b = f"{p}layers.{i}."
        qkv = linear(t, b + "attention.query_key_value", norm(t, b + "input_layernorm", x))
        q, k, v = qkv.view(len(x), H, 3 * D // H).transpose(0, 1).chunk(3, -1)
        freq = frequencies(D // H // 4 if parallel else D // H // 2)
        a, z = attend(rotate(q, freq), rotate(k, freq), v, True)
        sum = x + linear(t, b + "attention.dense", z)
        n = norm(t, b + "post_attention_layernorm", x if parallel else sum)
        return a, sum + linear(t, b + "mlp.dense_4h_to_h", F.gelu(linear(t, b + "mlp.dense_h_to_4h", n)))

    config = {"model_type": "gpt_neox", "num_attention_heads": H, "hidden_act": "gelu"}
    if not parallel:
        config.update(use_parallel_residual=False, rotary_pct=0.5)
    return t, config, {
        "embed": lambda ids: t[p + "embed_in.weight"][ids].double(), "block": block,
        "head": lambda x: linear(t, "embed_out", norm(t, p + "final_layer_norm", x))}


def phi():
    p = "model."
    t = {p + "embed_tokens.weight": draw(WORDS, D)}
    for i in range(LAYERS):
        b = f"{p}layers.{i}."
        with_norms(t, b + "input_layernorm")
        linears(t, [b + f"self_attn.{n}" for n in ("q_proj", "k_proj", "v_proj", "dense")] +
                [b + "mlp.fc1", b + "mlp.fc2"], [(D, D)] * 4 + [(4 * D, D), (D, 4 * D)])
    with_norms(t, p + "final_layernorm")
    linears(t, ["lm_head"], [(WORDS, D)])

    def block(i, x):
        b = f"{p}layers.{i}."
        n, freq = norm(t, b + "input_layernorm", x), frequencies(D // H // 2)
        q, k, v = (heads(linear(t, b + f"self_attn.{m}_proj", n), H) for m in "qkv")
        a, z = attend(rotate(q, freq), rotate(k, freq), v, True)
        mlp = linear(t, b + "mlp.fc2", gelu_new(linear(t, b + "mlp.fc1", n)))
        return a, x + linear(t, b + "self_attn.dense", z) + mlp

    return t, {"model_type": "phi", "num_attention_heads": H, "partial_rotary_factor": 0.5}, {
        "embed": lambda ids: t[p + "embed_tokens.weight"][ids].double(), "block": block,
        "head": lambda x: linear(t, "lm_head", norm(t, p + "final_layernorm", x))}


def llama(bias=False, qk=False, gemma=0, tied=False, eps=1e-6, window=None, layer_types=None, freq=None,
          local=None, **config):
    """Llama and its relatives; gemma is Gemma's number, whose gains are 1 + weight. layer_types is
    written to config.json unless that has max_window_layers."""
    groups, K, N, p = 2, 12, 40, "model."  # d_k is not d_model / heads
    one, more = (1, True) if gemma else (0, False)
    freq = frequencies(K) if freq is None else freq
    has_mlp = config.get("intermediate_size") != 0
    cap, scale = config.get("attn_logit_softcapping"), config.get("query_pre_attn_scalar")
    t = {p + "embed_tokens.weight": draw(WORDS, D)}
    last_norms = ("pre_feedforward_layernorm", "post_feedforward_layernorm") if gemma > 1 else ()
    for i in range(LAYERS):
        b = f"{p}layers.{i}."
        linears(t, [b + f"self_attn.{n}_proj" for n in "qkv"], [(H * K, D)] + [(groups * K, D)] * 2, bias=bias)
        linears(t, [b + "self_attn.o_proj"], [(D, H * K)], bias=False)
        if has_mlp:
            linears(t, [b + f"mlp.{n}_proj" for n in ("gate", "up", "down")], [(N, D), (N, D), (D, N)],
                    bias=config.get("mlp_bias", False))
        for name in ("input_layernorm", "post_attention_layernorm")[:1 + has_mlp] + last_norms:
            t[b + name + ".weight"] = 1 - one + draw(D)
        for name in ("q_norm", "k_norm") if qk else ():
            t[b + f"self_attn.{name}.weight"] = 1 - one + draw(K)
    t[p + "norm.weight"] = 1 - one + draw(D)
    if not tied:
        t["lm_head.weight"] = draw(WORDS, D)

    def block(i, x):
        b, slides = f"{p}layers.{i}.", layer_types is None or layer_types[i] == "sliding_attention"
        n = rms(t, b + "input_layernorm", x, eps, one)
        q, k, v = (heads(linear(t, b + f"self_attn.{m}_proj", n), c) for m, c in zip("qkv", (H, groups, groups)))
        if qk:
            q, k = (rms(t, b + f"self_attn.{m}_norm", y, eps, one) for m, y in (("q", q), ("k", k)))
        f = local if local is not None and slides else freq
        a, z = attend(rotate(q, f), rotate(k, f), v, True, scale=scale and scale ** -0.5, cap=cap,
                      window=window if window and slides else 0)
        y = linear(t, b + "self_attn.o_proj", z)
        if not has_mlp:
            return a, x + y
        if gemma > 1:
            x = x + rms(t, b + "post_attention_layernorm", y, eps, one)
            n = rms(t, b + "pre_feedforward_layernorm", x, eps, one)
        else:
            x = x + y
            n = rms(t, b + "post_attention_layernorm", x, eps, one)
        act = gelu_new if more else F.silu
        y = linear(t, b + "mlp.down_proj", act(linear(t, b + "mlp.gate_proj", n)) * linear(t, b + "mlp.up_proj", n))
        return a, x + (rms(t, b + "post_feedforward_layernorm", y, eps, one) if gemma > 1 else y)

    def head(x):
        words = t["model.embed_tokens.weight" if tied else "lm_head.weight"].double()
        logits = rms(t, p + "norm", x, eps, one) @ words.T
        last = config.get("final_logit_softcapping")
        return last * (logits / last).tanh() if last else logits

    config = {"num_attention_heads": H, "num_key_value_heads": groups, "rms_norm_eps": eps,
              "hidden_act": "silu", **config}
    if window:
        config["sliding_window"] = window
    if layer_types and "max_window_layers" not in config:
        config["layer_types"] = layer_types
    if tied and not gemma:
        config["tie_word_embeddings"] = True
    return t, config, {"embed": lambda ids: t[p + "embed_tokens.weight"][ids].double() * (D ** 0.5 if gemma else 1),
                       "block": block, "head": head}


def post_norm(prefix, qkv, out, norms, mlp, tables, first, head, config):
    """BERT and its relatives."""
    t = {tables + "word_embeddings.weight": draw(WORDS, D), tables + "position_embeddings.weight": draw(64, D)}
    with_norms(t, tables + "LayerNorm")
    if "distil" not in prefix:
        t[tables + "token_type_embeddings.weight"] = draw(2, D)
    for i in range(LAYERS):
        b = prefix.format(i)
        linears(t, [b + n for n in qkv] + [b + out, b + mlp[0], b + mlp[1]],
                [(D, D)] * 4 + [(3 * D, D), (D, 3 * D)])
        with_norms(t, b + norms[0], b + norms[1])
    if head is not None:
        linears(t, [head[0]], [(D, D)])
        with_norms(t, head[1])
        t[head[2]] = draw(WORDS)
    eps = 1e-12

    def embed(ids):
        x = t[tables + "word_embeddings.weight"][ids] + t[tables + "position_embeddings.weight"][first:first + len(ids)]
        x = x.double() + t.get(tables + "token_type_embeddings.weight", torch.zeros(1, D))[0]
        return norm(t, tables + "LayerNorm", x, eps)

    def block(i, x):
        b = prefix.format(i)
        a, z = attend(*(heads(linear(t, b + n, x), H) for n in qkv), False)
        x = norm(t, b + norms[0], x + linear(t, b + out, z), eps)
        y = linear(t, b + mlp[1], F.gelu(linear(t, b + mlp[0], x)))
        return a, norm(t, b + norms[1], x + y, eps)

    def logits(x):
        x = norm(t, head[1], F.gelu(linear(t, head[0], x)), eps)
        return x @ t[tables + "word_embeddings.weight"].double().T + t[head[2]]

    return t, config, {"embed": embed, "block": block, "head": logits if head else None}


def bert(kind, head, first=0, config=None):
    prefix = kind + "." if head else ""
    return post_norm(prefix + "encoder.layer.{}.", [f"attention.self.{n}" for n in ("query", "key", "value")],
                     "attention.output.dense", ("attention.output.LayerNorm", "output.LayerNorm"),
                     ("intermediate.dense", "output.dense"), prefix + "embeddings.", first, head,
                     {"model_type": kind, "num_attention_heads": H, "hidden_act": "gelu"})


def first_names(t, config, model):
    """The norms' names in the first files of BERT."""
    return {n.replace("Norm.weight", "Norm.gamma").replace("Norm.bias", "Norm.beta"): v for n, v in t.items()}, config, model


def torch_layer(encoder):
    module = (torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(D, H, 2 * D, dropout=0), LAYERS)
              if encoder else torch.nn.MultiheadAttention(D, H))
    module = module.double().train()
    for value in module.parameters():
        value.data = (value.data + draw(*value.shape).double() / 3).float().double()
    t = {n: v.detach().float() for n, v in module.state_dict().items()}

    def block(i, x):
        x, layer = x[:, None], module.layers[i] if encoder else module
        y, a = (layer.self_attn if encoder else layer)(x, x, x, average_attn_weights=False)
        return a[0].detach(), (layer(x) if encoder else y)[:, 0].detach()

    return t, {"num_heads": H}, {"embed": None, "block": block, "head": None}


def transformer_lens():
    K, V, N = 5, 7, 40
    t = {"embed.W_E": draw(WORDS, D), "pos_embed.W_pos": draw(64, D), "unembed.W_U": draw(D, WORDS),
         "unembed.b_U": draw(WORDS)}
    for i in range(LAYERS):
        b = f"blocks.{i}."
        for name, shape in (("attn.W_Q", (H, D, K)), ("attn.W_K", (H, D, K)), ("attn.W_V", (H, D, V)),
                            ("attn.W_O", (H, V, D)), ("attn.b_Q", (H, K)), ("attn.b_K", (H, K)),
                            ("attn.b_V", (H, V)), ("attn.b_O", (D,)), ("mlp.W_in", (D, N)),
                            ("mlp.b_in", (N,)), ("mlp.W_out", (N, D)), ("mlp.b_out", (D,))):
            t[b + name] = draw(*shape)

    def block(i, x):
        w = {n[len(f"blocks.{i}."):]: v.double() for n, v in t.items() if n.startswith(f"blocks.{i}.")}
        n = F.layer_norm(x, (D,))
        qkv = (torch.einsum("td,hdk->htk", n, w["attn.W_" + m]) + w["attn.b_" + m][:, None] for m in "QKV")
        a, z = attend(*qkv, True)
        x = x + torch.einsum("thv,hvd->td", z.view(len(x), H, V), w["attn.W_O"]) + w["attn.b_O"]
        n = F.layer_norm(x, (D,))
        return a, x + gelu_new(n @ w["mlp.W_in"] + w["mlp.b_in"]) @ w["mlp.W_out"] + w["mlp.b_out"]

    return t, None, {"embed": lambda ids: learned(t, "embed.W_E", "pos_embed.W_pos", ids), "block": block,
                     "head": lambda x: F.layer_norm(x, (D,)) @ t["unembed.W_U"].double() + t["unembed.b_U"]}


SCALED = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
          "original_max_position_embeddings": 64}
SLIDING = ["sliding_attention", "full_attention", "sliding_attention"]
BERT_HEAD = ("cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm", "cls.predictions.bias")

ARCHITECTURES = {
    "gpt2": gpt2,
    "gpt2 with its own vocabulary": lambda: gpt2(50257, "transformer."),
    "gpt2 with scores that are not scaled": lambda: gpt2(scale=1, scale_attn_weights=False),
    "gpt-neo": gpt_neo,
    "gpt-j": gpt_j,
    "gpt-neox": gpt_neox,
    "gpt-neox, one after the other": lambda: gpt_neox(False),
    "phi": phi,
    "llama": llama,
    "llama with biases in its MLP": lambda: llama(mlp_bias=True),
    "llama without an MLP": lambda: llama(intermediate_size=0),
    "llama 3.1": lambda: llama(freq=llama3(frequencies(12, 500000), 8, 1, 4, 64), rope_theta=500000.0,
                               rope_scaling=SCALED, tied=True),
    "mistral": lambda: llama(window=3, eps=1e-5, model_type="mistral"),
    "qwen 2": lambda: llama(bias=True, freq=frequencies(12, 1e6), rope_theta=1e6, model_type="qwen2"),
    "qwen 2 with a window in its last layer": lambda: llama(
        window=3, layer_types=["full_attention"] * 2 + ["sliding_attention"], model_type="qwen2",
        use_sliding_window=True, max_window_layers=2),
    "qwen 3": lambda: llama(qk=True, model_type="qwen3"),
    "gemma": lambda: llama(gemma=1, tied=True, model_type="gemma", hidden_activation="gelu_pytorch_tanh"),
    "gemma 2": lambda: llama(gemma=2, tied=True, model_type="gemma2", attn_logit_softcapping=2.0,
                             final_logit_softcapping=3.0, query_pre_attn_scalar=20, window=3,
                             layer_types=SLIDING, hidden_activation="gelu_pytorch_tanh"),
    "gemma 3": lambda: llama(gemma=3, tied=True, model_type="gemma3_text", qk=True, query_pre_attn_scalar=20,
                             window=3, layer_types=SLIDING, freq=frequencies(12, 1e6), local=frequencies(12),
                             rope_theta=1e6, rope_local_base_freq=10000.0,
                             hidden_activation="gelu_pytorch_tanh"),
    "gemma 3 with RoPE by kind of layer": lambda: llama(
        gemma=3, tied=True, model_type="gemma3_text", qk=True, query_pre_attn_scalar=20, window=3, layer_types=SLIDING,
        freq=frequencies(12, 1e6), local=frequencies(12, 5000), hidden_activation="gelu_pytorch_tanh",
        rope_parameters={"full_attention": {"rope_type": "default", "rope_theta": 1e6},
                         "sliding_attention": {"rope_type": "default", "rope_theta": 5000.0}}),
    "bert": lambda: bert("bert", BERT_HEAD),
    "bert with its first names": lambda: first_names(*bert("bert", BERT_HEAD)),
    "bert without a head": lambda: bert("bert", None),
    "roberta": lambda: bert("roberta", ("lm_head.dense", "lm_head.layer_norm", "lm_head.bias"), 2),
    "distilbert": lambda: post_norm(
        "distilbert.transformer.layer.{}.", [f"attention.{n}_lin" for n in "qkv"], "attention.out_lin",
        ("sa_layer_norm", "output_layer_norm"), ("ffn.lin1", "ffn.lin2"), "distilbert.embeddings.", 0,
        ("vocab_transform", "vocab_layer_norm", "vocab_projector.bias"),
        {"model_type": "distilbert", "n_heads": H, "activation": "gelu"}),
    "torch-encoder": lambda: torch_layer(True),
    "torch": lambda: torch_layer(False),
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


def model_of(model, ids, layers):
    """A and hidden of every layer, X before them, and logits."""
    x, passes = model["embed"](ids), []
    for i in range(layers):
        a, hidden = model["block"](i, x)
        passes.append({"X": x, "A": a, "hidden": hidden})
        x = hidden
    for each in passes if model["head"] else []:
        each["logits"] = model["head"](x)
    return passes


def export(program, folder, layer, words):
    out = folder / "out.safetensors"
    subprocess.run([program, "export", "-o", out, "--weights", folder, "--layer", str(layer), *words], check=True)
    return read_safetensors(out)


def run_code(program, folder, layer, words):
    """The scripts that rebuild the layer find the same A."""
    for code in ("pytorch", "numpy"):
        script = folder / "layer.py"
        subprocess.run([program, "export", "-o", script, "--code", code, "--weights", folder,
                        "--layer", str(layer), *words], check=True)
        lines = [line for line in script.read_text().split("\n") if line and not line.startswith("#")]
        if len(lines) > 60:
            raise ValueError(f"{len(lines)} lines")
        with contextlib.redirect_stdout(io.StringIO()):
            runpy.run_path(str(script))


def check(program, folder, kind, dtype, shards):
    t, config, model = ARCHITECTURES[kind]()
    stored = {n: stored_as(v, dtype) for n, v in t.items()}
    for n in t:  # what PyTorch reads is what the file holds
        t[n].copy_(stored[n].float())
    write_folder(folder, stored, config, shards)
    worst = dict.fromkeys(("X", "A", "hidden", "logits"), 0.0)
    layers = 1 if kind == "torch" else LAYERS
    cases = [(["--ids", ",".join(map(str, IDS))], IDS)]
    if "vocabulary" in kind:
        cases.append((["--text", TEXT], TEXT_IDS))
    for words, ids in cases if model["embed"] else [(["--text", TEXT], None)]:
        wanted = model_of(model, ids, layers) if ids else None
        for layer in range(layers):
            got = export(program, folder, layer + 1, words)
            expected = wanted[layer] if wanted else dict(zip(("A", "hidden"), model["block"](layer, got["X"])))
            if ("logits" in got) != ("logits" in expected):
                raise ValueError("logits")
            for name, value in expected.items():
                worst[name] = max(worst[name], float((got[name] - value).abs().max()))
        run_code(program, folder, layers, words)
    return worst


def ablate(program, folder, edit):
    """The largest difference of hidden and logits with head 3 of layer 2 zeroed or averaged."""
    t, config, model = gpt2()
    write_folder(folder, t, config, 0)
    plain, layer = model["block"], []

    def block(i, x):
        layer[:] = [i]
        return plain(i, x)

    def attend_edited(*words, **more):
        a, z = attend_plain(*words, **more)
        if layer == [1]:
            z[:, 2 * D // H:3 * D // H] = z[:, 2 * D // H:3 * D // H].mean(0) * edit.startswith("mean")
        return a, z

    global attend
    attend_plain, attend = attend, attend_edited
    wanted = model_of({**model, "block": block}, IDS, LAYERS)[1]
    attend = attend_plain
    got = export(program, folder, 2, ["--ids", ",".join(map(str, IDS)), "--set", edit])
    return {name: float((got[name] - wanted[name]).abs().max()) for name in ("X", "A", "hidden", "logits")}


def main():
    program, tree = sys.argv[1], pathlib.Path(sys.argv[2])
    failures = 0
    cases = [(kind, torch.float32, 0) for kind in ARCHITECTURES]
    cases += [("llama", torch.bfloat16, 3), ("gpt-neox", torch.float16, 2), ("bert", torch.float64, 0),
              ("gpt2", "F8_E4M3", 2), ("gemma 2", "F8_E5M2", 2), ("qwen 3", torch.float16, 4)]
    cases += [("gain3(1,1)=0", torch.float32, 0), ("mean3(1,1)=1", torch.float32, 0)]
    for n, (kind, dtype, shards) in enumerate(cases, 1):
        torch.manual_seed(3)
        name = f"{kind}, {TYPES[dtype]}, {shards or 'no'} shards"
        try:
            ablates = kind not in ARCHITECTURES
            worst = (ablate(program, tree / str(n), kind) if ablates else
                     check(program, tree / str(n), kind, dtype, shards))
        except (subprocess.CalledProcessError, AssertionError, ValueError, KeyError) as error:
            worst = {repr(error)[-60:]: math.inf}
        good = all(value <= 1e-4 for value in worst.values())
        failures += not good
        figures = ", ".join(f"{key} {value:.1e}" for key, value in worst.items())
        print(f"{'ok' if good else 'not ok'} {n} - {name}: differ by {figures}", flush=True)
    print(f"1..{len(cases)}")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
