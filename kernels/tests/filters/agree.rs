//! Every level against the scalar one: typesizes, lengths, alignments, canaries.
//!
//! Each level is a module of tests, so the report names the levels that ran. One that this CPU
//! lacks says so, and fails when `OXIBLOSC_EXPECT_ISAS` lists it.

#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use crate::common::{guarded, level, noise};
use oxiblosc_kernels::{Isa, Kernels, Plane};

/// Every special size, its neighbours, and sizes on both sides of the vector widths.
const TYPESIZES: [usize; 49] = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 27,
    28, 30, 31, 32, 33, 36, 40, 47, 48, 49, 56, 63, 64, 65, 72, 80, 96, 100, 127, 128, 129, 200,
    255,
];

/// Pairs of source and destination offset: aligned, off by odd amounts, and as `malloc` aligns.
const OFFSETS: [(usize, usize); 5] = [(0, 0), (1, 3), (7, 0), (0, 16), (3, 40)];

/// Item counts around the steps of every level, for items of `typesize` bytes.
fn counts(typesize: usize) -> Vec<usize> {
    let mut counts: Vec<usize> = (0..=34).collect();
    counts.extend([
        47, 48, 63, 64, 65, 79, 96, 127, 128, 129, 191, 200, 255, 256, 257,
    ]);
    counts.extend([383, 511, 512, 513, 640, 1023, 1024, 1025]);
    if typesize <= 16 {
        counts.extend([2047, 2049, 4096, 5000]);
    }
    if typesize == 32 {
        // Beyond 64 KiB eight planes are written at a time, in strips of 16 KiB.
        counts.extend([2048, 2049, 2100, 4200]);
    }
    if typesize <= 8 {
        // Beyond 64 KiB the bit blocks are wider; the last one overlaps.
        counts.extend([16_384, 33_000]);
    }
    if typesize > 32 {
        // Large items: fewer counts keep the run short, tiles are still crossed.
        counts.retain(|n| n % 3 != 1 || *n > 60);
    }
    counts
}

/// Calls `check` with sources of many lengths; the offsets change from call to call.
fn for_each_block(typesize: usize, mut check: impl FnMut(&[u8], (usize, usize))) {
    for (round, n) in counts(typesize).into_iter().enumerate() {
        let tails = [0, 1, typesize / 2, typesize - 1];
        let len = n * typesize + tails[round % 4];
        let src = noise(len, 11 + u64::try_from(n).unwrap());
        check(&src, OFFSETS[round % OFFSETS.len()]);
        // Small blocks without a tail have a way of their own.
        let whole = n * typesize;
        if whole < len && whole <= 5000 {
            check(&src[..whole], OFFSETS[round % OFFSETS.len()]);
        }
    }
}

/// Items of long blocks, and where these begin in a line: kernels begin with the items before the
/// next one. The last count is the first one where bit rows do.
const LINES: [usize; 13] = [0, 1, 2, 4, 8, 15, 16, 24, 32, 48, 60, 62, 63];
const LONG: [usize; 4] = [511, 520, 3000, 8 * 520];

/// A kernel of one source and one destination, at all [`LINES`].
fn same_at_lines(kernels: Kernels, call: impl Fn(Kernels, usize, &[u8], &mut [u8])) {
    for typesize in [1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 20, 24, 32, 48, 65] {
        for n in LONG {
            let src = noise(n * typesize, 5);
            let mut want = vec![0; src.len()];
            call(scalar(), typesize, &src, &mut want);
            for line in LINES {
                let got = guarded(&src, 1, line, |src, dst| call(kernels, typesize, src, dst));
                assert!(
                    got == want,
                    "{n} items of {typesize}, {line} bytes into a line: first at {:?}",
                    got.iter().zip(&want).position(|(a, b)| a != b)
                );
            }
        }
    }
}

fn scalar() -> Kernels {
    Kernels::with_isa(Isa::Scalar).unwrap()
}

/// Checks a kernel of one source and one destination.
fn same(kernels: Kernels, call: impl Fn(Kernels, usize, &[u8], &mut [u8])) {
    for typesize in TYPESIZES {
        for_each_block(typesize, |src, (src_offset, dst_offset)| {
            let mut want = vec![0; src.len()];
            call(scalar(), typesize, src, &mut want);
            let got = guarded(src, src_offset, dst_offset, |src, dst| {
                call(kernels, typesize, src, dst);
            });
            assert!(
                got == want,
                "typesize {typesize}, {} bytes, offsets {src_offset}, {dst_offset}: first at {:?}",
                src.len(),
                got.iter().zip(&want).position(|(a, b)| a != b)
            );
        });
    }
}

/// Cuts a block into planes; every third one is made constant, in a pattern that changes with
/// `salt`.
fn planes(block: &mut [u8], typesize: usize, salt: usize) -> Vec<Plane<'_>> {
    let n = block.len() / typesize;
    for j in 0..typesize {
        if (j + salt).is_multiple_of(3) {
            block[j * n..(j + 1) * n].fill(u8::try_from(j).unwrap());
        }
    }
    (0..typesize)
        .map(|j| match (j + salt) % 3 {
            0 => Plane::Constant(u8::try_from(j).unwrap()),
            _ => Plane::Bytes(&block[j * n..(j + 1) * n]),
        })
        .collect()
}

fn same_planes(kernels: Kernels, call: impl Fn(Kernels, &[Plane<'_>], &[u8], &mut [u8])) {
    for typesize in TYPESIZES {
        let mut salt = 0;
        for_each_block(typesize, |src, (src_offset, dst_offset)| {
            salt += 1;
            let tail = src[src.len() / typesize * typesize..].to_vec();
            let mut block = src.to_vec();
            let planes = planes(&mut block, typesize, salt);
            let mut want = vec![0; src.len()];
            call(scalar(), &planes, &tail, &mut want);
            let got = guarded(src, src_offset, dst_offset, |_, dst| {
                call(kernels, &planes, &tail, dst);
            });
            assert!(got == want, "typesize {typesize}, {} bytes", src.len());
        });
    }
}

fn shuffle_report(kernels: Kernels) {
    for typesize in TYPESIZES {
        let mut salt = 0;
        for_each_block(typesize, |src, (src_offset, dst_offset)| {
            // Constant planes, and ones that a single byte spoils at a place that moves.
            salt += 1;
            let n = src.len() / typesize;
            let mut src = src.to_vec();
            for i in 0..n {
                for j in 0..typesize {
                    match (j + salt) % 4 {
                        1 => src[i * typesize + j] = 5,
                        2 => src[i * typesize + j] = 6 + u8::from(i == (j * 37 + salt) % n),
                        _ => {}
                    }
                }
            }
            let mut want = vec![0; src.len()];
            let mut want_constants = vec![None; typesize];
            scalar().shuffle_report(typesize, &src, &mut want, &mut want_constants);
            let mut constants = vec![Some(0xAA); typesize];
            let got = guarded(&src, src_offset, dst_offset, |src, dst| {
                kernels.shuffle_report(typesize, src, dst, &mut constants);
            });
            assert!(got == want, "typesize {typesize}, {} bytes", src.len());
            assert_eq!(constants, want_constants, "{typesize}, {} bytes", src.len());
        });
    }
}

fn delta(kernels: Kernels) {
    let reference = noise(255 * 1100, 77);
    for reference in [None, Some(&reference[..])] {
        same(kernels, |kernels, typesize, src, dst| {
            kernels.delta_encode(typesize, reference, src, dst);
        });
        same(kernels, |kernels, typesize, src, dst| {
            dst.copy_from_slice(src);
            kernels.delta_decode(typesize, reference, dst);
        });
    }
}

fn truncate(kernels: Kernels) {
    for (typesize, bits) in [(4, 1), (4, 10), (4, 23), (4, -7), (8, 1), (8, 33), (8, -20)] {
        same(kernels, |kernels, _, src, dst| {
            kernels.trunc_prec(typesize, bits, src, dst);
        });
    }
    for (typesize, bits) in [
        (1, 3),
        (1, -1),
        (2, 9),
        (2, 16),
        (4, 5),
        (4, -31),
        (8, 1),
        (8, 60),
    ] {
        same(kernels, |kernels, _, src, dst| {
            kernels.int_trunc(typesize, bits, src, dst);
        });
    }
}

fn repeats(kernels: Kernels) {
    for len in (0..300).chain([511, 512, 513, 1000, 4096, 4097, 16_384]) {
        for offset in [0, 1, 5] {
            let mut block = vec![3; len + offset];
            let src = &mut block[offset..];
            assert_eq!(kernels.repeated_byte(src), (len > 0).then_some(3));
            // Odd bytes at the ends and at places that step through every vector lane.
            let places = (0..len).step_by(if len > 300 { 61 } else { 7 });
            for at in places.chain(len.checked_sub(1)) {
                src[at] = 4;
                let want = scalar().repeated_byte(src);
                assert_eq!(kernels.repeated_byte(src), want, "{len} bytes, odd at {at}");
                src[at] = 3;
            }
        }
    }
    for typesize in TYPESIZES {
        let item = noise(typesize, 9);
        for n in [0, 1, 2, 3, 17, 64, 200] {
            let mut src: Vec<u8> = (0..n * typesize + typesize / 2)
                .map(|i| item[i % typesize])
                .collect();
            assert!(kernels.is_repeat_of(&item, &src), "{n} items of {typesize}");
            for at in (0..src.len()).step_by(97) {
                src[at] ^= 0x80;
                assert!(
                    !kernels.is_repeat_of(&item, &src),
                    "{n} items of {typesize}, {at}"
                );
                src[at] ^= 0x80;
            }
        }
    }
}

macro_rules! levels {
    ($($module:ident: $isa:expr;)+) => {$(
        mod $module {
            use super::*;

            /// Runs `check` when the level is on this CPU.
            fn run(check: impl Fn(Kernels)) {
                if let Some(kernels) = level($isa) {
                    assert_eq!(kernels.isa(), $isa);
                    check(kernels);
                }
            }

            #[test]
            fn shuffle_agrees() {
                run(|kernels| same(kernels, Kernels::shuffle));
            }

            #[test]
            fn unshuffle_agrees() {
                run(|kernels| same(kernels, Kernels::unshuffle));
            }

            #[test]
            fn shuffle_report_agrees() {
                run(shuffle_report);
            }

            #[test]
            fn unshuffle_planes_agrees() {
                run(|kernels| same_planes(kernels, Kernels::unshuffle_planes));
            }

            #[test]
            fn bitshuffle_agrees() {
                run(|kernels| same(kernels, Kernels::bitshuffle));
            }

            #[test]
            fn bitunshuffle_agrees() {
                run(|kernels| same(kernels, Kernels::bitunshuffle));
            }

            #[test]
            fn bitunshuffle_planes_agrees() {
                run(|kernels| same_planes(kernels, Kernels::bitunshuffle_planes));
            }

            #[test]
            fn delta_agrees() {
                run(delta);
            }

            #[test]
            fn truncate_agrees() {
                run(truncate);
            }

            #[test]
            fn bytedelta_agrees() {
                run(|kernels| {
                    same(kernels, Kernels::bytedelta_encode);
                    same(kernels, Kernels::bytedelta_decode);
                    same(kernels, Kernels::bytedelta_decode_buggy);
                });
            }

            #[test]
            fn shuffle_bytedelta_agrees() {
                run(|kernels| {
                    same(kernels, Kernels::shuffle_bytedelta);
                    same(kernels, Kernels::unshuffle_bytedelta);
                    same_planes(kernels, Kernels::unshuffle_bytedelta_planes);
                });
            }

            #[test]
            fn lines_agree() {
                run(|kernels| {
                    same_at_lines(kernels, Kernels::shuffle);
                    same_at_lines(kernels, Kernels::unshuffle);
                    same_at_lines(kernels, Kernels::bitshuffle);
                    same_at_lines(kernels, Kernels::shuffle_bytedelta);
                    same_at_lines(kernels, |kernels, typesize, src, dst| {
                        let mut constants = vec![None; typesize];
                        kernels.shuffle_report(typesize, src, dst, &mut constants);
                        assert_eq!(constants, vec![None; typesize]);
                    });
                });
            }

            #[test]
            fn repeats_agree() {
                run(repeats);
            }
        }
    )+};
}

levels! {
    portable: Isa::Portable;
    sse2: Isa::Sse2;
    avx2: Isa::Avx2;
    avx2gfni: Isa::Avx2Gfni;
    avx512: Isa::Avx512;
    neon: Isa::Neon;
    simd128: Isa::Simd128;
}
