"""Metadata of arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any

import msgpack

from oxiblosc import _native


class Meta(Mapping[str, Any]):
    """The metalayers of an array: values of msgpack."""

    def __init__(self, native: _native.Array) -> None:
        self._all = dict(native.meta())

    def __getitem__(self, name: str) -> Any:
        return _unpacked(self._all[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __repr__(self) -> str:
        return repr(dict(self))


class VlMeta(MutableMapping[str, Any]):
    """The metadata of an array that can change: values of msgpack, as python-blosc2 stores them."""

    def __init__(self, native: _native.Array) -> None:
        self._native = native

    def __getitem__(self, name: str) -> Any:
        content = self._native.vlmeta_get(name)
        if content is None:
            raise KeyError(name)
        return _unpacked(content)

    def __setitem__(self, name: str, value: Any) -> None:
        self._native.vlmeta_set(name, msgpack.packb(_with_tuples(value)))

    def __delitem__(self, name: str) -> None:
        if not self._native.vlmeta_set(name, None):
            raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._native.vlmeta_names())

    def __len__(self) -> int:
        return len(self._native.vlmeta_names())

    def __repr__(self) -> str:
        return repr(dict(self))


def _unpacked(content: bytes) -> Any:
    """The value; the bytes themselves where they are no msgpack."""
    try:
        return msgpack.unpackb(content, strict_map_key=False, list_hook=_list_or_tuple)
    except (ValueError, msgpack.UnpackException):
        return content


# The first item of a list that was a tuple, as python-blosc2 has it.
_TUPLE = "__tuple__"


def _with_tuples(value: Any) -> Any:
    """The value with its tuples as marked lists: msgpack has no tuples."""
    if isinstance(value, tuple):
        return [_TUPLE, *map(_with_tuples, value)]
    if isinstance(value, list):
        return [_with_tuples(one) for one in value]
    if isinstance(value, dict):
        return {name: _with_tuples(one) for name, one in value.items()}
    return value


def _list_or_tuple(items: list[Any]) -> Any:
    return tuple(items[1:]) if items and items[0] == _TUPLE else items
