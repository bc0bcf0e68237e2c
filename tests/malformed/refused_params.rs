//! Values that encoders and writers refuse before they write: what the format cannot hold, and
//! data that could not be read back. Each error names the parameter.
#![cfg(feature = "b2nd")]
#![expect(clippy::panic, reason = "what fails in a test fails the test")]

use oxiblosc::b2nd::B2ndMeta;
use oxiblosc::{
    CParams, ChunkEncoder, CodecId, Error, ErrorKind, FilterId, FilterSlot, FrameParams, Result,
    Special, SplitMode,
};

#[track_caller]
fn refused<T>(result: Result<T>, parameter: &str) {
    match result {
        Err(error @ (Error::InvalidParam { name, .. } | Error::InvalidAxisParam { name, .. })) => {
            assert_eq!(error.kind(), ErrorKind::InvalidParam);
            assert!(name.contains(parameter), "{parameter}: {error}");
        }
        Err(error) => panic!("{parameter}: {error}"),
        Ok(_) => panic!("{parameter}: accepted"),
    }
}

fn encoder(cparams: CParams) -> Result<Vec<u8>> {
    ChunkEncoder::new(cparams)?.encode(&[7; 4000])
}

#[test]
fn codecs_and_filters() {
    let with = |id, meta| CParams::new(4).filters([FilterSlot::new(id, meta)]);
    refused(encoder(with(FilterId::new(99), 0)), "filters");
    refused(encoder(with(FilterId::BYTEDELTA_BUGGY, 4)), "filters");
    refused(encoder(with(FilterId::TRUNC_PREC, 24)), "trunc_prec");
    refused(encoder(with(FilterId::INT_TRUNC, 33)), "int_trunc");
    let odd = CParams::new(3).filters([FilterSlot::new(FilterId::TRUNC_PREC, 2)]);
    refused(encoder(odd), "trunc_prec");
    let odd = CParams::new(3).filters([FilterSlot::new(FilterId::INT_TRUNC, 2)]);
    refused(encoder(odd), "int_trunc");
    refused(encoder(CParams::new(4).codec(CodecId::new(99))), "codec");
    refused(encoder(CParams::new(4).codec(CodecId::SNAPPY)), "codec");
    let dict = CParams::new(4).codec(CodecId::BLOSCLZ).use_dict(true);
    refused(encoder(dict), "codec");
    refused(encoder(CParams::new(4).clevel(10)), "clevel");
    refused(encoder(CParams::new(0)), "typesize");
    let split = CParams::new(4).split_mode(SplitMode::Always);
    refused(encoder(split.blocksize(Some(usize::MAX))), "blocksize");
}

#[test]
fn special_chunks() {
    let special = |typesize, special: Special<'_>, nbytes| {
        ChunkEncoder::new(CParams::new(typesize))?.encode_special(special, nbytes)
    };
    refused(special(4, Special::Zeros, usize::MAX), "nbytes");
    refused(special(4, Special::Zeros, 0x7FFF_FFE0), "nbytes");
    refused(special(4, Special::Nans, 401), "nbytes");
    refused(special(2, Special::Nans, 400), "typesize");
    refused(special(4, Special::Repeat(b"abc"), 400), "repeated value");
    refused(special(4, Special::Repeat(b"abcd"), 402), "nbytes");
    refused(special(4, Special::Repeat(b"abcd"), 0), "nbytes");
    assert!(special(4, Special::Zeros, 0x7FFF_FFDC).is_ok());
}

#[test]
fn metalayers_of_arrays() {
    let meta = |shape: &[u64], chunkshape: &[u64], blockshape: &[u64]| {
        B2ndMeta::new(shape, chunkshape, blockshape, "<f4").to_bytes()
    };
    refused(meta(&[1; 17], &[1; 17], &[1; 17]), "ndim");
    refused(meta(&[1, 2], &[1], &[1, 2]), "chunkshape");
    refused(meta(&[1, 2], &[1, 2], &[1]), "blockshape");
    refused(meta(&[1 << 63], &[1], &[1]), "shape");
    refused(meta(&[1], &[1 << 31], &[1]), "chunkshape");
    refused(meta(&[1], &[1], &[1 << 31]), "blockshape");
}

#[test]
fn frames() {
    refused(FrameParams::new(CParams::new(4), 0).validate(), "chunksize");
    let long = FrameParams::new(CParams::new(4), 400).metalayer(&"n".repeat(32), b"");
    assert_eq!(
        long.map(drop).map_err(|error| error.kind()),
        Err(ErrorKind::Refused)
    );
}
