/* both LIB1 LIB2: chunks of one library read by the other, both ways, and what functions refuse. Blosc1's
 * public functions alone are called. */
#include "blosc.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 300000 };
static unsigned char src[MOST], chunk[MOST + 16], back[MOST];

typedef struct {
  void *handle;
  int (*compress)(int, int, size_t, size_t, const void *, void *, size_t, const char *, size_t, int);
  int (*decompress)(const void *, void *, size_t, int);
  int (*getitem)(const void *, int, int, void *);
  int (*validate)(const void *, size_t, size_t *);
  void (*sizes)(const void *, size_t *, size_t *, size_t *);
  const char *(*complib)(const void *);
} library;

static library load(const char *path) {
  library lib = {dlopen(path, RTLD_NOW | RTLD_LOCAL), 0, 0, 0, 0, 0, 0};
  if (lib.handle == NULL) {
    printf("%s\n", dlerror());
    exit(2);
  }
  *(void **)&lib.compress = dlsym(lib.handle, "blosc_compress_ctx");
  *(void **)&lib.decompress = dlsym(lib.handle, "blosc_decompress_ctx");
  *(void **)&lib.getitem = dlsym(lib.handle, "blosc_getitem");
  *(void **)&lib.validate = dlsym(lib.handle, "blosc_cbuffer_validate");
  *(void **)&lib.sizes = dlsym(lib.handle, "blosc_cbuffer_sizes");
  *(void **)&lib.complib = dlsym(lib.handle, "blosc_cbuffer_complib");
  void (*init)(void);
  *(void **)&init = dlsym(lib.handle, "blosc_init");
  init();
  return lib;
}

static int cells, wrong;

static void check(int ok, const char *what, const char *codec, int shuffle, size_t typesize, size_t nbytes, int way) {
  ++cells;
  if (!ok) {
    ++wrong;
    printf("%s: %s, shuffle %d, typesize %zu, %zu bytes, direction %d\n", what, codec, shuffle, typesize, nbytes, way);
  }
}

int main(int argc, char **argv) {
  static const char *codecs[] = {"blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd"};
  static const size_t typesizes[] = {1, 2, 4, 7, 8, 255, 300}, lengths[] = {0, 1, 100, 70001, MOST};
  if (argc != 3) {
    return 2;
  }
  library libs[2] = {load(argv[1]), load(argv[2])};
  for (size_t i = 0; i < MOST; ++i) {
    src[i] = (unsigned char)(i % 8 < 2 ? i / 1000 : (i * i) >> 9);
  }
  for (int way = 0; way < 2; ++way) {
    library from = libs[way], to = libs[1 - way];
    for (int c = 0; c < 6; ++c) {
      for (int shuffle = 0; shuffle < 3; ++shuffle) {
        for (int t = 0; t < 7; ++t) {
          for (int l = 0; l < 5; ++l) {
            size_t typesize = typesizes[t], nbytes = lengths[l], said = 1, n1, c1, b1, n2, c2, b2;
            int len = from.compress(5, shuffle, typesize, nbytes, src, chunk, nbytes + 16, codecs[c], 0, 1 + way);
            check(len > 0, "compress", codecs[c], shuffle, typesize, nbytes, way);
            if (len <= 0) {
              continue;
            }
            check(chunk[0] == 2, "version", codecs[c], shuffle, typesize, nbytes, way);
            memset(back, 1, nbytes);
            int got = to.decompress(chunk, back, nbytes, 1);
            check(got == (int)nbytes && memcmp(src, back, nbytes) == 0, "decompress", codecs[c], shuffle, typesize,
                  nbytes, way);
            check(to.validate(chunk, (size_t)len, &said) == 0 && said == nbytes, "validate", codecs[c], shuffle, typesize,
                  nbytes, way);
            from.sizes(chunk, &n1, &c1, &b1);
            to.sizes(chunk, &n2, &c2, &b2);
            check(n1 == n2 && c1 == c2 && b1 == b2 && c1 == (size_t)len, "sizes", codecs[c], shuffle, typesize, nbytes,
                  way);
            check(strcmp(from.complib(chunk), to.complib(chunk)) == 0, "complib", codecs[c], shuffle, typesize, nbytes,
                  way);
            /* Both cut alike, at the three levels with other sizes. */
            for (int level = 1; level <= 9; level += 4) {
              from.compress(level, shuffle, typesize, nbytes, src, chunk, nbytes + 16, codecs[c], 0, 1);
              from.sizes(chunk, &n1, &c1, &b1);
              unsigned char flags = chunk[2];
              to.compress(level, shuffle, typesize, nbytes, src, chunk, nbytes + 16, codecs[c], 0, 1);
              to.sizes(chunk, &n2, &c2, &b2);
              /* Bit 1: one of them found the data not worth it. */
              check(nbytes == 0 || (b1 == b2 && (((flags ^ chunk[2]) & ~2) == 0 || ((flags | chunk[2]) & 2) != 0)),
                    "block size", codecs[c], shuffle, typesize, nbytes, way);
            }
            from.compress(5, shuffle, typesize, nbytes, src, chunk, nbytes + 16, codecs[c], 0, 1);
            size_t item = typesize > 255 ? 1 : typesize;
            if (nbytes >= 20 * item) {
              got = to.getitem(chunk, 5, 10, back);
              check(got == (int)(10 * item) && memcmp(src + 5 * item, back, 10 * item) == 0, "getitem", codecs[c], shuffle,
                    typesize, nbytes, way);
            }
          }
        }
      }
    }
  }
  for (int i = 0; i < 2; ++i) {
    library lib = libs[i];
    check(lib.compress(5, 1, 4, 1000, src, chunk, 1016, "no such codec", 0, 1) < 0, "codec", "", 0, 4, 1000, i);
    check(lib.compress(10, 1, 4, 1000, src, chunk, 1016, "lz4", 0, 1) < 0, "level", "", 0, 4, 1000, i);
    check(lib.compress(5, 3, 4, 1000, src, chunk, 1016, "lz4", 0, 1) < 0, "shuffle", "", 3, 4, 1000, i);
    int len = lib.compress(5, 1, 4, 1000, src, chunk, 1016, "lz4", 0, 1);
    check(lib.decompress(chunk, back, 999, 1) < 0, "small", "", 1, 4, 1000, i);
    check(lib.validate(chunk, (size_t)len - 1, &(size_t){0}) < 0, "cut off", "", 1, 4, 1000, i);
    check(lib.getitem(chunk, 245, 10, back) < 0, "beyond", "", 1, 4, 1000, i);
  }
  /* The second library is ours; C crashes here. */
  check(libs[1].compress(5, 1, 4, 1000, NULL, chunk, 1016, "lz4", 0, 1) < 0, "null", "", 1, 4, 1000, 1);
  check(libs[1].compress(5, 1, 4, (size_t)-1, src, chunk, 1016, "lz4", 0, 1) < 0, "huge", "", 1, 4, 1000, 1);
  check(libs[1].compress(5, 1, 4, 1000, src, chunk, 1016, NULL, 0, 1) < 0, "no name", "", 1, 4, 1000, 1);
  check(libs[1].compress(5, 1, 4, 1000, src, chunk, 1016, "lz4", 0, 0) < 0, "threads", "", 1, 4, 1000, 1);
  check(libs[1].decompress(NULL, back, 100, 1) < 0, "null", "", 1, 4, 1000, 1);
  check(libs[1].getitem(NULL, 0, 1, back) < 0, "null", "", 1, 4, 1000, 1);
  check(libs[1].validate(NULL, 100, NULL) < 0, "null", "", 1, 4, 1000, 1);
  libs[1].sizes(NULL, NULL, NULL, NULL);
  check(libs[1].complib(NULL) == NULL, "null", "", 1, 4, 1000, 1);
  printf("%d of %d right\n", cells - wrong, cells);
  return wrong != 0;
}
