"""New arrays."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import msgpack
import numpy as np

from oxiblosc import _native
from oxiblosc.array import NDArray
from oxiblosc.bytes import as_bytes
from oxiblosc.dtypes import text_of
from oxiblosc.files import put, target
from oxiblosc.params import cparams_of

Path = str | os.PathLike[str]


def asarray(array: Any, **kwargs: Any) -> NDArray:
    """A compressed copy of an array of NumPy, or of anything that becomes one.

    Keywords, the same in all functions that make arrays:

    - `urlpath`: a file, a directory (with `contiguous=False`) or a URL of fsspec; memory without.
    - `mode`: `"w"` replaces what is at `urlpath`; `"a"`, the default, and `"w-"` refuse to.
    - `chunks`, `blocks`: their lengths along each axis; automatic ones without.
    - `cparams`: a `CParams`, or a dictionary: `{"codec": "lz4", "clevel": 9, "nthreads": 4}`.
    - `meta`: metalayers by name, values of msgpack.
    """
    if isinstance(array, NDArray) and not kwargs:
        return array
    source = np.asarray(array)
    text_of(source.dtype)  # refused before its bytes are asked for
    elements = np.require(source, requirements="C")
    return _make(source.shape, source.dtype, elements=as_bytes(elements), **kwargs)


def empty(shape: Any, dtype: Any = np.float64, **kwargs: Any) -> NDArray:
    """An array without defined elements; they read as zeros. Keywords as of `asarray`."""
    return _make(shape, dtype, **kwargs)


uninit = empty


def zeros(shape: Any, dtype: Any = np.float64, **kwargs: Any) -> NDArray:
    """An array of zeros, which take no space. Keywords as of `asarray`."""
    return _make(shape, dtype, item=bytes(np.dtype(dtype).itemsize), **kwargs)


def ones(shape: Any, dtype: Any = np.float64, **kwargs: Any) -> NDArray:
    """An array of ones, stored once per chunk. Keywords as of `asarray`."""
    return full(shape, 1, dtype, **kwargs)


def nans(shape: Any, dtype: Any = np.float64, **kwargs: Any) -> NDArray:
    """An array of NaN, stored once per chunk. Keywords as of `asarray`."""
    return full(shape, np.nan, dtype, **kwargs)


def full(shape: Any, fill_value: Any, dtype: Any = None, **kwargs: Any) -> NDArray:
    """An array of one element, stored once per chunk. Keywords as of `asarray`."""
    dtype = np.asarray(fill_value).dtype if dtype is None else np.dtype(dtype)
    item = np.empty((), dtype)
    item[()] = fill_value
    return _make(shape, dtype, item=item.tobytes(), **kwargs)


def _make(
    shape: Any,
    dtype: Any,
    *,
    urlpath: Path | None = None,
    mode: str = "a",
    contiguous: bool = True,
    chunks: Sequence[int] | int | None = None,
    blocks: Sequence[int] | int | None = None,
    cparams: Any = None,
    dparams: Any = None,
    meta: dict[str, Any] | None = None,
    **content: Any,
) -> NDArray:
    dtype = np.dtype(dtype)
    path, url, overwrite = target(urlpath, mode)
    given = cparams_of(cparams)
    if dparams is not None and cparams is None:
        nthreads = dparams["nthreads"] if isinstance(dparams, dict) else dparams.nthreads
        given.nthreads = int(nthreads)
    lengths = _lengths(shape)
    native = _native.create(
        text_of(dtype),
        lengths,
        None if chunks is None else _lengths(chunks),
        None if blocks is None else _lengths(blocks),
        given,
        path=path,
        contiguous=contiguous,
        overwrite=overwrite,
        meta=[(name, msgpack.packb(value)) for name, value in (meta or {}).items()],
        **content,
    )
    how = {"nthreads": given.nthreads}
    if url is not None:
        put(url, native.to_cframe(), overwrite)
        return NDArray(native, None, **how)
    if path is None:
        return NDArray(native, None, **how)
    return NDArray(native, path, mode="a", **how)


def _lengths(shape: Any) -> list[int]:
    if isinstance(shape, (int, np.integer)):
        return [int(shape)]
    return [int(length) for length in shape]
