"""The codec of numcodecs, both ways."""

from pathlib import Path

import numcodecs
import numpy as np
import pytest
import zarr
from numcodecs.registry import register_codec

import oxiblosc.numcodecs
from oxiblosc.numcodecs import Blosc

Theirs = numcodecs.Blosc
NAMES = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]


def samples():
    rng = np.random.default_rng(5)
    yield np.arange(100_000, dtype="i8")
    yield rng.normal(size=30_000).round(1)
    yield rng.integers(0, 255, 5000, "u1")
    yield np.zeros((50, 60), "f4")
    yield np.array([], "i4")
    yield np.array([1], "i2")
    yield np.arange(1000).astype("M8[s]")


@pytest.mark.parametrize("cname", NAMES)
@pytest.mark.parametrize("shuffle", [-1, 0, 1, 2])
@pytest.mark.parametrize("clevel", [0, 1, 5, 9])
def test_both_ways(cname, shuffle, clevel):
    for blocksize in [0, 1024]:
        ours, theirs = (one(cname, clevel, shuffle, blocksize) for one in (Blosc, Theirs))
        for array in samples():
            data = array.tobytes()
            mine, real = ours.encode(array), theirs.encode(array)
            # numcodecs refuses chunks of no bytes, its own, too.
            assert array.size == 0 or bytes(theirs.decode(mine)) == data
            assert bytes(ours.decode(real)) == data
            assert bytes(ours.decode(mine)) == data
            out = np.empty_like(array)
            if array.size:
                assert ours.decode(real, out).tobytes() == data


def test_snappy():
    data = Path(__file__).parents[3] / "tests" / "data"
    chunk, raw = ((data / name).read_bytes() for name in ("snappy_500.blosc1", "snappy_500.blosc1.raw"))
    assert bytes(Blosc().decode(chunk)) == raw
    array = np.arange(10_000)
    chunk = bytes(Blosc("snappy").encode(array))
    # Bits 5 to 7 of the flags name the format of the codec.
    assert chunk[2] >> 5 == 2 and len(chunk) < array.nbytes // 2
    assert np.array_equal(np.frombuffer(Blosc().decode(chunk), array.dtype), array)


def test_configuration():
    codec = Blosc("zstd", 3, 2, 512)
    assert codec.get_config() == {**Theirs("zstd", 3, 2, 512).get_config()} or (
        set(Theirs("zstd", 3, 2, 512).get_config()) - set(codec.get_config()) == {"typesize"}
    )
    assert Blosc.from_config({"cname": "lz4", "clevel": 1}).get_config()["clevel"] == 1
    assert numcodecs.get_codec({"id": "oxiblosc.blosc", "cname": "lz4"}).cname == "lz4"
    for wrong in [{"cname": "none"}, {"clevel": 10}, {"shuffle": 3}]:
        with pytest.raises(ValueError):
            Blosc(**wrong)
    with pytest.raises(ValueError):
        Blosc().decode(Theirs().encode(np.arange(10)), np.empty(3, "u1"))


def test_parts():
    array = np.arange(10_000, dtype="i4")
    part = Blosc().decode_partial(Theirs().encode(array), 100, 7)
    assert np.frombuffer(part, "i4").tolist() == list(range(100, 107))


def test_stores_of_version_2(tmp_path):
    numbers = np.arange(6000.0).reshape(60, 100)
    for writer, reader in [(Blosc, Theirs), (Theirs, Blosc)]:
        path = tmp_path / writer.__module__
        array = zarr.create_array(path, shape=numbers.shape, chunks=(20, 30), dtype="f8",
                                  zarr_format=2, compressors=writer("lz4", 5, 1))
        array[...] = numbers
        register_codec(reader, "blosc")
        try:
            again = zarr.open_array(path, mode="r")
            assert type(again.metadata.compressor) is reader
            assert np.array_equal(again[...], numbers)
        finally:
            register_codec(Theirs, "blosc")
    oxiblosc.numcodecs.install()
    try:
        assert type(numcodecs.get_codec({"id": "blosc"})) is Blosc
    finally:
        register_codec(Theirs, "blosc")
