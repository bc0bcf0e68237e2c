//! The SIMD kernels and LZ codecs of oxiblosc: bytes in, bytes out.
