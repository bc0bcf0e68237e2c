//! Against the naive encoder and decoder, on random streams.

use oxiblosc_kernels::Kernels;
use oxiblosc_kernels::blosclz::{Encoder, decode, decode_front};

use super::data::{Rng, length, limit, stream};
use super::naive;

const CASES: usize = 1500;

#[test]
fn encoder_writes_what_the_naive_one_writes() {
    let mut encoders: Vec<_> = Kernels::available()
        .map(|kernels| (kernels, Encoder::new(kernels)))
        .collect();
    let mut compressed = 0;
    for case in 0..CASES {
        let mut rng = Rng::new(u64::try_from(case).unwrap());
        let len = length(&mut rng);
        let src = stream(&mut rng, len);
        let clevel = u8::try_from(1 + rng.below(9)).unwrap();
        let unlimited = naive::encode(clevel, &src, len);
        let tight = limit(&mut rng, len, unlimited.as_ref().map(Vec::len));
        for limit in [len, tight] {
            let expected = naive::encode(clevel, &src, limit);
            for (kernels, encoder) in &mut encoders {
                let mut dst = vec![0xA5; limit];
                let got = encoder
                    .encode(clevel, &src, &mut dst)
                    .map(|cbytes| &dst[..cbytes]);
                assert!(
                    got == expected.as_deref(),
                    "{kernels:?}, case {case}, {len} bytes, level {clevel}, limit {limit}: \
                     {:?} for {:?}",
                    got.map(<[u8]>::len),
                    expected.map(|bytes| bytes.len())
                );
                if let Some(expected) = &expected {
                    let unprobed = encoder.encode_unprobed(clevel, &src, &mut dst);
                    let unprobed = unprobed.map(|cbytes| &dst[..cbytes]);
                    assert!(unprobed == Some(expected), "{kernels:?}, case {case}");
                }
            }
            compressed += usize::from(expected.is_some());
        }
    }
    assert!(
        compressed > CASES / 2,
        "only {compressed} of {} were compressible",
        2 * CASES
    );
}

#[test]
fn every_short_length_is_right() {
    let mut encoder = Encoder::new(Kernels::best());
    for len in 0..300 {
        let mut rng = Rng::new(7);
        for src in [
            vec![3; len],
            (0..len).map(|at| u8::try_from(at % 5).unwrap()).collect(),
            stream(&mut rng, len),
        ] {
            for clevel in 1..=9 {
                let mut dst = vec![0; len.max(70)];
                let got = encoder
                    .encode(clevel, &src, &mut dst)
                    .map(|cbytes| &dst[..cbytes]);
                assert_eq!(
                    got,
                    naive::encode(clevel, &src, len.max(70)).as_deref(),
                    "{len} bytes, level {clevel}"
                );
            }
        }
    }
}

#[test]
fn streams_come_back_whole_and_in_part() {
    let mut encoder = Encoder::new(Kernels::best());
    for case in 0..400 {
        let mut rng = Rng::new(90_000 + case);
        let len = length(&mut rng);
        let src = stream(&mut rng, len);
        let mut dst = vec![0; len];
        let Some(cbytes) = encoder.encode(9, &src, &mut dst) else {
            continue;
        };
        // Bytes after the stream must not matter: the slice is exact.
        let packed = dst[..cbytes].to_vec();
        let wanted = rng.below(len + 1);
        for kernels in Kernels::available() {
            let mut back = vec![0x5A; len];
            assert_eq!(
                decode_front(kernels, &packed, packed.len(), &mut back, usize::MAX),
                Ok(len),
                "{kernels:?}, case {case}"
            );
            assert!(back == src, "{kernels:?}, case {case}: {len} bytes differ");

            let mut part = vec![0x5A; len];
            let produced = decode_front(kernels, &packed, packed.len(), &mut part, wanted).unwrap();
            assert!(
                produced >= wanted,
                "{kernels:?}, case {case}: {produced} of {wanted}"
            );
            assert!(
                part[..produced] == src[..produced],
                "{kernels:?}, case {case}: the first {produced} bytes differ"
            );
        }
        assert_eq!(
            decode(Kernels::best(), &packed, &mut vec![0; len]),
            Ok(len),
            "case {case}"
        );
    }
}

#[test]
fn an_encoder_has_no_memory() {
    // Enough streams to use up the tables' number space several times.
    let mut reused = Encoder::new(Kernels::best());
    for case in 0..300 {
        let mut rng = Rng::new(500 + case);
        let len = rng.pick(&[300, 4096, 16_384, 30_000, 65_536, 70_000]);
        let src = stream(&mut rng, len);
        let clevel = u8::try_from(1 + rng.below(9)).unwrap();
        let (mut a, mut b) = (vec![0; len], vec![0; len]);
        let first = reused
            .encode(clevel, &src, &mut a)
            .map(|cbytes| &a[..cbytes]);
        let second = Encoder::new(Kernels::best())
            .encode(clevel, &src, &mut b)
            .map(|cbytes| &b[..cbytes]);
        assert!(first == second, "case {case}, {len} bytes, level {clevel}");
    }
}
