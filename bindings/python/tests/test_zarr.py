"""Codecs of zarr-python 3: metadata and chunks, both ways, with its own."""

import json
import pickle
from pathlib import Path

import numpy as np
import obstore.store
import pytest
import zarr
import zarr.codecs
from zarr.storage import LocalStore, MemoryStore, ObjectStore

import oxiblosc.zarr
from oxiblosc.zarr import B2ndChunkCodec, BloscCodec, blocks_for

THEIRS, OURS = "zarr.codecs.blosc.BloscCodec", "oxiblosc.zarr.BloscCodec"


@pytest.fixture(autouse=True)
def unchanged_config():
    with zarr.config.set({"codecs.blosc": THEIRS}):
        yield


def sample(dtype, shape=(60, 47)):
    rng = np.random.default_rng(11)
    return np.cumsum(rng.integers(0, 5, shape), axis=1).astype(dtype)


def written(codec_class, numbers, **codec):
    store = MemoryStore()
    with zarr.config.set({"codecs.blosc": codec_class}):
        array = zarr.create_array(
            store, shape=numbers.shape, chunks=(25, 20), dtype=numbers.dtype,
            compressors={"name": "blosc", "configuration": codec},
        )
        array[...] = numbers
    return store


@pytest.mark.parametrize("dtype", ["u1", "i2", "f4", "f8", ">i4", "c16"])
@pytest.mark.parametrize("shuffle", ["noshuffle", "shuffle", "bitshuffle"])
@pytest.mark.parametrize("cname", ["blosclz", "lz4", "lz4hc", "zlib", "zstd"])
def test_blosc_both_ways(cname, shuffle, dtype):
    numbers = sample(dtype)
    for clevel, blocksize in [(0, 0), (1, 0), (5, 256), (9, 0)]:
        codec = {"cname": cname, "clevel": clevel, "shuffle": shuffle, "blocksize": blocksize}
        codec["typesize"] = numbers.itemsize
        for writer, reader in [(OURS, THEIRS), (THEIRS, OURS), (OURS, OURS)]:
            store = written(writer, numbers, **codec)
            with zarr.config.set({"codecs.blosc": reader}):
                array = zarr.open_array(store, mode="r")
                used = type(array.metadata.codecs[-1])
                assert f"{used.__module__}.{used.__qualname__}" == reader
                assert np.array_equal(array[...], numbers)


def test_blosc_metadata_is_theirs():
    numbers = sample("f4")
    texts = []
    for writer in [OURS, THEIRS]:
        store = MemoryStore()
        with zarr.config.set({"codecs.blosc": writer}):
            zarr.create_array(store, shape=(10,), chunks=(5,), dtype="f4",
                              compressors=zarr.registry.get_codec_class("blosc")())
        texts.append(store._store_dict["zarr.json"].to_bytes())
    assert json.loads(texts[0]) == json.loads(texts[1])
    del numbers
    # Arrays of worker processes.
    codec = BloscCodec(cname="lz4", typesize=4)
    assert codec._blosc is not None
    assert pickle.loads(pickle.dumps(codec)) == codec


def test_blosc_has_snappy_and_refuses_damage():
    data = Path(__file__).parents[3] / "tests" / "data"
    numbers = np.fromfile(data / "snappy_500.blosc1.raw", "f8")
    chunk = (data / "snappy_500.blosc1").read_bytes()
    store = MemoryStore()
    codec = {"name": "blosc", "configuration": {"cname": "snappy", "clevel": 5, "blocksize": 0,
                                                "shuffle": "shuffle", "typesize": 8}}
    zarr.config.set({"codecs.blosc": OURS})
    array = zarr.create_array(store, shape=(500,), chunks=(500,), dtype="f8", compressors=codec)
    buffer = zarr.core.buffer.default_buffer_prototype().buffer
    store._store_dict["c/0"] = buffer.from_bytes(chunk)
    assert np.array_equal(array[...], numbers)
    array[...] = numbers[::-1]
    assert bytes(store._store_dict["c/0"].to_bytes())[2] >> 5 == 2
    assert np.array_equal(array[...], numbers[::-1])
    store._store_dict["c/0"] = buffer.from_bytes(chunk[: len(chunk) // 2])
    with pytest.raises(oxiblosc.Error):
        array[0]


def made(numbers, chunks, blocks, store=None, **codec):
    store = MemoryStore() if store is None else store
    array = zarr.create_array(
        store, shape=numbers.shape, chunks=chunks, dtype=numbers.dtype,
        serializer=B2ndChunkCodec(blocks=blocks, **codec), compressors=None, filters=None,
        fill_value=0,
    )
    array[...] = numbers
    return zarr.open_array(store, mode="a")


@pytest.mark.parametrize("dtype", ["?", "u1", "i2", "f4", "f8", ">i4", "c16", "M8[ns]"])
@pytest.mark.parametrize("endian", ["little", "big"])
def test_b2nd_chunks(dtype, endian):
    numbers = sample("i4").astype("i8").astype(dtype) if dtype == "M8[ns]" else sample(dtype)
    array = made(numbers, (25, 20), (8, 7), endian=endian, codec="lz4")
    assert np.array_equal(array[...], numbers)
    rng = np.random.default_rng(2)
    for _ in range(40):
        rows, columns = np.sort(rng.integers(0, (60, 47), (2, 2)), axis=0).T
        key = (slice(*rows), slice(columns[0], columns[1], int(rng.integers(1, 4))))
        assert np.array_equal(array[key], numbers[key])
        row = int(rng.integers(60))
        assert np.array_equal(array[row, key[1]], numbers[row, key[1]])
    lists = ([3, 50, 7], [1, 40])
    assert np.array_equal(array.oindex[lists], numbers[np.ix_(*lists)])
    assert np.array_equal(array.vindex[[3, 50], [1, 40]], numbers[[3, 50], [1, 40]])
    array[10:30, 5] = numbers[0, 0]
    numbers[10:30, 5] = numbers[0, 0]
    assert np.array_equal(array[...], numbers)


@pytest.mark.parametrize("codec", ["blosclz", "lz4", "lz4hc", "zlib", "zstd"])
@pytest.mark.parametrize("filters", [[], ["shuffle"], ["bitshuffle"], ["delta", "shuffle"]])
@pytest.mark.parametrize("clevel", [0, 5])
def test_b2nd_chunk_parameters(codec, filters, clevel):
    for numbers in [sample("f4"), np.random.default_rng(1).integers(0, 2**31, (60, 47), "i4")]:
        array = made(numbers, (60, 47), (9, 10), codec=codec, filters=filters, clevel=clevel)
        assert np.array_equal(array[...], numbers)
        for key in [(5, 5), (slice(1, 4), slice(30, 47)), (slice(None), 46), (59, slice(0, 9))]:
            assert np.array_equal(array[key], numbers[key])


class Counting(MemoryStore):
    """A store that notes what is read."""

    def __init__(self):
        super().__init__()
        self.reads = []

    async def get(self, key, prototype=None, byte_range=None):
        found = await super().get(key, prototype, byte_range)
        if found is not None and key.startswith("c/"):
            self.reads.append(len(found))
        return found


def test_a_box_reads_its_blocks():
    rng = np.random.default_rng(1)
    numbers = rng.integers(0, 2**31, (512, 512), "i4")
    array = made(numbers, (512, 512), (64, 64), store=Counting(), codec="lz4")
    reads = array.store.reads
    for key, most in [((3, 5), 1), ((slice(0, 64), slice(64, 128)), 1), ((3,), 8)]:
        reads.clear()
        assert np.array_equal(array[key], numbers[key])
        front = 32 + 4 * 64
        assert reads[0] == front
        # A random block does not compress: 64 * 64 * 4 bytes, and its streams' sizes.
        assert sum(reads[1:]) <= most * (64 * 64 * 4 + 64)
    # Blocks that lie side by side are one request.
    assert len(reads) == 2
    reads.clear()
    assert np.array_equal(array[:400], numbers[:400])
    assert len(reads) == 1


@pytest.mark.parametrize("kind", ["memory", "folder", "object store"])
def test_chunks_shorter_than_their_front(tmp_path, kind):
    """A chunk of one value has no offsets of blocks; stores cut the request or answer less."""
    store = {
        "memory": MemoryStore,
        "folder": lambda: LocalStore(tmp_path),
        "object store": lambda: ObjectStore(obstore.store.LocalStore(str(tmp_path))),
    }[kind]()
    array = made(np.full((100, 100), 7, "i4"), (100, 100), (10, 10), store=store)
    assert array[3, 4] == 7 and (array[:5, :5] == 7).all() and (array[...] == 7).all()


def test_b2nd_chunk_metadata():
    codec = B2ndChunkCodec(blocks=(8, 8), codec="zstd", clevel=3, filters=["trunc_prec", "shuffle"],
                           filters_meta=[12])
    assert B2ndChunkCodec.from_dict(json.loads(json.dumps(codec.to_dict()))) == codec
    assert pickle.loads(pickle.dumps(codec)) == codec
    assert codec.to_dict()["name"] == "oxiblosc.b2nd_chunk"
    assert blocks_for((1000, 1000), "f4") != (1000, 1000)
    for wrong in [{"endian": "middle"}, {"codec": "x"}, {"filters": ["x"]}]:
        with pytest.raises(ValueError):
            B2ndChunkCodec(blocks=(8, 8), **wrong)
    with pytest.raises(ValueError):
        made(sample("f4"), (25, 20), (8,))
    with pytest.raises(ValueError):
        made(sample("f4"), (25, 20), (30, 8))


def test_b2nd_chunk_damage():
    array = made(sample("f4"), (60, 47), (9, 10))
    values = array.store._store_dict
    whole = values["c/0/0"]
    for cut in [0, 10, 31, 40, len(whole) // 2]:
        values["c/0/0"] = whole[:cut]
        # The front and the first block may be there.
        for key in [(0, 0)] * (cut < 200) + [(slice(None), slice(None)), (59, 46)]:
            with pytest.raises(oxiblosc.Error):
                array[key]
    del values["c/0/0"]
    assert not array[0, 0] and not array[...].any()


def test_chunks_of_other_blocks_are_refused():
    """Metadata that does not describe the chunk."""
    array = made(sample("f4"), (60, 47), (9, 10))
    for blocks in [(10, 10), (9, 9), (60, 47)]:
        other = made(sample("f4"), (60, 47), blocks)
        other.store._store_dict["c/0/0"] = array.store._store_dict["c/0/0"]
        for key in [(0, 0), (slice(None), slice(None))]:
            with pytest.raises(ValueError):
                other[key]


def test_existing_files_are_chunks_of_the_codec(tmp_path):
    """Chunks of a file of the real library, as they are."""
    import blosc2

    numbers = sample("f8")
    path = str(tmp_path / "a.b2nd")
    theirs = blosc2.asarray(numbers, urlpath=path, mode="w", chunks=(25, 20), blocks=(8, 7))
    array = made(numbers * 0, (25, 20), (8, 7))
    for at, index in enumerate(np.ndindex(3, 3)):
        chunk = theirs.schunk.get_chunk(at)
        name = "c/" + "/".join(map(str, index))
        buffer = zarr.core.buffer.default_buffer_prototype().buffer
        array.store._store_dict[name] = buffer.from_bytes(chunk)
    assert np.array_equal(array[...], numbers)
    assert np.array_equal(array[17, 3:40], numbers[17, 3:40])
