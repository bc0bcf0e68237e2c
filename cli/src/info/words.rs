//! Names of codecs, filters and special values, as reports have them.

use oxiblosc::chunk::ChunkHeader;
use oxiblosc::{CodecId, FilterId, FilterSlot, Special, SplitMode};
use serde_json::{Value, json};

/// How a stored chunk with this header holds its data.
pub(super) fn kind_of(header: &ChunkHeader) -> &'static str {
    match header.blosc2_flags >> 4 & 7 {
        1 => "zeros",
        2 => "nans",
        3 => "repeated value",
        4 => "uninit",
        _ if header.is_memcpyed() => "uncompressed",
        _ => "compressed",
    }
}

/// The name of a special value.
pub(super) fn special_name(special: Special<'_>) -> &'static str {
    match special {
        Special::Zeros => "zeros",
        Special::Nans => "nans",
        Special::Uninit => "uninit",
        Special::Repeat(_) => "repeated value",
        _ => "unknown",
    }
}

/// The name of a codec, or its number.
pub(super) fn codec(id: CodecId) -> Value {
    json!(
        id.name()
            .map_or_else(|| id.get().to_string(), str::to_owned)
    )
}

/// The filters in their order, with their numbers.
pub(super) fn filters(slots: &[FilterSlot]) -> Value {
    slots
        .iter()
        .filter(|slot| slot.id.get() != 0)
        .map(|slot| {
            let name = slot
                .id
                .name()
                .map_or_else(|| slot.id.get().to_string(), str::to_owned);
            match slot.id {
                // Bits to drop are negative.
                FilterId::TRUNC_PREC | FilterId::INT_TRUNC => {
                    format!("{name}:{}", slot.meta.cast_signed())
                }
                _ if slot.meta == 0 => name,
                _ => format!("{name}:{}", slot.meta),
            }
        })
        .collect()
}

/// The name of a rule for splitting.
pub(super) fn split(mode: SplitMode) -> &'static str {
    match mode {
        SplitMode::Always => "always",
        SplitMode::Never => "never",
        SplitMode::Auto => "auto",
        SplitMode::ForwardCompat => "forward",
        _ => "unknown",
    }
}
