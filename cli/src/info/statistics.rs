//! Kinds and sizes of all chunks, from their headers.

use std::collections::{BTreeMap, BTreeSet};

use oxiblosc::frame::{AnyFrame, ChunkPlace};
use oxiblosc::schunk::ChunkSource;
use serde_json::Value;

use super::report::Report;
use super::words::{kind_of, special_name};

/// The upper ends of the classes, in percent of the data.
const CLASSES: [(u64, &str); 8] = [
    (1, "<= 1 %"),
    (5, "<= 5 %"),
    (10, "<= 10 %"),
    (20, "<= 20 %"),
    (40, "<= 40 %"),
    (60, "<= 60 %"),
    (80, "<= 80 %"),
    (u64::MAX, "> 80 %"),
];

/// Counts of chunks.
#[derive(Debug, Default)]
pub(super) struct Statistics {
    kinds: BTreeMap<&'static str, u64>,
    smallest: Option<u32>,
    largest: Option<u32>,
    classes: [u64; CLASSES.len()],
    /// The bytes of the stored chunks; one that is named twice counts once.
    pub(super) live: u64,
    /// Whether a header could not be read, so that the numbers are too small.
    pub(super) is_partial: bool,
}

impl Statistics {
    /// Reads the headers of all chunks. A damaged one is counted as such.
    pub(super) fn of(frame: &AnyFrame) -> Self {
        let mut all = Self::default();
        let mut seen = BTreeSet::new();
        for (nchunk, place) in (0..frame.layout().nchunks).zip(frame.chunk_places()) {
            let place = match place {
                ChunkPlace::Offset(place) | ChunkPlace::File(place) => Some(place),
                _ => None,
            };
            let Some(place) = place else {
                let special = frame.special_value(nchunk);
                all.count(special.map_or("unknown", special_name));
                continue;
            };
            let header = frame
                .lazy_chunk(nchunk)
                .map(|chunk| chunk.header().copied());
            let Ok(Some(header)) = header else {
                all.count("damaged");
                all.is_partial = true;
                continue;
            };
            all.count(kind_of(&header));
            if seen.insert(place) {
                all.live = all.live.saturating_add(header.cbytes.into());
            }
            let least = all
                .smallest
                .map_or(header.cbytes, |size| size.min(header.cbytes));
            let most = all
                .largest
                .map_or(header.cbytes, |size| size.max(header.cbytes));
            (all.smallest, all.largest) = (Some(least), Some(most));
            let percent = u64::from(header.cbytes) * 100;
            let percent = percent.div_ceil(u64::from(header.nbytes).max(1));
            let mut classes = CLASSES.iter().zip(&mut all.classes);
            if let Some((_, count)) = classes.find(|((end, _), _)| percent <= *end) {
                *count = count.saturating_add(1);
            }
        }
        all
    }

    fn count(&mut self, kind: &'static str) {
        let count = self.kinds.entry(kind).or_default();
        *count = count.saturating_add(1);
    }

    pub(super) fn add_to(&self, report: &mut Report) {
        let kinds = self.kinds.iter();
        let kinds = kinds.map(|(kind, count)| ((*kind).to_owned(), Value::from(*count)));
        report.add("chunk_kinds", Value::Object(kinds.collect()));
        if let (Some(smallest), Some(largest)) = (self.smallest, self.largest) {
            report.add_size("smallest_chunk", smallest);
            report.add_size("largest_chunk", largest);
            let classes = CLASSES.iter().zip(self.classes);
            let classes = classes.map(|((_, name), count)| (*name, count));
            report.histogram = classes.filter(|(_, count)| *count > 0).collect();
        }
    }
}
