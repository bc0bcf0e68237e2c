"""Against numcodecs and python-blosc2, on one thread: how many times as fast, the median of paired runs.

    python compare.py [--rounds 7]

Each pair does the same work right after each other; above 1, ours takes less time. Chunks are of 2 MiB.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import blosc2
import numcodecs
import numpy as np
import zarr

import oxiblosc
from oxiblosc.numcodecs import Blosc


def samples() -> dict[str, np.ndarray]:
    """Arrays of 2 MiB."""
    rng = np.random.default_rng(0)
    walk = np.cumsum(rng.integers(-3, 4, 1 << 19), dtype="i4")
    grid = np.linspace(0, 20, 1 << 18)
    return {
        "i4 walk": walk,
        "f8 waves": np.round(np.sin(grid) * np.cos(3 * grid), 6),
        "f4 noise": rng.normal(size=1 << 19).round(3).astype("f4"),
        "u2 counts": rng.poisson(30, 1 << 20).astype("u2"),
    }


def ratio(ours: Callable[[], object], theirs: Callable[[], object], rounds: int) -> float:
    """The median of their time by ours."""
    found = []
    for at in range(rounds + 1):
        times = []
        for work in (theirs, ours):
            since = time.perf_counter()
            work()
            times.append(time.perf_counter() - since)
        if at:
            found.append(times[0] / times[1])
    return statistics.median(found)


def codecs(rounds: int) -> None:
    print("| numcodecs.Blosc | " + " | ".join(samples()) + " |\n|---|" + "---|" * len(samples()))
    numcodecs.blosc.use_threads = False
    for cname, clevel in [("blosclz", 5), ("lz4", 5), ("lz4hc", 5), ("zlib", 5), ("zstd", 3)]:
        for shuffle in (1, 2):
            cells = []
            for array in samples().values():
                ours, theirs = (one(cname, clevel, shuffle) for one in (Blosc, numcodecs.Blosc))
                chunk, mine = theirs.encode(array), ours.encode(array)
                out = np.empty_like(array)
                encode = ratio(lambda: ours.encode(array), lambda: theirs.encode(array), rounds)
                decode = ratio(lambda: ours.decode(chunk, out), lambda: theirs.decode(chunk, out), rounds)
                cells.append(f"{encode:.2f} / {decode:.2f} ({len(chunk) / len(mine):.2f})")
            name = {1: "shuffle", 2: "bitshuffle"}[shuffle]
            print(f"| {cname} {clevel}, {name} | " + " | ".join(cells) + " |")
    print("\nencode / decode (size of their chunk by ours)\n")


def stores(rounds: int, folder: Path) -> None:
    ours, theirs = "oxiblosc.zarr.BloscCodec", "zarr.codecs.blosc.BloscCodec"
    numbers = np.cumsum(np.random.default_rng(0).integers(-3, 4, (4096, 4096)), axis=1, dtype="i4")

    def run(codec: str, write: bool) -> None:
        with zarr.config.set({"codecs.blosc": codec}):
            path = folder / codec
            if write:
                array = zarr.create_array(path, shape=numbers.shape, chunks=(512, 1024), dtype="i4", overwrite=True,
                                          compressors={"name": "blosc", "configuration": {
                                              "cname": "lz4", "clevel": 5, "shuffle": "shuffle", "typesize": 4,
                                              "blocksize": 0}})
                array[...] = numbers
            else:
                zarr.open_array(path, mode="r")[...]

    print("| zarr-python, 64 MiB in a folder, lz4 | times as fast |\n|---|---|")
    for name, write in [("write", True), ("read", False)]:
        print(f"| {name} | {ratio(lambda: run(ours, write), lambda: run(theirs, write), 3 * rounds):.2f} |")
    print()


def arrays(rounds: int, folder: Path) -> None:
    numbers = np.cumsum(np.random.default_rng(0).integers(-3, 4, (4096, 4096)), axis=1, dtype="i4")
    path = str(folder / "a.b2nd")
    cparams = {"codec": "lz4"}
    oxiblosc.asarray(numbers, urlpath=path, chunks=(1024, 1024), blocks=(128, 128), cparams=cparams)
    ours = oxiblosc.open(path)
    theirs = blosc2.open(path, dparams=blosc2.DParams(nthreads=1))
    one = blosc2.CParams(codec=blosc2.Codec.LZ4, nthreads=1)
    print("| `.b2nd`, 64 MiB, one thread, python-blosc2 | times as fast |\n|---|---|")
    keys = {
        "element": (2000, 2000), "row": 2000, "column": (slice(None), 2000),
        "box of 64²": (slice(1000, 1064),) * 2, "box of 512²": (slice(1000, 1512),) * 2,
        "every third row": slice(None, None, 3), "all": ...,
    }
    for name, key in keys.items():
        print(f"| {name} | {ratio(lambda: ours[key], lambda: theirs[key], rounds):.2f} |")
    new = ratio(lambda: oxiblosc.asarray(numbers, chunks=(1024, 1024), blocks=(128, 128), cparams=cparams),
                lambda: blosc2.asarray(numbers, chunks=(1024, 1024), blocks=(128, 128), cparams=one), rounds)
    print(f"| `asarray` in memory | {new:.2f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        arrays(rounds, Path(folder))
        print()
        stores(rounds, Path(folder))
        codecs(rounds)


if __name__ == "__main__":
    main()
