"""Decodes chunks with libblosc2 for the differential fuzz target; see `fuzz/bodies/src/differential.rs`.

A process of its own, because the library may crash on damaged chunks. Reads chunks from standard input, each after its
length as u32, and answers with the result as i32 and, if that is positive, the data.
"""

import ctypes as ct
import struct
import sys

from libblosc2 import LIB, DParams

# The most bytes that a chunk may decode to, as in `make::MOST`.
MOST = 1 << 18


def main():
    dest = ct.create_string_buffer(MOST)
    read, write = sys.stdin.buffer.read, sys.stdout.buffer.write
    while True:
        head = read(4)
        if len(head) < 4:
            return
        (length,) = struct.unpack("<I", head)
        chunk = read(length)
        source = ct.create_string_buffer(chunk, max(1, length))
        # Typesize 0: that of the chunk.
        ctx = LIB.blosc2_create_dctx(DParams(nthreads=1))
        code = LIB.blosc2_decompress_ctx(ctx, source, length, dest, MOST)
        LIB.blosc2_free_ctx(ctx)
        write(struct.pack("<i", code))
        if code > 0:
            write(ct.string_at(dest, code))
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
