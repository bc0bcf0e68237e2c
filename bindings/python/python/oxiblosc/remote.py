"""Objects of fsspec, read in ranges."""

from __future__ import annotations

from typing import Any


class FsspecStorage:
    """An object whose ranges the library reads; ranges of one call are requested together.

    The front of the object is read once: opening an array takes its header, and metadata of
    small arrays is there, too.
    """

    FRONT = 16 * 1024

    def __init__(self, url: str, options: dict[str, Any]) -> None:
        from fsspec.core import url_to_fs

        self.fs, self.path = url_to_fs(url, **options)
        self.size = int(self.fs.info(self.path)["size"])
        self.front = self.fs.cat_file(self.path, start=0, end=min(self.FRONT, self.size))
        if len(self.front) != min(self.FRONT, self.size):
            text = f"{url} does not answer ranges: {len(self.front)} bytes of {self.FRONT}"
            raise OSError(text)

    def read_ranges(self, ranges: list[tuple[int, int]]) -> list[bytes]:
        """The bytes of each range, as the library calls it."""
        parts: list[Any] = [
            self.front[start:stop] if stop <= len(self.front) else None for start, stop in ranges
        ]
        missing = [at for at, part in enumerate(parts) if part is None]
        if len(missing) == 1:
            start, stop = ranges[missing[0]]
            parts[missing[0]] = self.fs.cat_file(self.path, start=start, end=stop)
        elif missing:
            starts = [ranges[at][0] for at in missing]
            stops = [ranges[at][1] for at in missing]
            paths = [self.path] * len(missing)
            found = self.fs.cat_ranges(paths, starts, stops)
            for at, part in zip(missing, found):
                parts[at] = part
        return parts
