//! The Rust types that typed access reads and writes.

use crate::b2nd::dtype::DtypeKind;
use crate::kernels::pod::Pod;

/// A number that arrays can hold: `u8` to `u64`, `i8` to `i64`, `f32` and `f64`.
///
/// The trait is sealed. `bool` is not among them, since only two of its 256 byte values are
/// valid.
pub trait Element: Pod + Default + Send + Sync + sealed::Sealed {
    /// The dtype string of this machine's byte order.
    const DTYPE: &'static str;
    /// What the element is.
    const KIND: DtypeKind;
    /// Its size in bytes.
    const SIZE: usize;
    /// The size in bytes of the numbers that it is made of: half of it for complex numbers. In the
    /// other byte order, the bytes of each are turned around.
    const PART: usize;
}

mod sealed {
    /// Keeps `Element` to the types below.
    #[expect(
        unnameable_types,
        reason = "a trait nobody can name seals the one above"
    )]
    pub trait Sealed {}
}

macro_rules! element {
    ($($number:ty, $kind:ident, $little:literal, $big:literal;)+) => {$(
        impl sealed::Sealed for $number {}
        impl Element for $number {
            const DTYPE: &'static str = if cfg!(target_endian = "big") { $big } else { $little };
            const KIND: DtypeKind = DtypeKind::$kind;
            const SIZE: usize = size_of::<$number>();
            const PART: usize = size_of::<$number>();
        }
    )+};
}

element! {
    u8, Uint, "|u1", "|u1";
    u16, Uint, "<u2", ">u2";
    u32, Uint, "<u4", ">u4";
    u64, Uint, "<u8", ">u8";
    i8, Int, "|i1", "|i1";
    i16, Int, "<i2", ">i2";
    i32, Int, "<i4", ">i4";
    i64, Int, "<i8", ">i8";
    f32, Float, "<f4", ">f4";
    f64, Float, "<f8", ">f8";
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
