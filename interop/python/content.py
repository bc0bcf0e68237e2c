"""Test data from a one-line spec, the same bytes as `tests/golden/content.rs` makes.

| spec | bytes |
|---|---|
| `zeros` | zeros |
| `repeat:HEX` | the given bytes over and over |
| `count:W` | items of W bytes holding 0, 1, 2, ... |
| `walk:W:SEED` | items of W bytes; each is the one before plus LCG % 13, beginning with LCG % 13 |
| `float:W:SEED` | float32 (W = 4) or float64 (W = 8) of walk's values divided by 8, little-endian |
| `noise:SEED` | LCG & 255 |
| `text:SEED` | words: 64 words of 3 + LCG % 8 letters, then one word LCG % 64 after another, each with a space |
| `patch:SEED` | pieces: LCG % 3 says zeros, one letter, or noise; 1 + LCG % 200 bytes; the letter is LCG & 255 |

LCG: x <- (1103515245 x + 12345) mod 2^31, begun with SEED; it yields x >> 16. Byte j of an item with value v is
(v >> 8 (j % 8)) & 255, so items wider than 8 bytes repeat their value. The last item is cut where the data end.
`SPEC/clear:W:Z` clears the Z low bits of every little-endian item of W bytes (what a lossy filter leaves).
"""

import functools
import struct


def _lcg(seed):
    x = seed
    while True:
        x = (1103515245 * x + 12345) % (1 << 31)
        yield x >> 16


def _item(value, width):
    eight = struct.pack("<Q", value)
    return (eight * (width // 8 + 1))[:width]


def _pieces(kind, args):
    if kind == "zeros":
        while True:
            yield bytes(4096)
    if kind == "repeat":
        while True:
            yield bytes.fromhex(args[0])
    if kind == "count":
        value = 0
        while True:
            yield _item(value, int(args[0]))
            value += 1
    if kind in ("walk", "float"):
        width, rng, value = int(args[0]), _lcg(int(args[1])), 0
        while True:
            value += next(rng) % 13
            yield _item(value, width) if kind == "walk" else struct.pack("<f" if width == 4 else "<d", value / 8)
    if kind == "noise":
        rng = _lcg(int(args[0]))
        while True:
            yield bytes(next(rng) & 255 for _ in range(4096))
    if kind == "text":
        rng = _lcg(int(args[0]))
        words = []
        for _ in range(64):
            length = 3 + next(rng) % 8
            words.append(bytes(97 + next(rng) % 26 for _ in range(length)) + b" ")
        while True:
            yield words[next(rng) % 64]
    if kind == "patch":
        rng = _lcg(int(args[0]))
        while True:
            what, length = next(rng) % 3, 1 + next(rng) % 200
            if what == 0:
                yield bytes(length)
            elif what == 1:
                yield bytes([next(rng) & 255]) * length
            else:
                yield bytes(next(rng) & 255 for _ in range(length))
    raise ValueError(f"unknown content {kind}")


@functools.cache
def content(spec, nbytes):
    """The first `nbytes` bytes of the data that `spec` names."""
    base, _, lossy = spec.partition("/")
    kind, *args = base.split(":")
    out = bytearray()
    if nbytes:
        for piece in _pieces(kind, args):
            out += piece
            if len(out) >= nbytes:
                break
    del out[nbytes:]
    if lossy:
        clear, width, bits = lossy.split(":")
        assert clear == "clear"
        width, mask = int(width), ~((1 << int(bits)) - 1)
        for at in range(0, nbytes - nbytes % width, width):
            value = int.from_bytes(out[at : at + width], "little") & mask
            out[at : at + width] = (value & ((1 << (8 * width)) - 1)).to_bytes(width, "little")
    return bytes(out)
