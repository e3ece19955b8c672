#!/usr/bin/env python3
"""Copy the first words of a file of word vectors, which are the most frequent ones, into a smaller
one. usage: words.py FILE COUNT OUT"""
import json
import struct
import sys

path, count, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]
with open(path, "rb") as file:
    header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
    data = file.read()


def bytes_of(name):
    begin, end = header[name]["data_offsets"]
    return data[begin:end]


width = header["vectors"]["shape"][1]
vectors = bytes_of("vectors")[: 2 * width * count]
words = b"".join(line + b"\n" for line in bytes_of("words").split(b"\n")[:count])
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
