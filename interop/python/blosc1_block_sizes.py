"""Writes tests/data/blosc1_block_sizes.tsv: the automatic block sizes of C-Blosc 1, read from headers that it wrote.

    python3 interop/python/blosc1_block_sizes.py /usr/lib/x86_64-linux-gnu/libblosc.so.1 > tests/data/blosc1_block_sizes.tsv

A row: the mode of splitting, codec, typesize, length of the data, and a cell per level, 0 to 9: the block size, and an s
where blocks are split.
"""

import ctypes
import struct
import sys

CODECS = ["blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd"]
TYPESIZES = [1, 2, 3, 4, 7, 8, 12, 16, 17, 255, 300]
LENGTHS = [7, 1000, 32767, 32768, 70_001, 300_000, 1 << 20, 5_000_003]
MODES = {1: "always", 2: "never", 3: "auto", 4: "forward"}


def main():
    blosc = ctypes.CDLL(sys.argv[1])
    size = ctypes.c_size_t
    blosc.blosc_compress_ctx.argtypes = [
        ctypes.c_int, ctypes.c_int, size, size, ctypes.c_void_p, ctypes.c_void_p, size, ctypes.c_char_p, size, ctypes.c_int,
    ]
    blosc.blosc_get_version_string.restype = ctypes.c_char_p
    most = max(LENGTHS)
    src, dst = ctypes.create_string_buffer(most), ctypes.create_string_buffer(most + 16)
    print("# C-Blosc", blosc.blosc_get_version_string().decode())
    print("\t".join(["mode", "codec", "typesize", "nbytes", *(f"level {level}" for level in range(10))]))
    turn = 0
    for mode, name in MODES.items():
        blosc.blosc_set_splitmode(mode)
        for codec in CODECS:
            for typesize in TYPESIZES if mode == 4 else [4, 16, 17]:
                for nbytes in LENGTHS if mode == 4 else LENGTHS[-3:]:
                    cells = []
                    for level in range(10):
                        turn += 1
                        done = blosc.blosc_compress_ctx(
                            level, turn % 3, typesize, nbytes, src, dst, nbytes + 16, codec.encode(), 0, 1
                        )
                        assert done > 0
                        _, _, flags, _, _, blocksize, _ = struct.unpack("<BBBBIII", ctypes.string_at(dst, 16))
                        cells.append(f"{blocksize}{'' if flags & 16 else 's'}")
                    print("\t".join([name, codec, str(typesize), str(nbytes), *cells]))


if __name__ == "__main__":
    main()
