"""Decodes chunks with libblosc2 for the differential fuzz target; see `src/differential.rs`.

Needs nothing but Python itself. The library may crash on what it is given: that is why it is here.
"""

import ctypes as ct
import struct
import sys

# The most bytes that a chunk may stand for, as in `make::MOST`.
MOST = 1 << 18


class DParams(ct.Structure):
    """blosc2_dparams, as the public header declares it."""

    _fields_ = [
        ("nthreads", ct.c_int16),
        ("schunk", ct.c_void_p),
        ("postfilter", ct.c_void_p),
        ("postparams", ct.c_void_p),
        ("typesize", ct.c_int32),
    ]


def main():
    lib = ct.CDLL(sys.argv[1])
    lib.blosc2_create_dctx.restype = ct.c_void_p
    lib.blosc2_create_dctx.argtypes = [DParams]
    lib.blosc2_free_ctx.argtypes = [ct.c_void_p]
    lib.blosc2_decompress_ctx.argtypes = [ct.c_void_p, ct.c_void_p, ct.c_int32, ct.c_void_p, ct.c_int32]
    lib.blosc2_init()
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
        ctx = lib.blosc2_create_dctx(DParams(nthreads=1))
        code = lib.blosc2_decompress_ctx(ctx, source, length, dest, MOST)
        lib.blosc2_free_ctx(ctx)
        write(struct.pack("<i", code))
        if code > 0:
            write(ct.string_at(dest, code))
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
