"""Arrays by their path or URL."""

from __future__ import annotations

import os
from typing import Any

from oxiblosc import _native
from oxiblosc.array import NDArray
from oxiblosc.policy import ReadPolicy

Path = str | os.PathLike[str]


def open(
    urlpath: Path,
    mode: str = "r",
    *,
    nthreads: int = 1,
    storage_options: dict[str, Any] | None = None,
    policy: ReadPolicy | None = None,
) -> NDArray:
    """Opens an array: a file, the directory of a sparse frame, or a URL of fsspec.

    `mode` is `"r"`, or `"a"` for changes, which URLs do not take. `nthreads` threads share the
    blocks of a read; 1 is right where several threads of Python read. `storage_options` go to
    fsspec, and `policy` has the prices of requests to the URL, by default those of `ReadPolicy()`.

    >>> array = oxiblosc.open("grid.b2nd")                   # doctest: +SKIP
    >>> array = oxiblosc.open("https://example.org/grid.b2nd")  # doctest: +SKIP
    """
    if mode not in ("r", "a"):
        raise ValueError(f"mode {mode!r}; there are 'r' and 'a'")
    url = url_of(urlpath)
    if url is None:
        path = os.path.abspath(os.fspath(urlpath))
        if not os.path.exists(path):
            raise FileNotFoundError(f"no such file or directory: {path}")
        native = _native.Array.open(path, mode == "a", nthreads)
        return NDArray(native, path, mode=mode, nthreads=nthreads)
    if mode != "r":
        raise ValueError("arrays at a URL are read only")
    from oxiblosc.remote import FsspecStorage

    storage = FsspecStorage(url, storage_options or {})
    native = _native.Array.from_storage(storage, nthreads, policy or ReadPolicy())
    how = {"storage_options": storage_options, "policy": policy}
    array = NDArray(native, url, nthreads=nthreads, **how)
    array._storage = storage
    return array


def load(urlpath: Path, **kwargs: Any) -> Any:
    """All elements of an array, as an array of NumPy. Keywords as of `open`."""
    return open(urlpath, **kwargs)[...]


def save(array: Any, urlpath: Path, *, mode: str = "w-", **kwargs: Any) -> None:
    """Writes an array to a file or URL: one of ours without decoding, else as `asarray`."""
    if isinstance(array, NDArray) and not kwargs:
        array.save(urlpath, mode=mode)
    else:
        from oxiblosc.make import asarray

        asarray(array, urlpath=urlpath, mode=mode, **kwargs)


def info(urlpath: Path, **kwargs: Any) -> str:
    """The description of an array. Keywords as of `open`."""
    return open(urlpath, **kwargs).info


def from_cframe(cframe: Any, *, nthreads: int = 1) -> NDArray:
    """An array in memory from the bytes of a file, which are copied."""
    return NDArray(_native.Array.from_cframe(cframe, nthreads), None, nthreads=nthreads)


def reopen(urlpath: str | None, cframe: bytes | None, how: dict[str, Any]) -> NDArray:
    """An array that was pickled."""
    if urlpath is None:
        return from_cframe(cframe, **how)
    return open(urlpath, **how)


def url_of(urlpath: Path | None) -> str | None:
    """The URL, if it is one of another scheme than `file`."""
    if urlpath is None or "://" not in os.fspath(urlpath):
        return None
    return os.fspath(urlpath)


def target(urlpath: Path | None, mode: str) -> tuple[str | None, str | None, bool]:
    """The path or the URL of a new array, and whether it replaces an old one."""
    if mode not in ("w", "w-", "x", "a"):
        raise ValueError(f"mode {mode!r}; there are 'w', 'w-' and 'a'")
    url = url_of(urlpath)
    if urlpath is None or url is not None:
        return None, url, mode == "w"
    path = os.path.abspath(os.fspath(urlpath))
    if mode != "w" and os.path.exists(path):
        raise FileExistsError(f"{path} exists; mode='w' replaces it")
    return path, None, mode == "w"


def put(url: str, content: bytes, overwrite: bool) -> None:
    """Writes an object."""
    from fsspec.core import url_to_fs

    fs, path = url_to_fs(url)
    if not overwrite and fs.exists(path):
        raise FileExistsError(f"{url} exists; mode='w' replaces it")
    fs.pipe_file(path, content)
