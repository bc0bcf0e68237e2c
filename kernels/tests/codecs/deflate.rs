//! The encoder of zlib streams: what it writes comes back, fits where it says, and is as small as
//! its parts promise. The decoder here is tested on its own; the tests of the root crate decode the
//! same contents with libdeflate.

#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::cell::RefCell;

use oxiblosc_kernels::Kernels;
use oxiblosc_kernels::deflate::Deflate;
use oxiblosc_kernels::inflate::Inflate;
use proptest::prelude::*;

thread_local! {
    /// Encoders of all levels: new ones take longer than most streams here.
    static ENCODERS: RefCell<Vec<Deflate>> = RefCell::new(
        (1..=9).map(|level| Deflate::new(Kernels::best(), level)).collect(),
    );
}

/// Encodes with sufficient capacity at each level, decodes, and returns the streams.
fn back_at_levels(src: &[u8]) -> Vec<Vec<u8>> {
    let encode = |encoder: &mut Deflate| {
        let mut stream = vec![0; src.len() + src.len() / 1000 + 64];
        let len = encoder.encode(src, &mut stream).unwrap();
        stream.truncate(len);
        let mut dst = vec![0xA5; src.len()];
        assert_eq!(
            Inflate::new(Kernels::best()).decode(&stream, &mut dst),
            Ok((src.len(), Kernels::best().adler32(src)))
        );
        assert!(dst == src);
        stream
    };
    ENCODERS.with_borrow_mut(|encoders| encoders.iter_mut().map(encode).collect())
}

/// The same; the longest of the streams.
fn back(src: &[u8]) -> Vec<u8> {
    let streams = back_at_levels(src).into_iter();
    streams.max_by_key(Vec::len).unwrap()
}

fn noise(len: usize, symbols: u64, mut state: u64) -> Vec<u8> {
    (0..len)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            u8::try_from((state >> 40) % symbols).unwrap()
        })
        .collect()
}

#[test]
fn every_short_length() {
    for len in 0..600 {
        back(&vec![7; len]);
        back(&noise(len, 256, 1));
        back(&noise(len, 3, 2));
        back(
            &(0..len)
                .map(|i| u8::try_from(i % 251).unwrap())
                .collect::<Vec<_>>(),
        );
    }
}

#[test]
fn parts_and_their_ends() {
    for len in [65_535, 65_536, 65_537, 131_071, 131_072, 131_073, 300_000] {
        for symbols in [1, 2, 5, 60, 256] {
            back(&noise(len, symbols, 3));
        }
    }
}

#[test]
fn matches_of_every_length_and_distance() {
    let random = noise(40_000, 256, 4);
    for len in (3..300).chain([515, 516, 517, 518, 774, 5000]) {
        let mut src = random[..700].to_vec();
        src.extend_from_within(100..100 + len.min(600));
        src.extend(&random[1000..1010]);
        back(&src);
        // Overlapping itself.
        src.truncate(701);
        src.extend(vec![src[700]; len]);
        back(&src);
    }
    for distance in (1..2000).chain([4096, 16_384, 32_767, 32_768, 32_769]) {
        let mut src = random[..distance].to_vec();
        src.extend(random[..40.min(distance)].iter().cycle().take(40));
        src.extend(&random[39_000..39_020]);
        back(&src);
    }
}

#[test]
fn repeats_are_found() {
    assert!(back(&vec![0; 100_000]).len() < 200);
    let text = b"the quick brown fox jumps over the lazy dog. ".repeat(2000);
    assert!(back(&text).len() < 1200);
    // Two equally frequent values take a bit each; some chance matches cost a little.
    let coded = back(&noise(64_000, 2, 9)).len();
    assert!(coded < 64_000 / 8 * 5 / 3, "{coded}");
}

#[test]
fn codes_of_all_lengths_are_limited() {
    // Counts like Fibonacci's numbers make the longest codes.
    let (mut a, mut b) = (1, 1);
    let mut src = Vec::new();
    for symbol in 0..24 {
        src.extend(vec![symbol; a]);
        (a, b) = (b, a + b);
    }
    // Far from each other, so that runs do not hide them.
    let step = 48_271;
    let shuffled: Vec<u8> = (0..src.len()).map(|i| src[i * step % src.len()]).collect();
    back(&shuffled);
}

#[test]
fn an_encoder_has_no_memory() {
    let contents = [
        noise(5000, 9, 1),
        vec![3; 70_000],
        noise(100, 256, 5),
        noise(80_000, 30, 6),
        Vec::new(),
    ];
    for level in 1..=9 {
        let mut one = Deflate::new(Kernels::best(), level);
        for _ in 0..2 {
            for src in &contents {
                let (mut a, mut b) = (vec![0; src.len() + 99], vec![0; src.len() + 99]);
                let len = one.encode(src, &mut a);
                assert_eq!(
                    len,
                    Deflate::new(Kernels::best(), level).encode(src, &mut b)
                );
                assert!(a[..len.unwrap()] == b[..len.unwrap()]);
            }
        }
    }
}

#[test]
fn higher_levels_are_smaller() {
    // Words of a made-up language, and numbers that grow.
    let words: Vec<Vec<u8>> = (0..300).map(|i| noise(3 + i % 7, 26, i as u64)).collect();
    let mut text = Vec::new();
    for pick in noise(20_000, 250, 7).chunks(2) {
        text.extend(&words[usize::from(pick[0]) * usize::from(pick[1]) / 209]);
    }
    let mut value = 1_u32;
    let numbers: Vec<u8> = noise(20_000, 50, 3)
        .iter()
        .flat_map(|step| {
            value += u32::from(*step);
            value.to_le_bytes()
        })
        .collect();
    for src in [text, numbers] {
        let lens: Vec<usize> = back_at_levels(&src).iter().map(Vec::len).collect();
        for (low, high) in [(0, 4), (1, 4), (4, 6), (4, 8)] {
            // Or nearly equal: a higher level estimates from more, not from what comes.
            assert!(lens[high] <= lens[low] + lens[low] / 100, "{lens:?}");
        }
    }
}

/// Noise and what compresses, in turn: each is written as suits it.
#[test]
fn noise_is_stored() {
    let mut src = Vec::new();
    for turn in 0..4 {
        src.extend(noise(32 << 10, 256, 10 + turn));
        src.extend(noise(16 << 10, 2, 20 + turn).repeat(2));
    }
    for stream in back_at_levels(&src).into_iter().skip(1) {
        for turn in 0..4 {
            // Of the second half of each noise: where it begins, a block may hold both kinds.
            let noise = &src[turn * (64 << 10) + (20 << 10)..][..4 << 10];
            let mut places = stream.windows(noise.len());
            assert!(places.any(|bytes| bytes == noise), "noise {turn}");
        }
        // All noise, and of the rest less than two bits of eight.
        let most = (4 << 15) + (4 << 15) / 4;
        assert!(stream.len() < most, "{} of {most}", stream.len());
    }
}

/// Few values in random order: a share of ones among zeros, in percent, and three values (0). Sizes
/// of zlib 1.2.13 at levels 1, 5 and 9.
#[test]
fn masks_are_as_small_as_those_of_zlib() {
    for (percent, zlib) in [
        (1, [9003, 6289, 4155]),
        (2, [14_677, 10_190, 7307]),
        (5, [26_518, 17_896, 13_812]),
        (10, [38_232, 26_697, 21_479]),
        (30, [55_892, 42_039, 36_797]),
        (50, [58_483, 43_697, 39_805]),
        (0, [74_708, 64_523, 61_074]),
    ] {
        let src: Vec<u8> = if percent == 0 {
            noise(1 << 18, 3, 7)
        } else {
            let dice = noise(1 << 18, 100, percent);
            let mask = dice.iter().map(|byte| u64::from(*byte) < percent);
            mask.map(u8::from).collect()
        };
        let streams = back_at_levels(&src);
        let sizes = [0, 4, 8].map(|at| streams[at].len());
        println!("{percent} %: {sizes:?}, zlib {zlib:?}");
        assert!(sizes[0] <= zlib[0], "level 1, {percent} %");
        assert!(sizes[1] <= zlib[1] + zlib[1] / 6, "level 5, {percent} %");
        // Where ones are rare, the positions of single ones matter, which deeper chains find.
        let more = if matches!(percent, 1 | 2) { 8 } else { 32 };
        assert!(sizes[2] <= zlib[2] + zlib[2] / more, "level 9, {percent} %");
    }
}

/// Long streams of literals with short codes, which are decoded two at a time: whole, in part, cut.
#[test]
fn pairs_of_literals() {
    for symbols in [2, 3, 5, 9, 17, 33, 90] {
        let src = noise(40_000, symbols, symbols);
        for stream in back_at_levels(&src) {
            let mut decoder = Inflate::new(Kernels::best());
            for len in (0..9).chain(20_000..20_009).chain(39_990..40_000) {
                let mut front = vec![0; len];
                assert_eq!(decoder.decode_prefix(&stream, &mut front), Ok(len));
                assert_eq!(front, src[..len], "{symbols} symbols, {len} bytes");
                assert!(
                    decoder.decode(&stream, &mut front).is_err(),
                    "too little capacity"
                );
            }
            let mut dst = vec![0; src.len()];
            for cut in (stream.len() - 40..stream.len()).chain([stream.len() / 2]) {
                assert!(
                    decoder.decode(&stream[..cut], &mut dst).is_err(),
                    "cut at {cut}"
                );
            }
        }
    }
}

/// Blocks of one, two and up to four literals per look-up, short ones and long ones after each
/// other: tables of several literals are made for some, in the middle of the first.
#[test]
fn blocks_with_other_look_ups_follow_each_other() {
    let lens = [900, 40_000, 3000, 70_000, 12_000];
    for turn in 0..4 {
        let mut src = Vec::new();
        for (piece, symbols) in [2, 200, 3, 40, 2, 6, 256, 2].into_iter().enumerate() {
            let len = lens[(piece + turn) % lens.len()];
            src.extend(noise(len, symbols, (7 * turn + piece) as u64));
        }
        for stream in back_at_levels(&src) {
            let mut decoder = Inflate::new(Kernels::best());
            for len in (0..src.len()).step_by(4111).chain([src.len()]) {
                let mut front = vec![0; len];
                assert_eq!(decoder.decode_prefix(&stream, &mut front), Ok(len));
                assert!(front == src[..len], "turn {turn}, {len} bytes");
            }
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    for src in [
        noise(3000, 256, 1),
        noise(3000, 7, 1),
        vec![1; 3000],
        Vec::new(),
    ] {
        for (level, stream) in (1..).zip(back_at_levels(&src)) {
            let len = stream.len();
            let mut encoder = Deflate::new(Kernels::best(), level);
            for capacity in 0..len + 20 {
                let mut dst = vec![0xC3; capacity + 16];
                let found = encoder.encode(&src, &mut dst[..capacity]);
                assert_eq!(
                    found,
                    (capacity >= len).then_some(len),
                    "{capacity} for {len}"
                );
                assert!(dst[capacity..].iter().all(|byte| *byte == 0xC3));
            }
        }
    }
}

/// Tables are made on the heap: a level needs little stack, without optimisation too.
#[cfg(not(target_family = "wasm"))] // no threads
#[test]
fn encoders_are_made_on_a_small_stack() {
    let make = || {
        for level in 1..=9 {
            drop(Deflate::new(Kernels::best(), level));
        }
        drop(Inflate::new(Kernels::best()));
    };
    let thread = std::thread::Builder::new().stack_size(128 << 10);
    thread.spawn(make).unwrap().join().unwrap();
}

/// A stored block after a coded one shares a byte with it: a destination of the exact length is
/// enough.
#[test]
fn blocks_of_all_kinds_fit_exactly() {
    let mut src = noise(16 << 10, 2, 1).repeat(2);
    src.extend(noise(32 << 10, 256, 2));
    src.extend(noise(8 << 10, 3, 3));
    src.extend(noise(80 << 10, 256, 4));
    for end in [40 << 10, 64 << 10, 70 << 10, src.len()] {
        for (level, stream) in (1..).zip(back_at_levels(&src[..end])) {
            let mut encoder = Deflate::new(Kernels::best(), level);
            let mut dst = vec![0; stream.len()];
            let len = encoder.encode(&src[..end], &mut dst);
            assert_eq!(len, Some(stream.len()), "level {level}, {end} bytes");
            assert!(dst == stream, "level {level}, {end} bytes");
            dst.pop();
            assert_eq!(encoder.encode(&src[..end], &mut dst), None);
        }
    }
}

proptest! {
    #[test]
    fn any_bytes(src in prop::collection::vec(any::<u8>(), 0..3000)) {
        back(&src);
    }

    #[test]
    fn pieces_again(
        pieces in prop::collection::vec((0_usize..5000, 1_usize..400, 1_u64..256), 1..60)
    ) {
        let mut src = vec![1_u8];
        for (back, len, symbols) in pieces {
            if symbols < 100 {
                src.extend(noise(len, symbols, back as u64));
            } else {
                let from = src.len().saturating_sub(back + 1);
                for i in 0..len {
                    src.push(src[from + i]);
                }
            }
        }
        back(&src);
    }
}
