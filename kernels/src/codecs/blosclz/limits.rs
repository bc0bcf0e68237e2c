//! The lengths and distances that the BloscLZ format allows.

/// The longest literal run one token can hold.
pub(super) const MAX_RUN: usize = 32;
/// Matches nearer than this many bytes minus one take the short form of the distance.
pub(super) const MAX_SHORT_DISTANCE: usize = 8191;
/// Matches of this distance and more are not used.
pub(super) const DISTANCE_LIMIT: usize = 65535 + MAX_SHORT_DISTANCE - 1;
/// The last position at which a match may begin lies this many bytes before the end, and one more.
pub(super) const MARGIN: usize = 12;
