//! Shared by the tests: a random number generator, data of many kinds, and optional test data.
#![allow(
    dead_code,
    clippy::allow_attributes,
    reason = "each test binary uses a part of this"
)]
#![expect(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::print_stdout,
    reason = "test code, outside of test functions"
)]

#[cfg(feature = "frame")]
pub(crate) mod legacy;

use std::path::{Path, PathBuf};

use oxiblosc::{CodecId, FilterId, FilterSlot};

/// A temporary folder. Under WASI the standard library has no folder of temporary files, and the
/// runner shows `/`.
pub(crate) fn folder() -> tempfile::TempDir {
    if cfg!(target_os = "wasi") {
        tempfile::tempdir_in("/tmp").unwrap()
    } else {
        tempfile::tempdir().unwrap()
    }
}

/// `SplitMix64`: small, and the same everywhere.
#[derive(Clone, Debug)]
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n as u64).unwrap()
    }

    /// One of these.
    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }
}

/// The number of kinds of [`data`].
pub(crate) const KINDS: usize = 10;

/// `len` bytes of items of `typesize` bytes, of one of [`KINDS`] kinds.
pub(crate) fn data(kind: usize, typesize: usize, len: usize, seed: u64) -> Vec<u8> {
    let mut rng = Rng(seed);
    let width = typesize.clamp(1, 8);
    let items = |value: &mut dyn FnMut(usize) -> u64| -> Vec<u8> {
        let mut bytes = Vec::with_capacity(len + typesize);
        let mut i = 0;
        while bytes.len() < len {
            let item = value(i).to_le_bytes();
            bytes.extend_from_slice(&item[..width]);
            bytes.resize(bytes.len() + typesize - width, 0x5A);
            i += 1;
        }
        bytes.truncate(len);
        bytes
    };
    match kind {
        0 => vec![0; len],
        // One byte all over.
        1 => vec![rng.byte() | 1; len],
        // Noise.
        2 => (0..len).map(|_| rng.byte()).collect(),
        // A ramp of integers.
        3 => items(&mut |i| i as u64 * 3),
        // Floats of few digits.
        4 => items(&mut |i| {
            let value = (i as f64 * 0.01).sin();
            if width == 8 {
                value.to_bits()
            } else {
                (value as f32).to_bits().into()
            }
        }),
        // A walk of small steps.
        5 => {
            let mut at = 1000_u64;
            items(&mut |_| {
                at = at.wrapping_add(rng.next() % 7).wrapping_sub(3);
                at
            })
        }
        // Words.
        6 => {
            let words = [&b"block "[..], b"stream ", b"chunk ", b"of ", b"the "];
            let mut bytes = Vec::new();
            while bytes.len() < len {
                bytes.extend_from_slice(rng.pick(&words));
            }
            bytes.truncate(len);
            bytes
        }
        // Zeros, then noise.
        7 => (0..len)
            .map(|i| if i < len / 2 { 0 } else { rng.byte() })
            .collect(),
        // One item over and over.
        8 => items(&mut |_| 0x0123_4567_89AB_CDEF),
        // Runs of a period that is no power of two.
        _ => (0..len).map(|i| (i % 251).to_le_bytes()[0]).collect(),
    }
}

/// The codecs of this build.
pub(crate) fn codecs() -> Vec<CodecId> {
    let mut codecs = vec![CodecId::BLOSCLZ];
    if cfg!(feature = "lz4") {
        codecs.extend([CodecId::LZ4, CodecId::LZ4HC]);
    }
    if cfg!(feature = "zlib") {
        codecs.push(CodecId::ZLIB);
    }
    if cfg!(feature = "zstd") {
        codecs.push(CodecId::ZSTD);
    }
    codecs
}

/// A pipeline of up to four filters; lossy ones come first, so that what they leave of the data
/// is known without the others.
pub(crate) fn pipeline(rng: &mut Rng, typesize: usize) -> Vec<FilterSlot> {
    let mut slots = Vec::new();
    if rng.below(6) == 0 {
        if typesize == 4 || typesize == 8 {
            slots.push(FilterSlot::trunc_prec(rng.pick(&[1, 5, 10, 20, -3])));
        } else if typesize == 2 || typesize == 1 {
            slots.push(FilterSlot::int_trunc(rng.pick(&[1, 5, -3])));
        }
    }
    let mut lossless = vec![
        FilterSlot::NONE,
        FilterSlot::SHUFFLE,
        FilterSlot::SHUFFLE,
        FilterSlot::SHUFFLE,
        FilterSlot::BITSHUFFLE,
        FilterSlot::DELTA,
        FilterSlot::new(FilterId::SHUFFLE, 3),
    ];
    if cfg!(feature = "bytedelta") {
        lossless.push(FilterSlot::BYTEDELTA);
    }
    for _ in 0..rng.pick(&[0, 1, 1, 1, 1, 2, 2, 3]) {
        slots.push(rng.pick(&lossless));
    }
    slots
}

/// The data after the lossy filters at the start of a pipeline, item by item.
pub(crate) fn after_loss(src: &[u8], typesize: usize, slots: &[FilterSlot]) -> Vec<u8> {
    let mut bytes = src.to_vec();
    for slot in slots {
        let bits = i32::from(slot.meta.cast_signed());
        let width = i32::try_from(typesize).unwrap();
        let zeroed = match slot.id {
            FilterId::TRUNC_PREC if bits >= 0 => (if width == 4 { 23 } else { 52 }) - bits,
            FilterId::INT_TRUNC if bits >= 0 => 8 * width - bits,
            FilterId::TRUNC_PREC | FilterId::INT_TRUNC => -bits,
            _ => continue,
        };
        for item in bytes.chunks_exact_mut(typesize) {
            let mut whole = [0; 8];
            whole[..typesize].copy_from_slice(item);
            let kept = u64::from_le_bytes(whole) >> zeroed << zeroed;
            item.copy_from_slice(&kept.to_le_bytes()[..typesize]);
        }
    }
    bytes
}

/// Pools of 2, 4 and 16 threads.
#[cfg(feature = "rayon")]
pub(crate) fn pools() -> Vec<oxiblosc::Threads> {
    [2, 4, 16]
        .map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            oxiblosc::Threads::Pool(std::sync::Arc::new(pool))
        })
        .into()
}

/// No pool, without the feature.
#[cfg(not(feature = "rayon"))]
pub(crate) fn pools() -> Vec<oxiblosc::Threads> {
    Vec::new()
}

/// Rayon's threads, or the calling one alone without the feature.
pub(crate) fn current() -> oxiblosc::Threads {
    #[cfg(feature = "rayon")]
    return oxiblosc::Threads::Current;
    #[cfg(not(feature = "rayon"))]
    oxiblosc::Threads::Serial
}

/// Whether a run without this kind of test data fails: `OXIBLOSC_REQUIRE` lists it, or is `all`.
pub(crate) fn is_required(kind: &str) -> bool {
    std::env::var("OXIBLOSC_REQUIRE").is_ok_and(|list| {
        list.split(',')
            .map(str::trim)
            .any(|of| of == kind || of == "all")
    })
}

/// The folder with files that old releases wrote: `OXIBLOSC_COMPAT`, or `shared/compat` beside a
/// parent folder. Prints that the test is skipped when there is none.
///
/// # Panics
/// When `OXIBLOSC_COMPAT` names no folder, or none is there although `OXIBLOSC_REQUIRE` lists
/// `compat`.
pub(crate) fn compat_folder() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("OXIBLOSC_COMPAT") {
        let path = PathBuf::from(path);
        assert!(
            path.is_dir(),
            "OXIBLOSC_COMPAT: {} is no folder",
            path.display()
        );
        return Some(path);
    }
    let parents = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let found = parents
        .map(|path| path.join("shared/compat"))
        .find(|path| path.is_dir());
    if found.is_none() {
        assert!(
            !is_required("compat"),
            "OXIBLOSC_REQUIRE lists compat, but OXIBLOSC_COMPAT names no folder"
        );
        println!("SKIPPED: no folder with files of old releases");
    }
    found
}
