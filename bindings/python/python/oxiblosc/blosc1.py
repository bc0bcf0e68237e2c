"""Chunks of Blosc1, as Zarr stores have them."""

from __future__ import annotations

from typing import Any

import numpy as np

from oxiblosc._native import Chunks, chunk_sizes
from oxiblosc.params import CParams, cparams_of

# A codec of Blosc1 alone.
SNAPPY = 3
NOSHUFFLE, SHUFFLE, BITSHUFFLE, AUTOSHUFFLE = 0, 1, 2, -1


def parameters(cname: str, clevel: int, shuffle: int, blocksize: int, typesize: int) -> CParams:
    """The parameters of the library for those of numcodecs."""
    if shuffle == AUTOSHUFFLE:
        shuffle = BITSHUFFLE if typesize == 1 else SHUFFLE
    if shuffle not in (NOSHUFFLE, SHUFFLE, BITSHUFFLE):
        raise ValueError(f"shuffle {shuffle}; there are -1, 0, 1 and 2")
    # Items of more than 255 bytes are bytes to Blosc1.
    typesize = typesize if 1 <= typesize <= 255 else 1
    return cparams_of(
        {"codec": SNAPPY if cname == "snappy" else cname, "clevel": clevel, "filters": [shuffle] if shuffle else [0]},
        blocksize=blocksize,
        typesize=typesize,
    )


class Blosc1:
    """Encoders and decoders that threads share."""

    def __init__(
        self, cname: str, clevel: int, shuffle: int, blocksize: int, typesize: int
    ) -> None:
        self._chunks = Chunks(parameters(cname, clevel, shuffle, blocksize, typesize), True)

    def encode(self, src: Any) -> bytes:
        """Compresses bytes."""
        return self._chunks.encode(src)

    def decode_array(self, chunk: Any) -> np.ndarray:
        """The bytes of a chunk, as an array."""
        out = np.empty(chunk_sizes(chunk)[0], np.uint8)
        self._chunks.decode_into(chunk, out)
        return out

    def decode(self, chunk: Any) -> bytes:
        """The bytes of a chunk."""
        return self._chunks.decode(chunk)

    def decode_into(self, chunk: Any, out: Any) -> int:
        """The bytes of a chunk, to the front of memory."""
        return self._chunks.decode_into(chunk, out)
