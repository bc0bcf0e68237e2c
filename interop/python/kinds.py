"""Makes one file of every kind that python-blosc2 4.14.1 writes, and Zarr arrays of every layout.

    python interop/python/kinds.py DIR

`make(DIR)` returns the list of what it made: a file, an address in it, and the answer that a reader must give.
"""

import dataclasses
import http.server
import json
import os
import pathlib
import sys
import threading
import warnings

import blosc2
import numpy as np
import zarr
import zarr.codecs
import zarr.storage


@dataclasses.dataclass
class Case:
    """What a reader must say: the elements (`array`), the bytes, the objects, or a refusal by name."""

    kind: str  # as docs/kinds.md calls it
    address: str  # FILE or FILE:/KEY, relative to the folder
    shown: str  # the kind in `info --tree`
    array: object = None
    raw: bytes | None = None
    objects: list | None = None
    refused: str | None = None


class Server:
    """As much of a Caterva2 server as `C2Array` asks for: the properties of one array."""

    INFO = {
        "shape": [3, 4], "chunks": [2, 4], "blocks": [1, 2], "dtype": "<i4",
        "schunk": {
            "cparams": {
                "codec": 5, "codec_meta": 0, "typesize": 4, "clevel": 5, "filters": [0, 0, 0, 0, 0, 1],
                "filters_meta": [0] * 6, "blocksize": 8, "use_dict": False, "nthreads": 1, "splitmode": 1, "tuner": 0,
            },
            "vlmeta": {}, "nbytes": 64, "cbytes": 64, "cratio": 1.0, "chunkshape": 8, "chunksize": 32, "typesize": 4,
            "blocksize": 8, "contiguous": True, "nchunks": 2, "urlpath": None,
        },
    }  # fmt: skip

    def __enter__(self):
        info = json.dumps(self.INFO).encode()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(info)))
                self.end_headers()
                self.wfile.write(info)

            def log_message(self, *args):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.server.server_port}/"

    def __exit__(self, *args):
        self.server.shutdown()
        self.server.server_close()


GRID = np.arange(12, dtype="<i4").reshape(3, 4)
LONG = np.arange(10_000, dtype="<i8") ** 2


def schunk(**kwargs):
    return blosc2.SChunk(chunksize=40, data=bytes(range(100)), **kwargs)


def frames(made):
    array = blosc2.asarray(GRID, chunks=(2, 4), blocks=(1, 2), urlpath="array.b2nd", mode="w")
    array.vlmeta["author"] = {"name": "me", "year": 2024}
    made.append(Case("NDArray", "array.b2nd", "array", array=GRID))
    blosc2.asarray(LONG, chunks=(3000,), urlpath="sparse.b2nd", contiguous=False, mode="w")
    made.append(Case("NDArray, sparse", "sparse.b2nd", "array", array=LONG))
    fields = np.zeros(5, dtype=[("a", "<i4"), ("b", "<f8")])
    fields["a"] = range(5)
    blosc2.asarray(fields, urlpath="fields.b2nd", mode="w")
    made.append(Case("NDArray of fields", "fields.b2nd", "array", array=fields))
    schunk(urlpath="schunk.b2frame", mode="w")
    made.append(Case("SChunk", "schunk.b2frame", "schunk", raw=bytes(range(100))))
    blosc2.save_array(GRID, "save_array.bl2", mode="w")
    made.append(Case("save_array", "save_array.bl2", "tensor", array=GRID))
    blosc2.save_tensor(LONG, "save_tensor.bl2", mode="w")
    made.append(Case("save_tensor", "save_tensor.bl2", "tensor", array=LONG))
    pathlib.Path("pack_tensor.bl2").write_bytes(blosc2.pack_tensor(fields))
    made.append(Case("pack_tensor", "pack_tensor.bl2", "tensor", array=fields))
    pathlib.Path("pack_array2.bl2").write_bytes(blosc2.pack_array2(GRID))
    made.append(Case("pack_array2", "pack_array2.bl2", "tensor", array=GRID))


OBJECTS = [{"a": 1, "b": [1, 2.5, None, True]}, "text", [], -5, 2**63, {"nested": {"deep": ["x"] * 40}}]


def objects(made):
    array = blosc2.ObjectArray(urlpath="objects.b2frame", mode="w")
    array.extend(OBJECTS)
    made.append(Case("ObjectArray", "objects.b2frame", "object array", objects=OBJECTS))
    array = blosc2.BatchArray(urlpath="batches.b2b", mode="w", items_per_block=2)
    array.append(OBJECTS)
    array.append([7] * 5)
    made.append(Case("BatchArray", "batches.b2b", "batch array", objects=OBJECTS + [7] * 5))
    lists = [[1, 2, 3], [], None, [4]]
    for storage in ["batch", "vl"]:
        name = f"lists_{storage}.b2b"
        array = blosc2.ListArray(item_spec=blosc2.int64(), nullable=True, storage=storage, urlpath=name, mode="w")
        array.extend(lists)
        array.close()
        made.append(Case(f"ListArray ({storage})", name, "list array", objects=lists))
    # A Blosc2 object and a NumPy array inside of an object array are extensions of msgpack.
    array = blosc2.ObjectArray(urlpath="nested.b2frame", mode="w")
    array.extend([np.arange(3), blosc2.arange(3), 1 + 2j, {1, 2}, (1, 2)])
    made.append(Case("ObjectArray of arrays", "nested.b2frame", "object array", objects=...))


@blosc2.dsl_kernel
def kernel(x):
    return x + 1


def function(inputs, output, offset):
    output[:] = inputs[0] + 1


def recipes(made, url):
    a = blosc2.asarray(np.arange(24), chunks=(2,), blocks=(2,), urlpath="operand_a.b2nd", mode="w")
    b = blosc2.arange(24, urlpath="operand_b.b2nd", mode="w")
    (a + b * 2).save(urlpath="lazyexpr.b2nd", mode="w")
    made.append(Case("LazyExpr", "lazyexpr.b2nd", "lazy expression", refused="lazy expression"))
    blosc2.lazyudf(function, (a,), np.float64).save(urlpath="lazyudf.b2nd", mode="w")
    made.append(Case("LazyUDF", "lazyudf.b2nd", "lazy function", refused="lazy function"))
    blosc2.lazyudf(kernel, (a,), np.float64).save(urlpath="lazydsl.b2nd", mode="w")
    made.append(Case("LazyUDF of a DSL kernel", "lazydsl.b2nd", "lazy function", refused="lazy function"))
    part = blosc2.Proxy(a, urlpath="proxy_part.b2nd", mode="w")
    part[18:20]
    made.append(Case("Proxy with some chunks", "proxy_part.b2nd", "proxy", refused="proxy"))
    blosc2.Proxy(a, urlpath="proxy_whole.b2nd", mode="w").fetch()
    made.append(Case("Proxy with all chunks", "proxy_whole.b2nd", "proxy", array=np.arange(24)))
    remote = blosc2.C2Array("@public/a.b2nd", urlbase=url)
    remote.save("c2array.b2nd")
    made.append(Case("C2Array", "c2array.b2nd", "remote reference", refused="remote reference"))
    blosc2.RemoteArray(remote, cache_policy=blosc2.CachePolicy.NONE).save("remote.b2nd")
    made.append(Case("RemoteArray", "remote.b2nd", "remote array", refused="remote array"))
    (remote + 1).save("lazyexpr_remote.b2nd", mode="w")
    made.append(Case("LazyExpr of a C2Array", "lazyexpr_remote.b2nd", "lazy expression", refused="lazy expression"))
    return remote


def fill(store):
    store["/grid"] = GRID
    store["/group/long"] = LONG
    store["/group/deep/ones"] = blosc2.ones((2, 3))
    store["/group/bytes"] = schunk()
    batches = blosc2.BatchArray()
    batches.append(OBJECTS)
    store["/batches"] = batches
    array = blosc2.ObjectArray()
    array.extend(OBJECTS)
    store["/objects"] = array


def check_filled(made, kind, name):
    made.append(Case(kind, f"{name}:/grid", "array", array=GRID))
    made.append(Case(kind, f"{name}:/group/long", "array", array=LONG))
    made.append(Case(kind, f"{name}:/group/deep/ones", "array", array=np.ones((2, 3))))
    made.append(Case(kind, f"{name}:/group/bytes", "schunk", raw=bytes(range(100))))
    made.append(Case(kind, f"{name}:/objects", "object array", objects=OBJECTS))
    made.append(Case(kind, f"{name}:/batches", "batch array", objects=OBJECTS))


def stores(made, remote):
    store = blosc2.EmbedStore(urlpath="embed.b2e", mode="w")
    fill(store)
    store["/remote"] = remote
    check_filled(made, "EmbedStore", "embed.b2e")
    made.append(Case("EmbedStore, C2Array", "embed.b2e:/remote", "remote reference", refused="remote reference"))
    for name, threshold in [("dict.b2d", 0), ("dict.b2z", 0), ("dict_embedded.b2d", 1000), ("dict_embedded.b2z", 1000)]:
        with blosc2.DictStore(name, mode="w", threshold=threshold) as store:
            fill(store)
        check_filled(made, "DictStore", name)
    for name, threshold in [("tree.b2d", 0), ("tree.b2z", 0), ("tree_embedded.b2z", 1000)]:
        with blosc2.TreeStore(name, mode="w", threshold=threshold) as store:
            fill(store)
            store.vlmeta["title"] = "all of it"
            store.get_subtree("/group").vlmeta["unit"] = ["kelvin", 1.5]
            store["/group/table"] = table(None)
            store["/remote"] = remote
        check_filled(made, "TreeStore", name)
        made.append(Case("CTable in a TreeStore", f"{name}:/group/table/i", "array", array=np.arange(5, dtype="<i4")))
        made.append(Case("TreeStore, C2Array", f"{name}:/remote", "remote reference", refused="remote reference"))


def row(name, annotation, spec):
    fields = [("i", int, blosc2.field(blosc2.int32())), ("c", annotation, blosc2.field(spec))]
    return dataclasses.make_dataclass(name, fields)


def table(urlpath):
    one = row("Row", float, blosc2.float64())
    made = blosc2.CTable(one) if urlpath is None else blosc2.CTable(one, urlpath=urlpath, mode="w")
    for i in range(5):
        made.append(one(i=i, c=i / 2))
    return made


def tables(made):
    numbers = np.arange(5, dtype="<i4")
    for name in ["table.b2d", "table.b2z"]:
        table(name).close()
        made.append(Case("CTable", f"{name}:/i", "array", array=numbers))
        made.append(Case("CTable", f"{name}:/c", "array", array=numbers / 2))
    pathlib.Path("table.b2frame").write_bytes(table(None).to_cframe())
    # Columns in memory have room for more rows, which _valid_rows says.
    room = np.pad(numbers / 2, (0, 2**20 - 5))
    made.append(Case("CTable.to_cframe", "table.b2frame:/c", "array", array=room))
    deleted = table("table_deleted.b2d")
    deleted.delete(1)
    deleted.vlmeta["note"] = "a row is gone"
    deleted.close()
    valid = np.array([True, False, True, True, True])
    made.append(Case("CTable, deleted row", "table_deleted.b2d:/_valid_rows", "array", array=valid))
    columns = [
        ("string", str, blosc2.string(max_length=8), ["a", "bc", "ü"], np.array(["a", "bc", "ü"], dtype="<U8")),
        ("bytes", bytes, blosc2.bytes(max_length=4), [b"a", b"bc", b"d"], np.array([b"a", b"bc", b"d"], dtype="S4")),
        ("utf8", str, blosc2.utf8(), ["a", "", "hé"], np.array([0, 1, 1, 4])),
        ("vlstring", str, blosc2.vlstring(nullable=True), ["a", "", None], ["a", "", None]),
        ("vlbytes", bytes, blosc2.vlbytes(), [b"a", b"", b"xy"], [{"bytes": "61"}, {"bytes": ""}, {"bytes": "7879"}]),
        ("list", list[int], blosc2.list(blosc2.int64(), nullable=True), [[1, 2], [], None], [[1, 2], [], None]),
        ("dictionary", str, blosc2.dictionary(), ["x", "y", "x"], np.array([0, 1, 0], dtype="<i4")),
        ("ndarray", object, blosc2.ndarray((2,), dtype=blosc2.float32()), [np.ones(2, "f4")] * 3, np.ones((3, 2), "f4")),
        ("timestamp", object, blosc2.timestamp(), [np.datetime64("1970-01-02")], np.array([86_400_000_000])),
        ("nullable", int, blosc2.int64(nullable=True), [1, None, 3], ...),
    ]
    for kind, annotation, spec, values, stored in columns:
        one = row("Row", annotation, spec)
        name = f"table_{kind}.b2z"
        with blosc2.CTable(one, urlpath=name, mode="w") as made_table:
            for i, value in enumerate(values):
                made_table.append(one(i=i, c=value))
        shown = {"list": "list array"}.get(kind, "batch array") if isinstance(stored, list) else "array"
        key = "array" if not isinstance(stored, list) else "objects"
        made.append(Case(f"CTable, column of {kind}", f"{name}:/c", shown, **{key: stored}))


def zarrs(made):
    blosc = zarr.codecs.BloscCodec(cname="lz4", clevel=5, shuffle="shuffle")
    bits = zarr.codecs.BloscCodec(cname="zstd", clevel=3, shuffle="bitshuffle")
    wide = np.arange(77 * 53, dtype="<f4").reshape(77, 53)

    def add(kind, name, data, **kwargs):
        array = zarr.create_array(name, shape=data.shape, dtype=data.dtype, overwrite=True, **kwargs)
        array[...] = data
        array.attrs["unit"] = "kelvin"
        made.append(Case(kind, name, "zarr array", array=data))

    add("Zarr v3", "v3.zarr", wide, chunks=(10, 20), compressors=blosc)
    add("Zarr v3, bitshuffle", "v3_bits.zarr", wide, chunks=(10, 20), compressors=bits)
    add("Zarr v3, not compressed", "v3_raw.zarr", wide, chunks=(10, 20), compressors=None)
    add("Zarr v3, sharded", "v3_shards.zarr", wide, chunks=(5, 10), shards=(20, 30), compressors=blosc)
    add("Zarr v3, names of v2", "v3_names.zarr", wide, chunks=(10, 20), compressors=blosc,
        chunk_key_encoding={"name": "v2", "separator": "."})  # fmt: skip
    add("Zarr v3, no axes", "v3_scalar.zarr", np.array(7.5), compressors=blosc)
    add("Zarr v3, int64 of three axes", "v3_cube.zarr", np.arange(5 * 6 * 7).reshape(5, 6, 7), chunks=(2, 6, 3),
        compressors=blosc)  # fmt: skip
    add("Zarr v3, bool", "v3_bool.zarr", wide % 3 == 0, chunks=(10, 20), compressors=blosc)
    add("Zarr v3, big-endian", "v3_big.zarr", wide.astype(">f4"), chunks=(10, 20), compressors=blosc,
        serializer=zarr.codecs.BytesCodec(endian="big"))  # fmt: skip
    old = {"zarr_format": 2}
    import numcodecs

    coder = numcodecs.Blosc(cname="lz4", clevel=5, shuffle=1)
    add("Zarr v2", "v2.zarr", wide, chunks=(10, 20), compressors=coder, **old)
    add("Zarr v2, names in folders", "v2_folders.zarr", wide, chunks=(10, 20), compressors=coder,
        chunk_key_encoding={"name": "v2", "separator": "/"}, **old)  # fmt: skip
    add("Zarr v2, big-endian", "v2_big.zarr", wide.astype(">i4"), chunks=(10, 20), compressors=coder, **old)
    add("Zarr v2, not compressed", "v2_raw.zarr", wide, chunks=(10, 20), compressors=None, **old)
    text = np.array([b"ab", b"c", b"def"], dtype="S3")
    add("Zarr v2, bytes", "v2_bytes.zarr", text, chunks=(2,), compressors=coder, **old)
    for version in [2, 3]:
        name = f"v{version}_holes.zarr"
        codec = coder if version == 2 else blosc
        array = zarr.create_array(name, shape=(40,), dtype="<f8", chunks=(10,), compressors=codec, fill_value=-1.5,
                                  zarr_format=version, overwrite=True)  # fmt: skip
        array[10:15] = 3
        made.append(Case(f"Zarr v{version}, chunks that are not stored", name, "zarr array", array=array[...]))
        group = zarr.open_group(f"v{version}_groups.zarr", mode="w", zarr_format=version)
        group.attrs["title"] = "groups"
        inner = group.create_group("inner").create_array("data", data=wide, chunks=(20, 20), compressors=codec)
        made.append(Case(f"Zarr v{version} in groups", f"v{version}_groups.zarr:/inner/data", "zarr array", array=inner[...]))
    array = zarr.create_array("v3_shard_holes.zarr", shape=(40, 40), dtype="<i4", chunks=(5, 5), shards=(20, 20),
                              compressors=blosc, fill_value=9, overwrite=True)  # fmt: skip
    array[3:9, 22:24] = 1
    made.append(Case("Zarr v3, holes in shards", "v3_shard_holes.zarr", "zarr array", array=array[...]))
    with zarr.storage.ZipStore("v3.zarr.zip", mode="w") as store:
        array = zarr.create_array(store, name="a", shape=wide.shape, dtype=wide.dtype, chunks=(10, 20), compressors=blosc)
        array[...] = wide
    made.append(Case("Zarr v3 in a zip archive", "v3.zarr.zip:/a", "zarr array", array=wide))
    add("Zarr v3, Zstandard", "v3_zstd.zarr", wide, chunks=(10, 20), compressors=zarr.codecs.ZstdCodec(level=3))
    add("Zarr v3, compressed by default", "v3_default.zarr", wide, chunks=(10, 20))
    add("Zarr v2, compressed by default", "v2_default.zarr", wide, chunks=(10, 20), **old)
    add("Zarr v3, gzip", "v3_gzip.zarr", wide, chunks=(10, 20), compressors=zarr.codecs.GzipCodec())
    add("Zarr v2, zlib", "v2_zlib.zarr", wide, chunks=(10, 20), compressors=numcodecs.Zlib(), **old)
    add("Zarr v3, bzip2", "v3_bz2.zarr", wide, chunks=(10, 20), compressors=zarr.codecs.numcodecs.BZ2())
    made[-1] = Case("Zarr v3, bzip2", "v3_bz2.zarr", "zarr array", refused="bz2")


def make(folder):
    """Makes all files in an empty folder, and returns the cases."""
    made = []
    before = os.getcwd()
    os.chdir(folder)
    warnings.simplefilter("ignore")
    blosc2.set_nthreads(1)
    try:
        frames(made)
        objects(made)
        with Server() as url:
            stores(made, recipes(made, url))
        tables(made)
        zarrs(made)
    finally:
        os.chdir(before)
    return made


if __name__ == "__main__":
    for case in make(sys.argv[1]):
        print(f"{case.address:40} {case.kind}")
