//! Ids, parameters and errors as values: names, short `Debug`, no message twice.

use std::error::Error as _;
use std::sync::Arc;

use oxiblosc::codec::{Codec, CodecContext, StreamDecoder, StreamEncoder};
use oxiblosc::error::BoxError;
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, ChunkView, CodecId, DParams, Error, ErrorKind, FilterId,
    FilterSlot, Limits, Registry, Special, compress, decompress,
};

/// Every message of a chain of errors, outermost first, as reports print them.
fn chain(error: &dyn std::error::Error) -> Vec<String> {
    let mut lines = vec![error.to_string()];
    let mut next = error.source();
    while let Some(error) = next {
        lines.push(error.to_string());
        next = error.source();
    }
    lines
}

#[derive(Debug)]
struct Cause;

impl std::fmt::Display for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the table is empty")
    }
}

impl std::error::Error for Cause {}

#[derive(Debug)]
struct Outer(Cause);

impl std::fmt::Display for Outer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("cannot decode")
    }
}

impl std::error::Error for Outer {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

/// A codec that copies, and fails to decode.
#[derive(Debug)]
struct Failing;

impl Codec for Failing {
    fn id(&self) -> CodecId {
        CodecId::new(200)
    }

    fn name(&self) -> &str {
        "failing"
    }

    fn encoder(&self, _: &CodecContext<'_>) -> Result<Box<dyn StreamEncoder>, BoxError> {
        Ok(Box::new(Self))
    }

    fn decoder(&self, _: &CodecContext<'_>) -> Result<Box<dyn StreamDecoder>, BoxError> {
        Ok(Box::new(Self))
    }
}

impl StreamEncoder for Failing {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, BoxError> {
        let front = &src[..src.len() / 2];
        dst[..front.len()].copy_from_slice(front);
        Ok(Some(front.len()))
    }
}

impl StreamDecoder for Failing {
    fn decode(&mut self, _: &[u8], _: &mut [u8]) -> Result<(), BoxError> {
        Err(Box::new(Outer(Cause)))
    }
}

#[test]
fn a_chain_of_errors_has_no_line_twice() {
    let registry = Arc::new(Registry::new().with_codec(Failing).unwrap());
    let cparams = CParams::new(1)
        .codec(CodecId::new(200))
        .filters([])
        .registry(Arc::clone(&registry));
    let data: Vec<u8> = (0..1000_u32)
        .map(|i| (i * i % 251).to_le_bytes()[0])
        .collect();
    let chunk = compress(&data, &cparams).unwrap();
    let error = ChunkDecoder::new(DParams::new().registry(registry))
        .decode(&chunk)
        .unwrap_err();
    let lines = chain(&error);
    assert!(lines[0].contains("cannot decode"), "{lines:?}");
    assert_eq!(lines[1..], ["the table is empty"]);
    let Error::Codec { source, .. } = &error else {
        panic!("{error:?}");
    };
    assert!(source.downcast_ref::<Outer>().is_some());

    let error = Error::io(
        oxiblosc::Part::Index,
        None,
        std::io::Error::other(Outer(Cause)),
    );
    assert_eq!(
        chain(&error),
        ["frame index: cannot decode", "the table is empty"]
    );
    assert!(decompress(&[]).unwrap_err().source().is_none());
}

#[test]
fn a_limit_says_what_lifts_it_where_something_does() {
    let zeros = ChunkEncoder::new(CParams::new(1))
        .unwrap()
        .encode_special(Special::Zeros, 2000)
        .unwrap();
    let dparams = DParams::new().limits(Limits::UNTRUSTED.max_alloc(1999));
    let error = ChunkDecoder::new(dparams).decode(&zeros).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LimitExceeded);
    assert_eq!(
        error.to_string(),
        "2000 exceeds limit max_alloc (1999), at offset 4; DParams::limits(Limits::FORMAT) lifts it"
    );
    let dparams = DParams::new().limits(Limits::FORMAT);
    assert_eq!(
        ChunkDecoder::new(dparams).decode(&zeros).unwrap(),
        [0; 2000]
    );

    let error = Error::limit_exceeded("max_nchunks", u64::MAX, Limits::FORMAT.max_nchunks);
    assert!(!error.to_string().contains("lifts"), "{error}");
    let error = Error::limit_exceeded("my own limit", 2, 1);
    assert_eq!(error.to_string(), "2 exceeds limit my own limit (1)");
}

#[test]
fn names_read_back_as_they_print() {
    for id in (0..=255).map(CodecId::new) {
        let name = id
            .name()
            .map_or_else(|| id.get().to_string(), str::to_owned);
        assert_eq!(name.parse::<CodecId>().unwrap(), id);
    }
    for id in (0..=255).map(FilterId::new) {
        let name = id
            .name()
            .map_or_else(|| id.get().to_string(), str::to_owned);
        assert_eq!(name.parse::<FilterId>().unwrap(), id);
    }
    let error = "zstandard".parse::<CodecId>().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidParam);
    let text = error.to_string();
    assert!(text.starts_with("codec: expected blosclz, lz4,"), "{text}");
    assert!(text.ends_with(r#"found "zstandard""#), "{text}");
    assert!("256".parse::<FilterId>().is_err());
    assert!("".parse::<FilterId>().is_err());
}

#[test]
fn debug_is_short() {
    assert_eq!(format!("{:?}", CodecId::ZSTD), "zstd");
    assert_eq!(format!("{:?}", CodecId::new(77)), "CodecId(77)");
    assert_eq!(
        format!(
            "{:?}",
            [FilterSlot::DELTA, FilterSlot::new(FilterId::NDCELL, 4)]
        ),
        "[delta, ndcell(4)]"
    );
    assert_eq!(format!("{:?}", Special::Repeat(&[1, 2])), "Repeat([1, 2])");
    assert_eq!(
        format!("{:?}", Special::Repeat(&[1; 500])),
        "Repeat(500 bytes)"
    );

    let data: Vec<u8> = (0..200_000_u32).flat_map(u32::to_le_bytes).collect();
    let cparams = CParams::new(4).b2nd(vec![7; 5000]);
    let mut encoder = ChunkEncoder::new(cparams).unwrap();
    let chunk = encoder.encode(&data).unwrap();
    let mut decoder = ChunkDecoder::new(DParams::new().b2nd(vec![7; 5000]));
    decoder.decode(&chunk).unwrap();
    let view = ChunkView::parse(&chunk, &Limits::FORMAT).unwrap();
    for text in [
        format!("{encoder:?}"),
        format!("{decoder:?}"),
        format!("{view:?}"),
    ] {
        assert!(text.len() < 700, "{} bytes: {text}", text.len());
    }
    assert!(format!("{encoder:?}").contains("blosclz"));
}

#[test]
fn a_cloned_encoder_makes_the_same_chunks() {
    let data: Vec<u8> = (0..50_000_u32)
        .flat_map(|i| (i / 3).to_le_bytes())
        .collect();
    let mut first = ChunkEncoder::new(CParams::new(4)).unwrap();
    let expected = first.encode(&data).unwrap();
    let mut second = first.clone();
    assert_eq!(second.encode(&data).unwrap(), expected);
    assert_eq!(first.encode(&data).unwrap(), expected);
    let mut decoder = ChunkDecoder::default();
    assert_eq!(decoder.decode(&expected).unwrap(), data);
    assert_eq!(decoder.clone().decode(&expected).unwrap(), data);
}

/// As `BLOSC2_CPARAMS_DEFAULTS` of C-Blosc2; python-blosc2 has the same typesize.
#[test]
fn default_parameters_are_those_of_c() {
    let cparams = CParams::default();
    assert_eq!((cparams.typesize, cparams.clevel), (8, 5));
    assert_eq!(cparams.filters[5], FilterSlot::SHUFFLE);
    let (a, b) = (&[7; 9999], CParams::new(8));
    assert_eq!(compress(a, &cparams).unwrap(), compress(a, &b).unwrap());
}

#[cfg(feature = "serde")]
#[test]
fn parameters_are_data() {
    let cparams = CParams::new(2)
        .codec(CodecId::ZSTD)
        .clevel(9)
        .filters([FilterSlot::trunc_prec(-3), FilterSlot::BITSHUFFLE])
        .blocksize(Some(4096));
    let text = serde_json::to_string(&cparams).unwrap();
    assert_eq!(
        text,
        concat!(
            r#"{"typesize":2,"codec":"zstd","codec_meta":0,"clevel":9,"#,
            r#""filters":[{"id":"trunc_prec","meta":253},{"id":"bitshuffle","meta":0}],"#,
            r#""split_mode":"forward_compat","blocksize":4096,"use_dict":false}"#
        )
    );
    let back: CParams = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&back).unwrap(), text);
    assert_eq!(back.filters, cparams.filters);

    let few: CParams = serde_json::from_str(r#"{"codec": 200, "filters": []}"#).unwrap();
    assert_eq!((few.codec, few.typesize), (CodecId::new(200), 8));
    assert_eq!(few.filters, [FilterSlot::NONE; 6]);
    for wrong in [
        r#"{"clevel": 10}"#,
        r#"{"codec": "zst"}"#,
        r#"{"codec": 256}"#,
        r#"{"level": 3}"#,
        r#"{"typesize": 0}"#,
    ] {
        assert!(serde_json::from_str::<CParams>(wrong).is_err(), "{wrong}");
    }
    let dparams: DParams = serde_json::from_str(r#"{"limits": {"max_alloc": 5}}"#).unwrap();
    assert_eq!(dparams.limits, Limits::UNTRUSTED.max_alloc(5));
}
