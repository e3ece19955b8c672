#!/usr/bin/python3
"""Write tokenizers.json: small tokenizers in Hugging Face's format, and the token ids of texts.

    python3 make_tokenizer_reference.py > tokenizers.json     (Debian: python3-regex)

Each is the definition, done slowly: patterns by the regex module, merges one rank at a time.
"""
import base64
import json
import struct
import unicodedata

import regex

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
LATER = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}%s| ?[^\s\p{L}\p{N}]+[\r\n]*"
         r"|\s*[\r\n]+|\s+(?!\S)|\s+")
LLAMA3, QWEN = LATER % "{1,3}", LATER % ""
TEXTS = [
    "", "a", " a", "a  b", "the theme, then", "it's IT'S we'Ll 'ſx", "x1234567 12", "a\n\n b \n\tc\r\n",
    "!!!\n\n!a!!b ¡¿q", "été e\u0301te\u0301 \u1e9b\u0323", "日本 한국 \u1100\u1161\u11a8", "👩‍👩‍👧 ok", "\u00a0x\u3000y\u2028",
    "١٢٣ ½Ⅻ", "the<end>the <end> then<|x|>", " <mask> the", "\tthe the   the    ", "'", "''s", "the the\x00the"[:7],
]


def byte_letters():
    prints = [*range(33, 127), *range(161, 173), *range(174, 256)]
    rest = [b for b in range(256) if b not in prints]
    return {b: chr(b) for b in prints} | {b: chr(256 + i) for i, b in enumerate(rest)}


LETTER = byte_letters()


def join(tokens, merges):
    """Apply the merges in order of rank."""
    for left, right in merges:
        made = []
        for token in tokens:
            if made and not made[-1][1] and made[-1][0] == left and token == right:
                made[-1] = (left + right, True)
            else:
                made.append((token, False))
        tokens = [token for token, _ in made]
    return tokens


def bytes_bpe(name, merges, pattern=GPT2, lead=False, form=None, digits=False, whole=(), ends=None, pairs=False):
    order = sorted(LETTER.values())
    vocab = {t: i for i, t in enumerate(order)}
    for left, right in merges:
        vocab.setdefault(left + right, len(vocab))
    for word in whole:
        vocab.setdefault(word, len(vocab))
    added = [{"content": "<end>"}, {"content": "<|x|>"}, {"content": "<mask>", "lstrip": True}]
    added = [{"id": len(vocab) + i, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
              "special": True} | t for i, t in enumerate(added)]
    ids = vocab | {t["content"]: t["id"] for t in added}
    level = {"type": "ByteLevel", "add_prefix_space": lead, "trim_offsets": True, "use_regex": pattern == GPT2}
    steps = [{"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}] if pattern != GPT2 else []
    steps = ([{"type": "Digits", "individual_digits": True}] if digits else []) + steps + [level]
    file = {"version": "1.0", "added_tokens": added, "normalizer": {"type": form} if form else None,
            "pre_tokenizer": steps[0] if len(steps) == 1 else {"type": "Sequence", "pretokenizers": steps},
            "post_processor": ends and {"type": "TemplateProcessing", "single":
                [{"SpecialToken": {"id": ends, "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
                "pair": [], "special_tokens": {ends: {"id": ends, "ids": [ids[ends]], "tokens": [ends]}}},
            "model": {"type": "BPE", "ignore_merges": bool(whole), "vocab": vocab,
                      "merges": [list(m) if pairs else " ".join(m) for m in merges]}}

    def encode(text):
        out = [ids[ends]] if ends and text else []
        for part in regex.split(r"( *<mask>|<end>|<\|x\|>)", text):
            if part.strip() in ids and part.strip().startswith("<"):
                out.append(ids[part.strip()])
                continue
            part = unicodedata.normalize(form, part) if form else part
            pieces = regex.findall(r"\p{N}|\P{N}+", part) if digits else [part] if part else []
            if lead:
                pieces = [p if p.startswith(" ") else " " + p for p in pieces]
            for piece in (q for p in pieces for q in regex.findall(pattern, p)):
                letters = "".join(LETTER[b] for b in piece.encode())
                out += [ids[letters]] if letters in whole else [ids[t] for t in join(list(letters), merges)]
        return out

    return {"name": name, "file": file, "rows": [[t, encode(t)] for t in TEXTS]}


THE = [("t", "h"), ("th", "e"), ("Ġ", "the"), ("Ġ", "t"), ("Ġt", "he"), ("h", "e"), ("e", "n"), ("the", "n"), ("1", "2"),
       ("Ã", "©"), ("Ġ", "Ġ"), ("ĠĠ", "Ġthe"), ("Ċ", "Ċ"), ("!", "!"), ("x", "1")]


def strip(text, drops):
    return "".join(c for c in text if not unicodedata.category(c) in drops)


def plain_parts(text, ids):
    """What is between added tokens, and these."""
    names = sorted((n for n in ids if n.startswith(("[", "<"))), key=len, reverse=True)
    return [p for p in regex.split("(" + "|".join(map(regex.escape, names)) + ")", text) if p]


def special(vocab, names):
    return [{"id": vocab[n], "content": n, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
             "special": True} for n in names]


def wordpiece(name, lower=True):
    """BERT's: Devlin et al. 2019, and tokenization.py of its code."""
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "then", "##me", "##n", "th", "##e", "a", "##b", ",", "!", "'", "s",
             "it", "ete", "été", "##1", "x", "日", "##本", "本", "i", "##t", "İ", "é", "Th", "<", "end", ">", "ss", "ß"]
    vocab = {w: i for i, w in enumerate(words)}
    file = {"added_tokens": special(vocab, words[:4]),
            "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                           "strip_accents": None, "lowercase": lower},
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
            "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                      "max_input_chars_per_word": 8, "vocab": vocab}}

    def is_mark(c):
        return 33 <= ord(c) <= 47 or 58 <= ord(c) <= 64 or 91 <= ord(c) <= 96 or 123 <= ord(c) <= 126 or \
            unicodedata.category(c)[0] == "P"

    def clean(text):
        out = ""
        for c in text:
            if c in "\t\n\r":
                out += " "
            elif c != "\ufffd" and unicodedata.category(c)[0] != "C":
                out += " " if c.isspace() else f" {c} " if "\u4e00" <= c <= "\u9fff" else c
        return out

    def cut(word):
        if len(word) > 8:
            return [1]
        out, at = [], 0
        while at < len(word):
            ends = [e for e in range(len(word), at, -1) if ("##" if at else "") + word[at:e] in vocab]
            if not ends:
                return [1]
            out.append(vocab[("##" if at else "") + word[at:ends[0]]])
            at = ends[0]
        return out

    def encode(text):
        out = []
        for part in plain_parts(text, words[:4]):
            if part in words[:4]:
                out.append(vocab[part])
                continue
            part = clean(part)
            if lower:
                part = strip(unicodedata.normalize("NFD", part), ["Mn"])
                part = "".join(c.lower() for c in part)
            part = "".join(f" {c} " if is_mark(c) else c for c in part)
            out += [i for word in part.split() for i in cut(word)]
        return [2] + out + [3] if text else []

    return {"name": name, "file": file, "rows": [[t, encode(t)] for t in TEXTS + MORE]}


MORE = ["The THEN thex theme", "İstanbul éte", "[CLS] the [UNK][SEP]", "a\u200bb\u0085c \u00adß", "thethethethe thebbbb",
        "日本 it's", "<s>the</s> the", "\u0130 \u017f \u03a3\u03c2", "the  then", "ⓐⓑ x_1 x·y", "½ ② ﬁ"]
SPELLED = [f"<0x{b:02X}>" for b in range(256)]


def sentencepiece_bpe(name):
    """Llama 2's: characters, and bytes for those that are not in the vocabulary."""
    words = ["<unk>", "<s>", "</s>", *SPELLED, "▁", "t", "h", "e", "▁t", "th", "▁th", "▁the", "he", "n", "en", "▁▁", "x", "é"]
    merges = [("▁", "t"), ("h", "e"), ("▁t", "he"), ("t", "h"), ("e", "n"), ("▁t", "h"), ("▁", "▁")]
    vocab = {w: i for i, w in enumerate(words)}
    file = {"added_tokens": special(vocab, words[:3]),
            "normalizer": {"type": "Sequence", "normalizers": [
                {"type": "Prepend", "prepend": "▁"}, {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]},
            "pre_tokenizer": None,
            "post_processor": {"type": "TemplateProcessing",
                               "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
                               "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}}},
            "model": {"type": "BPE", "unk_token": "<unk>", "fuse_unk": True, "byte_fallback": True, "vocab": vocab,
                      "merges": merges}}

    def encode(text):
        out = []
        for part in plain_parts(text, words[:3]):
            if part in words[:3]:
                out.append(vocab[part])
                continue
            tokens = []
            for c in "▁" + part.replace(" ", "▁"):
                tokens += [c] if c in vocab else [f"<0x{b:02X}>" for b in c.encode()]
            out += [vocab[t] for t in join(tokens, merges)]
        return [1] + out if text else []

    return {"name": name, "file": file, "rows": [[t, encode(t)] for t in TEXTS + MORE]}


def trie(forms):
    """A double-array trie of darts-clone, each state at the first place that has room."""
    units, used, bases = [0] * 8192, {0}, set()
    text, places = b"", {}
    for key, form in forms.items():
        places[key.encode()] = len(text)
        text += form.encode() + b"\0"

    def place(state, prefix):
        nexts = sorted({k[len(prefix)] if len(k) > len(prefix) else 0 for k in places if k.startswith(prefix)})
        base = next(b for b in range(1, 4096) if b not in bases and all((b ^ c) not in used for c in nexts))
        bases.add(base)
        used.update(base ^ c for c in nexts)
        units[state] |= (state ^ base) << 10
        for c in nexts:
            if c == 0:
                units[state] |= 1 << 8
                units[base] = places[prefix] | 1 << 31
            else:
                units[base ^ c] |= c
                place(base ^ c, prefix + bytes([c]))

    place(0, b"")
    array = struct.pack(f"<{max(used) + 1}I", *units[:max(used) + 1])
    return base64.b64encode(struct.pack("<I", len(array)) + array + text).decode()


def unigram(name, byte_fallback=False, precompiled=False):
    """T5's and XLM-R's: Kudo 2018. An unknown character costs 10 more than the worst token."""
    vocab = [["<unk>", 0.0], ["<s>", 0.0], ["</s>", 0.0], ["▁", -2.5], ["▁the", -3.25], ["the", -5.5], ["n", -4.0],
             ["t", -6.0], ["h", -6.5], ["e", -5.0], ["▁t", -4.5], ["he", -4.75], ["en", -5.25], ["me", -5.125], ["a", -4.25],
             ["x", -7.0], ["1", -7.5], ["fi", -6.25], ["日本", -8.0]]
    vocab += [[t, -9.0] for t in SPELLED] if byte_fallback else []
    ids = {t: i for i, (t, _) in enumerate(vocab)}
    forms = {"ﬁ": "fi", "½": "1 2", "\u3000": " ", "\t": " ", "\n": " ", "é": "e", "e\u0301": "e", "\u200b": "", "①": "1"}
    normalizers = [{"type": "Precompiled", "precompiled_charsmap": trie(forms)}] if precompiled else []
    normalizers += [{"type": "Strip", "strip_left": False, "strip_right": True},
                    {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "▁"}]
    file = {"added_tokens": special(ids, ["<unk>", "<s>", "</s>"]),
            "normalizer": {"type": "Sequence", "normalizers": normalizers},
            "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
            "post_processor": {"type": "TemplateProcessing",
                               "single": [{"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}}],
                               "special_tokens": {"</s>": {"id": "</s>", "ids": [2], "tokens": ["</s>"]}}},
            "model": {"type": "Unigram", "unk_id": 0, "vocab": vocab, "byte_fallback": byte_fallback}}
    unknown = min(score for _, score in vocab) - 10

    def best(word):
        """Try all ways from each character."""
        ways = {0: (0.0, [])}
        for at in range(len(word)):
            score, tokens = ways[at]
            nexts = [(e, word[at:e]) for e in range(at + 1, len(word) + 1) if word[at:e] in ids]
            if (at + 1, word[at:at + 1]) not in nexts:
                nexts.append((at + 1, None))
            for end, token in nexts:
                way = score + (unknown if token is None else vocab[ids[token]][1])
                if end not in ways or way > ways[end][0]:
                    ways[end] = (way, tokens + [(token, word[at:end])])
        return ways[len(word)][1]

    def cut(word):
        out, missing = [], ""
        for token, text in best(word) + [("", "")]:
            if token is None:
                missing += text
                continue
            if missing:
                out += [ids[f"<0x{b:02X}>"] for b in missing.encode()] if byte_fallback else [0]
            missing = ""
            out += [ids[token]] if token else []
        return out

    def encode(text):
        out = []
        for part in plain_parts(text, ids.keys() - set(SPELLED)):
            if part in ("<unk>", "<s>", "</s>"):
                out.append(ids[part])
                continue
            if precompiled:
                part = "".join(forms.get(g, "".join(forms.get(c, c) for c in g)) if len(g.encode()) < 6
                               else "".join(forms.get(c, c) for c in g) for g in regex.findall(r"\X", part))
            part = regex.sub(" {2,}", "▁", part.rstrip())
            if part:
                part = part.replace(" ", "▁")
                part = part if part.startswith("▁") else "▁" + part
                out += [i for word in regex.findall("▁?[^▁]*", part) if word for i in cut(word)]
        return out + [2] if text else []

    return {"name": name, "file": file, "rows": [[t, encode(t)] for t in TEXTS + MORE]}


def main():
    made = [
        bytes_bpe("GPT-2", THE),
        bytes_bpe("Llama 3", THE, LLAMA3, whole=["theme", "Ġtheme", "123"], ends="<end>"),
        bytes_bpe("Qwen", THE, QWEN, form="NFC", pairs=True),
        bytes_bpe("NFKD, digits", THE, form="NFKD", digits=True),
        bytes_bpe("RoBERTa", THE, lead=True),
        wordpiece("BERT"),
        wordpiece("BERT, cased", lower=False),
        sentencepiece_bpe("Llama 2"),
        unigram("Unigram"),
        unigram("Unigram, bytes", byte_fallback=True),
        unigram("T5", precompiled=True),
    ]
    print(json.dumps(made, separators=(",", ":")))


if __name__ == "__main__":
    main()
