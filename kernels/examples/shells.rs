//! Times the hand-written filter kernels against what the compiler makes of plain loops.
//!
//! ```text
//! cargo run --release -p oxiblosc-kernels --example shells -- [KERNEL,..] [ISA,..] [TYPESIZE,..]
//! ```
//!
//! A shell is a plain loop in a function that may use a level's instructions; the compiler
//! vectorises it as it can. Typesizes 2, 4, 8 and 16 are constants in it, others variables. Byte
//! shuffles have two shells, plane by plane and item by item, and the faster of them counts. A
//! kernel that is not at least 1.10 times as fast as its shell is marked and should be replaced by
//! it. Every argument may be `-` for its default; a round times both on the same buffers.
#![expect(clippy::print_stdout, reason = "a report is what this program is for")]
#![expect(clippy::unwrap_used, reason = "a benchmark stops on a surprise")]

#[cfg(target_arch = "x86_64")]
fn main() {
    x86::main();
}

#[cfg(not(target_arch = "x86_64"))]
fn main() {
    println!("the levels compared here are those of x86-64");
}

#[cfg(target_arch = "x86_64")]
mod plain {
    /// The typesize: a constant where `T` is one.
    #[inline(always)]
    fn size<const T: usize>(typesize: usize) -> usize {
        if T == 0 { typesize } else { T }
    }

    #[inline(always)]
    pub(crate) fn shuffle<const T: usize>(typesize: usize, src: &[u8], dst: &mut [u8]) {
        let t = size::<T>(typesize);
        for (j, plane) in dst.chunks_exact_mut(src.len() / t).take(t).enumerate() {
            for (to, item) in plane.iter_mut().zip(src.chunks_exact(t)) {
                *to = item[j];
            }
        }
    }

    #[inline(always)]
    pub(crate) fn shuffle_items<const T: usize>(typesize: usize, src: &[u8], dst: &mut [u8]) {
        let t = size::<T>(typesize);
        let n = src.len() / t;
        for (i, item) in src.chunks_exact(t).enumerate() {
            for (j, byte) in item.iter().enumerate() {
                dst[j * n + i] = *byte;
            }
        }
    }

    #[inline(always)]
    pub(crate) fn unshuffle<const T: usize>(typesize: usize, src: &[u8], dst: &mut [u8]) {
        let t = size::<T>(typesize);
        for (j, plane) in src.chunks_exact(src.len() / t).take(t).enumerate() {
            for (item, from) in dst.chunks_exact_mut(t).zip(plane) {
                item[j] = *from;
            }
        }
    }

    #[inline(always)]
    pub(crate) fn unshuffle_items<const T: usize>(typesize: usize, src: &[u8], dst: &mut [u8]) {
        let t = size::<T>(typesize);
        let n = src.len() / t;
        for (i, item) in dst.chunks_exact_mut(t).enumerate() {
            for (j, byte) in item.iter_mut().enumerate() {
                *byte = src[j * n + i];
            }
        }
    }

    /// Transposes a square of 8 by 8 bits.
    #[inline(always)]
    fn transpose(bytes: [u8; 8]) -> [u8; 8] {
        let mut x = u64::from_le_bytes(bytes);
        let mut swap = |shift: u32, mask: u64| {
            let t = (x ^ (x >> shift)) & mask;
            x ^= t ^ (t << shift);
        };
        swap(7, 0x00AA_00AA_00AA_00AA);
        swap(14, 0x0000_CCCC_0000_CCCC);
        swap(28, 0x0000_0000_F0F0_F0F0);
        x.to_le_bytes()
    }

    #[inline(always)]
    pub(crate) fn bitshuffle<const T: usize>(typesize: usize, src: &[u8], dst: &mut [u8]) {
        let t = size::<T>(typesize);
        let groups = src.len() / t / 8;
        for (j, rows) in dst.chunks_exact_mut(8 * groups).take(t).enumerate() {
            for (g, items) in src.chunks_exact(8 * t).enumerate() {
                let bits = transpose(std::array::from_fn(|i| items[i * t + j]));
                for (k, byte) in bits.into_iter().enumerate() {
                    rows[k * groups + g] = byte;
                }
            }
        }
    }

    #[inline(always)]
    pub(crate) fn bitunshuffle<const T: usize>(typesize: usize, src: &[u8], dst: &mut [u8]) {
        let t = size::<T>(typesize);
        let groups = src.len() / t / 8;
        for (j, rows) in src.chunks_exact(8 * groups).take(t).enumerate() {
            for (g, items) in dst.chunks_exact_mut(8 * t).enumerate() {
                let bytes = transpose(std::array::from_fn(|k| rows[k * groups + g]));
                for (i, byte) in bytes.into_iter().enumerate() {
                    items[i * t + j] = byte;
                }
            }
        }
    }

    /// Against the source itself.
    #[inline(always)]
    pub(crate) fn delta_encode<const T: usize>(_: usize, src: &[u8], dst: &mut [u8]) {
        // Not to be seen as the same bytes twice, whose difference is nothing.
        let reference = std::hint::black_box(src);
        for ((to, from), reference) in dst.iter_mut().zip(src).zip(reference) {
            *to = from ^ reference;
        }
    }

    #[inline(always)]
    pub(crate) fn delta_encode_first<const T: usize>(t: usize, src: &[u8], dst: &mut [u8]) {
        let t = size::<T>(t);
        dst[..t].copy_from_slice(&src[..t]);
        for ((to, from), before) in dst[t..].iter_mut().zip(&src[t..]).zip(src) {
            *to = from ^ before;
        }
    }

    #[inline(always)]
    pub(crate) fn delta_decode<const T: usize>(_: usize, src: &[u8], dst: &mut [u8]) {
        for (to, reference) in dst.iter_mut().zip(src) {
            *to ^= reference;
        }
    }

    #[inline(always)]
    pub(crate) fn delta_decode_first<const T: usize>(t: usize, _: &[u8], dst: &mut [u8]) {
        let t = size::<T>(t);
        let mut before = [0; 8];
        for element in dst.chunks_exact_mut(t) {
            for (byte, before) in element.iter_mut().zip(&mut before) {
                *byte ^= *before;
                *before = *byte;
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::hint::black_box;
    use std::time::Instant;

    use oxiblosc_kernels::{Isa, Kernels};

    type Shell = unsafe fn(usize, &[u8], &mut [u8]);

    /// One kernel and its shells, those of AVX2 and those of AVX-512.
    struct Row {
        name: &'static str,
        run: fn(Kernels, usize, &[u8], &mut [u8]),
        shells: [&'static [Shell]; 2],
    }

    macro_rules! level {
        ($level:ident $features:literal: $($name:ident)+) => {
            mod $level {
                $(
                    #[target_feature(enable = $features)]
                    pub(crate) unsafe fn $name(typesize: usize, src: &[u8], dst: &mut [u8]) {
                        use crate::plain::$name;
                        match typesize {
                            1 if stringify!($name).starts_with("delta") => $name::<1>(1, src, dst),
                            2 => $name::<2>(2, src, dst),
                            4 => $name::<4>(4, src, dst),
                            8 => $name::<8>(8, src, dst),
                            16 => $name::<16>(16, src, dst),
                            _ => $name::<0>(typesize, src, dst),
                        }
                    }
                )+
            }
        };
    }

    /// The shells of both levels.
    macro_rules! levels {
        ($($name:ident)+) => {
            level!(avx2 "avx2": $($name)+);
            level!(
                avx512 "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2,gfni":
                    $($name)+
            );
        };
    }

    levels!(shuffle shuffle_items unshuffle unshuffle_items bitshuffle bitunshuffle
        delta_encode delta_encode_first delta_decode delta_decode_first);

    macro_rules! row {
        ($name:literal $run:expr; $($shell:ident)+) => {
            Row { name: $name, run: $run, shells: [&[$(avx2::$shell),+], &[$(avx512::$shell),+]] }
        };
    }

    const ROWS: [Row; 8] = [
        row!("shuffle" Kernels::shuffle; shuffle shuffle_items),
        row!("unshuffle" Kernels::unshuffle; unshuffle unshuffle_items),
        row!("bitshuffle" Kernels::bitshuffle; bitshuffle),
        row!("bitunshuffle" Kernels::bitunshuffle; bitunshuffle),
        row!("delta_encode" |k, t, src, dst| k.delta_encode(t, Some(src), src, dst); delta_encode),
        row!(
            "delta_encode_first"
            |k, t, src, dst| k.delta_encode(t, None, src, dst);
            delta_encode_first
        ),
        row!("delta_decode" |k, t, src, dst| k.delta_decode(t, Some(src), dst); delta_decode),
        row!("delta_decode_first" |k, t, _, dst| k.delta_decode(t, None, dst); delta_decode_first),
    ];

    /// Seconds per call over `calls` calls.
    fn time(calls: u32, mut call: impl FnMut()) -> f64 {
        let start = Instant::now();
        for _ in 0..calls {
            call();
        }
        start.elapsed().as_secs_f64() / f64::from(calls)
    }

    /// Hand-written over shell: the median of ratios, against the fastest shell.
    fn cell(row: &Row, kernels: Kernels, shells: &[Shell], t: usize, len: usize) -> f64 {
        let mut state = 1_u64;
        let mut noise = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005) + 1;
            state.to_be_bytes()[0]
        };
        let mut buffer: Vec<u8> = (0..2 * len + 128).map(|_| noise()).collect();
        let skip = buffer.as_ptr().align_offset(64);
        let (src, dst) = buffer[skip..].split_at_mut(len + 64);
        // The shells ignore the bytes after the last whole group of items.
        let covered = len - len % (8 * t);
        let (src, dst) = (&src[..covered], &mut dst[..covered]);
        let start = dst.to_vec();
        (row.run)(kernels, t, src, dst);
        let want = dst.to_vec();
        let ratios = shells.iter().map(|shell| {
            dst.copy_from_slice(&start);
            // SAFETY: `main` has checked that the level can be used.
            unsafe { shell(t, src, dst) };
            assert!(dst == want, "{} of {t}: wrong bytes", row.name);
            let hand = |dst: &mut [u8]| (row.run)(kernels, t, black_box(src), dst);
            // SAFETY: `main` has checked that the level can be used.
            let plain = |dst: &mut [u8]| unsafe { shell(t, black_box(src), dst) };
            let calls = u32::try_from(2_000_000 / len).unwrap();
            let shell_calls = (calls / 16).max(1);
            let mut ratios: Vec<f64> = (0..21)
                .map(|_| {
                    let hand = time(calls, || hand(black_box(dst)));
                    time(shell_calls, || plain(black_box(dst))) / hand
                })
                .collect();
            ratios.sort_by(f64::total_cmp);
            ratios[ratios.len() / 2]
        });
        ratios.fold(f64::INFINITY, f64::min)
    }

    fn names<'a>(arg: Option<&'a String>, default: &'a str) -> Vec<&'a str> {
        let arg = arg.filter(|arg| *arg != "-");
        arg.map_or(default, |arg| arg).split(',').collect()
    }

    pub(crate) fn main() {
        let args: Vec<String> = std::env::args().skip(1).collect();
        let all = ROWS.map(|row| row.name).join(",");
        let rows = names(args.first(), &all);
        let levels = names(args.get(1), "avx512,avx2");
        let typesizes = names(args.get(2), "1,2,3,4,7,8,12,16,24,32");
        println!("| kernel | level | typesize | 16 KiB | 256 KiB |\n|---|---|---|---|---|");
        for row in ROWS.iter().filter(|row| rows.contains(&row.name)) {
            for level in &levels {
                let kernels = Kernels::with_isa(Isa::from_name(level).unwrap()).unwrap();
                let shells = row.shells[usize::from(*level == "avx512")];
                for t in &typesizes {
                    let t: usize = t.parse().unwrap();
                    if t == 1 && row.name.ends_with("shuffle") && !row.name.starts_with("bit")
                        || row.name.starts_with("delta") && !matches!(t, 1 | 2 | 4 | 8)
                    {
                        continue;
                    }
                    let cells = [16_384, 262_144].map(|len| {
                        let ratio = cell(row, kernels, shells, t, len);
                        format!("{ratio:.2}{}", if ratio < 1.1 { "*" } else { "" })
                    });
                    println!("| {} | {level} | {t} | {} |", row.name, cells.join(" | "));
                }
            }
        }
    }
}
