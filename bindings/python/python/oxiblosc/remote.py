"""Objects of fsspec, read in ranges."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any

# Names of the version of an object: HTTP, S3, GCS, Azure, files, memory.
VERSION = ("size", "ETag", "etag", "LastModified", "last_modified", "updated", "mtime", "created")


class FsspecStorage:
    """An object whose ranges the library reads; those of one round are requested together."""

    def __init__(self, url: str, options: dict[str, Any]) -> None:
        from fsspec.core import url_to_fs

        self.url = url
        self.fs, self.path = url_to_fs(url, **options)

    def size(self) -> int:
        """The number of bytes, by a request of its own."""
        return int(self.fs.info(self.path)["size"])

    def ends(self, front: int, tail: int) -> tuple[bytes, bytes | None]:
        """The first and the last bytes; `None` where no range counts from the end."""
        paths, starts, stops = [self.path] * 2, [0, -tail], [front, None]
        first, last = self.fs.cat_ranges(paths, starts, stops, on_error="return")
        if isinstance(first, BaseException):
            raise first
        if len(first) > front:
            text = f"{len(first)} bytes for the range 0..{front}; does it answer ranges?"
            raise OSError(f"{self.url}: {text}")
        if isinstance(last, BaseException) or len(last) > tail:
            last = None
        self._seen = hashlib.sha256(first + b"|" + (last or b"")).hexdigest()
        return first, last

    def stamp(self) -> list[Any]:
        """What tells one version of the object from another, as far as its store says it."""
        info = self.fs.info(self.path)
        return [self._seen] + [str(info.get(name)) for name in VERSION]

    def stream(
        self, ranges: list[tuple[int, int]], parallel: int
    ) -> Iterator[tuple[int, bytes]]:
        """The numbers and the bytes of ranges, as they arrive; `parallel` are under way at once.

        The requests run in the loop that fsspec has, while the caller decodes what it got. File
        systems without one answer a range after the other.
        """
        from fsspec.asyn import AsyncFileSystem

        if not isinstance(self.fs, AsyncFileSystem) or self.fs.asynchronous:
            for number, range_ in enumerate(ranges):
                yield number, self.read_ranges([range_])[0]
            return
        if len(ranges) == 1:
            yield 0, self.read_ranges(ranges)[0]
            return
        left = iter(enumerate(ranges))
        waiting: dict[Future[bytes], int] = {}
        try:
            while True:
                while len(waiting) < parallel and (after := next(left, None)) is not None:
                    number, (start, stop) = after
                    request = self.fs._cat_file(self.path, start=start, end=stop)
                    waiting[asyncio.run_coroutine_threadsafe(request, self.fs.loop)] = number
                if not waiting:
                    return
                for done in wait(waiting, return_when=FIRST_COMPLETED).done:
                    number = waiting.pop(done)
                    part = done.result()
                    self._check(part, *ranges[number])
                    yield number, part
        finally:
            # After a failure, or when the caller stops.
            for request in waiting:
                request.cancel()

    def _check(self, part: bytes, start: int, stop: int) -> None:
        """Refuses a part of another length than its range."""
        if len(part) != stop - start:
            text = f"{len(part)} bytes for the range {start}..{stop}; does it answer ranges?"
            raise OSError(f"{self.url}: {text}")

    def read_ranges(self, ranges: list[tuple[int, int]]) -> list[bytes]:
        """The bytes of each range, as the library calls it."""
        if len(ranges) == 1:
            ((start, stop),) = ranges
            parts = [self.fs.cat_file(self.path, start=start, end=stop)]
        else:
            starts, stops = zip(*ranges)
            paths = [self.path] * len(ranges)
            parts = self.fs.cat_ranges(paths, list(starts), list(stops), on_error="raise")
        for (start, stop), part in zip(ranges, parts):
            self._check(part, start, stop)
        return parts
