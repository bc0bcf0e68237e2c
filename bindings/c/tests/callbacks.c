/* Functions of the caller, with 1 and 4 threads, and the child of a fork: prefilters and postfilters,
 * codecs, filters, a tuner, the threads callback. The arguments of each call are checked. */
#include "blosc2.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MUST(condition)                                                                                \
  do {                                                                                                 \
    if (!(condition)) {                                                                                \
      printf("line %d: false: %s\n", __LINE__, #condition);                                            \
      fflush(stdout);                                                                                  \
      _exit(1);                                                                                        \
    }                                                                                                  \
  } while (0)

enum { ITEMS = 1000000, NBYTES = ITEMS * 4, BLOCK = 16384, NBLOCKS = (NBYTES + BLOCK - 1) / BLOCK };

static int32_t src[ITEMS], dst[ITEMS];
static uint8_t chunk[NBYTES + BLOSC2_MAX_OVERHEAD];
static atomic_int calls, seen[NBLOCKS], foreign;
static pthread_t caller;
static int threads;

static void count(int32_t nblock, int32_t tid) {
  MUST(nblock >= 0 && nblock < NBLOCKS && tid >= 0 && tid < threads);
  atomic_fetch_add(&calls, 1);
  atomic_fetch_add(&seen[nblock], 1);
  if (!pthread_equal(pthread_self(), caller)) {
    atomic_fetch_add(&foreign, 1);
  }
}

static void reset(void) {
  atomic_store(&calls, 0);
  atomic_store(&foreign, 0);
  for (int i = 0; i < NBLOCKS; ++i) {
    atomic_store(&seen[i], 0);
  }
}

static void all_once(void) {
  for (int i = 0; i < NBLOCKS; ++i) {
    MUST(atomic_load(&seen[i]) == 1);
  }
  MUST(threads > 1 || atomic_load(&foreign) == 0);
}

static int add_one(blosc2_prefilter_params *p) {
  count(p->nblock, p->tid);
  MUST(p->user_data == &threads && p->nchunk == -1 && p->output_typesize == 4 && p->ctx != NULL);
  MUST(p->output_offset == p->nblock * BLOCK && (const int32_t *)p->input == src + p->output_offset / 4);
  MUST(p->ttmp != NULL && p->ttmp_nbytes >= (size_t)p->output_size);
  memset(p->ttmp, 7, p->ttmp_nbytes);
  blosc2_cparams asked;
  MUST(blosc2_ctx_get_cparams(p->ctx, &asked) == 0 && asked.typesize == 4);
  for (int i = 0; i < p->output_size / 4; ++i) {
    ((int32_t *)p->output)[i] = ((const int32_t *)p->input)[i] + 1;
  }
  return 0;
}

static int take_one(blosc2_postfilter_params *p) {
  count(p->nblock, p->tid);
  MUST(p->user_data == &threads && p->nchunk == -1 && p->typesize == 4 && p->offset == p->nblock * BLOCK);
  memset(p->ttmp, 7, p->ttmp_nbytes);
  for (int i = 0; i < p->size / 4; ++i) {
    ((int32_t *)p->output)[i] = ((const int32_t *)p->input)[i] - 1;
  }
  return 0;
}

static int fail_pre(blosc2_prefilter_params *p) { return p->nblock == 3 ? -1 : 0; }
static int fail_post(blosc2_postfilter_params *p) { return p->nblock == 3 ? 5 : 0; }

static blosc2_cparams params(void) {
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = 4;
  cparams.blocksize = BLOCK;
  cparams.nthreads = (int16_t)threads;
  return cparams;
}

static blosc2_dparams dparams(void) {
  blosc2_dparams dparams = BLOSC2_DPARAMS_DEFAULTS;
  dparams.nthreads = (int16_t)threads;
  return dparams;
}

static int compress(blosc2_cparams cparams) {
  blosc2_context *ctx = blosc2_create_cctx(cparams);
  MUST(ctx != NULL);
  int len = blosc2_compress_ctx(ctx, src, NBYTES, chunk, sizeof(chunk));
  blosc2_free_ctx(ctx);
  return len;
}

static int decompress(blosc2_dparams dparams, int len) {
  blosc2_context *ctx = blosc2_create_dctx(dparams);
  MUST(ctx != NULL);
  int nbytes = blosc2_decompress_ctx(ctx, chunk, len, dst, NBYTES);
  blosc2_free_ctx(ctx);
  return nbytes;
}

static void same(int32_t more) {
  for (int i = 0; i < ITEMS; ++i) {
    MUST(dst[i] == src[i] + more);
  }
}

static void hooks(void) {
  blosc2_prefilter_params pre = {.user_data = &threads};
  blosc2_postfilter_params post = {.user_data = &threads};
  blosc2_cparams cparams = params();
  cparams.prefilter = add_one;
  cparams.preparams = &pre;
  reset();
  int len = compress(cparams);
  MUST(len > 0);
  all_once();
  MUST(decompress(dparams(), len) == NBYTES);
  same(1);
  blosc2_dparams after = dparams();
  after.postfilter = take_one;
  after.postparams = &post;
  reset();
  MUST(decompress(after, len) == NBYTES);
  all_once();
  same(0);
  cparams.prefilter = fail_pre;
  MUST(compress(cparams) < 0);
  after.postfilter = fail_post;
  MUST(decompress(after, len) < 0);
}

static int encode(const uint8_t *input, int32_t input_len, uint8_t *output, int32_t output_len, uint8_t meta,
                  blosc2_cparams *cparams, const void *at) {
  MUST(meta == 17 && cparams->typesize == 4 && cparams->codec_params == &threads && at != NULL);
  atomic_fetch_add(&calls, 1);
  if (output_len < input_len / 2) {
    return 0;
  }
  for (int i = 0; i < input_len / 4; ++i) {
    memcpy(output + 2 * i, input + 4 * i, 2);
    if (input[4 * i + 2] != 0 || input[4 * i + 3] != 0) {
      return 0;
    }
  }
  return input_len / 2;
}

static int decode(const uint8_t *input, int32_t input_len, uint8_t *output, int32_t output_len, uint8_t meta,
                  blosc2_dparams *dparams, const void *at) {
  MUST(meta == 17 && dparams->nthreads == threads && at == chunk && output_len == 2 * input_len);
  atomic_fetch_add(&calls, 1);
  memset(output, 0, (size_t)output_len);
  for (int i = 0; i < output_len / 4; ++i) {
    memcpy(output + 4 * i, input + 2 * i, 2);
  }
  return output_len;
}

static int decode_short(const uint8_t *input, int32_t input_len, uint8_t *output, int32_t output_len, uint8_t meta,
                        blosc2_dparams *dparams, const void *at) {
  return decode(input, input_len, output, output_len, meta, dparams, at) - 4;
}

static int forward(const uint8_t *in, uint8_t *out, int32_t size, uint8_t meta, blosc2_cparams *cparams, uint8_t id) {
  MUST(meta == 9 && id == 201 && cparams->typesize == 4);
  for (int i = 0; i < size; ++i) {
    out[i] = in[i] ^ meta;
  }
  return 0;
}

static int backward(const uint8_t *in, uint8_t *out, int32_t size, uint8_t meta, blosc2_dparams *dparams, uint8_t id) {
  MUST(meta == 9 && id == 201 && dparams != NULL);
  for (int i = 0; i < size; ++i) {
    out[i] = in[i] ^ meta;
  }
  return 0;
}

static void registered(void) {
  blosc2_codec codec = {.compcode = 200, .compname = "half", .version = 1, .encoder = encode, .decoder = decode};
  blosc2_codec cut = {.compcode = 202, .compname = "cut", .version = 1, .encoder = encode, .decoder = decode_short};
  blosc2_filter filter = {.id = 201, .name = "xor", .version = 1, .forward = forward, .backward = backward};
  MUST(blosc2_register_codec(&codec) == 0 && blosc2_register_codec(&cut) == 0);
  MUST(blosc2_register_filter(&filter) == 0);
  blosc2_cparams cparams = params();
  memset(cparams.filters, 0, sizeof(cparams.filters));
  cparams.compcode = 200;
  cparams.compcode_meta = 17;
  cparams.codec_params = &threads;
  reset();
  int len = compress(cparams);
  MUST(len > 0 && len < NBYTES * 3 / 4 && atomic_load(&calls) >= NBLOCKS);
  MUST(decompress(dparams(), len) == NBYTES);
  same(0);
  cparams.compcode = 202;
  len = compress(cparams);
  MUST(len > 0 && decompress(dparams(), len) < 0);
  cparams = params();
  cparams.filters[0] = 201;
  cparams.filters_meta[0] = 9;
  len = compress(cparams);
  MUST(len > 0 && decompress(dparams(), len) == NBYTES);
  same(0);
}

static int told[5];
static int tune_init(void *config, blosc2_context *cctx, blosc2_context *dctx) {
  MUST(config == &threads && cctx != NULL && dctx == NULL);
  return ++told[0], 0;
}
static int tune_block(blosc2_context *ctx) { return (void)ctx, ++told[1], 0; }
static int tune_params(blosc2_context *ctx) { return (void)ctx, ++told[2], 0; }
static int tune_update(blosc2_context *ctx, double time) {
  MUST(ctx != NULL && time >= 0);
  return ++told[3], 0;
}
static int tune_free(blosc2_context *ctx) { return (void)ctx, ++told[4], 0; }

static void tuner(void) {
  blosc2_tuner tuner = {tune_init, tune_block, tune_params, tune_update, tune_free, 203, "counting"};
  MUST(blosc2_register_tuner(&tuner) == 0);
  blosc2_cparams cparams = params();
  cparams.tuner_id = 203;
  cparams.tuner_params = &threads;
  memset(told, 0, sizeof(told));
  blosc2_context *ctx = blosc2_create_cctx(cparams);
  for (int i = 0; i < 3; ++i) {
    MUST(blosc2_compress_ctx(ctx, src, NBYTES, chunk, sizeof(chunk)) > 0);
  }
  blosc2_free_ctx(ctx);
  MUST(told[0] == 1 && told[1] == 1 && told[2] == 2 && told[3] == 3 && told[4] == 1);
}

static int jobs;
static void serial(void *data, void (*dojob)(void *), int numjobs, size_t size, void *jobdata) {
  MUST(data == &jobs);
  for (int i = 0; i < numjobs; ++i) {
    dojob((uint8_t *)jobdata + (size_t)i * size);
  }
  jobs += numjobs;
}

static void callback(void) {
  blosc2_set_threads_callback(serial, &jobs);
  jobs = 0;
  int len = compress(params());
  MUST(len > 0 && decompress(dparams(), len) == NBYTES);
  same(0);
  MUST(threads == 1 || jobs > 0);
  blosc2_set_threads_callback(NULL, NULL);
}

/* Two threads with one context; the original does not allow it. */
static void *worker(void *ctx) {
  int32_t *mine = malloc(NBYTES);
  for (int n = 0; n < 5; ++n) {
    memset(mine, 0, NBYTES);
    MUST(blosc2_decompress_ctx(ctx, chunk, sizeof(chunk), mine, NBYTES) == NBYTES);
    MUST(memcmp(mine, src, NBYTES) == 0);
  }
  free(mine);
  return NULL;
}

static void shared(void) {
  MUST(compress(params()) > 0);
  blosc2_context *ctx = blosc2_create_dctx(dparams());
  pthread_t other;
  MUST(pthread_create(&other, NULL, worker, ctx) == 0);
  worker(ctx);
  pthread_join(other, NULL);
  blosc2_free_ctx(ctx);
}

static void forked(void) {
  /* The pool of the parent is there, and has no threads in the child. */
  blosc2_context *ctx = blosc2_create_dctx(dparams());
  int len = compress(params());
  MUST(blosc2_decompress_ctx(ctx, chunk, len, dst, NBYTES) == NBYTES);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    alarm(30);
    caller = pthread_self();
    memset(dst, 0, NBYTES);
    MUST(blosc2_decompress_ctx(ctx, chunk, len, dst, NBYTES) == NBYTES);
    same(0);
    hooks();
    blosc2_set_nthreads(4);
    MUST(blosc2_compress(5, 1, 4, src, NBYTES, chunk, sizeof(chunk)) > 0);
    MUST(blosc1_decompress(chunk, dst, NBYTES) == NBYTES);
    same(0);
    _exit(0);
  }
  int status = 1;
  MUST(waitpid(child, &status, 0) == child && status == 0);
  blosc2_free_ctx(ctx);
}

int main(void) {
  for (int i = 0; i < ITEMS; ++i) {
    src[i] = i % 60000;
  }
  caller = pthread_self();
  for (threads = 1; threads <= 4; threads += 3) {
    hooks();
    registered();
    tuner();
    callback();
    shared();
    forked();
    printf("%d threads: ok\n", threads);
  }
  blosc2_destroy();
  return 0;
}
