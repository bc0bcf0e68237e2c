/* Sizes, offsets and constants of the public structures, printed one per line: the program is compiled
 * with our headers and with the original's, and must print the same. */
#include "b2nd.h"
#include "blosc2/codecs-registry.h"
#include "blosc2/filters-registry.h"
#include "blosc2/tuners-registry.h"
#include <stddef.h>
#include <stdio.h>

#define SIZE(t) printf("size " #t " %zu\n", sizeof(t))
#define AT(t, f) printf("at " #t " " #f " %zu %zu\n", offsetof(t, f), sizeof(((t *)0)->f))
#define NUMBER(n) printf("number " #n " %lld\n", (long long)(n))
#define TEXT(n) printf("text " #n " %s\n", n)

int main(void) {
#include "layout.inc"
  return 0;
}
