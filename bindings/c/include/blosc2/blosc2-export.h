/* How functions are declared. This library exports what it must by itself; the macros are here for
 * programs that use them. */
#ifndef BLOSC_BLOSC2_BLOSC2_EXPORT_H
#define BLOSC_BLOSC2_BLOSC2_EXPORT_H

#define BLOSC_EXPORT

#if (defined(__GNUC__) || defined(__clang__)) && !defined(_WIN32)
#define BLOSC_NO_EXPORT __attribute__((visibility("hidden")))
#else
#define BLOSC_NO_EXPORT
#endif

#if defined(BLOSC_TESTING)
#undef BLOSC_NO_EXPORT
#define BLOSC_NO_EXPORT BLOSC_EXPORT
#endif

#endif
