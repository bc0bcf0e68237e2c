"""Arrays."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np

from oxiblosc import _native
from oxiblosc.bytes import as_bytes
from oxiblosc.dtypes import dtype_of
from oxiblosc.indexing import plan_read, plan_write
from oxiblosc.meta import Meta, VlMeta
from oxiblosc.params import CParams
from oxiblosc.remote import FsspecStorage


class NDArray:
    """A compressed array of n dimensions, in memory, in a file or directory, or at a URL.

    Made by `oxiblosc.open`, `asarray`, `zeros` and so on. `array[key]` reads what NumPy's key
    selects, and only the blocks that hold it; the result is a NumPy array. Any number of threads
    may read one array at a time. Changes are on the disk when a call returns; those of a
    `with array:` at its end, all of them, or none when it raises.
    """

    def __init__(self, native: _native.Array, urlpath: str | None = None, **how: Any) -> None:
        self._native = native
        self._urlpath = urlpath
        self._how = how
        # The object of an array at a URL.
        self._storage: FsspecStorage | None = None
        # Changes that read first and write afterwards take turns.
        self._turn = threading.RLock()
        self._open = False
        self._dtype = dtype_of(*native.dtype())

    # What the array is.

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes."""
        return tuple(self._native.shapes()[0])

    @property
    def chunks(self) -> tuple[int, ...]:
        """The lengths of a chunk, in elements."""
        return tuple(self._native.shapes()[1])

    @property
    def blocks(self) -> tuple[int, ...]:
        """The lengths of a block, in elements."""
        return tuple(self._native.shapes()[2])

    @property
    def dtype(self) -> np.dtype:
        """The dtype of the elements."""
        return self._dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return int(np.prod(self.shape, dtype=object))

    @property
    def nbytes(self) -> int:
        """The size of the elements in bytes."""
        return self.size * self.dtype.itemsize

    @property
    def cbytes(self) -> int:
        """The size as stored, in bytes."""
        return self._native.sizes()[1]

    @property
    def cratio(self) -> float:
        """Size uncompressed by size as stored."""
        return self._native.sizes()[0] / max(self.cbytes, 1)

    @property
    def urlpath(self) -> str | None:
        """The path or URL; `None` in memory."""
        return self._urlpath

    @property
    def cparams(self) -> CParams:
        """How chunks are compressed."""
        return CParams(**self._native.cparams())

    @property
    def meta(self) -> Meta:
        """The metalayers, which are fixed when the array is made."""
        return Meta(self._native)

    @property
    def vlmeta(self) -> VlMeta:
        """Metadata that can change: `array.vlmeta["unit"] = "kelvin"`."""
        return VlMeta(self._native)

    @property
    def info(self) -> str:
        """A description, one property per line."""
        rows = {
            "type": type(self).__name__,
            "shape": self.shape,
            "chunks": self.chunks,
            "blocks": self.blocks,
            "dtype": self.dtype,
            "nbytes": self.nbytes,
            "cbytes": self.cbytes,
            "cratio": f"{self.cratio:.2f}x",
            "urlpath": self.urlpath,
            "cparams": self.cparams,
        }
        return "\n".join(f"{name:<8}: {value}" for name, value in rows.items())

    def __repr__(self) -> str:
        where = "" if self.urlpath is None else f", urlpath={self.urlpath!r}"
        return f"<oxiblosc.NDArray shape={self.shape} dtype={self.dtype} chunks={self.chunks}{where}>"

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    # Reading.

    def __getitem__(self, key: Any) -> Any:
        plan = plan_read(key, self.shape)
        out = np.empty(plan.shape, self.dtype)
        if out.size:
            if plan.points is None:
                self._native.read(plan.axes, as_bytes(out))
            else:
                self._native.read_points(plan.points, as_bytes(out))
        if plan.then is not None:
            return out[plan.then]
        # As NumPy: a scalar, but with `...` an array without axes.
        dots = any(one is Ellipsis for one in key) if isinstance(key, tuple) else key is Ellipsis
        return out if out.ndim or dots else out[()]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError("the elements are compressed: there is no array without a copy")
        whole = np.asarray(self[...])
        return whole if dtype is None else whole.astype(dtype, copy=False)

    def __iter__(self) -> Iterator[Any]:
        """The rows; chunks of them are decoded at a time."""
        step = max(self.chunks[0], 1) if self.shape else 0
        for start in range(0, len(self), step):
            yield from self[start : start + step]

    def iter_chunks(self) -> Iterator[tuple[tuple[slice, ...], np.ndarray]]:
        """The place and the elements of each chunk, in order."""
        shape, chunks = self.shape, self.chunks
        counts = [-(-length // max(chunk, 1)) for length, chunk in zip(shape, chunks)]
        for at in np.ndindex(*counts):
            place = tuple(
                slice(one * chunk, min((one + 1) * chunk, length))
                for one, chunk, length in zip(at, chunks, shape)
            )
            yield place, np.asarray(self[place])

    def tobytes(self) -> bytes:
        """The elements in C order."""
        return np.asarray(self[...]).tobytes()

    # Changing.

    def __setitem__(self, key: Any, value: Any) -> None:
        axes, shape, within = plan_write(key, self.shape)
        if isinstance(value, np.ndarray):
            value = value.astype(self.dtype, copy=False)
        else:
            value = np.asarray(value, self.dtype)
        with self._turn:
            if within is None:
                new = np.ascontiguousarray(np.broadcast_to(value, shape), self.dtype)
                if new.size:
                    self._native.write(axes, as_bytes(new))
                return
            # One lock for reading and writing: no one else changes the box in between.
            own = not self._open and not self._native.is_readonly()
            if own:
                self._native.begin()
            try:
                new = np.empty(shape, self.dtype)
                if new.size:
                    self._native.read(axes, as_bytes(new))
                new[within] = value
                if new.size:
                    self._native.write(axes, as_bytes(new))
            finally:
                if own:
                    self._native.end(True)

    def append(self, values: Any, axis: int = 0) -> int:
        """Appends elements along an axis; returns the new number of elements."""
        self.insert(None, values, axis)
        return self.size

    def insert(self, at: int | None, values: Any, axis: int = 0) -> None:
        """Inserts elements before an index of an axis; before its end with `None`."""
        values = np.asarray(values)
        axis = range(self.ndim)[axis]
        shape = self.shape
        if values.ndim == self.ndim - 1:
            values = np.expand_dims(values, axis)
        rest = shape[:axis] + shape[axis + 1 :]
        if values.ndim != self.ndim or values.shape[:axis] + values.shape[axis + 1 :] != rest:
            raise ValueError(f"elements of shape {values.shape} do not fit to {shape}")
        if at is not None:
            at = range(shape[axis] + 1)[at]
        new = np.ascontiguousarray(values, self.dtype)
        if new.size:
            self._native.insert(axis, at, as_bytes(new))

    def delete(self, start: int, stop: int, axis: int = 0) -> None:
        """Removes the indices from `start` to `stop` of an axis."""
        axis = range(self.ndim)[axis]
        start, stop, _ = slice(start, stop).indices(self.shape[axis])
        if start < stop:
            self._native.delete(axis, start, stop)

    def resize(self, newshape: Any) -> None:
        """Sets the shape; new elements are zero."""
        new = (newshape,) if isinstance(newshape, (int, np.integer)) else newshape
        self._native.resize([int(length) for length in new])

    def __enter__(self) -> NDArray:
        self._native.begin()
        self._open = True
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self._open = False
        self._native.end(error is None)

    def refresh(self) -> bool:
        """Follows changes of the file by others; returns whether there were any."""
        return self._native.refresh()

    # Elsewhere.

    def save(self, urlpath: str | os.PathLike[str], *, mode: str = "w-") -> None:
        """Writes a copy to a file or URL, without decoding; `mode="w"` replaces an old one."""
        from oxiblosc.files import put, target

        path, url, overwrite = target(urlpath, mode)
        if url is not None:
            put(url, self.to_cframe(), overwrite)
        elif path is not None:
            self._native.save(path, overwrite)

    def copy(self, **kwargs: Any) -> NDArray:
        """A copy, in memory by default, with other keywords of `asarray`."""
        from oxiblosc.make import asarray

        given = {"chunks": self.chunks, "blocks": self.blocks, "cparams": self.cparams} | kwargs
        return asarray(self, **given)

    def to_cframe(self) -> bytes:
        """The array as the bytes of a file."""
        return self._native.to_cframe()

    def check(self) -> None:
        """Decodes every chunk; raises the first error."""
        self._native.check()

    def to_dask(self, chunks: Any = None, **kwargs: Any) -> Any:
        """A dask array of this one: without locks, as threads and processes may read together.

        `chunks` are those of the array by default. An array in memory goes to worker processes
        with its compressed chunks, one in a file or at a URL by its name.
        """
        import dask.array

        chunks = self.chunks if chunks is None else chunks
        given = {"lock": False, "asarray": True, "inline_array": False} | kwargs
        return dask.array.from_array(self, chunks=chunks, **given)

    def __dask_tokenize__(self) -> Any:
        if self._urlpath is None:
            return ("oxiblosc", self.to_cframe())
        stamp: Any = None
        if self._storage is not None:
            stamp = self._storage.stamp()
        elif os.path.exists(self._urlpath):
            stat = os.stat(self._urlpath)
            stamp = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
        return ("oxiblosc", self._urlpath, stamp, self.shape, str(self.dtype))

    def __reduce__(self) -> Any:
        from oxiblosc.files import reopen

        if self._urlpath is None:
            return reopen, (None, self.to_cframe(), self._how)
        return reopen, (self._urlpath, None, self._how)
