"""A server of files that answers range requests, as object stores do."""

from __future__ import annotations

import os
from http.server import SimpleHTTPRequestHandler


class RangeHandler(SimpleHTTPRequestHandler):
    """Files of a folder, whole or in one range."""

    protocol_version = "HTTP/1.1"
    # Header and body are two writes: without, the second one waits for an acknowledgement.
    disable_nagle_algorithm = True

    def log_message(self, *_: object) -> None:
        """Says nothing."""

    def end_headers(self) -> None:
        """States that ranges are answered."""
        self.send_header("Accept-Ranges", "bytes")
        super().end_headers()

    def do_GET(self) -> None:
        """Answers one range, or the whole file."""
        wanted = self.headers.get("Range")
        path = self.translate_path(self.path)
        if wanted is None or not os.path.isfile(path):
            super().do_GET()
            return
        size = os.path.getsize(path)
        first, last = wanted.removeprefix("bytes=").split("-")
        # Without a first byte the range counts from the end.
        start = int(first) if first else max(size - int(last), 0)
        stop = min(int(last) + 1, size) if first and last else size
        self.send_response(206)
        self.send_header("Content-Length", str(stop - start))
        self.send_header("Content-Range", f"bytes {start}-{stop - 1}/{size}")
        self.end_headers()
        with open(path, "rb") as file:
            file.seek(start)
            self.wfile.write(file.read(stop - start))
