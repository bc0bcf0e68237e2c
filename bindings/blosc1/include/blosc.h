/* The C interface of Blosc1, as version 1.21 of C-Blosc has it, implemented by oxiblosc.
 *
 * Functions that return an int return 0 or more when they succeed and a negative number when they fail. Sizes are in
 * bytes. Source and destination must not overlap. Chunks have a header of 16 bytes. */
#ifndef BLOSC_H
#define BLOSC_H

#include <limits.h>
#include <stddef.h>

#ifndef BLOSC_EXPORT
#define BLOSC_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define BLOSC_VERSION_MAJOR 1
#define BLOSC_VERSION_MINOR 21
#define BLOSC_VERSION_RELEASE 6
#define BLOSC_VERSION_STRING "1.21.6"
#define BLOSC_VERSION_REVISION "$Rev$"
#define BLOSC_VERSION_DATE "$Date:: 2024-06-24 #$"
#define BLOSC_VERSION_FORMAT 2

#define BLOSC_MIN_HEADER_LENGTH 16
#define BLOSC_MAX_OVERHEAD BLOSC_MIN_HEADER_LENGTH /* a chunk is longer than its data by this at most */
#define BLOSC_MAX_BUFFERSIZE (INT_MAX - BLOSC_MAX_OVERHEAD)
#define BLOSC_MAX_TYPESIZE 255 /* larger items are taken for bytes */
#define BLOSC_MAX_BLOCKSIZE ((INT_MAX - BLOSC_MAX_TYPESIZE * (int)sizeof(int)) / 3)
#define BLOSC_MAX_THREADS 256

#define BLOSC_NOSHUFFLE 0
#define BLOSC_SHUFFLE 1
#define BLOSC_BITSHUFFLE 2

/* Bits of the flags that blosc_cbuffer_metainfo gives. */
#define BLOSC_DOSHUFFLE 0x1
#define BLOSC_MEMCPYED 0x2
#define BLOSC_DOBITSHUFFLE 0x4

/* Codecs, their libraries and formats. Snappy is read, and not written. */
#define BLOSC_BLOSCLZ 0
#define BLOSC_LZ4 1
#define BLOSC_LZ4HC 2
#define BLOSC_SNAPPY 3
#define BLOSC_ZLIB 4
#define BLOSC_ZSTD 5
#define BLOSC_BLOSCLZ_COMPNAME "blosclz"
#define BLOSC_LZ4_COMPNAME "lz4"
#define BLOSC_LZ4HC_COMPNAME "lz4hc"
#define BLOSC_SNAPPY_COMPNAME "snappy"
#define BLOSC_ZLIB_COMPNAME "zlib"
#define BLOSC_ZSTD_COMPNAME "zstd"
#define BLOSC_BLOSCLZ_LIB 0
#define BLOSC_LZ4_LIB 1
#define BLOSC_SNAPPY_LIB 2
#define BLOSC_ZLIB_LIB 3
#define BLOSC_ZSTD_LIB 4
#define BLOSC_BLOSCLZ_LIBNAME "BloscLZ"
#define BLOSC_LZ4_LIBNAME "LZ4"
#define BLOSC_SNAPPY_LIBNAME "Snappy"
#define BLOSC_ZLIB_LIBNAME "Zlib"
#define BLOSC_ZSTD_LIBNAME "Zstd"
#define BLOSC_BLOSCLZ_FORMAT BLOSC_BLOSCLZ_LIB
#define BLOSC_LZ4_FORMAT BLOSC_LZ4_LIB
#define BLOSC_LZ4HC_FORMAT BLOSC_LZ4_LIB
#define BLOSC_SNAPPY_FORMAT BLOSC_SNAPPY_LIB
#define BLOSC_ZLIB_FORMAT BLOSC_ZLIB_LIB
#define BLOSC_ZSTD_FORMAT BLOSC_ZSTD_LIB
#define BLOSC_BLOSCLZ_VERSION_FORMAT 1
#define BLOSC_LZ4_VERSION_FORMAT 1
#define BLOSC_LZ4HC_VERSION_FORMAT 1
#define BLOSC_SNAPPY_VERSION_FORMAT 1
#define BLOSC_ZLIB_VERSION_FORMAT 1
#define BLOSC_ZSTD_VERSION_FORMAT 1

#define BLOSC_ALWAYS_SPLIT 1
#define BLOSC_NEVER_SPLIT 2
#define BLOSC_AUTO_SPLIT 3
#define BLOSC_FORWARD_COMPAT_SPLIT 4

/* Nothing needs blosc_init here. The other two give threads and memory back. */
BLOSC_EXPORT void blosc_init(void);
BLOSC_EXPORT void blosc_destroy(void);
BLOSC_EXPORT int blosc_free_resources(void);

/* Compression returns the bytes of the chunk, 0 if it does not fit; with destsize of nbytes + BLOSC_MAX_OVERHEAD it
 * always fits. Decompression and getitem return the bytes of data; a chunk is as long as its header says. The variables
 * BLOSC_CLEVEL, BLOSC_SHUFFLE (NOSHUFFLE, SHUFFLE, BITSHUFFLE), BLOSC_TYPESIZE, BLOSC_COMPRESSOR, BLOSC_BLOCKSIZE,
 * BLOSC_NTHREADS, BLOSC_SPLITMODE and BLOSC_NOLOCK override the parameters of the functions without `_ctx`, which wait
 * for each other; those with `_ctx` do not. */
BLOSC_EXPORT int blosc_compress(int clevel, int doshuffle, size_t typesize, size_t nbytes, const void *src, void *dest,
                                size_t destsize);
BLOSC_EXPORT int blosc_compress_ctx(int clevel, int doshuffle, size_t typesize, size_t nbytes, const void *src,
                                    void *dest, size_t destsize, const char *compressor, size_t blocksize,
                                    int numinternalthreads);
BLOSC_EXPORT int blosc_decompress(const void *src, void *dest, size_t destsize);
BLOSC_EXPORT int blosc_decompress_ctx(const void *src, void *dest, size_t destsize, int numinternalthreads);
BLOSC_EXPORT int blosc_getitem(const void *src, int start, int nitems, void *dest);

/* The parameters. The setter of threads returns the number before. */
BLOSC_EXPORT int blosc_get_nthreads(void);
BLOSC_EXPORT int blosc_set_nthreads(int nthreads);
BLOSC_EXPORT const char *blosc_get_compressor(void);
BLOSC_EXPORT int blosc_set_compressor(const char *compname);
BLOSC_EXPORT int blosc_get_blocksize(void);
BLOSC_EXPORT void blosc_set_blocksize(size_t blocksize); /* 0: automatic */
BLOSC_EXPORT void blosc_set_splitmode(int splitmode);

/* Names. The strings of blosc_get_complib_info are the caller's, to be given back with free(). */
BLOSC_EXPORT int blosc_compcode_to_compname(int compcode, const char **compname);
BLOSC_EXPORT int blosc_compname_to_compcode(const char *compname);
BLOSC_EXPORT const char *blosc_list_compressors(void);
BLOSC_EXPORT const char *blosc_get_version_string(void);
BLOSC_EXPORT int blosc_get_complib_info(const char *compname, char **complib, char **version);

/* What the header of a chunk says. */
BLOSC_EXPORT void blosc_cbuffer_sizes(const void *cbuffer, size_t *nbytes, size_t *cbytes, size_t *blocksize);
BLOSC_EXPORT int blosc_cbuffer_validate(const void *cbuffer, size_t cbytes, size_t *nbytes);
BLOSC_EXPORT void blosc_cbuffer_metainfo(const void *cbuffer, size_t *typesize, int *flags);
BLOSC_EXPORT void blosc_cbuffer_versions(const void *cbuffer, int *version, int *compversion);
BLOSC_EXPORT const char *blosc_cbuffer_complib(const void *cbuffer);

#ifdef __cplusplus
}
#endif

#endif
