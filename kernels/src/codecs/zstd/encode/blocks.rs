//! The headers of frames and blocks.

const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
/// The content is one segment, and its length is stated.
const SINGLE_SEGMENT: u8 = 0x20;
/// The length of a block's header.
pub(super) const BLOCK_HEADER: usize = 3;
/// The kinds of blocks.
pub(super) const RAW: usize = 0;
pub(super) const RUN: usize = 1;
pub(super) const CODED: usize = 2;

/// Whether all bytes are the same: each is like the one after it, as slices compare in vectors.
pub(super) fn is_run(content: &[u8]) -> bool {
    content[1..] == content[..content.len() - 1]
}

/// The space for a block of `len` bytes: as many, and whole words of bits.
pub(super) fn room(len: usize) -> usize {
    len + 1024
}

/// Writes the header of a frame and returns its length; `None` above 4 GiB.
pub(super) fn header(len: usize, dst: &mut [u8]) -> Option<usize> {
    let size = u32::try_from(len).ok()?;
    // The field of two bytes begins with 256.
    let (flag, field, width) = match size {
        0..256 => (0, size, 1),
        256..65_792 => (0x40, size - 256, 2),
        _ => (0x80, size, 4),
    };
    let to = dst.get_mut(..5 + width)?;
    to[..4].copy_from_slice(&MAGIC);
    to[4] = SINGLE_SEGMENT | flag;
    to[5..].copy_from_slice(&field.to_le_bytes()[..width]);
    Some(5 + width)
}

/// Writes a block at `at` and returns the position after it. `len` is its length, or that of its
/// content if it is a run.
#[inline(always)]
pub(super) fn block(
    dst: &mut [u8],
    at: usize,
    description: (usize, bool),
    len: usize,
    bytes: &[u8],
) -> Option<usize> {
    let from = block_header(dst, at, description, len)?;
    let end = from + bytes.len();
    dst.get_mut(from..end)?.copy_from_slice(bytes);
    Some(end)
}

/// Writes the header of a block and returns the position after it.
#[inline(always)]
pub(super) fn block_header(
    dst: &mut [u8],
    at: usize,
    (kind, last): (usize, bool),
    len: usize,
) -> Option<usize> {
    let from = at + BLOCK_HEADER;
    let description = len << 3 | kind << 1 | usize::from(last);
    dst.get_mut(at..from)?
        .copy_from_slice(&description.to_le_bytes()[..BLOCK_HEADER]);
    Some(from)
}
