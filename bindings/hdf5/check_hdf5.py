"""The HDF5 filters both ways: datasets of hdf5plugin read through our plugins, and ours through hdf5plugin's.

    cargo build --release --workspace --manifest-path bindings/hdf5/Cargo.toml
    python bindings/hdf5/check_hdf5.py DIR

DIR has the plugins, libh5zoxiblosc32001.so and libh5zoxiblosc32026.so. Each side is a process of its own, with
one set of plugins; the files have 1 to 4 axes, six types, five codecs and both filters. Then
options, types and damage outside of this grid. Prints what was compared; any difference ends it with status 1. Needs
h5py, hdf5plugin and numpy, and readelf.
"""

import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

CODECS = {"blosclz": 0, "lz4": 1, "lz4hc": 2, "zlib": 4, "zstd": 5}
TYPES = ["f4", "f8", "i2", "u1", "c16", "S5"]
SHAPES = {
    1: [((4000,), (1100,)), ((300,), (300,)), ((90000,), (70001,))],
    2: [((90, 70), (40, 33)), ((500, 300), (260, 300)), ((64, 64), (64, 64)), ((7, 3000), (2, 1999))],
    3: [((20, 30, 40), (10, 20, 15)), ((5, 64, 65), (5, 40, 64)), ((40, 50, 60), (39, 50, 60))],
    4: [((6, 7, 8, 9), (4, 7, 3, 5)), ((3, 20, 20, 20), (3, 15, 20, 20)), ((2, 3, 4, 5), (1, 1, 1, 1))],
}
NEEDED = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


def cells():
    """The grid: name, filter, codec, level, shuffle, type, shape, chunkshape."""
    number = 0
    for ndim, dtype, (codec, code), filt in itertools.product(SHAPES, TYPES, CODECS.items(), [32001, 32026]):
        for shape, chunk in SHAPES[ndim]:
            level, shuffle = 1 + number % 9, number // 3 % 3
            yield f"{number}_{filt}_{codec}_{dtype}", filt, code, level, shuffle, dtype, shape, chunk
            number += 1


def data_of(number, dtype, shape):
    rng = np.random.default_rng(number)
    count = int(np.prod(shape))
    steps = np.cumsum(rng.integers(-3, 4, count))
    if number % 7 == 0:
        steps = rng.integers(0, 2**15, count)
    if number % 11 == 0:
        steps[:] = 0
    if dtype == "S5":
        return np.array([f"{step % 99999}".encode() for step in steps], "S5").reshape(shape)
    return steps.astype(dtype).reshape(shape)


def write(path):
    import h5py

    with h5py.File(path, "w") as file:
        for number, (name, filt, code, level, shuffle, dtype, shape, chunk) in enumerate(cells()):
            file.create_dataset(
                name,
                data=data_of(number, dtype, shape),
                chunks=chunk,
                compression=filt,
                compression_opts=(0, 0, 0, 0, level, shuffle, code),
            )
    return number + 1


def read(path):
    import h5py

    with h5py.File(path) as file:
        for number, (name, filt, *_, dtype, shape, chunk) in enumerate(cells()):
            dataset = file[name]
            if not np.array_equal(dataset[...], data_of(number, dtype, shape)):
                sys.exit(f"differs: {name} {shape} {chunk}")
            stored = dataset.id.get_create_plist().get_filter(0)
            if stored[0] != filt:
                sys.exit(f"not filtered: {name}, {stored}")
            index = tuple(slice(n // 3, n // 3 + 2) for n in shape)
            if not np.array_equal(dataset[index], data_of(number, dtype, shape)[index]):
                sys.exit(f"differs in part: {name} {shape} {chunk}")
    return number + 1


def describe(path):
    """What HDF5 stores of each dataset: the options of the filter and how many chunks were left as they are."""
    import h5py

    with h5py.File(path) as file:
        found = {}
        for name, *_ in cells():
            dataset = file[name]
            # HDF5 1.12 has no H5Dchunk_iter.
            masks = [dataset.id.get_chunk_info(n).filter_mask for n in range(dataset.id.get_num_chunks())]
            found[name] = [list(dataset.id.get_create_plist().get_filter(0)[2]), sum(map(bool, masks)), len(masks)]
    return found


def odd():
    """Types and options outside of the grid, in one process: written and read by the plugins at hand."""
    import h5py

    count = 0
    kinds = [
        (np.dtype([("a", "f4"), ("b", "i2", 3)]), None),
        (np.dtype("S300"), None),
        (np.dtype("V1000"), None),
        (np.dtype("?"), None),
        (np.dtype("f2"), ()),
        (np.dtype(">i4"), (0, 4096, 0, 0, 3, 2, 1)),
    ]
    for filt, (dtype, options) in itertools.product([32001, 32026], kinds):
        for shape, chunk in [((60,), (50,)), ((50, 40), (20, 25)), ((9, 8, 7), (3, 8, 4))]:
            rng = np.random.default_rng(3)
            data = np.frombuffer(rng.integers(0, 3, int(np.prod(shape)) * dtype.itemsize, "u1").tobytes(), dtype)
            data = data.reshape(shape)
            with h5py.File("odd.h5", "w", driver="core", backing_store=False) as file:
                given = (0, 0, 0, 0, 5, 1, 5) if options is None else options
                # A compression of other sizes before it: the data of the filter are not the shape's.
                for more in [{}, {"fletcher32": True}, {"shuffle": True}]:
                    name = f"d{len(file)}"
                    dataset = file.create_dataset(
                        name, data=data, chunks=chunk, compression=filt, compression_opts=given, **more
                    )
                    dataset.id.flush()
                    if dataset[...].tobytes() != data.tobytes():
                        sys.exit(f"differs: {filt} {dtype} {shape} {more}")
                    count += 1
    return count


def damage():
    """A damaged chunk is an error with a message, and what HDF5 knows of the dataset stays usable."""
    import h5py

    count = 0
    for filt in [32001, 32026]:
        with h5py.File("bad.h5", "w", driver="core", backing_store=False) as file:
            data = np.arange(6000, dtype="i4").reshape(100, 60)
            opts = (0, 0, 0, 0, 5, 1, 1)
            good = file.create_dataset("good", data=data, chunks=(50, 60), compression=filt, compression_opts=opts)
            for at in range(0, 300, 7):
                _, raw = good.id.read_direct_chunk((0, 0))
                raw = bytearray(raw)
                raw[at % len(raw)] ^= 0xFF
                bad = file.create_dataset(
                    f"bad{at}", shape=data.shape, dtype="i4", chunks=(50, 60), compression=filt, compression_opts=opts
                )
                bad.id.write_direct_chunk((0, 0), bytes(raw))
                try:
                    bad[...]
                except OSError as error:
                    count += f"filter {filt}" in str(error) or "oxiblosc" in str(error) or "filter" in str(error)
            if not np.array_equal(good[...], data):
                sys.exit("a good dataset beside a bad one differs")
    return count


def child(plugins, what, *args):
    """Runs one side in a process of its own; HDF5 finds the plugins of `plugins` alone, or hdf5plugin's for none."""
    env = dict(os.environ, HDF5_PLUGIN_PATH=str(plugins))
    if plugins is None:
        del env["HDF5_PLUGIN_PATH"]
    done = subprocess.run(
        [sys.executable, __file__, "--child", what, *map(str, args)], env=env, capture_output=True, text=True
    )
    if done.returncode != 0:
        sys.exit(f"{what} with {plugins or 'hdf5plugin'}: {done.stdout}{done.stderr}")
    *_, result, loaded = done.stdout.splitlines()
    return json.loads(result), json.loads(loaded)


def main(folder):
    ours = pathlib.Path(folder).resolve()
    theirs = None
    for number in (32001, 32026):
        plugin = ours / f"libh5zoxiblosc{number}.so"
        dynamic = subprocess.run(["readelf", "-d", plugin], check=True, capture_output=True, text=True).stdout
        needed = {line.split("[")[1].rstrip("]") for line in dynamic.splitlines() if "(NEEDED)" in line}
        if not needed or needed - NEEDED:
            sys.exit(f"{plugin} needs {needed}")
        print(f"{plugin.name} needs {', '.join(sorted(needed))}")
    with tempfile.TemporaryDirectory() as scratch:
        files = {"ours": (ours, f"{scratch}/ours.h5"), "theirs": (theirs, f"{scratch}/theirs.h5")}
        shapes, total = {}, 0
        for name, (plugins, path) in files.items():
            _, loaded = child(plugins, "write", path)
            check_loaded(name, loaded, ours)
        for (writer, (_, path)), (reader, (plugins, _)) in itertools.product(files.items(), files.items()):
            count, loaded = child(plugins, "read", path)
            check_loaded(reader, loaded, ours)
            print(f"{count} datasets of {writer} read by {reader}")
            total += count
            shapes[writer], _ = child(plugins, "describe", path)
    differ = [name for name in shapes["ours"] if shapes["ours"][name][0] != shapes["theirs"][name][0]]
    if differ:
        sys.exit(f"options differ: {[(n, shapes['ours'][n], shapes['theirs'][n]) for n in differ[:5]]}")
    print(f"the options that HDF5 stores are the same for {len(shapes['ours'])} datasets")
    count, loaded = child(ours, "odd")
    check_loaded("ours", loaded, ours)
    print(f"{count} datasets with other types and options")
    count, _ = child(ours, "damage")
    if not count:
        sys.exit("no damage was noticed")
    print(f"{count} damaged chunks refused with a message")


def check_loaded(name, loaded, ours):
    """The plugins that did the work are those of the side."""
    found = [path for path in loaded if "h5zoxiblosc" in path]
    foreign = [path for path in loaded if "libh5blosc" in path]
    expected = (bool(found), bool(foreign)) == ((True, False) if name == "ours" else (False, True))
    if not expected:
        sys.exit(f"{name}: loaded {loaded}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        if "HDF5_PLUGIN_PATH" not in os.environ:
            import hdf5plugin  # noqa: F401  (its plugins find HDF5 only when it is imported)
        result = globals()[sys.argv[2]](*sys.argv[3:])
        print(json.dumps(result))
        with open("/proc/self/maps") as maps:
            print(json.dumps(sorted({line.split()[-1] for line in maps if "5blosc" in line or "h5z" in line})))
    else:
        main(*sys.argv[1:])
