#!/usr/bin/env python3
"""A 4 GB array within 256 MB of memory: created, sliced, converted.

    python3 interop/python/big.py target/release/oxiblosc [GIB]

The array comes from a pipe, so that no file of 4 GB is needed, and is made of rows that compress. Every step runs as a
process of its own with its address space limited to 1 GiB and the peak of its resident memory measured, which must stay
below 256 MB; what slices hold is compared with the formula of the elements.
"""

import array
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

LIMIT = 256_000_000
COLUMNS = 8192


def row(number):
    """Row `number`: COLUMNS times an u32, number * 7 + column // 16."""
    return array.array("I", [(number * 7 + column // 16) % 2**32 for column in range(COLUMNS)])


class Steps:
    """Runs the command, and watches its memory."""

    def __init__(self, command):
        self.command, self.worst = command, 0

    def run(self, name, *arguments, feed=None):
        started = time.monotonic()

        def limits():
            resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))

        process = subprocess.Popen(
            [self.command, *map(str, arguments)],
            stdin=subprocess.PIPE if feed else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=limits,
        )
        if feed:
            for piece in feed:
                process.stdin.write(piece)
            process.stdin.close()
        out = process.stdout.read()
        errors = process.stderr.read().decode(errors="replace")
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        peak = usage.ru_maxrss * 1024
        self.worst = max(self.worst, peak)
        print(f"{name}: {peak / 1e6:.1f} MB at most, {time.monotonic() - started:.1f} s")
        if status != 0:
            raise SystemExit(f"{name}: status {status}: {errors.strip()}")
        if peak > LIMIT:
            raise SystemExit(f"{name}: {peak} bytes of memory, at most {LIMIT} are allowed")
        return out


def rows_as_bytes(rows):
    """All rows, 64 at a time. From row 128 on they repeat the first 64, which saves making them."""
    first = [row(number) for number in range(64)]
    for start in range(0, rows, 64):
        yield b"".join((row(start + n) if start < 128 else first[n]).tobytes() for n in range(64))


def expected(number):
    return row(number if number < 128 else number % 64)


def main():
    command = pathlib.Path(sys.argv[1]).resolve()
    gib = int(sys.argv[2]) if len(sys.argv) > 2 else 4
    rows = (gib << 30) // (4 * COLUMNS)
    steps = Steps(command)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        first, second, third = (folder / name for name in ("a.b2nd", "b.b2nd", "c.d"))
        raw = ["--dtype", "<u4", "--shape", f"{rows},{COLUMNS}"]
        threads = ["--threads", "2"]
        steps.run("created from a pipe", "convert", "-", "-o", first, *raw, *threads, "--codec", "lz4", feed=rows_as_bytes(rows))
        print(f"the file has {first.stat().st_size / 1e6:.1f} MB")
        for start in (0, 100, rows // 2, rows - 3):
            found = steps.run(f"rows {start} to {start + 3}", "cat", first, "--slice", f"{start}:{start + 3}")
            if found != b"".join(expected(start + n).tobytes() for n in range(3)):
                raise SystemExit(f"rows {start} to {start + 3} differ")
        column = array.array("I", steps.run("a column", "cat", first, "--slice", ":,5000", *threads))
        wanted = [expected(n)[5000] for n in range(192)]
        if len(column) != rows or any(value != wanted[n if n < 128 else 128 + n % 64] for n, value in enumerate(column)):
            raise SystemExit("the column differs")
        options = ["--chunks", "100,8192", "--blocks", "25,2048", "--codec", "zstd", "--level", "1"]
        steps.run("converted to other chunks", "convert", first, "-o", second, *options, *threads)
        steps.run("converted to a folder", "convert", second, "-o", third, "--to", "b2nd", "--sparse", *threads)
        steps.run("verified", "verify", second, *threads)
        for start in (77, rows - 150):
            for source in (second, third):
                found = steps.run(f"rows of {source.name}", "cat", source, "--slice", f"{start}:{start + 140}:20")
                if found != b"".join(expected(start + n).tobytes() for n in range(0, 140, 20)):
                    raise SystemExit(f"rows of {source.name} differ")
    print(f"{gib} GiB: {steps.worst / 1e6:.1f} MB at most")
    return 0


if __name__ == "__main__":
    sys.exit(main())
