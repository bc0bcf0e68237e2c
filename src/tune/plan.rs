//! The parameters to try.

use super::goal::Goal;
use crate::codec::CodecId;
use crate::filter::{FilterSlot, MAX_FILTERS};
use crate::params::CParams;

/// Filters in their slots.
type Slots = [FilterSlot; MAX_FILTERS];

fn pipelines(typesize: usize) -> Vec<Vec<FilterSlot>> {
    let mut all = vec![vec![], vec![FilterSlot::BITSHUFFLE]];
    all.push(vec![FilterSlot::DELTA]);
    if typesize > 1 {
        all.push(vec![FilterSlot::SHUFFLE]);
        #[cfg(feature = "bytedelta")]
        {
            let (shuffle, bytedelta) = (FilterSlot::SHUFFLE, FilterSlot::BYTEDELTA);
            all.push(vec![shuffle, bytedelta]);
            // Differences of differences, for what changes steadily, such as heights.
            all.push(vec![shuffle, bytedelta, bytedelta]);
        }
    } else {
        #[cfg(feature = "bytedelta")]
        all.push(vec![FilterSlot::BYTEDELTA]);
    }
    all
}

/// Copies, and every pipeline with the fast codecs.
pub(super) fn first(typesize: usize) -> Vec<CParams> {
    let new = || CParams::new(typesize);
    let mut all = vec![new().filters([]).clevel(0)];
    for pipeline in pipelines(typesize) {
        for codec in [CodecId::ZSTD, CodecId::LZ4] {
            let level = if codec == CodecId::ZSTD { 1 } else { 5 };
            all.push(new().filters(pipeline.clone()).codec(codec).clevel(level));
        }
    }
    all
}

/// The pipelines that shrink the samples the most with the other codecs and levels.
pub(super) fn second(typesize: usize, goal: Goal, pipelines: &[Slots]) -> Vec<CParams> {
    let mut codecs = vec![(CodecId::ZSTD, 3), (CodecId::BLOSCLZ, 5), (CodecId::LZ4, 1)];
    match goal {
        Goal::Ratio => codecs.push(SEARCH),
        Goal::Read => codecs.extend([SEARCH, (CodecId::LZ4HC, 9)]),
        Goal::Balanced | Goal::Speed => {}
    }
    let all = pipelines.iter().flat_map(|filters| {
        let codecs = codecs.iter();
        codecs.map(move |&(codec, level)| with(typesize, filters).codec(codec).clevel(level))
    });
    let mut all: Vec<CParams> = all.collect();
    if goal == Goal::Ratio && !pipelines.contains(&[FilterSlot::NONE; MAX_FILTERS]) {
        // Long matches of whole items, which only a thorough search finds.
        let (codec, level) = SEARCH;
        all.push(
            CParams::new(typesize)
                .filters([])
                .codec(codec)
                .clevel(level),
        );
    }
    all
}

/// A thorough search at a bearable speed.
const SEARCH: (CodecId, u8) = (CodecId::ZSTD, 5);

/// The smallest after [`SEARCH`], with its size, and the same by the slowest search, which takes
/// longer than all other trials together. `trials` has the sizes.
pub(super) fn third(
    typesize: usize,
    trials: &[(&CParams, usize)],
) -> Option<((CParams, usize), CParams)> {
    let searched = |(cparams, _): &&(&CParams, usize)| (cparams.codec, cparams.clevel) == SEARCH;
    let found = trials.iter().filter(searched);
    let &(cparams, cbytes) = found.min_by_key(|(_, cbytes)| *cbytes)?;
    let slow = with(typesize, &cparams.filters).codec(CodecId::ZSTD);
    Some(((cparams.clone(), cbytes), slow.clevel(9)))
}

fn with(typesize: usize, filters: &Slots) -> CParams {
    let mut cparams = CParams::new(typesize);
    cparams.filters = *filters;
    cparams
}

/// The parameters that tell sizes of items apart.
pub(super) fn probe(typesize: usize) -> CParams {
    let cparams = CParams::new(typesize).filters([FilterSlot::SHUFFLE]);
    if cfg!(feature = "zstd") {
        return cparams.codec(CodecId::ZSTD).clevel(1);
    }
    cparams
}
