"""How good the choice of `oxiblosc tune` is: beside pcodec, and beside the full grid of `oxiblosc bench`.

    python benches/vs_c/arrays.py ARRAYS
    python benches/choice.py target/release/oxiblosc ARRAYS [pcodec|grid|chains]

Needs numpy and pcodec. Six real arrays and five made ones; one thread, in memory.
"""

import itertools
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

REAL = {
    "matplotlib_elevation": "<i2",
    "matplotlib_topography": "<f4",
    "nibabel_anatomy": ">i2",
    "sklearn_digits": "<f8",
    "sklearn_photograph": "u1",
    "matplotlib_head": ">u2",
}


def made():
    rng = np.random.default_rng(7)
    n = 1_000_000
    i = np.arange(n)
    wave = 15 + 8 * np.sin(i / 1440 * 2 * np.pi)
    drift = rng.normal(0, 1, n).cumsum() * 0.01
    return {
        "temperatures": np.round(wave + drift + rng.normal(0, 0.2, n), 2).astype("f4"),
        "walk": 100 + rng.normal(0, 0.01, n // 2).cumsum(),
        "counts": rng.poisson(200, n).astype("i4"),
        "timestamps": (1_700_000_000_000 + np.cumsum(1000 + rng.integers(0, 50, n // 2))).astype("i8"),
        "sensor": np.clip(2000 + 300 * np.sin(i / 5000) + rng.normal(0, 6, n), 0, 65535).astype("u2"),
    }


def run(tool, *args):
    start = time.perf_counter()
    done = subprocess.run([tool, *args], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), time.perf_counter() - start


def bench(tool, file, *args):
    report = run(tool, "bench", file, "-T", "1", "--time", "1", "--chunk-size", "4M", "--format", "json", *args)
    return report[0]["cells"], report[1]


def parameters(tool, file, goal):
    found, seconds = run(tool, "tune", file, "--for", goal, "--json")
    best = found["best"]
    return (best["codec"], best["level"], "+".join(best["filters"]) or "none"), seconds


def beside_pcodec(tool, files):
    from pcodec import ChunkConfig, standalone

    print("| array | dtype | pcodec, ratio | MB/s | balanced | ratio | of pcodec | speed over pcodec | ratio goal | of pcodec |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name, (file, array) in files.items():
        if array.dtype == np.uint8:
            continue
        times, end = [], time.time() + 0.8
        while time.time() < end or len(times) < 3:
            start = time.perf_counter()
            packed = standalone.simple_compress(array, ChunkConfig())
            times.append(time.perf_counter() - start)
        ratio, speed = array.nbytes / len(packed), array.nbytes / 1e6 / statistics.median(times)
        row = [name, str(array.dtype), f"{ratio:.2f}", f"{speed:.0f}"]
        for goal in ["balanced", "ratio"]:
            codec, level, filters = found = parameters(tool, file, goal)[0]
            cells, _ = bench(tool, file, "--codecs", codec, "--levels", str(level), "--filters", filters)
            row += [" ".join(map(str, found))] if goal == "balanced" else []
            row += [f"{cells[0]['ratio']:.2f}"] + ([f"{cells[0]['ratio'] / ratio:.2f}"])
            row += [f"{cells[0]['compress_median_mb_per_s'] / speed:.1f}"] if goal == "balanced" else []
        print("| " + " | ".join(row) + " |", flush=True)


def cost(goal, cell):
    """As `src/tune/model.rs` weighs, with measured times."""
    part = 1 / cell["ratio"]
    encode, decode = (1e3 / cell[f"{way}compress_best_mb_per_s"] for way in ["", "de"])
    costs = {
        "ratio": part,
        "balanced": encode + decode + 40 * part,
        "read": decode + 2 * part + encode / 20,
        "speed": encode + decode + 2 * part,
    }
    return costs[goal]


def beside_grid(tool, files):
    goals = ["ratio", "balanced", "read", "speed"]
    print("| array | " + " | ".join(f"{goal}: cost over the best | time" for goal in goals) + " |")
    print("|---" * (1 + 2 * len(goals)) + "|")
    for name, (file, array) in files.items():
        pipelines = "bytedelta" if array.dtype == np.uint8 else "shuffle,shuffle+bytedelta,shuffle+bytedelta+bytedelta"
        cells, whole = bench(tool, file, "--levels", "0,1,3,5,9", "--filters", f"none,bitshuffle,delta,{pipelines}")
        row = [name]
        for goal in goals:
            found, seconds = parameters(tool, file, goal)
            best = min(cost(goal, cell) for cell in cells)
            own = [cell for cell in cells if (cell["codec"], cell["level"], cell["filters"]) == found]
            row += [f"{cost(goal, own[0]) / best:.2f}", f"{seconds / whole * 100:.0f} %"]
        print("| " + " | ".join(row) + " |", flush=True)


def chains(tool, files):
    """The best ratio of every chain of up to three filters, whether `tune` tries it or not."""
    names = ["shuffle", "bitshuffle", "bytedelta", "delta"]
    all_chains = ["+".join(chain) for n in (1, 2, 3) for chain in itertools.product(names, repeat=n)]
    filters = ",".join(["none", *(chain for chain in all_chains if chain.count("delta") - chain.count("bytedelta") < 2)])
    print("| array | zstd 1 | ratio | MB/s | zstd 9 | ratio |")
    print("|---|---|---|---|---|---|")
    for name, (file, array) in files.items():
        row = [name]
        for level in ["1", "9"]:
            cells, _ = bench(tool, file, "--codecs", "zstd", "--levels", level, "--filters", filters)
            best = max(cells, key=lambda cell: cell["ratio"])
            row += [best["filters"], f"{best['ratio']:.2f}"]
            row += [f"{best['compress_best_mb_per_s']:.0f}"] if level == "1" else []
        print("| " + " | ".join(row) + " |", flush=True)


def main():
    tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    wanted = sys.argv[3:] or ["pcodec", "grid"]
    arrays = {name.split("_")[1]: np.fromfile(folder / f"{name}.bin", dtype) for name, dtype in REAL.items()}
    # pcodec takes the order of the machine.
    arrays = {name: array.astype(array.dtype.newbyteorder("=")) for name, array in arrays.items()}
    with tempfile.TemporaryDirectory() as temporary:
        files = {}
        for name, array in (arrays | made()).items():
            file = f"{temporary}/{name}.npy"
            np.save(file, array)
            files[name] = (file, array)
        if "pcodec" in wanted:
            beside_pcodec(tool, files)
        if "grid" in wanted:
            beside_grid(tool, files)
        if "chains" in wanted:
            chains(tool, files)


if __name__ == "__main__":
    main()
