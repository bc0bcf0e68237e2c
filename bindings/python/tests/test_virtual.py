"""Files as virtual Zarr arrays, by VirtualiZarr and Icechunk."""

import numpy as np
import pytest
import xarray as xr
from obspec_utils.registry import ObjectStoreRegistry
from obstore.store import LocalStore
from virtualizarr import open_virtual_dataset

import blosc2
import icechunk
import oxiblosc
from oxiblosc.virtual import B2ndParser, manifest_array

NUMBERS = np.random.default_rng(4).normal(size=(70, 50)).round(1)


def virtual(path):
    registry = ObjectStoreRegistry({"file://": LocalStore()})
    return open_virtual_dataset(f"file://{path}", registry=registry, parser=B2ndParser())


def repository(path, store):
    """A repository whose virtual chunks are local files."""
    config = icechunk.RepositoryConfig.default()
    place = f"file://{path}/"
    config.set_virtual_chunk_container(
        icechunk.VirtualChunkContainer(place, icechunk.local_filesystem_store(str(path)))
    )
    allowed = icechunk.containers_credentials({place: None})
    storage = icechunk.local_filesystem_storage(str(store))
    return icechunk.Repository.open_or_create(storage, config, authorize_virtual_chunk_access=allowed)


@pytest.mark.parametrize("dtype", ["f8", ">f4", "i2", "u1"])
@pytest.mark.parametrize("maker", ["oxiblosc", "blosc2"])
def test_icechunk(tmp_path, dtype, maker):
    numbers = NUMBERS.astype(dtype) if dtype != "u1" else (NUMBERS * 10).astype("i8").astype("u1")
    numbers[30:60, 20:40] = 0
    data = tmp_path / "data"
    data.mkdir()
    path = str(data / "a.b2nd")
    made = oxiblosc if maker == "oxiblosc" else blosc2
    made.asarray(numbers, urlpath=path, mode="w", chunks=(30, 20), blocks=(8, 10))
    array = oxiblosc.open(path, mode="a")
    array.vlmeta["dims"] = ["y", "x"]
    array.vlmeta["name"] = "t"
    dataset = virtual(path)
    assert dict(dataset.sizes) == {"y": 70, "x": 50}
    repo = repository(data, tmp_path / "repo")
    session = repo.writable_session("main")
    dataset.vz.to_icechunk(session.store)
    session.commit("virtual")
    store = repo.readonly_session("main").store
    found = xr.open_zarr(store, consolidated=False, zarr_format=3)["t"]
    assert found.dims == ("y", "x")
    assert np.array_equal(found.values, numbers)
    assert np.array_equal(found[3:50:7, 11].values, numbers[3:50:7, 11])


def test_chunks_of_the_index_are_missing(tmp_path):
    path = tmp_path / "zeros.b2nd"
    array = oxiblosc.zeros((40, 40), "i4", urlpath=path, chunks=(10, 10), blocks=(5, 5))
    array[12:15, 12:15] = 3
    places = oxiblosc.open(path)._native.chunk_places()
    found = manifest_array(oxiblosc.open(path), f"file://{path}")
    assert len(found.manifest.dict()) == sum(place is not None for place in places)


def test_arrays_without_places(tmp_path):
    with pytest.raises(ValueError, match="contiguous"):
        manifest_array(oxiblosc.zeros(5), "file:///nowhere")
    sparse = oxiblosc.asarray(NUMBERS, urlpath=tmp_path / "s.b2nd", contiguous=False)
    with pytest.raises(ValueError, match="contiguous"):
        manifest_array(sparse, "file:///nowhere")
