//! The checks that every entry point makes before a level runs, and their panic messages.
//!
//! Levels rely on these checks and do not repeat them.

use crate::filters::plane::Plane;

/// Panics unless an output is as long as the input.
#[inline]
#[track_caller]
pub(crate) fn same_len(kernel: &str, src: usize, dst: usize) {
    if src != dst {
        refuse_len(kernel, src, dst);
    }
}

/// Arguments of a message that is written in place are stored before every check: a tenth of a call
/// on 128 bytes.
#[cold]
#[inline(never)]
#[track_caller]
#[expect(clippy::panic, reason = "the caller broke the documented contract")]
fn refuse_len(kernel: &str, src: usize, dst: usize) -> ! {
    panic!("{kernel}: expected dst of {src} bytes, found {dst}")
}

/// Panics when the typesize is 0.
#[inline]
#[track_caller]
pub(crate) fn typesize(kernel: &str, typesize: usize) {
    if typesize == 0 {
        refuse_typesize(kernel);
    }
}

#[cold]
#[inline(never)]
#[track_caller]
#[expect(clippy::panic, reason = "the caller broke the documented contract")]
fn refuse_typesize(kernel: &str) -> ! {
    panic!("{kernel}: expected a typesize of at least 1, found 0")
}

/// Panics unless the planes and the tail make up exactly `dst`.
///
/// Every plane has `dst.len() / planes.len()` bytes, the tail the `dst.len() % planes.len()` bytes
/// after the last whole item.
#[inline]
#[track_caller]
pub(crate) fn planes(kernel: &str, planes: &[Plane<'_>], tail: usize, dst: usize) {
    typesize(kernel, planes.len());
    let n = items(dst, planes.len());
    for plane in planes {
        if let Plane::Bytes(bytes) = plane
            && bytes.len() != n
        {
            refuse_planes(kernel, planes, n);
        }
    }
    let left = dst - n * planes.len();
    if tail != left {
        refuse_tail(kernel, left, tail);
    }
}

#[cold]
#[inline(never)]
#[track_caller]
#[expect(clippy::panic, reason = "the caller broke the documented contract")]
fn refuse_planes(kernel: &str, planes: &[Plane<'_>], n: usize) -> ! {
    let lengths = planes
        .iter()
        .enumerate()
        .filter_map(|(j, plane)| match plane {
            Plane::Bytes(bytes) if bytes.len() != n => Some((j, bytes.len())),
            _ => None,
        });
    let (j, found) = lengths.min().unwrap_or_default();
    panic!("{kernel}: expected plane {j} of {n} bytes, found {found}")
}

#[cold]
#[inline(never)]
#[track_caller]
#[expect(clippy::panic, reason = "the caller broke the documented contract")]
fn refuse_tail(kernel: &str, left: usize, tail: usize) -> ! {
    panic!("{kernel}: expected a tail of {left} bytes, found {tail}")
}

/// Panics unless there is one entry per plane.
#[inline]
#[track_caller]
pub(crate) fn constants(kernel: &str, typesize: usize, constants: usize) {
    assert!(
        typesize == constants,
        "{kernel}: expected constants of {typesize} planes, found {constants} entries"
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
            "{kernel}: expected a reference of at least {covered} bytes, found {}",
            reference.len()
        );
    }
}

/// The whole items of `typesize` bytes in `len` bytes.
///
/// A division takes longer than the rest of a call on a small block; most sizes are powers of two.
#[inline(always)]
pub(crate) const fn items(len: usize, typesize: usize) -> usize {
    if typesize.is_power_of_two() {
        len >> typesize.trailing_zeros()
    } else {
        len / typesize
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

/// The bytes of `len` that delta changes; the rest passes through.
#[inline]
pub(crate) const fn delta_covered(typesize: usize, len: usize) -> usize {
    len - len % delta_width(typesize)
}

/// The low bits of each float that `TRUNC_PREC` clears; `None` if the format forbids the
/// parameters.
///
/// `bits` is the filter's meta byte: the mantissa bits to keep, or minus the bits to clear.
/// `typesize` must be 4 or 8 (mantissas of 23 and 52 bits). Format §5.5.
///
/// ```
/// use oxiblosc_kernels::trunc_prec_zeroed_bits;
///
/// assert_eq!(trunc_prec_zeroed_bits(4, 10), Some(13));
/// assert_eq!(trunc_prec_zeroed_bits(8, -20), Some(20));
/// assert_eq!(trunc_prec_zeroed_bits(4, 0), None); // no bit would be kept
/// assert_eq!(trunc_prec_zeroed_bits(2, 1), None);
/// ```
#[must_use]
pub const fn trunc_prec_zeroed_bits(typesize: usize, bits: i8) -> Option<u32> {
    let mantissa: u32 = match typesize {
        4 => 23,
        8 => 52,
        _ => return None,
    };
    let magnitude = bits.unsigned_abs() as u32;
    if magnitude > mantissa {
        return None;
    }
    let zeroed = if bits >= 0 {
        mantissa - magnitude
    } else {
        magnitude
    };
    if zeroed < mantissa {
        Some(zeroed)
    } else {
        None
    }
}

/// The low bits of each integer that `INT_TRUNC` clears; `None` if the format forbids the
/// parameters.
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
    let magnitude = bits.unsigned_abs() as u32;
    let zeroed = if bits < 0 {
        magnitude
    } else if magnitude <= width {
        width - magnitude
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
    panic!("{kernel}: {bits} bits is out of range for items of {typesize} bytes")
}
