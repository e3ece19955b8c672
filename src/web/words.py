#!/usr/bin/env python3
"""Copy COUNT word vectors of FILE to OUT: those of the words in the files SENTENCES, which are the
program's own sentences, and then the first ones of FILE, which are the most frequent words.
usage: words.py FILE COUNT OUT SENTENCES..."""
import json
import re
import struct
import sys

path, count, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]
said = set()
for sentences in sys.argv[4:]:
    with open(sentences, encoding="utf-8") as file:
        said |= set(re.findall(r"[a-z]+", file.read().lower()))
with open(path, "rb") as file:
    header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
    data = file.read()


def bytes_of(name):
    begin, end = header[name]["data_offsets"]
    return data[begin:end]


width = header["vectors"]["shape"][1]
all_vectors, all_words = bytes_of("vectors"), bytes_of("words").split(b"\n")
own = [i for i, word in enumerate(all_words) if word.decode() in said][:count]
taken = sorted(own + [i for i in range(count + len(own)) if i not in set(own)][: count - len(own)])
vectors = b"".join(all_vectors[2 * width * i : 2 * width * (i + 1)] for i in taken)
words = b"".join(all_words[i] + b"\n" for i in taken)
made = {
    "__metadata__": header["__metadata__"],
    "vectors": {"dtype": "F16", "shape": [count, width], "data_offsets": [0, len(vectors)]},
    "words": {"dtype": "U8", "shape": [len(words)],
              "data_offsets": [len(vectors), len(vectors) + len(words)]},
}
text = json.dumps(made).encode()
text += b" " * (-len(text) % 8)
with open(out, "wb") as file:
    file.write(struct.pack("<Q", len(text)) + text + vectors + words)
