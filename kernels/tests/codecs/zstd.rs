//! The decoder of Zstandard streams on frozen and hand-written streams, and on bad ones.
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

use oxiblosc_kernels::zstd::Zstd;
use oxiblosc_kernels::{DecodeErrorKind, Kernels};

/// 305 bytes by `ZSTD_compress` of the Zstandard 1.5.7 inside C-Blosc2 3.3.5, levels 1 and 22.
const FOX: [&str; 2] = [
    "28b52ffd6031000d0300540554686520717569636b2062726f776e20666f78206a756d7073206f7665722074\
     6865206c617a7920646f672e20000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e\
     1f20212223242526270200b854591a8394d203",
    "28b52ffd603100150300640554686520717569636b2062726f776e20666f78206a756d7073206f7665722074\
     6865206c617a7920646f672e20000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e\
     1f2021222324252627000200b154591a8394d203",
];

fn unhex(hex: &str) -> Vec<u8> {
    let digits: Vec<_> = hex.chars().map(|c| c.to_digit(16).unwrap()).collect();
    let pairs = digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]);
    pairs.map(|byte| u8::try_from(byte).unwrap()).collect()
}

/// The content of both.
fn fox() -> Vec<u8> {
    let mut fox = b"The quick brown fox jumps over the lazy dog. ".repeat(5);
    fox.extend((0..40).chain(0..40));
    fox
}

#[test]
fn frozen_streams() {
    for stream in FOX.map(unhex) {
        for kernels in Kernels::available() {
            let mut zstd = Zstd::new(kernels);
            let mut dst = [1; 305];
            assert_eq!(zstd.decode(&stream, &mut dst), Ok(305));
            assert_eq!(dst[..], fox()[..]);
            for len in 0..305 {
                let mut front = vec![2; len];
                assert_eq!(zstd.decode_prefix(&stream, &mut front), Ok(len));
                assert_eq!(front[..], fox()[..len]);
                assert!(zstd.decode(&stream, &mut front).is_err(), "{len}");
            }
            for cut in 1..stream.len() {
                assert!(zstd.decode(&stream[..cut], &mut dst).is_err(), "{cut}");
            }
        }
    }
}

/// A frame that states `len` bytes of content, and its blocks.
fn frame(len: u8, blocks: &[&[u8]]) -> Vec<u8> {
    [b"\x28\xb5\x2f\xfd\x20", &[len][..], &blocks.concat()].concat()
}

#[test]
fn frames_follow_each_other() {
    let abc = frame(3, &[b"\x19\0\0abc"]);
    let run = frame(7, &[b"\x3b\0\0z"]);
    let skipped = b"\x5f\x2a\x4d\x18\x02\0\0\0??";
    let stream = [skipped, &abc[..], &run, skipped, &abc].concat();
    let mut zstd = Zstd::new(Kernels::best());
    let mut dst = [0; 13];
    assert_eq!(zstd.decode(&stream, &mut dst), Ok(13));
    assert_eq!(&dst, b"abczzzzzzzabc");
    for len in 0..=13 {
        let mut front = vec![0; len];
        assert_eq!(zstd.decode_prefix(&stream, &mut front), Ok(len));
        assert_eq!(front, b"abczzzzzzzabc"[..len]);
    }
    assert_eq!(zstd.decode(&[], &mut dst), Ok(0));
    assert_eq!(zstd.decode(skipped, &mut dst), Ok(0));
    assert!(zstd.decode(&stream[..stream.len() - 1], &mut dst).is_err());
    assert!(
        zstd.decode(&[&stream[..], b"x"].concat(), &mut dst)
            .is_err()
    );
}

#[test]
fn errors_name_place_and_numbers() {
    let text = |stream: &[u8], space: usize| {
        let decoded = Zstd::new(Kernels::best()).decode(stream, &mut vec![0; space]);
        decoded.unwrap_err().to_string()
    };
    for (stream, space, expected) in [
        (
            frame(3, &[b"\x19\0\0ab"]),
            3,
            "zstd stream: need 3 bytes at offset 9, found 2",
        ),
        (
            frame(3, &[b"\x19\0\0abc"]),
            2,
            "zstd stream: output has space for 2 bytes, found 3 at offset 6",
        ),
        (
            frame(3, &[b"\x1f\0\0abc"]),
            3,
            "zstd stream: block: expected kind 0 to 2, found the reserved kind 3 at offset 6",
        ),
        (
            frame(4, &[b"\x19\0\0abc"]),
            4,
            "zstd stream: frame: expected as many bytes as the header states, found another number \
             at offset 12",
        ),
        (
            b"\x28\xb5\x2f\xfc".to_vec(),
            4,
            "zstd stream: header: expected the magic number of a frame, found another at offset 0",
        ),
        (
            b"\x28\xb5\x2f\xfd\x28\x01".to_vec(),
            4,
            "zstd stream: header: expected 0 in the reserved bit, found 1 at offset 4",
        ),
        (
            b"\x28\xb5\x2f\xfd\x21\x07\x03\x19\0\0abc".to_vec(),
            3,
            "zstd stream: frame: expected the number of the dictionary, found another at offset 7",
        ),
        (
            // A repeat of codes that no block has had.
            frame(9, &[b"\x25\0\0\x93\x40\x00\0"]),
            9,
            "zstd stream: literals: expected Huffman codes, found a repeat of none at offset 9",
        ),
    ] {
        assert_eq!(text(&stream, space), expected);
    }
}

#[test]
fn a_wrong_checksum_is_refused() {
    // The hash of nothing: 0xEF46DB3751D8E999.
    let mut stream = *b"\x28\xb5\x2f\xfd\x24\x00\x01\0\0\x99\xe9\xd8\x51";
    let mut zstd = Zstd::new(Kernels::best());
    assert_eq!(zstd.decode(&stream, &mut []), Ok(0));
    stream[12] ^= 1;
    let error = zstd.decode(&stream, &mut []).unwrap_err();
    assert_eq!(error.offset(), 9);
    assert!(matches!(error.kind(), DecodeErrorKind::Invalid { .. }));
}

#[test]
fn damaged_dictionaries_are_refused() {
    let mut dict = vec![0xFF; 300];
    dict[..4].copy_from_slice(&[0x37, 0xA4, 0x30, 0xEC]);
    assert!(Zstd::with_dict(Kernels::best(), &dict).is_err());
    for short in 0..8 {
        assert!(Zstd::with_dict(Kernels::best(), &dict[..short]).is_ok());
    }
}
