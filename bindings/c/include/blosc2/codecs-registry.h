/* Codecs beyond the first 32 that have a fixed id. */
#ifndef BLOSC_BLOSC2_CODECS_REGISTRY_H
#define BLOSC_BLOSC2_CODECS_REGISTRY_H

#ifdef __cplusplus
extern "C" {
#endif

enum {
  BLOSC_CODEC_NDLZ = 32,                /* cells of arrays of bytes */
  BLOSC_CODEC_ZFP_FIXED_ACCURACY = 33,  /* lossy, for floats: the accuracy is in `compcode_meta` */
  BLOSC_CODEC_ZFP_FIXED_PRECISION = 34, /* the same by precision */
  BLOSC_CODEC_ZFP_FIXED_RATE = 35,      /* the same by rate */
  /* The others are in plugins, which this library does not load. */
  BLOSC_CODEC_OPENHTJ2K = 36,
  BLOSC_CODEC_GROK = 37,
  BLOSC_CODEC_OPENZL = 38,
  BLOSC_CODEC_J2K = 39,
  BLOSC_CODEC_HTJ2K = 40,
};

/* The names of a plugin's functions. */
typedef struct {
  char *encoder;
  char *decoder;
} codec_info;

#ifdef __cplusplus
}
#endif

#endif
