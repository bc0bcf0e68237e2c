"""Arrays of zarr-python and of this crate, each read by the other.

check_zarrs.py PROGRAM [PART]: PROGRAM is the example `interop`; of the arrays, one in PART is made (1: all of them).
`oxiblosc.b2nd_chunk` is checked where the Python package `oxiblosc` is installed.
"""

from __future__ import annotations

import itertools
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import zarr

CODECS = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]
SHUFFLES = ["noshuffle", "shuffle", "bitshuffle"]
DTYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c16"]
LEVELS = [1, 5]
BOXES = 200


def data_of(dtype: str, shape: tuple[int, ...], seed: int) -> np.ndarray:
    """Numbers that go up, and some noise."""
    rng = np.random.default_rng(seed)
    numbers = np.arange(np.prod(shape)) // 3 + rng.integers(0, 5, np.prod(shape))
    return numbers.astype(dtype).reshape(shape)


def kinds(part: int):
    """Name, dtype, shape, chunks and keyword arguments of each array."""
    grid = itertools.product(CODECS, SHUFFLES, DTYPES, LEVELS)
    for n, (cname, shuffle, dtype, clevel) in enumerate(grid):
        if n % part:
            continue
        # Chunks below and above the size of which parts are fetched.
        shape, chunks = ((70, 90), (40, 50)) if n % 3 else ((700, 901), (600, 512))
        size = np.dtype(dtype).itemsize
        codec = zarr.codecs.BloscCodec(cname=cname, clevel=clevel, shuffle=shuffle, typesize=size)
        yield f"{n:03}-{cname}-{shuffle}-{dtype}-{clevel}", dtype, shape, chunks, {"compressors": codec}
    blosc = zarr.codecs.BloscCodec(cname="lz4", clevel=5, shuffle="shuffle", typesize=4)
    yield "sharded", "f4", (900, 900), (300, 300), {"compressors": blosc, "shards": (900, 900)}
    blosc = zarr.codecs.BloscCodec(cname="zstd", clevel=3, shuffle="shuffle", typesize=4, blocksize=4096)
    yield "blocks", "i4", (300_000,), (200_000,), {"compressors": blosc}
    from numcodecs.zarr3 import Blosc

    yield "numcodecs", "f8", (500, 400), (500, 100), {"compressors": Blosc(cname="lz4", clevel=5, shuffle=1)}
    import numcodecs

    # Zarr v2: all codecs and filters (-1 is automatic) and orders, little and big endian.
    grid = itertools.product(CODECS, [-1, 0, 1, 2], ["u1", "<i2", ">i4", "<f8"], ["C", "F"])
    for n, (cname, shuffle, dtype, order) in enumerate(grid):
        if n % part:
            continue
        codec = numcodecs.Blosc(cname=cname, clevel=5, shuffle=shuffle)
        shape, chunks = ((70, 90), (40, 50)) if n % 3 else ((700, 901), (600, 512))
        how = {"compressors": codec, "zarr_format": 2, "order": order}
        yield f"v2-{n:03}-{cname}-{shuffle}", dtype, shape, chunks, how
    try:
        from oxiblosc.zarr import B2ndChunkCodec
    except ImportError:
        return
    for n, (cname, dtype, endian) in enumerate(
        itertools.product(["blosclz", "lz4", "zstd"], ["u1", "i2", "f4", "f8", "c16"], ["little", "big"])
    ):
        codec = B2ndChunkCodec(blocks=(60, 50), codec=cname, endian=endian)
        shape, chunks = ((70, 90), (60, 50)) if n % 3 else ((700, 901), (400, 512))
        yield f"b2nd-{cname}-{dtype}-{endian}", dtype, shape, chunks, {"serializer": codec, "compressors": None}


def main() -> None:
    program, part = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as root:
        read, write = pathlib.Path(root, "read"), pathlib.Path(root, "write")
        names = []
        for n, (name, dtype, shape, chunks, how) in enumerate(kinds(part)):
            data = data_of(dtype, shape, n)
            for folder in (read, write):
                array = zarr.create_array(
                    folder / name, shape=shape, chunks=chunks, dtype=dtype, fill_value=None, **how
                )
                if folder == read:
                    array[...] = data
            data = data.astype(data.dtype.newbyteorder("="))
            (write / f"{name}.data").write_bytes(data.tobytes())
            names.append((name, data))
        stated = {name: ".zarray" if name.startswith("v2") else "zarr.json" for name, _ in names}
        said = subprocess.run([program, "read", read, str(BOXES)], check=True, capture_output=True, text=True)
        print("read by zarrs:", said.stdout.strip())
        assert said.stdout.startswith(f"{len(names)} arrays, {BOXES * len(names)} boxes"), said.stdout
        for name, data in names:
            assert (read / f"{name}.read").read_bytes() == data.tobytes(), name
        before = {name: json.loads((write / name / stated[name]).read_text()) for name, _ in names}
        said = subprocess.run([program, "write", write], check=True, capture_output=True, text=True)
        print("written by zarrs:", said.stdout.strip())
        for name, data in names:
            assert json.loads((write / name / stated[name]).read_text()) == before[name], name
            found = zarr.open_array(write / name, mode="r")[...]
            assert found.dtype.newbyteorder("=") == data.dtype and (found == data).all(), name
        print(f"read by zarr-python: {len(names)} arrays")


if __name__ == "__main__":
    main()
