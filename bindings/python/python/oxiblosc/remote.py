"""Objects of fsspec, read in ranges."""

from __future__ import annotations

import hashlib
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
            if len(part) != stop - start:
                text = f"{len(part)} bytes for the range {start}..{stop}; does it answer ranges?"
                raise OSError(f"{self.url}: {text}")
        return parts
