/* Super-chunks of every kind against an array: appending, changing and reading chunks, slices, single items,
 * metalayers, lazy chunks, copies, two handles on one frame, two threads on one super-chunk, the child of a fork.
 * Arguments: the number of threads of a context. Prints the first difference of each kind. */
#include "blosc2.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ITEMS = 3000, CHUNKS = 7 };
static int32_t model[CHUNKS + 2][ITEMS];
static int wrong = 0, nthreads = 1;

#define MUST(condition)                                                                                \
  do {                                                                                                 \
    if (!(condition)) {                                                                                \
      printf("%s, line %d: %s\n", name, __LINE__, #condition);                                         \
      ++wrong;                                                                                         \
      return;                                                                                          \
    }                                                                                                  \
  } while (0)

static void *user_open(const char *path, const char *mode, void *params) {
  ++*(int *)params;
  return blosc2_stdio_open(path, mode, NULL);
}

static int64_t bytes_read = 0;

static int64_t user_read(void **ptr, int64_t size, int64_t nitems, int64_t position, void *stream) {
  bytes_read += size * nitems;
  return blosc2_stdio_read(ptr, size, nitems, position, stream);
}

/* Items of a lazy chunk: the blocks that have them are read, the others are not. */
static void lazy_blocks(blosc2_io *io) {
  const char *name = "lazy blocks";
  enum { N = 300000 };
  static int32_t data[N], got[N];
  uint32_t state = 1;
  for (int i = 0; i < N; i++) data[i] = (int32_t)(state = state * 1664525u + 1013904223u) >> 8;
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = 4;
  cparams.blocksize = 20000;
  blosc2_storage storage = {true, "lazy_blocks.b2frame", &cparams, NULL, io};
  blosc2_remove_urlpath(storage.urlpath);
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  MUST(schunk != NULL && blosc2_schunk_append_buffer(schunk, data, sizeof(data)) == 1);
  uint8_t *chunk;
  bool needs_free;
  int len = blosc2_schunk_get_lazychunk(schunk, 0, &chunk, &needs_free);
  MUST(len > 0 && len < 2000);
  bytes_read = 0;
  MUST(blosc2_getitem_ctx(schunk->dctx, chunk, len, 149990, 20, got, sizeof(got)) == 80);
  MUST(memcmp(got, data + 149990, 80) == 0 && bytes_read < 50000);
  MUST(blosc2_getitem_ctx(schunk->dctx, chunk, len, 299999, 2, got, sizeof(got)) < 0);
  bytes_read = 0;
  MUST(blosc2_decompress_ctx(schunk->dctx, chunk, len, got, sizeof(got)) == sizeof(got));
  MUST(memcmp(got, data, sizeof(data)) == 0 && bytes_read > 600000);
  if (needs_free) free(chunk);
  MUST(blosc2_schunk_free(schunk) == 0);
  blosc2_remove_urlpath("lazy_blocks.b2frame");
}

static void fill(int32_t *to, int seed) {
  for (int i = 0; i < ITEMS; i++) to[i] = seed == 3 ? 0 : i * seed;
}

static bool equals(blosc2_schunk *schunk, int nchunks) {
  static int32_t got[ITEMS];
  if (schunk->nchunks != nchunks || schunk->nbytes != (int64_t)nchunks * ITEMS * 4) return false;
  for (int n = 0; n < nchunks; n++) {
    memset(got, 1, sizeof(got));
    if (blosc2_schunk_decompress_chunk(schunk, n, got, sizeof(got)) != sizeof(got)) return false;
    if (memcmp(got, model[n], sizeof(got)) != 0) return false;
    uint8_t *chunk;
    bool needs_free;
    int len = blosc2_schunk_get_lazychunk(schunk, n, &chunk, &needs_free);
    memset(got, 1, sizeof(got));
    if (blosc2_getitem_ctx(schunk->dctx, chunk, len, 100, 900, got, sizeof(got)) != 3600) return false;
    if (memcmp(got, model[n] + 100, 3600) != 0) return false;
    if (needs_free) free(chunk);
  }
  return true;
}

struct reader { blosc2_schunk *schunk; int nchunks; bool same; };

static void *read_slices(void *argument) {
  struct reader *reader = argument;
  int32_t *got = malloc(ITEMS * 4);
  reader->same = true;
  for (int turn = 0; turn < 60; turn++) {
    int64_t start = (turn * 977) % ((reader->nchunks - 1) * ITEMS);
    reader->same &= blosc2_schunk_get_slice_buffer(reader->schunk, start, start + ITEMS, got) == 0;
    reader->same &= memcmp(got, &model[0][0] + start, ITEMS * 4) == 0;
  }
  free(got);
  return NULL;
}

static void check(const char *name, bool contiguous, char *path, blosc2_io *io) {
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  blosc2_dparams dparams = BLOSC2_DPARAMS_DEFAULTS;
  cparams.typesize = 4;
  cparams.blocksize = 2000;
  cparams.nthreads = dparams.nthreads = (int16_t)nthreads;
  blosc2_storage storage = {contiguous, path, &cparams, &dparams, io};
  blosc2_remove_urlpath(path);
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  MUST(schunk != NULL);
  if (path != NULL && io == NULL) MUST(blosc2_schunk_new(&storage) == NULL);
  MUST(blosc2_meta_add(schunk, "fixed", (uint8_t *)"abc", 3) == 0);
  for (int n = 0; n < CHUNKS; n++) {
    fill(model[n], n + 1);
    MUST(blosc2_schunk_append_buffer(schunk, model[n], ITEMS * 4) == n + 1);
  }
  MUST(equals(schunk, CHUNKS));

  uint8_t chunk[ITEMS * 4 + BLOSC2_MAX_OVERHEAD];
  fill(model[2], 41);
  MUST(blosc2_compress_ctx(schunk->cctx, model[2], ITEMS * 4, chunk, sizeof(chunk)) > 0);
  MUST(blosc2_schunk_update_chunk(schunk, 2, chunk, true) == CHUNKS);
  MUST(blosc2_schunk_update_chunk(schunk, CHUNKS, chunk, true) < 0);
  MUST(equals(schunk, CHUNKS));
  memmove(model[2], model[1], (CHUNKS - 1) * sizeof(model[0]));
  fill(model[1], 41);
  uint8_t *given = malloc(sizeof(chunk));
  memcpy(given, chunk, sizeof(chunk));
  MUST(blosc2_schunk_insert_chunk(schunk, 1, given, false) == CHUNKS + 1);
  MUST(equals(schunk, CHUNKS + 1));
  memmove(model[4], model[5], 3 * sizeof(model[0]));
  MUST(blosc2_schunk_delete_chunk(schunk, 4) == CHUNKS);
  MUST(equals(schunk, CHUNKS));

  int64_t order[CHUNKS] = {6, 5, 4, 3, 2, 1, 0}, twice[CHUNKS] = {0, 0, 1, 2, 3, 4, 5};
  MUST(blosc2_schunk_reorder_offsets(schunk, twice) < 0);
  MUST(blosc2_schunk_reorder_offsets(schunk, order) == 0);
  for (int n = 0; n < CHUNKS / 2; n++) {
    memcpy(model[CHUNKS], model[n], sizeof(model[0]));
    memcpy(model[n], model[CHUNKS - 1 - n], sizeof(model[0]));
    memcpy(model[CHUNKS - 1 - n], model[CHUNKS], sizeof(model[0]));
  }
  MUST(equals(schunk, CHUNKS));

  int32_t *items = &model[0][0];
  for (int i = 2500; i < 6500; i++) items[i] = -i;
  MUST(blosc2_schunk_set_slice_buffer(schunk, 2500, 6500, items + 2500) == 0);
  MUST(blosc2_schunk_set_slice_buffer(schunk, 0, CHUNKS * ITEMS + 1, items) < 0);
  MUST(equals(schunk, CHUNKS));
  int64_t coords[4] = {CHUNKS * ITEMS - 1, 0, 6499, 0};
  int32_t few[4];
  MUST(blosc2_schunk_get_sparse_buffer(schunk, 4, coords, few) == 0);
  for (int i = 0; i < 4; i++) MUST(few[i] == items[coords[i]]);
  coords[1] = CHUNKS * ITEMS;
  MUST(blosc2_schunk_get_sparse_buffer(schunk, 4, coords, few) < 0);

  uint8_t *content;
  int32_t len;
  MUST(blosc2_vlmeta_add(schunk, "one", (uint8_t *)"first", 5, NULL) == 0);
  MUST(blosc2_vlmeta_add(schunk, "two", (uint8_t *)"second", 6, &cparams) == 1);
  MUST(blosc2_vlmeta_update(schunk, "one", (uint8_t *)"longer than before", 18, NULL) == 0);
  MUST(blosc2_vlmeta_delete(schunk, "two") == 1 && schunk->nvlmetalayers == 1);
  MUST(blosc2_meta_update(schunk, "fixed", (uint8_t *)"xyz", 3) == 0);
  MUST(blosc2_meta_get(schunk, "fixed", &content, &len) == 0 && len == 3 && memcmp(content, "xyz", 3) == 0);
  free(content);

  blosc2_schunk *other = NULL;
  if (path != NULL) other = io == NULL ? blosc2_schunk_open(path) : blosc2_schunk_open_udio(path, io);
  if (path != NULL) {
    MUST(other != NULL && equals(other, CHUNKS));
    fill(model[CHUNKS], 9);
    MUST(blosc2_schunk_append_buffer(other, model[CHUNKS], ITEMS * 4) == CHUNKS + 1);
    MUST(blosc2_schunk_refresh(schunk) == 1 && equals(schunk, CHUNKS + 1));
    MUST(blosc2_schunk_delete_chunk(schunk, CHUNKS) == CHUNKS);
    MUST(blosc2_vlmeta_get(other, "one", &content, &len) == 0 && len == 18);
    free(content);
    MUST(blosc2_schunk_refresh(other) >= 0 && equals(other, CHUNKS));
    MUST(blosc2_schunk_free(other) == 0);
  }

  blosc2_schunk *copy = blosc2_schunk_copy(schunk, NULL);
  MUST(copy != NULL && equals(copy, CHUNKS) && copy->nmetalayers == 1 && copy->nvlmetalayers == 1);
  blosc2_schunk_free(copy);
  uint8_t *frame;
  bool needs_free;
  int64_t frame_len = blosc2_schunk_to_buffer(schunk, &frame, &needs_free);
  for (int copied = 0; copied < 2; copied++) {
    copy = blosc2_schunk_from_buffer(frame, frame_len, copied != 0);
    MUST(copy != NULL && equals(copy, CHUNKS));
    blosc2_schunk_free(copy);
  }
  MUST(blosc2_schunk_from_buffer(frame, frame_len - 1, true) == NULL);
  if (needs_free) free(frame);

  struct reader readers[2] = {{schunk, CHUNKS, false}, {schunk, CHUNKS, false}};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, read_slices, &readers[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  MUST(readers[0].same && readers[1].same);

  pid_t child = fork();
  if (child == 0) _exit(equals(schunk, CHUNKS) ? 0 : 1);
  int status = 1;
  waitpid(child, &status, 0);
  MUST(status == 0);
  MUST(blosc2_schunk_free(schunk) == 0);
  blosc2_remove_urlpath(path);
}

int main(int argc, char **argv) {
  nthreads = argc > 1 ? atoi(argv[1]) : 1;
  blosc2_init();
  int opened = 0;
  blosc2_io_cb callbacks = *blosc2_get_io_cb(BLOSC2_IO_FILESYSTEM);
  callbacks.id = 200;
  callbacks.name = "counted";
  callbacks.open = user_open;
  callbacks.read = user_read;
  blosc2_io user = {200, "counted", &opened};
  if (blosc2_register_io_cb(&callbacks) != 0) return 2;
  check("chunks in memory", false, NULL, NULL);
  check("frame in memory", true, NULL, NULL);
  check("file", true, "storage.b2frame", NULL);
  check("directory", false, "storage.dir", NULL);
  blosc2_stdio_params locked = {true};
  blosc2_io locks = {BLOSC2_IO_FILESYSTEM, "filesystem", &locked};
  check("locked file", true, "locked.b2frame", &locks);
  check("locked directory", false, "locked.dir", &locks);
  check("file of a user", true, "user.b2frame", &user);
  check("directory of a user", false, "user.dir", &user);
  lazy_blocks(&user);
  if (opened == 0) {
    printf("the user's callbacks were not called\n");
    ++wrong;
  }
  blosc2_destroy();
  printf("%d threads: %s\n", nthreads, wrong == 0 ? "ok" : "differences");
  return wrong != 0;
}
