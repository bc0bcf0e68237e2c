//! Codecs and filters of users, through the public interface.
#![expect(clippy::unwrap_used, reason = "what fails in a test fails the test")]

use std::sync::Arc;

use oxiblosc::codec::{Codec, CodecContext, StreamDecoder, StreamEncoder};
use oxiblosc::error::BoxError;
use oxiblosc::filter::{Filter, FilterContext};
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, CodecId, DParams, Error, FilterId, FilterSlot, Missing,
    Registry,
};

/// Runs of bytes as pairs of a length and the byte.
#[derive(Debug)]
struct Runs;

impl Codec for Runs {
    fn id(&self) -> CodecId {
        CodecId::new(200)
    }
    fn name(&self) -> &str {
        "runs"
    }
    fn format_version(&self) -> u8 {
        3
    }
    fn encoder(&self, cx: &CodecContext<'_>) -> Result<Box<dyn StreamEncoder>, BoxError> {
        assert_eq!((cx.clevel, cx.meta), (7, 42));
        Ok(Box::new(Coder))
    }
    fn decoder(&self, cx: &CodecContext<'_>) -> Result<Box<dyn StreamDecoder>, BoxError> {
        assert_eq!(cx.meta, 42);
        Ok(Box::new(Coder))
    }
}

struct Coder;

impl StreamEncoder for Coder {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, BoxError> {
        let mut at = 0;
        for run in src.chunk_by(|a, b| a == b).flat_map(|run| run.chunks(255)) {
            let Some(to) = dst.get_mut(at..at + 2) else {
                return Ok(None);
            };
            to.copy_from_slice(&[u8::try_from(run.len())?, run[0]]);
            at += 2;
        }
        Ok(Some(at))
    }
}

impl StreamDecoder for Coder {
    fn decode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        let bytes = src
            .chunks_exact(2)
            .flat_map(|pair| vec![pair[1]; pair[0].into()]);
        let content: Vec<u8> = bytes.collect();
        if content.len() != dst.len() {
            return Err(format!("{} bytes of runs", content.len()).into());
        }
        dst.copy_from_slice(&content);
        Ok(())
    }
}

/// Adds the meta byte to every byte.
#[derive(Debug)]
struct Add;

impl Filter for Add {
    fn id(&self) -> FilterId {
        FilterId::new(180)
    }
    fn name(&self) -> &str {
        "add"
    }
    fn forward(&self, cx: &FilterContext<'_>, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        if cx.meta == 99 {
            return Err("99 is one too many".into());
        }
        dst.iter_mut()
            .zip(src)
            .for_each(|(to, from)| *to = from.wrapping_add(cx.meta));
        Ok(())
    }
    fn backward(&self, cx: &FilterContext<'_>, src: &[u8], dst: &mut [u8]) -> Result<(), BoxError> {
        dst.iter_mut()
            .zip(src)
            .for_each(|(to, from)| *to = from.wrapping_sub(cx.meta));
        Ok(())
    }
}

fn registry() -> Arc<Registry> {
    Arc::new(
        Registry::new()
            .with_codec(Runs)
            .unwrap()
            .with_filter(Add)
            .unwrap(),
    )
}

fn cparams(meta: u8) -> CParams {
    CParams::new(1)
        .codec(CodecId::new(200))
        .codec_meta(42)
        .clevel(7)
        .filters([FilterSlot::new(FilterId::new(180), meta)])
        .registry(registry())
}

/// Long runs, so that the codec has something to do.
fn content() -> Vec<u8> {
    (0..100_000_u32)
        .map(|i| (i / 700).to_le_bytes()[0])
        .collect()
}

#[test]
fn users_codec_and_filter_make_and_read_chunks() {
    let data = content();
    let chunk = ChunkEncoder::new(cparams(5))
        .unwrap()
        .encode(&data)
        .unwrap();
    assert!(chunk.len() < 2000, "{} bytes", chunk.len());
    // The format for registered codecs, the id of the codec, its version, meta bytes (format §1).
    assert_eq!(
        (chunk[2] >> 5, chunk[0x16], chunk[0x17], chunk[1]),
        (6, 200, 42, 3)
    );
    let mut decoder = ChunkDecoder::new(DParams::new().registry(registry()));
    assert_eq!(decoder.decode(&chunk).unwrap(), data);
}

#[test]
fn without_the_registry_the_id_is_named() {
    let chunk = ChunkEncoder::new(cparams(5))
        .unwrap()
        .encode(&content())
        .unwrap();
    let error = oxiblosc::decompress(&chunk).unwrap_err();
    let Error::Unsupported { what, .. } = error else {
        panic!("{error}")
    };
    assert!(
        matches!(what, Missing::Codec(id) if id.get() == 200)
            || matches!(what, Missing::Filter(id) if id.get() == 180),
        "{what}"
    );
}

#[test]
fn an_error_of_a_filter_reaches_the_caller() {
    let error = ChunkEncoder::new(cparams(99))
        .unwrap()
        .encode(&content())
        .unwrap_err();
    assert!(
        matches!(&error, Error::Filter { id, .. } if id.get() == 180),
        "{error}"
    );
    assert!(error.to_string().contains("99 is one too many"), "{error}");
}

#[test]
fn reserved_and_taken_ids_are_refused() {
    #[derive(Debug)]
    struct Reserved;
    impl Codec for Reserved {
        fn id(&self) -> CodecId {
            CodecId::LZ4
        }
        fn name(&self) -> &str {
            "reserved"
        }
        fn encoder(&self, _: &CodecContext<'_>) -> Result<Box<dyn StreamEncoder>, BoxError> {
            Ok(Box::new(Coder))
        }
        fn decoder(&self, _: &CodecContext<'_>) -> Result<Box<dyn StreamDecoder>, BoxError> {
            Ok(Box::new(Coder))
        }
    }
    assert!(matches!(
        Registry::new().with_codec(Reserved).unwrap_err(),
        Error::InvalidParam {
            name: "codec id",
            value: 1,
            ..
        }
    ));
    let taken = Registry::new().with_codec(Runs).unwrap().with_codec(Runs);
    assert!(matches!(
        taken.unwrap_err(),
        Error::InvalidParam { value: 200, .. }
    ));
    let names: Vec<_> = registry()
        .codecs()
        .map(|codec| codec.name().to_owned())
        .collect();
    assert_eq!(names, ["runs"]);
}
