//! Dictionaries in chunks: their position and their training data
//! ([format §7.3](crate::format#7.3), [§7.4](crate::format#7.4)).
//!
//! ```text
//! header | bstarts | length: int32 | dictionary | blocks ...
//! ```
//!
//! All blocks are filtered once to make the dictionary, and once more to be compressed with it.

use super::super::scratch::{Worker, grown};
use super::block::BlockEncoder;
use super::check::check_training;
use crate::codec::dict::DictPlan;
use crate::error::Result;

/// The length of the prefix in bytes.
const LEN_BYTES: usize = 4;

/// Makes the dictionary of a chunk; `None` when there is too little data, or training fails.
pub(crate) fn build(blocks: &BlockEncoder<'_>, worker: &mut Worker) -> Result<Option<Vec<u8>>> {
    check_training(blocks.coding.id)?;
    let cut = blocks.cut;
    let streams = if cut.split { cut.typesize } else { 1 };
    let Some(plan) = DictPlan::new(blocks.source.len(), cut.nblocks * streams) else {
        return Ok(None);
    };
    let mut samples = Vec::with_capacity(blocks.source.len());
    for block in 0..cut.nblocks {
        let Worker {
            x,
            y,
            block: buffer,
            ..
        } = worker;
        let src = blocks.block(block, buffer)?;
        let (x, y) = (grown(x, src.len()), grown(y, src.len()));
        let cx = blocks.filter_context(block);
        samples.extend_from_slice(blocks.pipeline.run_forward(&cx, src, x, y)?);
    }
    Ok(plan.build(blocks.coding.id, &samples, cut.nblocks))
}

/// Writes a dictionary at `at` and returns where it ends; `None` when it does not fit.
pub(crate) fn put(dict: &[u8], dst: &mut [u8], at: usize) -> Option<usize> {
    let (prefix, rest) = dst.get_mut(at..)?.split_at_mut_checked(LEN_BYTES)?;
    let len = u32::try_from(dict.len()).ok()?;
    prefix.copy_from_slice(&len.to_le_bytes());
    rest.get_mut(..dict.len())?.copy_from_slice(dict);
    Some(at + LEN_BYTES + dict.len())
}
