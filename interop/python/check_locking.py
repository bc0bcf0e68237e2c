#!/usr/bin/env python3
"""One frame, changed by several processes at once: oxiblosc and python-blosc2 with locking=True.

    PYTHON interop/python/check_locking.py target/release/examples/shared_frame [--long]

Writers: two and three processes append at once, of either kind and both; each success is in the frame exactly once.
Some of the processes are killed. Ping-pong: 200 random changes and reads by four processes, two of each, which keep
their handles open; after each one, the answers and the frame agree with a plain model, and a new handle of either
library opens it. Without locking in python-blosc2, which is documented not to work, oxiblosc fails cleanly or works;
the number of losses is printed. 20 rounds of writers and 3 of ping-pong and of crowds; with --long 300 and 50.
"""

import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

CHUNK = 1000
KINDS = ["contiguous", "sparse"]
# The longest time that any change may wait for the others.
PATIENCE = 60


def piece(seed):
    """The bytes of a seed, as the other half makes them."""
    state = seed * 2654435761 % 2**32
    random_bytes = (seed % 7 + 1) * 100
    out = bytearray()
    for at in range(CHUNK):
        state = (state * 1103515245 + 12345) % 2**31
        out.append((state >> 16 if at < random_bytes else seed + at) & 0xFF)
    return bytes(out)


# ---- the worker of python-blosc2: the commands of examples/shared_frame.rs


def worker():
    import blosc2
    import numpy as np

    handle = None

    def answer(words):
        nonlocal handle
        # C-Blosc2 compares a chunk number with the number of chunks that the handle knew before.
        if words[0] in ("update", "insert", "delete", "read", "row", "setrow"):
            handle.refresh()
        match words:
            case ["open", kind, locking, path]:
                handle = None
                handle = blosc2.open(path, mode="a", locking=locking == "shared")
            case ["close"]:
                handle = None
            case ["append", seed]:
                handle.append_data(piece(int(seed)))
            case ["update", n, seed]:
                handle.update_data(int(n), piece(int(seed)), copy=True)
            case ["insert", n, seed]:
                handle.insert_data(int(n), piece(int(seed)), copy=True)
            case ["delete", n]:
                handle.delete_chunk(int(n))
            case ["vlmeta", seed]:
                # C-Blosc2 changes variable-length metalayers without its lock.
                with handle.holding_lock():
                    handle.vlmeta["note"] = piece(int(seed))[:8]
            case ["read", n]:
                return handle.decompress_chunk(int(n)).hex()
            case ["chunks"]:
                handle.refresh()
                return str(handle.nchunks)
            case ["resize", rows]:
                handle.resize((int(rows), CHUNK))
            case ["setrow", n, seed]:
                handle[int(n)] = np.frombuffer(piece(int(seed)), "u1")
            case ["grow", seed]:
                with handle.holding_lock():
                    rows = handle.shape[0]
                    handle.resize((rows + 1, CHUNK))
                    handle[rows] = np.frombuffer(piece(int(seed)), "u1")
            case ["row", n]:
                # C-Blosc2 reads a row chunk by chunk, and others may change it in between.
                with handle.holding_lock():
                    return handle[int(n)].tobytes().hex()
            case ["rows"]:
                handle.refresh()
                return str(handle.shape[0])
            case _:
                raise ValueError(words)
        return "ok"

    for line in sys.stdin:
        try:
            said = answer(line.split())
        except Exception as error:  # noqa: BLE001
            said = f"error {line.strip()}: {error}"
        print(said, flush=True)


# ---- the driver


class Process:
    """A worker, and what it answers."""

    def __init__(self, command, ours):
        self.ours = ours
        env = {**os.environ, "BLOSC_NTHREADS": "1"}
        self.child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env
        )

    def send(self, *words):
        try:
            self.child.stdin.write(" ".join(map(str, words)) + "\n")
            self.child.stdin.flush()
        except OSError:
            # It was killed; there is no answer either.
            return

    def receive(self):
        timer = threading.Timer(PATIENCE, self.child.kill)
        timer.start()
        line = self.child.stdout.readline().strip()
        alive = timer.is_alive()
        timer.cancel()
        if not alive:
            raise RuntimeError("a worker waits for ever")
        return line

    def ask(self, *words):
        self.send(*words)
        return self.receive()

    def must(self, *words):
        said = self.ask(*words)
        if said.startswith("error") or said in ("", "locked"):
            raise RuntimeError(f"{'oxiblosc' if self.ours else 'python'} {words}: {said!r}")
        return said

    def kill(self):
        self.child.send_signal(signal.SIGKILL)
        self.child.wait()

    def close(self):
        self.child.stdin.close()
        self.child.wait()
        self.child.stdout.close()


class Pool:
    """Starting python-blosc2 takes longer than a round, so workers are used again."""

    def __init__(self, example):
        self.commands = {True: [example], False: [sys.executable, __file__, "worker"]}
        self.idle = {True: [], False: []}

    def take(self, ours):
        return self.idle[ours].pop() if self.idle[ours] else Process(self.commands[ours], ours)

    def give(self, process):
        self.idle[process.ours].append(process)


def create(path, kind, chunks):
    import blosc2

    for old in (path, pathlib.Path(f"{path}.b2lock")):
        shutil.rmtree(old, ignore_errors=True)
        old.unlink(missing_ok=True)
    cparams = {"typesize": 1, "clevel": 5, "nthreads": 1}
    frame = blosc2.SChunk(
        chunksize=CHUNK, urlpath=str(path), mode="w", contiguous=kind == "contiguous", cparams=cparams
    )
    for seed in range(chunks):
        frame.append_data(piece(seed))


def content(path):
    """The chunks as python-blosc2 reads them, and the note."""
    import blosc2

    frame = blosc2.open(str(path), mode="r")
    note = frame.vlmeta["note"] if "note" in frame.vlmeta else None
    return [frame.decompress_chunk(n) for n in range(frame.nchunks)], note


def append_some(process, seeds, done, locking, kind, path):
    """Appends with a handle opened once (python-blosc2, shared) or for each change (exclusive)."""
    for seed in seeds:
        if locking != "shared" or seed == seeds[0]:
            said = process.ask("open", kind, locking, path)
            if said == "":
                return
            if said == "locked":
                continue
            if said != "ok":
                done.append(said)
                continue
        said = process.ask("append", seed)
        if said == "ok":
            done.append(seed)
        elif said == "":
            return
        elif said != "locked":
            done.append(said)
        if locking != "shared":
            process.ask("close")


def writers(pool, path, kind, team, ours_as, kill=None):
    """One round; returns the seeds that must be there, those that may be, and what is there."""
    create(path, kind, 2)
    processes = [pool.take(ours) for ours in team]
    # The sidecar is there before an exclusive writer begins; it honours one that exists.
    for process in processes:
        if not process.ours:
            process.must("open", kind, "shared", path)
    done = [[] for _ in team]
    seeds = [[1000 * (n + 1) + change for change in range(5)] for n in range(len(team))]
    threads = [
        threading.Thread(
            target=append_some,
            args=(process, seeds[n], done[n], ours_as if process.ours else "shared", kind, path),
        )
        for n, process in enumerate(processes)
    ]
    for thread in threads:
        thread.start()
    if kill is not None:
        time.sleep(random.random() * 0.01)
        processes[kill].kill()
    for thread in threads:
        thread.join()
    for n, process in enumerate(processes):
        if n != kill:
            pool.give(process)
    return seeds, done


def check_writers(pool, path, rounds):
    changes = refused = 0
    teams = [[True, True], [True, False], [False, False], [True, True, False], [True, False, False]]
    for n in range(rounds):
        kind, team = KINDS[n % 2], teams[n // 2 % len(teams)]
        ours_as = ["shared", "wait", "exclusive"][n % 3]
        if not any(team):
            ours_as = "shared"
        seeds, done = writers(pool, path, kind, team, ours_as)
        expected = sorted(piece(seed) for seed in range(2))
        for made, wanted, ours in zip(done, seeds, team):
            strange = [what for what in made if isinstance(what, str)]
            assert not strange, (kind, team, ours_as, strange)
            if ours_as != "exclusive" or not ours:
                assert made == wanted, (kind, team, ours_as, made)
            refused += len(wanted) - len(made)
            changes += len(made)
            expected += [piece(seed) for seed in made]
        found, _ = content(path)
        assert sorted(found) == sorted(expected), (n, kind, team, ours_as, len(found), len(expected))
    return changes, refused


def check_killed(pool, path, rounds):
    """A process of oxiblosc that is killed loses nothing that it said was done; the others go on."""
    kills = damaged = 0
    for n in range(rounds):
        kind = KINDS[n % 2]
        victim_ours = n // 2 % 2 == 0
        team = [victim_ours, True, False]
        seeds, done = writers(pool, path, kind, team, "shared", kill=0)
        kills += 1
        if not victim_ours:
            # C-Blosc2 killed while it writes can leave a broken frame; the lock is free again.
            process = pool.take(True)
            said = process.ask("open", kind, "shared", path)
            said = process.ask("append", 7) if said == "ok" else said
            assert said == "ok" or said.startswith("error"), said
            damaged += said != "ok"
            pool.give(process)
            continue
        expected = [seed for made in done for seed in made]
        strange = [what for what in expected if isinstance(what, str)]
        assert not strange, (kind, strange)
        found, _ = content(path)
        possible = [piece(seed) for seed in range(2)] + [piece(seed) for made in seeds for seed in made]
        assert all(found.count(chunk) <= 1 and chunk in possible for chunk in found)
        missing = [seed for seed in [0, 1, *expected] if piece(seed) not in found]
        assert not missing, (kind, missing)
        # At most the change that was being made when the process was killed is there without an answer.
        assert len(found) <= len(expected) + 3, (kind, len(found), len(expected))
    return kills, damaged


def check_unlocked(pool, path, rounds):
    """python-blosc2 without locking: the documented limit. Nothing hangs; what is lost is counted."""
    lost = broken = 0
    for n in range(rounds):
        kind = KINDS[n % 2]
        create(path, kind, 2)
        ours, other = pool.take(True), pool.take(False)
        made = [[], []]
        threads = [
            threading.Thread(target=append_some, args=(ours, range(100, 105), made[0], "exclusive", kind, path)),
            threading.Thread(target=append_some, args=(other, range(200, 205), made[1], "none", kind, path)),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        said = ours.ask("open", kind, "exclusive", path)
        broken += said != "ok"
        if said == "ok":
            chunks = int(ours.must("chunks"))
            found = []
            for at in range(chunks):
                said = ours.ask("read", at)
                found.append(said)
            wanted = [seed for seeds in made for seed in seeds if not isinstance(seed, str)]
            lost += sum(piece(seed).hex() not in found for seed in [0, 1, *wanted])
        ours.ask("close")
        pool.give(ours)
        pool.give(other)
    return lost, broken


def random_change(rng, model, kind):
    """A command, and the change to the model."""
    seed = rng.randrange(3, 10**6)
    chunks = model["chunks"]
    if kind == "array":
        at = rng.randrange(len(chunks))
        match rng.randrange(8):
            case 0 | 1 if len(chunks) < 40:
                return ["grow", seed], chunks + [piece(seed)]
            case 2 if len(chunks) > 2:
                # Only smaller: rows that C-Blosc2 adds hold what was there before an array shrank.
                rows = rng.randrange(2, len(chunks))
                return ["resize", rows], chunks[:rows]
            case 3:
                return ["rows"], None
            case 4 | 5:
                return ["setrow", at, seed], chunks[:at] + [piece(seed)] + chunks[at + 1 :]
            case _:
                return ["row", at], None
    at = rng.randrange(len(chunks))
    match rng.randrange(12):
        case 0 | 1 | 2 if len(chunks) < 40:
            return ["append", seed], chunks + [piece(seed)]
        case 3 | 4:
            return ["update", at, seed], chunks[:at] + [piece(seed)] + chunks[at + 1 :]
        case 5 if len(chunks) < 40:
            return ["insert", at, seed], chunks[:at] + [piece(seed)] + chunks[at:]
        case 6 | 7 if len(chunks) > 5:
            return ["delete", at], chunks[:at] + chunks[at + 1 :]
        case 8:
            return ["vlmeta", seed], chunks
        case 9:
            return ["chunks"], None
        case 10:
            return ["compact"], chunks
        case _:
            return ["read", at], None


def check_pingpong(pool, path, seed, kind, operations=200):
    import blosc2
    import numpy as np

    rng = random.Random(seed)
    model = {"chunks": [piece(n) for n in range(6)], "note": None}
    if kind == "array":
        create(path, "contiguous", 0)
        path.unlink()
        data = np.frombuffer(b"".join(model["chunks"]), "u1").reshape(6, CHUNK)
        blosc2.asarray(data, chunks=(4, 300), blocks=(2, 100), urlpath=str(path), mode="w", cparams={"nthreads": 1})
    else:
        create(path, kind, 6)
    team = [pool.take(ours) for ours in (True, True, False, False)]
    for process in team:
        process.must("open", kind, "shared", path)
    opens = 0
    for _ in range(operations):
        words, after = random_change(rng, model, kind)
        process = rng.choice(team[:2] if words[0] == "compact" else team)
        said = process.must(*words)
        where = (seed, kind, process.ours, words)
        match words[0]:
            case "read" | "row":
                assert said == model["chunks"][words[1]].hex(), where
            case "chunks" | "rows":
                assert said == str(len(model["chunks"])), where
        if after is not None:
            model["chunks"] = after
            if words[0] == "vlmeta":
                model["note"] = piece(words[1])[:8]
        # A new handle, without and with locking, of python-blosc2 or of oxiblosc.
        opens += 1
        if rng.randrange(2):
            if kind == "array":
                found = blosc2.open(str(path), mode="r")[:].tobytes()
                assert found == b"".join(model["chunks"]), where
            else:
                assert content(path) == (model["chunks"], model["note"]), where
        else:
            reader = pool.take(True)
            reader.must("open", kind, "shared", path)
            count = reader.must("rows" if kind == "array" else "chunks")
            assert count == str(len(model["chunks"])), where
            at = rng.randrange(len(model["chunks"]))
            row = reader.must("row" if kind == "array" else "read", at)
            assert row == model["chunks"][at].hex(), where
            pool.give(reader)
    for process in team:
        for at, chunk in enumerate(model["chunks"]):
            assert process.must("row" if kind == "array" else "read", at) == chunk.hex(), (seed, kind, at)
        pool.give(process)
    return opens


class Member:
    """One of a crowd: owns some rows, which nobody else changes, and adds rows at the end."""

    def __init__(self, game, process, rows, rng):
        self.game, self.process, self.rng = game, process, rng
        self.own = {row: [row] for row in rows}
        self.added, self.perhaps, self.notes, self.count = [], [], [], 0
        self.killed = self.failure = None

    def change(self):
        """A command, and what it changes: a row of its own, the number of rows, or nothing."""
        frame, seed = self.game["kind"] != "array", self.game["seeds"].pop()
        match self.rng.randrange(10):
            case 0 | 1:
                return ["append" if frame else "grow", seed], seed
            case 2 | 3 | 4:
                return ["update" if frame else "setrow", self.rng.choice(list(self.own)), seed], seed
            case 5 if frame:
                return ["vlmeta", seed], seed
            case 6 if self.game["kind"] == "contiguous" and self.process.ours:
                return ["compact"], None
            case 7:
                return ["chunks" if frame else "rows"], None
            case _:
                return ["read" if frame else "row", self.rng.randrange(16)], None

    def step(self, kill):
        words, seed = self.change()
        row = words[1] if words[0] in ("update", "setrow") else None
        if row is not None:
            # Before it is sent: others may read it before the answer comes.
            self.game["rows"][row].add(piece(seed))
        self.process.send(*words)
        if kill:
            time.sleep(self.rng.random() * 0.002)
            self.process.kill()
        said = self.process.receive()
        if kill and said in ("", "locked"):
            # It may have been done or not.
            if row is not None:
                self.own[row].append(seed)
            elif words[0] == "vlmeta":
                self.notes.append(seed)
            elif seed is not None:
                self.perhaps.append(seed)
            return
        assert said and said != "locked" and not said.startswith("error"), (self.process.ours, words, said)
        match words[0]:
            case "append" | "grow":
                self.added.append(seed)
            case "update" | "setrow":
                self.own[row] = [seed]
            case "vlmeta":
                self.notes.append(seed)
            case "chunks" | "rows":
                assert int(said) >= self.count, (words, said, self.count)
                self.count = int(said)
            case "read" | "row":
                found, at = bytes.fromhex(said), words[1]
                allowed = [piece(n) for n in self.own[at]] if at in self.own else self.game["rows"][at]
                assert found in allowed, (self.process.ours, words)

    def play(self, pool, operations, kill_at):
        try:
            for n in range(operations):
                self.step(n == kill_at)
                if n == kill_at:
                    self.process = pool.take(True)
                    self.process.must("open", self.game["kind"], "shared", self.game["path"])
        except Exception as error:  # noqa: BLE001
            self.failure = error


def check_crowd(pool, path, seed, kind, operations=50):
    """Four processes at once; the seeds that they made are there at the end, and no others."""
    import blosc2
    import numpy as np

    rng = random.Random(seed)
    first = [piece(n) for n in range(16)]
    if kind == "array":
        create(path, "contiguous", 0)
        path.unlink()
        data = np.frombuffer(b"".join(first), "u1").reshape(16, CHUNK)
        blosc2.asarray(data, chunks=(4, 300), blocks=(2, 100), urlpath=str(path), mode="w", cparams={"nthreads": 1})
    else:
        create(path, kind, 16)
    seeds = rng.sample(range(16, 10**6), 10 * operations)
    game = {"path": path, "kind": kind, "seeds": seeds, "rows": [{chunk} for chunk in first]}
    members = []
    # Half of oxiblosc's, every fourth time only those.
    team = [True, True, seed % 4 == 3, seed % 4 == 3]
    for n, ours in enumerate(team):
        process = pool.take(ours)
        process.must("open", kind, "shared", path)
        members.append(Member(game, process, range(4 * n, 4 * n + 4), random.Random(rng.random())))
    kill_at = rng.randrange(operations) if seed % 2 else None
    threads = [
        threading.Thread(target=member.play, args=(pool, operations, None if n else kill_at))
        for n, member in enumerate(members)
    ]
    openers, opens = [pool.take(True), pool.take(False)], 0
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        for process in openers:
            process.must("open", kind, "shared", path)
            assert int(process.must("rows" if kind == "array" else "chunks")) >= 16
            opens += 1
    for thread in threads:
        thread.join()
    for process in [*openers, *(member.process for member in members)]:
        pool.give(process)
    for member in members:
        if member.failure is not None:
            raise member.failure
    if kind == "array":
        everything = blosc2.open(str(path), mode="r")[:]
        found, note = [row.tobytes() for row in everything], None
    else:
        found, note = content(path)
    for member in members:
        for row, possible in member.own.items():
            assert found[row] in [piece(n) for n in possible], (seed, kind, row)
    must = [piece(n) for member in members for n in member.added]
    may = [piece(n) for member in members for n in member.perhaps]
    if kind == "array" and may:
        # Growing is two changes here: a row of zeros, and its content.
        may.append(bytes(CHUNK))
    rest = found[16:]
    for chunk in must:
        assert chunk in rest, (seed, kind)
        rest.remove(chunk)
    assert len(rest) <= len(may) and all(chunk in may for chunk in rest), (seed, kind, len(rest))
    assert note is None or note in [piece(n)[:8] for member in members for n in member.notes], (seed, kind)
    return opens


def main():
    example = sys.argv[1]
    long = "--long" in sys.argv
    rounds, games = (300, 50) if long else (20, 3)
    random.seed(1)
    pool = Pool(example)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "frame"
        begin = time.time()
        changes, refused = check_writers(pool, path, rounds)
        print(f"writers: {rounds} rounds, {changes} changes made and found, {refused} refused", flush=True)
        kills, damaged = check_killed(pool, path, rounds)
        print(f"killed: {kills} processes; {damaged} frames left broken by C-Blosc2, none by oxiblosc", flush=True)
        lost, broken = check_unlocked(pool, path, rounds // 2)
        print(f"python-blosc2 without locking: {rounds // 2} rounds, {lost} changes lost, {broken} frames broken", flush=True)
        for kind in [*KINDS, "array"]:
            opens = sum(check_pingpong(pool, path, seed, kind) for seed in range(games))
            print(f"ping-pong, {kind}: {games} rounds of 200 operations, {opens} opens", flush=True)
            opens = sum(check_crowd(pool, path, seed, kind) for seed in range(games))
            print(f"crowd, {kind}: {games} games of 200 operations at once, {opens} opens", flush=True)
            shutil.rmtree(path, ignore_errors=True)
        print(f"all agree, {time.time() - begin:.0f} s")


if __name__ == "__main__":
    worker() if sys.argv[1:] == ["worker"] else main()
