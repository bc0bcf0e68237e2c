"""The prices of requests, for arrays at URLs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ReadPolicy:
    """The prices that decide which bytes of an array at a URL are requested.

    Prices are in bytes: what takes as long as a megabyte does to arrive costs 2**20. `round` is
    that of another round of requests, 2 MiB by default; `request` that of another request in a
    round, 256 KiB by default: ranges with smaller gaps between them are one request. Requests are
    of at most `max_request` bytes, 8 MiB by default; longer ranges are several. At most `parallel`
    requests are under way at the same time, 16 by default, and a read holds what they fetch.

    Prices change how fast a read is, never its result.

    >>> ReadPolicy(request=8 << 20).round                       # few requests, more bytes
    2097152
    """

    round: int = 2 << 20
    request: int = 256 << 10
    max_request: int = 8 << 20
    parallel: int = 16

    def __post_init__(self) -> None:
        prices = (self.round, self.request)
        if any(not 0 <= price < 1 << 64 for price in prices):
            raise ValueError(f"prices {prices}; they are bytes, 0 or more")
        if not 0 < self.max_request < 1 << 64 or not 0 < self.parallel < 1 << 32:
            sizes = f"max_request {self.max_request}, parallel {self.parallel}"
            raise ValueError(f"{sizes}; both are 1 or more")

    @classmethod
    def from_latency(
        cls, seconds: float, bytes_per_second: float, parallel: int = 16
    ) -> ReadPolicy:
        """The prices of a connection: seconds until the first byte, bytes per second.

        >>> ReadPolicy.from_latency(0.080, 50e6, 8)
        ReadPolicy(round=4000000, request=500000, max_request=8388608, parallel=8)
        """
        price = int(seconds * bytes_per_second)
        return cls(round=price, request=price // max(parallel, 1), parallel=parallel)
