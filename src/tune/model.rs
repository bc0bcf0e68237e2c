//! Estimates of speed, and the goals.
//!
//! The time of a codec for a byte of data grows with the part of the data that it stores: matches
//! and runs are quicker than literals. The lines were fitted to the table of the guide "Choosing
//! codec and filter", one core of a Zen 5; orders of pipelines are what matters.
#![expect(
    clippy::cast_precision_loss,
    clippy::as_conversions,
    reason = "estimates of two digits"
)]

use super::goal::Goal;
use crate::codec::CodecId;
use crate::filter::{FilterId, FilterSlot};
use crate::params::CParams;

/// A quotient.
pub(super) fn part(dividend: usize, divisor: usize) -> f64 {
    dividend as f64 / divisor.max(1) as f64
}

/// Nanoseconds for a byte of data: at no stored byte, and the more for all of them stored.
type Line = (f64, f64);

/// The times of compression and decompression by a codec.
fn codec(cparams: &CParams) -> (Line, Line) {
    match (cparams.codec, cparams.clevel) {
        (_, 0) => ((0.03, 0.0), (0.03, 0.0)),
        (CodecId::LZ4, ..5) => ((0.03, 0.4), (0.02, 0.1)),
        (CodecId::LZ4, _) => ((0.03, 0.45), (0.02, 0.1)),
        (CodecId::BLOSCLZ, _) => ((0.1, 0.9), (0.02, 0.12)),
        (CodecId::LZ4HC, _) => ((1.0, 35.0), (0.05, 0.2)),
        (CodecId::ZSTD, 0..=1) => ((0.3, 1.8), (0.14, 0.6)),
        (CodecId::ZSTD, 2..=3) => ((1.0, 6.0), (0.15, 0.65)),
        (CodecId::ZSTD, 4..=6) => ((1.0, 18.0), (0.15, 0.7)),
        (CodecId::ZSTD, _) => ((20.0, 400.0), (0.15, 0.7)),
        _ => ((1.0, 30.0), (0.3, 3.0)),
    }
}

/// Estimated times of compression and decompression, in nanoseconds for a byte of data.
pub(super) fn times(cparams: &CParams, nbytes: usize, cbytes: usize) -> (f64, f64) {
    let stored = part(cbytes, nbytes).min(1.0);
    let bits = |filter: &FilterSlot| filter.id == FilterId::BITSHUFFLE;
    if cparams.codec == CodecId::LZ4 && cparams.clevel > 0 && cparams.filters.iter().any(bits) {
        // Planes of bits are runs, or noise that is passed over: what lies between takes time.
        let between = stored * (1.0 - stored);
        return (0.04 + 0.7 * between, 0.03 + 0.22 * between);
    }
    let ((encode, encode_more), (decode, decode_more)) = codec(cparams);
    let (mut encode, mut decode) = (encode + encode_more * stored, decode + decode_more * stored);
    for filter in &cparams.filters {
        let (encoding, decoding) = match filter.id {
            FilterId::NONE => (0.0, 0.0),
            FilterId::BYTEDELTA => (0.02, 0.03),
            _ => (0.02, 0.02),
        };
        encode += encoding;
        decode += decoding;
    }
    (encode, decode)
}

/// The cost for a goal; `part` of the data is stored.
pub(super) fn cost(goal: Goal, part: f64, encode: f64, decode: f64) -> f64 {
    match goal {
        Goal::Ratio => part,
        Goal::Balanced => encode + decode + 2.0 * 20.0 * part,
        Goal::Read => decode + 2.0 * part + encode / 20.0,
        Goal::Speed => encode + decode + 2.0 * part,
    }
}
