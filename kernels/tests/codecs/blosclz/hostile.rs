//! The decoder on damaged and malicious streams: the same result and bytes as the naive one, and
//! no write outside `dst`.

use oxiblosc_kernels::Kernels;
use oxiblosc_kernels::blosclz::{Encoder, decode, decode_front, decode_prefix, decode_within};
use proptest::prelude::*;

use super::data::{Rng, length, stream};
use super::naive;

/// Bytes after a stream change neither the result nor the error, for an output of this capacity.
fn check_within(stream: &[u8], capacity: usize) {
    let mut expected = vec![0; capacity];
    let result = decode(Kernels::best(), stream, &mut expected);
    for trailing in [1, 39, 40, 300] {
        for paint in [0x00, 0x20, 0xFF] {
            let mut src = stream.to_vec();
            src.resize(stream.len() + trailing, paint);
            let mut dst = vec![0; capacity];
            let got = decode_within(Kernels::best(), &src, stream.len(), &mut dst);
            assert_eq!(
                got, result,
                "{trailing} bytes {paint:#x} after, capacity {capacity}"
            );
            if let Ok(len) = result {
                assert!(dst[..len] == expected[..len], "{trailing} bytes {paint:#x}");
            }
        }
    }
}

/// Decodes into the middle of a painted buffer, from an exact allocation, and compares with the
/// naive decoder.
fn check(src: &[u8], limit: usize, wanted: usize) {
    const GUARD: usize = 160;
    let expected = naive::decode(src, limit);
    let src = src.to_vec();
    check_within(&src, limit);
    check_within(&src, limit + 128);
    for kernels in Kernels::available() {
        let mut arena = vec![0xC3; limit + 2 * GUARD];
        let result = decode_front(
            kernels,
            &src,
            src.len(),
            &mut arena[GUARD..GUARD + limit],
            usize::MAX,
        );
        assert!(
            arena[..GUARD].iter().all(|&byte| byte == 0xC3),
            "{kernels:?} wrote before the output"
        );
        assert!(
            arena[GUARD + limit..].iter().all(|&byte| byte == 0xC3),
            "{kernels:?} wrote after the output"
        );
        let Some(expected) = &expected else {
            assert!(
                result.is_err(),
                "{kernels:?} accepted {result:?}, {} bytes, limit {limit}",
                src.len()
            );
            continue;
        };
        assert_eq!(result, Ok(expected.len()), "{kernels:?}");
        assert!(
            arena[GUARD..GUARD + expected.len()] == *expected,
            "{kernels:?}: wrong bytes"
        );
        let mut front = vec![0xC3; wanted.min(limit)];
        let produced = decode_prefix(kernels, &src, &mut front);
        assert_eq!(produced, Ok(front.len().min(expected.len())), "{kernels:?}");
        let len = front.len().min(expected.len());
        assert!(front[..len] == expected[..len], "{kernels:?}: prefix");
        let mut part = vec![0xC3; limit];
        let produced = decode_front(kernels, &src, src.len(), &mut part, wanted).unwrap();
        assert!(
            produced >= wanted.min(expected.len()) && produced <= expected.len(),
            "{kernels:?}"
        );
        assert!(
            part[..produced] == expected[..produced],
            "{kernels:?}: wrong bytes in a prefix"
        );
    }
}

#[test]
fn mutated_streams_are_judged_as_the_naive_decoder_does() {
    let mut encoder = Encoder::new(Kernels::best());
    for case in 0..4000 {
        let mut rng = Rng::new(1_000_000 + case);
        let len = length(&mut rng).min(20_000);
        let src = stream(&mut rng, len);
        let mut dst = vec![0; len];
        let Some(cbytes) = encoder.encode(9, &src, &mut dst) else {
            continue;
        };
        let mut packed = dst[..cbytes].to_vec();
        for _ in 0..rng.below(4) {
            let at = rng.below(packed.len());
            match rng.below(4) {
                0 => packed[at] = rng.byte(),
                1 => packed[at] ^= 1 << rng.below(8),
                2 => packed.truncate(at + 1),
                _ => packed.insert(at, rng.pick(&[0, 31, 32, 255, 224, 1])),
            }
        }
        let limit = rng.pick(&[len, len, len + 64, len + 1, len.saturating_sub(1), len / 2]);
        let wanted = rng.below(len + 1);
        check(&packed, limit, wanted);
    }
}

/// Tokens that are valid more often than not, so that streams get far.
fn tokens() -> impl Strategy<Value = Vec<u8>> {
    let literals = prop::collection::vec(any::<u8>(), 1..=32).prop_map(|run| {
        let mut token = vec![u8::try_from(run.len() - 1).unwrap()];
        token.extend(run);
        token
    });
    let near = (
        1_u8..8,
        0_u8..32,
        any::<u8>(),
        prop::collection::vec(Just(255_u8), 0..3),
        any::<u8>(),
    )
        .prop_map(|(len, high, low, more, last)| {
            let high = if high < 28 { 0 } else { high };
            let mut token = vec![(len << 5) | high];
            if len == 7 {
                token.extend(more);
                token.push(last);
            }
            token.push(low % 100);
            token
        });
    let far = (1_u8..7, any::<u8>()).prop_map(|(len, low)| vec![(len << 5) | 31, 255, 0, low]);
    prop::collection::vec(prop_oneof![3 => literals, 4 => near, 1 => far], 1..200)
        .prop_map(|tokens| tokens.concat())
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(3000)
    })]

    #[test]
    fn any_bytes(
        src in prop::collection::vec(any::<u8>(), 0..400),
        limit in 0_usize..3000,
        wanted in 0_usize..3000,
    ) {
        check(&src, limit, wanted);
    }

    #[test]
    fn token_soup(
        src in tokens(),
        limit in 0_usize..20_000,
        cut in 0_usize..64,
        wanted in 0_usize..3000,
    ) {
        check(&src[..src.len() - cut.min(src.len())], limit, wanted);
    }

    #[test]
    fn few_values(
        src in prop::collection::vec(
            prop::sample::select(vec![0_u8, 1, 31, 32, 33, 63, 64, 224, 255]),
            0..100,
        ),
        limit in 0_usize..3000,
    ) {
        check(&src, limit, 50);
    }
}

#[test]
fn a_match_at_the_end_is_dropped() {
    let src = [0x23, 1, 2, 3, 4, 0x20, 0];
    let mut dst = [0; 20];
    assert_eq!(
        judged(&[0x23, 1, 2, 3, 4, 0x20, 3], &mut dst),
        truncated(5, 3, 2)
    );
    assert_eq!(judged(&src[..6], &mut dst), truncated(5, 3, 1));
    // A long match may have its distance at the very end; the match is then dropped.
    assert_eq!(judged(&[0x23, 1, 2, 3, 4, 0xE0, 0, 3], &mut dst), Ok(4));
    // Not before it was checked.
    assert_eq!(
        judged(&[0x23, 1, 2, 3, 4, 0xE0, 0, 4], &mut dst),
        distance(5, 5, 4)
    );
    assert_eq!(
        judged(&[0x23, 1, 2, 3, 4, 0xE0, 8, 3], &mut dst),
        overflow(5, 17, 16)
    );
}

/// The offset and the kind with its numbers, as text.
type Fault = Result<usize, (usize, String)>;

/// [`decode`] with the parts of its error.
fn judged(stream: &[u8], dst: &mut [u8]) -> Fault {
    decode(Kernels::best(), stream, dst)
        .map_err(|error| (error.offset(), format!("{:?}", error.kind())))
}

fn truncated(offset: usize, needed: usize, available: usize) -> Fault {
    let kind = format!("Truncated {{ needed: {needed}, available: {available} }}");
    Err((offset, kind))
}

fn overflow(offset: usize, needed: usize, available: usize) -> Fault {
    let kind = format!("Overflow {{ needed: {needed}, available: {available} }}");
    Err((offset, kind))
}

fn distance(offset: usize, distance: usize, history: usize) -> Fault {
    let kind = format!("Distance {{ distance: {distance}, history: {history} }}");
    Err((offset, kind))
}

#[test]
fn errors_name_the_place_and_both_numbers() {
    let mut dst = [0; 40];
    assert_eq!(judged(&[], &mut dst), truncated(0, 1, 0));
    assert_eq!(judged(&[0x23, 1, 2], &mut dst), truncated(0, 5, 3));
    assert_eq!(
        judged(&[0x23, 1, 2, 3, 4], &mut dst[..3]),
        overflow(0, 4, 3)
    );
    assert_eq!(
        judged(&[0x20, 1, 0x3F, 255, 0], &mut dst),
        truncated(2, 4, 3)
    );
    let src = [0x20, 1, 0x3F, 255, 0, 9, 0];
    assert_eq!(judged(&src, &mut dst), distance(2, 8201, 1));
    let far = decode(Kernels::best(), &src, &mut dst).unwrap_err();
    assert_eq!(
        far.to_string(),
        "BloscLZ stream: expected a distance of 1 to 1 at offset 2, found 8201"
    );
}
