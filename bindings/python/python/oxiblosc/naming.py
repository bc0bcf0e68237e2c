"""What arrays are called in Xarray and in Zarr."""

from __future__ import annotations

from typing import Any

from oxiblosc.array import NDArray


def naming(array: NDArray) -> tuple[str, list[str], dict[str, Any]]:
    """The name, the names of the axes and the attributes of an array.

    They are `vlmeta["name"]`, `vlmeta["dims"]` and `vlmeta["attrs"]`; without, `data`, `dim_0` and so
    on, and nothing.
    """
    meta = dict(array.vlmeta)
    dims = meta.get("dims")
    if not isinstance(dims, list) or len(dims) != array.ndim:
        dims = [f"dim_{axis}" for axis in range(array.ndim)]
    attrs = meta.get("attrs")
    name = str(meta.get("name", "data"))
    return name, [str(one) for one in dims], attrs if isinstance(attrs, dict) else {}
