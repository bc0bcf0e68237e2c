//! The encoder of Zstandard streams: libzstd and the decoder here read what it writes, which
//! depends on the content and the level alone and is about as small as libzstd's.
#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

use crate::zstd_c::{Random, contents, encode as encode_by_libzstd};
use oxiblosc_kernels::Kernels;
use oxiblosc_kernels::zstd::{Encoder, Zstd};
use proptest::prelude::*;
use zstd::zstd_safe::{DCtx, get_error_name};

const LEVELS: [u8; 3] = [4, 5, 6];

/// Encodes with a new encoder and checks that both decoders give the content back.
fn back(level: u8, content: &[u8], what: &str) -> Vec<u8> {
    let mut stream = vec![1; content.len() + content.len() / 10_000 + 64];
    let len = Encoder::new(Kernels::best(), level).encode(content, &mut stream);
    stream.truncate(len.unwrap());
    let mut theirs = vec![2; content.len()];
    let len = DCtx::create().decompress(&mut theirs[..], &stream);
    assert_eq!(len.map_err(get_error_name), Ok(content.len()), "{what}");
    assert!(theirs == content, "{what}");
    let mut ours = vec![3; content.len()];
    let len = Zstd::new(Kernels::best()).decode(&stream, &mut ours);
    assert_eq!(len, Ok(content.len()), "{what}");
    assert!(ours == content, "{what}");
    stream
}

#[test]
fn every_content_comes_back_at_every_instruction_set() {
    // One for all streams: nothing of one shows in the next.
    let mut encoders: Vec<_> = LEVELS
        .iter()
        .flat_map(|level| Kernels::available().map(|kernels| (*level, kernels)))
        .map(|(level, kernels)| (level, kernels.isa(), Encoder::new(kernels, level)))
        .collect();
    let around = |len: usize| [len - 1, len, len + 1];
    let lens = (0..70)
        .chain([100, 255, 256, 257, 1000])
        .chain([4096, 32_768, 65_536, 131_072].into_iter().flat_map(around))
        .chain([300_000]);
    for len in lens {
        for (kind, content) in contents(len) {
            for level in LEVELS {
                let expected = back(level, &content, &format!("{kind} {len}, level {level}"));
                for (_, isa, encoder) in encoders.iter_mut().filter(|(of, ..)| *of == level) {
                    let mut stream = vec![9; len + 64];
                    let written = encoder.encode(&content, &mut stream);
                    assert_eq!(written, Some(expected.len()), "{kind} {len} {level} {isa}");
                    stream.truncate(expected.len());
                    assert!(stream == expected, "{kind} {len} {level} {isa}");
                }
            }
        }
    }
}

/// Sums of dice: few values of different frequencies, in no order.
fn dice(len: usize) -> Vec<u8> {
    let mut random = Random(7);
    let mut die = || random.byte() & 3;
    (0..len).map(|_| die() + die() + die()).collect()
}

#[test]
fn without_matches_where_they_save_nothing() {
    for len in [1025, 1500, 33_000, 65_536, 300_000] {
        let content = dice(len);
        let least = encode_by_libzstd(&content, 1, false, true, &[]).len();
        let mut streams = Vec::new();
        for kernels in Kernels::available() {
            let mut encoder = Encoder::new(kernels, 4);
            let mut stream = vec![5; len];
            let written = encoder.encode_without_matches(&content, &mut stream);
            stream.truncate(written.unwrap());
            assert!(stream.len() < least, "{len}: {} of {least}", stream.len());
            // Used again, without enough space.
            let mut short = vec![0; stream.len() - 1];
            assert_eq!(encoder.encode_without_matches(&content, &mut short), None);
            // The streams before are no place for matches.
            let mut again = vec![6; len];
            for content in [&content[1..], &content] {
                assert!(
                    encoder
                        .encode_without_matches(content, &mut again)
                        .is_some()
                );
            }
            assert!(again.starts_with(&stream), "{len}");
            let mut theirs = vec![2; len];
            let produced = DCtx::create().decompress(&mut theirs[..], &stream);
            assert_eq!(produced.map_err(get_error_name), Ok(len));
            assert!(theirs == content, "{len}");
            let mut ours = vec![3; len];
            assert_eq!(Zstd::new(kernels).decode(&stream, &mut ours), Ok(len));
            assert!(ours == content, "{len}");
            streams.push(stream);
        }
        assert!(streams.iter().all(|stream| *stream == streams[0]), "{len}");
    }
}

#[test]
fn masks_take_a_bit_each_at_any_level() {
    for len in [2000, 40_000, 300_000] {
        let mask: Vec<u8> = dice(len).iter().map(|byte| byte & 1).collect();
        for level in LEVELS {
            let stream = back(level, &mask, "mask");
            let mut alone = vec![0; len];
            let mut encoder = Encoder::new(Kernels::best(), level);
            let written = encoder.encode_without_matches(&mask, &mut alone);
            assert!(alone[..written.unwrap()] == stream, "{len} {level}");
            assert!(stream.len() < len / 8 + len / 200 + 40, "{len} {level}");
            // The same once more is a match, at any distance.
            let mut dst = vec![0; 2 * len];
            let twice = encoder.encode_without_matches(&mask.repeat(2), &mut dst);
            assert_eq!(twice, None, "{len} {level}");
        }
    }
}

#[test]
fn matches_that_save_something_are_noticed() {
    let mut encoder = Encoder::new(Kernels::best(), 4);
    let mut is_left = |content: &[u8]| {
        let mut stream = vec![0; content.len() + 64];
        encoder
            .encode_without_matches(content, &mut stream)
            .is_none()
    };
    let base = dice(20_000);
    // The same once more, near and far; strings of it; runs; a short period.
    assert!(is_left(&[&base[..], &base].concat()));
    assert!(is_left(
        &[&base[..16_000], &dice(90_000)[40_000..], &base[..16_000]].concat()
    ));
    let strings: Vec<u8> = (0..4000)
        .flat_map(|n: usize| base[n * 7919 % 400 * 20..][..20].iter().copied())
        .collect();
    assert!(is_left(&strings));
    let runs: Vec<u8> = base.iter().flat_map(|byte| [*byte; 24]).collect();
    assert!(is_left(&runs));
    assert!(is_left(&base[..37].repeat(1000)));
    assert!(is_left(&vec![3; 50_000]));
    assert!(is_left(&base[..1000]), "too short");
    let mut written = 0;
    for (kind, content) in contents(50_000) {
        let mut stream = vec![0; 60_000];
        let alone = Encoder::new(Kernels::best(), 4).encode_without_matches(&content, &mut stream);
        if let Some(alone) = alone {
            let least = encode_by_libzstd(&content, 1, false, true, &[]).len();
            assert!(alone <= least + least / 200, "{kind}: {alone} of {least}");
            written += 1;
        }
    }
    assert!(written > 0, "none was without matches");
}

#[test]
fn other_levels_are_the_nearest() {
    let (_, content) = contents(50_000).pop().unwrap();
    for (level, nearest) in [(0, 4), (1, 4), (3, 4), (7, 6), (9, 6), (255, 6)] {
        assert_eq!(back(level, &content, ""), back(nearest, &content, ""));
    }
}

#[test]
fn streams_fit_exactly_or_not_at_all() {
    for len in [0, 1, 50, 300, 5000, 140_000] {
        for (kind, content) in contents(len) {
            let stream = back(5, &content, kind);
            let mut encoder = Encoder::new(Kernels::best(), 5);
            let mut exact = vec![0; stream.len()];
            let written = encoder.encode(&content, &mut exact);
            assert_eq!(written, Some(stream.len()), "{kind} {len}");
            assert!(exact == stream, "{kind} {len}");
            for less in (0..stream.len().min(30)).chain([stream.len() / 2, stream.len() - 1]) {
                let written = encoder.encode(&content, &mut exact[..less]);
                assert_eq!(written, None, "{kind} {len}: {less} of {}", stream.len());
            }
        }
    }
}

#[test]
fn noise_grows_by_headers_alone() {
    let mut random = Random(5);
    for len in [1, 100, 4096, 131_072, 200_000, 1_usize << 20] {
        let content: Vec<u8> = (0..len).map(|_| random.byte()).collect();
        let stream = back(5, &content, "noise");
        let blocks = len.div_ceil(1 << 17);
        assert!(stream.len() <= len + 9 + 3 * blocks, "{len}");
    }
}

#[test]
fn matches_reach_as_far_as_they_should() {
    let mut random = Random(6);
    let string: Vec<u8> = (0..5000).map(|_| random.byte()).collect();
    // An entry of the table has 20 bits for a position.
    for distance in [
        5000,
        65_536,
        262_144,
        (1 << 20) - 1,
        1 << 20,
        (1 << 20) + 1,
        3 << 20,
    ] {
        let mut content = string.clone();
        content.resize_with(distance, || random.byte());
        content.extend_from_slice(&string);
        let stream = back(5, &content, "far");
        if distance < 1 << 20 {
            let saved = content.len() - stream.len();
            assert!(saved > 4500, "{distance}: {saved}");
        }
    }
}

/// In noise few positions are looked at; copies are met nevertheless.
#[test]
fn copies_of_noise_are_found_at_any_distance() {
    let mut random = Random(8);
    let noise: Vec<u8> = (0..100_000).map(|_| random.byte()).collect();
    for distance in (60_000..60_040).chain([8191, 8192, 10_000, 65_536, 99_999]) {
        for level in LEVELS {
            let content: Vec<u8> = noise
                .iter()
                .copied()
                .take(distance)
                .cycle()
                .take(250_000)
                .collect();
            let len = back(level, &content, "noise").len();
            assert!(len < distance + 8000, "{distance} {level}: {len}");
        }
    }
}

#[test]
fn lengths_of_every_code() {
    let mut random = Random(7);
    let noise: Vec<u8> = (0..140_000).map(|_| random.byte()).collect();
    for len in (1..140).chain([200, 255, 256, 512, 1027, 4099, 33_000, 65_539, 131_000]) {
        // Literals, a match, literals, and the match again; alone and in one part.
        let mut content = noise[..len].to_vec();
        content.extend_from_within(..len);
        content.extend_from_slice(&noise[..len.min(9)]);
        content.extend(std::iter::repeat_n([1, 2, 3], len).flatten());
        back(6, &content, &format!("{len}"));
        content.extend_from_within(len / 2..);
        back(4, &content, &format!("{len}, twice"));
    }
}

/// Every kind of content compresses to what libzstd makes of it, but for a little.
#[test]
fn streams_are_as_small_as_those_of_libzstd() {
    for (level, theirs) in [(4, 7), (5, 9), (6, 11)] {
        for len in [20_000, 100_000, 400_000] {
            let (mut ours_all, mut theirs_all) = (0, 0);
            for (kind, content) in contents(len) {
                let ours = back(level, &content, kind).len();
                let theirs = encode_by_libzstd(&content, theirs, false, true, &[]).len();
                println!("{level} {len} {kind}: {ours} of {theirs}");
                assert!(
                    ours <= theirs + theirs / 12 + 40,
                    "{level} {len} {kind}: {ours} of {theirs}"
                );
                ours_all += ours;
                theirs_all += theirs;
            }
            assert!(
                ours_all <= theirs_all + theirs_all / 100,
                "{level} {len}: {ours_all} of {theirs_all}"
            );
        }
    }
}

/// Numbers of 16 bits with noise: a match in some forty bytes, and none where steps are long. A run
/// in front of them, a block by itself, makes no difference.
#[test]
fn rare_matches_are_found_in_what_looks_like_noise() {
    let mut random = Random(5);
    let number = |at: usize| {
        let slope = (at % 512) * (at / 512) / 16;
        let noise = usize::from(random.byte() & 63) + usize::from(random.byte() & 63);
        u16::try_from(slope + noise).unwrap().to_le_bytes()
    };
    let image: Vec<u8> = (0..128 << 10).flat_map(number).collect();
    for run in [0, 128 << 10] {
        let mut content = vec![0; run];
        content.extend_from_slice(&image);
        for (level, theirs) in [(5, 9), (6, 11)] {
            let ours = back(level, &content, "image").len();
            let theirs = encode_by_libzstd(&content, theirs, false, true, &[]).len();
            println!("{run} {level}: {ours} of {theirs}");
            assert!(ours <= theirs + theirs / 200, "{ours} of {theirs}");
        }
    }
}

proptest! {
    #[test]
    fn mixtures_come_back(
        level in 4_u8..=6,
        pieces in prop::collection::vec((0_usize..10, 0_usize..9000, any::<bool>()), 0..12),
    ) {
        let mut content = Vec::new();
        for (kind, len, again) in pieces {
            let (_, piece) = contents(len).swap_remove(kind);
            content.extend(piece);
            if again {
                content.extend_from_within(content.len() / 3..);
            }
            content.truncate(400_000);
        }
        back(level, &content, "mixture");
    }

    #[test]
    fn few_symbols_come_back(
        level in 4_u8..=6,
        symbols in prop::collection::vec(any::<u8>(), 1..6),
        picks in prop::collection::vec(any::<u8>(), 0..3000),
    ) {
        let pick = |pick: &u8| symbols[usize::from(*pick) * symbols.len() / 256];
        back(level, &picks.iter().map(pick).collect::<Vec<_>>(), "symbols");
    }
}
