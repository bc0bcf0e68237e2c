//! The lengths and distances that the LZ4 format allows.

/// The shortest match, in bytes.
pub(super) const MIN_MATCH: usize = 4;
/// The last bytes of a block, which are always literals.
pub(super) const LAST_LITERALS: usize = 5;
/// A match starts at least this many bytes before the end of the block.
pub(super) const MATCH_START_MARGIN: usize = 12;
/// The largest distance of a match.
pub(super) const MAX_DISTANCE: usize = 65535;
/// The longest content of one stream (the format's customary limit).
pub(super) const MAX_INPUT: usize = 0x7E00_0000;
