//! Ids of codecs and filters, read from their names.

use std::str::FromStr;

use super::{Error, Result};
use crate::codec::id::CodecId;
use crate::filter::id::FilterId;

/// Reads a name as [`CodecId::name`] gives it, or the number of one that has none.
///
/// ```
/// use oxiblosc::CodecId;
/// assert_eq!("zstd".parse::<CodecId>()?, CodecId::ZSTD);
/// assert_eq!("200".parse::<CodecId>()?, CodecId::new(200));
/// assert!("ZSTD".parse::<CodecId>().is_err());
/// # Ok::<(), oxiblosc::Error>(())
/// ```
impl FromStr for CodecId {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let expected = "blosclz, lz4, lz4hc, zlib, zstd, ndlz, zfp_acc, zfp_prec, \
                        zfp_rate or a number to 255";
        number("codec", name, expected, |id| Self::new(id).name()).map(Self::new)
    }
}

/// Reads a name as [`FilterId::name`] gives it, or the number of one that has none.
///
/// ```
/// use oxiblosc::FilterId;
/// assert_eq!("shuffle".parse::<FilterId>()?, FilterId::SHUFFLE);
/// assert_eq!("200".parse::<FilterId>()?, FilterId::new(200));
/// assert!("SHUFFLE".parse::<FilterId>().is_err());
/// # Ok::<(), oxiblosc::Error>(())
/// ```
impl FromStr for FilterId {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let expected = "none, shuffle, bitshuffle, delta, trunc_prec, ndcell, ndmean, bytedelta, \
                        int_trunc or a number to 255";
        number("filter", name, expected, |id| Self::new(id).name()).map(Self::new)
    }
}

/// The number of a name, or the number that stands in its place.
fn number(
    what: &'static str,
    name: &str,
    expected: &'static str,
    name_of: impl Fn(u8) -> Option<&'static str>,
) -> Result<u8> {
    let named = (0..=u8::MAX).find(|&id| name_of(id) == Some(name));
    let id = named.or_else(|| name.parse().ok());
    id.ok_or_else(|| Error::UnknownName {
        what,
        name: name.into(),
        expected,
    })
}
