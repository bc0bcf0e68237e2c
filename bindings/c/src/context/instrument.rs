//! Chunks with measurements of the codec in place of data.

use std::time::Instant;

use oxiblosc::{CParams, ChunkEncoder};

use super::compress::fitted;
use crate::boundary::Answer;

/// The bit of the last byte of a header that marks such a chunk.
const INSTRUMENTED: u8 = 0x80;

/// Compresses `src`, and stores a `blosc2_instr` for each block: the ratio and the speed of
/// codec and filters.
pub(super) fn compress(encoder: &mut ChunkEncoder, src: &[u8], dst: &mut [u8]) -> Answer<usize> {
    let blocksize = encoder.blocksize_for(src.len()).max(1);
    let mut measured = Vec::new();
    let mut chunk = Vec::new();
    for block in src.chunks(blocksize) {
        chunk.clear();
        let started = Instant::now();
        let len = encoder.encode_append(block, &mut chunk)?;
        let seconds = started.elapsed().as_secs_f32().max(1e-9);
        let streams = len.saturating_sub(32).max(1);
        let speed = float(block.len()) / seconds;
        measured.extend_from_slice(&(float(block.len()) / float(streams)).to_ne_bytes());
        measured.extend_from_slice(&speed.to_ne_bytes());
        measured.extend_from_slice(&speed.to_ne_bytes());
        measured.extend_from_slice(&[0; 4]);
    }
    let plain = CParams::new(1).clevel(0).filters([]);
    let len = fitted(ChunkEncoder::new(plain)?.encode_into(&measured, dst))?;
    if let Some(flags) = dst.get_mut(..len).and_then(|chunk| chunk.get_mut(31)) {
        *flags |= INSTRUMENTED;
    }
    Ok(len)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a measurement has fewer digits than the result"
)]
fn float(number: usize) -> f32 {
    number as f32
}
