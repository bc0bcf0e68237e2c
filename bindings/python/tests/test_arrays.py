"""Arrays: how they are made, changed, stored and passed on."""

import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import oxiblosc


@pytest.fixture
def numbers():
    return np.random.default_rng(7).normal(size=(50, 41)).round(2)


def test_new_arrays():
    for made, value in [
        (oxiblosc.zeros((3, 5), "i2"), 0),
        (oxiblosc.ones((3, 5), ">f8"), 1),
        (oxiblosc.full((3, 5), 7, "u1"), 7),
        (oxiblosc.empty((3, 5), "f4"), 0),
    ]:
        assert made[...].tolist() == [[value] * 5] * 3
    assert np.isnan(oxiblosc.nans(4)[...]).all()
    assert oxiblosc.full(3, 1.5).dtype == np.float64
    assert oxiblosc.zeros(10**12, "u1").cbytes < 10**6


def test_properties(numbers):
    array = oxiblosc.asarray(numbers, chunks=(20, 20), blocks=(7, 20), cparams={"codec": "lz4"})
    assert (array.shape, array.chunks, array.blocks) == ((50, 41), (20, 20), (7, 20))
    assert (array.ndim, array.size, array.nbytes) == (2, 2050, 16400)
    assert array.dtype == np.float64 and len(array) == 50
    assert array.cparams.codec == oxiblosc.Codec.LZ4 and 0 < array.cbytes
    assert array.cratio == pytest.approx(array.nbytes / array.cbytes)
    assert "chunks  : (20, 20)" in array.info and "(50, 41)" in repr(array)
    assert list(map(np.ndarray.tolist, array)) == numbers.tolist()
    for place, part in array.iter_chunks():
        assert np.array_equal(part, numbers[place])
    assert array.tobytes() == numbers.tobytes()
    assert np.array_equal(np.asarray(array), numbers)
    assert np.asarray(array, "f4").dtype == np.float32


def test_parameters(numbers):
    small = oxiblosc.asarray(numbers, cparams=oxiblosc.CParams(codec="zstd", clevel=9))
    big = oxiblosc.asarray(numbers, cparams={"clevel": 0, "filters": []})
    assert small.cbytes < big.cbytes
    for wrong, error in [
        ({"codec": "none"}, ValueError),
        ({"clevel": 10}, ValueError),
        ({"level": 3}, TypeError),
        ({"filters": [200]}, (ValueError, NotImplementedError)),
    ]:
        with pytest.raises(error):
            oxiblosc.asarray(numbers, cparams=wrong)
    with pytest.raises(ValueError):
        oxiblosc.asarray(numbers, chunks=(5, 5), blocks=(6, 5))
    with pytest.raises(TypeError):
        oxiblosc.asarray(np.array(["a", None]))


def test_threads_do_not_change_bytes(numbers):
    parts = [
        oxiblosc.asarray(numbers, chunks=(9, 41), cparams={"nthreads": count}).to_cframe()
        for count in (1, 2, 4)
    ]
    assert parts[0] == parts[1] == parts[2]


def test_fortran_order(numbers):
    array = oxiblosc.asarray(np.asfortranarray(numbers))
    assert np.array_equal(array[...], numbers)
    assert np.array_equal(oxiblosc.asarray(numbers[::-2, 3:])[...], numbers[::-2, 3:])


@pytest.mark.parametrize("contiguous", [True, False])
def test_files(tmp_path, numbers, contiguous):
    path = tmp_path / "a.b2nd"
    array = oxiblosc.asarray(numbers, urlpath=path, mode="w", contiguous=contiguous)
    assert path.is_file() == contiguous
    with pytest.raises(FileExistsError):
        oxiblosc.asarray(numbers, urlpath=path)
    reader = oxiblosc.open(path)
    for refused in [lambda: reader.append(numbers), lambda: reader.resize((1, 1))]:
        with pytest.raises(PermissionError):
            refused()
    with pytest.raises(PermissionError):
        reader[0] = 1
    # Changes are there when a call returns, for every reader that opens the file or refreshes.
    array[3:5] = 9
    numbers[3:5] = 9
    assert np.array_equal(oxiblosc.load(path), numbers)
    assert array.append(numbers[:2]) == 52 * 41
    assert reader.refresh() and reader.shape == (52, 41)
    array.insert(1, numbers[0], axis=0)
    expected = np.insert(np.concatenate([numbers, numbers[:2]]), 1, numbers[0], axis=0)
    assert np.array_equal(array[...], expected)
    array.delete(0, 2)
    array.resize((60, 40))
    assert array[51:].tolist() == [[0] * 40] * 9
    assert np.array_equal(array[:51], expected[2:, :40])
    with oxiblosc.open(path, mode="a") as several:
        for row in range(3):
            several[row] = row
        assert several[2, 0] == 2
    assert oxiblosc.open(path)[:3, 5].tolist() == [0, 1, 2]
    # All changes of a block, or none.
    before = oxiblosc.load(path)
    with pytest.raises(ZeroDivisionError), oxiblosc.open(path, mode="a") as several:
        several[0] = 77
        several.append(before[:3])
        several.vlmeta["x"] = 1
        assert several.shape[0] == len(before) + 3
        1 / 0
    assert several.shape == before.shape and np.array_equal(several[...], before)
    assert np.array_equal(oxiblosc.load(path), before) and not oxiblosc.open(path).vlmeta
    again = oxiblosc.open(path, mode="a")
    again[0, 0] = 5
    assert array.refresh() in (True, False) and array[0, 0] == 5
    again.check()


def test_records():
    dtype = np.dtype([("id", "i4"), ("at", "f8", (2,))])
    array = oxiblosc.zeros((3, 2), dtype)
    array[1] = (7, (1.5, 2.5))
    array[2, 0] = np.array((8, (0, 1)), dtype)
    assert array[1, 1] == np.array((7, (1.5, 2.5)), dtype)[()] and array[2]["id"].tolist() == [8, 0]


def test_save_load_info(tmp_path, numbers):
    path = tmp_path / "a.b2nd"
    oxiblosc.save(numbers, path)
    assert np.array_equal(oxiblosc.load(path), numbers)
    assert "dtype   : float64" in oxiblosc.info(path)
    array = oxiblosc.asarray(numbers[:3])
    with pytest.raises(FileExistsError):
        array.save(path)
    array.save(path, mode="w")
    assert np.array_equal(oxiblosc.open(path)[...], numbers[:3])
    copy = array.copy(cparams={"codec": "lz4"})
    assert copy.cparams.codec == oxiblosc.Codec.LZ4 and np.array_equal(copy[...], numbers[:3])
    with pytest.raises(FileNotFoundError):
        oxiblosc.open(tmp_path / "none.b2nd")
    with pytest.raises(ValueError):
        oxiblosc.open(path, mode="w")


def test_metadata(tmp_path):
    path = tmp_path / "a.b2nd"
    array = oxiblosc.zeros(3, urlpath=path, meta={"kind": {"a": 1}})
    array.vlmeta["unit"] = "kelvin"
    array.vlmeta["list"] = [1, 2.5, None, b"x"]
    again = oxiblosc.open(path, mode="a")
    assert dict(again.vlmeta) == {"unit": "kelvin", "list": [1, 2.5, None, b"x"]}
    assert again.meta["kind"] == {"a": 1} and "b2nd" in again.meta
    del again.vlmeta["unit"]
    assert list(oxiblosc.open(path).vlmeta) == ["list"]
    for missing in ["unit", "other"]:
        with pytest.raises(KeyError):
            again.vlmeta[missing]
    with pytest.raises(KeyError):
        del again.vlmeta["other"]


def test_damage(tmp_path, numbers):
    path = tmp_path / "a.b2nd"
    oxiblosc.asarray(numbers, urlpath=path, chunks=(10, 41))
    content = bytearray(path.read_bytes())
    at, length = oxiblosc.open(path)._native.chunk_places()[0]
    content[at + 32 : at + length] = bytes(length - 32)
    path.write_bytes(content)
    with pytest.raises(oxiblosc.Error, match="chunk 0"):
        oxiblosc.open(path)[0]
    assert np.array_equal(oxiblosc.open(path)[10:], numbers[10:])
    path.write_bytes(content[:100])
    with pytest.raises(oxiblosc.Error):
        oxiblosc.open(path)
    with pytest.raises(oxiblosc.Error):
        oxiblosc.from_cframe(b"no frame at all")
    assert issubclass(oxiblosc.Error, ValueError)


def test_pickle(tmp_path, numbers):
    path = tmp_path / "a.b2nd"
    in_file = oxiblosc.asarray(numbers, urlpath=path)
    in_memory = oxiblosc.asarray(numbers)
    for array in [in_file, in_memory, oxiblosc.open(path)]:
        again = pickle.loads(pickle.dumps(array))
        assert np.array_equal(again[...], numbers) and again.urlpath == array.urlpath
    assert len(pickle.dumps(in_file)) < 1000
    changed = pickle.loads(pickle.dumps(in_memory))
    changed[0] = 0
    assert np.array_equal(in_memory[...], numbers) and not changed[0].any()


@pytest.mark.parametrize("nthreads", [1, 2])
def test_many_threads_on_one_array(tmp_path, nthreads):
    path = tmp_path / "a.b2nd"
    numbers = np.arange(400 * 300, dtype="i4").reshape(400, 300)
    oxiblosc.asarray(numbers, urlpath=path, chunks=(64, 64), blocks=(16, 16))
    array = oxiblosc.open(path, nthreads=nthreads)

    def read(seed):
        rng = np.random.default_rng(seed)
        for _ in range(60):
            rows, columns = np.sort(rng.integers(0, 300, (2, 2)), axis=1)
            part = array[slice(*rows), slice(*columns)]
            if not np.array_equal(part, numbers[slice(*rows), slice(*columns)]):
                return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(read, range(16)))


def test_threads_and_processes_append_in_turn(tmp_path):
    path = tmp_path / "rows.b2nd"
    array = oxiblosc.zeros((0, 3), "i4", urlpath=path, chunks=(16, 3))
    code = (
        "import sys, oxiblosc\n"
        "array = oxiblosc.open(sys.argv[1], mode='a')\n"
        "for row in range(20): array.append([[row] * 3])\n"
    )
    others = [subprocess.Popen([sys.executable, "-c", code, str(path)]) for _ in range(2)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda row: array.append([[row] * 3]), range(20)))
    assert [other.wait(120) for other in others] == [0, 0]
    rows = oxiblosc.load(path)
    assert rows.shape == (60, 3) and (rows[:, 0] == rows[:, 2]).all()
    assert sorted(rows[:, 0].tolist()) == sorted(list(range(20)) * 3)


def test_steps_are_written_in_turn(tmp_path):
    """Reading a box and writing it back, while others change their elements of it.

    Everyone waits for the others to be there, and looks before each change whether the last one
    is still there: one that is lost between two others does not come back.
    """
    path = tmp_path / "steps.b2nd"
    array = oxiblosc.zeros(60, "i4", urlpath=path, chunks=(25,))
    code = (
        "import sys, time, pathlib, oxiblosc\n"
        "array = oxiblosc.open(sys.argv[1], mode='a')\n"
        "first, ready = int(sys.argv[2]), pathlib.Path(sys.argv[1]).parent\n"
        "(ready / f'ready{first}').touch()\n"
        "while len(list(ready.glob('ready*'))) < 3: time.sleep(0.001)\n"
        "def look():\n"
        "    while True:\n"
        "        try: return set(oxiblosc.open(sys.argv[1])[first::3].tolist())\n"
        "        except oxiblosc.Error: pass\n"  # others have changed the file meanwhile
        "for value in range(60):\n"
        "    found = look()\n"
        "    assert found == {value * 10 + first if value else 0}, (value, found)\n"
        "    array[first::3] = (value + 1) * 10 + first\n"
    )
    everyone = [subprocess.Popen([sys.executable, "-c", code, str(path), str(first)])
                for first in range(3)]
    assert [one.wait(120) for one in everyone] == [0, 0, 0]
    assert oxiblosc.load(path).tolist() == [600, 601, 602] * 20
    assert array.refresh() and array[:3].tolist() == [600, 601, 602]
    with pytest.raises(PermissionError):
        oxiblosc.open(path)[::2] = 1


def test_chunks_of_bytes():
    data = np.arange(10_000, dtype="i4")
    for codec in ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]:
        chunk = oxiblosc.compress2(data, codec=codec, typesize=4)
        assert len(chunk) < data.nbytes / 2
        assert oxiblosc.decompress2(chunk) == data.tobytes()
    out = np.empty_like(data)
    assert oxiblosc.decompress2(chunk, out) == data.nbytes and np.array_equal(out, data)
    assert oxiblosc.decompress2(oxiblosc.compress2(b"")) == b""
    with pytest.raises(ValueError):
        oxiblosc.decompress2(chunk, np.empty(5, "u1"))
    with pytest.raises(oxiblosc.Error):
        oxiblosc.decompress2(chunk[:50])


def test_what_is_no_array_is_refused_by_name(tmp_path):
    text = tmp_path / "notes.txt"
    text.write_text("import antigravity\n" * 10)
    with pytest.raises(oxiblosc.Error, match="notes.txt.*no Blosc2 frame"):
        oxiblosc.open(text)
    with pytest.raises(TypeError, match="elements of dtype object"):
        oxiblosc.asarray([1, "a", None], urlpath=tmp_path / "a.b2nd")
    assert not (tmp_path / "a.b2nd").exists()
