#!/usr/bin/env python3
"""Frames changed in turn by the `oxiblosc` command and by python-blosc2.

    PYTHON tests/interop/check_frames.py target/release/oxiblosc

Each round one of the two changes a frame, a file or a sparse directory; then both read it, and every byte must agree
with a plain model. Prints the number of checks and ends with status 1 when anything differs.
"""

import pathlib
import random
import subprocess
import sys
import tempfile

import blosc2


def run(command, *args, stdin=b""):
    done = subprocess.run([command, *map(str, args)], input=stdin, capture_output=True)
    if done.returncode:
        raise RuntimeError(f"{args}: {done.stderr.decode()}")
    return done.stdout


def main():
    command = pathlib.Path(sys.argv[1]).resolve()
    rng = random.Random(5)
    checks = edits = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for case in range(40):
            path = pathlib.Path(folder) / f"{case}.b2frame"
            sparse = case % 2 == 1
            data = bytes(rng.randrange(7) for _ in range(4 * rng.randrange(200, 2000)))
            options = ["--chunk-size", "1000", "--typesize", "4", *(["--sparse"] if sparse else [])]
            run(command, "compress", "-", "-o", path, *options, stdin=data)
            model = [data[at : at + 1000] for at in range(0, len(data), 1000)]
            try:
                for _ in range(6):
                    more = bytes(rng.randrange(250) for _ in range(1000))
                    short = len(model[-1]) < 1000
                    if rng.random() < 0.5 or short:
                        if short:
                            more = more[len(model[-1]) :]
                            model[-1] += more
                        else:
                            model.append(more)
                        run(command, "append", path, "-", stdin=more)
                        if rng.random() < 0.3:
                            run(command, "compact", path)
                    else:
                        schunk = blosc2.open(str(path), mode="a")
                        at = rng.randrange(len(model))
                        kind = rng.randrange(3)
                        if kind == 0:
                            schunk.append_data(more)
                            model.append(more)
                        elif kind == 1:
                            schunk.update_data(at, more, copy=True)
                            model[at] = more
                        else:
                            schunk.insert_data(at, more, copy=True)
                            model.insert(at, more)
                        del schunk
                    edits += 1
                    whole = b"".join(model)
                    run(command, "verify", path)
                    if run(command, "decompress", path, "-o", "-") != whole:
                        raise RuntimeError("oxiblosc reads something else")
                    schunk = blosc2.open(str(path), mode="r")
                    if schunk.nchunks != len(model) or schunk[:] != whole:
                        raise RuntimeError("python-blosc2 reads something else")
                    checks += 2
            except Exception as error:
                failed += 1
                print(f"case {case}, {'sparse' if sparse else 'contiguous'}: {error}")
    print(f"check_frames: {checks} checks after {edits} changes, {failed} cases failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
