//! [`Kernels`]: the one entry to every kernel.
//!
//! A value is one byte that stands for a level and can only be had after detection, so calling a
//! kernel needs no check of the CPU, no function pointer and no global: a `match` on the byte,
//! about five nanoseconds per call. Choose once (per encoder, per decoder) and copy it around.

use crate::filters::contract;
use crate::filters::level::Level as _;
use crate::filters::portable::Portable;
use crate::filters::scalar::{self, Scalar};
use crate::{Isa, Kernel, Plane};

#[cfg(target_arch = "aarch64")]
use crate::filters::aarch64::Neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use crate::filters::wasm32::Simd128;
#[cfg(target_arch = "x86_64")]
use crate::filters::x86::{Avx2, Avx2Gfni, Avx512, Sse2};

/// The kernels of one level.
///
/// One byte, `Copy`, and proof that the CPU has the level's instructions. A value cannot be made by
/// other means than the constructors here:
///
/// ```compile_fail
/// use oxiblosc_kernels::Kernels;
/// let forged = Kernels(2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernels(Proof);

/// A level with its proof, the token of the level, which takes no space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    Scalar(Scalar),
    Portable(Portable),
    #[cfg(target_arch = "x86_64")]
    Sse2(Sse2),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx2Gfni(Avx2Gfni),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(target_arch = "aarch64")]
    Neon(Neon),
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128(Simd128),
}

/// Evaluates an expression with `$level` bound to the chosen level.
macro_rules! with_level {
    ($kernels:expr, $level:ident => $call:expr) => {
        match $kernels.0 {
            Proof::Scalar($level) => $call,
            Proof::Portable($level) => $call,
            #[cfg(target_arch = "x86_64")]
            Proof::Sse2($level) => $call,
            #[cfg(target_arch = "x86_64")]
            Proof::Avx2($level) => $call,
            #[cfg(target_arch = "x86_64")]
            Proof::Avx2Gfni($level) => $call,
            #[cfg(target_arch = "x86_64")]
            Proof::Avx512($level) => $call,
            #[cfg(target_arch = "aarch64")]
            Proof::Neon($level) => $call,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Proof::Simd128($level) => $call,
        }
    };
}

/// Which level to use.
impl Kernels {
    /// The fastest level this CPU has.
    ///
    /// The environment variable `OXIBLOSC_ISA`, read once, lowers the choice when it names a lower
    /// level ([`Isa::name`]); other values have no effect. The answer is the same for the whole
    /// life of the process.
    #[must_use]
    #[inline]
    pub fn best() -> Self {
        #[cfg(feature = "std")]
        {
            static BEST: std::sync::OnceLock<Kernels> = std::sync::OnceLock::new();
            *BEST.get_or_init(Self::detect)
        }
        #[cfg(not(feature = "std"))]
        Self::detect()
    }

    fn detect() -> Self {
        #[cfg(feature = "std")]
        let ceiling = Isa::from_env()
            .ok()
            .flatten()
            .filter(|isa| isa.is_available());
        #[cfg(not(feature = "std"))]
        let ceiling: Option<Isa> = None;
        Self::available()
            .filter(|kernels| ceiling.is_none_or(|ceiling| kernels.isa() <= ceiling))
            .last()
            .unwrap_or(Self(Proof::Scalar(Scalar)))
    }

    /// The kernels of a given level, or `None` when this CPU lacks it.
    #[must_use]
    pub fn with_isa(isa: Isa) -> Option<Self> {
        let choice = match isa {
            Isa::Scalar => Proof::Scalar(Scalar),
            Isa::Portable => Proof::Portable(Portable),
            #[cfg(target_arch = "x86_64")]
            Isa::Sse2 => Proof::Sse2(Sse2::detect()?),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => Proof::Avx2(Avx2::detect()?),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2Gfni => Proof::Avx2Gfni(Avx2Gfni::detect()?),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => Proof::Avx512(Avx512::detect()?),
            #[cfg(target_arch = "aarch64")]
            Isa::Neon => Proof::Neon(Neon::detect()?),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Isa::Simd128 => Proof::Simd128(Simd128::new()),
            _ => return None,
        };
        Some(Self(choice))
    }

    /// Every level this CPU has, the slowest first.
    ///
    /// ```
    /// use oxiblosc_kernels::{Isa, Kernels};
    ///
    /// assert_eq!(Kernels::available().next().unwrap().isa(), Isa::Scalar);
    /// ```
    pub fn available() -> impl Iterator<Item = Self> {
        Isa::ALL.iter().copied().filter_map(Self::with_isa)
    }

    /// The level these kernels belong to.
    #[must_use]
    pub fn isa(self) -> Isa {
        fn of<L: crate::filters::level::Level>(_: L) -> Isa {
            L::ISA
        }
        with_level!(self, level => of(level))
    }

    /// The level with its token, for code outside `filters` that is compiled per level.
    #[inline]
    pub(crate) const fn proof(self) -> Proof {
        self.0
    }

    /// The level whose code runs for `kernel` on items of `typesize` bytes.
    ///
    /// A level uses the kernels of the next lower one that it lacks.
    #[must_use]
    pub fn isa_of(self, kernel: Kernel, typesize: usize) -> Isa {
        fn of<L: crate::filters::level::Level>(_: L, kernel: Kernel, typesize: usize) -> Isa {
            L::isa_of(kernel, typesize)
        }
        with_level!(self, level => of(level, kernel, typesize))
    }
}

impl Isa {
    /// Whether this CPU (and this build) can run the level.
    #[must_use]
    pub fn is_available(self) -> bool {
        Kernels::with_isa(self).is_some()
    }
}

impl Default for Kernels {
    /// [`Kernels::best`].
    fn default() -> Self {
        Self::best()
    }
}

/// Byte shuffle (format §5.2).
impl Kernels {
    /// Turns items into byte planes.
    ///
    /// `src`: `n` items of `typesize` bytes and a tail of less than one item. `dst`: `typesize`
    /// planes of `n` bytes, `dst[j * n + i] = src[i * typesize + j]`, then the tail unchanged.
    ///
    /// # Panics
    ///
    /// When `dst` is not as long as `src` or `typesize` is 0.
    #[doc(alias = "blosc2_shuffle")]
    pub fn shuffle(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        contract::typesize("shuffle", typesize);
        contract::same_len("shuffle", src.len(), dst.len());
        if typesize == 1 || src.len() / 2 < typesize {
            dst.copy_from_slice(src);
            return;
        }
        with_level!(self, level => level.shuffle(typesize, src, dst));
    }

    /// [`shuffle`](Self::shuffle) that also reports which planes are runs of one byte.
    ///
    /// `constants[j]` becomes the byte that plane `j` consists of, or `None` when it has two
    /// different ones or no bytes at all. A split block stores such a plane as a run, without
    /// calling its codec.
    ///
    /// ```
    /// use oxiblosc_kernels::Kernels;
    ///
    /// let mut constants = [None; 2];
    /// let mut dst = [0; 6];
    /// Kernels::best().shuffle_report(2, &[1, 7, 2, 7, 3, 7], &mut dst, &mut constants);
    /// assert_eq!(dst, [1, 2, 3, 7, 7, 7]);
    /// assert_eq!(constants, [None, Some(7)]);
    /// ```
    ///
    /// # Panics
    ///
    /// When `dst` is not as long as `src`, `typesize` is 0, or `constants` has not `typesize`
    /// entries.
    pub fn shuffle_report(
        self,
        typesize: usize,
        src: &[u8],
        dst: &mut [u8],
        constants: &mut [Option<u8>],
    ) {
        contract::typesize("shuffle_report", typesize);
        contract::same_len("shuffle_report", src.len(), dst.len());
        contract::constants("shuffle_report", typesize, constants.len());
        with_level!(self, level => level.shuffle_report(typesize, src, dst, constants));
    }

    /// Turns byte planes into items: the inverse of [`shuffle`](Self::shuffle).
    ///
    /// # Panics
    ///
    /// When `dst` is not as long as `src` or `typesize` is 0.
    #[doc(alias = "blosc2_unshuffle")]
    pub fn unshuffle(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        contract::typesize("unshuffle", typesize);
        contract::same_len("unshuffle", src.len(), dst.len());
        if typesize == 1 || src.len() / 2 < typesize {
            dst.copy_from_slice(src);
            return;
        }
        with_level!(self, level => level.unshuffle(typesize, src, dst));
    }

    /// [`unshuffle`](Self::unshuffle) from planes that lie anywhere.
    ///
    /// `planes.len()` is the typesize; each [`Plane::Bytes`] has `dst.len() / typesize` bytes and
    /// `tail` the `dst.len() % typesize` bytes after the last whole item. The result is that of
    /// `unshuffle` on the planes one after another, followed by the tail.
    ///
    /// ```
    /// use oxiblosc_kernels::{Kernels, Plane};
    ///
    /// let mut dst = [0; 7];
    /// let planes = [Plane::Bytes(&[1, 2, 3]), Plane::Constant(7)];
    /// Kernels::best().unshuffle_planes(&planes, &[9], &mut dst);
    /// assert_eq!(dst, [1, 7, 2, 7, 3, 7, 9]);
    /// ```
    ///
    /// # Panics
    ///
    /// When there are no planes, or a plane or the tail has another length than that.
    pub fn unshuffle_planes(self, planes: &[Plane<'_>], tail: &[u8], dst: &mut [u8]) {
        // Checks the lengths itself: the contract's loop takes as long as a block of few vectors.
        if tail.is_empty() && with_level!(self, level => level.unshuffle_planes_small(planes, dst))
        {
            return;
        }
        contract::planes("unshuffle_planes", planes, tail.len(), dst.len());
        with_level!(self, level => level.unshuffle_planes(planes, tail, dst));
    }
}

/// Bit shuffle (format §5.3).
impl Kernels {
    /// Turns items into bit rows.
    ///
    /// The first `n8` of the `n` items take part, `n8` being the multiple of eight below: row
    /// `8 * j + k` of `dst`, `n8 / 8` bytes, has bit `k` of byte `j` of each of them, the first
    /// item in the lowest bit. Everything after them is copied unchanged.
    ///
    /// # Panics
    ///
    /// When `dst` is not as long as `src` or `typesize` is 0.
    #[doc(alias = "blosc2_bitshuffle")]
    pub fn bitshuffle(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        contract::typesize("bitshuffle", typesize);
        contract::same_len("bitshuffle", src.len(), dst.len());
        with_level!(self, level => level.bitshuffle(typesize, src, dst));
    }

    /// Turns bit rows into items: the inverse of [`bitshuffle`](Self::bitshuffle).
    ///
    /// # Panics
    ///
    /// When `dst` is not as long as `src` or `typesize` is 0.
    #[doc(alias = "blosc2_bitunshuffle")]
    pub fn bitunshuffle(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        contract::typesize("bitunshuffle", typesize);
        contract::same_len("bitunshuffle", src.len(), dst.len());
        with_level!(self, level => level.bitunshuffle(typesize, src, dst));
    }

    /// [`bitunshuffle`](Self::bitunshuffle) from the equal pieces a split block is stored in.
    ///
    /// `planes.len()` is the typesize; the lengths are those of
    /// [`unshuffle_planes`](Self::unshuffle_planes). The result is that of `bitunshuffle` on the
    /// planes one after another, followed by the tail. With a multiple of eight items a plane is
    /// exactly the eight bit rows of one byte of the items.
    ///
    /// # Panics
    ///
    /// When there are no planes, or a plane or the tail has another length than that.
    pub fn bitunshuffle_planes(self, planes: &[Plane<'_>], tail: &[u8], dst: &mut [u8]) {
        contract::planes("bitunshuffle_planes", planes, tail.len(), dst.len());
        with_level!(self, level => level.bitunshuffle_planes(planes, tail, dst));
    }
}

/// Differences (format §5.4 and §5.6).
impl Kernels {
    /// XOR against a reference, or of each element against the one before.
    ///
    /// The elements have `w` bytes: `typesize` if that is 1, 2, 4 or 8, else 8 if it is a multiple
    /// of 8, else 1. With a `reference` every element is stored XOR the one at its place there;
    /// without (the first block of a chunk) the first element is kept and every other one stored
    /// XOR its predecessor. Bytes that are no whole element are copied.
    ///
    /// # Panics
    ///
    /// When `dst` is not as long as `src`, the reference is shorter than the whole elements of
    /// `src`, or `typesize` is 0.
    pub fn delta_encode(
        self,
        typesize: usize,
        reference: Option<&[u8]>,
        src: &[u8],
        dst: &mut [u8],
    ) {
        contract::typesize("delta_encode", typesize);
        contract::same_len("delta_encode", src.len(), dst.len());
        contract::reference("delta_encode", typesize, reference, src.len());
        with_level!(self, level => level.delta_encode(typesize, reference, src, dst));
    }

    /// Undoes [`delta_encode`](Self::delta_encode) in place; without a reference a running XOR.
    ///
    /// # Panics
    ///
    /// When the reference is shorter than the whole elements of `block`, or `typesize` is 0.
    pub fn delta_decode(self, typesize: usize, reference: Option<&[u8]>, block: &mut [u8]) {
        contract::typesize("delta_decode", typesize);
        contract::reference("delta_decode", typesize, reference, block.len());
        with_level!(self, level => level.delta_decode(typesize, reference, block));
    }

    /// Differences of neighbouring bytes (mod 256) inside each of `typesize` planes.
    ///
    /// `src` is a shuffled block: `typesize` planes of `src.len() / typesize` bytes and a tail that
    /// is copied. The first byte of each plane is kept.
    ///
    /// # Panics
    ///
    /// When `dst` is not as long as `src` or `typesize` is 0.
    pub fn bytedelta_encode(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        contract::typesize("bytedelta_encode", typesize);
        contract::same_len("bytedelta_encode", src.len(), dst.len());
        with_level!(self, level => level.bytedelta_encode(typesize, src, dst));
    }

    /// Undoes [`bytedelta_encode`](Self::bytedelta_encode): running sums inside each plane.
    ///
    /// # Panics
    ///
    /// When `dst` is not as long as `src` or `typesize` is 0.
    pub fn bytedelta_decode(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        contract::typesize("bytedelta_decode", typesize);
        contract::same_len("bytedelta_decode", src.len(), dst.len());
        with_level!(self, level => level.bytedelta_decode(typesize, src, dst));
    }

    /// Undoes the first release's bytedelta (filter 34) as written on machines with SIMD.
    ///
    /// Its sums start again at 0 after the last multiple of 16 bytes of each plane.
    ///
    /// # Panics
    ///
    /// When `dst` is not as long as `src` or `typesize` is 0.
    pub fn bytedelta_decode_buggy(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        contract::typesize("bytedelta_decode_buggy", typesize);
        contract::same_len("bytedelta_decode_buggy", src.len(), dst.len());
        with_level!(self, level => level.bytedelta_decode_buggy(typesize, src, dst));
    }
}

/// Byte shuffle and bytedelta at once.
impl Kernels {
    /// [`bytedelta_encode`](Self::bytedelta_encode) of the [`shuffle`](Self::shuffle)d block.
    ///
    /// One pass for items of 2, 4 and 8 bytes; of others, the two kernels one after the other are
    /// faster.
    ///
    /// ```
    /// use oxiblosc_kernels::Kernels;
    ///
    /// let mut dst = [0; 7];
    /// Kernels::best().shuffle_bytedelta(2, &[1, 7, 2, 7, 4, 7, 9], &mut dst);
    /// assert_eq!(dst, [1, 1, 2, 7, 0, 0, 9]);
    /// ```
    ///
    /// # Panics
    ///
    /// When `dst` is not as long as `src` or `typesize` is 0.
    pub fn shuffle_bytedelta(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        contract::typesize("shuffle_bytedelta", typesize);
        contract::same_len("shuffle_bytedelta", src.len(), dst.len());
        if typesize == 1 {
            return self.bytedelta_encode(typesize, src, dst);
        }
        with_level!(self, level => level.shuffle_bytedelta(typesize, src, dst));
    }

    /// Undoes [`shuffle_bytedelta`](Self::shuffle_bytedelta).
    ///
    /// One pass for the typesizes of [`fuses_bytedelta`](crate::fuses_bytedelta); of others, the
    /// two kernels one after the other are faster.
    ///
    /// # Panics
    ///
    /// When `dst` is not as long as `src` or `typesize` is 0.
    pub fn unshuffle_bytedelta(self, typesize: usize, src: &[u8], dst: &mut [u8]) {
        contract::typesize("unshuffle_bytedelta", typesize);
        contract::same_len("unshuffle_bytedelta", src.len(), dst.len());
        if typesize == 1 {
            return self.bytedelta_decode(typesize, src, dst);
        }
        let mut planes = [Plane::Constant(0); 16];
        let Some(planes) = planes.get_mut(..typesize) else {
            self.unshuffle(typesize, src, dst);
            let whole = src.len() - src.len() % typesize;
            return scalar::bytedelta::item_sums(typesize, &mut dst[..whole]);
        };
        let n = contract::items(src.len(), typesize);
        for (j, plane) in planes.iter_mut().enumerate() {
            *plane = Plane::Bytes(&src[j * n..(j + 1) * n]);
        }
        self.unshuffle_bytedelta_planes(planes, &src[n * typesize..], dst);
    }

    /// [`unshuffle_bytedelta`](Self::unshuffle_bytedelta) from planes that lie anywhere, as
    /// [`unshuffle_planes`](Self::unshuffle_planes) reads them.
    ///
    /// A constant plane is one of constant differences.
    ///
    /// # Panics
    ///
    /// When there are no planes, or a plane or the tail has another length than that.
    pub fn unshuffle_bytedelta_planes(self, planes: &[Plane<'_>], tail: &[u8], dst: &mut [u8]) {
        contract::planes("unshuffle_bytedelta_planes", planes, tail.len(), dst.len());
        with_level!(self, level => level.unshuffle_bytedelta_planes(planes, tail, dst));
    }
}

/// Lossy truncation (format §5.5 and §5.7).
impl Kernels {
    /// Clears low mantissa bits of little-endian floats of 4 or 8 bytes.
    ///
    /// `bits` > 0 keeps that many mantissa bits, `bits` < 0 clears that many. Bytes that are no
    /// whole item are copied. [`trunc_prec_zeroed_bits`](crate::trunc_prec_zeroed_bits) tells
    /// beforehand whether the parameters are allowed.
    ///
    /// # Panics
    ///
    /// When `dst` is not as long as `src`, or the parameters are not allowed.
    pub fn trunc_prec(self, typesize: usize, bits: i8, src: &[u8], dst: &mut [u8]) {
        let zeroed = crate::trunc_prec_zeroed_bits(typesize, bits);
        let zeroed = contract::zeroed_bits("trunc_prec", typesize, bits, zeroed);
        contract::same_len("trunc_prec", src.len(), dst.len());
        with_level!(self, level => level.truncate(typesize, zeroed, src, dst));
    }

    /// Clears low bits of little-endian integers of 1, 2, 4 or 8 bytes.
    ///
    /// `bits` > 0 keeps that many bits, `bits` < 0 clears that many. Bytes that are no whole item
    /// are copied. [`int_trunc_zeroed_bits`](crate::int_trunc_zeroed_bits) tells beforehand whether
    /// the parameters are allowed.
    ///
    /// # Panics
    ///
    /// When `dst` is not as long as `src`, or the parameters are not allowed.
    pub fn int_trunc(self, typesize: usize, bits: i8, src: &[u8], dst: &mut [u8]) {
        let zeroed = crate::int_trunc_zeroed_bits(typesize, bits);
        let zeroed = contract::zeroed_bits("int_trunc", typesize, bits, zeroed);
        contract::same_len("int_trunc", src.len(), dst.len());
        with_level!(self, level => level.truncate(typesize, zeroed, src, dst));
    }
}

/// Scans for repeats.
impl Kernels {
    /// The byte that `src` consists of; `None` when there are two different ones or none at all.
    #[must_use]
    pub fn repeated_byte(self, src: &[u8]) -> Option<u8> {
        with_level!(self, level => level.repeated_byte(src))
    }

    /// Whether `src` is `item` over and over, the last repetition possibly cut short.
    ///
    /// An empty `src` is a repeat of anything; an empty `item` repeats into an empty `src` only.
    #[must_use]
    pub fn is_repeat_of(self, item: &[u8], src: &[u8]) -> bool {
        with_level!(self, level => level.is_repeat_of(item, src))
    }
}

/// Checksums.
impl Kernels {
    /// The Adler-32 checksum of `src`, which ends zlib streams (RFC 1950); 1 for no bytes.
    ///
    /// ```
    /// use oxiblosc_kernels::Kernels;
    ///
    /// assert_eq!(Kernels::best().adler32(b"Wikipedia"), 0x11E6_0398);
    /// ```
    #[must_use]
    pub fn adler32(self, src: &[u8]) -> u32 {
        with_level!(self, level => level.adler32(src))
    }
}
