"""Files as Zarr arrays without a copy: byte ranges of their chunks, for VirtualiZarr.

>>> registry = ObjectStoreRegistry({"file://": LocalStore()})      # doctest: +SKIP
>>> dataset = open_virtual_dataset("file:///data/grid.b2nd", registry, B2ndParser())  # doctest: +SKIP

The chunks are those of the codec `oxiblosc.b2nd_chunk`, so who reads the result has this package
installed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

import numpy as np
from virtualizarr.manifests import ChunkManifest, ManifestArray, ManifestGroup, ManifestStore
from virtualizarr.manifests.utils import create_v3_array_metadata

from oxiblosc.array import NDArray
from oxiblosc.files import open as open_array
from oxiblosc.naming import naming
from oxiblosc.zarr import B2ndChunkCodec

__all__ = ["B2ndParser", "manifest_array"]


class B2ndParser:
    """A parser of VirtualiZarr for `.b2nd` files.

    The file is opened by `opener(url)`, by default `oxiblosc.open`, which reads paths and URLs of
    fsspec: the header, the index, and the front of each chunk. The variable has the name, axes
    and attributes that `xr.open_dataset` gives it.
    """

    def __init__(self, opener: Callable[[str], NDArray] | None = None) -> None:
        self._opener = opener or _open

    def __call__(self, url: str, registry: Any) -> ManifestStore:
        """The store of one array."""
        array = self._opener(url)
        name = naming(array)[0]
        group = ManifestGroup(arrays={name: manifest_array(array, url)}, attributes={})
        return ManifestStore(group=group, registry=registry)


def _open(url: str) -> NDArray:
    parts = urlsplit(url)
    return open_array(url2pathname(parts.path) if parts.scheme == "file" else url)


def manifest_array(array: NDArray, url: str) -> ManifestArray:
    """The byte ranges of the chunks of an array that lies at `url` as one contiguous frame.

    Raises `ValueError` for other arrays, and for those with chunks that only the index describes
    and that are not zeros.
    """
    grid = [-(-length // max(chunk, 1)) for length, chunk in zip(array.shape, array.chunks)]
    places = array._native.chunk_places()
    paths = np.empty(grid, np.dtypes.StringDType())
    offsets, lengths = np.zeros(grid, np.uint64), np.zeros(grid, np.uint64)
    for index, place in zip(np.ndindex(*grid), places, strict=True):
        if place is not None:
            paths[index], (offsets[index], lengths[index]) = url, place
    manifest = ChunkManifest.from_arrays(paths=paths, offsets=offsets, lengths=lengths,
                                         validate_paths=False)
    big = array.dtype.byteorder == ">"
    codec = B2ndChunkCodec(blocks=array.blocks, endian="big" if big else "little")
    _, dims, attrs = naming(array)
    metadata = create_v3_array_metadata(
        shape=array.shape,
        data_type=array.dtype.newbyteorder("="),
        chunk_shape=array.chunks,
        fill_value=None,
        codecs=[codec.to_dict()],
        attributes=attrs,
        dimension_names=dims,
    )
    return ManifestArray(metadata=metadata, chunkmanifest=manifest)
