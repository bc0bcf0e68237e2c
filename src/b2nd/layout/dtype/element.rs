//! The Rust types that typed access reads and writes.

use std::borrow::Cow;

use bytemuck::{CheckedBitPattern, NoUninit, Zeroable, checked};
use oxiblosc_kernels::pod::{Bool, ByteString};

use crate::b2nd::layout::dtype::kind::DtypeKind;
use crate::b2nd::layout::dtype::swap::Swap;
use crate::b2nd::layout::dtype::text::Dtype;
use crate::error::{Error, Result};

/// A type that arrays read and write.
///
/// | Rust | NumPy |
/// |---|---|
/// | `u8` to `u64`, `i8` to `i64`, `f32`, `f64` | `u1` to `u8`, `i1` to `i8`, `f4`, `f8` |
/// | `i64` | points in time and time spans, too: `M8`, `m8` |
/// | `bool`; [`Bool`], for which every byte other than 0 is true | `?` |
/// | [`ByteString<N>`](ByteString) | `S<N>` |
/// | `half::f16` (feature `half`) | `f2` |
/// | `num_complex::Complex` of `f32` or `f64` (feature `num-complex`) | `c8`, `c16` |
/// | a `#[repr(C)]` record that derives `Element` (feature `derive`) | a structured dtype |
/// | `[T; N]` as a field of a record, `[u8; N]` included | a sub-array, `(T, (N,))` |
///
/// Numbers of the other byte order are converted. Everything else, such as text (`U`), is read and
/// written as bytes, with [`slice_bytes`](crate::b2nd::Array::slice_bytes) and its siblings.
///
/// # Types of your own
///
/// Records derive the trait; see the macro of the same name. For other types the trait is
/// implemented by hand, as here for an enum that is stored as a number. No implementation is
/// `unsafe`: the traits of `bytemuck` ([`oxiblosc::bytemuck`](crate::bytemuck)) say which bytes are
/// values, and bytes that are none end as [`Error::InvalidElement`], which names their index.
///
/// ```
/// use bytemuck::{CheckedBitPattern, NoUninit, Zeroable};
/// use oxiblosc::b2nd::{Array, ArrayParams, Dtype, DtypeKind, Element};
///
/// #[derive(Clone, Copy, Debug, PartialEq, NoUninit, CheckedBitPattern, Zeroable)]
/// #[repr(u8)]
/// enum Quality {
///     Good = 0,
///     Poor = 1,
/// }
///
/// impl Element for Quality {
///     const KIND: DtypeKind = DtypeKind::Uint;
///
///     fn dtype() -> Dtype {
///         Dtype::of::<u8>()
///     }
///
///     fn as_bytes_mut(_: &mut [Self]) -> Option<&mut [u8]> {
///         None // 2 is no value
///     }
/// }
///
/// let params = ArrayParams::new::<Quality>([2]);
/// let array = Array::from_elements(&[Quality::Poor, Quality::Good], &params)?;
/// assert_eq!(array.to_bytes()?, [1, 0]);
/// assert_eq!(array.get::<Quality>([0])?, Quality::Poor);
///
/// let error = Array::from_bytes(&[1, 7], &params)?.to_elements::<Quality>().unwrap_err();
/// assert!(error.to_string().starts_with("element 1: expected a value of type"));
/// # Ok::<(), oxiblosc::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no element of an array",
    note = "numbers, `bool` and `ByteString<N>` are elements; `#[repr(C)]` records derive \
            `bytemuck::{{Pod, Zeroable}}` and `oxiblosc::b2nd::Element`",
    note = "arrays `[T; N]` are elements as fields of a record only"
)]
pub trait Element: NoUninit + CheckedBitPattern + Zeroable + Send + Sync {
    /// The kind of element.
    const KIND: DtypeKind;

    /// The size in bytes of the numbers that an element consists of: of a complex number, half of
    /// it. In the other byte order, the bytes of each number are reversed. Records, whose fields
    /// have sizes of their own, do not use it.
    const PART: usize = size_of::<Self>();

    /// The dtype of the elements in memory, with the byte order of this machine.
    fn dtype() -> Dtype;

    /// The bytes of elements, to be overwritten by any bytes; `None` when some bytes are no value,
    /// so that each element is checked and copied.
    ///
    /// For types that are [`bytemuck::Pod`] this is `Some(bytemuck::cast_slice_mut(elements))`.
    fn as_bytes_mut(elements: &mut [Self]) -> Option<&mut [u8]>;
}

macro_rules! element {
    ($($number:ty, $part:ty, $kind:ident, $little:literal, $big:literal;)+) => {$(
        impl Element for $number {
            const KIND: DtypeKind = DtypeKind::$kind;
            const PART: usize = size_of::<$part>();

            fn dtype() -> Dtype {
                Dtype::from_stored(if cfg!(target_endian = "big") { $big } else { $little })
            }

            #[inline]
            fn as_bytes_mut(elements: &mut [Self]) -> Option<&mut [u8]> {
                Some(bytemuck::cast_slice_mut(elements))
            }
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

impl Element for bool {
    const KIND: DtypeKind = DtypeKind::Bool;

    fn dtype() -> Dtype {
        Dtype::from_stored("|b1")
    }

    fn as_bytes_mut(_: &mut [Self]) -> Option<&mut [u8]> {
        None
    }
}

impl<const N: usize> Element for ByteString<N> {
    const KIND: DtypeKind = DtypeKind::Bytes;

    fn dtype() -> Dtype {
        Dtype::from_stored(&format!("|S{N}"))
    }

    fn as_bytes_mut(elements: &mut [Self]) -> Option<&mut [u8]> {
        Some(bytemuck::cast_slice_mut(elements))
    }
}

/// Lets `fill` write bytes to the front of elements, in the byte order of an array, and returns
/// their number. `fill` returns how many bytes it wrote.
#[inline]
pub(crate) fn fill_elements<T: Element>(
    elements: &mut [T],
    swap: &Swap,
    fill: impl FnOnce(&mut [u8]) -> Result<usize>,
) -> Result<usize> {
    let size = size_of::<T>().max(1);
    if let Some(bytes) = T::as_bytes_mut(elements) {
        let len = fill(bytes)?;
        swap.apply(bytes.get_mut(..len).unwrap_or_default(), size);
        return Ok(len / size);
    }
    let mut bytes = vec![0; size_of_val(elements)];
    let len = fill(&mut bytes)?;
    bytes.truncate(len);
    swap.apply(&mut bytes, size);
    for (index, (element, bytes)) in elements
        .iter_mut()
        .zip(bytes.chunks_exact(size))
        .enumerate()
    {
        *element = value(index, bytes)?;
    }
    Ok(len / size)
}

/// The element of these bytes.
fn value<T: Element>(index: usize, bytes: &[u8]) -> Result<T> {
    checked::try_pod_read_unaligned(bytes).map_err(|_| Error::invalid_element::<T>(index, bytes))
}

/// The bytes of elements as an array stores them.
pub(crate) fn stored_bytes<'a, T: Element>(elements: &'a [T], swap: &Swap) -> Cow<'a, [u8]> {
    let bytes: &[u8] = bytemuck::cast_slice(elements);
    if *swap == Swap::Nothing {
        return Cow::Borrowed(bytes);
    }
    let mut bytes = bytes.to_vec();
    swap.apply(&mut bytes, size_of::<T>());
    Cow::Owned(bytes)
}
