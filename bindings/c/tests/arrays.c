/* Arrays beyond the upstream programs: two threads on one array, views that outlive their array, parts of
 * buffers, coordinates out of order, resizing at a position. Every result is compared with plain arrays. */
#include "b2nd.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROWS 300
#define COLUMNS 200
#define ROUNDS 150

static int wrong = 0;
static int32_t plain[ROWS][COLUMNS];

#define MUST(condition)                                                                                \
  do {                                                                                                 \
    if (!(condition)) {                                                                                \
      printf("line %d: %s\n", __LINE__, #condition);                                                   \
      __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);                                                 \
    }                                                                                                  \
  } while (0)

static b2nd_array_t *make(const char *path, bool contiguous, int16_t nthreads) {
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  blosc2_dparams dparams = BLOSC2_DPARAMS_DEFAULTS;
  cparams.typesize = 4;
  cparams.nthreads = dparams.nthreads = nthreads;
  blosc2_storage storage = {
      .contiguous = contiguous, .urlpath = (char *)path, .cparams = &cparams, .dparams = &dparams};
  int64_t shape[] = {ROWS, COLUMNS};
  int32_t chunkshape[] = {70, 64}, blockshape[] = {20, 31};
  b2nd_context_t *ctx = b2nd_create_ctx(&storage, 2, shape, chunkshape, blockshape, "<i4", 0, NULL, 0);
  b2nd_array_t *array = NULL;
  if (path != NULL) {
    blosc2_remove_urlpath(path);
  }
  MUST(b2nd_from_cbuffer(ctx, &array, plain, sizeof(plain)) == 0);
  MUST(b2nd_free_ctx(ctx) == 0);
  return array;
}

static uint32_t next(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

typedef struct {
  b2nd_array_t *array;
  uint32_t seed;
} task_t;

/* Reads boxes anywhere. */
static void *read_boxes(void *argument) {
  task_t *task = argument;
  uint32_t state = task->seed;
  int32_t *out = malloc(sizeof(plain));
  for (int round = 0; round < ROUNDS; ++round) {
    int64_t start[2] = {next(&state) % ROWS, next(&state) % COLUMNS};
    int64_t stop[2] = {start[0] + 1 + next(&state) % (ROWS - start[0]),
                       start[1] + 1 + next(&state) % (COLUMNS - start[1])};
    int64_t shape[2] = {stop[0] - start[0], stop[1] - start[1]};
    MUST(b2nd_get_slice_cbuffer(task->array, start, stop, out, shape, shape[0] * shape[1] * 4) == 0);
    int differ = 0;
    for (int64_t i = 0; i < shape[0]; ++i) {
      differ |= memcmp(out + i * shape[1], &plain[start[0] + i][start[1]], shape[1] * 4);
    }
    MUST(differ == 0);
  }
  free(out);
  return NULL;
}

/* Writes rows of one parity, which no other thread writes. */
static void *write_rows(void *argument) {
  task_t *task = argument;
  int32_t row[COLUMNS];
  for (int64_t i = task->seed; i < ROWS; i += 2) {
    for (int j = 0; j < COLUMNS; ++j) {
      row[j] = (int32_t)(i * 1000 + j);
    }
    int64_t start[2] = {i, 0}, stop[2] = {i + 1, COLUMNS}, shape[2] = {1, COLUMNS};
    MUST(b2nd_set_slice_cbuffer(row, shape, sizeof(row), start, stop, task->array) == 0);
  }
  return NULL;
}

static void threads(const char *path, bool contiguous, int16_t nthreads) {
  b2nd_array_t *array = make(path, contiguous, nthreads);
  pthread_t ids[3];
  task_t tasks[3];
  for (uint32_t i = 0; i < 3; ++i) {
    tasks[i] = (task_t){array, i + 1};
    pthread_create(&ids[i], NULL, read_boxes, &tasks[i]);
  }
  for (int i = 0; i < 3; ++i) {
    pthread_join(ids[i], NULL);
  }
  for (uint32_t i = 0; i < 2; ++i) {
    tasks[i] = (task_t){array, i};
    pthread_create(&ids[i], NULL, write_rows, &tasks[i]);
  }
  for (int i = 0; i < 2; ++i) {
    pthread_join(ids[i], NULL);
  }
  int32_t *out = malloc(sizeof(plain));
  MUST(b2nd_to_cbuffer(array, out, sizeof(plain)) == 0);
  for (int i = 0; i < ROWS * COLUMNS; ++i) {
    MUST(out[i] == i / COLUMNS * 1000 + i % COLUMNS);
  }
  pid_t child = fork();
  if (child == 0) {
    _exit(b2nd_to_cbuffer(array, out, sizeof(plain)) == 0 && out[ROWS * COLUMNS - 1] == 299199 ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  MUST(status == 0);
  free(out);
  MUST(b2nd_free(array) == 0);
  if (path != NULL) {
    blosc2_remove_urlpath(path);
  }
}

static void views(void) {
  b2nd_array_t *array = make(NULL, false, 1), *wide = NULL, *narrow = NULL;
  bool axes[3] = {false, true, false};
  MUST(b2nd_expand_dims(array, &wide, axes, 3) == 0);
  MUST(wide->ndim == 3 && wide->shape[1] == 1 && wide->shape[2] == COLUMNS && array->ndim == 2);
  MUST(b2nd_free(array) == 0);
  MUST(b2nd_squeeze_index(wide, &narrow, axes) == 0);
  MUST(b2nd_free(wide) == 0);
  int64_t start[2] = {7, 9}, stop[2] = {8, 10}, shape[2] = {1, 1};
  int32_t value = -5;
  MUST(b2nd_set_slice_cbuffer(&value, shape, 4, start, stop, narrow) == 0);
  value = 0;
  MUST(b2nd_get_slice_cbuffer(narrow, start, stop, &value, shape, 4) == 0 && value == -5);
  MUST(b2nd_free(narrow) == 0);
}

static void parts(void) {
  b2nd_array_t *array = make(NULL, true, 1);
  /* A buffer wider than the slice: its front is written, the rest is not touched. */
  int32_t out[4][5];
  memset(out, 0x7f, sizeof(out));
  int64_t start[2] = {68, 62}, stop[2] = {71, 65}, shape[2] = {4, 5};
  MUST(b2nd_get_slice_cbuffer(array, start, stop, out, shape, sizeof(out)) == 0);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 5; ++j) {
      MUST(out[i][j] == (i < 3 && j < 3 ? plain[68 + i][62 + j] : 0x7f7f7f7f));
    }
  }
  /* Coordinates in any order and repeated; the last value written wins. */
  int64_t rows[] = {299, 0, 71, 0}, columns[] = {5, 199, 64}, sizes[] = {4, 3};
  int64_t *selection[] = {rows, columns};
  int32_t values[12], back[12];
  for (int i = 0; i < 12; ++i) {
    values[i] = 100000 + i;
  }
  MUST(b2nd_set_orthogonal_selection(array, selection, sizes, values, sizes, sizeof(values)) == 0);
  MUST(b2nd_get_orthogonal_selection(array, selection, sizes, back, sizes, sizeof(back)) == 0);
  for (int i = 0; i < 12; ++i) {
    MUST(back[i] == values[i < 3 || i >= 6 ? i : i + 6]);
  }
  /* Buffers of another shape or size than the selection are refused and left alone. */
  int64_t other[2] = {3, 4};
  int32_t wider[13];
  memset(wider, 0x55, sizeof(wider));
  MUST(b2nd_get_orthogonal_selection(array, selection, sizes, wider, sizes, sizeof(wider)) < 0);
  MUST(b2nd_get_orthogonal_selection(array, selection, sizes, wider, sizes, 11 * 4) < 0);
  MUST(b2nd_get_orthogonal_selection(array, selection, sizes, wider, other, 12 * 4) < 0);
  for (int i = 0; i < 13; ++i) {
    MUST(wider[i] == 0x55555555);
  }
  MUST(b2nd_set_orthogonal_selection(array, selection, sizes, wider, sizes, sizeof(wider)) < 0);
  MUST(b2nd_set_orthogonal_selection(array, selection, sizes, wider, sizes, 11 * 4) < 0);
  MUST(b2nd_set_orthogonal_selection(array, selection, sizes, wider, other, 12 * 4) < 0);
  MUST(b2nd_get_orthogonal_selection(array, selection, sizes, back, sizes, sizeof(back)) == 0);
  MUST(back[0] == values[0] && back[11] == values[11]);
  int64_t items[] = {299 * COLUMNS + 199, 64, 64, 0};
  MUST(b2nd_get_sparse_cbuffer(array, 4, items, back, 16) == 0);
  MUST(back[0] == 100001 - 0 && back[1] == 100011 && back[2] == 100011 && back[3] == plain[0][0]);
  items[0] = (int64_t)ROWS * COLUMNS;
  MUST(b2nd_get_sparse_cbuffer(array, 4, items, back, 16) < 0);
  /* Rows of zeros at a position, then without them again. */
  int64_t taller[2] = {ROWS + 140, COLUMNS}, at[2] = {70, 0}, old[2] = {ROWS, COLUMNS};
  MUST(b2nd_resize(array, taller, at) == 0 && array->shape[0] == ROWS + 140);
  int64_t from[2] = {69, 3}, to[2] = {211, 4}, column[2] = {142, 1};
  int32_t line[142];
  MUST(b2nd_get_slice_cbuffer(array, from, to, line, column, sizeof(line)) == 0);
  MUST(line[0] == plain[69][3] && line[141] == plain[70][3]);
  for (int i = 1; i < 141; ++i) {
    MUST(line[i] == 0);
  }
  at[0] = 71;
  MUST(b2nd_resize(array, old, at) < 0 && array->shape[0] == ROWS + 140);
  at[0] = 70;
  MUST(b2nd_resize(array, old, at) == 0 && array->shape[0] == ROWS);
  from[0] = 1, to[0] = ROWS - 1, column[0] = ROWS - 2;
  int32_t *all = malloc((ROWS - 2) * 4);
  MUST(b2nd_get_slice_cbuffer(array, from, to, all, column, (ROWS - 2) * 4) == 0);
  for (int i = 1; i < ROWS - 1; ++i) {
    MUST(all[i - 1] == plain[i][3]);
  }
  free(all);
  MUST(b2nd_free(array) == 0);
}

/* An array is saved as it is kept: in a file, or in a folder. */
static void saved(bool contiguous) {
  b2nd_array_t *array = make(NULL, contiguous, 1), *back = NULL;
  int32_t *out = malloc(sizeof(plain));
  blosc2_remove_urlpath("saved.b2nd");
  MUST(blosc2_vlmeta_add(array->sc, "note", (uint8_t *)"kept", 4, NULL) >= 0);
  MUST(b2nd_save(array, "saved.b2nd") == 0);
  MUST((access("saved.b2nd/chunks.b2frame", R_OK) == 0) == !contiguous);
  MUST(b2nd_save(array, "saved.b2nd") < 0);
  MUST(b2nd_open("saved.b2nd", &back) == 0 && back->sc->storage->contiguous == contiguous);
  MUST(b2nd_to_cbuffer(back, out, sizeof(plain)) == 0 && memcmp(out, plain, sizeof(plain)) == 0);
  MUST(blosc2_vlmeta_exists(back->sc, "note") >= 0);
  MUST(b2nd_free(back) == 0 && b2nd_free(array) == 0);
  blosc2_remove_urlpath("saved.b2nd");
  free(out);
}

int main(void) {
  blosc2_init();
  for (int i = 0; i < ROWS * COLUMNS; ++i) {
    plain[i / COLUMNS][i % COLUMNS] = i * 7 - 1000;
  }
  for (int16_t nthreads = 1; nthreads <= 4; nthreads += 3) {
    threads(NULL, false, nthreads);
    threads(NULL, true, nthreads);
    threads("arrays_frame.b2nd", true, nthreads);
    threads("arrays_folder.b2nd", false, nthreads);
  }
  views();
  parts();
  saved(false);
  saved(true);
  blosc2_destroy();
  if (wrong) {
    printf("%d wrong\n", wrong);
  }
  return wrong != 0;
}
