"""Dask: threads and worker processes."""

import dask.array as da
import numpy as np
import pytest
import zarr
from dask.base import tokenize
from distributed import Client, LocalCluster

import oxiblosc

NUMBERS = np.random.default_rng(4).normal(size=(400, 300)).round(2)


@pytest.fixture(scope="module")
def client():
    with LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=None,
                      worker_dashboard_address=None) as cluster, Client(cluster) as client:
        yield client


@pytest.fixture
def array(tmp_path):
    return oxiblosc.asarray(NUMBERS, urlpath=tmp_path / "a.b2nd", chunks=(100, 90), blocks=(25, 30))


def test_threads(array):
    lazy = array.to_dask()
    assert lazy.chunks == ((100,) * 4, (90, 90, 90, 30)) and lazy.dtype == np.float64
    with __import__("dask").config.set(scheduler="threads"):
        assert np.allclose(lazy.mean(axis=0).compute(), NUMBERS.mean(axis=0))
        assert np.array_equal(lazy[::-3, 5].compute(), NUMBERS[::-3, 5])


def test_tokens(tmp_path, array):
    before = tokenize(array)
    assert tokenize(oxiblosc.open(array.urlpath)) == before
    array[0] = 1
    assert tokenize(array) != before
    memory = oxiblosc.asarray(NUMBERS)
    assert tokenize(memory) == tokenize(oxiblosc.asarray(NUMBERS))
    assert tokenize(memory) != tokenize(oxiblosc.asarray(NUMBERS + 1))


def test_tokens_of_urls(tmp_path, array, http):
    """Another object under the same name, of the same shape and size, is another array."""
    for url in [f"{http[0]}/a.b2nd", "memory://token.b2nd"]:
        def write(numbers):
            path = tmp_path / "a.b2nd" if url.startswith("http") else url
            oxiblosc.asarray(numbers, urlpath=path, mode="w", cparams={"clevel": 0})

        write(NUMBERS)
        before = tokenize(oxiblosc.open(url))
        assert tokenize(oxiblosc.open(url)) == before
        write(NUMBERS + 1)
        assert tokenize(oxiblosc.open(url)) != before


def test_worker_processes(client, array):
    lazy = array.to_dask()
    assert np.isclose(lazy.mean().compute(), NUMBERS.mean())
    assert np.allclose(lazy.sum(axis=1).compute(), NUMBERS.sum(axis=1))
    memory = oxiblosc.asarray(NUMBERS, chunks=(100, 90))
    assert np.isclose(memory.to_dask().std().compute(), NUMBERS.std())


def test_urls(client, tmp_path, array, http):
    url, _ = http
    lazy = oxiblosc.open(f"{url}/a.b2nd").to_dask()
    assert np.allclose(lazy.max(axis=0).compute(), NUMBERS.max(axis=0))


def test_workers_write_zarr(client, tmp_path, array):
    from oxiblosc.zarr import B2ndChunkCodec

    target = zarr.create_array(
        str(tmp_path / "out.zarr"), shape=NUMBERS.shape, chunks=(80, 150), dtype="f8",
        serializer=B2ndChunkCodec(blocks=(20, 50), codec="lz4"), compressors=None,
    )
    da.store(array.to_dask().rechunk((80, 150)) * 2, target, lock=False)
    assert np.array_equal(zarr.open_array(str(tmp_path / "out.zarr"))[...], NUMBERS * 2)


def test_workers_write_one_file(client, tmp_path, array):
    """Workers wait for each other's changes of one file."""
    target = oxiblosc.zeros(NUMBERS.shape, urlpath=tmp_path / "out.b2nd", chunks=(100, 100))
    da.store(array.to_dask().rechunk((100, 100)) + 1, target, lock=False)
    assert np.array_equal(oxiblosc.load(tmp_path / "out.b2nd"), NUMBERS + 1)
