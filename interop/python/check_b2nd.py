#!/usr/bin/env python3
"""Arrays and bytes both ways between the `oxiblosc` command and python-blosc2.

    PYTHON interop/python/check_b2nd.py target/release/oxiblosc [target/release/examples/array_edits] [--long]

PYTHON is the one that `ci/python-env.sh` makes. Each case goes one way: the command compresses and python-blosc2 opens,
or the other way round; dtype, shape and every byte must agree. Random arrays are read in random slices by both, and with
`array_edits` edited by us between python-blosc2 writing and reading them, while NumPy plays the same edits; --long takes
1,000 of them instead of 150. Prints the number of cases and ends with status 1 when
anything differs.
"""

import argparse
import itertools
import pathlib
import subprocess
import sys
import tempfile
from random import Random

import blosc2
import numpy as np

from content import content

CODECS = {
    "blosclz": blosc2.Codec.BLOSCLZ,
    "lz4": blosc2.Codec.LZ4,
    "lz4hc": blosc2.Codec.LZ4HC,
    "zlib": blosc2.Codec.ZLIB,
    "zstd": blosc2.Codec.ZSTD,
}
FILTERS = {
    "none": [],
    "shuffle": [blosc2.Filter.SHUFFLE],
    "bitshuffle": [blosc2.Filter.BITSHUFFLE],
    "delta,shuffle": [blosc2.Filter.DELTA, blosc2.Filter.SHUFFLE],
}
SPLITS = {
    "auto": blosc2.SplitMode.AUTO_SPLIT,
    "always": blosc2.SplitMode.ALWAYS_SPLIT,
    "never": blosc2.SplitMode.NEVER_SPLIT,
    "forward": blosc2.SplitMode.FORWARD_COMPAT_SPLIT,
}
DTYPES = [
    *("|b1", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8", "<c8", "<c16"),
    *(">i2", ">u4", ">i8", ">f4", ">f8", ">c16", "|S1", "|S7", "<U4", ">U2", "|V3", "|V300", "<M8[s]", "<m8[ns]"),
    [("a", "<i4"), ("b", "<f8"), ("c", "|S3")],
    [("x", ">u2"), ("y", [("p", "<f4"), ("q", "|i1")])],
    [("m", "<f4", (2, 3)), ("n", "<i8")],
    np.dtype({"names": ["a", "b"], "formats": ["<i2", "<f8"], "offsets": [0, 8], "itemsize": 24}),
]
# (shape, chunks, blocks); None lets the writer choose.
SHAPES = [
    ((), None, None),
    ((), (), ()),
    ((1,), (1,), (1,)),
    ((0,), None, None),
    ((1000,), (300,), (70,)),
    ((1000,), (1000,), (1000,)),
    ((100_000,), None, None),
    ((13, 17), (5, 6), (2, 5)),
    ((13, 17), (13, 17), (13, 17)),
    ((300, 200), None, None),
    ((3, 0, 2), None, None),
    ((5, 6, 7), (3, 6, 4), (2, 3, 4)),
    ((40, 30, 20), None, None),
    ((3, 4, 5, 6), (2, 3, 5, 4), (2, 2, 2, 2)),
    ((3, 2, 3, 2, 3), (2, 2, 2, 1, 3), (1, 2, 2, 1, 2)),
    ((2, 3, 2, 2, 3, 2), None, None),
    ((2, 1, 3, 2, 2, 1, 2), (1, 1, 2, 2, 2, 1, 2), (1, 1, 2, 1, 2, 1, 1)),
    ((2, 3, 2, 1, 2, 3, 2, 2), (2, 2, 1, 1, 2, 2, 2, 1), (1, 2, 1, 1, 1, 2, 1, 1)),
    ((2,) * 9, None, None),
    ((2, 1, 2) * 4, (1, 1, 2) * 4, (1, 1, 1) * 4),
    ((1, 2, 1, 3) * 4, (1, 1, 1, 3) * 4, (1, 1, 1, 2) * 4),
    ((1,) * 16, None, None),
]


class Check:
    """The cases tried, and what went wrong."""

    def __init__(self, command, folder):
        self.command, self.folder = command, folder
        self.cases, self.failures = 0, []

    def run(self, *arguments, **kwargs):
        """Runs the command; a failure of it is a failure of the case."""
        done = subprocess.run([self.command, *map(str, arguments)], capture_output=True, timeout=120, **kwargs)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, arguments))}: status {done.returncode}: {done.stderr.decode(errors='replace').strip()}")
        return done.stdout

    def case(self, name, function, *arguments):
        """One case: `function` raises when something is wrong."""
        self.cases += 1
        try:
            function(*arguments)
        except Exception as error:  # every failure is reported with its case
            self.failures.append(f"{name}: {type(error).__name__}: {error}")


def equal(what, found, wanted):
    """Fails with both values."""
    if found != wanted:
        raise AssertionError(f"{what}: {found!r}, expected {wanted!r}")


def same_dtype(found, wanted):
    """Equal, but for the names that NumPy makes up for padding and for void items once they went through a descr list."""
    if wanted.kind != "V" or found == wanted:
        return found == wanted
    fields = dict(wanted.fields or {})
    return found.itemsize == wanted.itemsize and all((found.fields or {}).get(name) == field for name, field in fields.items())


def whole(array):
    """All of an array from whole chunks: C's reads of parts are wrong with DELTA (format §14 item 6)."""
    out = np.zeros(array.shape, array.dtype)
    if out.size == 0:
        return out
    chunks, blocks = np.array(array.chunks, dtype=int), np.array(array.blocks, dtype=int)
    counts, ndim = -(-chunks // blocks), array.ndim
    for number, place in enumerate(np.ndindex(*(-(-np.array(array.shape, dtype=int) // chunks)))):
        data = np.frombuffer(array.schunk.decompress_chunk(number), array.dtype).reshape((*counts, *blocks))
        order = [axis for pair in zip(range(ndim), range(ndim, 2 * ndim)) for axis in pair]
        data = data.transpose(order).reshape(counts * blocks)
        start = np.array(place, dtype=int) * chunks
        inside = tuple(slice(0, min(c, s - a)) for c, s, a in zip(chunks, array.shape, start))
        out[tuple(slice(a, a + part.stop) for a, part in zip(start, inside))] = data[inside]
    return out


def same_array(found, wanted):
    """Dtype, shape and bytes."""
    if not same_dtype(found.dtype, wanted.dtype):
        equal("dtype", found.dtype, wanted.dtype)
    equal("shape", found.shape, wanted.shape)
    if found.tobytes() != wanted.tobytes():
        a, b = np.frombuffer(found.tobytes(), "u1"), np.frombuffer(wanted.tobytes(), "u1")
        raise AssertionError(f"bytes differ, first at {int(np.argmax(a != b))} of {len(b)}")


def make_array(dtype, shape, turn):
    """An array of any dtype. Text gets letters, for not every number is a code point."""
    dtype = np.dtype(dtype)
    count = int(np.prod(shape, dtype=np.int64))
    if dtype.kind == "b":
        return (np.frombuffer(content(f"noise:{turn}", count), "u1") % 2 == 1).reshape(shape)
    if dtype.kind == "U":
        length = dtype.itemsize // 4
        letters = np.frombuffer(content(f"text:{turn}", count * length), "u1").astype("<u4")
        return letters.view(f"<U{length}").reshape(shape).astype(dtype)
    spec = f"patch:{turn}" if turn % 3 == 2 else f"walk:{dtype.itemsize}:{turn}"
    return np.frombuffer(content(spec, count * dtype.itemsize), dtype).reshape(shape)


def numbers(values):
    return ",".join(map(str, values))


def ours_to_python(check, array, options, chunks, blocks):
    """The command compresses, python-blosc2 opens."""
    source, target = check.folder / "a.npy", check.folder / "a.b2nd"
    np.save(source, array)
    layout = [] if not chunks else ["--chunks", numbers(chunks), "--blocks", numbers(blocks)]
    check.run("compress", source, "-o", target, *options, *layout, "-f")
    opened = blosc2.open(str(target), mode="r")
    same_array(whole(opened) if "delta,shuffle" in options else np.asarray(opened[()]), array)
    if chunks:
        equal("chunks", tuple(opened.chunks), tuple(chunks))
        equal("blocks", tuple(opened.blocks), tuple(blocks))


def python_to_ours(check, array, cparams, chunks, blocks):
    """python-blosc2 writes, the command decompresses."""
    source, target = check.folder / "b.b2nd", check.folder / "b.npy"
    blosc2.remove_urlpath(str(source))
    layout = {} if chunks is None else {"chunks": chunks, "blocks": blocks}
    blosc2.asarray(array, urlpath=str(source), mode="w", cparams=cparams, **layout)
    check.run("decompress", source, "-o", target, "-f")
    same_array(np.load(target, allow_pickle=False), array)


def ours_to_ours(check, array, options):
    """The command both ways."""
    source, middle, target = (check.folder / name for name in ("c.npy", "c.b2nd", "d.npy"))
    np.save(source, array)
    check.run("compress", source, "-o", middle, *options, "-f")
    check.run("decompress", middle, "-o", target, "-f")
    same_array(np.load(target, allow_pickle=False), array)


def parameters(turn, codec=None):
    """Parameters for both: options of the command, and cparams of python-blosc2. They take turns."""
    names = list(CODECS)
    codec = codec or names[turn % len(names)]
    filters = list(FILTERS)[turn // 2 % len(FILTERS)]
    split = list(SPLITS)[turn // 3 % len(SPLITS)]
    level = (5, 1, 9, 3, 7, 0)[turn % 6] if codec != "zstd" else (5, 1, 3, 0)[turn % 4]
    options = ["--codec", codec, "--level", level, "--filters", filters, "--split", split, "--threads", 1 + turn % 2]
    cparams = {
        "codec": CODECS[codec],
        "clevel": level,
        "filters": FILTERS[filters],
        "filters_meta": [0] * len(FILTERS[filters]),
        "splitmode": SPLITS[split],
        "nthreads": 1,
    }
    return options, cparams


def is_hard_for_c(array, cparams):
    """DELTA leaves the ends of blocks undefined when they hold no whole number of its elements (format §14 item 4)."""
    size = array.dtype.itemsize
    whole = size in (1, 2, 4, 8) or size % 8 == 0 or size > 255
    return blosc2.Filter.DELTA in cparams["filters"] and not whole


def arrays(check):
    """Dtypes, shapes, codecs."""
    turn = 0
    for dtype, layout in itertools.chain(
        itertools.product(DTYPES, [SHAPES[7], SHAPES[0], SHAPES[4], SHAPES[9]]),
        itertools.product(["<i4", "|u1", ">f8", "<f4"], SHAPES),
    ):
        shape, chunks, blocks = layout
        array = make_array(dtype, shape, turn)
        options, cparams = parameters(turn)
        name = f"{array.dtype} {shape} chunks {chunks} blocks {blocks} {' '.join(map(str, options))}"
        turn += 1
        check.case(f"ours to python: {name}", ours_to_python, check, array, options, chunks, blocks)
        if not is_hard_for_c(array, cparams):
            check.case(f"python to ours: {name}", python_to_ours, check, array, cparams, chunks, blocks)
    for codec, filters, layout in itertools.product(CODECS, FILTERS, [SHAPES[7], SHAPES[11], SHAPES[8]]):
        shape, chunks, blocks = layout
        array = make_array("<f8", shape, turn)
        options, cparams = parameters(turn, codec)
        options[5], turn = filters, turn + 1
        cparams |= {"filters": FILTERS[filters], "filters_meta": [0] * len(FILTERS[filters])}
        name = f"<f8 {shape} {' '.join(map(str, options))}"
        check.case(f"ours to python: {name}", ours_to_python, check, array, options, chunks, blocks)
        check.case(f"python to ours: {name}", python_to_ours, check, array, cparams, chunks, blocks)
    for array in (np.asfortranarray(make_array("<i4", (13, 17), 1)), np.asfortranarray(make_array("<f8", (4, 5, 6), 1))):
        check.case(f"Fortran order {array.shape}", ours_to_python, check, array, [], None, None)
        check.case(f"Fortran order {array.shape}, both ours", ours_to_ours, check, array, [])
    camera = np.load(pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "camera.npy")
    for codec in CODECS:
        options, cparams = parameters(0, codec)
        check.case(f"camera {codec}, ours to python", ours_to_python, check, camera, options, None, None)
        check.case(f"camera {codec}, python to ours", python_to_ours, check, camera, cparams, None, None)


def special_arrays(check):
    """Arrays of special chunks, grown and shrunk ones, and views: what python-blosc2 alone can make."""
    path, target = check.folder / "s.b2nd", check.folder / "s.npy"
    kwargs = {"chunks": (5, 6), "blocks": (2, 5), "urlpath": str(path), "mode": "w", "cparams": {"nthreads": 1}}

    def compare(array):
        check.run("decompress", path, "-o", target, "-f")
        same_array(np.load(target, allow_pickle=False), np.asarray(array[()]))

    check.case("zeros", lambda: compare(blosc2.zeros((13, 17), dtype="<f4", **kwargs)))
    check.case("nans", lambda: compare(blosc2.nans((13, 17), dtype="<f8", **kwargs)))
    check.case("nans", lambda: compare(blosc2.nans((13, 17), dtype="<f4", **kwargs)))
    check.case("full", lambda: compare(blosc2.full((13, 17), 7.5, dtype="<f8", **kwargs)))
    check.case("full", lambda: compare(blosc2.full((13, 17), b"abc", dtype="|S3", **kwargs)))

    def resized(new, start):
        array = blosc2.asarray(make_array("<i4", (13, 17), 3), **kwargs)
        array.resize(new)
        if start is not None:
            array[start:] = 9
        compare(array)

    for new, start in (((20, 17), None), ((20, 30), 14), ((4, 5), None), ((10, 40), 2), ((0, 17), None)):
        check.case(f"resized to {new}", resized, new, start)

    def partly():
        array = blosc2.zeros((13, 17), dtype="<i4", **kwargs)
        array[3:9, 4:11] = np.arange(42).reshape(6, 7)
        compare(array)

    check.case("partly written", partly)

    def with_metalayers():
        array = blosc2.asarray(make_array("<i4", (13, 17), 4), meta={"mine": {"a": 1}}, **kwargs)
        array.schunk.vlmeta["more"] = list(range(1000))
        compare(array)

    check.case("with metalayers", with_metalayers)


def ours_bytes_to_python(check, data, options):
    """Bytes through the command, read by python-blosc2."""
    source, target = check.folder / "e.bin", check.folder / "e.b2frame"
    source.write_bytes(data)
    check.run("compress", source, "-o", target, *options, "-f")
    schunk = blosc2.open(str(target), mode="r")
    equal("nbytes", schunk.nbytes, len(data))
    if b"".join(schunk.decompress_chunk(i) for i in range(schunk.nchunks)) != data:
        raise AssertionError("bytes differ")


def python_bytes_to_ours(check, data, cparams, chunksize):
    """Bytes through python-blosc2, read by the command."""
    source, target = check.folder / "f.b2frame", check.folder / "f.bin"
    blosc2.remove_urlpath(str(source))
    schunk = blosc2.SChunk(chunksize=chunksize, urlpath=str(source), mode="w", cparams=cparams)
    for at in range(0, len(data), chunksize):
        schunk.append_data(data[at : at + chunksize])
    check.run("decompress", source, "-o", target, "-f")
    if target.read_bytes() != data:
        raise AssertionError("bytes differ")
    if check.run("decompress", source, "-o", "-") != data:
        raise AssertionError("bytes on standard output differ")


def byte_streams(check):
    """Plain bytes as frames."""
    turn = 0
    for codec, nbytes in itertools.product(CODECS, (1, 31, 1000, 4096, 100_001, 1_000_000)):
        for typesize in (1, 4, 7, 8):
            # python-blosc2 takes whole items only.
            size = max(typesize, nbytes - nbytes % typesize)
            turn += 1
            options, cparams = parameters(turn, codec)
            data = content(f"walk:{typesize}:{turn}" if turn % 2 else f"patch:{turn}", size)
            chunk = (size // 3 // typesize + 1) * typesize
            layout = ["--typesize", typesize, "--chunk-size", chunk]
            if turn % 4 == 0:
                layout += ["--block-size", typesize * 64]
            name = f"{size} bytes {' '.join(map(str, options + layout))}"
            check.case(f"ours to python: {name}", ours_bytes_to_python, check, data, options + layout)
            if not (blosc2.Filter.DELTA in cparams["filters"] and typesize == 7):
                check.case(f"python to ours: {name}", python_bytes_to_ours, check, data, cparams | {"typesize": typesize}, chunk)
    check.case("defaults", ours_bytes_to_python, check, content("text:1", 300_000), [])


def random_layout(random):
    """A shape of 0 to 8 axes of 0 to 40 elements, and chunks and blocks that python-blosc2 takes too."""
    left = random.choice((8, 100, 600, 3000))
    shape = []
    for _ in range(random.randrange(9)):
        length = 0 if random.randrange(60) == 0 else min(random.randint(1, 41), left, 40)
        left = max(left // max(length, 1), 1)
        shape.append(length)
    chunks = [random.randint(1, max(length, 1)) for length in shape]
    blocks = [random.randint(1, chunk) for chunk in chunks]
    return tuple(shape), tuple(chunks), tuple(blocks)


def random_slice(random, shape, steps):
    """A slice for NumPy, and the same as text."""
    parts, words = [], []
    for length in shape:
        kind = random.randrange(5 if steps and length else 3)
        start, stop = sorted(random.randint(0, length) for _ in range(2))
        if kind == 4:
            index = random.randrange(-length, length)
            parts.append(index)
            words.append(str(index))
            continue
        if kind == 0:
            part = slice(None)
        elif kind == 3:
            part = slice(start - length if random.randrange(2) else start, None, random.randint(1, 7))
        else:
            part = slice(start, stop)
        parts.append(part)
        words.append(":".join("" if bound is None else str(bound) for bound in (part.start, part.stop, part.step)).removesuffix(":"))
        if ":" not in words[-1]:
            words[-1] += ":"
    return tuple(parts), ",".join(words) or "..."


def random_reads(check, random, turn):
    """One random array each way, read in a random slice by the other side."""
    shape, chunks, blocks = random_layout(random)
    dtype = random.choice(["|u1", "<i2", ">i4", "<f8", "<c16", "|S7", "|V3"])
    array = make_array(dtype, shape, turn)
    options, cparams = parameters(turn)
    parts, text = random_slice(random, shape, True)
    plain, _ = random_slice(random, shape, False)

    def to_python():
        source, target = check.folder / "r.npy", check.folder / "r.b2nd"
        np.save(source, array)
        layout = ["--chunks", numbers(chunks), "--blocks", numbers(blocks)] if shape else []
        check.run("convert", source, "-o", target, *options, *layout, "-f")
        opened = blosc2.open(str(target), mode="r")
        same_array(whole(opened), array)
        if "delta,shuffle" not in options and array.size:
            same_array(np.asarray(opened[plain], array.dtype), np.asarray(array[plain], array.dtype))

    def from_python():
        source, target = check.folder / "p.b2nd", check.folder / "p.npy"
        blosc2.remove_urlpath(str(source))
        blosc2.asarray(array, urlpath=str(source), mode="w", cparams=cparams, chunks=chunks, blocks=blocks)
        check.run("cat", source, f"--slice={text}", "-o", target, "-f")
        same_array(np.load(target, allow_pickle=False), np.asarray(array[parts], array.dtype))
        check.run("convert", source, "-o", target, "-f")
        same_array(np.load(target, allow_pickle=False), array)

    name = f"{dtype} {shape} chunks {chunks} blocks {blocks} {' '.join(map(str, options))}"
    check.case(f"random {turn}, ours to python: {name} {plain}", to_python)
    if not is_hard_for_c(array, cparams) and array.size:
        check.case(f"random {turn}, python to ours: {name} {text}", from_python)


def random_edits(check, random, editor, count):
    """Arrays that python-blosc2 writes, we edit and python-blosc2 reads, beside NumPy."""
    script, results = [], []

    def raw(array):
        path = check.folder / f"raw{len(script)}"
        path.write_bytes(array.tobytes())
        return path

    for turn in range(count):
        shape, chunks, blocks = random_layout(random)
        model = make_array(random.choice(["|u1", "<i2", "<i4", "<f8"]), shape, turn)
        if not shape or model.size == 0:
            continue
        path = check.folder / f"edit{turn}.b2nd"
        _, cparams = parameters(turn)
        cparams |= {"filters": [blosc2.Filter.SHUFFLE], "filters_meta": [0]}
        blosc2.asarray(model, urlpath=str(path), mode="w", cparams=cparams, chunks=chunks, blocks=blocks)
        script.append(f"open {path}")
        done = []
        for step in range(4):
            axis, what = random.randrange(model.ndim), random.choice(("set", "insert", "delete", "append", "resize", "copy"))
            length = model.shape[axis]
            if what == "set":
                place = [sorted(random.randint(0, n) for _ in range(2)) for n in model.shape]
                patch = make_array(model.dtype, tuple(b - a for a, b in place), turn + step)
                model = model.copy()
                model[tuple(slice(a, b) for a, b in place)] = patch
                line = f"set {','.join(f'{a}:{b}' for a, b in place)} {raw(patch)}"
            elif what in ("insert", "append"):
                axis, at = (axis, random.randint(0, length)) if what == "insert" else (0, model.shape[0])
                size = random.choice((1, 2, chunks[axis], 2 * chunks[axis]))
                row = int(np.prod(model.shape[:axis] + model.shape[axis + 1 :]))
                # Rows of no elements: their number cannot be told from the bytes.
                if not 0 < row * size < 100_000:
                    continue
                patch = make_array(model.dtype, (*model.shape[:axis], size, *model.shape[axis + 1 :]), turn + step)
                model = np.concatenate(np.split(model, [at], axis)[:1] + [patch] + np.split(model, [at], axis)[1:], axis)
                line = f"insert {axis} {at} {raw(patch)}" if what == "insert" else f"append {raw(patch)}"
            elif what == "delete":
                start = random.randint(0, length)
                stop = min(length, start + random.choice((1, 2, chunks[axis])))
                model = np.delete(model, slice(start, stop), axis)
                line = f"delete {axis} {start} {stop}"
            elif what == "resize":
                new = [random.choice((n, n, n + 3, max(n - 2, 0))) for n in model.shape]
                larger = np.zeros(new, model.dtype)
                both = tuple(slice(0, min(a, b)) for a, b in zip(new, model.shape))
                larger[both] = model[both]
                model, line = larger, f"resize {numbers(new)}"
            else:
                chunks = tuple(random.randint(1, max(n, 1)) for n in model.shape)
                blocks = tuple(random.randint(1, n) for n in chunks)
                path = check.folder / f"edit{turn}copy{step}.b2nd"
                line = f"copy {path} {numbers(chunks)} {numbers(blocks)}"
            script.append(line)
            done.append(line)
        script.append("commit")
        results.append((turn, path, model, done))
    played = subprocess.run([editor], input="\n".join(script).encode(), capture_output=True, timeout=600)
    if played.returncode != 0:
        check.case("edits", lambda: equal("status", played.stderr.decode(errors="replace"), ""))
        return

    def compare(path, model):
        opened = blosc2.open(str(path), mode="r")
        same_array(np.asarray(opened[()]) if model.size else whole(opened), model)

    for turn, path, model, done in results:
        check.case(f"edit {turn}: {'; '.join(done)}", compare, path, model)


def random_arrays(check, count, editor):
    """Random shapes, slices and edits."""
    random = Random(1)
    for turn in range(count):
        random_reads(check, random, turn)
    if editor is not None:
        random_edits(check, random, editor, count)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", type=pathlib.Path, help="the oxiblosc binary")
    parser.add_argument("editor", type=pathlib.Path, nargs="?", help="the example array_edits")
    parser.add_argument("--long", action="store_true", help="1,000 random arrays")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        check = Check(arguments.command.resolve(), pathlib.Path(folder))
        for part in (arrays, special_arrays, byte_streams):
            before = check.cases
            part(check)
            print(f"{part.__name__}: {check.cases - before} cases")
        before = check.cases
        editor = arguments.editor.resolve() if arguments.editor else None
        random_arrays(check, 1000 if arguments.long else 150, editor)
        print(f"random_arrays: {check.cases - before} cases")
    for failure in check.failures[:30]:
        print(failure, file=sys.stderr)
    print(f"b2nd interop: {check.cases} cases, {len(check.failures)} failed (python-blosc2 {blosc2.__version__})")
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
