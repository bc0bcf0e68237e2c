//! The checks every entry point makes before a level runs, and their panic texts.
//!
//! Levels may rely on what is checked here; none of them checks again.

use crate::Plane;

/// Panics unless an output is as long as the input.
#[inline]
#[track_caller]
pub(crate) fn same_len(kernel: &str, src: usize, dst: usize) {
    assert!(
        src == dst,
        "{kernel}: dst has {dst} bytes, src has {src} bytes"
    );
}

/// Panics unless there is an item size to work with.
#[inline]
#[track_caller]
pub(crate) fn typesize(kernel: &str, typesize: usize) {
    assert!(
        typesize > 0,
        "{kernel}: typesize is 0, at least 1 is needed"
    );
}

/// Panics unless the planes and the tail make up exactly `dst`.
///
/// Every plane has `dst.len() / planes.len()` bytes, the tail the `dst.len() % planes.len()` bytes
/// behind the last whole item.
#[inline]
#[track_caller]
pub(crate) fn planes(kernel: &str, planes: &[Plane<'_>], tail: usize, dst: usize) {
    typesize(kernel, planes.len());
    let items = dst / planes.len();
    for (j, plane) in planes.iter().enumerate() {
        if let Plane::Bytes(bytes) = plane {
            assert!(
                bytes.len() == items,
                "{kernel}: plane {j} has {} bytes, dst has room for {items} items",
                bytes.len()
            );
        }
    }
    let left = dst - items * planes.len();
    assert!(
        tail == left,
        "{kernel}: the tail has {tail} bytes, dst has room for {left} behind its items"
    );
}

/// Panics unless there is one entry per plane.
#[inline]
#[track_caller]
pub(crate) fn constants(kernel: &str, typesize: usize, constants: usize) {
    assert!(
        typesize == constants,
        "{kernel}: {constants} entries for the constants of {typesize} planes"
    );
}

/// Panics unless the reference covers the bytes that delta changes.
#[inline]
#[track_caller]
pub(crate) fn reference(kernel: &str, typesize: usize, reference: Option<&[u8]>, len: usize) {
    if let Some(reference) = reference {
        let covered = delta_covered(typesize, len);
        assert!(
            reference.len() >= covered,
            "{kernel}: the reference has {} bytes, the block needs {covered}",
            reference.len()
        );
    }
}

/// The width in bytes of the elements that delta works on, for items of `typesize` bytes.
#[inline]
pub(crate) const fn delta_width(typesize: usize) -> usize {
    match typesize {
        1 | 2 | 4 | 8 => typesize,
        _ if typesize.is_multiple_of(8) => 8,
        _ => 1,
    }
}

/// How many of `len` bytes delta changes; the rest passes through.
#[inline]
pub(crate) const fn delta_covered(typesize: usize, len: usize) -> usize {
    len - len % delta_width(typesize)
}

/// How many low bits of each float `TRUNC_PREC` clears, or `None` for parameters the format forbids.
///
/// `bits` is the filter's meta byte: the mantissa bits to keep, or minus the bits to clear.
/// `typesize` must be 4 or 8 (mantissas of 23 and 52 bits). Format §5.5.
///
/// ```
/// use oxiblosc_kernels::trunc_prec_zeroed_bits;
///
/// assert_eq!(trunc_prec_zeroed_bits(4, 10), Some(13));
/// assert_eq!(trunc_prec_zeroed_bits(8, -20), Some(20));
/// assert_eq!(trunc_prec_zeroed_bits(4, 0), None); // nothing would be left
/// assert_eq!(trunc_prec_zeroed_bits(2, 1), None);
/// ```
#[must_use]
pub const fn trunc_prec_zeroed_bits(typesize: usize, bits: i8) -> Option<u32> {
    let mantissa: u32 = match typesize {
        4 => 23,
        8 => 52,
        _ => return None,
    };
    let asked = bits.unsigned_abs() as u32;
    if asked > mantissa {
        return None;
    }
    let zeroed = if bits >= 0 { mantissa - asked } else { asked };
    if zeroed < mantissa {
        Some(zeroed)
    } else {
        None
    }
}

/// How many low bits of each integer `INT_TRUNC` clears, or `None` for parameters the format forbids.
///
/// `bits` is the filter's meta byte: the bits to keep, or minus the bits to clear. `typesize` must
/// be 1, 2, 4 or 8. Format §5.7.
///
/// ```
/// use oxiblosc_kernels::int_trunc_zeroed_bits;
///
/// assert_eq!(int_trunc_zeroed_bits(2, 10), Some(6));
/// assert_eq!(int_trunc_zeroed_bits(2, -3), Some(3));
/// assert_eq!(int_trunc_zeroed_bits(2, 0), None);
/// ```
#[must_use]
pub const fn int_trunc_zeroed_bits(typesize: usize, bits: i8) -> Option<u32> {
    let width: u32 = match typesize {
        1 => 8,
        2 => 16,
        4 => 32,
        8 => 64,
        _ => return None,
    };
    let asked = bits.unsigned_abs() as u32;
    let zeroed = if bits < 0 {
        asked
    } else if asked <= width {
        width - asked
    } else {
        return None;
    };
    if zeroed < width { Some(zeroed) } else { None }
}

/// The mask of a truncation: `zeroed` low bits of an element of `typesize` bytes cleared.
///
/// The first `typesize` bytes of the result are the mask of one element, little-endian.
#[inline]
pub(crate) const fn trunc_mask(zeroed: u32) -> u64 {
    match u64::MAX.checked_shl(zeroed) {
        Some(mask) => mask,
        None => 0,
    }
}

/// Unwraps the bits to clear, or panics with the parameters.
#[inline]
#[track_caller]
pub(crate) fn zeroed_bits(kernel: &str, typesize: usize, bits: i8, zeroed: Option<u32>) -> u32 {
    let Some(zeroed) = zeroed else {
        refuse_bits(kernel, typesize, bits)
    };
    zeroed
}

#[cold]
#[track_caller]
#[expect(clippy::panic, reason = "the caller broke the documented contract")]
fn refuse_bits(kernel: &str, typesize: usize, bits: i8) -> ! {
    panic!("{kernel}: {bits} bits of an item of {typesize} bytes cannot be kept or cleared")
}
