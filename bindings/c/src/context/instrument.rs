//! Chunks with measurements of the codec in place of data.

use std::time::Instant;

use oxiblosc::{CParams, ChunkEncoder, ChunkHeader};

use super::compress::fitted;
use crate::abi::blosc2_instr;
use crate::boundary::Answer;

/// The bit of the last byte of a header that marks such a chunk.
const INSTRUMENTED: u8 = 0x80;

/// Bytes of a `blosc2_instr`.
const ENTRY: usize = size_of::<blosc2_instr>();

/// Compresses `src`, and stores a `blosc2_instr` for each stream of each block: the ratio and
/// the speed of codec and filters. The streams of a block are measured together.
pub(super) fn compress(encoder: &mut ChunkEncoder, src: &[u8], dst: &mut [u8]) -> Answer<usize> {
    let blocksize = encoder.blocksize_for(src.len()).max(1);
    let mut measured = Vec::new();
    let mut chunk = Vec::new();
    let mut per_block = ENTRY;
    for block in src.chunks(blocksize) {
        chunk.clear();
        let started = Instant::now();
        let len = encoder.encode_append(block, &mut chunk)?;
        let seconds = started.elapsed().as_secs_f32().max(1e-9);
        let header = ChunkHeader::parse(&chunk)?;
        let streams = if header.is_split() {
            usize::from(header.typesize).max(1)
        } else {
            1
        };
        per_block = ENTRY * streams;
        let ratio = float(block.len()) / float(len.saturating_sub(ENTRY * 2).max(1));
        let speed = float(block.len()) / seconds;
        let mut entry = Vec::with_capacity(ENTRY);
        for number in [ratio, speed, speed, 0.0] {
            entry.extend_from_slice(&number.to_ne_bytes());
        }
        measured.extend_from_slice(&entry.repeat(streams));
    }
    let plain = CParams::new(1).clevel(0).filters([]);
    let plain = plain.blocksize(Some(per_block));
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
