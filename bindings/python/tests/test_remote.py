"""Arrays at URLs."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import fsspec
import numpy as np
import pytest

import oxiblosc

NUMBERS = np.random.default_rng(4).integers(0, 2**31, (600, 500), "i4")


def test_http(tmp_path, http):
    url, ranges = http
    oxiblosc.asarray(NUMBERS, urlpath=tmp_path / "a.b2nd", chunks=(200, 200), blocks=(50, 50))
    array = oxiblosc.open(f"{url}/a.b2nd")
    assert array.shape == (600, 500) and array.urlpath == f"{url}/a.b2nd"
    assert "all" not in ranges
    ranges.clear()
    assert array[333, 444] == NUMBERS[333, 444]
    # Its chunk has at most 160,000 bytes: less than another request costs.
    assert len(ranges) == 1 and requested(ranges) < 165_000
    ranges.clear()
    assert array[333, 440] == NUMBERS[333, 440]
    # What was fetched is kept, up to a limit.
    assert not ranges
    assert np.array_equal(array[100:300:7, ::-11], NUMBERS[100:300:7, ::-11])
    again = pickle.loads(pickle.dumps(array))
    assert np.array_equal(again[...], NUMBERS)
    with pytest.raises((PermissionError, ValueError)):
        oxiblosc.open(f"{url}/a.b2nd", mode="a")
    with pytest.raises(PermissionError):
        array[0] = 1
    with pytest.raises(FileNotFoundError):
        oxiblosc.open(f"{url}/none.b2nd")


def test_opening_is_one_round(tmp_path, http):
    """Of both ends; more requests where a server has no ranges that count from the end."""
    url, ranges = http
    numbers = np.random.default_rng(6).integers(0, 2**31, (600, 500), "i4")
    oxiblosc.asarray(numbers, urlpath=tmp_path / "a.b2nd", chunks=(100, 100))
    oxiblosc.open(f"{url}/a.b2nd")
    assert sorted(ranges) == ["bytes=-32768", "bytes=0-4095"]
    with open(tmp_path / "a.b2nd", "ab") as file:
        file.write(bytes(1000))
    # The end of the frame is not that of the object.
    assert np.array_equal(oxiblosc.open(f"{url}/a.b2nd")[::50], numbers[::50])
    oxiblosc.asarray(numbers[:5, :5], urlpath=tmp_path / "small.b2nd")
    assert np.array_equal(oxiblosc.open(f"{url}/small.b2nd")[...], numbers[:5, :5])
    (tmp_path / "text").write_text("no array" * 9000)
    with pytest.raises(ValueError):
        oxiblosc.open(f"{url}/text")


def test_servers_without_ranges_from_the_end(tmp_path, http, monkeypatch):
    url, ranges = http
    monkeypatch.setattr("conftest.Ranges.suffixes", False)
    oxiblosc.asarray(NUMBERS, urlpath=tmp_path / "a.b2nd", chunks=(200, 200), blocks=(50, 50))
    array = oxiblosc.open(f"{url}/a.b2nd")
    assert len(ranges) > 2 and "all" not in ranges
    assert np.array_equal(array[::7], NUMBERS[::7])


def requested(ranges):
    ends = (one.removeprefix("bytes=").split("-") for one in ranges)
    return sum(int(last) - int(first) + 1 for first, last in ends)


def test_large_chunks(tmp_path, http):
    url, ranges = http
    numbers = np.random.default_rng(5).integers(0, 2**31, (1500, 1000), "i4")
    oxiblosc.asarray(numbers, urlpath=tmp_path / "b.b2nd", chunks=(1500, 1000), blocks=(50, 50))
    array = oxiblosc.open(f"{url}/b.b2nd")
    for key, blocks in [((333, 444), 1), ((slice(500, 550), slice(900, 1000)), 2)]:
        ranges.clear()
        assert np.array_equal(array[key], numbers[key])
        assert len(ranges) <= 2 and requested(ranges) <= 2500 + blocks * 11_000
    ranges.clear()
    assert np.array_equal(array[...], numbers)
    assert len(ranges) <= 5
    # Whatever reads the chunks themselves.
    again = oxiblosc.from_cframe(array.to_cframe())
    assert np.array_equal(again[::100], numbers[::100])
    array.check()


def test_http_with_many_threads(tmp_path, http):
    url, _ = http
    oxiblosc.asarray(NUMBERS, urlpath=tmp_path / "a.b2nd", chunks=(200, 200), blocks=(50, 50))
    array = oxiblosc.open(f"{url}/a.b2nd", nthreads=2)

    def right(row):
        return np.array_equal(array[row], NUMBERS[row])

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(right, range(0, 600, 13)))


def test_policies(tmp_path, http):
    """Prices decide what is requested, and never what is read."""
    url, ranges = http
    oxiblosc.asarray(NUMBERS, urlpath=tmp_path / "a.b2nd", chunks=(200, 200), blocks=(50, 50),
                     cparams={"clevel": 0})
    keys = [..., (slice(None), 7), (slice(100, 300), slice(3, 400, 9)), ([599, 0, 300],)]
    counts = {}
    for name, policy in {
        "parts": oxiblosc.ReadPolicy(max_request=30_000, parallel=3),
        "blocks": oxiblosc.ReadPolicy(round=0, request=0, parallel=1),
        "one": oxiblosc.ReadPolicy(request=8 << 20),
        "far": oxiblosc.ReadPolicy.from_latency(0.08, 50e6, 8),
    }.items():
        for nthreads in (1, 2):
            array = oxiblosc.open(f"{url}/a.b2nd", policy=policy, nthreads=nthreads)
            array = pickle.loads(pickle.dumps(array))
            ranges.clear()
            assert np.array_equal(array[:, 7], NUMBERS[:, 7])
            counts[name] = len(ranges), requested(ranges)
            for key in keys:
                assert np.array_equal(array[key], NUMBERS[key])
    assert counts["one"][0] == 1 and counts["parts"][0] > 3
    assert counts["blocks"][1] < counts["one"][1] / 2
    for wrong in ({"round": -1}, {"parallel": 0}, {"max_request": 0}):
        with pytest.raises(ValueError):
            oxiblosc.ReadPolicy(**wrong)


def test_a_failure_among_many_requests(tmp_path, http):
    url, ranges = http
    oxiblosc.asarray(NUMBERS, urlpath=tmp_path / "a.b2nd", chunks=(100, 100), cparams={"clevel": 0})
    policy = oxiblosc.ReadPolicy(max_request=50_000, parallel=4)
    array = oxiblosc.open(f"{url}/a.b2nd", policy=policy)
    content = (tmp_path / "a.b2nd").read_bytes()
    (tmp_path / "a.b2nd").write_bytes(content[: len(content) // 2])
    with pytest.raises(OSError):
        array[...]
    (tmp_path / "a.b2nd").write_bytes(content)
    assert np.array_equal(array[...], NUMBERS)


def test_memory():
    url = "memory://somewhere/a.b2nd"
    oxiblosc.asarray(NUMBERS, urlpath=url, mode="w")
    with pytest.raises(FileExistsError):
        oxiblosc.asarray(NUMBERS, urlpath=url)
    assert np.array_equal(oxiblosc.open(url)[...], NUMBERS)
    oxiblosc.asarray(NUMBERS[:10]).save(url, mode="w")
    assert oxiblosc.open(url).shape == (10, 500)


def test_failures_of_a_storage_are_raised():
    oxiblosc.asarray(NUMBERS, urlpath="memory://b.b2nd", mode="w", chunks=(100, 500))
    array = oxiblosc.open("memory://b.b2nd")
    fsspec.filesystem("memory").rm("/b.b2nd")
    with pytest.raises(FileNotFoundError):
        array[550]
