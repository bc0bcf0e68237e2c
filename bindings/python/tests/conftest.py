"""What several tests use."""

import os
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest


class Ranges(SimpleHTTPRequestHandler):
    """Files with range requests, which are noted."""

    protocol_version = "HTTP/1.1"
    log: list[str] = []
    suffixes = True

    def log_message(self, *_):
        pass

    def do_GET(self):
        wanted = self.headers.get("Range")
        type(self).log.append(wanted or "all")
        if wanted is None or not os.path.isfile(self.translate_path(self.path)):
            return super().do_GET()
        with open(self.translate_path(self.path), "rb") as file:
            content = file.read()
        first, last = wanted.removeprefix("bytes=").split("-")
        if not first:
            if not type(self).suffixes:
                self.send_error(501)
                return None
            first, last = max(len(content) - int(last), 0), len(content) - 1
        part = content[int(first) : int(last) + 1]
        self.send_response(206)
        self.send_header("Content-Length", str(len(part)))
        self.send_header("Content-Range", f"bytes {first}-{int(first) + len(part) - 1}/{len(content)}")
        self.end_headers()
        self.wfile.write(part)
        return None

    def send_head(self):
        return super().send_head()

    def end_headers(self):
        self.send_header("Accept-Ranges", "bytes")
        super().end_headers()


@pytest.fixture
def http(tmp_path):
    """The URL of a server of `tmp_path`, and the list of ranges that were asked for."""
    Ranges.log.clear()
    Ranges.suffixes = True
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Ranges, directory=str(tmp_path)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", Ranges.log
    server.shutdown()
