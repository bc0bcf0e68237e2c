"""Writes `one.h5`, `datasets.h5` and `long.h5`, which hold what `cli/tests/command/hdf5.rs` expects.

Needs h5py and hdf5plugin. Element n of every dataset is made from n alone.
"""

import sys

import h5py
import hdf5plugin
import numpy as np


def counted(dtype, shape):
    return (np.arange(np.prod(shape, dtype=int)) % 113).astype(dtype).reshape(shape)


with h5py.File(sys.argv[1], "w", libver="earliest") as old:
    old["contiguous"] = counted("<i2", (7, 11))

with h5py.File(sys.argv[2], "w", libver="latest") as file:
    file.create_dataset("plain/contiguous", data=counted("<f8", (5, 30)))
    file.create_dataset("plain/big", data=counted(">i4", (40,)))
    file.create_dataset("plain/scalar", data=np.float32(42))
    file.create_dataset("plain/empty", shape=(0, 3), dtype="<u2")
    file.create_dataset("plain/unwritten", shape=(6, 7), dtype="<i4", fillvalue=-5)
    file.create_dataset("plain/half", data=counted("<f2", (9,)))
    file.create_dataset("plain/truth", data=counted("u1", (50,)) % 2 == 0)
    file.create_dataset("plain/complex", data=counted("<c16", (4, 4)) * (1 + 2j))
    file.create_dataset("plain/text", data=counted("S5", (21,)))
    record = np.dtype({"names": ["a", "b"], "formats": ["<i2", "<f8"], "offsets": [0, 8], "itemsize": 16})
    rows = np.zeros(10, record)
    rows["a"], rows["b"] = counted("<i2", (10,)), counted("<f8", (10,))
    file.create_dataset("plain/record", data=rows)
    days = counted("<i8", (12,)).astype("M8[D]")
    file.create_dataset("plain/days", data=days.astype(h5py.opaque_dtype(days.dtype)))
    file.create_dataset("plain/names", data=["a", "bc"], dtype=h5py.string_dtype())
    filters = {
        "deflate": dict(compression="gzip", shuffle=True, fletcher32=True),
        "blosc": hdf5plugin.Blosc(cname="lz4", clevel=5, shuffle=1),
        "blosc_zlib": hdf5plugin.Blosc(cname="zlib", clevel=5, shuffle=2),
        "blosc2": hdf5plugin.Blosc2(cname="zstd", clevel=5, filters=1),
        "blosc2_lz4": hdf5plugin.Blosc2(cname="lz4", clevel=5, filters=2),
    }
    for name, options in filters.items():
        data = counted("<i4", (33, 20))
        file.create_dataset(f"chunked/{name}", data=data, chunks=(10, 20 if name == "blosc" else 7), **options)
    file.create_dataset("chunked/one", data=counted("<f4", (100,)), chunks=(32,), **filters["blosc2"])
    # Only the first and the last chunk are there.
    sparse = file.create_dataset("chunked/sparse", shape=(30, 10), dtype="<i2", chunks=(10, 10), fillvalue=3)
    sparse[:10], sparse[20:] = counted("<i2", (10, 10)), counted("<i2", (10, 10))
    file["chunked/again"] = h5py.SoftLink("/chunked/one")
    file["chunked/above"] = file["/"]

# Elements of more than 255 bytes. The HDF5 library cannot read those of several axes again.
with h5py.File(sys.argv[3], "w", libver="latest") as file:
    for name, shape, chunks in [("line", (50,), (20,)), ("one_block", (9, 8), (7, 3)), ("blocks", (45, 20), (40, 13))]:
        data = counted("S300", shape)
        file.create_dataset(name, data=data, chunks=chunks, compression=hdf5plugin.Blosc2())
