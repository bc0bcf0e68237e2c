//! Frames of literals alone: no search, no sequences.
//!
//! Pieces next to each other become one block unless codes of their own save enough. All bytes are
//! counted, once.

use super::blocks::{RUN, block, header, is_run};
use super::literals::pays;
use super::open::{Content, least_gain};
use super::parts::{MAX_PART, PIECE, count, is_flat};
use super::tables::Tables;
use crate::codecs::lz::{Lanes, Task};

/// Writes a frame and returns its length; `None` when there is no room.
pub(super) struct WriteAlone<'w, 's, 'd> {
    pub(super) tables: &'w mut Tables,
    pub(super) src: &'s [u8],
    pub(super) dst: &'d mut [u8],
}

impl Task for WriteAlone<'_, '_, '_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> Option<usize> {
        let Self { tables, src, dst } = self;
        let mut at = header(src.len(), dst)?;
        tables.literals.forget();
        tables.reserve(src.len());
        let least_gain = least_gain(src.len());
        let mut pieces = src.chunks(PIECE);
        let contents = |piece: &[u8]| Content::new(count(piece), piece.len(), false);
        let (mut start, mut open) = (0, contents(pieces.next()?));
        for piece in pieces {
            let next = contents(piece);
            let both = open.with(&next);
            if both.bits - open.bits - next.bits < least_gain && both.len <= MAX_PART {
                open = both;
            } else {
                let content = &src[start..start + open.len];
                at = tables.write_alone((content, false), &open, dst, at)?;
                start += open.len;
                open = next;
            }
        }
        tables.write_alone((&src[start..], true), &open, dst, at)
    }
}

impl Tables {
    /// Writes a block without sequences, which may be the last, and returns the position after it.
    #[inline(always)]
    fn write_alone(
        &mut self,
        (content, last): (&[u8], bool),
        Content { counts, .. }: &Content,
        dst: &mut [u8],
        at: usize,
    ) -> Option<usize> {
        if is_run(content) {
            return block(dst, at, (RUN, last), content.len(), &content[..1]);
        }
        self.write_block((content, last), (dst, at), |tables, space| {
            let flat = is_flat(counts, content.len());
            let len = tables.literals.write(content, counts, flat, space)?;
            // The number of sequences.
            *space.get_mut(len)? = 0;
            Some(len + 1).filter(|len| pays(*len, content.len(), false))
        })
    }
}
