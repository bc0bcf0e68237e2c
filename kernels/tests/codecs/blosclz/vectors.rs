//! Frozen bytes, made by the C library (format §15).

use oxiblosc_kernels::Kernels;
use oxiblosc_kernels::blosclz::{Encoder, decode};
use sha2::{Digest, Sha256};

fn encoded(clevel: u8, src: &[u8]) -> Option<Vec<u8>> {
    let mut dst = vec![0; src.len()];
    let cbytes = Encoder::new(Kernels::best()).encode(clevel, src, &mut dst)?;
    dst.truncate(cbytes);
    let mut back = vec![0; src.len()];
    assert_eq!(decode(Kernels::best(), &dst, &mut back), Ok(src.len()));
    assert!(back == src, "level {clevel}: does not come back");
    Some(dst)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn sha(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes)[..8])
}

/// The 31-bit linear congruential generator of the vectors.
struct Lcg(u32);

impl Lcg {
    fn next(&mut self) -> usize {
        self.0 = self.0.wrapping_mul(1_103_515_245).wrapping_add(12345) & 0x7FFF_FFFF;
        usize::try_from(self.0 >> 16).unwrap()
    }

    fn byte(&mut self) -> u8 {
        u8::try_from(self.next() & 255).unwrap()
    }
}

#[test]
fn short_streams_have_their_frozen_bytes() {
    let period = b"abcdefgh".repeat(12);
    let mut fox = b"The quick brown fox. ".repeat(6);
    fox.extend(0..40);
    let mut digits = b"0123456789ABCDEF".repeat(20);
    digits.extend([b'Z'; 700]);

    let period_bytes = "276162636465666768e04c0702666768";
    let fox_bytes = "3454686520717569636b2062726f776e20666f782e20e05f141f20000102030405060\
        708090a0b0c0d0e0f101112131415\
                     161718191a1b1c1d1e081f2021222324252627";
    let digits_bytes = "2f30313233343536373839414243444546e0ff270f01465ae0ffffb100025a5a5a";
    assert_eq!(encoded(1, &period), None);
    assert_eq!(encoded(1, &fox), None);
    for clevel in [5, 9] {
        assert_eq!(
            hex(&encoded(clevel, &period).unwrap()),
            period_bytes,
            "level {clevel}"
        );
        assert_eq!(
            hex(&encoded(clevel, &fox).unwrap()),
            fox_bytes,
            "level {clevel}"
        );
    }
    for clevel in 1..=9 {
        assert_eq!(
            hex(&encoded(clevel, &digits).unwrap()),
            digits_bytes,
            "level {clevel}"
        );
    }
}

#[test]
fn words_have_their_frozen_hashes() {
    let mut lcg = Lcg(42);
    let words: Vec<Vec<u8>> = (0..64)
        .map(|_| {
            let len = 3 + lcg.next() % 8;
            (0..len).map(|_| lcg.byte()).collect()
        })
        .collect();
    let mut src = Vec::new();
    while src.len() < 60_000 {
        src.extend(&words[lcg.next() % 64]);
    }
    src.truncate(60_000);
    assert_eq!(
        (hex(&src[..8]), sha(&src)),
        ("972343ea7719e500".into(), "eb2591136a56502d".into())
    );

    assert_eq!(encoded(1, &src), None);
    for clevel in 2..=9 {
        let stream = encoded(clevel, &src).unwrap();
        let expected = match clevel {
            2 => (37_393, "54a157171b72fee1"),
            9 => (37_212, "ef9d302d5d07dead"),
            _ => (37_080, "85f2ee84ec08c6fb"),
        };
        assert_eq!(
            (stream.len(), sha(&stream).as_str()),
            expected,
            "level {clevel}"
        );
    }
}

#[test]
fn far_matches_have_their_frozen_hash() {
    let mut lcg = Lcg(99);
    let once: Vec<u8> = (0..12_000).map(|_| lcg.byte()).collect();
    let src = once.repeat(3);
    assert_eq!(
        (hex(&src[..8]), sha(&src)),
        ("b0bda4e809554ceb".into(), "13683cec21081763".into())
    );

    for clevel in 1..=3 {
        assert_eq!(encoded(clevel, &src), None, "level {clevel}");
    }
    for clevel in 4..=9 {
        let stream = encoded(clevel, &src).unwrap();
        assert_eq!(
            (stream.len(), sha(&stream).as_str()),
            (12_478, "97d4552895ac479d"),
            "level {clevel}"
        );
    }
}
