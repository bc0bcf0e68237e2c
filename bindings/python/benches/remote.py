"""Arrays behind HTTP with 20 ms per request, against the remote arrays of python-blosc2.

    python remote.py [--rounds 5]

4096² `f4`, chunks of 1024², blocks of 128², LZ4, on the loopback. Every read opens the array again, so that
nothing is cached; the requests are those of the read, the milliseconds the median of the rounds, in which the
readers take turns: oxiblosc, the same with the prices of this connection, python-blosc2.
"""

import argparse
import statistics
import sys
import tempfile
import time
from functools import partial
from http.server import ThreadingHTTPServer
from multiprocessing import SimpleQueue, get_context
from pathlib import Path
from urllib.request import urlopen

import blosc2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
from ranges import RangeHandler  # noqa: E402

import oxiblosc  # noqa: E402

class Slow(RangeHandler):
    """Waits before each answer, and counts; `/count` says how many there were since the last time."""

    seen = 0

    def do_HEAD(self) -> None:
        Slow.seen += 1
        time.sleep(0.02)
        super().do_HEAD()

    def do_GET(self) -> None:
        if self.path == "/count":
            answer, Slow.seen = str(Slow.seen).encode(), 0
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)
            return
        Slow.seen += 1
        time.sleep(0.02)
        super().do_GET()


def serve(folder: str, queue: SimpleQueue) -> None:
    """A server in a process of its own."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Slow, directory=folder))
    queue.put(server.server_port)
    server.serve_forever()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    rng = np.random.default_rng(0)
    y, x = np.meshgrid(np.linspace(0, 9, 4096), np.linspace(0, 7, 4096), indexing="ij")
    numbers = np.round((np.sin(x) * np.cos(y) + rng.normal(0, 1e-3, y.shape)).astype("f4"), 4)
    keys = {
        "element": (2000, 2000), "row": 2000, "column": (slice(None), 2000),
        "box of 64² over 4 chunks": (slice(1000, 1064),) * 2,
        "box of 512²": (slice(1000, 1512),) * 2, "all": (slice(None),) * 2,
    }
    with tempfile.TemporaryDirectory() as folder:
        oxiblosc.asarray(numbers, urlpath=f"{folder}/a.b2nd", chunks=(1024, 1024), blocks=(128, 128),
                         cparams={"codec": "lz4"})
        spawn = get_context("spawn")
        queue = spawn.SimpleQueue()
        server = spawn.Process(target=serve, args=(folder, queue), daemon=True)
        server.start()
        base = f"http://127.0.0.1:{queue.get()}"
        url = f"{base}/a.b2nd"

        def count() -> int:
            with urlopen(f"{base}/count") as answer:
                return int(answer.read())

        policy = oxiblosc.ReadPolicy.from_latency(0.020, 200e6)
        openers = [
            lambda: oxiblosc.open(url),
            lambda: oxiblosc.open(url, policy=policy),
            lambda: blosc2.open(url),
        ]
        print("| | requests | ms | with prices: requests | ms | python-blosc2: requests | ms |")
        print("|---" * 7 + "|")
        for name in ["open", *keys]:
            times: list[list[float]] = [[] for _ in openers]
            requests = [0 for _ in openers]
            # The first round warms the connections.
            for turn in range(-1, rounds):
                for number, opener in enumerate(openers):
                    count()
                    since = time.perf_counter()
                    array = opener()
                    if name != "open":
                        count()
                        since = time.perf_counter()
                        found = array[keys[name]]
                    if turn >= 0:
                        times[number].append(time.perf_counter() - since)
                    requests[number] = count()
                    assert name == "open" or np.array_equal(found, numbers[keys[name]])
            cells = [
                f"{count} | {1000 * statistics.median(taken):.0f}"
                for count, taken in zip(requests, times)
            ]
            print(f"| {name} | " + " | ".join(cells) + " |")
        server.terminate()


if __name__ == "__main__":
    main()
