//! How many streams a block may have.

/// The most streams of a block, which is also the most planes of its items.
pub(super) const MAX_STREAMS: usize = 255;
/// The number of streams up to which tables of them are small: larger tables take longer to write
/// than short blocks to code.
pub(super) const FEW_STREAMS: usize = 16;
