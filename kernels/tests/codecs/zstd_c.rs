//! The decoder of Zstandard streams against libzstd: streams of every level are read, and damaged
//! ones are refused or give the content that libzstd gives.
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

use oxiblosc_kernels::zstd::Zstd;
use oxiblosc_kernels::{DecodeErrorKind, Kernels};
use proptest::prelude::*;
use zstd::zstd_safe::{CCtx, CParameter, DCtx, get_error_name, train_from_buffer};

/// Well-mixed bytes.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }

    fn below(&mut self, end: u64) -> usize {
        usize::try_from(self.next() % end).unwrap()
    }
}

/// Words of a small vocabulary.
fn words(len: usize, seed: u64) -> Vec<u8> {
    let mut random = Random(7);
    let vocabulary: Vec<Vec<u8>> = (0..200)
        .map(|_| {
            (0..2 + random.below(8))
                .map(|_| b'a' + random.byte() % 26)
                .collect()
        })
        .collect();
    let mut random = Random(seed);
    let mut text = Vec::new();
    while text.len() < len {
        text.extend_from_slice(&vocabulary[random.below(200) * random.below(200) / 200]);
        text.push(b' ');
    }
    text.truncate(len);
    text
}

/// Kinds of content.
pub(crate) fn contents(len: usize) -> Vec<(&'static str, Vec<u8>)> {
    let mut random = Random(1);
    let mut made = |item: &mut dyn FnMut(usize, &mut Random) -> u8| -> Vec<u8> {
        (0..len).map(|i| item(i, &mut random)).collect()
    };
    let low = |i: usize| i.to_le_bytes()[0];
    let mut all = vec![
        ("zeros", made(&mut |_, _| 0)),
        ("noise", made(&mut |_, random| random.byte())),
        (
            "geometric",
            made(&mut |_, random| low(random.byte().trailing_zeros() as usize)),
        ),
        ("two values", made(&mut |_, random| random.byte() & 1)),
        ("ramp", made(&mut |i, _| low(i / 7))),
        (
            "middling",
            made(&mut |_, random| low(random.below(256) * random.below(256) / 256)),
        ),
        (
            "skewed",
            made(&mut |_, random| low(random.below(9) * random.below(9) * random.below(4))),
        ),
        (
            "records",
            made(&mut |i, random| match i % 12 {
                0..=3 => (i / 36).to_le_bytes()[i % 4],
                4..=7 => 5,
                _ => random.byte() & 15,
            }),
        ),
        ("words", words(len, 3)),
    ];
    let fifth = len / 5;
    let parts = [1, 2, 4, 5, 8].map(|kind: usize| all[kind].1[..fifth].to_vec());
    all.push(("parts", parts.concat()));
    all
}

/// A stream by libzstd.
pub(crate) fn encode(src: &[u8], level: i32, checksum: bool, stated: bool, dict: &[u8]) -> Vec<u8> {
    let mut context = CCtx::create();
    context
        .set_parameter(CParameter::CompressionLevel(level))
        .unwrap();
    context
        .set_parameter(CParameter::ChecksumFlag(checksum))
        .unwrap();
    context
        .set_parameter(CParameter::ContentSizeFlag(stated))
        .unwrap();
    if !dict.is_empty() {
        context.load_dictionary(dict).unwrap();
    }
    let mut stream = Vec::with_capacity(2 * src.len() + 1000);
    context.compress2(&mut stream, src).unwrap();
    stream
}

fn decoders(dict: &[u8]) -> Vec<Zstd> {
    Kernels::available()
        .map(|kernels| match dict {
            [] => Zstd::new(kernels),
            dict => Zstd::with_dict(kernels, dict).unwrap(),
        })
        .collect()
}

/// Decodes whole and by prefixes, into space of several sizes.
fn check(decoders: &mut [Zstd], stream: &[u8], content: &[u8], what: &str) {
    let len = content.len();
    for zstd in decoders {
        for room in [0, 1, 100] {
            let mut back = vec![1; len + room];
            assert_eq!(
                zstd.decode(stream, &mut back),
                Ok(len),
                "{what}, {room} more"
            );
            assert!(back[..len] == *content, "{what}, {room} more");
        }
        for cut in [
            0,
            1,
            len / 3,
            len / 2,
            len.saturating_sub(9),
            len.saturating_sub(1),
            len,
        ] {
            let cut = cut.min(len);
            let mut front = vec![1; cut];
            assert_eq!(
                zstd.decode_prefix(stream, &mut front),
                Ok(cut),
                "{what}, first {cut}"
            );
            assert!(front == content[..cut], "{what}, first {cut}");
            if cut < len {
                assert!(
                    zstd.decode(stream, &mut front).is_err(),
                    "{what}, space for {cut}"
                );
            }
        }
        let mut longer = vec![1; len + 1];
        assert_eq!(zstd.decode_prefix(stream, &mut longer), Ok(len), "{what}");
    }
}

#[test]
fn streams_of_every_level_and_length() {
    let mut decoders = decoders(&[]);
    for len in [
        0, 1, 2, 5, 6, 63, 64, 100, 255, 256, 1000, 5000, 65_536, 131_072, 131_073, 300_000,
    ] {
        for (kind, content) in contents(len) {
            let levels: &[i32] = if len > 5000 {
                &[-5, 1, 3, 9, 16, 22]
            } else {
                &[
                    -9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                    22,
                ]
            };
            for &level in levels {
                let stream = encode(&content, level, level % 2 == 1, level % 3 != 0, &[]);
                check(
                    &mut decoders,
                    &stream,
                    &content,
                    &format!("{kind} {len}, level {level}"),
                );
            }
        }
    }
}

/// Nearly all matches repeat the distance of a record, with all lengths that fit between the bytes
/// that change.
#[test]
fn records_of_every_width() {
    let mut decoders = decoders(&[]);
    let mut random = Random(11);
    for width in 4..48_u64 {
        let mut record: Vec<u8> = (0..width).map(|_| random.byte()).collect();
        let mut content = Vec::new();
        while content.len() < 20_000 {
            content.extend_from_slice(&record);
            for _ in 0..1 + random.below(2) {
                record[random.below(width)] = random.byte();
            }
        }
        for level in [1, 3, 9, 19] {
            let stream = encode(&content, level, true, true, &[]);
            let what = format!("records of {width} bytes, level {level}");
            check(&mut decoders, &stream, &content, &what);
        }
    }
}

#[test]
fn streams_with_dictionaries() {
    let samples = words(400_000, 5);
    let mut trained = Vec::with_capacity(8000);
    train_from_buffer(&mut trained, &samples, &[1000; 400]).unwrap();
    assert_eq!(trained[..4], [0x37, 0xA4, 0x30, 0xEC]);
    for dict in [&trained[..], &samples[..5000], b"abc"] {
        let mut decoders = decoders(dict);
        for len in [0, 10, 300, 5000, 200_000] {
            for (kind, content) in contents(len) {
                for level in [1, 5, 9, 19] {
                    let stream = encode(&content, level, true, true, dict);
                    let what = format!("{kind} {len}, level {level}, {} bytes", dict.len());
                    check(&mut decoders, &stream, &content, &what);
                    if kind == "words" && len == 300 && dict.len() > 3 {
                        let other = Zstd::new(Kernels::best()).decode(&stream, &mut [0; 300]);
                        assert!(other.is_err(), "{what}: without the dictionary");
                    }
                }
            }
        }
    }
}

#[test]
fn every_prefix_of_short_streams() {
    for (kind, content) in contents(700) {
        for level in [1, 19] {
            let stream = encode(&content, level, true, true, &[]);
            for zstd in &mut decoders(&[]) {
                for len in 0..=content.len() {
                    let mut front = vec![1; len];
                    assert_eq!(zstd.decode_prefix(&stream, &mut front), Ok(len), "{kind}");
                    assert!(front == content[..len], "{kind}, first {len}");
                }
                for cut in 0..stream.len() {
                    let decoded = zstd.decode(&stream[..cut], &mut vec![0; content.len()]);
                    assert_eq!(
                        decoded.is_err(),
                        cut > 0,
                        "{kind}: {cut} bytes of the stream"
                    );
                }
            }
        }
    }
}

/// Decodes damaged bytes with both. The one difference: libzstd accepts some streams of literals
/// that do not end with their last symbol or have no mark at their end, which RFC 8878 calls
/// corrupted (section 4.2.2).
fn compare(zstd: &mut Zstd, context: &mut DCtx<'_>, stream: &[u8], space: usize) {
    let (mut ours, mut theirs) = (vec![1; space], vec![2; space]);
    let our_len = zstd.decode(stream, &mut ours);
    let their_len = context.decompress(&mut theirs[..], stream);
    let stricter = our_len.is_err_and(|error| {
        matches!(error.kind(), DecodeErrorKind::Invalid { reason, .. }
            if reason.starts_with("literals: expected a stream "))
    });
    if !stricter {
        let reason = their_len.map_err(get_error_name);
        assert_eq!(
            our_len.ok(),
            their_len.ok(),
            "{our_len:?}, libzstd: {reason:?}: {stream:?}"
        );
    }
    if let Ok(len) = our_len {
        assert!(ours[..len] == theirs[..len], "{stream:?}");
    }
    let mut front = vec![3; space / 2];
    let front_len = zstd.decode_prefix(stream, &mut front);
    if let Ok(len) = our_len {
        let len = len.min(space / 2);
        assert_eq!(front_len, Ok(len));
        assert!(front[..len] == ours[..len]);
    }
}

#[test]
fn every_changed_byte_of_short_streams() {
    let mut context = DCtx::create();
    let mut zstd = Zstd::new(Kernels::best());
    for (_, content) in contents(300) {
        for (level, checksum) in [(1, false), (19, false), (3, true)] {
            let stream = encode(&content, level, checksum, true, &[]);
            for at in 0..stream.len() {
                let mut damaged = stream.clone();
                for change in [1, 2, 4, 8, 16, 32, 64, 128, 255] {
                    damaged[at] = stream[at] ^ change;
                    compare(&mut zstd, &mut context, &damaged, content.len() + 20);
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn damaged_streams_are_read_as_by_libzstd(
        kind in 0_usize..10,
        len in 0_usize..6000,
        level in -3_i32..=22,
        checksum in prop::bool::weighted(0.1),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
        room in 0_usize..300,
    ) {
        let (_, content) = contents(len).swap_remove(kind);
        let mut stream = encode(&content, level, checksum, level % 2 == 0, &[]);
        for (at, change) in &flips {
            let at = at.index(stream.len());
            stream[at] ^= change;
        }
        if let Some(cut) = cut {
            stream.truncate(cut.index(stream.len()));
        }
        for zstd in &mut decoders(&[]) {
            compare(zstd, &mut DCtx::create(), &stream, len + room);
        }
    }
}
