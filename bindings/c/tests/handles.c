/* Files that are open twice: one handle appends while another reads, two write in turn, one has the file mapped,
 * one holds the lock; files that are cut short, replaced or removed under a handle; a frame in memory with several
 * handles. Every read gives the items of an array, or an error; nothing else. Argument: the threads of a context. */
#include "b2nd.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ITEMS = 5000, CHUNKS = 6 };
static int wrong = 0;
static int16_t nthreads = 1;
static int32_t model[CHUNKS * 4][ITEMS];

#define MUST(condition)                                                                                \
  do {                                                                                                 \
    if (!(condition)) {                                                                                \
      printf("line %d: false: %s\n", __LINE__, #condition);                                            \
      ++wrong;                                                                                         \
    }                                                                                                  \
  } while (0)

static blosc2_cparams cparams;
static blosc2_dparams dparams;

static blosc2_schunk *create(char *path, bool contiguous, blosc2_io *io) {
  blosc2_storage storage = {contiguous, path, &cparams, &dparams, io};
  blosc2_remove_urlpath(path);
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  for (int n = 0; n < CHUNKS; ++n) {
    MUST(blosc2_schunk_append_buffer(schunk, model[n], sizeof(model[n])) == n + 1);
  }
  return schunk;
}

/* The chunks from `first` on are those of the model. */
static bool reads(blosc2_schunk *schunk, int first, int end) {
  static int32_t got[ITEMS];
  for (int n = first; n < end; ++n) {
    memset(got, 0x55, sizeof(got));
    if (blosc2_schunk_decompress_chunk(schunk, n, got, sizeof(got)) != sizeof(got)) return false;
    if (memcmp(got, model[n], sizeof(got)) != 0) return false;
  }
  return true;
}

/* Reads whatever is there: errors are answers, too. How many chunks could be read. */
static int tries(blosc2_schunk *schunk) {
  static int32_t got[ITEMS];
  int good = 0;
  for (int n = 0; n < schunk->nchunks; ++n) {
    good += blosc2_schunk_decompress_chunk(schunk, n, got, sizeof(got)) == sizeof(got);
    uint8_t *chunk = NULL;
    bool needs_free = false;
    int len = blosc2_schunk_get_lazychunk(schunk, n, &chunk, &needs_free);
    if (len > 0) (void)blosc2_getitem_ctx(schunk->dctx, chunk, len, 10, 20, got, sizeof(got));
    if (len > 0 && needs_free) free(chunk);
  }
  uint8_t *content = NULL;
  int32_t len;
  if (blosc2_vlmeta_get(schunk, "note", &content, &len) >= 0) free(content);
  (void)blosc2_schunk_get_slice_buffer(schunk, 0, ITEMS, got);
  (void)blosc2_schunk_frame_len(schunk);
  free(blosc2_frame_get_offsets(schunk));
  return good;
}

/* One handle appends, the other reads and looks again. */
static void append_and_read(char *path, bool contiguous) {
  blosc2_schunk *writer = create(path, contiguous, NULL), *reader = blosc2_schunk_open(path);
  MUST(reader != NULL && reads(reader, 0, CHUNKS));
  for (int n = CHUNKS; n < 2 * CHUNKS; ++n) {
    MUST(blosc2_schunk_append_buffer(writer, model[n], sizeof(model[n])) == n + 1);
    MUST(reads(reader, 0, n));
    MUST(blosc2_schunk_refresh(reader) >= 0 && reader->nchunks == n + 1 && reads(reader, 0, n + 1));
  }
  MUST(blosc2_vlmeta_add(writer, "note", (uint8_t *)"seen", 4, NULL) >= 0);
  MUST(blosc2_schunk_refresh(reader) >= 0 && blosc2_vlmeta_exists(reader, "note") >= 0);
  MUST(blosc2_schunk_delete_chunk(writer, 2 * CHUNKS - 1) == 2 * CHUNKS - 1);
  MUST(blosc2_schunk_refresh(reader) >= 0 && reader->nchunks == 2 * CHUNKS - 1);
  MUST(blosc2_schunk_free(writer) == 0);
  MUST(reads(reader, 0, 2 * CHUNKS - 1));
  MUST(blosc2_schunk_free(reader) == 0);
  MUST(blosc2_remove_urlpath(path) == 0);
}

/* Both write, each after a look at what the other did. */
static void two_writers(char *path, bool contiguous) {
  blosc2_schunk *ends[2] = {create(path, contiguous, NULL), blosc2_schunk_open(path)};
  for (int n = CHUNKS; n < 3 * CHUNKS; ++n) {
    blosc2_schunk *one = ends[n % 2], *other = ends[(n + 1) % 2];
    MUST(blosc2_schunk_refresh(one) >= 0);
    MUST(blosc2_schunk_append_buffer(one, model[n], sizeof(model[n])) == n + 1);
    MUST(blosc2_schunk_refresh(other) >= 0 && other->nchunks == n + 1 && reads(other, 0, n + 1));
  }
  MUST(blosc2_schunk_free(ends[1]) == 0);
  MUST(reads(ends[0], 0, 3 * CHUNKS));
  MUST(blosc2_schunk_free(ends[0]) == 0);
  blosc2_schunk *again = blosc2_schunk_open(path);
  MUST(again != NULL && again->nchunks == 3 * CHUNKS && reads(again, 0, 3 * CHUNKS));
  MUST(blosc2_schunk_free(again) == 0);
  MUST(blosc2_remove_urlpath(path) == 0);
}

static void *write_many(void *path) {
  blosc2_stdio_params locking = {true};
  blosc2_io io = {BLOSC2_IO_FILESYSTEM, "filesystem", &locking};
  blosc2_schunk *mine = blosc2_schunk_open_udio(path, &io);
  for (int turn = 0; mine != NULL && turn < CHUNKS; ++turn) {
    MUST(blosc2_schunk_lock(mine) == 0);
    MUST(blosc2_schunk_refresh(mine) >= 0);
    int64_t n = mine->nchunks;
    MUST(blosc2_schunk_append_buffer(mine, model[n], sizeof(model[n])) == n + 1);
    MUST(blosc2_schunk_unlock(mine) == 0);
  }
  MUST(mine != NULL && blosc2_schunk_free(mine) == 0);
  return NULL;
}

/* Two threads and a child write under locks; unlocking what is not locked, locking twice. */
static void locked_writers(char *path, bool contiguous) {
  blosc2_schunk_free(create(path, contiguous, NULL));
  pthread_t other;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    write_many(path);
    _exit(wrong != 0);
  }
  pthread_create(&other, NULL, write_many, path);
  write_many(path);
  pthread_join(other, NULL);
  int status = 1;
  waitpid(child, &status, 0);
  MUST(status == 0);
  blosc2_schunk *again = blosc2_schunk_open(path);
  MUST(again != NULL && again->nchunks == 4 * CHUNKS && reads(again, 0, 4 * CHUNKS));
  (void)blosc2_schunk_unlock(again);
  (void)blosc2_schunk_lock(again);
  (void)blosc2_schunk_lock(again);
  MUST(reads(again, 0, CHUNKS));
  (void)blosc2_schunk_unlock(again);
  (void)blosc2_schunk_unlock(again);
  MUST(blosc2_schunk_free(again) == 0);
  MUST(blosc2_remove_urlpath(path) == 0);
}

/* Open while mapped, by the same mapping and by others. */
static void mapped(char *path, const char *mode) {
  bool writes = mode[0] == 'c' || mode[1] == '+';
  blosc2_schunk_free(create(path, true, NULL));
  blosc2_stdio_mmap params = BLOSC2_STDIO_MMAP_DEFAULTS, second = BLOSC2_STDIO_MMAP_DEFAULTS;
  params.mode = mode;
  second.mode = "r";
  blosc2_io io = {BLOSC2_IO_FILESYSTEM_MMAP, "filesystem_mmap", &params};
  blosc2_io io2 = {BLOSC2_IO_FILESYSTEM_MMAP, "filesystem_mmap", &second};
  blosc2_schunk *map = blosc2_schunk_open_udio(path, &io), *also = blosc2_schunk_open_udio(path, &io2);
  blosc2_schunk *plain = blosc2_schunk_open(path);
  MUST(map != NULL && also != NULL && plain != NULL);
  MUST(reads(map, 0, CHUNKS) && reads(also, 0, CHUNKS) && reads(plain, 0, CHUNKS));
  /* The parameters of a mapping that is open serve no other file. */
  MUST(blosc2_stdio_mmap_open("another.b2frame", "rb", &params) == NULL);
  int64_t rc = blosc2_schunk_append_buffer(map, model[CHUNKS], sizeof(model[0]));
  MUST(writes ? rc == CHUNKS + 1 && reads(map, 0, CHUNKS + 1) : rc < 0);
  if (strcmp(mode, "r+") == 0) {
    MUST(blosc2_schunk_refresh(plain) >= 0 && plain->nchunks == CHUNKS + 1 && reads(plain, 0, CHUNKS + 1));
  }
  /* The one that has a map of the shorter file has what it had, or an error. */
  (void)tries(also);
  if (mode[0] != 'c') {
    int64_t n = plain->nchunks;
    MUST(blosc2_schunk_append_buffer(plain, model[n], sizeof(model[0])) == n + 1);
  }
  (void)blosc2_schunk_refresh(map);
  (void)tries(map);
  (void)blosc2_schunk_refresh(also);
  (void)tries(also);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) _exit(reads(plain, 0, CHUNKS) ? 0 : 1);
  int status = 1;
  waitpid(child, &status, 0);
  MUST(status == 0);
  MUST(blosc2_schunk_free(map) == 0 && blosc2_schunk_free(also) == 0);
  MUST(blosc2_stdio_mmap_destroy(&params) == 0 && blosc2_stdio_mmap_destroy(&second) == 0);
  MUST(reads(plain, 0, CHUNKS) && blosc2_schunk_free(plain) == 0);
  blosc2_schunk *again = blosc2_schunk_open(path);
  MUST(again != NULL && reads(again, 0, CHUNKS) && blosc2_schunk_free(again) == 0);
  MUST(blosc2_remove_urlpath(path) == 0);
}

/* The file is cut, its bytes change, another one takes its place, or it is gone. */
static void pulled_away(char *path) {
  blosc2_schunk *schunk = create(path, true, NULL);
  MUST(blosc2_vlmeta_add(schunk, "note", (uint8_t *)"hello", 5, NULL) >= 0);
  int64_t len = blosc2_schunk_frame_len(schunk);
  uint8_t *whole = malloc((size_t)len), *changed = malloc((size_t)len);
  int fd = open(path, O_RDWR);
  MUST(pread(fd, whole, (size_t)len, 0) == len);
  uint32_t state = 1;
  for (int turn = 0; turn < 60; ++turn) {
    memcpy(changed, whole, (size_t)len);
    for (int i = 0; i < 1 + turn % 7; ++i) {
      state = state * 1664525u + 1013904223u;
      changed[turn % 2 ? (state >> 8) % len : (state >> 8) % 200] ^= (uint8_t)(1 + state % 255);
    }
    MUST(pwrite(fd, changed, (size_t)len, 0) == len);
    (void)tries(schunk);
    (void)blosc2_schunk_refresh(schunk);
    (void)tries(schunk);
    blosc2_schunk *other = blosc2_schunk_open(path);
    if (other != NULL) {
      (void)tries(other);
      MUST(blosc2_schunk_free(other) == 0);
    }
  }
  MUST(pwrite(fd, whole, (size_t)len, 0) == len);
  MUST(blosc2_schunk_free(schunk) == 0);
  for (int64_t cut = len - 1; cut > 0; cut = cut * 2 / 3) {
    MUST(ftruncate(fd, 0) == 0 && pwrite(fd, whole, (size_t)len, 0) == len);
    schunk = blosc2_schunk_open(path);
    MUST(schunk != NULL && ftruncate(fd, cut) == 0);
    (void)tries(schunk);
    (void)blosc2_schunk_append_buffer(schunk, model[0], sizeof(model[0]));
    (void)tries(schunk);
    MUST(blosc2_schunk_free(schunk) == 0);
  }
  MUST(ftruncate(fd, 0) == 0 && pwrite(fd, whole, (size_t)len, 0) == len);
  close(fd);
  schunk = blosc2_schunk_open(path);
  MUST(unlink(path) == 0);
  (void)tries(schunk);
  MUST(blosc2_schunk_open(path) == NULL);
  blosc2_schunk *new = create(path, true, NULL);
  (void)tries(schunk);
  (void)blosc2_schunk_refresh(schunk);
  MUST(reads(new, 0, CHUNKS));
  MUST(blosc2_schunk_free(schunk) == 0 && blosc2_schunk_free(new) == 0);
  MUST(blosc2_remove_urlpath(path) == 0);
  free(whole);
  free(changed);
}

/* Several handles on one frame in memory, with and without copies. */
static void in_memory(void) {
  blosc2_schunk *source = create(NULL, true, NULL);
  uint8_t *frame = NULL;
  bool needs_free = false;
  int64_t len = blosc2_schunk_to_buffer(source, &frame, &needs_free);
  MUST(len > 0);
  uint8_t *bytes = malloc((size_t)len);
  memcpy(bytes, frame, (size_t)len);
  if (needs_free) free(frame);
  MUST(blosc2_schunk_free(source) == 0);
  blosc2_schunk *views[3];
  for (int i = 0; i < 3; ++i) {
    views[i] = blosc2_schunk_from_buffer(bytes, len, i == 2);
    blosc2_schunk_avoid_cframe_free(views[i], true);
  }
  MUST(blosc2_schunk_append_buffer(views[2], model[CHUNKS], sizeof(model[0])) == CHUNKS + 1);
  (void)blosc2_schunk_append_buffer(views[1], model[CHUNKS], sizeof(model[0]));
  MUST(reads(views[0], 0, CHUNKS) && reads(views[1], 0, CHUNKS));
  MUST(blosc2_schunk_free(views[0]) == 0 && reads(views[1], 0, CHUNKS) && blosc2_schunk_free(views[1]) == 0);
  free(bytes);
  MUST(reads(views[2], 0, CHUNKS + 1) && blosc2_schunk_free(views[2]) == 0);
}

/* An array that grows under one handle, while others read it. */
static void array_twice(char *path, bool contiguous) {
  blosc2_storage storage = {contiguous, path, &cparams, &dparams, NULL};
  int64_t shape[2] = {40, 50}, taller[2] = {80, 50}, zero[2] = {0, 0};
  int32_t chunkshape[2] = {16, 20}, blockshape[2] = {5, 7};
  blosc2_remove_urlpath(path);
  b2nd_context_t *ctx = b2nd_create_ctx(&storage, 2, shape, chunkshape, blockshape, "<i4", 0, NULL, 0);
  b2nd_array_t *first = NULL, *second = NULL, *third = NULL;
  int32_t got[80][50];
  MUST(b2nd_from_cbuffer(ctx, &first, model[1], 40 * 50 * 4) == 0);
  MUST(b2nd_from_cbuffer(ctx, &third, model[1], 40 * 50 * 4) < 0 && third == NULL);
  MUST(b2nd_open(path, &second) == 0);
  MUST(b2nd_resize(first, taller, NULL) == 0);
  MUST(b2nd_get_slice_cbuffer(second, zero, shape, got, shape, 40 * 50 * 4) == 0);
  MUST(memcmp(got, model[1], 40 * 50 * 4) == 0);
  (void)b2nd_get_slice_cbuffer(second, zero, taller, got, taller, sizeof(got));
  MUST(b2nd_refresh(second) >= 0 && second->shape[0] == 80);
  MUST(b2nd_set_slice_cbuffer(model[2], taller, sizeof(got), zero, taller, first) == 0);
  MUST(b2nd_get_slice_cbuffer(second, zero, taller, got, taller, sizeof(got)) == 0);
  MUST(memcmp(got, model[2], sizeof(got)) == 0);
  MUST(b2nd_resize(first, shape, NULL) == 0);
  (void)b2nd_get_slice_cbuffer(second, zero, taller, got, taller, sizeof(got));
  MUST(b2nd_free(first) == 0);
  MUST(b2nd_refresh(second) >= 0 && second->shape[0] == 40);
  MUST(b2nd_get_slice_cbuffer(second, zero, shape, got, shape, 40 * 50 * 4) == 0);
  MUST(memcmp(got, model[2], 40 * 50 * 4) == 0);
  MUST(b2nd_free(second) == 0 && b2nd_free_ctx(ctx) == 0);
  MUST(blosc2_remove_urlpath(path) == 0);
}

int main(int argc, char **argv) {
  nthreads = argc > 1 ? (int16_t)atoi(argv[1]) : 1;
  blosc2_init();
  cparams = BLOSC2_CPARAMS_DEFAULTS;
  dparams = BLOSC2_DPARAMS_DEFAULTS;
  cparams.typesize = 4;
  cparams.blocksize = 4000;
  cparams.nthreads = dparams.nthreads = nthreads;
  for (int n = 0; n < CHUNKS * 4; ++n) {
    for (int i = 0; i < ITEMS; ++i) model[n][i] = i * (n + 3) % 1000;
  }
  for (int contiguous = 0; contiguous < 2; ++contiguous) {
    char *path = contiguous ? "handles.b2frame" : "handles.dir";
    append_and_read(path, contiguous);
    two_writers(path, contiguous);
    locked_writers(path, contiguous);
    array_twice(path, contiguous);
  }
  mapped("handles.b2frame", "r");
  mapped("handles.b2frame", "r+");
  mapped("handles.b2frame", "c");
  pulled_away("handles.b2frame");
  in_memory();
  blosc2_destroy();
  printf("%d threads: %s\n", nthreads, wrong == 0 ? "ok" : "differences");
  return wrong != 0;
}
