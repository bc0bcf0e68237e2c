//! The codecs that need the shape of a block, and those that only a registry can hold.

use oxiblosc::b2nd::{Array, ArrayParams};
use oxiblosc::{
    CParams, CodecId, Error, ErrorKind, FilterSlot, Missing, Part, Result, SChunk, compress,
    decompress,
};

/// 40 x 50 values that rise, in chunks with padding.
fn array<T: oxiblosc::b2nd::Element>(cparams: CParams, elements: &[T]) -> Result<Array<SChunk>> {
    let params = ArrayParams::new::<T>(&[40, 50])
        .chunkshape(&[30, 30])
        .blockshape(&[13, 20])
        .cparams(cparams);
    Array::from_elements(elements, &params)
}

fn coded(codec: CodecId, meta: u8, typesize: usize) -> CParams {
    CParams::new(typesize)
        .codec(codec)
        .codec_meta(meta)
        .filters([])
}

#[test]
#[cfg(feature = "ndlz")]
fn ndlz_keeps_bytes() {
    let elements: Vec<u8> = (0..2000_u16)
        .map(|i| (i / 50 % 7 * 30).to_le_bytes()[0])
        .collect();
    for side in [4, 8] {
        let array = array(coded(CodecId::NDLZ, side, 1), &elements).unwrap();
        assert_eq!(array.to_elements::<u8>().unwrap(), elements);
        assert_eq!(array.slice::<u8>(&[3..5, 49..50]).unwrap(), [90, 120]);
    }
    // Another side, items of two bytes, and no array at all.
    let fails = |result: Result<Array<SChunk>>, what: &str| {
        let error = result.unwrap_err();
        let Error::Codec {
            id: CodecId::NDLZ,
            source,
            ..
        } = &error
        else {
            panic!("{error}");
        };
        assert!(source.to_string().contains(what), "{error}");
    };
    fails(array(coded(CodecId::NDLZ, 5, 1), &elements), "4 or 8");
    fails(
        array(coded(CodecId::NDLZ, 4, 2), &[1_u16, 2].repeat(1000)),
        "typesize is 2",
    );
    let error = compress(&elements, &coded(CodecId::NDLZ, 4, 1)).unwrap_err();
    assert!(matches!(error, Error::Codec { .. }), "{error}");
}

#[test]
#[cfg(feature = "zfp")]
fn zfp_keeps_what_its_mode_says() {
    let elements: Vec<f64> = (0..2000)
        .map(|i| f64::from(i).sqrt() * 10.0 - 100.0)
        .collect();
    let errors = |codec, meta| -> f64 {
        let array = array(coded(codec, meta, 8), &elements).unwrap();
        let decoded = array.to_elements::<f64>().unwrap();
        let pairs = elements.iter().zip(&decoded);
        pairs
            .map(|(value, decoded)| (value - decoded).abs())
            .fold(0.0, f64::max)
    };
    for exponent in [-8_i8, -3, 0, 1] {
        let error = errors(CodecId::ZFP_ACC, exponent.cast_unsigned());
        assert!(
            error > 0.0 && error <= 10_f64.powi(exponent.into()),
            "{exponent}: {error}"
        );
    }
    assert!(errors(CodecId::ZFP_PREC, 30) < errors(CodecId::ZFP_PREC, 10));
    assert!(errors(CodecId::ZFP_RATE, 50) < errors(CodecId::ZFP_RATE, 10));
    // What the format cannot hold is stored as it is.
    let odd = [f64::NAN, f64::INFINITY, 1.5, -0.0].repeat(500);
    let array = array(coded(CodecId::ZFP_ACC, 0, 8), &odd).unwrap();
    let bits = |floats: &[f64]| {
        floats
            .iter()
            .map(|float| float.to_bits())
            .collect::<Vec<_>>()
    };
    assert_eq!(bits(&array.to_elements::<f64>().unwrap()), bits(&odd));
}

/// Behind a filter that rearranges bytes, nothing of the data would come back.
#[test]
#[cfg(feature = "zfp")]
fn zfp_refuses_data_that_are_no_floats() {
    for filter in [
        FilterSlot::SHUFFLE,
        FilterSlot::BITSHUFFLE,
        FilterSlot::DELTA,
    ] {
        let cparams = coded(CodecId::ZFP_ACC, 0, 8).filters([filter]);
        let error = compress(&[1; 4000], &cparams).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidParam);
        assert!(error.to_string().contains("floats"), "{error}");
    }
    let error = array(coded(CodecId::ZFP_ACC, 0, 2), &[1_u16, 2].repeat(1000)).unwrap_err();
    assert!(
        matches!(
            error,
            Error::Codec {
                id: CodecId::ZFP_ACC,
                ..
            }
        ),
        "{error}"
    );
}

/// A chunk of a codec that C-Blosc2 loads as a plugin: the error names it and says what to do.
#[test]
fn plugins_are_named() {
    let names = ["openhtj2k", "grok", "openzl", "j2k", "htj2k"];
    for (id, name) in (36..).zip(names) {
        let mut chunk = compress(&[1, 2, 3, 4].repeat(1000), &CParams::new(4)).unwrap();
        chunk[2] |= 0xE0 & 6 << 5;
        chunk[22] = id;
        let error = decompress(&chunk).unwrap_err();
        let Error::Unsupported {
            part, offset, what, ..
        } = &error
        else {
            panic!("{error}");
        };
        assert_eq!((*part, *offset), (Part::ChunkHeader, 22));
        assert_eq!(*what, Missing::Codec(CodecId::new(id)));
        let text = error.to_string();
        assert!(text.contains(name) && text.contains("Registry"), "{text}");
        assert_eq!(CodecId::from_name(name), None);
        let error = compress(&[0; 99], &coded(CodecId::new(id), 0, 1)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidParam);
    }
}
