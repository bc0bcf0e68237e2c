//! The Rust types that typed access reads and writes.

use std::borrow::Cow;

use oxiblosc_kernels::pod::{self, Bool, Pod};

use crate::b2nd::layout::dtype::kind::DtypeKind;

/// A type that arrays read and write: `u8` to `u64`, `i8` to `i64`, `f32`, `f64` and [`Bool`];
/// with the feature `half` `half::f16`, with the feature `num-complex` `num_complex::Complex` of
/// `f32` and `f64`.
///
/// Elements of the other byte order are converted. The trait is sealed. `bool` is
/// not among them, since only two of its 256 byte values are valid; other dtypes are read and
/// written as bytes.
pub trait Element: Pod + Default + Send + Sync + sealed::Sealed {
    /// The dtype string of this machine's byte order.
    const DTYPE: &'static str;
    /// The kind of element.
    const KIND: DtypeKind;
    /// Its size in bytes.
    const SIZE: usize;
    /// The size in bytes of the numbers that it consists of: half of it for complex numbers. In the
    /// other byte order, the bytes of each number are reversed.
    const PART: usize;
}

mod sealed {
    /// Keeps `Element` to the types below.
    #[expect(unnameable_types, reason = "seals the trait above")]
    pub trait Sealed {}
}

macro_rules! element {
    ($($number:ty, $part:ty, $kind:ident, $little:literal, $big:literal;)+) => {$(
        impl sealed::Sealed for $number {}
        impl Element for $number {
            const DTYPE: &'static str = if cfg!(target_endian = "big") { $big } else { $little };
            const KIND: DtypeKind = DtypeKind::$kind;
            const SIZE: usize = size_of::<$number>();
            const PART: usize = size_of::<$part>();
        }
    )+};
}

element! {
    u8, u8, Uint, "|u1", "|u1";
    u16, u16, Uint, "<u2", ">u2";
    u32, u32, Uint, "<u4", ">u4";
    u64, u64, Uint, "<u8", ">u8";
    i8, i8, Int, "|i1", "|i1";
    i16, i16, Int, "<i2", ">i2";
    i32, i32, Int, "<i4", ">i4";
    i64, i64, Int, "<i8", ">i8";
    f32, f32, Float, "<f4", ">f4";
    f64, f64, Float, "<f8", ">f8";
    Bool, u8, Bool, "|b1", "|b1";
}

#[cfg(feature = "half")]
element! {
    half::f16, u16, Float, "<f2", ">f2";
}

#[cfg(feature = "num-complex")]
element! {
    num_complex::Complex<f32>, f32, Complex, "<c8", ">c8";
    num_complex::Complex<f64>, f64, Complex, "<c16", ">c16";
}

/// The bytes of elements as an array stores them: in the other byte order when `swapped`.
pub(crate) fn stored_bytes<T: Element>(elements: &[T], swapped: bool) -> Cow<'_, [u8]> {
    let bytes = pod::as_bytes(elements);
    if !swapped {
        return Cow::Borrowed(bytes);
    }
    let mut bytes = bytes.to_vec();
    swap_bytes(&mut bytes, T::PART);
    Cow::Owned(bytes)
}

/// Reverses the bytes of every element.
pub(crate) fn swap_bytes(bytes: &mut [u8], size: usize) {
    match size {
        2 => swap::<2>(bytes),
        4 => swap::<4>(bytes),
        8 => swap::<8>(bytes),
        _ => bytes
            .chunks_exact_mut(size.max(1))
            .for_each(<[u8]>::reverse),
    }
}

fn swap<const SIZE: usize>(bytes: &mut [u8]) {
    bytes
        .as_chunks_mut::<SIZE>()
        .0
        .iter_mut()
        .for_each(|element| element.reverse());
}
