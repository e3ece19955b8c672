#!/usr/bin/env python3
"""Train the layers that ship, and write NAME.safetensors and sentences.txt into this folder.

usage: make_trained.py [NAME...]     (needs python3-torch; one thread, so one machine gives one file)

Each layer is trained by Adam, with a falling rate, on random sequences of the word vectors that
ship. None of the words of sentences.txt is trained on: each card's number is measured on these
200 sentences. tests/shell/test_trained.c measures it again with the program. Names and shapes of
the tensors are those of --weights; P is a vector for each position.
"""

import json
import math
import pathlib
import random
import struct
import sys

import numpy as np
import torch

HERE = pathlib.Path(__file__).resolve().parent
D, POSITIONS, BATCH, RATE = 64, 64, 32, 2e-3
EARLIER = "the same word earlier"
SIMILAR = "the most similar other word"
GAUSSIANS = 1000  # random vectors, which words without a vector have

# What each layer is trained for. options: what the file settles. target: what a row outputs, for
# the key j that it must read: the word of j, or the wave of j's position.
LAYERS = {
    "word-before": dict(
        heads=4, d_k=16, d_v=16, options="embedding=glove&positions=rope&mask=none", steps=20000,
        data="words", target="word", asked="the word before",
        task="Output the word before; the first row its own."),
    "word-after": dict(
        heads=4, d_k=16, d_v=16, options="embedding=glove&positions=rope&mask=none", steps=8000,
        data="words", target="word", asked="the word after",
        task="Output the word after; the last row its own."),
    "first-word": dict(
        heads=4, d_k=16, d_v=16, options="embedding=glove&positions=learned&mask=none", steps=3000,
        data="words", target="word", asked="the first word",
        task="Output the first word."),
    "same-word-earlier": dict(
        heads=2, d_k=32, d_v=32, options="embedding=glove&positions=learned&mask=causal", steps=12000,
        data="repeats", target="place", asked=EARLIER,
        task="Output the place of the same word earlier, or the row's own place if there is none."),
    "similar-word": dict(
        heads=2, d_k=64, d_v=64, options="embedding=glove&positions=learned&mask=none", steps=8000,
        data="pairs", target="place", asked=SIMILAR,
        task="Output the place of the most similar other word, by the cosine of word vectors."),
}

DATA = {"words": "random words", "repeats": "random words, each twice",
        "pairs": "random words, each with one of the 8 most similar ones"}

# A small grammar. Sentences repeat words and have related ones, as English does.
NOUNS = ("dog cat horse bird fish boy girl man woman child king queen doctor teacher farmer river "
         "bridge garden house door window table chair letter book story song train ship road").split()
VERBS = ("saw found heard followed liked lost carried watched bought sold painted forgot").split()
ADJECTIVES = ("old young small large red blue quiet happy tired broken warm cold").split()
PLACES = ("near behind under over beside across").split()
JOINS = ("and but because while before after").split()


def sentences(count):
    draw = random.Random(25)

    def phrase():
        noun = draw.choice(NOUNS)
        return ["the"] + ([draw.choice(ADJECTIVES)] if draw.random() < 0.4 else []) + [noun]

    def clause():
        words = phrase() + [draw.choice(VERBS)] + phrase()
        return words + ([draw.choice(PLACES)] + phrase() if draw.random() < 0.4 else [])

    found = []
    while len(found) < count:
        words = clause() + ([draw.choice(JOINS)] + clause() if draw.random() < 0.7 else [])
        if words not in found:
            found.append(words)
    return found


def word_vectors():
    """The words, and their vectors as the program has them: D columns, rms 1."""
    raw = (HERE / "../words/glove.safetensors").read_bytes()
    start = 8 + int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8:start])

    def read(name, kind):
        begin, end = header[name]["data_offsets"]
        return np.frombuffer(raw[start + begin:start + end], kind).reshape(header[name]["shape"])

    vectors = torch.tensor(read("vectors", "<f2").astype(np.float32)[:, :D])
    words = read("words", "u1").tobytes().decode().split("\n")[:-1]
    return words, vectors / vectors.pow(2).mean(1, keepdim=True).sqrt()


class Layer:
    """The layer of the program: Q, K, V with biases, RoPE or P, softmax, W_O."""

    def __init__(self, plan):
        H, K, V = plan["heads"], plan["d_k"], plan["d_v"]
        self.rope, self.causal = "rope" in plan["options"], "causal" in plan["options"]
        self.t = {}
        for name, shape, fans in (("W_Q", (H, D, K), D + H * K), ("W_K", (H, D, K), D + H * K),
                                  ("W_V", (H, D, V), D + H * V), ("W_O", (H * V, D), D + H * V)):
            self.t[name] = (torch.rand(shape) * 2 - 1) * math.sqrt(6 / fans)
        for name, shape in (("b_Q", (H, K)), ("b_K", (H, K)), ("b_V", (H, V)), ("b_O", (D,))):
            self.t[name] = torch.zeros(shape)
        if not self.rope:
            self.t["P"] = torch.randn(POSITIONS, D) * math.sqrt(0.5)
        for tensor in self.t.values():
            tensor.requires_grad_()

    def turn(self, q, first):
        pair = torch.arange(0, q.shape[-1], 2, dtype=torch.float64)
        at = torch.arange(first, first + q.shape[-2], dtype=torch.float64)[:, None]
        angle = at * 10000 ** (-pair / q.shape[-1])
        c, s = angle.cos().float(), angle.sin().float()
        a, b = q[..., ::2], q[..., 1::2]
        return torch.stack([a * c - b * s, a * s + b * c], -1).reshape(q.shape)

    def forward(self, E, first=0):
        """A (batch, H, T, T) and Y (batch, T, D) for word vectors that stand at first, first+1, …"""
        t, T = self.t, E.shape[1]
        x = E if self.rope else E + t["P"][first:first + T]
        x = x[:, None]
        Q, K, V = (x @ t["W_" + n] + t["b_" + n][:, None] for n in "QKV")
        if self.rope:
            Q, K = self.turn(Q, first), self.turn(K, first)
        S = Q @ K.transpose(-1, -2) / math.sqrt(Q.shape[-1])
        if self.causal:
            S = S.masked_fill(torch.ones(T, T).triu(1) > 0, -math.inf)
        A = S.softmax(-1)
        return A, (A @ V).transpose(1, 2).reshape(len(E), T, -1) @ t["W_O"] + t["b_O"]


def keys(asked, words, E):
    """The key that each row must read, or -1: (batch, T) for words (batch, T)."""
    T = words.shape[1]
    at = torch.arange(T)
    if asked == "the word before":
        return (at - 1).clamp(min=0).expand(words.shape)
    if asked == "the word after":
        return (at + 1).clamp(max=T - 1).expand(words.shape)
    if asked == "the first word":
        return torch.zeros_like(words)
    if asked == EARLIER:
        same = (words[:, :, None] == words[:, None]) & (torch.ones(T, T).tril(-1) > 0)
        return torch.where(same, at, torch.tensor(-1)).amax(-1)
    likeness = E @ E.transpose(1, 2) - 1e9 * torch.eye(T)  # all rows have one length
    return likeness.argmax(-1) if T > 1 else torch.full_like(words, -1)


def wave(count):
    """Sinusoidal positions (count, D)."""
    c = torch.arange(D)
    angle = torch.arange(count)[:, None] * 10000.0 ** (-(c - c % 2).double() / D)
    return torch.where(c % 2 == 0, angle.sin(), angle.cos()).float()


def targets(plan, j, E, first):
    if plan["target"] == "place":
        own = torch.arange(j.shape[1]).expand_as(j)
        return wave(POSITIONS)[first + torch.where(j >= 0, j, own)]
    return E.gather(1, j.clamp(min=0)[..., None].expand(-1, -1, D))


def sequences(data, pool, near, count, T):
    """Random words (count, T): all different, half of them each twice, or in pairs of neighbours."""
    half = (T + 1) // 2
    words = pool[torch.randint(len(pool), (count, T))]
    if data == "words":
        return words
    if data == "pairs":
        chosen = words[:, :half]
        other = near[chosen].gather(2, torch.randint(near.shape[1], (count, half, 1)))[..., 0]
        words = torch.cat([chosen, other], 1)[:, :T]
    else:
        words = torch.cat([words[:, :half], words[:, :half]], 1)[:, :T]
    order = torch.rand(count, T).argsort(1)
    return words.gather(1, order)


def neighbours(vectors, pool, count=8):
    """The words of pool nearest to each of them, as a table over all words."""
    unit = vectors / vectors.norm(dim=1, keepdim=True)
    near = torch.zeros(len(vectors), count, dtype=torch.long)
    for part in pool.split(500):
        near[part] = pool[(unit[part] @ unit[pool].T).topk(count + 1).indices[:, 1:]]
    return near


def train(plan, vectors, pool, near):
    layer = Layer(plan)
    adam = torch.optim.Adam(layer.t.values(), lr=RATE)
    fall = torch.optim.lr_scheduler.CosineAnnealingLR(adam, plan["steps"])
    for _ in range(plan["steps"]):
        is_long = torch.rand(()) < 0.1
        T = int(torch.randint(2, 25, ())) if not is_long else POSITIONS
        first = 0 if plan["asked"] == "the first word" else int(torch.randint(POSITIONS - T + 1, ()))
        count = BATCH // 4 if is_long else BATCH
        words = sequences(plan["data"], pool, near, count, T)
        E = vectors[words]
        j = keys(plan["asked"], words, E)
        _, Y = layer.forward(E, first)
        loss = (Y - targets(plan, j, E, first)).pow(2).mean()
        adam.zero_grad()
        loss.backward()
        adam.step()
        fall.step()
    return layer


def measure(plan, layer, vectors, unseen):
    """Loss, and the mean weight that the best head gives the asked key, over the sentences."""
    losses, weights = [], []
    for words in unseen:
        E = vectors[words][None]
        j = keys(plan["asked"], words[None], E)
        with torch.no_grad():
            A, Y = layer.forward(E)
        losses.append((Y - targets(plan, j, E, 0)).pow(2).mean().item())
        rows = (j[0] >= 0).nonzero()[:, 0]
        asked = torch.arange(len(words)) == j[0][rows, None]
        if plan["asked"] in (SIMILAR, EARLIER):  # any of equal words will do
            at = torch.arange(len(words))
            asked = (words == words[j[0][rows, None]]) & (at != rows[:, None])
            if plan["asked"] == EARLIER:
                asked &= at < rows[:, None]
        weights.append((A[0][:, rows] * asked).sum(-1))
    by_head = torch.cat(weights, 1).mean(1)
    return sum(losses) / len(losses), by_head.max().item(), by_head.argmax().item() + 1


def write(path, tensors, metadata):
    header, at, data = {"__metadata__": metadata}, 0, b""
    for name, tensor in tensors.items():
        values = tensor.detach().numpy().astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape),
                        "data_offsets": [at, at + len(values)]}
        at += len(values)
        data += values
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def main():
    torch.set_num_threads(1)
    words, vectors = word_vectors()
    row = {word: i for i, word in enumerate(words)}
    unseen = [torch.tensor([row[w] for w in s]) for s in sentences(200)]
    (HERE / "sentences.txt").write_text("".join(" ".join(s) + "\n" for s in sentences(200)))
    used = set(torch.cat(unseen).tolist())
    torch.manual_seed(25)
    gaussians = torch.randn(GAUSSIANS, D)
    vectors = torch.cat([vectors, gaussians / gaussians.pow(2).mean(1, keepdim=True).sqrt()])
    pool = torch.tensor([i for i in range(len(vectors)) if i not in used])
    near = neighbours(vectors, pool)
    for name in sys.argv[1:] or LAYERS:
        plan = LAYERS[name]
        torch.manual_seed(1)
        layer = train(plan, vectors, pool, near)
        loss, score, head = measure(plan, layer, vectors, unseen)
        note = f"{score:.2f} on {plan['asked']}, over 200 unseen sentences"
        card = {"task": plan["task"], "data": DATA[plan["data"]], "steps": f"{plan['steps']}",
                "loss": f"{loss:.3f}, mean squared error on the unseen sentences",
                "score": f"{note}, head {head}"}
        write(HERE / f"{name}.safetensors", layer.t,
              {"note": note, "options": plan["options"], **card})
        print(f"{name}: {card}", flush=True)


if __name__ == "__main__":
    main()
