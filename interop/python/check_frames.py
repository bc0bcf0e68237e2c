#!/usr/bin/env python3
"""Frames changed in turn by oxiblosc and by python-blosc2.

    PYTHON interop/python/check_frames.py target/release/oxiblosc target/release/examples/frame_edits [ROUNDS]

Each round one of the two makes a few changes to a frame, a file or a sparse directory: whole chunks, items, special
values, metalayers of both kinds, seals, compaction. Then both read everything, which must agree with a plain model.
Changes by python-blosc2 take a seal away, but for updates of metalayers, which void that part of it; there is never a
false alarm. Prints the number of checks and ends with status 1 when anything differs.
"""

import os
import pathlib
import random
import subprocess
import sys
import tempfile

import blosc2

CHUNK = 1000
# What neither side of a comparison is about.
SEAL = "oxiblosc.seal"


def run(command, *args, stdin=b""):
    env = {**os.environ, "CHUNKSIZE": str(CHUNK)}
    done = subprocess.run([command, *map(str, args)], input=stdin, capture_output=True, env=env)
    if done.returncode:
        raise RuntimeError(f"{args}: {done.stderr.decode()}")
    return done.stdout


def packed(content):
    """Bytes in msgpack, as python-blosc2 keeps them in metalayers."""
    return b"\xc4" + bytes([len(content)]) + content


class Model:
    def __init__(self):
        self.chunks = []
        self.fixed = b"original"
        self.vlmeta = {}

    def data(self):
        return b"".join(self.chunks)

    def cut(self, data):
        """Takes new content of the same size."""
        for n, chunk in enumerate(self.chunks):
            self.chunks[n], data = data[: len(chunk)], data[len(chunk) :]

    def append(self, data):
        """Bytes at the end: a short last chunk is filled up."""
        while data:
            if not self.chunks or len(self.chunks[-1]) >= CHUNK:
                self.chunks.append(b"")
            capacity = CHUNK - len(self.chunks[-1])
            self.chunks[-1] += data[:capacity]
            data = data[capacity:]

    def lines(self):
        lines = [f"chunk {chunk.hex()}" for chunk in self.chunks]
        lines.append(f"meta fixed {packed(self.fixed).hex()}")
        return lines + sorted(f"vlmeta {name} {packed(content).hex()}" for name, content in self.vlmeta.items())


def some(rng, n, top):
    return bytes(rng.randrange(top) for _ in range(n))


def ours(rng, model, even):
    """The lines of a few changes, done to the model as well."""
    lines = []
    for _ in range(rng.randrange(1, 5)):
        kind, n = rng.randrange(11), len(model.chunks)
        full = all(len(chunk) == CHUNK for chunk in model.chunks)
        data = some(rng, CHUNK, rng.choice([1, 7, 250]))
        at = rng.randrange(n + 1)
        if kind <= 1 and (full or even):
            data = data * rng.randrange(1, 3) if even else data
            lines.append(f"append {data.hex()}")
            model.append(data)
        elif kind == 2:
            if not even:
                data = data[: 4 * rng.randrange(10, 250)]
            if even and n and len(model.chunks[-1]) < CHUNK and at == n:
                continue
            lines.append(f"insert {at} {data.hex()}")
            model.chunks.insert(at, data)
        elif kind == 3 and at < n:
            lines.append(f"update {at} {data.hex()}")
            model.chunks[at] = data
        elif kind == 4 and at < n:
            lines.append(f"delete {at}")
            del model.chunks[at]
        elif kind == 5 and n:
            whole = model.data()
            start = rng.randrange(len(whole) // 4)
            new = data[: 4 * rng.randrange(1, min(250, len(whole) // 4 - start) + 1)]
            lines.append(f"items {start} {new.hex()}")
            model.cut(whole[: 4 * start] + new + whole[4 * start + len(new) :])
        elif kind == 6 and n and full:
            order = rng.sample(range(n), n)
            lines.append("reorder " + ",".join(map(str, order)))
            model.chunks = [model.chunks[i] for i in order]
        elif kind == 7 and full:
            lines.append(f"special zeros {2 * CHUNK}")
            model.chunks += [bytes(CHUNK)] * 2
        elif kind == 8:
            model.fixed = some(rng, 8, 250)
            lines.append(f"meta fixed {packed(model.fixed).hex()}")
        elif kind == 9:
            name, content = f"v{rng.randrange(3)}", some(rng, rng.randrange(100), 250)
            model.vlmeta[name] = content
            lines.append(f"vlmeta {name} {packed(content).hex()}")
        elif kind == 10 and model.vlmeta:
            name = rng.choice(sorted(model.vlmeta))
            del model.vlmeta[name]
            lines.append(f"novlmeta {name}")
    return lines


def theirs(rng, model, path):
    """A few changes by python-blosc2; returns their kinds."""
    schunk = blosc2.open(str(path), mode="a")
    done = []
    for _ in range(rng.randrange(1, 5)):
        kind, n = rng.randrange(9), len(model.chunks)
        data = some(rng, CHUNK, rng.choice([2, 7, 250]))
        # When a removal leaves one chunk that is shorter than the chunk size, C refuses the next changes; and it fills
        # no short last chunk. A frame that lost all its chunks keeps their size, and C takes no larger ones then.
        if n == 0 or (n == 1 and len(model.chunks[0]) < CHUNK):
            kind = max(kind, 6)
        short = bool(model.chunks) and len(model.chunks[-1]) < CHUNK
        at = rng.randrange(n + 1)
        if kind == 0 and not short:
            schunk.append_data(data)
            model.chunks.append(data)
        elif kind == 1 and (at < n or not short):
            schunk.insert_data(at, data, copy=True)
            model.chunks.insert(at, data)
        elif kind in (2, 3) and at < n and len(model.chunks[at]) == CHUNK:
            schunk.update_data(at, data, copy=True)
            model.chunks[at] = data
        elif kind == 4 and at < n:
            schunk.delete_chunk(at)
            del model.chunks[at]
        elif kind == 5 and n and not short:
            order = rng.sample(range(n), n)
            schunk.reorder_offsets(order)
            model.chunks = [model.chunks[i] for i in order]
        elif kind == 6:
            model.fixed = some(rng, 8, 250)
            schunk.meta["fixed"] = model.fixed
        elif kind == 7:
            name, content = f"v{rng.randrange(3)}", some(rng, rng.randrange(100), 250)
            schunk.vlmeta[name] = content
            model.vlmeta[name] = content
        elif kind == 8 and model.vlmeta:
            name = rng.choice(sorted(model.vlmeta))
            del schunk.vlmeta[name]
            del model.vlmeta[name]
        else:
            continue
        done.append(kind)
    return done


def check_by_us(edits, path, model, sealed):
    out = run(edits, path, stdin=b"show").decode().splitlines()
    state, *lines = out
    lines = [line for line in lines if not line.startswith(f"vlmeta {SEAL} ")]
    vlmeta = sorted(line for line in lines if line.startswith("vlmeta "))
    lines = [line for line in lines if not line.startswith("vlmeta ")] + vlmeta
    if lines != model.lines():
        raise RuntimeError("oxiblosc reads something else")
    if state != sealed:
        raise RuntimeError(f"the frame is {state}, not {sealed}")


def check_by_them(path, model):
    schunk = blosc2.open(str(path), mode="r")
    chunks = [schunk.decompress_chunk(n) for n in range(schunk.nchunks)]
    if chunks != model.chunks or schunk.nbytes != len(model.data()):
        raise RuntimeError("python-blosc2 reads other chunks")
    if schunk.meta["fixed"] != model.fixed:
        raise RuntimeError("python-blosc2 reads another metalayer")
    vlmeta = schunk.vlmeta.getall()
    vlmeta.pop(SEAL, None)
    if vlmeta != model.vlmeta:
        raise RuntimeError("python-blosc2 reads other vlmetalayers")


def play(rng, command, edits, path, even, sparse, rounds):
    """One frame; returns the numbers of changes by us, by them, and of checks."""
    model, counts, sealed = Model(), [0, 0, 0], "unsealed"
    begin = f"create {'sparse' if sparse else 'contiguous'} {CHUNK}\n"
    for number in range(rounds):
        if number == 0 or rng.random() < 0.5:
            lines = ours(rng, model, even)
            counts[0] += len(lines)
            sealed = "unsealed" if lines else sealed
            if rng.random() < 0.5:
                sealed = "sealed"
                lines.append("seal")
            run(edits, path, stdin=(begin + "\n".join(lines)).encode())
            begin = ""
            if rng.random() < 0.3:
                run(command, "compact", path)
        else:
            done = theirs(rng, model, path)
            counts[1] += len(done)
            if done and sealed != "unsealed":
                sealed = "updated" if set(done) == {6} else "unsealed"
        check_by_us(edits, path, model, sealed)
        check_by_them(path, model)
        said = run(command, "verify", path).decode()
        words = {"sealed": "good, sealed, ", "updated": "good, sealed but", "unsealed": f"good, {len(model.chunks)} "}
        if words[sealed] not in said:
            raise RuntimeError(f"verify says {said!r}")
        if run(command, "decompress", path, "-o", "-") != model.data():
            raise RuntimeError("the command reads something else")
        counts[2] += 4
    return counts


def main():
    command, edits = (pathlib.Path(arg).resolve() for arg in sys.argv[1:3])
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 12
    totals, failed = [0, 0, 0], 0
    with tempfile.TemporaryDirectory() as folder:
        for case in range(60):
            rng = random.Random(case)
            sparse, even = case % 2 == 1, case % 4 < 2
            path = pathlib.Path(folder) / f"{case}.b2frame"
            try:
                counts = play(rng, command, edits, path, even, sparse, rounds)
                totals = [total + count for total, count in zip(totals, counts, strict=True)]
            except Exception as error:
                failed += 1
                print(f"case {case}, {'sparse' if sparse else 'contiguous'}, {'even' if even else 'uneven'}: {error}")
    by_us, by_them, checks = totals
    print(f"check_frames: {by_us} changes by oxiblosc, {by_them} by python-blosc2, {checks} checks; {failed} cases failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
