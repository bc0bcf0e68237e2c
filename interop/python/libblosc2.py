"""The real library (libblosc2) through ctypes, with every compression parameter explicit.

python-blosc2 chooses threads, block sizes and filter slots on its own; golden files and interoperability checks must
not depend on that. Everything here runs with one thread, and the library always gets a copy of the input, because
pipelines of three filters overwrite it (format §14 item 3).
"""

import ctypes as ct
import os
import pathlib

BLOSCLZ, LZ4, LZ4HC, ZLIB, ZSTD = 0, 1, 2, 4, 5
CODECS = {"blosclz": BLOSCLZ, "lz4": LZ4, "lz4hc": LZ4HC, "zlib": ZLIB, "zstd": ZSTD}
NOFILTER, SHUFFLE, BITSHUFFLE, DELTA, TRUNC_PREC, BYTEDELTA, INT_TRUNC = 0, 1, 2, 3, 4, 35, 36
ALWAYS_SPLIT, NEVER_SPLIT, AUTO_SPLIT, FORWARD_COMPAT_SPLIT = 1, 2, 3, 4
SPLITS = {"always": ALWAYS_SPLIT, "never": NEVER_SPLIT, "auto": AUTO_SPLIT, "forward": FORWARD_COMPAT_SPLIT}


class CParams(ct.Structure):
    """blosc2_cparams, as the public header declares it."""

    _fields_ = [
        ("compcode", ct.c_uint8),
        ("compcode_meta", ct.c_uint8),
        ("clevel", ct.c_uint8),
        ("use_dict", ct.c_int),
        ("typesize", ct.c_int32),
        ("nthreads", ct.c_int16),
        ("blocksize", ct.c_int32),
        ("splitmode", ct.c_int32),
        ("schunk", ct.c_void_p),
        ("filters", ct.c_uint8 * 6),
        ("filters_meta", ct.c_uint8 * 6),
        ("prefilter", ct.c_void_p),
        ("preparams", ct.c_void_p),
        ("tuner_params", ct.c_void_p),
        ("tuner_id", ct.c_int),
        ("instr_codec", ct.c_bool),
        ("codec_params", ct.c_void_p),
        ("filter_params", ct.c_void_p * 6),
    ]


class DParams(ct.Structure):
    """blosc2_dparams, as the public header declares it."""

    _fields_ = [
        ("nthreads", ct.c_int16),
        ("schunk", ct.c_void_p),
        ("postfilter", ct.c_void_p),
        ("postparams", ct.c_void_p),
        ("typesize", ct.c_int32),
    ]


class Storage(ct.Structure):
    """blosc2_storage, as the public header declares it."""

    _fields_ = [
        ("contiguous", ct.c_bool),
        ("urlpath", ct.c_char_p),
        ("cparams", ct.POINTER(CParams)),
        ("dparams", ct.POINTER(DParams)),
        ("io", ct.c_void_p),
    ]


def path():
    """The library that OXIBLOSC_LIBBLOSC2 names, else the one inside the package blosc2."""
    named = os.environ.get("OXIBLOSC_LIBBLOSC2")
    if named:
        return named
    import blosc2

    folder = pathlib.Path(blosc2.__file__).parent / "lib"
    (found, *_) = sorted(p for p in folder.glob("libblosc2.*") if p.suffix in (".so", ".dylib"))
    return str(found)


def _load():
    lib = ct.CDLL(path())
    lib.blosc2_get_version_string.restype = ct.c_char_p
    lib.blosc2_get_blosc2_cparams_defaults.restype = CParams
    lib.blosc2_create_cctx.restype = ct.c_void_p
    lib.blosc2_create_cctx.argtypes = [CParams]
    lib.blosc2_create_dctx.restype = ct.c_void_p
    lib.blosc2_create_dctx.argtypes = [DParams]
    lib.blosc2_free_ctx.argtypes = [ct.c_void_p]
    lib.blosc2_compress_ctx.argtypes = [ct.c_void_p, ct.c_void_p, ct.c_int32, ct.c_void_p, ct.c_int32]
    lib.blosc2_decompress_ctx.argtypes = [ct.c_void_p, ct.c_void_p, ct.c_int32, ct.c_void_p, ct.c_int32]
    lib.blosc2_vlcompress_ctx.argtypes = [ct.c_void_p, ct.c_void_p, ct.c_void_p, ct.c_int32, ct.c_void_p, ct.c_int32]
    for name in ("blosc2_chunk_zeros", "blosc2_chunk_nans", "blosc2_chunk_uninit"):
        getattr(lib, name).argtypes = [CParams, ct.c_int32, ct.c_void_p, ct.c_int32]
    lib.blosc2_chunk_repeatval.argtypes = [CParams, ct.c_int32, ct.c_void_p, ct.c_int32, ct.c_void_p]
    lib.blosc2_schunk_new.restype = ct.c_void_p
    lib.blosc2_schunk_new.argtypes = [ct.POINTER(Storage)]
    lib.blosc2_schunk_free.argtypes = [ct.c_void_p]
    lib.blosc2_schunk_append_chunk.restype = ct.c_int64
    lib.blosc2_schunk_append_chunk.argtypes = [ct.c_void_p, ct.c_void_p, ct.c_bool]
    lib.blosc2_schunk_to_buffer.restype = ct.c_int64
    lib.blosc2_schunk_to_buffer.argtypes = [ct.c_void_p, ct.POINTER(ct.c_void_p), ct.POINTER(ct.c_bool)]
    lib.blosc2_meta_add.argtypes = [ct.c_void_p, ct.c_char_p, ct.c_void_p, ct.c_int32]
    lib.blosc2_vlmeta_add.argtypes = [ct.c_void_p, ct.c_char_p, ct.c_void_p, ct.c_int32, ct.c_void_p]
    lib.blosc2_init()
    return lib


LIB = _load()
VERSION = LIB.blosc2_get_version_string().decode()


def cparams(codec=BLOSCLZ, clevel=5, typesize=8, filters=((SHUFFLE, 0),), blocksize=0, split=FORWARD_COMPAT_SPLIT, use_dict=False):
    """Parameters with `filters` as (id, meta) pairs, put in the last slots as C's own defaults are."""
    params = LIB.blosc2_get_blosc2_cparams_defaults()
    params.compcode, params.clevel, params.typesize = codec, clevel, typesize
    params.nthreads, params.blocksize, params.splitmode = 1, blocksize, split
    params.use_dict = int(use_dict)
    first = 6 - len(filters)
    for slot in range(6):
        params.filters[slot], params.filters_meta[slot] = filters[slot - first] if slot >= first else (0, 0)
    return params


def compress(data, params, destsize=None):
    """A chunk from a fresh context; ValueError with C's code when C fails or the data do not fit."""
    source = ct.create_string_buffer(bytes(data), max(1, len(data)))
    capacity = len(data) + 32 if destsize is None else destsize
    dest = ct.create_string_buffer(max(1, capacity))
    ctx = LIB.blosc2_create_cctx(params)
    try:
        size = LIB.blosc2_compress_ctx(ctx, source, len(data), dest, capacity)
    finally:
        LIB.blosc2_free_ctx(ctx)
    if size <= 0:
        raise ValueError(f"blosc2_compress_ctx: {size}")
    return dest.raw[:size]


def vlcompress(blocks, params):
    """A VL-block chunk."""
    total = sum(map(len, blocks))
    capacity = total + 32 + 8 * len(blocks) + 1024
    keep = [ct.create_string_buffer(bytes(b), len(b)) for b in blocks]
    pointers = (ct.c_void_p * len(blocks))(*[ct.addressof(b) for b in keep])
    sizes = (ct.c_int32 * len(blocks))(*map(len, blocks))
    dest = ct.create_string_buffer(capacity)
    ctx = LIB.blosc2_create_cctx(params)
    try:
        size = LIB.blosc2_vlcompress_ctx(ctx, pointers, sizes, len(blocks), dest, capacity)
    finally:
        LIB.blosc2_free_ctx(ctx)
    if size <= 0:
        raise ValueError(f"blosc2_vlcompress_ctx: {size}")
    return dest.raw[:size]


def special(kind, nbytes, params, value=b""):
    """A special chunk: kind is zeros, nans, uninit or repeatval."""
    dest = ct.create_string_buffer(32 + len(value))
    args = [params, nbytes, dest, 32 + len(value)]
    if kind == "repeatval":
        args.append(ct.create_string_buffer(value, len(value)))
    size = getattr(LIB, "blosc2_chunk_" + kind)(*args)
    if size <= 0:
        raise ValueError(f"blosc2_chunk_{kind}: {size}")
    return dest.raw[:size]


def decompress(chunk, nbytes):
    """The decoded bytes; ValueError with C's code when C refuses."""
    params = DParams(nthreads=1, typesize=0)
    source = ct.create_string_buffer(bytes(chunk), len(chunk))
    dest = ct.create_string_buffer(max(1, nbytes))
    ctx = LIB.blosc2_create_dctx(params)
    try:
        size = LIB.blosc2_decompress_ctx(ctx, source, len(chunk), dest, nbytes)
    finally:
        LIB.blosc2_free_ctx(ctx)
    if size != nbytes:
        raise ValueError(f"blosc2_decompress_ctx: {size}, {nbytes} expected")
    return dest.raw[:nbytes]


def frame(chunks, params, metalayers=(), vlmetalayers=()):
    """A contiguous frame in memory holding `chunks` as they are."""
    dparams = DParams(nthreads=1, typesize=0)
    storage = Storage(contiguous=True, urlpath=None, cparams=ct.pointer(params), dparams=ct.pointer(dparams), io=None)
    schunk = LIB.blosc2_schunk_new(ct.byref(storage))
    try:
        for name, content in metalayers:
            if LIB.blosc2_meta_add(schunk, name.encode(), content, len(content)) < 0:
                raise ValueError(f"blosc2_meta_add {name}")
        for chunk in chunks:
            nchunks = LIB.blosc2_schunk_append_chunk(schunk, chunk, True)
            if nchunks < 0:
                raise ValueError(f"blosc2_schunk_append_chunk: {nchunks}")
        for name, content in vlmetalayers:
            if LIB.blosc2_vlmeta_add(schunk, name.encode(), content, len(content), None) < 0:
                raise ValueError(f"blosc2_vlmeta_add {name}")
        pointer, needs_free = ct.c_void_p(), ct.c_bool()
        size = LIB.blosc2_schunk_to_buffer(schunk, ct.byref(pointer), ct.byref(needs_free))
        if size <= 0:
            raise ValueError(f"blosc2_schunk_to_buffer: {size}")
        return ct.string_at(pointer, size)
    finally:
        LIB.blosc2_schunk_free(schunk)
