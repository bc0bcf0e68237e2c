//! The ids of filters, and the slots of a pipeline.

use std::fmt;

/// The number of filter slots of a pipeline.
pub const MAX_FILTERS: usize = 6;

/// The id of a filter as stored in chunk and frame headers ([format §5.10](crate::format#5.10)).
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FilterId(u8);

impl FilterId {
    /// An empty slot.
    #[doc(alias = "BLOSC_NOFILTER")]
    pub const NONE: Self = Self(0);
    /// Byte shuffle.
    #[doc(alias = "BLOSC_SHUFFLE")]
    pub const SHUFFLE: Self = Self(1);
    /// Bit shuffle.
    #[doc(alias = "BLOSC_BITSHUFFLE")]
    pub const BITSHUFFLE: Self = Self(2);
    /// XOR against a reference block.
    #[doc(alias = "BLOSC_DELTA")]
    pub const DELTA: Self = Self(3);
    /// Zeroing of low mantissa bits; lossy.
    #[doc(alias = "BLOSC_TRUNC_PREC")]
    pub const TRUNC_PREC: Self = Self(4);
    /// Reordering of a block into n-dimensional cells.
    #[doc(alias = "BLOSC_FILTER_NDCELL")]
    pub const NDCELL: Self = Self(32);
    /// Mean over n-dimensional cells; lossy.
    #[doc(alias = "BLOSC_FILTER_NDMEAN")]
    pub const NDMEAN: Self = Self(33);
    /// Byte-wise differences as releases 2.8 and 2.9 wrote them; read only.
    pub const BYTEDELTA_BUGGY: Self = Self(34);
    /// Byte-wise differences within each byte plane.
    #[doc(alias = "BLOSC_FILTER_BYTEDELTA")]
    pub const BYTEDELTA: Self = Self(35);
    /// Zeroing of low integer bits; lossy.
    #[doc(alias = "BLOSC_FILTER_INT_TRUNC")]
    pub const INT_TRUNC: Self = Self(36);

    /// The id with this number, built-in or not.
    pub const fn new(id: u8) -> Self {
        Self(id)
    }

    /// An id of the range 160 to 255, which is free for users.
    pub const fn user(id: u8) -> Option<Self> {
        if id >= 160 { Some(Self(id)) } else { None }
    }

    /// The number.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The name of a built-in filter.
    pub const fn name(self) -> Option<&'static str> {
        Some(match self.0 {
            0 => "none",
            1 => "shuffle",
            2 => "bitshuffle",
            3 => "delta",
            4 => "trunc_prec",
            32 => "ndcell",
            33 => "ndmean",
            34 => "bytedelta_buggy",
            35 => "bytedelta",
            36 => "int_trunc",
            _ => return None,
        })
    }
}

/// The name, or the number of one that has none.
///
/// ```
/// use oxiblosc::FilterId;
/// assert_eq!(format!("{:?}", FilterId::SHUFFLE), "shuffle");
/// assert_eq!(format!("{:?}", FilterId::new(200)), "FilterId(200)");
/// ```
impl fmt::Debug for FilterId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "FilterId({})", self.0),
        }
    }
}

impl fmt::Display for FilterId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(f, "{} ({name})", self.0),
            None => write!(f, "{}", self.0),
        }
    }
}

/// One slot of a pipeline: a filter and its meta byte.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct FilterSlot {
    /// The filter; [`FilterId::NONE`] for an empty slot.
    pub id: FilterId,
    /// The meta byte; its meaning is the filter's.
    #[cfg_attr(feature = "serde", serde(default))]
    pub meta: u8,
}

impl FilterSlot {
    /// An empty slot.
    pub const NONE: Self = Self::new(FilterId::NONE, 0);
    /// Byte shuffle by the typesize ([format §5.2](crate::format#5.2)).
    pub const SHUFFLE: Self = Self::new(FilterId::SHUFFLE, 0);
    /// Bit shuffle ([format §5.3](crate::format#5.3)).
    pub const BITSHUFFLE: Self = Self::new(FilterId::BITSHUFFLE, 0);
    /// XOR against the first block ([format §5.4](crate::format#5.4)).
    #[doc(alias = "blosc2_set_delta")]
    pub const DELTA: Self = Self::new(FilterId::DELTA, 0);
    /// Byte-wise differences by the typesize, which encoders store as the meta byte
    /// ([format §5.6](crate::format#5.6)).
    pub const BYTEDELTA: Self = Self::new(FilterId::BYTEDELTA, 0);

    /// A filter with its meta byte.
    pub const fn new(id: FilterId, meta: u8) -> Self {
        Self { id, meta }
    }

    /// Keeps `bits` mantissa bits of each float, or drops `-bits` if negative
    /// ([format §5.5](crate::format#5.5)).
    pub const fn trunc_prec(bits: i8) -> Self {
        Self::new(FilterId::TRUNC_PREC, bits.cast_unsigned())
    }

    /// Keeps `bits` bits of each integer, or drops `-bits` if negative
    /// ([format §5.7](crate::format#5.7)).
    pub const fn int_trunc(bits: i8) -> Self {
        Self::new(FilterId::INT_TRUNC, bits.cast_unsigned())
    }
}

/// The filter, with its meta byte where that is not 0.
///
/// ```
/// use oxiblosc::FilterSlot;
/// assert_eq!(format!("{:?}", FilterSlot::SHUFFLE), "shuffle");
/// assert_eq!(format!("{:?}", FilterSlot::trunc_prec(-5)), "trunc_prec(-5)");
/// ```
impl fmt::Debug for FilterSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.id, self.meta) {
            (id, 0) => write!(f, "{id:?}"),
            (id @ (FilterId::TRUNC_PREC | FilterId::INT_TRUNC), bits) => {
                write!(f, "{id:?}({})", bits.cast_signed())
            }
            (id, meta) => write!(f, "{id:?}({meta})"),
        }
    }
}
