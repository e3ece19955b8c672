#!/usr/bin/python3
"""Write tokenizers.json: small tokenizers in Hugging Face's format, and the token ids of texts.

    python3 make_tokenizer_reference.py > tokenizers.json     (Debian: python3-regex)

Each is the definition, done slowly: patterns by the regex module, merges one rank at a time.
"""
import json
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


def main():
    made = [
        bytes_bpe("GPT-2", THE),
        bytes_bpe("Llama 3", THE, LLAMA3, whole=["theme", "Ġtheme", "123"], ends="<end>"),
        bytes_bpe("Qwen", THE, QWEN, form="NFC", pairs=True),
        bytes_bpe("NFKD, digits", THE, form="NFKD", digits=True),
        bytes_bpe("RoBERTa", THE, lead=True),
    ]
    print(json.dumps(made, separators=(",", ":")))


if __name__ == "__main__":
    main()
