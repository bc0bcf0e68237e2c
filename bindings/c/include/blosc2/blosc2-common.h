/* Macros that programs for Blosc2 use. */
#ifndef BLOSC_BLOSC2_BLOSC2_COMMON_H
#define BLOSC_BLOSC2_BLOSC2_COMMON_H

#include "blosc2-export.h"

#include <stdint.h>
#include <string.h>

#if defined(__GNUC__)
#define BLOSC_GCC_VERSION (__GNUC__ * 100 + __GNUC_MINOR__)
#define BLOSC_UNUSED_VAR __attribute__((unused))
#else
#define BLOSC_UNUSED_VAR
#endif

#define BLOSC_UNUSED_PARAM(x) ((void)(x))

#if defined(_MSC_VER) && !defined(__cplusplus)
#define inline __inline
#endif

#if !defined(__SSE2__) && defined(_MSC_VER) && (defined(_M_X64) || (defined(_M_IX86) && _M_IX86_FP >= 2))
#define __SSE2__
#endif

/* Set where loads from any address are slow or impossible. */
#if !defined(BLOSC_STRICT_ALIGN)
#if !(defined(__i386__) || defined(__x86_64__) || defined(_M_IX86) || defined(_M_X64) || defined(__PPC__))
#define BLOSC_STRICT_ALIGN
#endif
#endif

#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#if defined(__AVX2__) || defined(__AVX512F__) || defined(__AVX512BW__)
#include <immintrin.h>
#endif

#endif
