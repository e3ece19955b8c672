#!/usr/bin/python3
"""Train the two small models of this folder: induction and english.

    bible -f Gen1:1-Rev22:21 > kjv.txt      (Debian: bible-kjv, bible-kjv-text)
    python3 make_models.py kjv.txt [NAME]   (Debian: python3-torch, libopenblas0)

Each is a folder with model.safetensors, config.json and tokenizer.json, in the layout of Llama.
verses.txt has the verses on which english is measured.
"""
import json
import math
import pathlib
import re
import struct
import sys

import torch
import torch.nn.functional as F

HERE = pathlib.Path(__file__).resolve().parent
PIECE = re.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?[A-Za-z]+| ?[0-9]+| ?[^\sA-Za-z0-9]+|\s+(?!\S)|\s+")
HELD_OUT = 20  # every 20th block of VERSES verses is never trained on
VERSES = 40
UNSEEN = 200
MODELS = {
    "induction": dict(D=64, heads=4, layers=2, neurons=0, words=1024, T=48, biases=True, theta=100.0,
                      batch=64, steps=3000, rate=3e-3,
                      task="Predict the next token of a random sequence that comes twice.",
                      data="6 to 24 random tokens, twice"),
    "english": dict(D=128, heads=4, layers=3, neurons=256, words=2048, T=64, biases=False, theta=10000.0,
                    batch=8, steps=10000, rate=3e-3,
                    task="Predict the next token of English text.",
                    data="the King James Bible without every 20th block of 40 verses"),
}


def byte_names():
    """The printing character that stands for each byte in a byte-level vocabulary."""
    prints = [*range(33, 127), *range(161, 173), *range(174, 256)]
    rest = [b for b in range(256) if b not in prints]
    return {b: chr(b) for b in prints} | {b: chr(256 + i) for i, b in enumerate(rest)}


def learn_merges(text, count):
    """The most frequent pair of tokens inside a piece is joined, again and again."""
    name = byte_names()
    pieces = {}
    for piece in PIECE.findall(text):
        key = tuple(name[b] for b in piece.encode())
        pieces[key] = pieces.get(key, 0) + 1
    words, uses = [list(p) for p in pieces], list(pieces.values())
    pairs, places = {}, {}

    def count_word(i, sign):
        for pair in zip(words[i], words[i][1:]):
            pairs[pair] = pairs.get(pair, 0) + sign * uses[i]
            places.setdefault(pair, set()).add(i)

    for i in range(len(words)):
        count_word(i, 1)
    merges = []
    while len(merges) < count:
        best = max(pairs, key=lambda p: (pairs[p], p))
        merges.append(best)
        for i in sorted(places[best]):
            count_word(i, -1)
            at, word = 0, words[i]
            while at + 1 < len(word):
                if (word[at], word[at + 1]) == best:
                    word[at:at + 2] = [word[at] + word[at + 1]]
                at += 1
            count_word(i, 1)
    return merges


def encode(text, merges):
    """Token ids of text: bytes in the order of byte_names, then the merges."""
    name = byte_names()
    order = sorted(name.values())
    ids = {n: i for i, n in enumerate(order)} | {a + b: 256 + i for i, (a, b) in enumerate(merges)}
    rank = {pair: i for i, pair in enumerate(merges)}
    known = {}
    out = []
    for piece in PIECE.findall(text):
        if piece not in known:
            word = [name[b] for b in piece.encode()]
            while len(word) > 1:
                least = min(zip(word, word[1:]), key=lambda p: rank.get(p, len(rank)))
                if least not in rank:
                    break
                at = 0
                while at + 1 < len(word):
                    if (word[at], word[at + 1]) == least:
                        word[at:at + 2] = [word[at] + word[at + 1]]
                    at += 1
            known[piece] = [ids[w] for w in word]
        out += known[piece]
    return torch.tensor(out), ids


class Model:
    """Llama's blocks: RMSNorm, attention with RoPE, and, if there are neurons, a gated MLP; Qwen 2's
    biases of queries and keys. The unembedding is the embedding."""

    def __init__(self, plan):
        self.plan, D, N = plan, plan["D"], plan["neurons"]
        self.t = {"model.embed_tokens.weight": torch.randn(plan["words"], D) / math.sqrt(D),
                  "model.norm.weight": torch.ones(D)}
        for layer in range(plan["layers"]):
            prefix = f"model.layers.{layer}."
            shapes = {f"self_attn.{c}_proj": (D, D) for c in "qkvo"}
            if N > 0:
                shapes |= {"mlp.gate_proj": (N, D), "mlp.up_proj": (N, D), "mlp.down_proj": (D, N)}
            for name, (rows, cols) in shapes.items():
                self.t[f"{prefix}{name}.weight"] = torch.randn(rows, cols) / math.sqrt(cols) * 0.7
            for c in "qk" if plan["biases"] else "":  # random, so that each head starts with its distances
                self.t[f"{prefix}self_attn.{c}_proj.bias"] = torch.randn(D)
            for name in ("input_layernorm", "post_attention_layernorm")[:2 if N > 0 else 1]:
                self.t[f"{prefix}{name}.weight"] = torch.ones(D)
        for tensor in self.t.values():
            tensor.requires_grad_()

    def norm(self, x, name):
        return x * (x.pow(2).mean(-1, keepdim=True) + 1e-6).rsqrt() * self.t[name + ".weight"]

    def forward(self, ids):
        """Logits (batch, T, words), and A (batch, heads, T, T) of each layer."""
        B, T = ids.shape
        D, H = self.plan["D"], self.plan["heads"]
        K = D // H
        angle = torch.arange(T)[:, None] * self.plan["theta"] ** (-torch.arange(0, K, 2) / K)
        cos, sin = (torch.cat([f(angle), f(angle)], -1) for f in (torch.cos, torch.sin))

        def turn(q):
            return q * cos + torch.cat([-q[..., K // 2:], q[..., :K // 2]], -1) * sin

        mask = torch.full((T, T), -math.inf).triu(1)
        x, weights = self.t["model.embed_tokens.weight"][ids], []
        for layer in range(self.plan["layers"]):
            prefix = f"model.layers.{layer}."
            n = self.norm(x, prefix + "input_layernorm")
            q, k, v = (F.linear(n, self.t[f"{prefix}self_attn.{c}_proj.weight"],
                                self.t.get(f"{prefix}self_attn.{c}_proj.bias")).view(B, T, H, K).transpose(1, 2)
                       for c in "qkv")
            A = (turn(q) @ turn(k).transpose(-1, -2) / math.sqrt(K) + mask).softmax(-1)
            weights.append(A)
            x = x + F.linear((A @ v).transpose(1, 2).reshape(B, T, D), self.t[prefix + "self_attn.o_proj.weight"])
            if self.plan["neurons"] == 0:
                continue
            n = self.norm(x, prefix + "post_attention_layernorm")
            gate, up = (F.linear(n, self.t[f"{prefix}mlp.{c}_proj.weight"]) for c in ("gate", "up"))
            x = x + F.linear(F.silu(gate) * up, self.t[prefix + "mlp.down_proj.weight"])
        return F.linear(self.norm(x, "model.norm"), self.t["model.embed_tokens.weight"]), weights


def repeated(plan, count):
    """Random tokens (count, 2 L), whose second half is like the first."""
    half = torch.randint(plan["words"], (count, torch.randint(6, plan["T"] // 2 + 1, ()).item()))
    return torch.cat([half, half], 1)


def induction_batch(plan, count):
    """Only the second half can be predicted, so only that is trained on: targets of -100 do not count."""
    ids = repeated(plan, count)
    known = torch.arange(ids.shape[1] - 1) >= ids.shape[1] // 2
    return ids[:, :-1], torch.where(known, ids[:, 1:], torch.tensor(-100))


def english_batch(plan, ids, count):
    at = torch.randint(len(ids) - plan["T"] - 1, (count, 1)) + torch.arange(plan["T"] + 1)
    return ids[at[:, :-1]], ids[at[:, 1:]]


def train(name, plan, batch):
    """Every 500 steps all is kept in NAME.part, from which a training that was cut off goes on."""
    torch.manual_seed(25)
    model = Model(plan)
    adam = torch.optim.AdamW(model.t.values(), lr=plan["rate"], betas=(0.9, 0.98), weight_decay=0)
    warm = 100
    fall = torch.optim.lr_scheduler.LambdaLR(adam, lambda s: min((s + 1) / warm, 0.5 + 0.5 * math.cos(
        math.pi * s / plan["steps"])))
    first, part = 0, pathlib.Path(f"{name}.part")
    if part.exists():
        first, random, values, *states = torch.load(part)
        torch.set_rng_state(random)
        for tensor, value in zip(model.t.values(), values):
            tensor.data.copy_(value)
        adam.load_state_dict(states[0])
        fall.load_state_dict(states[1])
    for step in range(first, plan["steps"]):
        if step % 500 == 0:
            torch.save((step, torch.get_rng_state(), [t.data for t in model.t.values()],
                        adam.state_dict(), fall.state_dict()), part)
        ids, wanted = batch(plan, plan["batch"])
        logits, _ = model.forward(ids)
        loss = F.cross_entropy(logits.flatten(0, 1), wanted.flatten())
        adam.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(model.t.values()), 1.0)
        adam.step()
        fall.step()
        if step % 100 == 0:
            print(step, f"{loss.item():.3f}", flush=True)
    with torch.no_grad():  # what is measured is what is written
        for tensor in model.t.values():
            tensor.copy_(tensor.half().float())
    part.unlink(missing_ok=True)
    return model


def weight_before(A):
    """Mean weight of each head on the token before, over all rows but the first: (layers, heads)."""
    return torch.stack(A)[:, 0].diagonal(-1, -2, -1).mean(-1)


def best(weights):
    layer, head = divmod(weights.argmax().item(), weights.shape[1])
    return f"{weights.max().item():.2f}", f"head {head + 1} of layer {layer + 1}"


def induction_card(model):
    """On UNSEEN sequences. The score is of the rows of the second half: the weight on the token that
    came after the same token in the first half."""
    torch.manual_seed(7)
    before, after, loss = 0, 0, 0
    with torch.no_grad():
        for _ in range(UNSEEN):
            ids = repeated(model.plan, 1)
            half = ids.shape[1] // 2
            logits, A = model.forward(ids[:, :-1])
            before = before + weight_before(A) / UNSEEN
            after = after + torch.stack(A)[:, 0].diagonal(1 - half, -2, -1)[..., 1:].mean(-1) / UNSEEN
            loss += F.cross_entropy(logits[0, half:], ids[0, half + 1:]).item() / UNSEEN
    (a, a_head), (b, b_head) = best(after), best(before)
    return {"note": f"{a} on what followed the same token: {a_head}",
            "loss": f"{loss:.3f} nats a token of the second half, mean over {UNSEEN} unseen sequences",
            "score": f"{a} on what followed the same token: {a_head}; {b} on the token before: {b_head}"}


def english_card(model, verses, counts):
    """On each of the verses by itself. counts: of each token in the text that was trained on."""
    T, before, loss, plain, right, rows = model.plan["T"], 0, 0, 0, 0, 0
    rare = -torch.log((counts + 1) / (counts + 1).sum())
    with torch.no_grad():
        for ids in verses:
            wanted = ids[1:T + 1]
            logits, A = model.forward(ids[None, :-1][:, :T])
            before = before + weight_before(A) / len(verses)
            loss += F.cross_entropy(logits[0], wanted, reduction="sum").item()
            plain += rare[wanted].sum().item()
            right += (logits[0].argmax(-1) == wanted).sum().item()
            rows += len(wanted)
    b, b_head = best(before)
    return {"note": f"the right next token {right / rows:.0%} of the time",
            "loss": f"{loss / rows:.2f} nats a token on {len(verses)} unseen verses; by frequency alone {plain / rows:.2f}",
            "score": f"{right / rows:.0%} of the next tokens are the first choice; {b} on the token before: {b_head}"}


def write(name, model, ids, merges, card):
    plan, folder = model.plan, HERE / name
    folder.mkdir(exist_ok=True)
    metadata = {"format": "pt", "task": plan["task"], "data": plan["data"], "steps": f"{plan['steps']}", **card}
    header, at, data = {"__metadata__": metadata}, 0, b""
    for key, tensor in model.t.items():
        values = tensor.detach().numpy().astype("<f2").tobytes()
        header[key] = {"dtype": "F16", "shape": list(tensor.shape), "data_offsets": [at, at + len(values)]}
        at += len(values)
        data += values
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)
    (folder / "config.json").write_text(json.dumps({
        "model_type": "qwen2" if plan["biases"] else "llama", "hidden_size": plan["D"], "num_attention_heads": plan["heads"],
        "num_hidden_layers": plan["layers"], "intermediate_size": plan["neurons"], "hidden_act": "silu",
        "rms_norm_eps": 1e-6, "rope_theta": plan["theta"], "max_position_embeddings": plan["T"],
        "tie_word_embeddings": True, "vocab_size": plan["words"]}, indent=1) + "\n")
    (folder / "tokenizer.json").write_text(json.dumps({
        "version": "1.0", "added_tokens": [], "normalizer": None,
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True},
        "post_processor": None, "decoder": {"type": "ByteLevel"},
        "model": {"type": "BPE", "vocab": ids, "merges": [f"{a} {b}" for a, b in merges]}},
        ensure_ascii=False, separators=(",", ":")) + "\n")
    print(f"{name}: {card}", flush=True)


def main():
    torch.set_num_threads(1)
    lines = [line.split(" ", 1)[1] for line in pathlib.Path(sys.argv[1]).read_text().splitlines()]
    held = [at // VERSES % HELD_OUT == HELD_OUT - 1 for at in range(len(lines))]
    seen = "".join(line + "\n" for line, out in zip(lines, held) if not out)
    unseen = [line for line, out in zip(lines, held) if out]
    unseen = unseen[::len(unseen) // UNSEEN][:UNSEEN]
    (HERE / "verses.txt").write_text("".join(line + "\n" for line in unseen))
    all_merges = learn_merges(seen, max(p["words"] for p in MODELS.values()) - 256)
    for name in sys.argv[2:] or MODELS:
        plan = MODELS[name]
        merges = all_merges[:plan["words"] - 256]
        tokens, ids = encode(seen, merges)
        if name == "induction":
            model = train(name, plan, induction_batch)
            card = induction_card(model)
        else:
            model = train(name, plan, lambda plan, count: english_batch(plan, tokens, count))
            card = english_card(model, [encode(line, merges)[0] for line in unseen],
                                tokens.bincount(minlength=plan["words"]))
        write(name, model, ids, merges, card)


if __name__ == "__main__":
    main()
