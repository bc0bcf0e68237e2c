"""Files and chunks, both ways, with the real library."""

import blosc2
import numpy as np
import pytest

import oxiblosc

RECORD = np.dtype([("id", "<i4"), ("at", "<f8", (2,)), ("name", "S5")])
NESTED = np.dtype([("a", "u1"), ("b", [("x", ">i2"), ("y", "<M8[s]")])])
DTYPES = [
    "?", "i1", "u2", "<i4", ">i4", "<f2", "f4", ">f8", "c8", "c16", "S7", "U3", ">U3",
    "M8[ns]", ">M8[D]", "m8[s]", "V6", RECORD, NESTED,
    np.dtype([("a", "i1"), ("b", "f8")], align=True),
]


def sample(dtype, shape):
    dtype = np.dtype(dtype)
    rng = np.random.default_rng(3)
    raw = rng.integers(0, 3, int(np.prod(shape)) * dtype.itemsize, dtype="u1")
    if dtype.kind == "?" or dtype.kind == "b":
        raw %= 2
    if dtype.kind == "U":
        return rng.choice(["", "a", "äb", "xyz"], shape).astype(dtype)
    return raw.view(dtype).reshape(shape)


@pytest.mark.parametrize("contiguous", [True, False])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_dtypes(tmp_path, dtype, contiguous):
    numbers = sample(dtype, (13, 8))
    ours, theirs = str(tmp_path / "ours.b2nd"), str(tmp_path / "theirs.b2nd")
    oxiblosc.asarray(numbers, urlpath=ours, chunks=(5, 8), blocks=(2, 8), contiguous=contiguous)
    found = blosc2.open(ours)
    assert found.dtype == numbers.dtype and found.chunks == (5, 8) and found.blocks == (2, 8)
    assert found[...].tobytes() == numbers.tobytes()
    blosc2.asarray(numbers, urlpath=theirs, mode="w", chunks=(5, 8), blocks=(2, 8),
                   contiguous=contiguous)
    array = oxiblosc.open(theirs)
    # They name the field of raw bytes, and the padding of records.
    assert array.dtype == blosc2.open(theirs).dtype and array.dtype.itemsize == found.dtype.itemsize
    assert array.chunks == (5, 8) and array.blocks == (2, 8)
    assert array[...].tobytes() == numbers.tobytes()
    assert array[3:9:2, 1].tobytes() == np.ascontiguousarray(numbers[3:9:2, 1]).tobytes()


@pytest.mark.parametrize("codec", ["BLOSCLZ", "LZ4", "LZ4HC", "ZLIB", "ZSTD"])
@pytest.mark.parametrize("filters", [["SHUFFLE"], ["BITSHUFFLE"], ["DELTA", "SHUFFLE"], []])
def test_parameters(tmp_path, codec, filters):
    numbers = np.cumsum(np.random.default_rng(1).integers(0, 9, (60, 70)), axis=1)
    ours, theirs = str(tmp_path / "ours.b2nd"), str(tmp_path / "theirs.b2nd")
    slots = [0] * (6 - len(filters)) + [blosc2.Filter[name] for name in filters]
    cparams = blosc2.CParams(
        codec=blosc2.Codec[codec], clevel=4, filters=slots, filters_meta=[0] * 6, nthreads=1
    )
    # Their parameters work as ours do.
    mine = oxiblosc.asarray(numbers, urlpath=ours, cparams=cparams)
    assert np.array_equal(blosc2.open(ours)[...], numbers)
    theirs_again = blosc2.open(ours)
    found = theirs_again.schunk.cparams
    assert found.codec == cparams.codec and found.clevel == 4
    assert mine.cparams.filters[-len(filters) or 6 :] == [oxiblosc.Filter[one] for one in filters]
    blosc2.asarray(numbers, urlpath=theirs, cparams=cparams)
    array = oxiblosc.open(theirs, mode="a")
    assert np.array_equal(array[...], numbers)
    array[5:20, ::3] = 1
    array.append(numbers[:7])
    numbers = np.concatenate([numbers, numbers[:7]])
    numbers[5:20, ::3] = 1
    assert np.array_equal(blosc2.open(theirs)[...], numbers)


def test_metadata(tmp_path):
    path = str(tmp_path / "a.b2nd")
    values = {"text": "kelvin", "number": 2.5, "list": [1, None, {"x": b"y"}]}
    theirs = blosc2.zeros((4, 4), urlpath=path, meta={"kind": [1, 2]})
    for name, value in values.items():
        theirs.schunk.vlmeta[name] = value
    array = oxiblosc.open(path, mode="a")
    assert dict(array.vlmeta) == values and array.meta["kind"] == [1, 2]
    array.vlmeta["mine"] = {"a": [1, 2]}
    again = blosc2.open(path)
    assert again.schunk.vlmeta["mine"] == {"a": [1, 2]}


def test_frames_in_memory():
    numbers = np.arange(1000.0).reshape(10, 100)
    theirs = blosc2.asarray(numbers).to_cframe()
    assert np.array_equal(oxiblosc.from_cframe(theirs)[...], numbers)
    ours = oxiblosc.asarray(numbers, chunks=(3, 50)).to_cframe()
    assert np.array_equal(blosc2.ndarray_from_cframe(ours)[...], numbers)


def test_chunks():
    data = np.arange(50_000, dtype="i8")
    assert blosc2.decompress2(oxiblosc.compress2(data)) == data.tobytes()
    assert oxiblosc.decompress2(blosc2.compress2(data, typesize=8)) == data.tobytes()


def number(value):
    return int(getattr(value, "value", value))


def test_defaults_are_theirs():
    ours, theirs = oxiblosc.CParams(), blosc2.CParams()
    for name in ["codec", "codec_meta", "clevel", "use_dict", "typesize", "blocksize", "splitmode"]:
        assert int(getattr(ours, name)) == number(getattr(theirs, name)), name
    assert [number(one) for one in theirs.filters if number(one)] == list(ours.filters)
    for ours, theirs in [(oxiblosc.Codec, blosc2.Codec), (oxiblosc.Filter, blosc2.Filter),
                         (oxiblosc.SplitMode, blosc2.SplitMode)]:
        for member in ours:
            assert theirs[member.name].value == member.value


def test_tuples_of_metadata(tmp_path):
    value = {"t": (1, (2, 3), [4, (5,)], {"k": ()}), "l": [["x"], []]}
    path = str(tmp_path / "v.b2nd")
    ours = oxiblosc.asarray(np.arange(3), urlpath=path)
    ours.vlmeta["ours"] = value
    theirs = blosc2.open(path, mode="a")
    assert theirs.vlmeta["ours"] == value
    theirs.vlmeta["theirs"] = value
    assert dict(oxiblosc.open(path).vlmeta) == {"ours": value, "theirs": value}
