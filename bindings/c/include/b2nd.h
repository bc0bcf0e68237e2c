/* n-dimensional arrays of Blosc2: super-chunks with a shape, cut into chunks and those into blocks.
 *
 * Shapes, starts and stops have an entry for each dimension; stops are not in the slice. Buffers of the
 * caller hold items in C order. Unless a comment says otherwise, functions return 0 or a BLOSC2_ERROR_*. */
#ifndef BLOSC_B2ND_H
#define BLOSC_B2ND_H

#include "blosc2.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_MSC_VER)
#define B2ND_DEPRECATED(msg) __declspec(deprecated(msg))
#elif defined(__GNUC__) || defined(__clang__)
#define B2ND_DEPRECATED(msg) __attribute__((deprecated(msg)))
#else
#define B2ND_DEPRECATED(msg)
#endif

#define B2ND_METALAYER_VERSION 0
#define B2ND_MAX_DIM 16
#define B2ND_MAX_METALAYERS (BLOSC2_MAX_METALAYERS - 1)
#define DTYPE_NUMPY_FORMAT 0
#define B2ND_DEFAULT_DTYPE "|u1"
#define B2ND_DEFAULT_DTYPE_FORMAT DTYPE_NUMPY_FORMAT

/* The chunk that was decompressed last. */
struct chunk_cache_s {
  uint8_t *data;
  int64_t nchunk; /* -1: none */
};

/* The parameters of a new array. */
typedef struct b2nd_context_s b2nd_context_t;

/* Callers read all fields and change none. Shapes beyond `ndim` are 1. */
typedef struct {
  blosc2_schunk *sc;
  int64_t shape[B2ND_MAX_DIM];
  int32_t chunkshape[B2ND_MAX_DIM];
  int64_t extshape[B2ND_MAX_DIM]; /* the shape, up to whole chunks */
  int32_t blockshape[B2ND_MAX_DIM];
  int64_t extchunkshape[B2ND_MAX_DIM]; /* the shape of a chunk, up to whole blocks */
  int64_t nitems;
  int32_t chunknitems;
  int64_t extnitems;
  int32_t blocknitems;
  int64_t extchunknitems;
  int8_t ndim;
  struct chunk_cache_s chunk_cache;
  /* Steps along each dimension: of items within array, chunk, chunk of whole blocks and block; of blocks
   * within a chunk; of chunks within the array. */
  int64_t item_array_strides[B2ND_MAX_DIM];
  int64_t item_chunk_strides[B2ND_MAX_DIM];
  int64_t item_extchunk_strides[B2ND_MAX_DIM];
  int64_t item_block_strides[B2ND_MAX_DIM];
  int64_t block_chunk_strides[B2ND_MAX_DIM];
  int64_t chunk_array_strides[B2ND_MAX_DIM];
  char *dtype;
  int8_t dtype_format;
  int64_t last_tick; /* the change_tick of the super-chunk that these fields are of */
} b2nd_array_t;

/* Everything is copied; dtype NULL is B2ND_DEFAULT_DTYPE. Freed with b2nd_free_ctx. */
BLOSC_EXPORT b2nd_context_t *b2nd_create_ctx(const blosc2_storage *b2_storage, int8_t ndim, const int64_t *shape,
                                             const int32_t *chunkshape, const int32_t *blockshape, const char *dtype,
                                             int8_t dtype_format, const blosc2_metalayer *metalayers,
                                             int32_t nmetalayers);
BLOSC_EXPORT int b2nd_free_ctx(b2nd_context_t *ctx);

/* New arrays; freed with b2nd_free. */
BLOSC_EXPORT int b2nd_uninit(b2nd_context_t *ctx, b2nd_array_t **array);
BLOSC_EXPORT int b2nd_empty(b2nd_context_t *ctx, b2nd_array_t **array);
BLOSC_EXPORT int b2nd_zeros(b2nd_context_t *ctx, b2nd_array_t **array);
BLOSC_EXPORT int b2nd_nans(b2nd_context_t *ctx, b2nd_array_t **array);
BLOSC_EXPORT int b2nd_full(b2nd_context_t *ctx, b2nd_array_t **array, const void *fill_value);
BLOSC_EXPORT int b2nd_from_cbuffer(b2nd_context_t *ctx, b2nd_array_t **array, const void *buffer, int64_t buffersize);
BLOSC_EXPORT int b2nd_copy(b2nd_context_t *ctx, const b2nd_array_t *src, b2nd_array_t **array);
BLOSC_EXPORT int b2nd_get_slice(b2nd_context_t *ctx, b2nd_array_t **array, const b2nd_array_t *src,
                                const int64_t *start, const int64_t *stop);
/* Along `axis`; with `copy` a new array, without it src1 grows and is the result. */
BLOSC_EXPORT int b2nd_concatenate(b2nd_context_t *ctx, const b2nd_array_t *src1, const b2nd_array_t *src2, int8_t axis,
                                  bool copy, b2nd_array_t **array);
BLOSC_EXPORT int b2nd_free(b2nd_array_t *array);

/* Arrays from and to super-chunks and frames. The array owns the super-chunk. */
BLOSC_EXPORT int b2nd_from_schunk(blosc2_schunk *schunk, b2nd_array_t **array);
BLOSC_EXPORT int b2nd_to_cframe(const b2nd_array_t *array, uint8_t **cframe, int64_t *cframe_len, bool *needs_free);
BLOSC_EXPORT int b2nd_from_cframe(uint8_t *cframe, int64_t cframe_len, bool copy, b2nd_array_t **array);
BLOSC_EXPORT int b2nd_open(const char *urlpath, b2nd_array_t **array);
BLOSC_EXPORT int b2nd_open_offset(const char *urlpath, b2nd_array_t **array, int64_t offset);
BLOSC_EXPORT int b2nd_save(const b2nd_array_t *array, char *urlpath);
BLOSC_EXPORT int64_t b2nd_save_append(const b2nd_array_t *array, const char *urlpath); /* the offset */

/* Views, which share the super-chunk of the array: without dimensions of length 1 (those marked, or all),
 * with new ones at the marked places. */
BLOSC_EXPORT int b2nd_squeeze_index(b2nd_array_t *array, b2nd_array_t **view, const bool *index);
BLOSC_EXPORT int b2nd_squeeze(b2nd_array_t *array, b2nd_array_t **view);
BLOSC_EXPORT int b2nd_expand_dims(const b2nd_array_t *array, b2nd_array_t **view, const bool *axis,
                                  const uint8_t final_dims);

/* Reading and writing: everything, a slice, single items, a grid of indices for each dimension. */
BLOSC_EXPORT int b2nd_to_cbuffer(const b2nd_array_t *array, void *buffer, int64_t buffersize);
BLOSC_EXPORT int b2nd_get_slice_cbuffer(const b2nd_array_t *array, const int64_t *start, const int64_t *stop,
                                        void *buffer, const int64_t *buffershape, int64_t buffersize);
BLOSC_EXPORT int b2nd_set_slice_cbuffer(const void *buffer, const int64_t *buffershape, int64_t buffersize,
                                        const int64_t *start, const int64_t *stop, b2nd_array_t *array);
BLOSC_EXPORT int b2nd_get_sparse_cbuffer(const b2nd_array_t *array, int64_t ncoords, const int64_t *coords,
                                         void *buffer, int64_t buffersize);
BLOSC_EXPORT int b2nd_get_orthogonal_selection(const b2nd_array_t *array, int64_t **selection, int64_t *selection_size,
                                               void *buffer, int64_t *buffershape, int64_t buffersize);
BLOSC_EXPORT int b2nd_set_orthogonal_selection(b2nd_array_t *array, int64_t **selection, int64_t *selection_size,
                                               const void *buffer, int64_t *buffershape, int64_t buffersize);

/* Other shapes. `start` NULL is the end. Inserting, appending and deleting need whole chunks. */
BLOSC_EXPORT int b2nd_resize(b2nd_array_t *array, const int64_t *new_shape, const int64_t *start);
BLOSC_EXPORT int b2nd_insert(b2nd_array_t *array, const void *buffer, int64_t buffersize, int8_t axis,
                             int64_t insert_start);
BLOSC_EXPORT int b2nd_append(b2nd_array_t *array, const void *buffer, int64_t buffersize, int8_t axis);
BLOSC_EXPORT int b2nd_delete(b2nd_array_t *array, int8_t axis, int64_t delete_start, int64_t delete_len);

/* Reads what another handle has changed; 1 if there was something. */
BLOSC_EXPORT int b2nd_refresh(b2nd_array_t *array);
BLOSC_EXPORT int b2nd_print_meta(const b2nd_array_t *array);

/* The content of the metalayer `b2nd`; its length. Buffers and strings that come out are the caller's. */
BLOSC_EXPORT int b2nd_serialize_meta(int8_t ndim, const int64_t *shape, const int32_t *chunkshape,
                                     const int32_t *blockshape, const char *dtype, int8_t dtype_format,
                                     uint8_t **smeta);
BLOSC_EXPORT int b2nd_deserialize_meta(const uint8_t *smeta, int32_t smeta_len, int8_t *ndim, int64_t *shape,
                                       int32_t *chunkshape, int32_t *blockshape, char **dtype, int8_t *dtype_format);

/* Reads a list of `ndim` big-endian numbers of `width` bytes, each after a marker, at *at. */
static inline int b2nd_read_shape_(const uint8_t *meta, int32_t len, int32_t *at, int8_t ndim, int width, void *to) {
  int i;
  int32_t need = 1 + ndim * (1 + width);
  if (len - *at < need) {
    BLOSC_TRACE_ERROR("the metalayer b2nd is cut off");
    return BLOSC2_ERROR_FAILURE;
  }
  *at += 1;
  for (i = 0; i < ndim; ++i) {
    swap_store((uint8_t *)to + i * width, meta + *at + 1, width);
    *at += 1 + width;
  }
  return BLOSC2_ERROR_SUCCESS;
}

/* b2nd_deserialize_meta for programs that are not linked to the library. */
static inline int b2nd_deserialize_meta_inline(const uint8_t *smeta, int32_t smeta_len, int8_t *ndim, int64_t *shape,
                                               int32_t *chunkshape, int32_t *blockshape, char **dtype,
                                               int8_t *dtype_format) {
  int32_t at = 3;
  int32_t dtype_len = 0;
  if (smeta == NULL || ndim == NULL || shape == NULL || chunkshape == NULL || blockshape == NULL) {
    return BLOSC2_ERROR_NULL_POINTER;
  }
  if (dtype != NULL) {
    *dtype = NULL;
  }
  if (dtype_format != NULL) {
    *dtype_format = 0;
  }
  /* marker of the list, version, number of dimensions */
  if (smeta_len < at) {
    BLOSC_TRACE_ERROR("the metalayer b2nd is cut off");
    return BLOSC2_ERROR_FAILURE;
  }
  *ndim = (int8_t)smeta[2];
  if (*ndim < 0 || *ndim > B2ND_MAX_DIM) {
    BLOSC_TRACE_ERROR("%d dimensions", *ndim);
    return BLOSC2_ERROR_FAILURE;
  }
  BLOSC_ERROR(b2nd_read_shape_(smeta, smeta_len, &at, *ndim, 8, shape));
  BLOSC_ERROR(b2nd_read_shape_(smeta, smeta_len, &at, *ndim, 4, chunkshape));
  BLOSC_ERROR(b2nd_read_shape_(smeta, smeta_len, &at, *ndim, 4, blockshape));
  /* The old form, of Caterva, ends here. */
  if (dtype == NULL || dtype_format == NULL || at == smeta_len) {
    return at;
  }
  /* format, marker of a string, its length in 4 bytes */
  if (smeta_len - at < 6 || smeta[at + 1] != 0xdb) {
    BLOSC_TRACE_ERROR("the metalayer b2nd has no dtype where it should");
    return BLOSC2_ERROR_FAILURE;
  }
  *dtype_format = (int8_t)smeta[at];
  swap_store(&dtype_len, smeta + at + 2, 4);
  at += 6;
  if (dtype_len < 0 || dtype_len > smeta_len - at) {
    BLOSC_TRACE_ERROR("a dtype of %d bytes in the metalayer b2nd", (int)dtype_len);
    return BLOSC2_ERROR_FAILURE;
  }
  *dtype = (char *)malloc((size_t)dtype_len + 1);
  BLOSC_ERROR_NULL(*dtype, BLOSC2_ERROR_MEMORY_ALLOC);
  memcpy(*dtype, smeta + at, (size_t)dtype_len);
  (*dtype)[dtype_len] = '\0';
  return at + dtype_len;
}

/* Copies a box between two buffers of the same number of dimensions. */
B2ND_DEPRECATED("Use b2nd_copy_buffer2 instead.")
BLOSC_EXPORT int b2nd_copy_buffer(int8_t ndim, uint8_t itemsize, const void *src, const int64_t *src_pad_shape,
                                  const int64_t *src_start, const int64_t *src_stop, void *dst,
                                  const int64_t *dst_pad_shape, const int64_t *dst_start);
BLOSC_EXPORT int b2nd_copy_buffer2(int8_t ndim, int32_t itemsize, const void *src, const int64_t *src_pad_shape,
                                   const int64_t *src_start, const int64_t *src_stop, void *dst,
                                   const int64_t *dst_pad_shape, const int64_t *dst_start);

#ifdef __cplusplus
}
#endif

#endif
