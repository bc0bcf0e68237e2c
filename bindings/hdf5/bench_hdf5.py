"""The HDF5 filters beside those of hdf5plugin, through h5py: the time to write and to read a dataset.

    bench_hdf5.py PLUGINS [--only TEXT] [--rounds N] [--mib N]

Three processes take turns: one with our plugins, two with hdf5plugin's, of which the second shows the noise. Each cell is
a dataset of 1 to 4 axes in 4 chunks, one of six types and five codecs, with level 5 and shuffle, in memory (the core
driver). A number is hdf5plugin's time of the processor divided by ours, each the shortest of the rounds: above 1 ours is
faster. Reading is of the file that hdf5plugin wrote, then ("own") of our own. Needs h5py, hdf5plugin and numpy.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

CODECS = {"blosclz": 0, "lz4": 1, "lz4hc": 2, "zlib": 4, "zstd": 5}
TYPES = ["u1", "i2", "i4", "f4", "f8", "c16"]


def shapes(items):
    """For 1 to 4 axes: the shape of a dataset of about `items` elements, and that of its chunks, a quarter."""
    side2, side3, side4 = round(items**0.5) & ~3, round(items ** (1 / 3)) & ~3, round(items**0.25) & ~3
    yield (items,), (items // 4,)
    yield (side2, side2), (side2 // 2, side2 // 2)
    yield (side3,) * 3, (side3 // 2, side3 // 2, side3)
    yield (side4,) * 4, (side4 // 2, side4, side4 // 2, side4)


def values(shape, dtype):
    """Measurements: a slow wave with noise in the last digits."""
    import numpy as np

    rng = np.random.default_rng(7)
    n = int(np.prod(shape))
    wave = np.sin(np.arange(n) / 300.0) * 100 + rng.normal(0, 1, n).cumsum() / 10
    if dtype == "c16":
        return (np.round(wave, 2) + 1j * np.round(wave[::-1], 1)).reshape(shape)
    if dtype[0] == "f":
        return np.round(wave, 2).astype(dtype).reshape(shape)
    wave = wave - wave.min()
    return (wave / max(wave.max(), 1) * {"u1": 200, "i2": 20000, "i4": 200000}[dtype]).astype(dtype).reshape(shape)


def worker():
    """Runs orders from the standard input, a line each; answers seconds."""
    if "HDF5_PLUGIN_PATH" not in os.environ:
        import hdf5plugin  # noqa: F401  (its plugins are found when it is imported)
    import h5py
    import numpy as np

    data = out = None
    for line in sys.stdin:
        order = json.loads(line)
        if order["do"] == "data":
            data = values(order["shape"], order["dtype"])
            out = np.empty_like(data)
            answer = 0
        elif order["do"] == "write":
            options = (0, 0, 0, 0, 5, 1, order["codec"])
            start = time.thread_time()
            with h5py.File(order["path"], "w", driver="core", backing_store=order["keep"]) as file:
                file.create_dataset(
                    "d", data=data, chunks=tuple(order["chunks"]), compression=order["id"], compression_opts=options
                )
            answer = time.thread_time() - start
        else:
            with h5py.File(order["path"], "r", driver="core") as file:
                dataset = file["d"]
                start = time.thread_time()
                dataset.read_direct(out)
                answer = time.thread_time() - start
            if not np.array_equal(out, data):
                sys.exit(f"other data: {order}")
        print(json.dumps(answer), flush=True)


class Worker:
    def __init__(self, plugins):
        env = dict(os.environ)
        env.pop("HDF5_PLUGIN_PATH", None)
        if plugins:
            env["HDF5_PLUGIN_PATH"] = plugins
        self.process = subprocess.Popen(
            [sys.executable, __file__, "worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env
        )

    def ask(self, **order):
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def measure(workers, rounds, order):
    """Theirs / ours, and theirs / theirs again, from the shortest of rounds in turn."""
    times = [[] for _ in workers]
    for turn in range(rounds):
        for k in range(len(workers)):
            which = (k + turn) % len(workers)
            times[which].append(workers[which].ask(**order[which]))
    ours, theirs, again = (min(t) for t in times)
    return theirs / ours, theirs / again


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plugins")
    parser.add_argument("--only", default="")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--mib", type=float, default=1)
    options = parser.parse_args()
    workers = [Worker(os.path.abspath(options.plugins)), Worker(None), Worker(None)]
    base = f"/dev/shm/bench_hdf5.{os.getpid()}"
    cells, noise = [], []
    for number in (32001, 32026):
        for dtype in TYPES:
            items = int(options.mib * 2**20) // int({"c16": 16}.get(dtype, dtype[1:]))
            for shape, chunks in shapes(items):
                fresh = True
                for name, codec in CODECS.items():
                    cell = f"{number} {len(shape)}d {dtype} {name}"
                    if not all(part in cell.split() for part in options.only.split()):
                        continue
                    if fresh:
                        for w in workers:
                            w.ask(do="data", shape=shape, dtype=dtype)
                        fresh = False
                    write = dict(do="write", chunks=chunks, id=number, codec=codec, keep=False)
                    paths = [f"{base}.{k}" for k in range(3)]
                    row = [measure(workers, options.rounds, [dict(write, path=p) for p in paths])]
                    for path, w in zip(paths, workers):
                        w.ask(**dict(write, path=path, keep=True))
                    read = [dict(do="read", path=paths[1])] * 3
                    row.append(measure(workers, options.rounds, read))
                    row.append(measure(workers, options.rounds, [dict(do="read", path=paths[0])] + read[1:]))
                    sizes = [os.path.getsize(p) for p in paths]
                    for path in paths:
                        os.unlink(path)
                    print(
                        f"{cell:28} write {row[0][0]:5.2f}  read {row[1][0]:5.2f}  own {row[2][0]:5.2f}"
                        f"  size {sizes[0] / sizes[1]:5.2f}",
                        flush=True,
                    )
                    cells.append((cell, *(r[0] for r in row)))
                    noise += [r[1] for r in row]
    for index, what in ((1, "write"), (2, "read"), (3, "read of our own")):
        ratios = [c[index] for c in cells]
        low = [c[0] for c in cells if c[index] < 1]
        print(f"{what}: geometric mean {statistics.geometric_mean(ratios):.2f}, lowest {min(ratios):.2f}, below 1: {low}")
    print(f"hdf5plugin with itself: {min(noise):.2f} to {max(noise):.2f}")


worker() if sys.argv[1:] == ["worker"] else main()
