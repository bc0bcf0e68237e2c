"""Objects of fsspec, read in ranges."""

from __future__ import annotations

from typing import Any


class FsspecStorage:
    """An object whose ranges the library reads; those of one round are requested together."""

    def __init__(self, url: str, options: dict[str, Any]) -> None:
        from fsspec.core import url_to_fs

        self.url = url
        self.fs, self.path = url_to_fs(url, **options)
        self.size = int(self.fs.info(self.path)["size"])

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
