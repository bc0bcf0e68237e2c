//! Chosen blocks of a chunk: the right bytes, and no block decoded twice, with a DELTA or without.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use oxiblosc::codec::{Codec, CodecContext, StreamDecoder, StreamEncoder};
use oxiblosc::error::BoxError;
use oxiblosc::{
    CParams, ChunkDecoder, ChunkEncoder, CodecId, DParams, FilterSlot, Registry, SplitMode,
};

/// Runs of bytes as pairs of length and value; counts the streams it decodes.
#[derive(Clone, Debug, Default)]
struct Runs(Arc<AtomicUsize>);

impl Codec for Runs {
    fn id(&self) -> CodecId {
        CodecId::new(200)
    }

    fn name(&self) -> &str {
        "runs"
    }

    fn encoder(&self, _: &CodecContext<'_>) -> Result<Box<dyn StreamEncoder>, BoxError> {
        Ok(Box::new(self.clone()))
    }

    fn decoder(&self, _: &CodecContext<'_>) -> Result<Box<dyn StreamDecoder>, BoxError> {
        Ok(Box::new(self.clone()))
    }
}

impl StreamEncoder for Runs {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, BoxError> {
        let mut at = 0;
        for run in src.chunk_by(|a, b| a == b) {
            for part in run.chunks(255) {
                let Some(to) = dst.get_mut(at..at + 2) else {
                    return Ok(None);
                };
                to.copy_from_slice(&[u8::try_from(part.len())?, part[0]]);
                at += 2;
            }
        }
        Ok(Some(at))
    }
}

impl StreamDecoder for Runs {
    fn decode(&mut self, src: &[u8], mut dst: &mut [u8]) -> Result<(), BoxError> {
        self.0.fetch_add(1, Ordering::Relaxed);
        for pair in src.chunks_exact(2) {
            let (run, rest) = dst.split_at_mut_checked(pair[0].into()).ok_or("too long")?;
            run.fill(pair[1]);
            dst = rest;
        }
        if dst.is_empty() {
            Ok(())
        } else {
            Err("too short".into())
        }
    }
}

#[test]
fn each_block_is_decoded_once() {
    const BLOCK: usize = 1000;
    let data: Vec<u8> = (0..9_500_usize)
        .map(|i| u8::try_from(i / 50 * 7 % 251).unwrap())
        .collect();
    let codec = Runs::default();
    let registry = Arc::new(Registry::new().with_codec(codec.clone()).unwrap());
    for delta in [false, true] {
        let filter = if delta {
            FilterSlot::DELTA
        } else {
            FilterSlot::NONE
        };
        let cparams = CParams::new(1)
            .codec(CodecId::new(200))
            .filters([filter])
            .split_mode(SplitMode::Never)
            .blocksize(Some(BLOCK))
            .registry(Arc::clone(&registry));
        let chunk = ChunkEncoder::new(cparams).unwrap().encode(&data).unwrap();
        let dparams = DParams::new().registry(Arc::clone(&registry));
        let mut decoder = ChunkDecoder::new(dparams);
        for wanted in 0..1_usize << 10 {
            let wanted: Vec<bool> = (0..10).map(|block| wanted >> block & 1 == 1).collect();
            let mut dst = vec![0xEE; data.len()];
            codec.0.store(0, Ordering::Relaxed);
            decoder
                .decode_blocks_into(&chunk, &wanted, &mut dst)
                .unwrap();
            let blocks = dst.chunks(BLOCK).zip(data.chunks(BLOCK));
            for ((got, want), wanted) in blocks.zip(&wanted) {
                assert!(if *wanted {
                    got == want
                } else {
                    got.iter().all(|b| *b == 0xEE)
                });
            }
            let chosen = wanted.iter().filter(|wanted| **wanted).count();
            let for_delta = delta && !wanted[0] && chosen > 0;
            let decoded = codec.0.load(Ordering::Relaxed);
            assert_eq!(
                decoded,
                chosen + usize::from(for_delta),
                "delta {delta}, {wanted:?}"
            );
        }
    }
}
