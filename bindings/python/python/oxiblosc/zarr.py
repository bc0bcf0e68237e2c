"""Codecs for zarr-python 3.

>>> import zarr
>>> zarr.config.set({"codecs.blosc": "oxiblosc.zarr.BloscCodec"})  # doctest: +SKIP

reads and writes the `blosc` chunks of every store with this library. `B2ndChunkCodec` is a codec of
its own, `oxiblosc.b2nd_chunk`: a Zarr chunk is a Blosc2 chunk with n-dimensional blocks, of which
a read fetches only those that it touches.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from zarr.abc.codec import ArrayBytesCodec, ArrayBytesCodecPartialDecodeMixin
from zarr.abc.store import RangeByteRequest
from zarr.codecs import BloscCodec as _ZarrBlosc

from oxiblosc import _native
from oxiblosc.blosc1 import Blosc1
from oxiblosc.bytes import as_bytes
from oxiblosc.dtypes import text_of
from oxiblosc.params import Codec, Filter, cparams_of

__all__ = ["B2ndChunkCodec", "BloscCodec", "blocks_for"]

# Ranges that lie closer together than this are one request.
GAP = 64 * 1024


class BloscCodec(_ZarrBlosc):
    """The `blosc` codec of Zarr: the same metadata and format, by this library."""

    @cached_property
    def _blosc(self) -> Blosc1:
        shuffle = {"noshuffle": 0, "shuffle": 1, "bitshuffle": 2}[self.shuffle.value]
        return Blosc1(self.cname.value, self.clevel, shuffle, self.blocksize, self.typesize)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_blosc"}

    def _decode_sync(self, chunk_bytes: Any, chunk_spec: Any) -> Any:
        out = self._blosc.decode_array(as_bytes(chunk_bytes.as_numpy_array()))
        return chunk_spec.prototype.buffer.from_array_like(out)

    def _encode_sync(self, chunk_bytes: Any, chunk_spec: Any) -> Any:
        chunk = self._blosc.encode(as_bytes(chunk_bytes.as_numpy_array()))
        return chunk_spec.prototype.buffer.from_bytes(chunk)

    async def _decode_single(self, chunk_bytes: Any, chunk_spec: Any) -> Any:
        return await asyncio.to_thread(self._decode_sync, chunk_bytes, chunk_spec)

    async def _encode_single(self, chunk_bytes: Any, chunk_spec: Any) -> Any:
        return await asyncio.to_thread(self._encode_sync, chunk_bytes, chunk_spec)


def blocks_for(chunks: Any, dtype: Any) -> tuple[int, ...]:
    """Automatic lengths of blocks for chunks of these lengths."""
    chunks = [int(length) for length in chunks]
    return tuple(_native.partition(np.dtype(dtype).itemsize, chunks, chunks, None)[1])


@dataclass(frozen=True)
class B2ndChunkCodec(ArrayBytesCodec, ArrayBytesCodecPartialDecodeMixin):
    """The codec `oxiblosc.b2nd_chunk`, in the place of `bytes` and a compressor.

    `blocks` are the lengths of a block, at most those of the chunk: what a small read decodes.
    `codec`, `clevel`, `filters` and `filters_meta` are those of `CParams`; decoding needs none of
    them. `endian` is the byte order of the elements, `"little"` by default.

    >>> codec = B2ndChunkCodec(blocks=(64, 64), codec="lz4")
    >>> zarr.create_array(store, shape=(4096, 4096), chunks=(512, 512), dtype="f4",
    ...                   serializer=codec, compressors=None)  # doctest: +SKIP
    """

    is_fixed_size = False

    blocks: tuple[int, ...]
    codec: str
    clevel: int
    filters: tuple[str, ...]
    filters_meta: tuple[int, ...]
    endian: str

    def __init__(
        self,
        *,
        blocks: Any,
        codec: str = "zstd",
        clevel: int = 5,
        filters: Any = ("shuffle",),
        filters_meta: Any = (),
        endian: str = "little",
    ) -> None:
        if endian not in ("little", "big"):
            raise ValueError(f"endian {endian!r}; there are 'little' and 'big'")
        meta = tuple(int(one) for one in filters_meta)
        params = cparams_of(
            {"codec": codec, "clevel": clevel, "filters": filters, "filters_meta": meta}
        )
        for name, value in {
            "blocks": tuple(int(length) for length in blocks),
            "codec": Codec(params.codec).name.lower(),
            "clevel": int(clevel),
            "filters": tuple(Filter(one).name.lower() for one in params.filters),
            "filters_meta": meta,
            "endian": endian,
        }.items():
            object.__setattr__(self, name, value)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> B2ndChunkCodec:
        """The codec that metadata states."""
        if data.get("name") != "oxiblosc.b2nd_chunk":
            raise ValueError(f"the codec {data.get('name')!r} is not oxiblosc.b2nd_chunk")
        return cls(**data.get("configuration", {}))

    def to_dict(self) -> dict[str, Any]:
        """The metadata."""
        configuration: dict[str, Any] = {
            "blocks": list(self.blocks),
            "codec": self.codec,
            "clevel": self.clevel,
            "filters": list(self.filters),
            "endian": self.endian,
        }
        if any(self.filters_meta):
            configuration["filters_meta"] = list(self.filters_meta)
        return {"name": "oxiblosc.b2nd_chunk", "configuration": configuration}

    def evolve_from_array_spec(self, array_spec: Any) -> B2ndChunkCodec:
        """Checks the data type and the number of axes."""
        text_of(array_spec.dtype.to_native_dtype())
        if len(self.blocks) != len(array_spec.shape):
            text = f"blocks have {len(self.blocks)} axes, the array {len(array_spec.shape)}"
            raise ValueError(text)
        return self

    def compute_encoded_size(self, input_byte_length: int, _chunk_spec: Any) -> int:
        """Refuses: chunks have no fixed size."""
        raise NotImplementedError

    def _chunks_of(self, chunk_spec: Any) -> tuple[_native.B2ndChunks, np.dtype]:
        order = "<" if self.endian == "little" else ">"
        dtype = chunk_spec.dtype.to_native_dtype().newbyteorder(order)
        key = (text_of(dtype), tuple(chunk_spec.shape))
        made = self._made
        if key not in made:
            params = cparams_of(
                {name: getattr(self, name) for name in ("codec", "clevel", "filters")},
                filters_meta=self.filters_meta,
            )
            made[key] = _native.B2ndChunks(key[0], key[1], self.blocks, params)
        return made[key], dtype

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_made"}

    @cached_property
    def _made(self) -> dict[Any, _native.B2ndChunks]:
        return {}

    def _encode_sync(self, chunk_array: Any, chunk_spec: Any) -> Any:
        chunks, dtype = self._chunks_of(chunk_spec)
        elements = np.require(chunk_array.as_numpy_array(), dtype, "C")
        return chunk_spec.prototype.buffer.from_bytes(chunks.encode(as_bytes(elements)))

    def _decode_sync(self, chunk_bytes: Any, chunk_spec: Any) -> Any:
        chunks, dtype = self._chunks_of(chunk_spec)
        out = np.empty(chunk_spec.shape, dtype)
        whole = [(0, length) for length in chunk_spec.shape]
        chunks.decode_into(as_bytes(chunk_bytes.as_numpy_array()), whole, as_bytes(out))
        return chunk_spec.prototype.nd_buffer.from_numpy_array(out)

    async def _encode_single(self, chunk_array: Any, chunk_spec: Any) -> Any:
        return await asyncio.to_thread(self._encode_sync, chunk_array, chunk_spec)

    async def _decode_single(self, chunk_bytes: Any, chunk_spec: Any) -> Any:
        return await asyncio.to_thread(self._decode_sync, chunk_bytes, chunk_spec)

    async def _decode_partial_single(
        self, byte_getter: Any, selection: Any, chunk_spec: Any
    ) -> Any:
        prototype = chunk_spec.prototype
        box = _box(selection, chunk_spec.shape)
        chunks, dtype = self._chunks_of(chunk_spec)
        if box is None or 2 * _count(box) > int(np.prod(chunk_spec.shape)):
            return await self._decode_whole(byte_getter, selection, chunk_spec)
        request = RangeByteRequest(0, chunks.front)
        front = await byte_getter.get(prototype=prototype, byte_range=request)
        if front is None:
            return None
        head = as_bytes(front.as_numpy_array())
        part = [(start, stop) for start, stop, _ in box]
        needs = chunks.needs(head, part)
        if needs is None:
            return await self._decode_whole(byte_getter, selection, chunk_spec)
        joined = _joined(needs, GAP)
        got = await asyncio.gather(
            *(
                byte_getter.get(prototype=prototype, byte_range=RangeByteRequest(*one))
                for one in joined
            )
        )
        if any(one is None for one in got):
            return None
        pieces = [
            (start, as_bytes(one.as_numpy_array())) for (start, _), one in zip(joined, got)
        ]
        out = np.empty([stop - start for start, stop in part], dtype)
        await asyncio.to_thread(chunks.decode_parts_into, head, pieces, part, as_bytes(out))
        return prototype.nd_buffer.from_numpy_array(out[tuple(then for *_, then in box)])

    async def _decode_whole(self, byte_getter: Any, selection: Any, chunk_spec: Any) -> Any:
        chunk = await byte_getter.get(prototype=chunk_spec.prototype)
        if chunk is None:
            return None
        return (await self._decode_single(chunk, chunk_spec))[selection]


def _box(selection: Any, shape: tuple[int, ...]) -> list[tuple[int, int, Any]] | None:
    """Start and stop along each axis, and what NumPy takes of that; `None` for lists."""
    box: list[tuple[int, int, Any]] = []
    selection = selection if isinstance(selection, tuple) else (selection,)
    if len(selection) != len(shape):
        return None
    for item, length in zip(selection, shape):
        if isinstance(item, (int, np.integer)):
            box.append((int(item), int(item) + 1, 0))
        elif isinstance(item, slice) and (item.step is None or item.step > 0):
            start, stop, step = item.indices(length)
            if start >= stop:
                return None
            box.append((start, stop, slice(None, None, step)))
        else:
            return None
    return box


def _count(box: list[tuple[int, int, Any]]) -> int:
    return int(np.prod([stop - start for start, stop, _ in box], dtype=np.int64))


def _joined(ranges: list[tuple[int, int]], gap: int) -> list[tuple[int, int]]:
    """Ranges in order; those that nearly touch are one."""
    joined: list[tuple[int, int]] = []
    for start, stop in sorted(ranges):
        if joined and start <= joined[-1][1] + gap:
            joined[-1] = (joined[-1][0], max(joined[-1][1], stop))
        else:
            joined.append((start, stop))
    return joined
