//! Repeat scans: whether a block repeats one byte, or one item.
//!
//! A sequence repeats with period `p` exactly when it equals itself moved by `p`: a comparison
//! of two slices, the platform's `memcmp`.

/// The byte that `src` repeats; `None` when it has two different ones or none at all.
pub(crate) fn repeated_byte(src: &[u8]) -> Option<u8> {
    let (byte, rest) = src.split_first()?;
    (rest == &src[..rest.len()]).then_some(*byte)
}

/// Whether `src` repeats `item`; the last repetition may be cut short.
pub(crate) fn is_repeat_of(item: &[u8], src: &[u8]) -> bool {
    let head = item.len().min(src.len());
    if src[..head] != item[..head] {
        return false;
    }
    let rest = &src[head..];
    // An empty item repeats into nothing.
    rest.is_empty() || (head > 0 && rest == &src[..rest.len()])
}

/// The byte that each plane of a shuffled block repeats, if any; an empty plane has none.
pub(crate) fn constant_planes(typesize: usize, planes: &[u8], constants: &mut [Option<u8>]) {
    constants_by(typesize, planes, constants, repeated_byte);
}

/// [`constant_planes`] by a given scan.
#[inline]
pub(crate) fn constants_by(
    typesize: usize,
    planes: &[u8],
    constants: &mut [Option<u8>],
    scan: impl Fn(&[u8]) -> Option<u8>,
) {
    let n = planes.len() / typesize;
    if n == 0 {
        constants.fill(None);
        return;
    }
    for (constant, plane) in constants.iter_mut().zip(planes.chunks_exact(n)) {
        *constant = scan(plane);
    }
}
