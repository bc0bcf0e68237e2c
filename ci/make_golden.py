#!/usr/bin/env python3
"""Writes the golden containers in tests/data with the real library, one thread.

    ci/python-env.sh DIR && DIR/bin/python ci/make_golden.py [OUT]

Each container is two files: NAME.bin holds chunks, frames or arrays one after another, NAME.tsv says for each where it
lies, how it was made, and what it decodes to as a content spec (interop/python/content.py). Every entry is decoded by
the library that wrote it before it is kept, except the ones that it cannot read back though they are well-formed;
those say so in their `note`.
"""

import hashlib
import itertools
import pathlib
import sys

import blosc
import blosc2
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "interop" / "python"))

import libblosc2 as c  # noqa: E402
from content import content  # noqa: E402

TYPESIZES = (1, 2, 3, 4, 7, 8, 12, 16, 17, 255, 300)
DELTA_WIDTH = {1: 1, 2: 2, 4: 4}


def delta_width(typesize):
    """The element that DELTA XORs (format §5.4), for the stored typesize."""
    stored = typesize if typesize <= 255 else 1
    return DELTA_WIDTH.get(stored, 8 if stored % 8 == 0 else 1)


class Container:
    """NAME.bin and its table."""

    def __init__(self, name, columns):
        self.name, self.columns, self.blob, self.rows = name, columns, bytearray(), []

    def add(self, data, **row):
        """Appends one entry."""
        assert set(row) <= set(self.columns), row
        cells = [str(row.get(column, "")) for column in self.columns]
        assert not any("\t" in cell or "\n" in cell for cell in cells)
        self.rows.append([f"{len(self.blob)}", f"{len(data)}", *cells])
        self.blob += data

    def write(self, out):
        """Writes both files."""
        (out / f"{self.name}.bin").write_bytes(self.blob)
        lines = ["\t".join(["offset", "length", *self.columns]), *map("\t".join, self.rows)]
        (out / f"{self.name}.tsv").write_text("\n".join(lines) + "\n")
        digest = hashlib.sha256(self.blob).hexdigest()
        print(f"{self.name}: {len(self.rows)} entries, {len(self.blob)} bytes, sha256 {digest}")


# Chunks ---------------------------------------------------------------------------------------------------------------

CHUNK_COLUMNS = ["nbytes", "typesize", "content", "kind", "params", "note"]

# What the pipelines need from the data: "delta" means whole elements in every block (§14 item 4). TRUNC_PREC and
# INT_TRUNC are absent here: they get separate typesizes and contents.
PIPELINES = [
    ("none", lambda t: ()),
    ("shuffle", lambda t: ((c.SHUFFLE, 0),)),
    ("bitshuffle", lambda t: ((c.BITSHUFFLE, 0),)),
    ("delta", lambda t: ((c.DELTA, 0),)),
    ("delta+shuffle", lambda t: ((c.DELTA, 0), (c.SHUFFLE, 0))),
    ("delta+bitshuffle", lambda t: ((c.DELTA, 0), (c.BITSHUFFLE, 0))),
    ("shuffle:2", lambda t: ((c.SHUFFLE, 2),)),
    ("shuffle+bitshuffle", lambda t: ((c.SHUFFLE, 0), (c.BITSHUFFLE, 0))),
    ("shuffle+bytedelta", lambda t: ((c.SHUFFLE, 0), (c.BYTEDELTA, min(t, 255)))),
]


def describe(params, filters):
    """The parameters as one cell."""
    codec = next(name for name, code in c.CODECS.items() if code == params.compcode)
    split = next(name for name, code in c.SPLITS.items() if code == params.splitmode)
    names = ",".join(f"{i}:{m}" for i, m in filters) or "none"
    text = f"codec={codec} clevel={params.clevel} filters={names} split={split} blocksize={params.blocksize}"
    return text + (" dict" if params.use_dict else "")


def add_chunk(table, spec, nbytes, *, codec, clevel, typesize, filters, split, blocksize=0, use_dict=False, stored=None):
    """Compresses, checks with the library's own decoder, and keeps one chunk."""
    source = content(spec, nbytes)
    params = c.cparams(c.CODECS[codec], clevel, typesize, filters, blocksize, c.SPLITS[split], use_dict)
    chunk = c.compress(source, params)
    memcpyed = bool(chunk[2] & 2)
    decoded = spec if stored is None or memcpyed else stored
    note = ""
    if memcpyed and chunk[31] & 1:
        note = "dictionary flag on a memcpyed chunk: its writer cannot read it (format §14 item 2)"
    else:
        assert c.decompress(chunk, nbytes) == content(decoded, nbytes), (spec, nbytes, describe(params, filters))
    table.add(chunk, nbytes=nbytes, typesize=typesize, content=decoded, kind="chunk", params=describe(params, filters), note=note)


def grid_chunks(table):
    """Codecs x pipelines x typesizes; level, split, length and data take turns."""
    turn = 0
    for codec in c.CODECS:
        for name, pipeline in PIPELINES:
            for t in TYPESIZES:
                for _ in range(2):
                    lengths = (0, 1, t - 1, t + 1, 31, 32, 33, 127, 8 * t, 1000, 9 * t + 5, 2999, 5000)
                    nbytes = lengths[turn % len(lengths)]
                    if "delta" in name.split("+"):
                        nbytes -= nbytes % delta_width(t)
                    specs = ("zeros", f"count:{t}", f"walk:{t}:{turn}", f"text:{turn}", f"patch:{turn}", "repeat:2a")
                    add_chunk(
                        table,
                        specs[turn % len(specs)] if nbytes > 200 or turn % 3 else f"noise:{turn}",
                        nbytes,
                        codec=codec,
                        clevel=(5, 1, 9, 3, 6, 8, 2)[turn % 7],
                        typesize=t,
                        filters=pipeline(t),
                        split=tuple(c.SPLITS)[turn % 4],
                    )
                    turn += 1


def block_chunks(table):
    """Several blocks, by a small requested block size and by the automatic one.

    A requested size that is no multiple of the typesize, or that meets a length that is none, gives chunks that no one
    can read (§14 item 1).
    """
    turn = 0
    for codec in c.CODECS:
        for name, pipeline in PIPELINES:
            for t in TYPESIZES:
                turn += 1
                if turn % 2:
                    continue
                items = 24 if t < 255 else 4
                nitems = items * (6 if t < 255 else 3) + (0, 1, items - 1, 8)[turn // 2 % 4]
                spec = (f"walk:{t}:{turn}", f"patch:{turn}", f"count:{t}")[turn // 2 % 3]
                add_chunk(
                    table,
                    spec,
                    nitems * t,
                    codec=codec,
                    clevel=(5, 9, 1)[turn // 2 % 3],
                    typesize=t,
                    filters=pipeline(t),
                    split=tuple(c.SPLITS)[turn // 2 % 4],
                    blocksize=items * t * (8 if t < 4 else 1),
                )
    for codec in c.CODECS:
        for t, clevel in ((4, 1), (8, 5), (12, 3), (2, 9), (17, 5)):
            filters = ((c.SHUFFLE, 0),) if t != 2 else ((c.BITSHUFFLE, 0),)
            add_chunk(table, f"count:{t}", (150_000 if t == 2 else 600_000) + t // 2, codec=codec, clevel=clevel, typesize=t, filters=filters, split="forward")


def lossy_chunks(table):
    """TRUNC_PREC and INT_TRUNC: the content column says what is left."""
    for codec in ("blosclz", "lz4", "zstd"):
        for t, bits in ((4, 10), (4, -5), (8, 20), (8, -33)):
            z = ({4: 23, 8: 52}[t] - bits) if bits >= 0 else -bits
            for tail in ((), ((c.SHUFFLE, 0),), ((c.BITSHUFFLE, 0),)):
                spec = f"float:{t}:{z}"
                filters = ((c.TRUNC_PREC, bits & 255), *tail)
                add_chunk(table, spec, 2048, codec=codec, clevel=5, typesize=t, filters=filters, split="auto", stored=f"{spec}/clear:{t}:{z}")
        for t, bits in ((1, 4), (2, 9), (4, -7), (8, 50)):
            z = 8 * t - bits if bits >= 0 else -bits
            spec = f"walk:{t}:{z}"
            filters = ((c.INT_TRUNC, bits & 255), (c.SHUFFLE, 0))
            add_chunk(table, spec, 2048, codec=codec, clevel=5, typesize=t, filters=filters, split="auto", stored=f"{spec}/clear:{t}:{z}")


def other_chunks(table):
    """Level 0, incompressible data, three filters, dictionaries."""
    for codec in c.CODECS:
        for spec, nbytes, clevel in (("text:1", 500, 0), ("noise:2", 900, 9), ("zeros", 70_000, 5)):
            for t in (1, 4):
                add_chunk(table, spec, nbytes, codec=codec, clevel=clevel, typesize=t, filters=((c.SHUFFLE, 0),), split="forward")
    three = ((c.SHUFFLE, 0), (c.BITSHUFFLE, 0), (c.SHUFFLE, 2))
    add_chunk(table, "walk:4:8", 4000, codec="lz4", clevel=5, typesize=4, filters=three, split="auto")
    six = ((c.SHUFFLE, 0), (c.BITSHUFFLE, 0)) * 3
    add_chunk(table, "walk:8:8", 4000, codec="zstd", clevel=5, typesize=8, filters=six, split="never")
    for codec in ("lz4", "lz4hc", "zstd"):
        for t, filters, split in ((1, (), "never"), (4, ((c.SHUFFLE, 0),), "auto"), (8, ((c.BITSHUFFLE, 0),), "always")):
            for spec, nbytes in (("text:4" if t == 1 else f"walk:{t}:4", 9_000), (f"count:{t}", 10_000), ("noise:77", 6_000)):
                add_chunk(table, spec, nbytes, codec=codec, clevel=5, typesize=t, filters=filters, split=split, blocksize=1000 if nbytes > 6000 else 0, use_dict=True)


def special_chunks(table):
    """The four creators."""
    for t in (*TYPESIZES, 1000):
        for nitems in (1, 40, 5000):
            params = c.cparams(typesize=t)
            for kind in ("zeros", "uninit", "repeatval", *(("nans",) if t in (4, 8) else ())):
                value = content(f"noise:{t}", t) if kind == "repeatval" else b""
                chunk = c.special(kind, nitems * t, params, value)
                spec = {"zeros": "zeros", "uninit": "zeros", "repeatval": f"repeat:{value.hex()}"}.get(kind)
                if kind == "nans":
                    spec = "repeat:0000c07f" if t == 4 else "repeat:000000000000f87f"
                if kind != "uninit":
                    assert c.decompress(chunk, nitems * t) == content(spec, nitems * t)
                note = "content unspecified by the format; zeros here" if kind == "uninit" else ""
                table.add(chunk, nbytes=nitems * t, typesize=t, content=spec, kind=kind, note=note)


def vlblock_chunks(table):
    """VL-block chunks. No DELTA: C's own contiguous decode is wrong there (§14 item 8)."""
    layouts = ((1,), (40, 1, 7, 300), (1000, 1000, 1000), tuple(range(1, 60, 5)), (3000, 64, 4096))
    for turn, codec in enumerate(c.CODECS):
        for layout in layouts:
            for t, filters in ((1, ()), (4, ((c.SHUFFLE, 0),)), (8, ((c.BITSHUFFLE, 0),))):
                spec, total = ("text:5", f"walk:{t}:6", "patch:7")[turn % 3], sum(layout)
                source, blocks, at = content(spec, total), [], 0
                for size in layout:
                    blocks.append(source[at : at + size])
                    at += size
                params = c.cparams(c.CODECS[codec], 5, t, filters)
                chunk = c.vlcompress(blocks, params)
                assert c.decompress(chunk, total) == source
                text = describe(params, filters) + " vlblocks=" + ",".join(map(str, layout))
                table.add(chunk, nbytes=total, typesize=t, content=spec, kind="vlblocks", params=text)


def blosc1_chunks(table):
    """Chunks of version 2 with the 16-byte header, by C-Blosc."""
    blosc.set_nthreads(1)
    turn = 0
    for codec in ("blosclz", "lz4", "lz4hc", "zlib", "zstd"):
        for t in (1, 2, 3, 4, 8, 16, 17, 255):
            for shuffle in (blosc.NOSHUFFLE, blosc.SHUFFLE, blosc.BITSHUFFLE):
                nbytes = (1, 100, min(128 * t, 9000), min(1003, 20_000 // t) * t, 3000, 16 * t + 5, 5000)[turn % 7]
                blocksize = (0, 0, 0, 1024)[turn % 4]
                spec = (f"walk:{t}:{turn}", f"count:{t}", f"patch:{turn}", f"text:{turn}")[turn % 4]
                clevel = (5, 1, 9, 0 if turn % 16 == 3 else 6)[turn % 4]
                turn += 1
                if codec == "blosclz" and shuffle == blosc.BITSHUFFLE and t == 1:
                    nbytes = 4096
                source = content(spec, nbytes)
                blosc.set_blocksize(blocksize)
                chunk = blosc.compress(source, typesize=t, clevel=clevel, shuffle=shuffle, cname=codec)
                assert chunk[0] == 2 and blosc.decompress(chunk) == source
                text = f"codec={codec} clevel={clevel} shuffle={shuffle} blocksize={blocksize}"
                table.add(chunk, nbytes=nbytes, typesize=t, content=spec, kind="blosc1", params=text)
    blosc.set_blocksize(0)


# Frames ---------------------------------------------------------------------------------------------------------------

FRAME_COLUMNS = ["name", "typesize", "chunksize", "chunks", "metalayers", "vlmetalayers", "note"]


def pack(pairs):
    """name=hex pairs as one cell."""
    return " ".join(f"{name}={bytes(value).hex()}" for name, value in pairs)


def add_frame(table, name, typesize, chunksize, entries, params, metalayers=(), vlmetalayers=(), note=""):
    """`entries` are (nbytes, spec, chunk)."""
    values = [(key, content(spec, nbytes)) for key, nbytes, spec in vlmetalayers]
    data = c.frame([chunk for _, _, chunk in entries], params, metalayers, values)
    schunk = blosc2.schunk_from_cframe(data, copy=True)
    assert schunk.nchunks == len(entries)
    for i, (nbytes, spec, chunk) in enumerate(entries):
        if chunk[31] >> 4 & 7 != 4:
            assert schunk.decompress_chunk(i) == content(spec, nbytes), (name, i)
    same = itertools.groupby(f"{nbytes}={spec}" for nbytes, spec, _ in entries)
    cell = " ".join(f"{text}*{len(list(group))}" for text, group in same)
    table.add(data, name=name, typesize=typesize, chunksize=chunksize, chunks=cell, metalayers=pack(metalayers), vlmetalayers=" ".join(f"{key}={nbytes}={spec}" for key, nbytes, spec in vlmetalayers), note=note)


def frames(table):
    """Fixed and variable chunks, metalayers of both kinds, special chunks in the index."""

    def regular(params, nbytes, spec):
        return nbytes, spec, c.compress(content(spec, nbytes), params)

    default = c.cparams(typesize=4)
    metas = [("m1", b"\xa5hello"), ("empty", b""), ("a" * 31, bytes(range(200)))]
    vlmetas = [("v1", 100, "repeat:78"), ("v2", 3000, "text:1"), ("v3", 33, "noise:1")]
    add_frame(table, "empty", 4, -1, [], default, note="no chunk yet")
    add_frame(table, "empty with metalayers", 4, -1, [], default, metas, vlmetas)
    for codec, code in c.CODECS.items():
        for split in c.SPLITS:
            params = c.cparams(code, 5, 4, ((c.SHUFFLE, 0),), 0, c.SPLITS[split])
            entries = [regular(params, 4000, f"walk:4:{i}") for i in range(2)] + [regular(params, 404, "text:3")]
            add_frame(table, f"{codec} {split}", 4, 4000, entries, params, metas[:1])
    for t in (1, 7, 8, 300):
        params = c.cparams(typesize=t)
        entries = [regular(params, 3 * t, f"count:{t}"), regular(params, 3 * t, f"walk:{t}:2")]
        add_frame(table, f"typesize {t}", t, 3 * t, entries, params, (), vlmetas[:1])
    params = c.cparams(typesize=8)
    nan = (8000, "repeat:000000000000f87f", c.special("nans", 8000, params))
    zero = (8000, "zeros", c.special("zeros", 8000, params))
    uninit = (8000, "zeros", c.special("uninit", 8000, params))
    value = content("noise:8", 8)
    repeat = (8000, f"repeat:{value.hex()}", c.special("repeatval", 8000, params, value))
    data = regular(params, 8000, "walk:8:1")
    short = (800, "zeros", c.special("zeros", 800, params))
    add_frame(table, "special chunks", 8, 8000, [nan, data, zero, repeat, uninit, data, zero], params, metas, vlmetas)
    add_frame(table, "only special chunks", 8, 8000, [zero, nan, zero], params)
    add_frame(table, "special chunks, the last one short", 8, 8000, [zero, data, short], params)
    tiny = c.cparams(typesize=8)
    small, nothing = regular(tiny, 64, "count:8"), (64, "zeros", c.special("zeros", 64, tiny))
    many = [small if i % 50 == 0 else nothing for i in range(2500)]
    add_frame(table, "2500 chunks, an index of two blocks", 8, 64, many, tiny)
    variable = [regular(default, n, f"walk:4:{n}") for n in (400, 4, 1200, 40, 4000)]
    add_frame(table, "variable chunk sizes", 4, 0, variable, default, metas, vlmetas)
    source = content("text:1", 407)
    vl = (407, "text:1", c.vlcompress([source[:100], source[100:107], source[107:]], c.cparams(c.LZ4, 5, 1, ())))
    source = content("text:2", 90)
    vl2 = (90, "text:2", c.vlcompress([source[:50], source[50:]], c.cparams(c.LZ4, 5, 1, ())))
    add_frame(table, "VL blocks, chunks of one size", 1, 407, [vl, vl], c.cparams(c.LZ4, 5, 1, ()), metas[:2])
    add_frame(table, "VL blocks, chunks of two sizes", 1, 0, [vl, vl2, vl], c.cparams(c.LZ4, 5, 1, ()))
    add_frame(table, "dictionaries", 1, 20_000, [(20_000, "text:9", c.compress(content("text:9", 20_000), c.cparams(c.ZSTD, 5, 1, (), 2000, use_dict=True)))], c.cparams(c.ZSTD, 5, 1, (), 2000, use_dict=True))


# Arrays ---------------------------------------------------------------------------------------------------------------

ARRAY_COLUMNS = ["name", "shape", "chunkshape", "blockshape", "typesize", "dtype", "content", "note"]


def numbers(values):
    """A shape as one cell."""
    return ",".join(map(str, values))


def stored_dtype(frame):
    """The dtype string in the b2nd metalayer, which a msgpack reader cannot parse for 16 dimensions (format §11.1)."""
    at = frame.index(b"\xa4b2nd\xd2") + 6
    at = int.from_bytes(frame[at : at + 4], "big") + 5
    ndim = frame[at + 2]
    at += 3 + (1 + 9 * ndim) + 2 * (1 + 5 * ndim) + 1
    assert frame[at] == 0xDB
    length = int.from_bytes(frame[at + 1 : at + 5], "big")
    return frame[at + 5 : at + 5 + length].decode()


def add_array(table, name, array, spec, **kwargs):
    """Keeps one array as a contiguous frame."""
    data = array.to_cframe()
    back = blosc2.ndarray_from_cframe(data)
    if spec is not None:
        assert back[()].tobytes() == content(spec, int(np.prod(array.shape, dtype=np.int64)) * array.dtype.itemsize), name
    dtype = stored_dtype(data)
    table.add(data, name=name, shape=numbers(array.shape), chunkshape=numbers(array.chunks), blockshape=numbers(array.blocks), typesize=array.dtype.itemsize, dtype=dtype, content=spec or "zeros", **kwargs)


def arrays(table):
    """0 to 16 dimensions, element types, special values."""

    def make(name, dtype, shape, chunks, blocks, spec=None, **cparams):
        dtype = np.dtype(dtype)
        spec = spec or f"walk:{dtype.itemsize}:{len(table.rows)}"
        nbytes = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        source = np.frombuffer(content(spec, nbytes), dtype=dtype).reshape(shape)
        params = {"codec": blosc2.Codec.BLOSCLZ, "clevel": 5, "filters": [blosc2.Filter.SHUFFLE], "filters_meta": [0], "nthreads": 1} | cparams
        add_array(table, name, blosc2.asarray(source, chunks=chunks, blocks=blocks, cparams=params), spec)

    for dtype in ("|i1", "|u1", "|b1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8", "<c8", "<c16", ">i2", ">i4", ">f8", "|S5", "<U3", "|V7", "<M8[ns]"):
        spec = None
        if dtype == "|b1":
            spec = "repeat:010001010000"
        elif dtype == "<U3":
            spec = "repeat:" + "öxi".encode("utf-32-le").hex()
        elif dtype == "|S5":
            spec = "repeat:" + b"bloscarray".hex()
        make(f"dtype {dtype}", dtype, (7, 9), (4, 5), (2, 3), spec)
    make("structured", [("a", "<i4"), ("b", "<f8"), ("c", "|S3")], (11,), (6,), (4,))
    make("structured, nested", [("p", [("x", "<f4"), ("y", "<f4")]), ("n", ">u2")], (4, 5), (3, 3), (2, 2))
    shapes = [
        ((), (), ()),
        ((1,), (1,), (1,)),
        ((1000,), (300,), (70,)),
        ((10, 10), (10, 10), (10, 10)),
        ((13, 17), (5, 6), (2, 5)),
        ((5, 6, 7), (3, 6, 4), (2, 3, 4)),
        ((3, 4, 5, 6), (2, 3, 5, 4), (2, 2, 2, 2)),
        ((3, 2, 3, 2, 3), (2, 2, 2, 1, 3), (1, 2, 2, 1, 2)),
        ((2, 3, 2, 1, 2, 3, 2, 2), (2, 2, 1, 1, 2, 2, 2, 1), (1, 2, 1, 1, 1, 2, 1, 1)),
        ((2, 1) * 8, (2, 1) * 8, (1,) * 16),
        ((1, 2, 1, 3) * 4, (1, 1, 1, 3) * 4, (1, 1, 1, 2) * 4),
        ((0,), (0,), (0,)),
        ((3, 0, 2), (3, 0, 2), (3, 0, 2)),
    ]
    for shape, chunks, blocks in shapes:
        make(f"{len(shape)} dimensions", "<i4", shape, chunks, blocks)
    for codec in blosc2.Codec:
        if codec.name in ("BLOSCLZ", "LZ4", "LZ4HC", "ZLIB", "ZSTD"):
            for filters in ([], [blosc2.Filter.BITSHUFFLE], [blosc2.Filter.DELTA, blosc2.Filter.SHUFFLE]):
                make(f"{codec.name} {[f.name for f in filters]}", "<f8", (20, 30), (12, 16), (6, 8), "float:8:1", codec=codec, filters=filters, filters_meta=[0] * len(filters))
    params = {"nthreads": 1}
    shape, parts = (9, 10), {"chunks": (4, 5), "blocks": (2, 5)}
    add_array(table, "zeros", blosc2.zeros(shape, dtype="<f4", cparams=params, **parts), "zeros")
    add_array(table, "nans", blosc2.nans(shape, dtype="<f8", cparams=params, **parts), "repeat:000000000000f87f")
    add_array(table, "full", blosc2.full(shape, 7, dtype="<i4", cparams=params, **parts), "repeat:07000000")
    add_array(table, "uninit", blosc2.uninit(shape, dtype="<i4", cparams=params, **parts), None, note="content unspecified by the format; zeros here")


def main():
    out = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "tests" / "data"
    out.mkdir(parents=True, exist_ok=True)
    print(f"C-Blosc2 {c.VERSION}, python-blosc2 {blosc2.__version__}, blosc {blosc.__version__} (C-Blosc {blosc.blosclib_version.split()[0]})")
    table = Container("golden_chunks", CHUNK_COLUMNS)
    for part in (grid_chunks, block_chunks, lossy_chunks, other_chunks, special_chunks, vlblock_chunks):
        part(table)
    table.write(out)
    table = Container("golden_blosc1", CHUNK_COLUMNS)
    blosc1_chunks(table)
    table.write(out)
    table = Container("golden_frames", FRAME_COLUMNS)
    frames(table)
    table.write(out)
    table = Container("golden_arrays", ARRAY_COLUMNS)
    arrays(table)
    table.write(out)


if __name__ == "__main__":
    main()
