#!/usr/bin/env python3
"""Records and metadata both ways between `interop/examples/values.rs` and python-blosc2.

    PYTHON interop/python/check_values.py target/release/examples/values target/release/oxiblosc

PYTHON is the one that `ci/python-env.sh` makes. Arrays of a derived record are compared field by field with NumPy, in both
byte orders and with the padding written in several ways; metadata with the values that Python sees, and `info --json`.
Prints the number of checks and ends with status 1 when anything differs.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import blosc2
import numpy as np

POINT = [("x", "<i2"), ("y", "<u2")]
FIELDS = [("time", "<i8"), ("xyz", "<f4", (3,)), ("name", "S5"), ("rgb", "u1", (3,)), ("the corners", POINT, (2, 2))]
PADDED = np.dtype([*FIELDS, ("", "V4")])
GAP = np.dtype({
    "names": [field[0] for field in FIELDS],
    "formats": [np.dtype([field])[0] for field in FIELDS],
    "offsets": [0, 8, 20, 25, 28],
    "itemsize": 48,
})
SWAPPED = PADDED.newbyteorder(">")

failures = 0
checks = 0


def check(what, found, expected):
    global failures, checks
    checks += 1
    if found != expected:
        failures += 1
        print(f"{what}:\n  found    {found!r}\n  expected {expected!r}")


def samples(dtype):
    """The records of the example, in a NumPy array of this dtype."""
    array = np.zeros(100, dtype=dtype)
    for n, record in enumerate(array):
        record["time"] = n - 2
        record["xyz"] = [0.5, -1.5, n]
        record["name"] = b"abcde"[: n % 6]
        record["rgb"] = [n, 0, 255]
        for at, corner in enumerate(record["the corners"].reshape(-1)):
            corner["x"] = at - 300
            corner["y"] = 7 * n
    return array.reshape(10, 10)


def lines(array):
    """The lines that the example prints for such an array."""
    for record in array.reshape(-1):
        corners = ", ".join(f"({c['x']}, {c['y']})" for c in record["the corners"].reshape(-1))
        xyz = ", ".join(repr(float(x)) for x in record["xyz"])
        rgb = ", ".join(str(c) for c in record["rgb"])
        yield f"{record['time']} [{xyz}] {record['name'].decode()} [{rgb}] [{corners}]"


def ours(values, cli, folder):
    path = folder / "ours.b2nd"
    subprocess.run([values, "write", path], check=True)
    array = blosc2.open(str(path))
    expected = samples(PADDED)
    for name in GAP.names:
        check(f"field {name}", array[:][name].tolist(), expected[name].tolist())
    check("size of a record", array.dtype.itemsize, 48)
    sensor = {"id": 7, "place": "roof \u00e9", "range": [-1.0, 1e300], "steps": list(range(70))}
    metadata = {"unit": "kelvin", "number": -70000, "float": 1.25, "truth": True, "nothing": None, "sensor": sensor}
    check("metadata", array.schunk.vlmeta.getall(), metadata)
    info = subprocess.run([cli, "info", "--json", path], check=True, capture_output=True).stdout
    check("info", json.loads(info)["vlmeta"], metadata)


def theirs(values, cli, folder):
    for number, dtype in enumerate([PADDED, GAP, SWAPPED]):
        path = folder / f"theirs{number}.b2nd"
        array = blosc2.asarray(samples(dtype), urlpath=str(path), mode="w", chunks=(4, 10), blocks=(3, 4))
        vlmeta = array.schunk.vlmeta
        vlmeta["sensor"] = {"id": 9, "place": None, "range": (0.5, 2.0), "steps": [3, -4]}
        vlmeta["tuple"] = (1, ("a", 2.5))
        vlmeta["complex"] = 1 - 2j
        vlmeta["set"] = {5}
        vlmeta["scalars"] = [np.float32(0.25), np.uint16(65535), np.bool_(True)]
        vlmeta["numpy"] = np.arange(3)
        printed = subprocess.run([values, "read", path], check=True, capture_output=True, text=True).stdout.splitlines()
        check(f"records of {dtype}", printed[:100], list(lines(samples(dtype))))
        check("metadata", printed[100:], [
            '["sensor", "tuple", "complex", "set", "scalars", "numpy"]',
            "Some(Sensor { id: 9, place: None, range: (0.5, 2.0), steps: [3, -4] })",
            'Some((1, ("a", 2.5)))',
            "Some([1.0, -2.0])",
            "Some([5])",
            "Some((0.25, 65535, true))",
        ])
        info = subprocess.run([cli, "info", "--json", path], check=True, capture_output=True).stdout
        listed = json.loads(info)["vlmeta"]
        check("info", listed["sensor"]["steps"], [3, -4])
        check("info", sorted(listed), sorted(vlmeta))
        check("info", (listed["tuple"], listed["complex"], listed["set"]), ([1, ["a", 2.5]], [1.0, -2.0], [5]))
        check("info", listed["numpy"]["shape"], [3])


def main():
    values, cli = (pathlib.Path(arg).resolve() for arg in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as folder:
        ours(values, cli, pathlib.Path(folder))
        theirs(values, cli, pathlib.Path(folder))
    print(f"{checks} checks of records and metadata, {failures} failed")
    sys.exit(1 if failures or not checks else 0)


if __name__ == "__main__":
    main()
