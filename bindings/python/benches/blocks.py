"""Small reads of large Zarr chunks: `oxiblosc.b2nd_chunk` against the sharding codec of Zarr.

    python blocks.py [--rounds 15]

Both have chunks of 1024² and inner parts of 128². Requests and bytes are those that the store sees, times
are medians of paired runs in memory; above 1, `b2nd_chunk` takes less.
"""

import argparse
import statistics
import time

import numpy as np
import zarr
from zarr.codecs import BloscCodec
from zarr.storage import MemoryStore

from oxiblosc.zarr import B2ndChunkCodec


class Counting(MemoryStore):
    """A store that notes what is read of chunks."""

    def __init__(self) -> None:
        super().__init__()
        self.reads: list[int] = []

    async def get(self, key, prototype=None, byte_range=None):
        found = await super().get(key, prototype, byte_range)
        if found is not None and key.startswith("c/"):
            self.reads.append(len(found))
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    zarr.config.set({"codecs.blosc": "oxiblosc.zarr.BloscCodec"})
    rng = np.random.default_rng(0)
    y, x = np.meshgrid(np.linspace(0, 9, 4096), np.linspace(0, 7, 4096), indexing="ij")
    numbers = np.round((np.sin(x) * np.cos(y) + rng.normal(0, 1e-3, y.shape)).astype("f4"), 4)
    common = {"shape": numbers.shape, "dtype": "f4"}
    ways = {
        "b2nd_chunk": {"chunks": (1024, 1024), "compressors": None,
                       "serializer": B2ndChunkCodec(blocks=(128, 128), codec="lz4")},
        "sharding": {"shards": (1024, 1024), "chunks": (128, 128),
                     "compressors": BloscCodec(cname="lz4", shuffle="shuffle", typesize=4)},
    }
    stores, made = {}, {}
    for name, how in ways.items():
        stores[name] = Counting()
        since = time.perf_counter()
        made[name] = zarr.create_array(stores[name], **common, **how)
        made[name][...] = numbers
        print(f"{name}: written in {time.perf_counter() - since:.2f} s")
    keys = {
        "element": (2000, 2000), "row": 2000, "column": (slice(None), 2000),
        "box of 64²": (slice(1000, 1064),) * 2, "box of 256²": (slice(1100, 1356),) * 2,
        "box of 512²": (slice(1024, 1536),) * 2, "all": (slice(None),) * 2,
    }
    print("| | requests | | KiB | | times as fast |\n|---|---|---|---|---|---|")
    for label, key in keys.items():
        counts, sizes = [], []
        for name, array in made.items():
            stores[name].reads.clear()
            assert np.array_equal(array[key], numbers[key])
            counts.append(len(stores[name].reads))
            sizes.append(f"{sum(stores[name].reads) / 1024:,.0f}")
        found = []
        for at in range(rounds + 1):
            times = []
            for array in made.values():
                since = time.perf_counter()
                array[key]
                times.append(time.perf_counter() - since)
            if at:
                found.append(times[1] / times[0])
        cells = [*map(str, counts), *sizes, f"{statistics.median(found):.2f}"]
        print(f"| {label} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
