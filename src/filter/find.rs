//! From the id of a filter to the filter.

use super::Filter;
use super::id::FilterId;
use crate::registry::Registry;

/// The filter with this id: the user's own, or else a built-in one. `None` for unknown ids,
/// for those whose feature is off, and for [`FilterId::NONE`].
pub(crate) fn find(registry: Option<&Registry>, id: FilterId) -> Option<&dyn Filter> {
    if id.get() >= 32
        && let Some(filter) = registry.and_then(|registry| registry.filter(id))
    {
        return Some(filter);
    }
    Some(match id {
        FilterId::SHUFFLE => &super::shuffle::Shuffle,
        FilterId::BITSHUFFLE => &super::shuffle::Bitshuffle,
        FilterId::DELTA => &super::delta::Delta,
        FilterId::TRUNC_PREC => &super::truncate::TruncPrec,
        FilterId::NDCELL => &super::ndcell::Ndcell,
        FilterId::NDMEAN => &super::ndmean::Ndmean,
        #[cfg(feature = "bytedelta")]
        FilterId::BYTEDELTA_BUGGY => &super::bytedelta::BytedeltaBuggy,
        #[cfg(feature = "bytedelta")]
        FilterId::BYTEDELTA => &super::bytedelta::Bytedelta,
        FilterId::INT_TRUNC => &super::truncate::IntTrunc,
        _ => return None,
    })
}
