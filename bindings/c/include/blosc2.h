/* The C interface of Blosc2, as version 3.3.5 of C-Blosc2 has it, implemented by oxiblosc.
 *
 * Unless a comment says otherwise: functions that return an int return 0 or more when they succeed and
 * one of the negative BLOSC2_ERROR_* codes when they fail; functions that return a pointer return NULL
 * when they fail; sizes and positions are in bytes; buffers that a function allocates for the caller are
 * given back with free(); source and destination must not overlap.
 *
 * A chunk holds up to BLOSC2_MAX_BUFFERSIZE bytes of data as compressed blocks. A super-chunk holds any
 * number of chunks, in memory or in a frame (a file, a folder of files, or one buffer). */
#ifndef BLOSC_BLOSC2_H
#define BLOSC_BLOSC2_H

#include "blosc2/blosc2-export.h"
#include "blosc2/blosc2-common.h"
#include "blosc2/blosc2-stdio.h"

#if defined(_WIN32) && !defined(__MINGW32__)
#include <windows.h>
#include <malloc.h>
#include <process.h>
#define getpid _getpid
#endif

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#if !defined(_WIN32)
#include <time.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The names of Blosc1, for programs that define BLOSC1_COMPAT. */
#ifdef BLOSC1_COMPAT
#define BLOSC_VERSION_MAJOR BLOSC2_VERSION_MAJOR
#define BLOSC_VERSION_MINOR BLOSC2_VERSION_MINOR
#define BLOSC_VERSION_RELEASE BLOSC2_VERSION_RELEASE
#define BLOSC_VERSION_STRING BLOSC2_VERSION_STRING
#define BLOSC_VERSION_DATE BLOSC2_VERSION_DATE
#define BLOSC_MAX_OVERHEAD BLOSC2_MAX_OVERHEAD
#define BLOSC_MAX_BUFFERSIZE BLOSC2_MAX_BUFFERSIZE
#define blosc_compress blosc1_compress
#define blosc_decompress blosc1_decompress
#define blosc_getitem blosc1_getitem
#define blosc_get_compressor blosc1_get_compressor
#define blosc_set_compressor blosc1_set_compressor
#define blosc_cbuffer_sizes blosc1_cbuffer_sizes
#define blosc_cbuffer_validate blosc1_cbuffer_validate
#define blosc_cbuffer_metainfo blosc1_cbuffer_metainfo
#define blosc_get_blocksize blosc1_get_blocksize
#define blosc_set_blocksize blosc1_set_blocksize
#define blosc_set_splitmode blosc1_set_splitmode
#define blosc_init blosc2_init
#define blosc_destroy blosc2_destroy
#define blosc_free_resources blosc2_free_resources
#define blosc_get_nthreads blosc2_get_nthreads
#define blosc_set_nthreads blosc2_set_nthreads
#define blosc_compcode_to_compname blosc2_compcode_to_compname
#define blosc_compname_to_compcode blosc2_compname_to_compcode
#define blosc_list_compressors blosc2_list_compressors
#define blosc_get_version_string blosc2_get_version_string
#define blosc_get_complib_info blosc2_get_complib_info
#define blosc_cbuffer_versions blosc2_cbuffer_versions
#define blosc_cbuffer_complib blosc2_cbuffer_complib
#endif

/* The version of C-Blosc2 whose interface this is. */
/* PyTables looks for a word in each of these lines. */
#define BLOSC2_VERSION_MAJOR 3   /* for major changes */
#define BLOSC2_VERSION_MINOR 3   /* for minor changes */
#define BLOSC2_VERSION_RELEASE 5 /* for tweaks */
#define BLOSC2_VERSION_STRING "3.3.5"
#define BLOSC2_VERSION_DATE "$Date:: 2026-09-24 #$"

/* As B2ND_MAX_DIM: the name in C-Blosc2 2, for programs that use it still. */
#define BLOSC2_MAX_DIM 16

/* Messages, if the variable BLOSC_TRACE (or BLOSC_INFO) is set. */
#define BLOSC_TRACE(cat, msg, ...)                                                                     \
  do {                                                                                                 \
    if (getenv("BLOSC_TRACE") != NULL) {                                                               \
      fprintf(stderr, "[%s] - " msg " (%s:%d)\n", #cat, ##__VA_ARGS__, __FILE__, __LINE__);            \
    }                                                                                                  \
  } while (0)
#define BLOSC_TRACE_ERROR(msg, ...) BLOSC_TRACE(error, msg, ##__VA_ARGS__)
#define BLOSC_TRACE_WARNING(msg, ...) BLOSC_TRACE(warning, msg, ##__VA_ARGS__)
#define BLOSC_TRACE_INFO(msg, ...) BLOSC_TRACE(info, msg, ##__VA_ARGS__)
#define BLOSC_INFO(msg, ...)                                                                           \
  do {                                                                                                 \
    if (getenv("BLOSC_INFO") != NULL) {                                                                \
      fprintf(stderr, "[INFO] - " msg "\n", ##__VA_ARGS__);                                            \
    }                                                                                                  \
  } while (0)

/* Leaves the function with a code: if a pointer is NULL; if an expression is a negative code. */
#define BLOSC_ERROR_NULL(pointer, rc)                                                                  \
  do {                                                                                                 \
    if ((pointer) == NULL) {                                                                           \
      BLOSC_TRACE_ERROR("null pointer");                                                               \
      return (rc);                                                                                     \
    }                                                                                                  \
  } while (0)
#define BLOSC_ERROR(rc)                                                                                \
  do {                                                                                                 \
    int rc_ = (rc);                                                                                    \
    if (rc_ < BLOSC2_ERROR_SUCCESS) {                                                                  \
      BLOSC_TRACE_ERROR("%s", blosc2_error_string(rc_));                                               \
      return rc_;                                                                                      \
    }                                                                                                  \
  } while (0)

/* Versions of the chunk format and of the frame format. */
enum {
  BLOSC1_VERSION_FORMAT_PRE1 = 1,
  BLOSC1_VERSION_FORMAT = 2,
  BLOSC2_VERSION_FORMAT_ALPHA = 3,
  BLOSC2_VERSION_FORMAT_BETA1 = 4,
  BLOSC2_VERSION_FORMAT_STABLE = 5,
  BLOSC2_VERSION_FORMAT_VL_BLOCKS = 6,
  BLOSC2_VERSION_FORMAT = BLOSC2_VERSION_FORMAT_VL_BLOCKS,
};
enum {
  BLOSC2_VERSION_FRAME_FORMAT_BETA2 = 1,
  BLOSC2_VERSION_FRAME_FORMAT_RC1 = 2,
  BLOSC2_VERSION_FRAME_FORMAT_VL_BLOCKS = 3,
  BLOSC2_VERSION_FRAME_FORMAT = BLOSC2_VERSION_FRAME_FORMAT_VL_BLOCKS,
};

/* An entry of a chunk with measurements (`instr_codec`). Speeds are in bytes per second. */
typedef struct {
  float cratio;
  float cspeed;
  float filter_speed;
  uint8_t flags[4];
} blosc2_instr;

/* Sizes. */
enum {
#ifndef BLOSC_H
  BLOSC_MIN_HEADER_LENGTH = 16, /* the header of Blosc1 */
#endif
  BLOSC_EXTENDED_HEADER_LENGTH = 32,
  BLOSC2_MAX_OVERHEAD = BLOSC_EXTENDED_HEADER_LENGTH, /* a chunk is longer than its data by this at most */
  BLOSC2_MAX_BUFFERSIZE = (INT_MAX - BLOSC2_MAX_OVERHEAD),
#ifndef BLOSC_H
  BLOSC_MAX_TYPESIZE = UINT8_MAX, /* the largest typesize that a chunk stores; beyond it, it stores 1 */
#endif
  BLOSC_MIN_BUFFERSIZE = 32,
};

/* Ranges of ids: the library's own, those with a fixed id, those of users. */
enum {
  BLOSC2_DEFINED_TUNER_START = 0,
  BLOSC2_DEFINED_TUNER_STOP = 31,
  BLOSC2_GLOBAL_REGISTERED_TUNER_START = 32,
  BLOSC2_GLOBAL_REGISTERED_TUNER_STOP = 159,
  BLOSC2_GLOBAL_REGISTERED_TUNERS = 0,
  BLOSC2_USER_REGISTERED_TUNER_START = 160,
  BLOSC2_USER_REGISTERED_TUNER_STOP = 255,
};
enum {
  BLOSC_STUNE = 0,
  BLOSC_LAST_TUNER = 1,
  BLOSC_LAST_REGISTERED_TUNE = BLOSC2_GLOBAL_REGISTERED_TUNER_START + BLOSC2_GLOBAL_REGISTERED_TUNERS - 1,
};
enum {
  BLOSC2_DEFINED_FILTERS_START = 0,
  BLOSC2_DEFINED_FILTERS_STOP = 31,
  BLOSC2_GLOBAL_REGISTERED_FILTERS_START = 32,
  BLOSC2_GLOBAL_REGISTERED_FILTERS_STOP = 159,
  BLOSC2_GLOBAL_REGISTERED_FILTERS = 5,
  BLOSC2_USER_REGISTERED_FILTERS_START = 160,
  BLOSC2_USER_REGISTERED_FILTERS_STOP = 255,
  BLOSC2_MAX_FILTERS = 6,
  BLOSC2_MAX_UDFILTERS = 16,
};
enum {
  BLOSC2_DEFINED_CODECS_START = 0,
  BLOSC2_DEFINED_CODECS_STOP = 31,
  BLOSC2_GLOBAL_REGISTERED_CODECS_START = 32,
  BLOSC2_GLOBAL_REGISTERED_CODECS_STOP = 159,
  BLOSC2_GLOBAL_REGISTERED_CODECS = 5,
  BLOSC2_USER_REGISTERED_CODECS_START = 160,
  BLOSC2_USER_REGISTERED_CODECS_STOP = 255,
};

/* Filters. */
enum {
#ifndef BLOSC_H
  BLOSC_NOSHUFFLE = 0,
  BLOSC_NOFILTER = 0,
  BLOSC_SHUFFLE = 1,    /* bytes; the meta byte is the number of streams, 0 for the typesize */
  BLOSC_BITSHUFFLE = 2, /* bits */
#endif
  BLOSC_DELTA = 3,      /* exclusive or with the first block */
  BLOSC_TRUNC_PREC = 4, /* lossy, for floats: the meta byte is the bits that stay, or minus those that go */
  BLOSC_LAST_FILTER = 5,
  BLOSC_LAST_REGISTERED_FILTER = BLOSC2_GLOBAL_REGISTERED_FILTERS_START + BLOSC2_GLOBAL_REGISTERED_FILTERS - 1,
};

/* Bits of the flags that blosc1_cbuffer_metainfo gives. */
enum {
#ifndef BLOSC_H
  BLOSC_DOSHUFFLE = 0x1,
  BLOSC_MEMCPYED = 0x2,
  BLOSC_DOBITSHUFFLE = 0x4,
#endif
  BLOSC_DODELTA = 0x8,
};

/* Bits of the last byte of the extended header, and of the byte before it. */
enum {
  BLOSC2_USEDICT = 0x1,
  BLOSC2_BIGENDIAN = 0x2,
  BLOSC2_INSTR_CODEC = 0x80,
};
enum {
  BLOSC2_VL_BLOCKS = 0x1,
};

enum {
  BLOSC2_MAXDICTSIZE = 32 * 1024,
  BLOSC2_MINUSEFULDICT = 256,
  BLOSC2_MAXBLOCKSIZE = 536866816,
  BLOSC2_MAXTYPESIZE = BLOSC2_MAXBLOCKSIZE,
};

/* Codecs, their libraries and formats. */
enum {
#ifndef BLOSC_H
  BLOSC_BLOSCLZ = 0,
  BLOSC_LZ4 = 1,
  BLOSC_LZ4HC = 2,
  BLOSC_ZLIB = 4,
  BLOSC_ZSTD = 5,
#endif
  BLOSC_LAST_CODEC = 6,
  BLOSC_LAST_REGISTERED_CODEC = BLOSC2_GLOBAL_REGISTERED_CODECS_START + BLOSC2_GLOBAL_REGISTERED_CODECS - 1,
};
#ifndef BLOSC_H
#define BLOSC_BLOSCLZ_COMPNAME "blosclz"
#define BLOSC_LZ4_COMPNAME "lz4"
#define BLOSC_LZ4HC_COMPNAME "lz4hc"
#define BLOSC_ZLIB_COMPNAME "zlib"
#define BLOSC_ZSTD_COMPNAME "zstd"
#endif
enum {
#ifndef BLOSC_H
  BLOSC_BLOSCLZ_LIB = 0,
  BLOSC_LZ4_LIB = 1,
  BLOSC_ZLIB_LIB = 3,
  BLOSC_ZSTD_LIB = 4,
#endif
  BLOSC_UDCODEC_LIB = 6,
  BLOSC_SCHUNK_LIB = 7,
};
#ifndef BLOSC_H
#define BLOSC_BLOSCLZ_LIBNAME "BloscLZ"
#define BLOSC_LZ4_LIBNAME "LZ4"
#define BLOSC_ZLIB_LIBNAME "Zlib"
#define BLOSC_ZSTD_LIBNAME "Zstd"
#endif
enum {
#ifndef BLOSC_H
  BLOSC_BLOSCLZ_FORMAT = BLOSC_BLOSCLZ_LIB,
  BLOSC_LZ4_FORMAT = BLOSC_LZ4_LIB,
  BLOSC_LZ4HC_FORMAT = BLOSC_LZ4_LIB,
  BLOSC_ZLIB_FORMAT = BLOSC_ZLIB_LIB,
  BLOSC_ZSTD_FORMAT = BLOSC_ZSTD_LIB,
#endif
  BLOSC_UDCODEC_FORMAT = BLOSC_UDCODEC_LIB,
};
enum {
#ifndef BLOSC_H
  BLOSC_BLOSCLZ_VERSION_FORMAT = 1,
  BLOSC_LZ4_VERSION_FORMAT = 1,
  BLOSC_LZ4HC_VERSION_FORMAT = 1,
  BLOSC_ZLIB_VERSION_FORMAT = 1,
  BLOSC_ZSTD_VERSION_FORMAT = 1,
#endif
  BLOSC_UDCODEC_VERSION_FORMAT = 1,
};

/* When blocks are split into a stream for each byte of the typesize. */
#ifndef BLOSC_H
enum {
  BLOSC_ALWAYS_SPLIT = 1,
  BLOSC_NEVER_SPLIT = 2,
  BLOSC_AUTO_SPLIT = 3,
  BLOSC_FORWARD_COMPAT_SPLIT = 4, /* as old readers expect; the default */
};
#endif

/* Offsets of the fields of a chunk's header. */
enum {
  BLOSC2_CHUNK_VERSION = 0x0,
  BLOSC2_CHUNK_VERSIONLZ = 0x1,
  BLOSC2_CHUNK_FLAGS = 0x2,
  BLOSC2_CHUNK_TYPESIZE = 0x3,
  BLOSC2_CHUNK_NBYTES = 0x4,    /* int32_t: bytes of the data */
  BLOSC2_CHUNK_BLOCKSIZE = 0x8, /* int32_t */
  BLOSC2_CHUNK_CBYTES = 0xc,    /* int32_t: bytes of the chunk */
  BLOSC2_CHUNK_FILTER_CODES = 0x10,
  BLOSC2_CHUNK_FILTER_META = 0x18,
  BLOSC2_CHUNK_BLOSC2_FLAGS2 = 0x1e,
  BLOSC2_CHUNK_BLOSC2_FLAGS = 0x1F,
};

/* Chunks of one repeated value. */
enum {
  BLOSC2_NO_SPECIAL = 0x0,
  BLOSC2_SPECIAL_ZERO = 0x1,
  BLOSC2_SPECIAL_NAN = 0x2,
  BLOSC2_SPECIAL_VALUE = 0x3,
  BLOSC2_SPECIAL_UNINIT = 0x4,
  BLOSC2_SPECIAL_LASTID = 0x4,
  BLOSC2_SPECIAL_MASK = 0x7,
};

/* Error codes; blosc2_error_string has their texts. */
enum {
  BLOSC2_ERROR_SUCCESS = 0,
  BLOSC2_ERROR_FAILURE = -1,
  BLOSC2_ERROR_STREAM = -2,
  BLOSC2_ERROR_DATA = -3,
  BLOSC2_ERROR_MEMORY_ALLOC = -4,
  BLOSC2_ERROR_READ_BUFFER = -5,
  BLOSC2_ERROR_WRITE_BUFFER = -6,
  BLOSC2_ERROR_CODEC_SUPPORT = -7,
  BLOSC2_ERROR_CODEC_PARAM = -8,
  BLOSC2_ERROR_CODEC_DICT = -9,
  BLOSC2_ERROR_VERSION_SUPPORT = -10,
  BLOSC2_ERROR_INVALID_HEADER = -11,
  BLOSC2_ERROR_INVALID_PARAM = -12,
  BLOSC2_ERROR_FILE_READ = -13,
  BLOSC2_ERROR_FILE_WRITE = -14,
  BLOSC2_ERROR_FILE_OPEN = -15,
  BLOSC2_ERROR_NOT_FOUND = -16,
  BLOSC2_ERROR_RUN_LENGTH = -17,
  BLOSC2_ERROR_FILTER_PIPELINE = -18,
  BLOSC2_ERROR_CHUNK_INSERT = -19,
  BLOSC2_ERROR_CHUNK_APPEND = -20,
  BLOSC2_ERROR_CHUNK_UPDATE = -21,
  BLOSC2_ERROR_2GB_LIMIT = -22,
  BLOSC2_ERROR_SCHUNK_COPY = -23,
  BLOSC2_ERROR_FRAME_TYPE = -24,
  BLOSC2_ERROR_FILE_TRUNCATE = -25,
  BLOSC2_ERROR_THREAD_CREATE = -26,
  BLOSC2_ERROR_POSTFILTER = -27,
  BLOSC2_ERROR_FRAME_SPECIAL = -28,
  BLOSC2_ERROR_SCHUNK_SPECIAL = -29,
  BLOSC2_ERROR_PLUGIN_IO = -30,
  BLOSC2_ERROR_FILE_REMOVE = -31,
  BLOSC2_ERROR_NULL_POINTER = -32,
  BLOSC2_ERROR_INVALID_INDEX = -33,
  BLOSC2_ERROR_METALAYER_NOT_FOUND = -34,
  BLOSC2_ERROR_MAX_BUFSIZE_EXCEEDED = -35,
  BLOSC2_ERROR_TUNER = -36,
  BLOSC2_ERROR_LOCK = -37,
};

#if defined(__GNUC__)
#define BLOSC_ATTRIBUTE_UNUSED __attribute__((unused))
#else
#define BLOSC_ATTRIBUTE_UNUSED
#endif

/* The text of a code; static, "Unknown error" for other numbers. print_error is its old name. */
BLOSC_EXPORT const char *blosc2_error_string(int error_code);
static char *print_error(int rc) BLOSC_ATTRIBUTE_UNUSED;
static char *print_error(int rc) { return (char *)blosc2_error_string(rc); }

/* ---- The process ------------------------------------------------------------------------------- */

/* Nothing needs blosc2_init here. blosc2_destroy and blosc2_free_resources give threads and memory back;
 * the library can be used afterwards. */
BLOSC_EXPORT void blosc2_init(void);
BLOSC_EXPORT void blosc2_destroy(void);
BLOSC_EXPORT int blosc2_free_resources(void);

/* The functions without a context share the parameters that these set, and wait for each other. The
 * setter of threads returns the number before. The variables BLOSC_CLEVEL, BLOSC_SHUFFLE (NOSHUFFLE,
 * SHUFFLE, BITSHUFFLE), BLOSC_DELTA (1, 0), BLOSC_TYPESIZE, BLOSC_COMPRESSOR, BLOSC_NTHREADS,
 * BLOSC_SPLITMODE (ALWAYS, NEVER, AUTO, FORWARD_COMPAT) and BLOSC_BLOCKSIZE override them; with
 * BLOSC_NOLOCK, calls do not wait for each other; with BLOSC_BLOSC1_COMPAT, chunks are ones of Blosc1. */
BLOSC_EXPORT int16_t blosc2_get_nthreads(void);
BLOSC_EXPORT int16_t blosc2_set_nthreads(int16_t nthreads);
BLOSC_EXPORT const char *blosc1_get_compressor(void);
BLOSC_EXPORT int blosc1_set_compressor(const char *compname);
BLOSC_EXPORT void blosc2_set_delta(int dodelta);
BLOSC_EXPORT int blosc1_get_blocksize(void);
BLOSC_EXPORT void blosc1_set_blocksize(size_t blocksize); /* 0: automatic */
BLOSC_EXPORT void blosc1_set_splitmode(int splitmode);

/* A function that calls dojob(jobdata + i * jobdata_elsize) for i from 0 to numjobs - 1, on any threads,
 * and returns when all have returned. With it, the library starts no threads; NULL restores them. */
typedef void (*blosc_threads_callback)(void *callback_data, void (*dojob)(void *), int numjobs,
                                       size_t jobdata_elsize, void *jobdata);
BLOSC_EXPORT void blosc2_set_threads_callback(blosc_threads_callback callback, void *callback_data);

/* Names. Those of codecs are static; the strings of blosc2_get_complib_info are the caller's. */
BLOSC_EXPORT int blosc2_compcode_to_compname(int compcode, const char **compname); /* the code, or -1 */
BLOSC_EXPORT int blosc2_compname_to_compcode(const char *compname);                /* the code, or -1 */
BLOSC_EXPORT const char *blosc2_list_compressors(void);
BLOSC_EXPORT const char *blosc2_get_version_string(void);
BLOSC_EXPORT int blosc2_get_complib_info(const char *compname, char **complib, char **version);

/* ---- Chunks without a context ------------------------------------------------------------------ */

/* Compression returns the bytes of the chunk, 0 if it does not fit into destsize; with destsize of
 * nbytes + BLOSC2_MAX_OVERHEAD it always fits. Decompression and getitem return the bytes of data. */
BLOSC_EXPORT int blosc1_compress(int clevel, int doshuffle, size_t typesize, size_t nbytes, const void *src,
                                 void *dest, size_t destsize);
BLOSC_EXPORT int blosc2_compress(int clevel, int doshuffle, int32_t typesize, const void *src, int32_t srcsize,
                                 void *dest, int32_t destsize);
BLOSC_EXPORT int blosc1_decompress(const void *src, void *dest, size_t destsize);
BLOSC_EXPORT int blosc2_decompress(const void *src, int32_t srcsize, void *dest, int32_t destsize);
BLOSC_EXPORT int blosc1_getitem(const void *src, int start, int nitems, void *dest);
BLOSC_EXPORT int blosc2_getitem(const void *src, int32_t srcsize, int start, int nitems, void *dest,
                                int32_t destsize);

/* What a header says; the first BLOSC_MIN_HEADER_LENGTH bytes suffice. NULL results are left out. For a
 * lazy chunk, cbytes is the length of the whole chunk in its file. */
BLOSC_EXPORT void blosc1_cbuffer_sizes(const void *cbuffer, size_t *nbytes, size_t *cbytes, size_t *blocksize);
BLOSC_EXPORT int blosc2_cbuffer_sizes(const void *cbuffer, int32_t *nbytes, int32_t *cbytes, int32_t *blocksize);
BLOSC_EXPORT int blosc1_cbuffer_validate(const void *cbuffer, size_t cbytes, size_t *nbytes);
BLOSC_EXPORT void blosc1_cbuffer_metainfo(const void *cbuffer, size_t *typesize, int *flags);
BLOSC_EXPORT void blosc2_cbuffer_versions(const void *cbuffer, int *version, int *versionlz);
BLOSC_EXPORT const char *blosc2_cbuffer_complib(const void *cbuffer);

/* ---- I/O --------------------------------------------------------------------------------------- */

enum {
  BLOSC2_IO_FILESYSTEM = 0,
  BLOSC2_IO_FILESYSTEM_MMAP = 1,
  BLOSC_IO_LAST_BLOSC_DEFINED = 2,
  BLOSC_IO_LAST_REGISTERED = 32,
};
enum {
  BLOSC2_IO_BLOSC_DEFINED = 32,
  BLOSC2_IO_REGISTERED = 160,
  BLOSC2_IO_USER_DEFINED = 256,
};

/* Reading and writing return the number of items; the others 0, or not 0 for failure. */
typedef void *(*blosc2_open_cb)(const char *urlpath, const char *mode, void *params);
typedef int (*blosc2_close_cb)(void *stream);
typedef int64_t (*blosc2_size_cb)(void *stream);
typedef int64_t (*blosc2_write_cb)(const void *ptr, int64_t size, int64_t nitems, int64_t position, void *stream);
typedef int64_t (*blosc2_read_cb)(void **ptr, int64_t size, int64_t nitems, int64_t position, void *stream);
typedef int (*blosc2_truncate_cb)(void *stream, int64_t size);
typedef int (*blosc2_destroy_cb)(void *params);

typedef struct {
  uint8_t id; /* 160 to 255 */
  char *name;
  bool is_allocation_necessary; /* whether `read` fills the memory at *ptr, or sets *ptr to memory of its own */
  blosc2_open_cb open;
  blosc2_close_cb close;
  blosc2_size_cb size;
  blosc2_write_cb write;
  blosc2_read_cb read;
  blosc2_truncate_cb truncate;
  blosc2_destroy_cb destroy; /* called with the parameters when the super-chunk is freed */
} blosc2_io_cb;

typedef struct {
  uint8_t id;
  const char *name;
  void *params;
} blosc2_io;

static const blosc2_io BLOSC2_IO_DEFAULTS = {BLOSC2_IO_FILESYSTEM, "filesystem", NULL};

BLOSC_EXPORT int blosc2_register_io_cb(const blosc2_io_cb *io);
BLOSC_EXPORT blosc2_io_cb *blosc2_get_io_cb(uint8_t id);

/* ---- Contexts ---------------------------------------------------------------------------------- */

typedef struct blosc2_context_s blosc2_context;

/* A tuner is told of a context, asked before each chunk (for the first one by next_blocksize) and told how
 * many seconds a chunk took. It can ask the context for its parameters. */
typedef struct {
  int (*init)(void *config, blosc2_context *cctx, blosc2_context *dctx); /* dctx may be NULL */
  int (*next_blocksize)(blosc2_context *context);
  int (*next_cparams)(blosc2_context *context);
  int (*update)(blosc2_context *context, double ctime);
  int (*free)(blosc2_context *context);
  int id; /* 160 to 255 */
  char *name;
} blosc2_tuner;
BLOSC_EXPORT int blosc2_register_tuner(blosc2_tuner *tuner);

/* A prefilter makes a block from one of the source before it is compressed, a postfilter one from what
 * was decompressed. Both return 0, and run on the calling thread if there is one thread. `user_data` is
 * the caller's; the library sets everything else for each call. */
typedef struct {
  void *user_data;
  const uint8_t *input;
  uint8_t *output;
  int32_t output_size;
  int32_t output_typesize;
  int32_t output_offset; /* of the block within the chunk */
  int64_t nchunk;        /* -1 without a super-chunk */
  int32_t nblock;
  int32_t tid;  /* the thread */
  uint8_t *ttmp; /* scratch memory of the thread, for several blocks */
  size_t ttmp_nbytes;
  blosc2_context *ctx;
  bool output_is_disposable;
} blosc2_prefilter_params;
typedef struct {
  void *user_data;
  const uint8_t *input;
  uint8_t *output;
  int32_t size;
  int32_t typesize;
  int32_t offset;
  int64_t nchunk;
  int32_t nblock;
  int32_t tid;
  uint8_t *ttmp;
  size_t ttmp_nbytes;
  blosc2_context *ctx;
} blosc2_postfilter_params;
typedef int (*blosc2_prefilter_fn)(blosc2_prefilter_params *params);
typedef int (*blosc2_postfilter_fn)(blosc2_postfilter_params *params);

typedef struct {
  uint8_t compcode;
  uint8_t compcode_meta;
  uint8_t clevel;   /* 0 to 9 */
  int use_dict;     /* LZ4, LZ4HC and Zstandard */
  int32_t typesize; /* 1 or more */
  int16_t nthreads;
  int32_t blocksize; /* 0: automatic */
  int32_t splitmode;
  void *schunk; /* the super-chunk that the data belong to; it must live as long as the context */
  uint8_t filters[BLOSC2_MAX_FILTERS];
  uint8_t filters_meta[BLOSC2_MAX_FILTERS];
  blosc2_prefilter_fn prefilter;
  blosc2_prefilter_params *preparams; /* copied */
  void *tuner_params;
  int tuner_id;
  bool instr_codec; /* chunks have a blosc2_instr for each block in place of data */
  void *codec_params;
  void *filter_params[BLOSC2_MAX_FILTERS];
} blosc2_cparams;
static const blosc2_cparams BLOSC2_CPARAMS_DEFAULTS = {
    BLOSC_BLOSCLZ, 0,    5,    0, 8, 1,    0, BLOSC_FORWARD_COMPAT_SPLIT, NULL, {0, 0, 0, 0, 0, BLOSC_SHUFFLE}, {0, 0, 0, 0, 0, 0},
    NULL,          NULL, NULL, 0, 0, NULL, {NULL, NULL, NULL, NULL, NULL, NULL}};

typedef struct {
  int16_t nthreads;
  void *schunk;
  blosc2_postfilter_fn postfilter;
  blosc2_postfilter_params *postparams; /* copied */
  int32_t typesize;
} blosc2_dparams;
static const blosc2_dparams BLOSC2_DPARAMS_DEFAULTS = {1, NULL, NULL, NULL, 8};

/* A context is freed with blosc2_free_ctx. Unlike in C-Blosc2, two threads may use one: calls wait for
 * each other. The variables that the functions without a context honour apply here, too. */
BLOSC_EXPORT blosc2_context *blosc2_create_cctx(blosc2_cparams cparams);
BLOSC_EXPORT blosc2_context *blosc2_create_dctx(blosc2_dparams dparams);
BLOSC_EXPORT void blosc2_free_ctx(blosc2_context *context);
BLOSC_EXPORT int blosc2_ctx_get_cparams(blosc2_context *ctx, blosc2_cparams *cparams);
BLOSC_EXPORT int blosc2_ctx_get_dparams(blosc2_context *ctx, blosc2_dparams *dparams);

/* The next blosc2_decompress_ctx leaves out the blocks with `true`; the mask is copied. */
BLOSC_EXPORT int blosc2_set_maskout(blosc2_context *ctx, bool *maskout, int nblocks);

BLOSC_EXPORT int blosc2_compress_ctx(blosc2_context *context, const void *src, int32_t srcsize, void *dest,
                                     int32_t destsize);
BLOSC_EXPORT int blosc2_decompress_ctx(blosc2_context *context, const void *src, int32_t srcsize, void *dest,
                                       int32_t destsize);
/* Items are counted in the typesize of the chunk, which is 1 for typesizes above BLOSC_MAX_TYPESIZE. */
BLOSC_EXPORT int blosc2_getitem_ctx(blosc2_context *context, const void *src, int32_t srcsize, int start, int nitems,
                                    void *dest, int32_t destsize);
/* start and nbytes are multiples of the typesize of the chunk. */
BLOSC_EXPORT int blosc2_getitem_bytes_ctx(blosc2_context *context, const void *src, int32_t srcsize, int32_t start,
                                          int32_t nbytes, void *dest, int32_t destsize);

/* Chunks whose blocks have variable lengths. Decompression allocates a buffer for each block. */
BLOSC_EXPORT int blosc2_vlcompress_ctx(blosc2_context *context, const void *const *srcs, const int32_t *srcsizes,
                                       int32_t nblocks, void *dest, int32_t destsize);
BLOSC_EXPORT int blosc2_vldecompress_ctx(blosc2_context *context, const void *src, int32_t srcsize, void **dests,
                                         int32_t *destsizes, int32_t maxblocks);
BLOSC_EXPORT int blosc2_vlchunk_get_nblocks(const void *src, int32_t srcsize, int32_t *nblocks);
BLOSC_EXPORT int blosc2_vldecompress_block_ctx(blosc2_context *context, const void *src, int32_t srcsize,
                                               int32_t nblock, uint8_t **dest, int32_t *destsize);

/* Chunks of one value, of BLOSC_EXTENDED_HEADER_LENGTH bytes (and the value). NaNs are of float or double
 * by the typesize. Values that are not initialised are zeros when they are decompressed. */
BLOSC_EXPORT int blosc2_chunk_zeros(blosc2_cparams cparams, int32_t nbytes, void *dest, int32_t destsize);
BLOSC_EXPORT int blosc2_chunk_nans(blosc2_cparams cparams, int32_t nbytes, void *dest, int32_t destsize);
BLOSC_EXPORT int blosc2_chunk_repeatval(blosc2_cparams cparams, int32_t nbytes, void *dest, int32_t destsize,
                                        const void *repeatval);
BLOSC_EXPORT int blosc2_chunk_uninit(blosc2_cparams cparams, int32_t nbytes, void *dest, int32_t destsize);

/* ---- Super-chunks ------------------------------------------------------------------------------ */

#define BLOSC2_MAX_METALAYERS 16
#define BLOSC2_METALAYER_NAME_MAXLEN 31
#define BLOSC2_MAX_VLMETALAYERS (8 * 1024)
#define BLOSC2_VLMETALAYERS_NAME_MAXLEN BLOSC2_METALAYER_NAME_MAXLEN

typedef struct {
  bool contiguous;         /* one frame, or a buffer (a file) for each chunk */
  char *urlpath;           /* NULL: in memory */
  blosc2_cparams *cparams; /* NULL: the defaults */
  blosc2_dparams *dparams; /* NULL: the defaults */
  blosc2_io *io;           /* NULL: files */
} blosc2_storage;
static const blosc2_storage BLOSC2_STORAGE_DEFAULTS = {false, NULL, NULL, NULL, NULL};

/* The defaults, for languages that cannot read the constants. */
BLOSC_EXPORT blosc2_cparams blosc2_get_blosc2_cparams_defaults(void);
BLOSC_EXPORT blosc2_dparams blosc2_get_blosc2_dparams_defaults(void);
BLOSC_EXPORT blosc2_storage blosc2_get_blosc2_storage_defaults(void);
BLOSC_EXPORT blosc2_io blosc2_get_blosc2_io_defaults(void);
BLOSC_EXPORT blosc2_stdio_mmap blosc2_get_blosc2_stdio_mmap_defaults(void);

typedef struct blosc2_frame_s blosc2_frame;

typedef struct blosc2_metalayer {
  char *name;
  uint8_t *content;
  int32_t content_len;
} blosc2_metalayer;

/* Callers read all fields. They may replace cctx and dctx (by contexts that the super-chunk then owns), the
 * parameters that `storage` points to, and current_nchunk. */
typedef struct blosc2_schunk {
  uint8_t version;
  uint8_t compcode;
  uint8_t compcode_meta;
  uint8_t clevel;
  uint8_t splitmode;
  int32_t typesize;
  int32_t blocksize;
  int32_t chunksize; /* 0 where it varies */
  uint8_t flags2;
  uint8_t use_dict;
  uint8_t filters[BLOSC2_MAX_FILTERS];
  uint8_t filters_meta[BLOSC2_MAX_FILTERS];
  int64_t nchunks;
  int64_t current_nchunk;
  int64_t nbytes;
  int64_t cbytes;
  uint8_t **data; /* the chunks of one in memory that is not contiguous */
  size_t data_len;
  blosc2_storage *storage;
  blosc2_frame *frame;
  blosc2_context *cctx;
  blosc2_context *dctx;
  struct blosc2_metalayer *metalayers[BLOSC2_MAX_METALAYERS];
  uint16_t nmetalayers;
  struct blosc2_metalayer *vlmetalayers[BLOSC2_MAX_VLMETALAYERS]; /* their contents are compressed */
  int16_t nvlmetalayers;
  void *tuner_params;
  int tuner_id;
  int8_t ndim;
  int64_t *blockshape;
  bool view;
  int64_t change_tick; /* grows with each change of the metalayers */
} blosc2_schunk;

/* Creating replaces what is at the path. A frame in a buffer is copied, or belongs to the super-chunk from
 * then on (unless blosc2_schunk_avoid_cframe_free says that it stays the caller's). */
BLOSC_EXPORT blosc2_schunk *blosc2_schunk_new(blosc2_storage *storage);
BLOSC_EXPORT blosc2_schunk *blosc2_schunk_copy(blosc2_schunk *schunk, blosc2_storage *storage);
BLOSC_EXPORT blosc2_schunk *blosc2_schunk_from_buffer(uint8_t *cframe, int64_t len, bool copy);
BLOSC_EXPORT void blosc2_schunk_avoid_cframe_free(blosc2_schunk *schunk, bool avoid_cframe_free);
BLOSC_EXPORT blosc2_schunk *blosc2_schunk_open(const char *urlpath);
BLOSC_EXPORT blosc2_schunk *blosc2_schunk_open_offset(const char *urlpath, int64_t offset);
BLOSC_EXPORT blosc2_schunk *blosc2_schunk_open_udio(const char *urlpath, const blosc2_io *udio);
BLOSC_EXPORT blosc2_schunk *blosc2_schunk_open_offset_udio(const char *urlpath, int64_t offset, const blosc2_io *udio);
BLOSC_EXPORT int blosc2_schunk_free(blosc2_schunk *schunk);

/* As a frame: in a buffer (its length), in a file (its length), at the end of a file (its offset). */
BLOSC_EXPORT int64_t blosc2_schunk_to_buffer(blosc2_schunk *schunk, uint8_t **cframe, bool *needs_free);
BLOSC_EXPORT int64_t blosc2_schunk_to_file(blosc2_schunk *schunk, const char *urlpath);
BLOSC_EXPORT int64_t blosc2_schunk_append_file(blosc2_schunk *schunk, const char *urlpath);
BLOSC_EXPORT int64_t blosc2_schunk_frame_len(blosc2_schunk *schunk);

/* Holds the lock of a frame over several calls, if locking is on; handles and processes wait. */
BLOSC_EXPORT int blosc2_schunk_lock(blosc2_schunk *schunk);
BLOSC_EXPORT int blosc2_schunk_unlock(blosc2_schunk *schunk);
/* Reads what another handle has changed; 1 if there was something. */
BLOSC_EXPORT int blosc2_schunk_refresh(blosc2_schunk *schunk);

/* Changes; they return the number of chunks. Without `copy`, the chunk belongs to the super-chunk. */
BLOSC_EXPORT int64_t blosc2_schunk_append_chunk(blosc2_schunk *schunk, uint8_t *chunk, bool copy);
BLOSC_EXPORT int64_t blosc2_schunk_update_chunk(blosc2_schunk *schunk, int64_t nchunk, uint8_t *chunk, bool copy);
BLOSC_EXPORT int64_t blosc2_schunk_insert_chunk(blosc2_schunk *schunk, int64_t nchunk, uint8_t *chunk, bool copy);
BLOSC_EXPORT int64_t blosc2_schunk_delete_chunk(blosc2_schunk *schunk, int64_t nchunk);
BLOSC_EXPORT int64_t blosc2_schunk_append_buffer(blosc2_schunk *schunk, const void *src, int32_t nbytes);
BLOSC_EXPORT int64_t blosc2_schunk_fill_special(blosc2_schunk *schunk, int64_t nitems, int special_value,
                                                int32_t chunksize);

/* Reading. A chunk is the caller's if *needs_free says so. A lazy chunk is a header with the place of its
 * blocks in a file; it goes to blosc2_decompress_ctx, blosc2_getitem_ctx and their like, with the length
 * that this function returned and a context of the super-chunk. */
BLOSC_EXPORT int blosc2_schunk_decompress_chunk(blosc2_schunk *schunk, int64_t nchunk, void *dest, int32_t nbytes);
BLOSC_EXPORT int blosc2_schunk_get_chunk(blosc2_schunk *schunk, int64_t nchunk, uint8_t **chunk, bool *needs_free);
BLOSC_EXPORT int blosc2_schunk_get_lazychunk(blosc2_schunk *schunk, int64_t nchunk, uint8_t **chunk,
                                             bool *needs_free);
BLOSC_EXPORT int blosc2_schunk_get_vlblock(blosc2_schunk *schunk, int64_t nchunk, int32_t nblock, uint8_t **dest,
                                           int32_t *destsize);

/* Items from `start` to before `stop`, or at coordinates. */
BLOSC_EXPORT int blosc2_schunk_get_slice_buffer(blosc2_schunk *schunk, int64_t start, int64_t stop, void *buffer);
BLOSC_EXPORT int blosc2_schunk_get_sparse_buffer(blosc2_schunk *schunk, int64_t ncoords, const int64_t *coords,
                                                 void *buffer);
BLOSC_EXPORT int blosc2_schunk_set_slice_buffer(blosc2_schunk *schunk, int64_t start, int64_t stop, void *buffer);

/* The parameters, in new structures of the caller's. */
BLOSC_EXPORT int blosc2_schunk_get_cparams(blosc2_schunk *schunk, blosc2_cparams **cparams);
BLOSC_EXPORT int blosc2_schunk_get_dparams(blosc2_schunk *schunk, blosc2_dparams **dparams);
BLOSC_EXPORT int blosc2_schunk_reorder_offsets(blosc2_schunk *schunk, int64_t *offsets_order);
BLOSC_EXPORT int64_t *blosc2_frame_get_offsets(blosc2_schunk *schunk);

/* ---- Metalayers: named bytes of a super-chunk ----------------------------------------------------- */

/* Functions return the index of the metalayer. */
static inline int blosc2_meta_exists(blosc2_schunk *schunk, const char *name) {
  int i;
  if (schunk == NULL || name == NULL || strlen(name) > BLOSC2_METALAYER_NAME_MAXLEN) {
    BLOSC_TRACE_ERROR("no super-chunk, or no name of a metalayer");
    return BLOSC2_ERROR_INVALID_PARAM;
  }
  for (i = 0; i < schunk->nmetalayers; ++i) {
    if (strcmp(schunk->metalayers[i]->name, name) == 0) {
      return i;
    }
  }
  return BLOSC2_ERROR_NOT_FOUND;
}

BLOSC_EXPORT int blosc2_meta_add(blosc2_schunk *schunk, const char *name, uint8_t *content, int32_t content_len);
BLOSC_EXPORT int blosc2_meta_update(blosc2_schunk *schunk, const char *name, uint8_t *content, int32_t content_len);

/* The content is a copy of the caller's, NULL if it is empty. */
static inline int blosc2_meta_get(blosc2_schunk *schunk, const char *name, uint8_t **content, int32_t *content_len) {
  const blosc2_metalayer *found;
  int i;
  if (content == NULL || content_len == NULL) {
    return BLOSC2_ERROR_INVALID_PARAM;
  }
  i = blosc2_meta_exists(schunk, name);
  if (i < 0) {
    return i;
  }
  found = schunk->metalayers[i];
  if (found->content_len < 0 || (found->content_len > 0 && found->content == NULL)) {
    return BLOSC2_ERROR_DATA;
  }
  *content = NULL;
  *content_len = found->content_len;
  if (found->content_len > 0) {
    *content = (uint8_t *)malloc((size_t)found->content_len);
    if (*content == NULL) {
      *content_len = 0;
      return BLOSC2_ERROR_MEMORY_ALLOC;
    }
    memcpy(*content, found->content, (size_t)found->content_len);
  }
  return i;
}

/* The same for metalayers that may change their length; their contents are compressed. Names are those of
 * the super-chunk, and `names` has room for nvlmetalayers of them. Deleting returns how many are left. */
BLOSC_EXPORT int blosc2_vlmeta_exists(blosc2_schunk *schunk, const char *name);
BLOSC_EXPORT int blosc2_vlmeta_add(blosc2_schunk *schunk, const char *name, uint8_t *content, int32_t content_len,
                                   blosc2_cparams *cparams);
BLOSC_EXPORT int blosc2_vlmeta_update(blosc2_schunk *schunk, const char *name, uint8_t *content, int32_t content_len,
                                      blosc2_cparams *cparams);
BLOSC_EXPORT int blosc2_vlmeta_get(blosc2_schunk *schunk, const char *name, uint8_t **content, int32_t *content_len);
BLOSC_EXPORT int blosc2_vlmeta_delete(blosc2_schunk *schunk, const char *name);
BLOSC_EXPORT int blosc2_vlmeta_get_names(blosc2_schunk *schunk, char **names);

/* ---- Time --------------------------------------------------------------------------------------- */

#if defined(_WIN32)
typedef LARGE_INTEGER blosc_timestamp_t;
#else
typedef struct timespec blosc_timestamp_t;
#endif
BLOSC_EXPORT void blosc_set_timestamp(blosc_timestamp_t *timestamp);
BLOSC_EXPORT double blosc_elapsed_nsecs(blosc_timestamp_t start_time, blosc_timestamp_t end_time);
BLOSC_EXPORT double blosc_elapsed_secs(blosc_timestamp_t start_time, blosc_timestamp_t end_time);

/* ---- Codecs and filters of the caller ---------------------------------------------------------------- */

/* An encoder returns the bytes written, 0 if they do not fit; a decoder the bytes written; both a negative
 * number for failure. `chunk` is the chunk at work, as far as it is in memory. */
typedef int (*blosc2_codec_encoder_cb)(const uint8_t *input, int32_t input_len, uint8_t *output, int32_t output_len,
                                       uint8_t meta, blosc2_cparams *cparams, const void *chunk);
typedef int (*blosc2_codec_decoder_cb)(const uint8_t *input, int32_t input_len, uint8_t *output, int32_t output_len,
                                       uint8_t meta, blosc2_dparams *dparams, const void *chunk);
typedef struct {
  uint8_t compcode; /* 160 to 255 */
  char *compname;
  uint8_t complib;
  uint8_t version;
  blosc2_codec_encoder_cb encoder;
  blosc2_codec_decoder_cb decoder;
} blosc2_codec;
BLOSC_EXPORT int blosc2_register_codec(blosc2_codec *codec);

/* (input, output, bytes of both, meta byte, parameters, id) -> 0 */
typedef int (*blosc2_filter_forward_cb)(const uint8_t *, uint8_t *, int32_t, uint8_t, blosc2_cparams *, uint8_t);
typedef int (*blosc2_filter_backward_cb)(const uint8_t *, uint8_t *, int32_t, uint8_t, blosc2_dparams *, uint8_t);
typedef struct {
  uint8_t id; /* 160 to 255 */
  char *name;
  uint8_t version;
  blosc2_filter_forward_cb forward;
  blosc2_filter_backward_cb backward;
} blosc2_filter;
BLOSC_EXPORT int blosc2_register_filter(blosc2_filter *filter);

/* ---- Paths, indices, shuffling ----------------------------------------------------------------------- */

BLOSC_EXPORT int blosc2_remove_dir(const char *path);
BLOSC_EXPORT int blosc2_remove_urlpath(const char *path);
BLOSC_EXPORT int blosc2_rename_urlpath(char *old_urlpath, char *new_path);

BLOSC_EXPORT void blosc2_unidim_to_multidim(uint8_t ndim, int64_t *shape, int64_t i, int64_t *index);
BLOSC_EXPORT void blosc2_multidim_to_unidim(const int64_t *index, int8_t ndim, const int64_t *strides, int64_t *i);

/* The chunks that hold a slice (in items; by dimension for an array), in a new buffer; their number. */
BLOSC_EXPORT int64_t blosc2_get_slice_nchunks(blosc2_schunk *schunk, int64_t *start, int64_t *stop,
                                              int64_t **chunks_idx);

/* They return `blocksize`. Typesizes are 1 to 256. */
BLOSC_EXPORT int32_t blosc2_shuffle(const int32_t typesize, const int32_t blocksize, const void *src, void *dest);
BLOSC_EXPORT int32_t blosc2_unshuffle(const int32_t typesize, const int32_t blocksize, const void *src, void *dest);
BLOSC_EXPORT int32_t blosc2_bitshuffle(const int32_t typesize, const int32_t blocksize, const void *src, void *dest);
BLOSC_EXPORT int32_t blosc2_bitunshuffle(const int32_t typesize, const int32_t blocksize, const void *src,
                                         void *dest);

/* Copies a number of 1, 2, 4 or 8 bytes between big endian and the order of the machine. */
static inline void swap_store(void *dest, const void *pa, int size) {
  const uint16_t probe = 1;
  const uint8_t *from = (const uint8_t *)pa;
  uint8_t turned[8];
  int i;
  if (size != 1 && size != 2 && size != 4 && size != 8) {
    fprintf(stderr, "Unhandled nitems: %d\n", size);
    return;
  }
  for (i = 0; i < size; ++i) {
    turned[i] = *(const uint8_t *)&probe == 1 ? from[size - 1 - i] : from[i];
  }
  memcpy(dest, turned, (size_t)size);
}

#ifdef __cplusplus
}
#endif

#endif
