//! Frames with matches.

use super::blocks::{RAW, RUN, block, header, is_run};
use super::literals::pays;
use super::open::{self, Open};
use super::parse::{Parse, ParsePart};
use super::parts;
use super::search::Search;
use super::tables::Tables;
use crate::Kernels;
use crate::codecs::lz::{self, Lanes, Task};

/// Writes a frame.
pub(super) struct WriteFrame<'w, 's, 'd> {
    pub(super) kernels: Kernels,
    pub(super) tables: &'w mut Tables,
    pub(super) search: Search,
    pub(super) src: &'s [u8],
    pub(super) dst: &'d mut [u8],
}

impl Task for WriteFrame<'_, '_, '_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> Option<usize> {
        let Self {
            kernels,
            tables,
            search,
            src,
            dst,
        } = self;
        let mut at = header(src.len(), dst)?;
        tables.rows.start(src.len());
        tables.literals.forget();
        tables.sequences.begin();
        tables.parts.clear();
        tables.reserve(src.len());
        parts::split(src, &mut tables.parts);
        if src.is_empty() {
            return block(dst, at, (RAW, true), 0, &[]);
        }
        let mut parse = Parse::new(src, search, tables.costs.clone());
        tables.found.clear();
        tables.literal_bytes.clear();
        let mut start = 0;
        let mut open: Option<Open> = None;
        let least_gain = open::least_gain(src.len());
        for n in 0..tables.parts.len() {
            let part = tables.parts[n];
            let content = &src[start..part.end];
            let last = n + 1 == tables.parts.len();
            if is_run(content) {
                if let Some(open) = open.take() {
                    at = tables.close(&open, src, false, dst, at)?;
                }
                at = block(dst, at, (RUN, last), content.len(), &content[..1])?;
            } else {
                let first = tables.found.len();
                lz::run(
                    kernels,
                    ParsePart {
                        parse: &mut parse,
                        rows: &mut tables.rows,
                        start,
                        part,
                        sequences: &mut tables.found,
                    },
                );
                // Without matches, what it takes is known.
                let noise = tables.found.len() == first + 1
                    && !pays(part.cost as usize, content.len(), part.flat);
                if noise {
                    tables.found.truncate(first);
                    if let Some(open) = open.take() {
                        at = tables.close(&open, src, false, dst, at)?;
                    }
                    tables.literals.forget();
                    tables.sequences.forget();
                    at = block(dst, at, (RAW, last), content.len(), content)?;
                } else {
                    let next = tables.open(first, part, start, src);
                    open = Some(match open.take() {
                        None => next,
                        Some(open) => match open.with(&next, least_gain) {
                            Some(both) => {
                                let end = tables.found.remove(open.sequences - 1);
                                tables.found[open.sequences - 1].literals += end.literals;
                                both
                            }
                            None => {
                                at = tables.close(&open, src, false, dst, at)?;
                                next
                            }
                        },
                    });
                }
            }
            start = part.end;
        }
        if let Some(open) = open {
            at = tables.close(&open, src, true, dst, at)?;
        }
        Some(at)
    }
}
