/* Every function with NULL and with impossible sizes: an error code (or NULL), no crash. Built for
 * AddressSanitizer by ci/capi-test.sh, too. Prints the calls that did not refuse. */
#include "b2nd.h"
#include <stdio.h>
#include <string.h>

static int wrong = 0;

#define REFUSED(call)                                                                                  \
  do {                                                                                                 \
    long long rc_ = (long long)(call);                                                                 \
    if (rc_ >= 0) {                                                                                    \
      printf("not refused (%lld): %s\n", rc_, #call);                                                  \
      ++wrong;                                                                                         \
    }                                                                                                  \
  } while (0)
#define NONE(call)                                                                                     \
  do {                                                                                                 \
    if ((call) != NULL) {                                                                              \
      printf("not NULL: %s\n", #call);                                                                 \
      ++wrong;                                                                                         \
    }                                                                                                  \
  } while (0)
#define RUNS(call) (void)(call)
#define MUST(condition)                                                                                \
  do {                                                                                                 \
    if (!(condition)) {                                                                                \
      printf("false: %s\n", #condition);                                                               \
      ++wrong;                                                                                         \
    }                                                                                                  \
  } while (0)

static uint8_t src[4096], dst[8192], chunk[8192];

static void chunks(void) {
  int32_t n = 0, c = 0, b = 0;
  size_t zn = 0, zc = 0, zb = 0;
  int flags = 0;
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  blosc2_dparams dparams = BLOSC2_DPARAMS_DEFAULTS;
  blosc2_context *cctx = blosc2_create_cctx(cparams), *dctx = blosc2_create_dctx(dparams);
  MUST(cctx != NULL && dctx != NULL);
  int len = blosc2_compress_ctx(cctx, src, sizeof(src), chunk, sizeof(chunk));
  MUST(len > 0);

  REFUSED(blosc2_compress_ctx(NULL, src, 16, dst, sizeof(dst)));
  REFUSED(blosc2_compress_ctx(cctx, NULL, 16, dst, sizeof(dst)));
  REFUSED(blosc2_compress_ctx(cctx, src, -1, dst, sizeof(dst)));
  REFUSED(blosc2_compress_ctx(cctx, src, 16, NULL, 64));
  REFUSED(blosc2_compress_ctx(cctx, src, 16, dst, -1));
  REFUSED(blosc2_compress_ctx(dctx, src, 16, dst, sizeof(dst)));
  REFUSED(blosc2_decompress_ctx(NULL, chunk, len, dst, sizeof(dst)));
  REFUSED(blosc2_decompress_ctx(dctx, NULL, len, dst, sizeof(dst)));
  REFUSED(blosc2_decompress_ctx(dctx, chunk, -1, dst, sizeof(dst)));
  REFUSED(blosc2_decompress_ctx(dctx, chunk, 0, dst, sizeof(dst)));
  REFUSED(blosc2_decompress_ctx(dctx, chunk, len - 1, dst, sizeof(dst)));
  REFUSED(blosc2_decompress_ctx(dctx, chunk, len, NULL, sizeof(dst)));
  REFUSED(blosc2_decompress_ctx(dctx, chunk, len, dst, 100));
  REFUSED(blosc2_decompress_ctx(cctx, chunk, len, dst, sizeof(dst)));
  REFUSED(blosc2_getitem_ctx(NULL, chunk, len, 0, 1, dst, sizeof(dst)));
  REFUSED(blosc2_getitem_ctx(dctx, NULL, len, 0, 1, dst, sizeof(dst)));
  REFUSED(blosc2_getitem_ctx(dctx, chunk, len, -1, 1, dst, sizeof(dst)));
  REFUSED(blosc2_getitem_ctx(dctx, chunk, len, 0, 513, dst, sizeof(dst)));
  REFUSED(blosc2_getitem_ctx(dctx, chunk, len, INT_MAX, INT_MAX, dst, sizeof(dst)));
  REFUSED(blosc2_getitem_ctx(dctx, chunk, len, 0, 2, dst, 15));
  REFUSED(blosc2_getitem_ctx(dctx, chunk, len, 0, 1, NULL, 8));
  REFUSED(blosc2_getitem_bytes_ctx(NULL, chunk, len, 0, 8, dst, sizeof(dst)));
  REFUSED(blosc2_getitem_bytes_ctx(dctx, chunk, len, 4, 8, dst, sizeof(dst)));
  REFUSED(blosc2_getitem_bytes_ctx(dctx, chunk, len, 0, 8000, dst, sizeof(dst)));
  REFUSED(blosc2_set_maskout(NULL, NULL, 1));
  REFUSED(blosc2_set_maskout(dctx, NULL, 1));
  REFUSED(blosc2_set_maskout(dctx, (bool *)src, -1));
  REFUSED(blosc2_ctx_get_cparams(NULL, &cparams));
  REFUSED(blosc2_ctx_get_cparams(cctx, NULL));
  REFUSED(blosc2_ctx_get_dparams(NULL, &dparams));
  REFUSED(blosc2_ctx_get_dparams(dctx, NULL));
  blosc2_free_ctx(NULL);

  const void *blocks[2] = {src, NULL};
  int32_t sizes[2] = {10, -10};
  void *outs[2] = {NULL, NULL};
  uint8_t *out = NULL;
  REFUSED(blosc2_vlcompress_ctx(NULL, blocks, sizes, 1, dst, sizeof(dst)));
  REFUSED(blosc2_vlcompress_ctx(cctx, NULL, sizes, 1, dst, sizeof(dst)));
  REFUSED(blosc2_vlcompress_ctx(cctx, blocks, NULL, 1, dst, sizeof(dst)));
  REFUSED(blosc2_vlcompress_ctx(cctx, blocks, sizes, 2, dst, sizeof(dst)));
  REFUSED(blosc2_vlcompress_ctx(cctx, blocks, sizes, 0, dst, sizeof(dst)));
  REFUSED(blosc2_vlcompress_ctx(cctx, blocks, sizes, -1, dst, sizeof(dst)));
  REFUSED(blosc2_vlcompress_ctx(cctx, blocks, sizes, 1, NULL, sizeof(dst)));
  REFUSED(blosc2_vlcompress_ctx(cctx, blocks, sizes, 1, dst, 10));
  REFUSED(blosc2_vldecompress_ctx(NULL, chunk, len, outs, sizes, 2));
  REFUSED(blosc2_vldecompress_ctx(dctx, chunk, len, outs, sizes, 2));
  REFUSED(blosc2_vldecompress_ctx(dctx, NULL, len, outs, sizes, 2));
  REFUSED(blosc2_vldecompress_ctx(dctx, chunk, len, NULL, sizes, 2));
  REFUSED(blosc2_vlchunk_get_nblocks(NULL, 32, &n));
  REFUSED(blosc2_vlchunk_get_nblocks(chunk, len, &n));
  REFUSED(blosc2_vlchunk_get_nblocks(chunk, len, NULL));
  REFUSED(blosc2_vldecompress_block_ctx(NULL, chunk, len, 0, &out, &n));
  REFUSED(blosc2_vldecompress_block_ctx(dctx, chunk, len, 0, &out, &n));
  REFUSED(blosc2_vldecompress_block_ctx(dctx, chunk, len, 0, NULL, NULL));
  blosc2_free_ctx(cctx);
  blosc2_free_ctx(dctx);

  REFUSED(blosc2_chunk_zeros(cparams, 4096, NULL, 32));
  REFUSED(blosc2_chunk_zeros(cparams, 4096, dst, 31));
  REFUSED(blosc2_chunk_zeros(cparams, -8, dst, 64));
  REFUSED(blosc2_chunk_nans(cparams, 4096, NULL, 32));
  REFUSED(blosc2_chunk_uninit(cparams, 4096, NULL, 32));
  REFUSED(blosc2_chunk_repeatval(cparams, 4096, dst, 64, NULL));
  REFUSED(blosc2_chunk_repeatval(cparams, 4096, dst, 39, src));

  REFUSED(blosc2_compress(5, 1, 8, NULL, 16, dst, sizeof(dst)));
  REFUSED(blosc2_compress(5, 1, 8, src, -16, dst, sizeof(dst)));
  REFUSED(blosc2_compress(10, 1, 8, src, 16, dst, sizeof(dst)));
  REFUSED(blosc1_compress(5, 1, 8, 16, NULL, dst, sizeof(dst)));
  REFUSED(blosc1_compress(5, 1, 8, (size_t)-1, src, dst, sizeof(dst)));
  REFUSED(blosc2_decompress(NULL, 16, dst, sizeof(dst)));
  REFUSED(blosc2_decompress(chunk, 15, dst, sizeof(dst)));
  REFUSED(blosc2_decompress(chunk, len, dst, 10));
  REFUSED(blosc2_decompress(chunk, len, NULL, 5000));
  REFUSED(blosc1_decompress(NULL, dst, sizeof(dst)));
  REFUSED(blosc1_decompress(chunk, dst, 10));
  REFUSED(blosc1_getitem(NULL, 0, 1, dst));
  REFUSED(blosc1_getitem(chunk, 0, 1, NULL));
  REFUSED(blosc1_getitem(chunk, -1, 1, dst));
  REFUSED(blosc2_getitem(NULL, 16, 0, 1, dst, 8));
  REFUSED(blosc2_getitem(chunk, len, 0, 2, dst, 8));
  REFUSED(blosc2_getitem(chunk, len, 0, 1, dst, -8));

  REFUSED(blosc2_cbuffer_sizes(NULL, &n, &c, &b));
  REFUSED(blosc2_cbuffer_sizes(src, &n, &c, &b));
  MUST(blosc2_cbuffer_sizes(chunk, NULL, NULL, NULL) == 0);
  blosc1_cbuffer_sizes(NULL, &zn, &zc, &zb);
  MUST(zn == 0 && zc == 0 && zb == 0);
  REFUSED(blosc1_cbuffer_validate(NULL, 32, &zn));
  REFUSED(blosc1_cbuffer_validate(chunk, 3, &zn));
  REFUSED(blosc1_cbuffer_validate(chunk, (size_t)len + 1, &zn));
  MUST(blosc1_cbuffer_validate(chunk, (size_t)len, NULL) == 0);
  blosc1_cbuffer_metainfo(NULL, &zn, &flags);
  blosc1_cbuffer_metainfo(chunk, NULL, NULL);
  blosc2_cbuffer_versions(NULL, &flags, NULL);
  NONE(blosc2_cbuffer_complib(NULL));
  NONE(blosc2_cbuffer_complib(src));
  REFUSED(blosc2_shuffle(0, 16, src, dst));
  REFUSED(blosc2_shuffle(4, -16, src, dst));
  REFUSED(blosc2_shuffle(4, 16, NULL, dst));
  REFUSED(blosc2_unshuffle(4, 16, src, NULL));
  REFUSED(blosc2_bitshuffle(300, 16, src, dst));
  REFUSED(blosc2_bitunshuffle(4, 16, NULL, dst));
}

static void process(void) {
  blosc2_codec codec = {.compcode = 31, .compname = "x", .version = 1};
  blosc2_filter filter = {.id = 31, .name = "x", .version = 1};
  blosc2_tuner tuner = {.id = 31, .name = "x"};
  char *library = NULL, *version = NULL;
  const char *name = NULL;
  REFUSED(blosc2_register_codec(NULL));
  REFUSED(blosc2_register_codec(&codec));
  codec.compcode = 200, codec.compname = NULL;
  REFUSED(blosc2_register_codec(&codec));
  REFUSED(blosc2_register_filter(NULL));
  REFUSED(blosc2_register_filter(&filter));
  REFUSED(blosc2_register_tuner(NULL));
  REFUSED(blosc2_register_tuner(&tuner));
  REFUSED(blosc2_register_io_cb(NULL));
  NONE(blosc2_get_io_cb(99));
  REFUSED(blosc2_set_nthreads(0));
  REFUSED(blosc2_set_nthreads(-1));
  REFUSED(blosc1_set_compressor(NULL));
  REFUSED(blosc1_set_compressor("no such codec"));
  REFUSED(blosc2_compcode_to_compname(-1, &name));
  REFUSED(blosc2_compcode_to_compname(99, NULL));
  REFUSED(blosc2_compname_to_compcode(NULL));
  REFUSED(blosc2_get_complib_info(NULL, &library, &version));
  REFUSED(blosc2_get_complib_info("no such codec", &library, &version));
  RUNS(blosc2_get_complib_info("lz4", NULL, NULL));
  MUST(blosc2_error_string(INT_MIN) != NULL && blosc2_error_string(INT_MAX) != NULL);
  blosc_set_timestamp(NULL);
  blosc1_set_blocksize((size_t)-1);
  blosc1_set_blocksize(0);
  blosc1_set_splitmode(-5);
  REFUSED(blosc2_compress(5, 1, 8, NULL, 16, dst, sizeof(dst)));
  blosc1_set_splitmode(BLOSC_FORWARD_COMPAT_SPLIT);
  blosc2_set_threads_callback(NULL, NULL);
  blosc2_init();
  blosc2_init();
  blosc2_destroy();
  blosc2_destroy();
  MUST(blosc2_free_resources() == 0);
  MUST(blosc2_get_nthreads() >= 1 && blosc1_get_blocksize() == 0);
  MUST(blosc1_get_compressor() != NULL && blosc2_list_compressors() != NULL && blosc2_get_version_string() != NULL);
  blosc2_set_delta(0);
  MUST(blosc2_get_blosc2_cparams_defaults().typesize == 8);
  MUST(blosc2_get_blosc2_dparams_defaults().nthreads == 1);
  MUST(blosc2_get_blosc2_storage_defaults().urlpath == NULL);
  MUST(strcmp(blosc2_get_blosc2_io_defaults().name, "filesystem") == 0);
  MUST(blosc2_get_blosc2_stdio_mmap_defaults().fd == -1);
  blosc_timestamp_t early, late;
  blosc_set_timestamp(&early);
  blosc_set_timestamp(&late);
  MUST(blosc_elapsed_nsecs(early, late) >= 0 && blosc_elapsed_secs(early, late) >= 0);
}

static void schunks(void) {
  int64_t order[2] = {0, 0}, one = 0, *indices = NULL;
  int32_t n = 0;
  uint8_t *bytes = NULL;
  bool needs_free = false;
  char *names[1];
  blosc2_cparams *cparams = NULL;
  blosc2_dparams *dparams = NULL;
  blosc2_storage storage = BLOSC2_STORAGE_DEFAULTS;
  NONE(blosc2_schunk_new(NULL));
  NONE(blosc2_schunk_copy(NULL, &storage));
  NONE(blosc2_schunk_from_buffer(NULL, 100, true));
  NONE(blosc2_schunk_from_buffer(src, -1, true));
  NONE(blosc2_schunk_from_buffer(src, 10, true));
  NONE(blosc2_schunk_open(NULL));
  NONE(blosc2_schunk_open("no/such/file"));
  NONE(blosc2_schunk_open_offset(NULL, 0));
  NONE(blosc2_schunk_open_offset("no/such/file", -1));
  NONE(blosc2_schunk_open_udio(NULL, NULL));
  NONE(blosc2_schunk_open_offset_udio(NULL, 0, NULL));
  blosc2_schunk_avoid_cframe_free(NULL, true);
  RUNS(blosc2_schunk_free(NULL));
  REFUSED(blosc2_schunk_lock(NULL));
  REFUSED(blosc2_schunk_unlock(NULL));
  REFUSED(blosc2_schunk_refresh(NULL));
  REFUSED(blosc2_schunk_to_buffer(NULL, &bytes, &needs_free));
  REFUSED(blosc2_schunk_to_file(NULL, "x"));
  REFUSED(blosc2_schunk_append_file(NULL, "x"));
  REFUSED(blosc2_schunk_append_chunk(NULL, chunk, true));
  REFUSED(blosc2_schunk_update_chunk(NULL, 0, chunk, true));
  REFUSED(blosc2_schunk_insert_chunk(NULL, 0, chunk, true));
  REFUSED(blosc2_schunk_delete_chunk(NULL, 0));
  REFUSED(blosc2_schunk_append_buffer(NULL, src, 16));
  REFUSED(blosc2_schunk_decompress_chunk(NULL, 0, dst, sizeof(dst)));
  REFUSED(blosc2_schunk_get_chunk(NULL, 0, &bytes, &needs_free));
  REFUSED(blosc2_schunk_get_lazychunk(NULL, 0, &bytes, &needs_free));
  REFUSED(blosc2_schunk_get_vlblock(NULL, 0, 0, &bytes, &n));
  REFUSED(blosc2_schunk_get_slice_buffer(NULL, 0, 1, dst));
  REFUSED(blosc2_schunk_get_sparse_buffer(NULL, 1, &one, dst));
  REFUSED(blosc2_schunk_set_slice_buffer(NULL, 0, 1, src));
  REFUSED(blosc2_schunk_get_cparams(NULL, &cparams));
  REFUSED(blosc2_schunk_get_dparams(NULL, &dparams));
  REFUSED(blosc2_schunk_reorder_offsets(NULL, order));
  REFUSED(blosc2_schunk_frame_len(NULL));
  REFUSED(blosc2_schunk_fill_special(NULL, 10, BLOSC2_SPECIAL_ZERO, 80));
  NONE(blosc2_frame_get_offsets(NULL));
  REFUSED(blosc2_meta_exists(NULL, "x"));
  REFUSED(blosc2_meta_get(NULL, "x", &bytes, &n));
  REFUSED(blosc2_meta_add(NULL, "x", src, 4));
  REFUSED(blosc2_meta_update(NULL, "x", src, 4));
  REFUSED(blosc2_vlmeta_exists(NULL, "x"));
  REFUSED(blosc2_vlmeta_add(NULL, "x", src, 4, NULL));
  REFUSED(blosc2_vlmeta_update(NULL, "x", src, 4, NULL));
  REFUSED(blosc2_vlmeta_get(NULL, "x", &bytes, &n));
  REFUSED(blosc2_vlmeta_delete(NULL, "x"));
  REFUSED(blosc2_vlmeta_get_names(NULL, names));
  REFUSED(blosc2_get_slice_nchunks(NULL, &one, order, &indices));
  REFUSED(blosc2_remove_dir(NULL));
  MUST(blosc2_remove_urlpath(NULL) == 0);
  REFUSED(blosc2_rename_urlpath(NULL, NULL));

  for (int contiguous = 0; contiguous < 2; ++contiguous) {
    storage.contiguous = contiguous;
    blosc2_schunk *schunk = blosc2_schunk_new(&storage);
    MUST(schunk != NULL);
    MUST(blosc2_schunk_append_buffer(schunk, src, sizeof(src)) == 1);
    REFUSED(blosc2_schunk_append_buffer(schunk, NULL, 16));
    REFUSED(blosc2_schunk_append_buffer(schunk, src, -16));
    REFUSED(blosc2_schunk_append_chunk(schunk, NULL, true));
    REFUSED(blosc2_schunk_append_chunk(schunk, dst, true));
    REFUSED(blosc2_schunk_update_chunk(schunk, 7, chunk, true));
    REFUSED(blosc2_schunk_update_chunk(schunk, 0, NULL, true));
    REFUSED(blosc2_schunk_insert_chunk(schunk, -1, chunk, true));
    REFUSED(blosc2_schunk_delete_chunk(schunk, 1));
    REFUSED(blosc2_schunk_delete_chunk(schunk, -1));
    REFUSED(blosc2_schunk_decompress_chunk(schunk, 0, NULL, sizeof(src)));
    REFUSED(blosc2_schunk_decompress_chunk(schunk, 0, dst, 10));
    REFUSED(blosc2_schunk_decompress_chunk(schunk, 1, dst, sizeof(dst)));
    REFUSED(blosc2_schunk_get_chunk(schunk, 0, NULL, NULL));
    REFUSED(blosc2_schunk_get_chunk(schunk, 1, &bytes, &needs_free));
    REFUSED(blosc2_schunk_get_lazychunk(schunk, 1, &bytes, &needs_free));
    REFUSED(blosc2_schunk_get_vlblock(schunk, 0, 0, &bytes, &n));
    REFUSED(blosc2_schunk_get_slice_buffer(schunk, 0, 1, NULL));
    REFUSED(blosc2_schunk_get_slice_buffer(schunk, 0, 1000, dst));
    REFUSED(blosc2_schunk_get_slice_buffer(schunk, -1, 1, dst));
    REFUSED(blosc2_schunk_set_slice_buffer(schunk, 0, 1000, src));
    REFUSED(blosc2_schunk_get_sparse_buffer(schunk, 1, NULL, dst));
    REFUSED(blosc2_schunk_get_cparams(schunk, NULL));
    REFUSED(blosc2_schunk_reorder_offsets(schunk, NULL));
    REFUSED(blosc2_schunk_fill_special(schunk, 10, BLOSC2_SPECIAL_ZERO, 80));
    REFUSED(blosc2_meta_add(schunk, NULL, src, 4));
    REFUSED(blosc2_meta_add(schunk, "x", NULL, 4));
    REFUSED(blosc2_meta_add(schunk, "x", src, -4));
    REFUSED(blosc2_meta_update(schunk, "absent", src, 4));
    REFUSED(blosc2_vlmeta_add(schunk, NULL, src, 4, NULL));
    REFUSED(blosc2_vlmeta_add(schunk, "x", NULL, 4, NULL));
    REFUSED(blosc2_vlmeta_get(schunk, "absent", &bytes, &n));
    REFUSED(blosc2_vlmeta_delete(schunk, "absent"));
    REFUSED(blosc2_schunk_to_file(schunk, NULL));
    REFUSED(blosc2_schunk_to_buffer(schunk, NULL, NULL));
    MUST(blosc2_schunk_free(schunk) == 0);
  }
}

static void streams(void) {
  void *out = dst;
  NONE(blosc2_stdio_open(NULL, "rb", NULL));
  NONE(blosc2_stdio_open("no/such/file", "rb", NULL));
  NONE(blosc2_stdio_open("x", NULL, NULL));
  RUNS(blosc2_stdio_close(NULL));
  REFUSED(blosc2_stdio_size(NULL));
  MUST(blosc2_stdio_write(src, 1, 10, 0, NULL) <= 0);
  MUST(blosc2_stdio_read(&out, 1, 10, 0, NULL) <= 0);
  MUST(blosc2_stdio_truncate(NULL, 0) != 0);
  RUNS(blosc2_stdio_destroy(NULL));
  NONE(blosc2_stdio_mmap_open(NULL, "r", NULL));
  RUNS(blosc2_stdio_mmap_close(NULL));
  REFUSED(blosc2_stdio_mmap_size(NULL));
  MUST(blosc2_stdio_mmap_write(src, 1, 10, 0, NULL) <= 0);
  MUST(blosc2_stdio_mmap_read(&out, 1, 10, 0, NULL) <= 0);
  MUST(blosc2_stdio_mmap_truncate(NULL, 0) != 0);
  RUNS(blosc2_stdio_mmap_destroy(NULL));
}

static void arrays(void) {
  const int64_t shape[2] = {10, 10}, zero[2] = {0, 0}, far[2] = {11, 11};
  const int32_t chunkshape[2] = {5, 5}, blockshape[2] = {2, 5}, bad[2] = {-1, 5};
  int64_t index[2] = {0, 0}, back = 0, buffershape[2] = {10, 10};
  int64_t *selection[2] = {index, index}, sizes[2] = {1, 1};
  int32_t got32[16];
  int64_t got[16];
  int8_t ndim = 0, format = 0;
  uint8_t *bytes = NULL;
  int64_t len = 0;
  bool needs_free = false, marks[2] = {true, false};
  char *dtype = NULL;
  b2nd_array_t *array = NULL, *view = NULL;
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = 4;
  blosc2_storage storage = BLOSC2_STORAGE_DEFAULTS;
  storage.cparams = &cparams;
  NONE(b2nd_create_ctx(NULL, 2, shape, chunkshape, blockshape, NULL, 0, NULL, 0));
  NONE(b2nd_create_ctx(&storage, 2, NULL, chunkshape, blockshape, NULL, 0, NULL, 0));
  NONE(b2nd_create_ctx(&storage, 17, shape, chunkshape, blockshape, NULL, 0, NULL, 0));
  NONE(b2nd_create_ctx(&storage, 2, shape, bad, blockshape, NULL, 0, NULL, 0));
  b2nd_context_t *ctx = b2nd_create_ctx(&storage, 2, shape, chunkshape, blockshape, NULL, 0, NULL, 0);
  MUST(ctx != NULL);
  RUNS(b2nd_free_ctx(NULL));
  RUNS(b2nd_free(NULL));
  REFUSED(b2nd_zeros(NULL, &array));
  REFUSED(b2nd_zeros(ctx, NULL));
  REFUSED(b2nd_nans(NULL, &array));
  REFUSED(b2nd_empty(NULL, &array));
  REFUSED(b2nd_uninit(NULL, &array));
  REFUSED(b2nd_full(NULL, &array, src));
  REFUSED(b2nd_full(ctx, &array, NULL));
  REFUSED(b2nd_from_cbuffer(ctx, &array, NULL, 400));
  REFUSED(b2nd_from_cbuffer(ctx, &array, src, 100));
  REFUSED(b2nd_from_schunk(NULL, &array));
  REFUSED(b2nd_to_cframe(NULL, &bytes, &len, &needs_free));
  REFUSED(b2nd_from_cframe(NULL, 100, true, &array));
  REFUSED(b2nd_from_cframe(src, 100, true, &array));
  REFUSED(b2nd_open(NULL, &array));
  REFUSED(b2nd_open("no/such/file", &array));
  REFUSED(b2nd_open_offset(NULL, &array, 0));
  REFUSED(b2nd_save(NULL, "x"));
  REFUSED(b2nd_save_append(NULL, "x"));
  REFUSED(b2nd_copy(ctx, NULL, &array));
  REFUSED(b2nd_get_slice(ctx, &array, NULL, zero, shape));
  REFUSED(b2nd_concatenate(ctx, NULL, NULL, 0, true, &array));
  MUST(b2nd_from_cbuffer(ctx, &array, src, 400) == 0 && array != NULL);
  REFUSED(b2nd_to_cbuffer(NULL, dst, 400));
  REFUSED(b2nd_to_cbuffer(array, NULL, 400));
  REFUSED(b2nd_to_cbuffer(array, dst, 399));
  REFUSED(b2nd_get_slice_cbuffer(NULL, zero, shape, dst, buffershape, 400));
  REFUSED(b2nd_get_slice_cbuffer(array, NULL, shape, dst, buffershape, 400));
  REFUSED(b2nd_get_slice_cbuffer(array, zero, far, dst, buffershape, 4000));
  REFUSED(b2nd_get_slice_cbuffer(array, zero, shape, NULL, buffershape, 400));
  REFUSED(b2nd_get_slice_cbuffer(array, zero, shape, dst, buffershape, 10));
  REFUSED(b2nd_set_slice_cbuffer(NULL, buffershape, 400, zero, shape, array));
  REFUSED(b2nd_set_slice_cbuffer(src, buffershape, 400, zero, far, array));
  REFUSED(b2nd_set_slice_cbuffer(src, buffershape, 10, zero, shape, array));
  REFUSED(b2nd_set_slice_cbuffer(src, buffershape, 400, zero, shape, NULL));
  REFUSED(b2nd_get_sparse_cbuffer(NULL, 1, index, dst, 4));
  REFUSED(b2nd_get_sparse_cbuffer(array, 1, NULL, dst, 4));
  REFUSED(b2nd_get_orthogonal_selection(NULL, selection, sizes, dst, buffershape, 4));
  REFUSED(b2nd_get_orthogonal_selection(array, NULL, sizes, dst, buffershape, 4));
  REFUSED(b2nd_set_orthogonal_selection(NULL, selection, sizes, src, buffershape, 4));
  REFUSED(b2nd_squeeze_index(NULL, &view, marks));
  REFUSED(b2nd_squeeze_index(array, &view, marks));
  REFUSED(b2nd_squeeze(NULL, &view));
  REFUSED(b2nd_expand_dims(NULL, &view, marks, 3));
  REFUSED(b2nd_print_meta(NULL));
  REFUSED(b2nd_resize(NULL, shape, NULL));
  REFUSED(b2nd_resize(array, NULL, NULL));
  REFUSED(b2nd_refresh(NULL));
  REFUSED(b2nd_insert(NULL, src, 40, 0, 0));
  REFUSED(b2nd_insert(array, src, 40, 5, 0));
  REFUSED(b2nd_append(NULL, src, 40, 0));
  REFUSED(b2nd_append(array, NULL, 40, 0));
  REFUSED(b2nd_delete(NULL, 0, 0, 1));
  REFUSED(b2nd_delete(array, 0, 0, 100));
  REFUSED(b2nd_serialize_meta(2, NULL, chunkshape, blockshape, NULL, 0, &bytes));
  REFUSED(b2nd_serialize_meta(2, shape, chunkshape, blockshape, "|u1", 0, NULL));
  REFUSED(b2nd_deserialize_meta(NULL, 10, &ndim, got, got32, got32, &dtype, &format));
  REFUSED(b2nd_deserialize_meta(src, 0, &ndim, got, got32, got32, &dtype, &format));
  REFUSED(b2nd_deserialize_meta_inline(src, 2, &ndim, got, got32, got32, &dtype, &format));
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  REFUSED(b2nd_copy_buffer(2, 4, NULL, shape, zero, shape, dst, shape, zero));
  REFUSED(b2nd_copy_buffer2(2, 4, NULL, shape, zero, shape, dst, shape, zero));
  blosc2_unidim_to_multidim(2, NULL, 3, index);
  blosc2_multidim_to_unidim(NULL, 2, shape, &back);
  MUST(b2nd_free(array) == 0);
  MUST(b2nd_free_ctx(ctx) == 0);
}

int main(void) {
  for (size_t i = 0; i < sizeof(src); ++i) {
    src[i] = (uint8_t)(i / 3);
  }
  memset(src, 0, 64);
  chunks();
  process();
  schunks();
  streams();
  arrays();
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
