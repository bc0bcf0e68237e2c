//! Byte views of slices of numbers.
//!
//! A chunk is bytes; a caller has numbers. Viewing `&[f64]` as `&[u8]` costs nothing and is sound
//! for types without padding whose every bit pattern is a value. The trait is sealed to exactly the
//! primitive numbers, [`Bool`], and with features `half::f16` (one `u16`) and
//! `num_complex::Complex` (two numbers, `repr(C)`), so the views need no `unsafe` outside this
//! file.

/// A number: no padding, every bit pattern a value.
pub trait Pod: sealed::Sealed + Copy + 'static {}

mod sealed {
    /// Keeps `Pod` to the types below.
    #[expect(
        unnameable_types,
        reason = "a trait that cannot be named seals the one above"
    )]
    pub trait Sealed {}
}

macro_rules! pod {
    ($($number:ty),+) => {$(
        impl sealed::Sealed for $number {}
        impl Pod for $number {}
    )+};
}
pod!(
    u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64
);

#[cfg(feature = "half")]
pod!(half::f16);
#[cfg(feature = "num-complex")]
pod!(num_complex::Complex<f32>, num_complex::Complex<f64>);
pod!(Bool);

/// A truth value in a byte: false is 0, true is anything else.
///
/// Unlike `bool`, it has no bytes that are no value.
#[derive(Clone, Copy, Debug, Default)]
#[repr(transparent)]
pub struct Bool(u8);

impl Bool {
    /// The truth value.
    #[must_use]
    pub const fn get(self) -> bool {
        self.0 != 0
    }
}

impl From<bool> for Bool {
    fn from(value: bool) -> Self {
        Self(value.into())
    }
}

impl From<Bool> for bool {
    fn from(value: Bool) -> Self {
        value.get()
    }
}

impl PartialEq for Bool {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Eq for Bool {}

/// The bytes of `items`, in the machine's byte order.
///
/// ```
/// use oxiblosc_kernels::pod;
///
/// assert_eq!(pod::as_bytes(&[1_u16.to_le(), 2_u16.to_le()]), [1, 0, 2, 0]);
/// ```
#[must_use]
#[inline]
pub const fn as_bytes<T: Pod>(items: &[T]) -> &[u8] {
    let len = size_of_val(items);
    // SAFETY: the pointer and length cover exactly `items`, which has no padding and stays
    // borrowed.
    unsafe { core::slice::from_raw_parts(items.as_ptr().cast(), len) }
}

/// The bytes of `items` for writing, in the machine's byte order.
///
/// ```
/// use oxiblosc_kernels::pod;
///
/// let mut items = [0_u32; 2];
/// pod::as_bytes_mut(&mut items).copy_from_slice(&[1, 0, 0, 0, 0, 1, 0, 0]);
/// assert_eq!(items.map(u32::from_le), [1, 256]);
/// ```
#[must_use]
#[inline]
pub const fn as_bytes_mut<T: Pod>(items: &mut [T]) -> &mut [u8] {
    let len = size_of_val(items);
    // SAFETY: the pointer and length cover exactly `items`, borrowed exclusively, and any bytes
    // written there are values of `T`.
    unsafe { core::slice::from_raw_parts_mut(items.as_mut_ptr().cast(), len) }
}
