//! Number conversions that the language leaves to the caller.
//!
//! The widths of the format differ from the widths of the machine in both directions. Each of these
//! saturates; a saturated size is beyond every bound that it is compared with next.

#[cfg(feature = "b2nd")]
use crate::error::{Error, Result};

/// A length as a 64-bit number. No supported machine has wider pointers.
#[inline]
pub(crate) const fn to_u64(len: usize) -> u64 {
    len as u64
}

/// A number as a length.
///
/// # Errors
/// [`Error::LimitExceeded`] when it exceeds the address space.
#[cfg(feature = "b2nd")]
#[inline]
pub(crate) fn to_usize(value: u64) -> Result<usize> {
    usize::try_from(value).map_err(|_| Error::LimitExceeded {
        limit: "usize",
        offset: None,
        value,
        max: to_u64(usize::MAX),
    })
}

/// A number as a length; the largest length where it does not fit.
#[inline]
pub(crate) fn saturating_usize(value: impl TryInto<usize>) -> usize {
    value.try_into().unwrap_or(usize::MAX)
}

/// A number as 32 bits; the largest ones where it does not fit.
#[inline]
pub(crate) fn saturating_u32(value: impl TryInto<u32>) -> u32 {
    value.try_into().unwrap_or(u32::MAX)
}

/// A number as 64 signed bits, as error messages hold it; the largest ones where it does not fit.
#[inline]
pub(crate) fn saturating_i64(value: impl TryInto<i64>) -> i64 {
    value.try_into().unwrap_or(i64::MAX)
}
