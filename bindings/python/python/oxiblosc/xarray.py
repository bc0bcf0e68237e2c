"""A backend of Xarray: `xr.open_dataset("grid.b2nd", engine="oxiblosc")`.

The array is the variable `data`, or what `vlmeta["name"]` says. The names of its axes are
`vlmeta["dims"]`, a list, else `dim_0`, `dim_1` and so on; `vlmeta["attrs"]`, a dictionary, are its
attributes. `chunks={}` makes it a dask array with the chunks of the file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import numpy as np
import xarray as xr
from xarray.backends import BackendArray, BackendEntrypoint
from xarray.core import indexing

from oxiblosc.array import NDArray
from oxiblosc.files import open as open_array
from oxiblosc.naming import naming
from oxiblosc.policy import ReadPolicy

__all__ = ["OxibloscBackend"]


class LazyArray(BackendArray):
    """An array whose elements are read when Xarray indexes it; threads read together."""

    def __init__(self, array: NDArray) -> None:
        self.array = array
        self.shape = array.shape
        self.dtype = array.dtype

    def __getitem__(self, key: indexing.ExplicitIndexer) -> np.ndarray:
        support = indexing.IndexingSupport.OUTER
        return indexing.explicit_indexing_adapter(key, self.shape, support, self._read)

    def _read(self, key: tuple[Any, ...]) -> np.ndarray:
        # Each axis by itself: at most one list is NumPy's own meaning, more are read one by one.
        lists = [axis for axis, item in enumerate(key) if isinstance(item, np.ndarray)]
        if len(lists) <= 1:
            return self.array[key]
        first = tuple(item if axis <= lists[0] else slice(None) for axis, item in enumerate(key))
        found = np.asarray(self.array[first])
        gone = sum(isinstance(item, (int, np.integer)) for item in key[: lists[0]])
        for axis in range(lists[0] + 1, len(key)):
            found, gone = self._along(found, key[axis], axis, gone)
        return found

    @staticmethod
    def _along(found: np.ndarray, item: Any, axis: int, gone: int) -> tuple[np.ndarray, int]:
        at = (slice(None),) * (axis - gone) + (item,)
        return found[at], gone + isinstance(item, (int, np.integer))


class OxibloscBackend(BackendEntrypoint):
    """Opens `.b2nd` files, directories and URLs."""

    description = "Blosc2 arrays (.b2nd)"
    open_dataset_parameters = (
        "filename_or_obj",
        "drop_variables",
        "nthreads",
        "storage_options",
        "policy",
    )

    def open_dataset(
        self,
        filename_or_obj: Any,
        *,
        drop_variables: str | Iterable[str] | None = None,
        nthreads: int = 1,
        storage_options: dict[str, Any] | None = None,
        policy: ReadPolicy | None = None,
    ) -> xr.Dataset:
        """A dataset of one variable; `policy` has the prices of requests to a URL."""
        array = open_array(
            filename_or_obj, nthreads=nthreads, storage_options=storage_options, policy=policy
        )
        name, dims, attrs = naming(array)
        data = indexing.LazilyIndexedArray(LazyArray(array))
        variable = xr.Variable(dims, data, attrs)
        variable.encoding = {"preferred_chunks": dict(zip(dims, array.chunks))}
        drop = [drop_variables] if isinstance(drop_variables, str) else list(drop_variables or ())
        return xr.Dataset({} if name in drop else {name: variable})

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        """Whether the name ends in `.b2nd`."""
        if not isinstance(filename_or_obj, (str, os.PathLike)):
            return False
        return os.path.splitext(os.fspath(filename_or_obj).rstrip("/"))[1] == ".b2nd"
