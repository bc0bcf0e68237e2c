"""The page in headless Chromium: what it draws and sums up must be what NumPy has.

    python page.py FOLDER [SCREENSHOT.png]

FOLDER holds the page with its modules. Arrays are written by python-blosc2. The browser is driven by its own
protocol over two pipes, so that nothing has to be installed for it.
"""

import base64
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import threading
import zlib
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path

import blosc2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "python" / "examples"))
from ranges import RangeHandler  # noqa: E402

COLOURS = np.array([[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]], float)


class Server(RangeHandler):
    """Files in ranges, with their versions; notes the ranges of arrays."""

    log: list[tuple[str, str | None]] = []
    extensions_map = {**RangeHandler.extensions_map, ".wasm": "application/wasm", ".js": "text/javascript"}

    def end_headers(self) -> None:
        path = self.translate_path(self.path)
        if os.path.isfile(path):
            self.send_header("ETag", f'"{os.stat(path).st_mtime_ns}"')
        super().end_headers()

    def do_GET(self) -> None:
        if self.path.endswith(".b2nd"):
            Server.log.append((self.path, self.headers.get("Range")))
        super().do_GET()


class Browser:
    """Chromium without a window, in a folder of its own."""

    def __init__(self, folder: str) -> None:
        ours, theirs = os.pipe(), os.pipe()
        # The browser reads from descriptor 3 and writes to 4.
        command = (
            'exec chromium --headless=new --no-sandbox --disable-gpu --no-first-run --remote-debugging-pipe '
            f'--window-size=1000,900 --user-data-dir="$1" 3<&{theirs[0]} 4>&{ours[1]} 2>/dev/null'
        )
        self.process = subprocess.Popen(
            ["bash", "-c", command, "bash", folder], pass_fds=(theirs[0], ours[1]), stdout=subprocess.DEVNULL
        )
        os.close(theirs[0])
        os.close(ours[1])
        self.input, self.output = os.fdopen(theirs[1], "wb"), os.fdopen(ours[0], "rb")
        self.rest, self.count, self.session = b"", 0, None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def call(self, method: str, **params):
        """The result of a command."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        self.input.write(json.dumps(message).encode() + b"\0")
        self.input.flush()
        while True:
            while b"\0" not in self.rest:
                more = self.output.read1(1 << 20)
                if not more:
                    raise RuntimeError(f"{method}: the browser has ended")
                self.rest += more
            line, self.rest = self.rest.split(b"\0", 1)
            answer = json.loads(line)
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def evaluate(self, code: str):
        """The value of an expression of the page, which may be a promise."""
        found = self.call("Runtime.evaluate", expression=code, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in found:
            raise RuntimeError(f"{code}: {found['exceptionDetails']}")
        return found["result"].get("value")

    def visit(self, url: str) -> str:
        """What the page says when it has drawn."""
        self.call("Page.enable")
        self.call("Page.navigate", url=url)
        return self.evaluate(f"""new Promise((resolve, reject) => {{
            const started = Date.now();
            const look = () => {{
                const output = location.href === {json.dumps(url)} && document.querySelector("output");
                if (output?.className) resolve(output.className + "\\n" + output.textContent);
                else if (Date.now() - started > 30000) reject(new Error("no answer after 30 s"));
                else setTimeout(look, 20);
            }};
            look();
        }})""")

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()


def painted(box: np.ndarray) -> np.ndarray:
    """The pixels of a box: by definition, not by the page."""
    low, high = float(box.min()), float(box.max())
    place = (box.astype("f8") - low) / (high - low) * (len(COLOURS) - 1)
    return np.stack([np.interp(place, range(len(COLOURS)), COLOURS[:, part]) for part in range(3)], axis=-1)


def png_size(png: bytes) -> tuple[int, int, int]:
    """Width, height, and the number of different bytes of the image, which an empty page has few of."""
    width, height = struct.unpack(">II", png[16:24])
    at, content = 8, b""
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            content += png[at + 8 : at + 8 + length]
        at += length + 12
    return width, height, len(set(zlib.decompress(content)))


def main() -> None:
    page = Path(sys.argv[1]).resolve()
    rng = np.random.default_rng(0)
    y, x = np.meshgrid(np.linspace(0, 9, 2048), np.linspace(0, 7, 1536), indexing="ij")
    field = np.round(np.sin(x) * np.cos(y) + rng.normal(0, 0.02, y.shape), 3).astype("f4")
    cases = {
        "lz4": (field, {"codec": blosc2.Codec.LZ4}),
        "zstd": (field.astype("f8"), {"codec": blosc2.Codec.ZSTD, "clevel": 5}),
        "bitshuffle": ((field * 1000).astype("i2"),
                       {"codec": blosc2.Codec.BLOSCLZ, "filters": [blosc2.Filter.BITSHUFFLE]}),
        "planes": ((field[None] * [[[100]], [[7]]]).astype("i4"), {"codec": blosc2.Codec.ZLIB}),
    }
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "www")
        root.mkdir()
        for file in page.iterdir():
            (root / file.name).write_bytes(file.read_bytes())
        for name, (array, cparams) in cases.items():
            one = (1,) * (array.ndim - 2)
            blosc2.asarray(array, urlpath=str(root / f"{name}.b2nd"), mode="w", chunks=one + (512, 512),
                           blocks=one + (64, 64), cparams={"nthreads": 1, **cparams})
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Server, directory=str(root)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        base = f"http://127.0.0.1:{server.server_port}"
        browser = Browser(str(Path(folder, "profile")))
        try:
            checked = check(browser, base, root, cases)
        finally:
            browser.close()
            server.shutdown()
    print(f"{checked} slices drawn as NumPy has them")


def check(browser: Browser, base: str, root: Path, cases: dict) -> int:
    checked = 0
    for simd in ["no", "yes"]:
        for name, (array, _) in cases.items():
            for row, column, rows, columns in [(500, 480, 64, 64), (2000, 0, 256, 200), (0, 0, 2048, 1536)]:
                size = (root / f"{name}.b2nd").stat().st_size
                Server.log.clear()
                said = browser.visit(f"{base}/index.html?url={name}.b2nd&row={row}&column={column}&rows={rows}"
                                     f"&columns={columns}&simd={simd}")
                what = (simd, name, row, column)
                assert said.startswith("done\n"), (what, said)
                box = array.reshape(-1, *array.shape[-2:])[0, row : row + rows, column : column + columns]
                low, high, total = (float(found) for found in re.search(
                    r"values from (\S+) to (\S+), sum (\S+)", said).groups())
                assert (low, high) == (float(box.min()), float(box.max())), (what, said)
                assert abs(total - box.sum(dtype="f8")) <= 1e-9 * np.abs(box).sum(dtype="f8"), (what, said)
                width, height, content = browser.evaluate(
                    "[canvas.width, canvas.height, btoa(Array.from(canvas.getContext('2d').getImageData(0, 0, "
                    "canvas.width, canvas.height).data, (byte) => String.fromCharCode(byte)).join(''))]"
                    .replace("canvas", "document.querySelector('canvas')"))
                pixels = np.frombuffer(base64.b64decode(content), "u1").reshape(height, width, 4)
                assert pixels.shape[:2] == box.shape and (pixels[..., 3] == 255).all(), what
                error = np.abs(pixels[..., :3] - painted(box)).max()
                assert error <= 0.51, (what, error)
                # Ranges, and of a small slice few bytes.
                counts = re.search(r"opened: (\d+) .*\n.*: (\d+) requests", said).groups()
                # A browser asks once more when a connection breaks.
                assert sum(map(int, counts)) == len(set(Server.log)), (what, said, Server.log)
                assert all(wanted for _, wanted in Server.log), Server.log
                read = sum(int(found) for found in re.findall(r"(\d+) bytes", said))
                # Chunks of the smaller arrays are cheaper as a whole than another round.
                most = size / (20 if name == "lz4" else 2) if rows == 64 else size + 200_000
                assert read < most, (what, said)
                checked += 1
        loaded = browser.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)")
        wasm = [one.rsplit("/", 1)[1] for one in loaded if one.endswith(".wasm")]
        assert wasm == ["oxiblosc-simd.wasm" if simd == "yes" else "oxiblosc.wasm"], wasm
    # Many reads of one array at a time.
    same = browser.evaluate("""import("./oxiblosc.js").then(async ({ open }) => {
        const array = await open("lz4.b2nd");
        const rows = [...Array(24).keys()].map((n) => 80 * n);
        const found = await Promise.all(rows.map((row) => array.slice([[row, row + 1], [0, 1536]])));
        array.close();
        return found.map(({ data }) => Array.from(data));
    })""")
    assert np.array_equal(np.array(same, "f4"), cases["lz4"][0][:1920:80])
    # No array, no file, no such rows, and one that changes.
    (root / "text.b2nd").write_text("this is no array" * 5000)
    for query, expected in [("url=none.b2nd", "404"), ("url=text.b2nd", "frame"), ("url=lz4.b2nd&row=5000", "5000")]:
        said = browser.visit(f"{base}/index.html?{query}")
        assert said.startswith("failed\n") and expected in said, said
    changed = browser.evaluate("""import("./oxiblosc.js").then(async ({ open }) => {
        globalThis.array = await open("zstd.b2nd");
        return array.dtype;
    })""")
    assert changed == "<f8", changed
    os.utime(root / "zstd.b2nd", ns=(1, 1))
    said = browser.evaluate("array.slice([[0, 1], [0, 1536]]).then(() => 'read', (error) => error.message)")
    assert "has changed" in said, said
    # For the eye.
    said = browser.visit(f"{base}/index.html?url=lz4.b2nd&row=400&column=300&rows=512&columns=512")
    assert said.startswith("done\n"), said
    png = base64.b64decode(browser.call("Page.captureScreenshot", format="png")["data"])
    width, height, colours = png_size(png)
    assert width >= 900 and height >= 600 and colours > 100, (width, height, colours)
    if len(sys.argv) > 2:
        Path(sys.argv[2]).write_bytes(png)
    print(said.split("\n", 1)[1])
    return checked


if __name__ == "__main__":
    main()
