"""Compares the stores of python-blosc2 and Zarr as the command line reads them with what was put into them, and opens
the archives that it writes with python-blosc2.

    python interop/python/check_stores.py target/release/oxiblosc
"""

import json
import os
import subprocess
import sys
import tempfile

import blosc2
import kinds
import numpy as np
import zarr


def run(*command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True)


def succeed(*command):
    done = run(*command)
    assert done.returncode == 0, (command, done.stderr)
    return done


def refuse(case, *command):
    done = run(*command)
    assert done.returncode == 1 and case.refused in done.stderr, (command, done.returncode, done.stderr)


def check(tool, case):
    file, _, key = case.address.partition(":")
    key = key or "/"
    address = f"{file}:{key}"
    listed = json.loads(succeed(tool, "info", "--tree", "--json", file).stdout)
    node = [node for node in listed["nodes"] if node["key"] == key]
    assert len(node) == 1 and node[0]["kind"] == case.shown, (case, node)
    assert (node[0]["error"] is not None) == (case.refused == "bz2"), node
    if os.path.exists("out.npy"):
        os.remove("out.npy")
    if case.refused is not None:
        refuse(case, tool, "cat", address, "--format", "raw", "-o", "out.npy")
        refuse(case, tool, "decompress", address, "-o", "out.npy")
        assert not os.path.exists("out.npy")
        if key == "/" and file.endswith(".b2nd"):
            for command in ["verify", "cat", "decompress"]:
                refuse(case, tool, command, file, *(["-o", "out.npy"] if command != "verify" else []))
            assert "recipe" in succeed(tool, "info", file).stdout
        return
    if case.array is not None and case.array is not ...:
        array = np.asarray(case.array)
        for command in [["cat", address, "--format", "npy"], ["decompress", address]]:
            succeed(tool, *command, "-o", "out.npy", "-f")
            found = np.load("out.npy")
            assert found.dtype == array.dtype and found.shape == array.shape, (case, found.dtype, found.shape)
            assert np.array_equal(found, array), case
        succeed(tool, "cat", address, "--format", "raw", "-o", "out.raw", "-f")
        assert open("out.raw", "rb").read() == array.tobytes(), case
        if array.dtype.kind in "iuf" and array.ndim == 2:
            lines = succeed(tool, "cat", address, "--format", "text").stdout.split("\n")
            assert np.array_equal(np.array([line.split() for line in lines[:-1]], dtype=array.dtype), array), case
    if case.raw is not None:
        succeed(tool, "cat", address, "--format", "raw", "-o", "out.raw", "-f")
        assert open("out.raw", "rb").read() == case.raw, case
    if case.objects is not None:
        lines = succeed(tool, "cat", address).stdout.splitlines()
        found = [json.loads(line) for line in lines]
        assert case.objects is ... or found == case.objects, (case, found)
    if file.endswith(".zarr") and key == "/":
        succeed(tool, "decompress", file, "-o", "out.npy", "-f")
        assert np.array_equal(np.load("out.npy"), case.array), case


def check_written(tool, cases):
    """What `convert` writes, python-blosc2 reads."""
    archives = 0
    for file in ["dict.b2d", "dict_embedded.b2z", "v2_groups.zarr", "v3_shards.zarr", "array.b2nd"]:
        succeed(tool, "convert", file, "-o", "out.b2z", "-f")
        with blosc2.open("out.b2z", mode="r") as store:
            assert isinstance(store, blosc2.TreeStore), type(store)
            for case in cases:
                name, _, key = case.address.partition(":")
                if name != file:
                    continue
                found = store[key or "/" + file.split(".")[0]]
                if case.array is not None:
                    assert np.array_equal(found[...], case.array), case
                elif case.raw is not None:
                    assert found[:] == case.raw, case
                elif isinstance(found, blosc2.BatchArray):
                    assert [item for batch in found for item in batch] == case.objects, case
                else:
                    assert list(found) == case.objects, case
                archives += 1
    with blosc2.open("out.b2z", mode="r") as store:
        array = store["/array"]
        assert array.vlmeta["author"] == {"name": "me", "year": 2024}
    succeed(tool, "convert", "v3_groups.zarr", "-o", "out.b2z", "-f")
    with blosc2.open("out.b2z", mode="r") as store:
        assert store.vlmeta["title"] == "groups"
    return archives


def check_containers(tool):
    """What `convert` writes as .npz and as Zarr, NumPy and Zarr read; and it reads what they write."""
    rng = np.random.default_rng(3)
    whole = rng.integers(0, 50, (37, 23)).cumsum(axis=1)
    arrays = {name: whole.astype(name) for name in ["<i4", ">i4", "<f8", ">f4", "u1", "<u2", "<c16", "?", "<f2"]}
    arrays |= {"empty": whole[:0], "scalar": np.array(2.5), "S": whole.astype("S3"), "U": whole.astype("U2"),
               "M": whole.astype("M8[s]"), "cube": np.arange(5 * 6 * 7).reshape(5, 6, 7)}  # fmt: skip
    np.savez("many.npz", **{f"a{number}": array for number, array in enumerate(arrays.values())})
    np.savez_compressed("packed.npz", **{f"a{number}": array for number, array in enumerate(arrays.values())})
    written = 0
    for number, array in enumerate(arrays.values()):
        np.save("one.npy", array)
        succeed(tool, "compress", "one.npy", "-f")
        for file in ["many.npz", "packed.npz"]:
            succeed(tool, "convert", f"{file}:/a{number}", "-o", "out.npy", "-f")
            same(np.load("out.npy"), array)
        for file in ["one.npy", "one.b2nd"]:
            succeed(tool, "convert", file, "-o", "out.npz", "-f")
            with np.load("out.npz") as found:
                same(found["one"], array)
            for version in ["2", "3"]:
                for options in [[], ["--codec", "zstd", "--filters", "bitshuffle"], ["--codec", "lz4", "--filters", "none"]]:
                    out = f"z{written}.zarr"
                    command = [tool, "convert", file, "-o", out, "--zarr-format", version, *options]
                    if version == "3" and array.dtype.kind in "SUM":
                        assert run(*command).returncode == 1 and not os.path.exists(out), command
                        continue
                    if array.size and array.ndim:
                        command += ["--chunks", ",".join(str(-(-len // 2)) for len in array.shape)]
                    succeed(*command)
                    same(np.asarray(zarr.open_array(out, mode="r")[...]), array)
                    succeed(tool, "convert", out, "-o", "out.npy", "-f")
                    same(np.load("out.npy"), array)
                    written += 1
    succeed(tool, "convert", "many.npz", "-o", "all.b2z", "-f")
    with blosc2.open("all.b2z", mode="r") as store:
        assert np.array_equal(store["/a0"][...], arrays["<i4"])
    succeed(tool, "convert", "all.b2z", "-o", "all.npz", "-f")
    with np.load("all.npz") as found:
        for number, array in enumerate(arrays.values()):
            same(found[f"a{number}"], array)
    return written


def same(found, array):
    # Zarr hands out numbers in the order of the machine.
    assert found.shape == array.shape, (found.shape, array.shape)
    assert found.dtype.newbyteorder("=") == array.dtype.newbyteorder("="), (found.dtype, array.dtype)
    assert np.array_equal(found, array), array.dtype


def main():
    tool = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        cases = kinds.make(folder)
        os.chdir(folder)
        for case in cases:
            check(tool, case)
        written = check_written(tool, cases)
        containers = check_containers(tool)
        os.chdir("/")
    assert written >= 14, written
    assert containers >= 100, containers
    print(f"stores: {len(cases)} objects of {len({case.kind for case in cases})} kinds read, {written} written, {containers} folders of Zarr")


if __name__ == "__main__":
    main()
