"""Parameters of compression, in the vocabulary of python-blosc2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import IntEnum
from typing import Any


class Codec(IntEnum):
    """The codecs that can be written."""

    BLOSCLZ = 0
    LZ4 = 1
    LZ4HC = 2
    ZLIB = 4
    ZSTD = 5
    NDLZ = 32
    ZFP_ACC = 33
    ZFP_PREC = 34
    ZFP_RATE = 35


class Filter(IntEnum):
    """The filters."""

    NOFILTER = 0
    SHUFFLE = 1
    BITSHUFFLE = 2
    DELTA = 3
    TRUNC_PREC = 4
    NDCELL = 32
    NDMEAN = 33
    BYTEDELTA = 35
    INT_TRUNC = 36


class SplitMode(IntEnum):
    """When a block is split into one stream per byte of its items."""

    ALWAYS_SPLIT = 1
    NEVER_SPLIT = 2
    AUTO_SPLIT = 3
    FORWARD_COMPAT_SPLIT = 4


@dataclass
class CParams:
    """How chunks are compressed; `cparams=` takes a dictionary of these names, too.

    `filters` are applied in order; the last of at most six comes last. `nthreads` threads share
    the blocks of a chunk, 1 by default: no thread is started unless asked for. `blocksize` is in
    bytes, 0 for an automatic one; arrays have `blocks` instead. `typesize` is in bytes; arrays
    take it from their dtype.
    """

    codec: int = Codec.ZSTD
    codec_meta: int = 0
    clevel: int = 5
    use_dict: bool = False
    typesize: int = 8
    nthreads: int = 1
    blocksize: int = 0
    splitmode: int = SplitMode.AUTO_SPLIT
    filters: Sequence[int] = (Filter.SHUFFLE,)
    filters_meta: Sequence[int] = field(default=())

    def __post_init__(self) -> None:
        self.codec = _number(Codec, self.codec)
        self.splitmode = _number(SplitMode, self.splitmode)
        self.filters = [_number(Filter, one) for one in self.filters]
        meta = [int(one) & 0xFF for one in self.filters_meta]
        self.filters_meta = meta + [0] * (len(self.filters) - len(meta))
        self.nthreads = max(int(self.nthreads), 1)


def _number(enum: type[IntEnum], value: Any) -> int:
    """A member of an enumeration: of python-blosc2's, by its name, or a number of one's own."""
    if isinstance(value, str):
        names = {member.name.lower(): member for member in enum}
        if value.lower() not in names:
            raise ValueError(f"{enum.__name__} {value!r}; there are {', '.join(names)}")
        return names[value.lower()]
    number = int(getattr(value, "value", value))
    return enum(number) if number in enum._value2member_map_ else number


def cparams_of(value: Any, **more: Any) -> CParams:
    """Parameters from nothing, a dictionary, ours, or those of python-blosc2."""
    known = [one.name for one in fields(CParams)]
    if value is None:
        given: dict[str, Any] = {}
    elif isinstance(value, Mapping):
        given = dict(value)
    else:
        given = {name: getattr(value, name) for name in known if hasattr(value, name)}
    given.update(more)
    # Ours has no tuner; python-blosc2 states one always.
    given.pop("tuner", None)
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise TypeError(f"unknown parameters: {', '.join(unknown)}")
    return CParams(**given)
