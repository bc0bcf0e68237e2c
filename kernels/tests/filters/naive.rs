//! The scalar kernels against the definitions of the format text, written bit by bit.
//!
//! Nothing here is fast or clever; each function restates a sentence of the format.

#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use crate::common::{noise, paint};
use oxiblosc_kernels::{Isa, Kernels, Plane, int_trunc_zeroed_bits, trunc_prec_zeroed_bits};

fn scalar() -> Kernels {
    Kernels::with_isa(Isa::Scalar).unwrap()
}

/// Lengths around items, groups of eight items and vectors.
fn lengths(typesize: usize) -> impl Iterator<Item = usize> {
    let items = [0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 40, 64, 67];
    items
        .into_iter()
        .flat_map(move |n| [0, 1, typesize / 2, typesize - 1].map(|tail| n * typesize + tail))
}

fn bit(bytes: &[u8], index: usize) -> u8 {
    bytes[index / 8] >> (index % 8) & 1
}

/// Format §5.2.
fn shuffle(g: usize, src: &[u8]) -> Vec<u8> {
    let n = src.len() / g;
    let mut out = src.to_vec();
    for j in 0..g {
        for i in 0..n {
            out[j * n + i] = src[i * g + j];
        }
    }
    out
}

/// Format §5.3.
fn bitshuffle(t: usize, src: &[u8]) -> Vec<u8> {
    let n = src.len() / t;
    let n8 = n - n % 8;
    let mut out = src.to_vec();
    out[..n8 * t].fill(0);
    for i in 0..n8 {
        for j in 0..t {
            for k in 0..8 {
                let row = 8 * j + k;
                out[row * n8 / 8 + i / 8] |= bit(src, 8 * (i * t + j) + k) << (i % 8);
            }
        }
    }
    out
}

/// Format §5.4.
fn delta(t: usize, reference: Option<&[u8]>, src: &[u8]) -> Vec<u8> {
    let w = match t {
        1 => 1,
        2 => 2,
        4 => 4,
        8 => 8,
        t if t % 8 == 0 => 8,
        _ => 1,
    };
    let n = src.len() / w * w;
    let mut out = src.to_vec();
    for b in 0..n {
        out[b] = match reference {
            Some(reference) => src[b] ^ reference[b],
            None if b < w => src[b],
            None => src[b] ^ src[b - w],
        };
    }
    out
}

/// Format §5.6; `restart` is where the state is reset to 0 once more inside each stream.
fn bytedelta(g: usize, src: &[u8], restart: impl Fn(usize) -> Option<usize>) -> Vec<u8> {
    let n = src.len() / g;
    let mut out = src.to_vec();
    for j in 0..g {
        for i in 0..n {
            let reset = i == 0 || Some(i) == restart(n);
            let before = if reset { 0 } else { src[j * n + i - 1] };
            out[j * n + i] = src[j * n + i].wrapping_sub(before);
        }
    }
    out
}

/// Format §5.5 and §5.7: bit `b` of each element is cleared when `b < zeroed`.
fn truncate(t: usize, zeroed: u32, src: &[u8]) -> Vec<u8> {
    let mut out = src.to_vec();
    for element in out.chunks_exact_mut(t) {
        for b in 0..usize::try_from(zeroed).unwrap() {
            element[b / 8] &= !(1 << (b % 8));
        }
    }
    out
}

#[test]
fn shuffle_is_the_transposition_of_bytes() {
    for typesize in 1..=255 {
        for len in lengths(typesize) {
            let src = noise(len, 1);
            let want = shuffle(typesize, &src);
            let mut dst = vec![0xAA; len];
            scalar().shuffle(typesize, &src, &mut dst);
            assert_eq!(dst, want, "typesize {typesize}, {len} bytes");
            let mut back = vec![0xAA; len];
            scalar().unshuffle(typesize, &want, &mut back);
            assert_eq!(back, src, "typesize {typesize}, {len} bytes");
        }
    }
}

#[test]
fn unshuffle_planes_is_unshuffle_of_the_concatenation() {
    for typesize in 1..=40 {
        for len in lengths(typesize) {
            let n = len / typesize;
            let mut block = paint(len, 3);
            for j in (0..typesize).step_by(3) {
                block[j * n..(j + 1) * n].fill(9);
            }
            let planes: Vec<Plane<'_>> = (0..typesize)
                .map(|j| match j % 3 {
                    0 => Plane::Constant(9),
                    _ => Plane::Bytes(&block[j * n..(j + 1) * n]),
                })
                .collect();
            let tail = &block[n * typesize..];
            let mut dst = vec![0xAA; len];
            scalar().unshuffle_planes(&planes, tail, &mut dst);
            assert_eq!(shuffle(typesize, &dst), block, "{typesize}, {len} bytes");
            let mut dst = vec![0xAA; len];
            scalar().bitunshuffle_planes(&planes, tail, &mut dst);
            assert_eq!(bitshuffle(typesize, &dst), block, "{typesize}, {len} bytes");
        }
    }
}

#[test]
fn shuffle_report_names_exactly_the_constant_planes() {
    for typesize in 1..=40 {
        for len in lengths(typesize) {
            let n = len / typesize;
            // Plane j: noise, a constant, or a constant but for one byte.
            let mut src = noise(len, 7);
            for i in 0..n {
                for j in 0..typesize {
                    match j % 3 {
                        1 => src[i * typesize + j] = 5,
                        2 => src[i * typesize + j] = if i == (j * 7) % n { 4 } else { 6 },
                        _ => {}
                    }
                }
            }
            let mut dst = vec![0; len];
            let mut constants = vec![Some(0xAA); typesize];
            scalar().shuffle_report(typesize, &src, &mut dst, &mut constants);
            let planes = shuffle(typesize, &src);
            assert_eq!(dst, planes);
            for (j, constant) in constants.iter().enumerate() {
                let plane = &planes[j * n..(j + 1) * n];
                let want = plane
                    .first()
                    .copied()
                    .filter(|b| plane.iter().all(|p| p == b));
                assert_eq!(
                    *constant, want,
                    "typesize {typesize}, {len} bytes, plane {j}"
                );
            }
        }
    }
}

#[test]
fn bitshuffle_is_the_transposition_of_bits() {
    for typesize in (1..=40).chain([64, 255]) {
        for len in lengths(typesize) {
            let src = noise(len, 2);
            let want = bitshuffle(typesize, &src);
            let mut dst = vec![0xAA; len];
            scalar().bitshuffle(typesize, &src, &mut dst);
            assert_eq!(dst, want, "typesize {typesize}, {len} bytes");
            let mut back = vec![0xAA; len];
            scalar().bitunshuffle(typesize, &want, &mut back);
            assert_eq!(back, src, "typesize {typesize}, {len} bytes");
        }
    }
}

#[test]
fn delta_is_xor_with_the_reference_or_the_predecessor() {
    for typesize in 1..=40 {
        for len in lengths(typesize) {
            let src = noise(len, 3);
            let other = noise(len + 5, 4);
            for reference in [None, Some(&other[..]), Some(&other[..len])] {
                let want = delta(typesize, reference, &src);
                let mut dst = vec![0xAA; len];
                scalar().delta_encode(typesize, reference, &src, &mut dst);
                assert_eq!(dst, want, "typesize {typesize}, {len} bytes");
                scalar().delta_decode(typesize, reference, &mut dst);
                assert_eq!(dst, src, "typesize {typesize}, {len} bytes");
            }
        }
    }
}

#[test]
fn shuffle_and_bytedelta_at_once_are_one_after_the_other() {
    for typesize in (1..=20).chain([255]) {
        for len in lengths(typesize) {
            let src = noise(len, 8);
            let want = bytedelta(typesize, &shuffle(typesize, &src), |_| None);
            let mut dst = vec![0xAA; len];
            scalar().shuffle_bytedelta(typesize, &src, &mut dst);
            assert_eq!(dst, want, "typesize {typesize}, {len} bytes");
            scalar().unshuffle_bytedelta(typesize, &want, &mut dst);
            assert_eq!(dst, src, "typesize {typesize}, {len} bytes, back");
        }
    }
}

#[test]
fn bytedelta_is_the_difference_inside_each_plane() {
    for typesize in (1..=20).chain([255]) {
        for len in lengths(typesize) {
            let src = noise(len, 5);
            let want = bytedelta(typesize, &src, |_| None);
            let mut dst = vec![0xAA; len];
            scalar().bytedelta_encode(typesize, &src, &mut dst);
            assert_eq!(dst, want, "typesize {typesize}, {len} bytes");
            let mut back = vec![0xAA; len];
            scalar().bytedelta_decode(typesize, &want, &mut back);
            assert_eq!(back, src, "typesize {typesize}, {len} bytes");
            let buggy = bytedelta(typesize, &src, |n| Some(16 * (n / 16)));
            scalar().bytedelta_decode_buggy(typesize, &buggy, &mut back);
            assert_eq!(back, src, "typesize {typesize}, {len} bytes");
        }
    }
}

#[test]
fn truncation_clears_the_bits_the_format_says() {
    for bits in i8::MIN..=i8::MAX {
        for t in 0..=9 {
            let p = i32::from(bits);
            let float = match t {
                4 => Some(23),
                8 => Some(52),
                _ => None,
            };
            let want = float.and_then(|m| {
                let z = if p >= 0 { m - p } else { -p };
                (p.abs() <= m && z < m).then(|| u32::try_from(z).unwrap())
            });
            assert_eq!(
                trunc_prec_zeroed_bits(t, bits),
                want,
                "typesize {t}, {bits} bits"
            );
            if let Some(zeroed) = want {
                let src = noise(8 * 37 + 3, 6);
                let mut dst = vec![0xAA; src.len()];
                scalar().trunc_prec(t, bits, &src, &mut dst);
                assert_eq!(dst, truncate(t, zeroed, &src));
            }

            let width = [1, 2, 4, 8]
                .contains(&t)
                .then(|| 8 * i32::try_from(t).unwrap());
            let want = width.and_then(|w| {
                let z = if p >= 0 { w - p } else { -p };
                // The format computes in one unsigned byte: below zero is far above the width.
                let z = u32::from(u8::try_from(z.rem_euclid(256)).unwrap());
                (z < u32::try_from(w).unwrap()).then_some(z)
            });
            assert_eq!(
                int_trunc_zeroed_bits(t, bits),
                want,
                "typesize {t}, {bits} bits"
            );
            if let Some(zeroed) = want {
                let src = noise(8 * 37 + 3, 6);
                let mut dst = vec![0xAA; src.len()];
                scalar().int_trunc(t, bits, &src, &mut dst);
                assert_eq!(dst, truncate(t, zeroed, &src));
            }
        }
    }
}

#[test]
fn repeats_are_found_and_one_odd_byte_is_seen() {
    for len in 0..200 {
        let mut src = vec![0x77; len];
        assert_eq!(scalar().repeated_byte(&src), (len > 0).then_some(0x77));
        for at in 0..len {
            src[at] ^= 0x10;
            let want = (len == 1).then_some(0x67);
            assert_eq!(
                scalar().repeated_byte(&src),
                want,
                "{len} bytes, odd at {at}"
            );
            src[at] ^= 0x10;
        }
    }
    for period in 1..20 {
        let item = noise(period, 8);
        for len in 0..70 {
            let mut src: Vec<u8> = (0..len).map(|i| item[i % period]).collect();
            assert!(scalar().is_repeat_of(&item, &src));
            for at in 0..len {
                src[at] ^= 1;
                assert!(
                    !scalar().is_repeat_of(&item, &src),
                    "{len} bytes, odd at {at}"
                );
                src[at] ^= 1;
            }
        }
    }
    assert!(scalar().is_repeat_of(&[], &[]));
    assert!(!scalar().is_repeat_of(&[], &[1]));
}
