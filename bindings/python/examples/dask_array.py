"""One array, four ways to hold it, and worker processes that compute over it.

    python dask_array.py [--mib 200] [--workers 1 2] [--directory DIR]

Each cell below stands by itself, as in a notebook. The table at the end has the seconds of each way
for each number of workers, one thread each: what is in the workers is all there is.
"""

# %% What is needed: pip install oxiblosc "dask[array,distributed]" zarr xarray virtualizarr icechunk
import argparse
import os
import signal
import tempfile
import time
from functools import partial
from http.server import ThreadingHTTPServer
from multiprocessing import get_context
from pathlib import Path

import dask.array as da
import icechunk
import numpy as np
import xarray as xr
import zarr
from distributed import Client, LocalCluster
from obspec_utils.registry import ObjectStoreRegistry
from obstore.store import LocalStore
from ranges import RangeHandler
from virtualizarr import open_virtual_dataset

import oxiblosc
from oxiblosc.virtual import B2ndParser
from oxiblosc.zarr import B2ndChunkCodec

CHUNKS = (8, 512, 512)


# %% The data: a smooth field of 32-bit floats with a little noise, slab after slab.
def make(folder: Path, mib: int) -> None:
    """Writes the field as `field.b2nd` and as `field.zarr`."""
    shape = (max(mib // 32, 1) * 8, 1024, 1024)
    rng = np.random.default_rng(0)
    y, x = np.meshgrid(np.linspace(0, 9, 1024), np.linspace(0, 7, 1024), indexing="ij")
    array = oxiblosc.empty(shape, "f4", urlpath=folder / "field.b2nd", mode="w", chunks=CHUNKS,
                           blocks=(2, 128, 128), cparams={"codec": "lz4", "nthreads": 2})
    array.vlmeta["dims"] = ["time", "y", "x"]
    array.vlmeta["name"] = "field"
    store = zarr.create_array(folder / "field.zarr", shape=shape, chunks=CHUNKS, dtype="f4",
                              compressors=zarr.codecs.BloscCodec(cname="lz4"), overwrite=True)
    with array:
        for at in range(0, shape[0], 8):
            t = np.arange(at, at + 8)[:, None, None]
            slab = np.sin(x + t / 5) * np.cos(y - t / 7) + rng.normal(0, 1e-4, (8, *x.shape))
            array[at : at + 8] = store[at : at + 8] = np.round(slab.astype("f4"), 3)


# %% (a) A file: the array itself, which workers open by its path.
def from_file(folder: Path, url: str) -> da.Array:
    return oxiblosc.open(folder / "field.b2nd").to_dask()


# %% (b) The same file as a Zarr array in Icechunk: byte ranges, no copy.
def from_icechunk(folder: Path, url: str) -> da.Array:
    place = f"file://{folder}/"
    config = icechunk.RepositoryConfig.default()
    container = icechunk.local_filesystem_store(str(folder))
    config.set_virtual_chunk_container(icechunk.VirtualChunkContainer(place, container))
    storage = icechunk.local_filesystem_storage(str(folder / "repository"))
    allowed = icechunk.containers_credentials({place: None})
    new = not (folder / "repository").exists()
    repo = icechunk.Repository.open_or_create(storage, config, authorize_virtual_chunk_access=allowed)
    if new:
        registry = ObjectStoreRegistry({"file://": LocalStore()})
        dataset = open_virtual_dataset(f"{place}field.b2nd", registry=registry, parser=B2ndParser())
        session = repo.writable_session("main")
        dataset.vz.to_icechunk(session.store)
        session.commit("the file, as it lies")
    store = repo.readonly_session("main").store
    return xr.open_zarr(store, consolidated=False, zarr_format=3, chunks={})["field"].data


# %% (c) A Zarr store, with our `blosc` in the place of numcodecs'. Workers are told in `main`.
def from_zarr(folder: Path, url: str) -> da.Array:
    return da.from_zarr(str(folder / "field.zarr"))


# %% (d) An object behind HTTP: workers request the ranges that they need.
def from_http(folder: Path, url: str) -> da.Array:
    return oxiblosc.open(f"{url}/field.b2nd").to_dask()


WAYS = {
    "(a) `.b2nd` file": from_file,
    "(b) the same, virtual Zarr in Icechunk": from_icechunk,
    "(c) Zarr v3 store, our `blosc`": from_zarr,
    "(d) the same file over HTTP": from_http,
}


# %% What is computed. The last one writes a new Zarr store from the workers.
def mean(array: da.Array, target: str) -> float:
    return float(array.mean(dtype="f8").compute())


def sums(array: da.Array, target: str) -> np.ndarray:
    return array.sum(axis=0, dtype="f8").compute()


def rechunked(array: da.Array, target: str) -> None:
    """Other chunks, with n-dimensional blocks inside."""
    chunks = (array.shape[0], 128, 128)
    out = zarr.create_array(target, shape=array.shape, chunks=chunks, dtype="f4", overwrite=True,
                            serializer=B2ndChunkCodec(blocks=(8, 64, 64), codec="lz4"),
                            compressors=None)
    da.store(array.rechunk(chunks), out, lock=False)


STEPS = {"mean": mean, "sum along an axis": sums, "rechunk, write": rechunked}


# %% A worker that is killed in the middle: its tasks run again elsewhere.
def slowly(block: np.ndarray) -> np.ndarray:
    """The block, after a while: so that there is a middle."""
    time.sleep(0.05)
    return block


def kill_one(client: Client, array: da.Array) -> np.ndarray:
    """The sums, while one worker process that holds a part of them ends without a word."""
    pids = client.run(os.getpid)
    victim = next(iter(pids))
    future = client.compute(array.map_blocks(slowly).sum(axis=0, dtype="f8"))
    while not client.has_what()[victim]:
        time.sleep(0.01)
    os.kill(pids[victim], signal.SIGKILL)
    assert future.status == "pending", "the sums were there before the worker was gone"
    return future.result(timeout=120)


def serve(folder: str, queue) -> None:
    """A server of files with ranges, in a process of its own."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(RangeHandler, directory=folder))
    queue.put(server.server_port)
    server.serve_forever()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mib", type=int, default=192, help="size of the array")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--directory", type=Path, help="kept, and used again")
    options = parser.parse_args()
    folder = (options.directory or Path(tempfile.mkdtemp())).resolve()
    if not (folder / "field.zarr").exists():
        make(folder, options.mib)
    shape = oxiblosc.open(folder / "field.b2nd").shape
    spawn = get_context("spawn")
    queue = spawn.Queue()
    server = spawn.Process(target=serve, args=(str(folder), queue), daemon=True)
    server.start()
    url = f"http://127.0.0.1:{queue.get()}"
    whole = oxiblosc.load(folder / "field.b2nd")
    expected = whole.sum(axis=0, dtype="f8")
    seconds: dict[tuple[str, str, int], float] = {}
    for count in options.workers:
        with LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=None,
                          worker_dashboard_address=None) as cluster, Client(cluster) as client:
            ours = {"codecs.blosc": "oxiblosc.zarr.BloscCodec"}
            client.run(zarr.config.set, ours)
            zarr.config.set(ours)
            for way, opener in WAYS.items():
                array = opener(folder, url)
                for step, work in STEPS.items():
                    since = time.perf_counter()
                    found = work(array, str(folder / "out.zarr"))
                    seconds[way, step, count] = time.perf_counter() - since
                    if step == "mean":
                        assert np.isclose(found, whole.mean(dtype="f8"))
                    elif step == "sum along an axis":
                        assert np.allclose(found, expected)
                    else:
                        assert np.array_equal(zarr.open_array(folder / "out.zarr")[...], whole)
            if count > 1:
                assert np.allclose(kill_one(client, from_file(folder, url)), expected)
                print("a worker was killed: the sums are right")
    server.terminate()
    stored = os.path.getsize(folder / "field.b2nd")
    print(f"{shape} f4, {whole.nbytes >> 20} MiB, {stored >> 20} MiB stored, seconds per number of workers\n")
    print("| | " + " | ".join(STEPS) + " |\n|---|" + "---|" * len(STEPS))
    for way in WAYS:
        cells = [" / ".join(f"{seconds[way, step, count]:.2f}" for count in options.workers) for step in STEPS]
        print(f"| {way} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
