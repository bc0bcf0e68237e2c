//! Parameters and data that an encoder refuses before anything is written: they do not fit the
//! format, need a feature that this build lacks, or could not be decoded.

use super::super::tune::stored_typesize;
use crate::codec;
use crate::codec::id::CodecId;
use crate::error::{Error, Result};
use crate::filter;
use crate::filter::id::FilterId;
use crate::num::saturating_i64;
use crate::params::{CParams, MAX_NBYTES};

/// Refuses more data than a chunk holds.
pub(crate) fn check_nbytes(nbytes: usize) -> Result<u32> {
    match u32::try_from(nbytes) {
        Ok(stored) if nbytes <= MAX_NBYTES => Ok(stored),
        _ => Err(Error::InvalidParam {
            name: "nbytes",
            value: saturating_i64(nbytes),
            expected: "at most 2147483615",
        }),
    }
}

/// A codec or filter that this build lacks.
pub(crate) fn unknown(name: &'static str, id: u8) -> Error {
    Error::InvalidParam {
        name,
        value: id.into(),
        expected: "an id that this build offers or the registry holds",
    }
}

/// Refuses codecs that this build lacks, or that have no dictionaries.
pub(super) fn check_codec(cparams: &CParams) -> Result<()> {
    let id = cparams.codec;
    if codec::find::find(cparams.registry.as_deref(), id).is_none() {
        return Err(unknown("codec", id.get()));
    }
    if matches!(id, CodecId::ZFP_ACC | CodecId::ZFP_PREC | CodecId::ZFP_RATE) {
        check_zfp(cparams)?;
    }
    if cparams.use_dict && !matches!(id, CodecId::LZ4 | CodecId::LZ4HC | CodecId::ZSTD) {
        return Err(Error::InvalidParam {
            name: "codec",
            value: id.get().into(),
            expected: "1 (lz4), 2 (lz4hc) or 5 (zstd) for a dictionary",
        });
    }
    Ok(())
}

/// Refuses to train a dictionary without libzstd, rather than to write other bytes than with it.
pub(super) fn check_training(id: CodecId) -> Result<()> {
    if cfg!(not(feature = "zstd")) && id == CodecId::ZSTD {
        let what = "train a dictionary of Zstandard";
        let why = "it needs the feature zstd";
        return Err(Error::Refused { what, why });
    }
    Ok(())
}

/// Refuses Snappy, which an encoder for Blosc1 may have and C-Blosc2 cannot read.
pub(super) fn check_blosc2(cparams: &CParams) -> Result<()> {
    if cparams.codec == CodecId::SNAPPY {
        let what = "write a chunk of Blosc2";
        let why = "only chunks of Blosc1 have snappy";
        return Err(Error::Refused { what, why });
    }
    Ok(())
}

/// Refuses filters in front of ZFP after which the data are no floats: it is lossy, and nothing of
/// them would come back.
fn check_zfp(cparams: &CParams) -> Result<()> {
    let keeps_floats = |id: FilterId| match id {
        FilterId::NONE | FilterId::TRUNC_PREC | FilterId::NDCELL | FilterId::NDMEAN => true,
        // The user knows.
        _ => id.get() >= 160,
    };
    match cparams.filters.iter().find(|slot| !keeps_floats(slot.id)) {
        None => Ok(()),
        Some(slot) => Err(Error::InvalidParam {
            name: "filters",
            value: slot.id.get().into(),
            expected: "none that rearranges bytes, because zfp is for floats: filters([])",
        }),
    }
}

/// Refuses filters that this build lacks, do not fit the typesize, or could not be undone.
pub(crate) fn check_filters(cparams: &CParams) -> Result<()> {
    let typesize = stored_typesize(cparams.typesize);
    let registry = cparams.registry.as_deref();
    let invalid = |name, value: u8, expected| Error::InvalidParam {
        name,
        value: value.into(),
        expected,
    };
    for slot in &cparams.filters {
        if slot.id != FilterId::NONE && filter::find::find(registry, slot.id).is_none() {
            return Err(unknown("filters", slot.id.get()));
        }
        let bits = slot.meta.cast_signed();
        match slot.id {
            FilterId::TRUNC_PREC
                if oxiblosc_kernels::trunc_prec_zeroed_bits(typesize, bits).is_none() =>
            {
                let expected = "precision bits that floats of 4 or 8 bytes have";
                return Err(invalid(
                    "meta of the filter trunc_prec",
                    slot.meta,
                    expected,
                ));
            }
            FilterId::INT_TRUNC
                if oxiblosc_kernels::int_trunc_zeroed_bits(typesize, bits).is_none() =>
            {
                let expected = "bits that integers of 1, 2, 4 or 8 bytes have";
                return Err(invalid("meta of the filter int_trunc", slot.meta, expected));
            }
            FilterId::BYTEDELTA_BUGGY => {
                let expected = "35 (bytedelta); 34 is only read";
                return Err(invalid("filters", slot.id.get(), expected));
            }
            _ => {}
        }
    }
    Ok(())
}
