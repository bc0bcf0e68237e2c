"""The `blosc` codec of numcodecs, for stores of Zarr v2 and for HDF5 through kerchunk.

>>> import oxiblosc.numcodecs
>>> oxiblosc.numcodecs.install()     # numcodecs.get_codec({"id": "blosc", ...}) is ours from now on
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numcodecs.abc import Codec
from numcodecs.compat import ensure_contiguous_ndarray, ndarray_copy
from numcodecs.registry import register_codec

from oxiblosc.blosc1 import AUTOSHUFFLE, SHUFFLE, Blosc1
from oxiblosc.bytes import as_bytes

__all__ = ["Blosc", "install"]


class Blosc(Codec):
    """Compresses into chunks of Blosc1, which numcodecs reads; reads those that it writes.

    `cname` is one of `blosclz`, `lz4`, `lz4hc`, `snappy`, `zlib` and `zstd`. The builds of
    numcodecs on PyPI have no `snappy`.
    `shuffle` is 0, 1 (bytes), 2 (bits) or -1: bits for items of one byte, else bytes. `blocksize`
    is in bytes, 0 for an automatic one. `typesize` is that of the array unless it is given.
    """

    codec_id = "blosc"
    max_buffer_size = 2**31 - 1

    def __init__(
        self,
        cname: str = "lz4",
        clevel: int = 5,
        shuffle: int = SHUFFLE,
        blocksize: int = 0,
        typesize: int | None = None,
    ) -> None:
        self.cname = cname
        self.clevel = clevel
        self.shuffle = shuffle
        self.blocksize = blocksize
        self._typesize = typesize
        # Wrong parameters are errors here, not when a chunk is written.
        _chunks(cname, clevel, shuffle, blocksize, typesize or 1)

    def encode(self, buf: Any) -> bytes:
        """Compresses an array or bytes."""
        array = ensure_contiguous_ndarray(buf, self.max_buffer_size)
        typesize = self._typesize or array.itemsize
        return self._of(typesize).encode(as_bytes(array))

    def decode(self, buf: Any, out: Any = None) -> Any:
        """Decompresses a chunk, to `out` if it is given."""
        chunk = as_bytes(ensure_contiguous_ndarray(buf, self.max_buffer_size))
        if out is None:
            return self._of(1).decode(chunk)
        target = as_bytes(ensure_contiguous_ndarray(out))
        if self._of(1).decode_into(chunk, target) != target.size:
            raise ValueError(f"the chunk is smaller than the {target.size} bytes of the output")
        return out

    def decode_partial(self, buf: Any, start: int, nitems: int, out: Any = None) -> Any:
        """Items of a chunk, counted in its typesize."""
        whole = np.frombuffer(self.decode(buf), np.uint8)
        typesize = int(ensure_contiguous_ndarray(buf).view("u1")[3])
        part = whole[start * typesize : (start + nitems) * typesize]
        return part.tobytes() if out is None else ndarray_copy(part, out)

    def get_config(self) -> dict[str, Any]:
        """The metadata: that of the codec of numcodecs."""
        return {
            "id": self.codec_id,
            "cname": self.cname,
            "clevel": self.clevel,
            "shuffle": self.shuffle,
            "blocksize": self.blocksize,
        }

    def __repr__(self) -> str:
        shuffle = "AUTOSHUFFLE" if self.shuffle == AUTOSHUFFLE else self.shuffle
        given = f"cname={self.cname!r}, clevel={self.clevel}, shuffle={shuffle}"
        return f"oxiblosc.numcodecs.Blosc({given}, blocksize={self.blocksize})"

    def _of(self, typesize: int) -> Blosc1:
        return _chunks(self.cname, self.clevel, self.shuffle, self.blocksize, typesize)


@lru_cache(maxsize=64)
def _chunks(cname: str, clevel: int, shuffle: int, blocksize: int, typesize: int) -> Blosc1:
    return Blosc1(cname, clevel, shuffle, blocksize, typesize)


def install() -> None:
    """Replaces the codec `blosc` of numcodecs in this process."""
    register_codec(Blosc, "blosc")
