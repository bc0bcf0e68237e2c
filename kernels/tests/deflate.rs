//! The encoder of zlib streams: what it writes comes back, fits where it says, and is as small as
//! its parts promise. The decoder here is tested on its own; the tests of the root crate decode the
//! same contents with libdeflate.

#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use oxiblosc_kernels::deflate::Deflate;
use oxiblosc_kernels::inflate::Inflate;
use proptest::prelude::*;

/// Encodes with all room, decodes, and returns the stream.
fn back(src: &[u8]) -> Vec<u8> {
    let mut stream = vec![0; src.len() + src.len() / 1000 + 64];
    let len = Deflate::new()
        .encode(src, 0x0123_4567, &mut stream)
        .unwrap();
    stream.truncate(len);
    let mut dst = vec![0xA5; src.len()];
    assert_eq!(
        Inflate::new().decode(&stream, &mut dst),
        Ok((src.len(), 0x0123_4567))
    );
    assert!(dst == src);
    stream
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
    let mut one = Deflate::new();
    let contents = [
        noise(5000, 9, 1),
        vec![3; 70_000],
        noise(100, 256, 5),
        noise(80_000, 30, 6),
    ];
    for _ in 0..2 {
        for src in &contents {
            let (mut a, mut b) = (vec![0; src.len() + 99], vec![0; src.len() + 99]);
            let len = one.encode(src, 1, &mut a);
            assert_eq!(len, Deflate::new().encode(src, 1, &mut b));
            assert!(a[..len.unwrap()] == b[..len.unwrap()]);
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
        let len = back(&src).len();
        for room in 0..len + 20 {
            let mut dst = vec![0xC3; room + 16];
            let found = Deflate::new().encode(&src, 0x0123_4567, &mut dst[..room]);
            assert_eq!(found, (room >= len).then_some(len), "{room} for {len}");
            assert!(dst[room..].iter().all(|byte| *byte == 0xC3));
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
