//! Each codec at each instruction set: the same streams, and the same content from them.

use crate::lz4_common::contents;
use oxiblosc_kernels::deflate::Deflate;
use oxiblosc_kernels::inflate::Inflate;
use oxiblosc_kernels::{Isa, Kernels, blosclz, lz4};

/// A function that makes a stream at a compression level.
type Encode = fn(Kernels, u8, &[u8], &mut [u8]) -> Option<usize>;
/// A function that decodes a stream.
type Decode = fn(Kernels, &[u8], &mut [u8]) -> Option<usize>;

const CODECS: [(&str, Encode, Decode); 4] = [
    (
        "blosclz",
        |kernels, level, src, dst| blosclz::Encoder::new(kernels).encode(level, src, dst),
        |kernels, src, dst| blosclz::decode(kernels, src, dst).ok(),
    ),
    (
        "lz4",
        |kernels, level, src, dst| lz4::Encoder::new(kernels).encode(level.into(), src, dst),
        |kernels, src, dst| lz4::decode(kernels, src, dst).ok(),
    ),
    (
        "lz4hc",
        |kernels, level, src, dst| lz4::HcEncoder::new(kernels).encode(level, src, dst),
        |kernels, src, dst| lz4::decode(kernels, src, dst).ok(),
    ),
    (
        "zlib",
        |kernels, level, src, dst| Deflate::new(kernels, level).encode(src, dst),
        |kernels, src, dst| Some(Inflate::new(kernels).decode(src, dst).ok()?.0),
    ),
];

#[test]
fn every_codec_runs_at_every_level_and_writes_the_same() {
    let scalar = Kernels::with_isa(Isa::Scalar).unwrap();
    let all: Vec<_> = Kernels::available().collect();
    println!(
        "levels: {:?}",
        all.iter().map(|k| k.isa()).collect::<Vec<_>>()
    );
    for (codec, encode, decode) in CODECS {
        for level in [1, 5, 9] {
            for (kind, src) in contents(5000) {
                let mut expected = vec![0; 2 * src.len() + 100];
                let len = encode(scalar, level, &src, &mut expected);
                for &kernels in &all {
                    let isa = kernels.isa();
                    let mut stream = vec![0; expected.len()];
                    assert_eq!(
                        encode(kernels, level, &src, &mut stream),
                        len,
                        "{codec} {level} {kind} {isa}"
                    );
                    let Some(len) = len else { continue };
                    assert!(
                        stream[..len] == expected[..len],
                        "{codec} {level} {kind} {isa}"
                    );
                    let mut back = vec![0; src.len()];
                    let produced = decode(kernels, &stream[..len], &mut back);
                    assert_eq!(produced, Some(src.len()), "{codec} {level} {kind} {isa}");
                    assert!(back == src, "{codec} {level} {kind} {isa}");
                }
            }
        }
    }
}
