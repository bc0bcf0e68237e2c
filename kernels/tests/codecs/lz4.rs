//! LZ4 against the format's definition and against `lz4_flex`, in both directions.

use crate::lz4_common::{Random, check_end_rules, contents, naive_decode};
use oxiblosc_kernels::Kernels;
use oxiblosc_kernels::lz4;
use proptest::prelude::*;

type Encode<'a> = Box<dyn FnMut(&[u8], &[u8], &mut [u8]) -> Option<usize> + 'a>;

/// Every compressor and parameter; an encoder is used for all its streams.
fn encoders() -> Vec<(String, Encode<'static>)> {
    let mut out: Vec<(String, Encode<'static>)> = Vec::new();
    for acceleration in [0, 1, 2, 5, 9, 100, 70_000] {
        let mut encoder = lz4::Encoder::new(Kernels::best());
        out.push((
            format!("fast {acceleration}"),
            Box::new(move |dict, src, dst| {
                if dict.is_empty() {
                    encoder.encode(acceleration, src, dst)
                } else {
                    encoder.encode_with_dict(acceleration, dict, src, dst)
                }
            }),
        ));
    }
    for level in [0, 1, 2, 3, 4, 5, 7, 9, 12, 200] {
        let mut encoder = lz4::HcEncoder::new(Kernels::best());
        out.push((
            format!("hc {level}"),
            Box::new(move |dict, src, dst| {
                if dict.is_empty() {
                    encoder.encode(level, src, dst)
                } else {
                    encoder.encode_with_dict(level, dict, src, dst)
                }
            }),
        ));
    }
    out
}

fn lengths() -> Vec<usize> {
    let mut lengths: Vec<usize> = (0..70).collect();
    lengths.extend([
        100, 255, 256, 270, 300, 1000, 4096, 65_535, 65_536, 65_537, 200_000,
    ]);
    lengths
}

#[test]
fn streams_decode_everywhere_and_end_by_the_rules() {
    for (name, mut encode) in encoders() {
        for len in lengths() {
            for (kind, src) in contents(len) {
                let what = format!("{name}, {kind}, {len} bytes");
                let mut dst = vec![0xAA; lz4::max_stream_len(len)];
                let n = encode(&[], &src, &mut dst).expect(&what);
                let stream = &dst[..n];
                check_end_rules(stream, len);
                assert!(
                    naive_decode(stream, &[], len, false).as_ref() == Some(&src),
                    "{what}"
                );
                let flex = lz4_flex::block::decompress(stream, len).expect(&what);
                assert!(flex == src, "{what}");
                let mut back = vec![0xEE; len];
                assert_eq!(
                    lz4::decode(Kernels::best(), stream, &mut back),
                    Ok(len),
                    "{what}"
                );
                assert!(back == src, "{what}");
                // A longer output gets the same bytes.
                let mut back = vec![0xEE; len + 100];
                assert_eq!(
                    lz4::decode(Kernels::best(), stream, &mut back),
                    Ok(len),
                    "{what}"
                );
                assert!(back[..len] == src[..], "{what}");
                check_within(stream, len + 100);
            }
        }
    }
}

#[test]
fn the_limit_is_exact() {
    for (name, mut encode) in encoders() {
        for len in [0, 1, 13, 100, 1000, 5000, 70_000] {
            for (kind, src) in contents(len) {
                let mut dst = vec![0; lz4::max_stream_len(len)];
                let n = encode(&[], &src, &mut dst).unwrap();
                for capacity in [n, n - 1, n / 2, 0] {
                    let mut tight = vec![0x55; capacity + 8];
                    let got = encode(&[], &src, &mut tight[..capacity]);
                    if capacity >= n {
                        assert_eq!(got, Some(n), "{name}, {kind}, {len}");
                        assert!(tight[..n] == dst[..n], "{name}, {kind}, {len}");
                    } else {
                        assert_eq!(got, None, "{name}, {kind}, {len}, capacity {capacity}");
                    }
                    assert_eq!(tight[capacity..], [0x55; 8]);
                }
            }
        }
    }
}

#[test]
fn output_does_not_depend_on_history() {
    for ((name, mut used), (_, _)) in encoders().into_iter().zip(encoders()) {
        let mut r = Random(99);
        for _ in 0..20 {
            let len = [50, 1000, 5000, 66_000, 140_000][r.below(5)];
            let all = contents(len);
            let (kind, src) = &all[r.below(all.len())];
            let dict = if r.below(3) == 0 { &all[3].1[..] } else { &[] };
            let mut a = vec![0; lz4::max_stream_len(len)];
            let mut b = a.clone();
            let n = used(dict, src, &mut a).unwrap();
            let (_, mut fresh) = encoders().into_iter().find(|e| e.0 == name).unwrap();
            assert_eq!(fresh(dict, src, &mut b), Some(n), "{name}, {kind}, {len}");
            assert!(a[..n] == b[..n], "{name}, {kind}, {len}");
        }
    }
}

/// The positions that are looked at in `len` bytes without a repetition, from the definition of the
/// steps: the first grows with the acceleration, and so do those of long streams above 1, faster.
fn probed(len: usize, acceleration: usize) -> Vec<usize> {
    let (first, growth) = match (len > 4096, acceleration) {
        (true, 2..) => (acceleration - acceleration / 3, 3),
        _ => (acceleration, 1),
    };
    let mut positions = vec![1, 2];
    let mut at = 3;
    for n in 0.. {
        if at > len - 12 {
            break;
        }
        positions.push(at);
        at += (64 * first + growth * n) / 64;
    }
    positions
}

#[test]
fn noise_is_left_in_steps_that_grow() {
    for (len, acceleration, hashed) in
        [(4000, 9, 4), (30_000, 1, 6), (30_000, 2, 6), (30_000, 9, 6)]
    {
        let positions = probed(len, usize::try_from(acceleration).unwrap());
        let mut r = Random(7);
        let noise: Vec<u8> = (0..len).map(|_| r.byte()).collect();
        let mut encoder = lz4::Encoder::new(Kernels::best());
        let mut dst = vec![0; lz4::max_stream_len(len)];
        let plain = encoder.encode(acceleration, &noise, &mut dst).unwrap();
        let (mut expected, mut found) = (0, 0);
        for _ in 0..300 {
            // A copy of bytes of which the first ones are entered.
            let to = len / 4 + r.below(len / 2);
            let mut src = noise.clone();
            src.copy_within(1..13, to);
            let is_probed = |at: usize| positions.binary_search(&at).is_ok();
            let is_met = (0..=12 - hashed).any(|n| is_probed(1 + n) && is_probed(to + n));
            let written = encoder.encode(acceleration, &src, &mut dst).unwrap();
            let is_found = written + 4 < plain;
            assert!(is_met || !is_found, "{len}, {acceleration}: {to}");
            expected += usize::from(is_met);
            found += usize::from(is_found);
        }
        // Some entries are another position's by then.
        assert!(
            found * 4 > expected * 3,
            "{len}, {acceleration}: {found} of {expected}"
        );
        assert!(expected > 10, "{len}, {acceleration}: {expected}");
    }
}

#[test]
fn levels_share_tables_and_leave_nothing_in_them() {
    let mut used = lz4::HcEncoder::new(Kernels::best());
    let mut r = Random(7);
    for _ in 0..60 {
        let len = [50, 1000, 20_000, 65_536, 65_537, 140_000][r.below(6)];
        let level = [1, 2, 3, 5, 9][r.below(5)];
        let all = contents(len);
        let (kind, src) = &all[r.below(all.len())];
        let mut a = vec![0; lz4::max_stream_len(len)];
        let mut b = a.clone();
        let n = used.encode(level, src, &mut a).unwrap();
        let fresh = lz4::HcEncoder::new(Kernels::best()).encode(level, src, &mut b);
        assert_eq!(fresh, Some(n), "level {level}, {kind}, {len}");
        assert!(a[..n] == b[..n], "level {level}, {kind}, {len}");
    }
}

#[test]
fn dictionaries_are_history() {
    for (name, mut encode) in encoders() {
        for (dict_len, len) in [
            (1, 100),
            (7, 200),
            (8, 200),
            (100, 50),
            (1000, 5000),
            (32_768, 4096),
            (70_000, 3000),
            (65_536, 100_000),
        ] {
            for (kind, both) in contents(dict_len + len) {
                let (dict, src) = both.split_at(dict_len);
                let what = format!("{name}, {kind}, {len} bytes after {dict_len}");
                let mut dst = vec![0; lz4::max_stream_len(len)];
                let n = encode(dict, src, &mut dst).expect(&what);
                let stream = &dst[..n];
                check_end_rules(stream, len);
                let mut back = vec![0xEE; len];
                assert_eq!(
                    lz4::decode_with_dict(Kernels::best(), stream, dict, &mut back),
                    Ok(len),
                    "{what}"
                );
                assert!(back == src, "{what}");
                let flex = lz4_flex::block::decompress_with_dict(stream, len, dict).expect(&what);
                assert!(flex == src, "{what}");
                assert!(
                    naive_decode(stream, dict, len, false).as_deref() == Some(src),
                    "{what}"
                );
                // The oldest history in reach is 65535 bytes back.
                let reach = &dict[dict_len.saturating_sub(65_535)..];
                back.fill(0xEE);
                assert_eq!(
                    lz4::decode_with_dict(Kernels::best(), stream, reach, &mut back),
                    Ok(len),
                    "{what}"
                );
                assert!(back == src, "{what}");
                if kind == "text" && name.starts_with("hc") && dict_len == 32_768 {
                    let alone = encode(&[], src, &mut dst).unwrap();
                    assert!(n < alone, "{what}: {n} with, {alone} without");
                }
            }
        }
    }
}

#[test]
fn their_streams_decode() {
    for len in lengths() {
        for (kind, src) in contents(len) {
            let stream = lz4_flex::block::compress(&src);
            let mut back = vec![0xEE; len];
            assert_eq!(
                lz4::decode(Kernels::best(), &stream, &mut back),
                Ok(len),
                "{kind}, {len}"
            );
            assert!(back == src, "{kind}, {len}");
            let dict = &contents(1000)[4].1;
            let stream = lz4_flex::block::compress_with_dict(&src, dict);
            assert_eq!(
                lz4::decode_with_dict(Kernels::best(), &stream, dict, &mut back),
                Ok(len)
            );
            assert!(back == src, "{kind}, {len}, with a dictionary");
        }
    }
}

#[test]
fn prefixes_stop_where_asked() {
    for len in [0, 1, 20, 300, 3000] {
        for (kind, src) in contents(len) {
            let mut dst = vec![0; lz4::max_stream_len(len)];
            let n = lz4::Encoder::new(Kernels::best())
                .encode(1, &src, &mut dst)
                .unwrap();
            for wanted in (0..=len.min(150)).chain([len / 2, len]) {
                let mut back = vec![0xEE; wanted];
                assert_eq!(
                    lz4::decode_prefix(Kernels::best(), &dst[..n], &mut back),
                    Ok(wanted),
                    "{kind}, {wanted} of {len}"
                );
                assert!(back == src[..wanted], "{kind}, {wanted} of {len}");
            }
            let mut more = vec![0xEE; len + 50];
            assert_eq!(
                lz4::decode_prefix(Kernels::best(), &dst[..n], &mut more),
                Ok(len)
            );
        }
    }
}

/// The last bytes of a stream are decoded from a copy: bytes after them must not count, wherever
/// the stream is cut and whatever a byte near its end says.
#[test]
fn cut_and_changed_streams_are_judged_as_the_naive_decoder_does() {
    let mut rng = Random(5);
    for (name, content) in contents(700) {
        let mut stream = vec![0; 2000];
        let len = lz4::Encoder::new(Kernels::best())
            .encode(1, &content, &mut stream)
            .unwrap();
        let stream = &stream[..len];
        for cut in 0..=len {
            let mut changed = stream[..cut].to_vec();
            for round in 0..3 {
                for capacity in [content.len(), content.len() + 1, content.len() + 200] {
                    let mut dst = vec![0; capacity];
                    let decoded = lz4::decode(Kernels::best(), &changed, &mut dst)
                        .ok()
                        .map(|len| &dst[..len]);
                    let naive = naive_decode(&changed, &[], capacity, false);
                    assert_eq!(decoded, naive.as_deref(), "{name} {cut} {round} {capacity}");
                    check_within(&changed, capacity);
                }
                if cut > 0 {
                    let at = cut - 1 - rng.below(cut.min(90));
                    changed[at] = rng.byte();
                }
            }
        }
    }
}

/// Bytes after a stream change neither the result nor the error, for an output of this capacity.
fn check_within(stream: &[u8], capacity: usize) {
    let mut expected = vec![0; capacity];
    let result = lz4::decode(Kernels::best(), stream, &mut expected);
    for trailing in [1, 71, 72, 300] {
        for paint in [0x00, 0x1F, 0xFF] {
            let mut src = stream.to_vec();
            src.resize(stream.len() + trailing, paint);
            let mut dst = vec![0; capacity];
            let got = lz4::decode_within(Kernels::best(), &src, stream.len(), &mut dst);
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

#[test]
fn errors_name_place_and_numbers() {
    let mut dst = [0; 64];
    let fault = |src: &[u8], dst: &mut [u8]| {
        let e = lz4::decode(Kernels::best(), src, dst).unwrap_err();
        (e.offset(), format!("{:?}", e.kind()))
    };
    assert_eq!(
        fault(&[], &mut dst),
        (0, "Truncated { needed: 1, available: 0 }".to_owned())
    );
    assert_eq!(
        fault(&[0x30, 1, 2], &mut dst),
        (1, "Truncated { needed: 3, available: 2 }".to_owned())
    );
    assert_eq!(
        fault(&[0x10, 1, 2], &mut dst),
        (2, "Truncated { needed: 2, available: 1 }".to_owned())
    );
    assert_eq!(
        fault(&[0x10, 1, 0, 0, 0x10, 7], &mut dst),
        (2, "Distance { distance: 0, history: 1 }".to_owned())
    );
    assert_eq!(
        fault(&[0x10, 1, 2, 0, 0x10, 7], &mut dst),
        (2, "Distance { distance: 2, history: 1 }".to_owned())
    );
    assert_eq!(
        fault(&[0x10, 1, 1, 0, 0x10, 7], &mut dst[..4]),
        (0, "Overflow { needed: 4, available: 3 }".to_owned())
    );
    let text = lz4::decode(Kernels::best(), &[0x10, 1, 2, 0, 0x10, 7], &mut dst)
        .unwrap_err()
        .to_string();
    assert_eq!(
        text,
        "LZ4 stream: expected a distance of 1 to 1 at offset 2, found 2"
    );
}

/// A content that compresses: pieces of earlier content, runs and fresh bytes.
fn content() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec((0usize..4, any::<u16>(), 1usize..90), 0..60).prop_map(|pieces| {
        let mut out: Vec<u8> = Vec::new();
        let mut r = Random(77);
        for (kind, seed, len) in pieces {
            let seed = usize::from(seed);
            match kind {
                0 => out.extend((0..len).map(|_| r.byte())),
                1 => out.resize(out.len() + len * 9, seed.to_le_bytes()[0]),
                _ if out.is_empty() => out.push(1),
                _ => {
                    let back = 1 + seed % out.len();
                    for _ in 0..len {
                        out.push(out[out.len() - back]);
                    }
                }
            }
        }
        out
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn hc_round_trips(src in content(), level in 1u8..13) {
        let mut dst = vec![0; lz4::max_stream_len(src.len())];
        let n = lz4::HcEncoder::new(Kernels::best()).encode(level, &src, &mut dst).unwrap();
        check_end_rules(&dst[..n], src.len());
        let mut back = vec![0xEE; src.len()];
        prop_assert_eq!(lz4::decode(Kernels::best(), &dst[..n], &mut back), Ok(src.len()));
        prop_assert_eq!(back, src);
    }

    #[test]
    fn round_trips(src in content(), acceleration in 1u32..12) {
        let mut dst = vec![0; lz4::max_stream_len(src.len())];
        let n = lz4::Encoder::new(Kernels::best()).encode(acceleration, &src, &mut dst).unwrap();
        check_end_rules(&dst[..n], src.len());
        let mut back = vec![0xEE; src.len()];
        prop_assert_eq!(lz4::decode(Kernels::best(), &dst[..n], &mut back), Ok(src.len()));
        prop_assert_eq!(back, src);
    }

    /// Damaged streams: same verdict and same bytes as the definition, whatever `dst` held.
    #[test]
    fn hostile_streams_agree_with_the_definition(
        src in content(),
        damage in proptest::collection::vec((any::<u16>(), any::<u8>(), 0u8..4), 1..6),
        dict_len in 0usize..200,
        capacity in 0usize..3000,
        exact in any::<bool>(),
    ) {
        let dict: Vec<u8> = (0..dict_len).map(|i| (i * 7).to_le_bytes()[0]).collect();
        let mut stream = vec![0; lz4::max_stream_len(src.len())];
        let mut encoder = lz4::Encoder::new(Kernels::best());
        let n = encoder.encode_with_dict(1, &dict, &src, &mut stream).unwrap();
        stream.truncate(n);
        for (at, byte, kind) in damage {
            if stream.is_empty() {
                break;
            }
            let at = usize::from(at) % stream.len();
            match kind {
                0 => stream[at] = byte,
                1 => stream[at] ^= 1 << (byte & 7),
                2 => stream.truncate(at),
                _ => stream.insert(at, byte),
            }
        }
        let capacity = if exact { src.len() } else { capacity };
        check_within(&stream, capacity);
        check_within(&stream, capacity + 128);
        for prefix in [false, true] {
            let expected = naive_decode(&stream, &dict, capacity, prefix);
            for paint in [0x00, 0xEE] {
                let mut dst = vec![paint; capacity];
                let got = if prefix {
                    lz4::decode_prefix_with_dict(Kernels::best(), &stream, &dict, &mut dst)
                } else {
                    lz4::decode_with_dict(Kernels::best(), &stream, &dict, &mut dst)
                };
                prop_assert_eq!(got.ok(), expected.as_ref().map(Vec::len));
                if let Some(expected) = &expected {
                    prop_assert_eq!(&dst[..expected.len()], &expected[..]);
                }
            }
        }
    }

    #[test]
    fn noise_is_judged_as_the_definition_does(
        stream in proptest::collection::vec(any::<u8>(), 0..300),
        capacity in 0usize..2000,
    ) {
        check_within(&stream, capacity);
        let mut dst = vec![0; capacity];
        let expected = naive_decode(&stream, &[], capacity, false);
        let got = lz4::decode(Kernels::best(), &stream, &mut dst);
        prop_assert_eq!(got.ok(), expected.as_ref().map(Vec::len));
        if let Some(expected) = expected {
            prop_assert_eq!(&dst[..expected.len()], &expected[..]);
        }
    }
}
