"""The backend of Xarray."""

import numpy as np
import pytest
import xarray as xr

import oxiblosc

NUMBERS = np.random.default_rng(4).normal(size=(30, 20, 11))


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "a.b2nd"
    array = oxiblosc.asarray(NUMBERS, urlpath=path, chunks=(10, 7, 11))
    array.vlmeta["dims"] = ["time", "y", "x"]
    array.vlmeta["attrs"] = {"unit": "kelvin"}
    array.vlmeta["name"] = "t2m"
    return path


def test_lazy(path):
    dataset = xr.open_dataset(path)
    variable = dataset["t2m"]
    assert variable.dims == ("time", "y", "x") and variable.attrs == {"unit": "kelvin"}
    assert not variable.variable._in_memory
    assert variable.isel(time=3, y=slice(1, 9, 2)).values.tolist() == NUMBERS[3, 1:9:2].tolist()
    outer = variable.isel(time=[7, 2, 2], y=4, x=[0, 10])
    assert np.array_equal(outer, NUMBERS[np.ix_([7, 2, 2], [4], [0, 10])][:, 0])
    points = variable.isel(time=xr.DataArray([1, 2], dims="p"), x=xr.DataArray([3, 4], dims="p"))
    expected = NUMBERS[[1, 2], :, [3, 4]]
    assert np.array_equal(points.transpose("p", "y"), expected)
    assert not variable.variable._in_memory
    assert np.array_equal(variable, NUMBERS)


def test_dask(path):
    variable = xr.open_dataset(path, engine="oxiblosc", chunks={})["t2m"]
    assert variable.chunks[0] == (10, 10, 10) and variable.chunks[1] == (7, 7, 6)
    assert np.allclose(variable.mean("time").compute(), NUMBERS.mean(axis=0))


def test_names(tmp_path):
    path = tmp_path / "b.b2nd"
    oxiblosc.asarray(NUMBERS[0], urlpath=path)
    assert dict(xr.open_dataset(path).sizes) == {"dim_0": 20, "dim_1": 11}
    assert not xr.open_dataset(path, drop_variables="data").data_vars


def test_prices_of_requests(tmp_path, http):
    url, ranges = http
    oxiblosc.asarray(NUMBERS, urlpath=tmp_path / "a.b2nd", chunks=(10, 7, 11),
                     cparams={"clevel": 0})
    counts = []
    for policy in (oxiblosc.ReadPolicy(max_request=5000), oxiblosc.ReadPolicy(request=8 << 20)):
        variable = xr.open_dataset(f"{url}/a.b2nd", engine="oxiblosc", policy=policy)["data"]
        ranges.clear()
        assert np.array_equal(variable, NUMBERS)
        counts.append(len(ranges))
    assert counts[0] > counts[1]
