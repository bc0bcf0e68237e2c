/* Filters beyond the first 32 that have a fixed id. */
#ifndef BLOSC_BLOSC2_FILTERS_REGISTRY_H
#define BLOSC_BLOSC2_FILTERS_REGISTRY_H

#ifdef __cplusplus
extern "C" {
#endif

enum {
  BLOSC_FILTER_NDCELL = 32,          /* the items of a cell of an array next to each other */
  BLOSC_FILTER_NDMEAN = 33,          /* lossy: the items of a cell replaced by their mean */
  BLOSC_FILTER_BYTEDELTA_BUGGY = 34, /* an early form of the next, for reading */
  BLOSC_FILTER_BYTEDELTA = 35,       /* differences of neighbouring bytes, after a shuffle */
  BLOSC_FILTER_INT_TRUNC = 36,       /* lossy: integers with bits cut off */
};

/* The names of a plugin's functions. */
typedef struct {
  char *forward;
  char *backward;
} filter_info;

#ifdef __cplusplus
}
#endif

#endif
