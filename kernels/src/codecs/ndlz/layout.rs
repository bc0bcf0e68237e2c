//! The front of the stream, and the sides of cells.

/// The length of the shape in front of the cells.
pub(super) const HEADER_LEN: usize = 9;
/// The number of axes, which the first byte holds.
pub(super) const NDIM: u8 = 2;

/// The side of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// 4 bytes.
    Four,
    /// 8 bytes.
    Eight,
}
