"""Blosc1 chunks both ways: ours read by python-blosc, numcodecs, Zarr and HDF5; theirs read by us.

    cargo build --release -p oxiblosc-interop --example blosc1_grid
    python interop/python/check_blosc1.py target/release/examples/blosc1_grid

Needs the packages blosc, numcodecs, zarr, h5py, hdf5plugin and numpy. Prints what was compared; any difference ends it
with status 1.
"""

import itertools
import json
import os
import struct
import subprocess
import sys
import tempfile

import blosc
import h5py
import hdf5plugin  # noqa: F401  (registers filter 32001)
import numcodecs.blosc
import numpy as np
import zarr

SHUFFLES = {0: blosc.NOSHUFFLE, 1: blosc.SHUFFLE, 2: blosc.BITSHUFFLE}
CODECS = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]
# The parameters of `blosc1_grid write`, in its order.
GRID = itertools.product(
    [*CODECS, "snappy"], (0, 1, 2), (1, 2, 3, 4, 8, 12, 16, 17, 255),
    (0, 1, 127, 128, 4096, 4099, 30_000, 70_001, 300_000), (0, 1, 5, 9),
)


def records(path):
    """The pairs of chunk and data in a file."""
    with open(path, "rb") as file:
        content = file.read()
    at = 0
    while at < len(content):
        pair = []
        for _ in range(2):
            (size,) = struct.unpack_from("<I", content, at)
            pair.append(content[at + 4 : at + 4 + size])
            at += 4 + size
        yield pair


def check(ok, what):
    if not ok:
        sys.exit(f"differs: {what}")


def ours_to_theirs(path):
    count = read = cuts = 0
    for (codec, shuffle, typesize, nbytes, level), (chunk, data) in zip(GRID, records(path), strict=True):
        what = f"chunk {count}: {chunk[:16].hex()}"
        count += 1
        check((typesize, nbytes) == (chunk[3], len(data)), f"order, {what}")
        if codec == "snappy":
            # Packages of PyPI have no Snappy, except that of HDF5's filter, below.
            continue
        theirs = blosc.compress(data, typesize, level, SHUFFLES[shuffle], codec)
        if nbytes and not (theirs[2] | chunk[2]) & 2:
            check(theirs[8:12] == chunk[8:12] and theirs[2] & 16 == chunk[2] & 16, f"cut of {theirs[:16].hex()}, {what}")
            cuts += 1
        check(blosc.decompress(chunk) == data, f"python-blosc, {what}")
        # numcodecs takes "0 bytes" for a failure.
        if data:
            check(bytes(numcodecs.blosc.decompress(chunk)) == data, f"numcodecs, {what}")
        nbytes, cbytes, _ = blosc.get_cbuffer_sizes(chunk)
        check((nbytes, cbytes) == (len(data), len(chunk)), f"sizes, {what}")
        read += 1
    check(cuts > 1000, f"{cuts} chunks cut alike")
    return count, read, cuts


def theirs_to_ours(grid, path):
    rng = np.random.default_rng(1)
    count = 0
    with open(path, "wb") as file:
        for codec in CODECS:
            for shuffle in SHUFFLES.values():
                for typesize in (1, 2, 3, 4, 8, 12, 16, 17, 255):
                    for size in (1, 127, 4096, 4099, 70_001, 300_000):
                        for level in (0, 1, 5, 9):
                            items = np.arange(size, dtype="u4").view("u1")[:size]
                            if (size + level) % 3 == 0:
                                items = rng.integers(0, 256, size, dtype="u1")
                            data = items.tobytes()
                            if count % 2:
                                chunk = blosc.compress(data, typesize, level, shuffle, codec)
                            else:
                                items = np.frombuffer(data, f"V{typesize}") if size % typesize == 0 else items
                                chunk = numcodecs.blosc.compress(items, codec.encode(), level, shuffle)
                            for part in (bytes(chunk), data):
                                file.write(struct.pack("<I", len(part)) + part)
                            count += 1
    read = subprocess.run([grid, "read", path], stdout=subprocess.PIPE, text=True)
    check(read.returncode == 0 and int(read.stdout) == count, "theirs read by us")
    return count


def some(path, nbytes, wanted, snappy=False):
    """Coded chunks of ours of one size, with their data; those of Snappy, or the others."""
    found = [(c, d) for c, d in records(path) if len(d) == nbytes and not c[2] & 2 and (c[2] >> 5 == 2) == snappy]
    check(len(found) >= wanted, f"{len(found)} coded chunks of {nbytes} bytes, {wanted} wanted")
    return found[:: len(found) // wanted][:wanted]


def zarr_array(path, folder):
    """A Zarr v2 array of bytes whose chunks are ours."""
    chunks = some(path, 4096, 64)
    os.makedirs(folder)
    meta = {
        "zarr_format": 2, "shape": [4096 * len(chunks)], "chunks": [4096], "dtype": "|u1", "order": "C",
        "fill_value": 0, "filters": None,
        "compressor": {"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1, "blocksize": 0},
    }
    with open(os.path.join(folder, ".zarray"), "w") as file:
        json.dump(meta, file)
    for index, (chunk, _) in enumerate(chunks):
        with open(os.path.join(folder, str(index)), "wb") as file:
            file.write(chunk)
    array = zarr.open(folder, mode="r")
    check(array[:].tobytes() == b"".join(data for _, data in chunks), "Zarr")
    return len(chunks)


def hdf5_dataset(path, name):
    """An HDF5 dataset of bytes with filter 32001 whose chunks are ours."""
    snappy = some(path, 30_000, 32, snappy=True)
    chunks = some(path, 30_000, 64) + snappy
    with h5py.File(name, "w") as file:
        dataset = file.create_dataset(
            "bytes", (30_000 * len(chunks),), "u1", chunks=(30_000,), compression=32001,
            # Two revisions, typesize, size, level, shuffle, codec.
            compression_opts=(2, 2, 1, 30_000, 5, 1, 1),
        )
        for index, (chunk, _) in enumerate(chunks):
            dataset.id.write_direct_chunk((30_000 * index,), chunk)
    with h5py.File(name, "r") as file:
        check(file["bytes"][:].tobytes() == b"".join(data for _, data in chunks), "HDF5")
    return len(chunks), len(snappy)


def main():
    grid = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        ours = os.path.join(folder, "ours")
        written = subprocess.run([grid, "write", ours], stdout=subprocess.PIPE, text=True)
        check(written.returncode == 0, "writing")
        count, read, cuts = ours_to_theirs(ours)
        check(count == int(written.stdout) and count >= 3000, f"{count} chunks of ours")
        print(f"ours read by python-blosc {blosc.__version__}: {read} of {read}; numcodecs {numcodecs.__version__} reads those that are not empty")
        print(f"cut as python-blosc cuts them: {cuts} of the {cuts} that both compress")
        count = theirs_to_ours(grid, os.path.join(folder, "theirs"))
        print(f"theirs read by us: {count} of {count}")
        print(f"Zarr {zarr.__version__}, version 2: {zarr_array(ours, os.path.join(folder, 'array'))} chunks of ours")
        count, snappy = hdf5_dataset(ours, os.path.join(folder, "data.h5"))
        print(f"HDF5, filter 32001: {count} chunks of ours, {snappy} of them of snappy")


if __name__ == "__main__":
    main()
