"""Single chunks of bytes."""

from __future__ import annotations

from typing import Any

from oxiblosc._native import Chunks
from oxiblosc.params import cparams_of


def compress2(src: Any, cparams: Any = None, **kwargs: Any) -> bytes:
    """Compresses bytes, or the elements of a contiguous array, into a Blosc2 chunk.

    Keywords are those of `CParams`; the typesize is the item size of an array, else 8.

    >>> chunk = compress2(bytes(1000), codec="lz4")
    >>> len(decompress2(chunk))
    1000
    """
    dtype = getattr(src, "dtype", None)
    if dtype is not None and "typesize" not in kwargs and cparams is None:
        kwargs["typesize"] = dtype.itemsize
    return Chunks(cparams_of(cparams, **kwargs), False).encode(as_bytes(src))


def decompress2(src: Any, dst: Any = None, *, nthreads: int = 1) -> bytes | int:
    """Decompresses a chunk of Blosc2 or Blosc1: to new bytes, or to the front of `dst`.

    Returns the bytes, or how many went to `dst`.
    """
    chunks = Chunks(cparams_of({"nthreads": nthreads}), False)
    if dst is None:
        return chunks.decode(as_bytes(src))
    return chunks.decode_into(as_bytes(src), as_bytes(dst))


def as_bytes(src: Any) -> Any:
    """The memory of an object; arrays of NumPy as `uint8`, as not all dtypes have buffers."""
    if hasattr(src, "dtype") and hasattr(src, "reshape"):
        if not src.flags.c_contiguous:
            raise ValueError("the array is not C-contiguous")
        return src.reshape(-1).view("u1")
    return src
