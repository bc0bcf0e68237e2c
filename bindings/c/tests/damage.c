/* Damaged chunks, frames and metalayers through the functions that read them: an error or data, and nothing outside
 * of the buffers, which have their exact sizes on the heap so that AddressSanitizer sees the first byte beyond.
 * Argument: the number of damaged buffers (2000). */
#include "b2nd.h"
#include <stdio.h>
#include <string.h>

static uint32_t state = 20;
static uint32_t next(uint32_t below) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % below;
}

enum { NBYTES = 24000 };
static int32_t data[NBYTES / 4];
static int failed = 0;

#define MUST(condition)                                                                                \
  do {                                                                                                 \
    if (!(condition)) {                                                                                \
      printf("line %d: false: %s\n", __LINE__, #condition);                                            \
      ++failed;                                                                                        \
    }                                                                                                  \
  } while (0)

static blosc2_cparams params(void) {
  static const uint8_t filters[] = {0, BLOSC_SHUFFLE, BLOSC_BITSHUFFLE, BLOSC_DELTA, BLOSC_TRUNC_PREC, 35};
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  static const uint8_t codecs[] = {BLOSC_BLOSCLZ, BLOSC_LZ4, BLOSC_LZ4HC, BLOSC_ZLIB, BLOSC_ZSTD};
  cparams.typesize = 4;
  cparams.compcode = codecs[next(5)];
  cparams.clevel = (uint8_t)next(10);
  cparams.blocksize = next(2) ? 0 : 4 * (int32_t)(16 + next(2000));
  cparams.filters[BLOSC2_MAX_FILTERS - 1] = filters[next(6)];
  cparams.filters_meta[BLOSC2_MAX_FILTERS - 1] = cparams.filters[BLOSC2_MAX_FILTERS - 1] == BLOSC_TRUNC_PREC ? 10 : 0;
  cparams.use_dict = cparams.compcode == BLOSC_ZSTD && next(4) == 0;
  cparams.nthreads = next(8) == 0 ? 4 : 1;
  return cparams;
}

/* A copy of exactly `len` bytes, some of them changed, or cut short; mostly at the front. */
static uint8_t *damaged(const uint8_t *good, int64_t *len) {
  if (next(6) == 0) *len = next((uint32_t)*len) + 1;
  uint8_t *bytes = malloc((size_t)*len);
  memcpy(bytes, good, (size_t)*len);
  for (uint32_t i = next(5) == 0 ? 0 : 1 + next(6); i > 0; --i) {
    uint32_t front = *len < 64 ? (uint32_t)*len : 64;
    bytes[next(2) ? next(front) : next((uint32_t)*len)] = next(3) ? (uint8_t)next(256) : (uint8_t)(255 * next(2));
  }
  return bytes;
}

static int32_t chunk_of(uint8_t *chunk, int32_t room) {
  blosc2_context *ctx = blosc2_create_cctx(params());
  int32_t len;
  if (next(8) == 0) {
    const void *blocks[3] = {data, data + 100, data + 7};
    int32_t sizes[3] = {4000, 404, 2000};
    len = blosc2_vlcompress_ctx(ctx, blocks, sizes, 3, chunk, room);
  } else if (next(8) == 0) {
    len = next(2) ? blosc2_chunk_zeros(params(), NBYTES, chunk, room)
                  : blosc2_chunk_repeatval(params(), NBYTES, chunk, room, data + 3);
  } else {
    len = blosc2_compress_ctx(ctx, data, NBYTES, chunk, room);
  }
  blosc2_free_ctx(ctx);
  return len;
}

static void read_chunk(uint8_t *chunk, int32_t len) {
  blosc2_dparams dparams = BLOSC2_DPARAMS_DEFAULTS;
  dparams.nthreads = next(8) == 0 ? 4 : 1;
  blosc2_context *ctx = blosc2_create_dctx(dparams);
  int32_t room = next(2) ? NBYTES : (int32_t)next(NBYTES + 1), n = 0, c = 0, b = 0;
  uint8_t *out = malloc((size_t)room + 1), *block = NULL;
  out = realloc(out, room > 0 ? (size_t)room : 1);
  MUST(blosc2_decompress_ctx(ctx, chunk, len, out, room) <= room);
  MUST(blosc2_getitem_ctx(ctx, chunk, len, (int)next(7000), (int)next(7000), out, room) <= room);
  MUST(blosc2_getitem_bytes_ctx(ctx, chunk, len, 4 * (int)next(6000), 4 * (int)next(6000), out, room) <= room);
  MUST(blosc2_decompress(chunk, len, out, room) <= room);
  MUST(blosc2_getitem(chunk, len, (int)next(100), (int)next(6000), out, room) <= room);
  bool mask[6] = {true, false, true, true, false, false};
  if (blosc2_set_maskout(ctx, mask, (int)next(7)) == 0) (void)blosc2_decompress_ctx(ctx, chunk, len, out, room);
  /* This one is not told the length: it reads the fields of a header. */
  if (len >= BLOSC_EXTENDED_HEADER_LENGTH && blosc2_cbuffer_sizes(chunk, &n, &c, &b) >= 0) {
    size_t nbytes;
    (void)blosc1_cbuffer_validate(chunk, (size_t)len, &nbytes);
    (void)blosc2_cbuffer_complib(chunk);
  }
  void *blocks[4] = {NULL};
  int32_t sizes[4] = {0};
  int got = blosc2_vldecompress_ctx(ctx, chunk, len, blocks, sizes, 4);
  for (int i = 0; i < got && i < 4; ++i) free(blocks[i]);
  if (blosc2_vldecompress_block_ctx(ctx, chunk, len, (int32_t)next(4), &block, &n) >= 0) free(block);
  blosc2_schunk *schunk = blosc2_schunk_new(&(blosc2_storage){.contiguous = next(2) == 1});
  if (len >= BLOSC_EXTENDED_HEADER_LENGTH && blosc2_cbuffer_sizes(chunk, NULL, &c, NULL) >= 0 && c <= len) {
    if (blosc2_schunk_append_chunk(schunk, chunk, true) > 0) (void)blosc2_schunk_decompress_chunk(schunk, 0, out, room);
  }
  blosc2_schunk_free(schunk);
  blosc2_free_ctx(ctx);
  free(out);
}

static void read_frame(uint8_t *frame, int64_t len) {
  static int32_t out[NBYTES / 4];
  uint8_t *content = NULL;
  int32_t content_len;
  blosc2_schunk *schunk = blosc2_schunk_from_buffer(frame, len, next(2) == 1);
  if (schunk != NULL) {
    blosc2_schunk_avoid_cframe_free(schunk, true);
    for (int64_t n = 0; n < schunk->nchunks && n < 8; ++n) {
      (void)blosc2_schunk_decompress_chunk(schunk, n, out, sizeof(out));
      uint8_t *chunk = NULL;
      bool needs_free = false;
      int got = blosc2_schunk_get_lazychunk(schunk, n, &chunk, &needs_free);
      if (got > 0) (void)blosc2_getitem_ctx(schunk->dctx, chunk, got, 3, 500, out, sizeof(out));
      if (got > 0 && needs_free) free(chunk);
    }
    if (schunk->typesize == 4) (void)blosc2_schunk_get_slice_buffer(schunk, 10, 4000, out);
    if (blosc2_meta_get(schunk, "note", &content, &content_len) >= 0) free(content);
    if (blosc2_vlmeta_get(schunk, "more", &content, &content_len) >= 0) free(content);
    (void)blosc2_schunk_append_buffer(schunk, data, 4000);
    (void)blosc2_schunk_delete_chunk(schunk, 0);
    MUST(blosc2_schunk_free(schunk) >= 0);
  }
  b2nd_array_t *array = NULL;
  if (b2nd_from_cframe(frame, len, true, &array) >= 0) {
    int64_t start[B2ND_MAX_DIM] = {1}, stop[B2ND_MAX_DIM], shape[B2ND_MAX_DIM], size = array->sc->typesize;
    for (int i = 0; i < array->ndim; ++i) {
      stop[i] = array->shape[i] < 40 ? array->shape[i] : 40;
      shape[i] = stop[i] - start[i];
      size *= shape[i] > 0 ? shape[i] : 0;
    }
    if (size > 0 && size <= (int64_t)sizeof(out)) {
      (void)b2nd_get_slice_cbuffer(array, start, stop, out, shape, size);
      (void)b2nd_set_slice_cbuffer(out, shape, size, start, stop, array);
    }
    (void)b2nd_resize(array, stop, NULL);
    MUST(b2nd_free(array) >= 0);
  }
}

static int64_t frame_of(uint8_t **frame) {
  blosc2_cparams cparams = params();
  blosc2_storage storage = {.contiguous = next(2) == 1, .cparams = &cparams};
  b2nd_context_t *ctx = b2nd_create_ctx(&storage, 2, (int64_t[]){60, 100}, (int32_t[]){25, 30}, (int32_t[]){8, 9},
                                        "<i4", 0, NULL, 0);
  b2nd_array_t *array = NULL;
  MUST(b2nd_from_cbuffer(ctx, &array, data, NBYTES) == 0);
  MUST(blosc2_vlmeta_add(array->sc, "more", (uint8_t *)data, 500, NULL) >= 0);
  uint8_t *bytes = NULL;
  int64_t len = 0;
  bool needs_free = false;
  MUST(b2nd_to_cframe(array, &bytes, &len, &needs_free) == 0);
  *frame = malloc((size_t)len);
  memcpy(*frame, bytes, (size_t)len);
  if (needs_free) free(bytes);
  MUST(b2nd_free(array) == 0 && b2nd_free_ctx(ctx) == 0);
  return len;
}

static void read_meta(void) {
  uint8_t *meta = NULL;
  int len = b2nd_serialize_meta(3, (int64_t[]){6, 70, 100}, (int32_t[]){5, 25, 30}, (int32_t[]){2, 8, 9}, "<i4", 0, &meta);
  int64_t cut = len;
  uint8_t *bytes = damaged(meta, &cut);
  int8_t ndim, format;
  int64_t shape[B2ND_MAX_DIM];
  int32_t chunkshape[B2ND_MAX_DIM], blockshape[B2ND_MAX_DIM];
  char *dtype = NULL;
  if (b2nd_deserialize_meta(bytes, (int32_t)cut, &ndim, shape, chunkshape, blockshape, &dtype, &format) >= 0) {
    MUST(ndim >= 0 && ndim <= B2ND_MAX_DIM);
    free(dtype);
  }
  free(bytes);
  free(meta);
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 2000;
  blosc2_init();
  for (int i = 0; i < NBYTES / 4; ++i) data[i] = i * 5 % 3000 + (i % 7 == 0 ? (int32_t)next(1000) : 0);
  static uint8_t chunk[NBYTES + 1000];
  uint8_t *frame = NULL;
  for (int round = 0; round < rounds; ++round) {
    if (round % 10 == 9) {
      int64_t len = frame_of(&frame);
      uint8_t *bytes = damaged(frame, &len);
      read_frame(bytes, len);
      free(bytes);
      free(frame);
    } else if (round % 10 == 4) {
      read_meta();
    } else {
      int64_t len = chunk_of(chunk, sizeof(chunk));
      MUST(len > 0);
      uint8_t *bytes = damaged(chunk, &len);
      read_chunk(bytes, (int32_t)len);
      free(bytes);
    }
  }
  blosc2_destroy();
  printf("%d damaged buffers, %d wrong\n", rounds, failed);
  return failed != 0;
}
