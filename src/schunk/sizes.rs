//! The sizes of chunks: one size for all but the last chunk, or a size for each
//! ([format §9.7](crate::format#9.7)).

use super::layout::ChunkLayout;
use crate::error::{Error, Result};
use crate::num::to_u64;

/// The sizes of a super-chunk as its frame header states them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// As in [`ChunkLayout::chunksize`].
    pub(crate) chunksize: Option<usize>,
    pub(crate) nbytes: u64,
    pub(crate) nchunks: u64,
}

impl Sizes {
    pub(crate) fn of(layout: &ChunkLayout) -> Self {
        let &ChunkLayout {
            chunksize,
            nbytes,
            nchunks,
            ..
        } = layout;
        Self {
            chunksize,
            nbytes,
            nchunks,
        }
    }

    /// The size of a chunk, when the chunks have one size.
    pub(crate) fn chunk_nbytes(&self, nchunk: u64) -> Option<usize> {
        let chunksize = to_u64(self.chunksize?);
        let before = nchunk.checked_mul(chunksize)?;
        usize::try_from(self.nbytes.checked_sub(before)?.min(chunksize)).ok()
    }

    /// Whether the last chunk is shorter than the others.
    fn last_is_short(&self) -> bool {
        self.last_len()
            .is_some_and(|last| Some(last) != self.chunksize)
    }

    /// The size of the last chunk, when the chunks have one size and there is one.
    pub(crate) fn last_len(&self) -> Option<usize> {
        self.chunk_nbytes(self.nchunks.checked_sub(1)?)
    }

    /// Adds a chunk of `nbytes` bytes before chunk `at`.
    pub(crate) fn insert(&mut self, at: u64, nbytes: usize) -> Result<()> {
        self.check_index(at, self.nchunks.saturating_add(1))?;
        check_len(nbytes)?;
        let last = at == self.nchunks;
        self.chunksize = match self.chunksize {
            Some(0) => Some(nbytes),
            Some(chunksize) if nbytes > chunksize => None,
            Some(chunksize) if nbytes < chunksize && !last => None,
            Some(_) if last && self.last_is_short() => None,
            chunksize => chunksize,
        };
        self.nbytes = self.nbytes.saturating_add(to_u64(nbytes));
        self.nchunks = self.nchunks.saturating_add(1);
        Ok(())
    }

    /// Changes the size of chunk `at` from `old` to `new` bytes.
    pub(crate) fn update(&mut self, at: u64, old: usize, new: usize) -> Result<()> {
        self.check_index(at, self.nchunks)?;
        check_len(new)?;
        let last = at.saturating_add(1) == self.nchunks;
        self.chunksize = match self.chunksize {
            Some(chunksize) if new > chunksize => None,
            Some(chunksize) if new < chunksize && !last => None,
            chunksize => chunksize,
        };
        let others = self.nbytes.saturating_sub(to_u64(old));
        self.nbytes = others.saturating_add(to_u64(new));
        Ok(())
    }

    /// Removes chunk `at`, which has `old` bytes.
    pub(crate) fn delete(&mut self, at: u64, old: usize) -> Result<()> {
        self.check_index(at, self.nchunks)?;
        self.nbytes = self.nbytes.saturating_sub(to_u64(old));
        self.nchunks = self.nchunks.saturating_sub(1);
        Ok(())
    }

    /// Checks that `order` names every chunk once. A short last chunk that moves away from the
    /// end leaves chunks of different sizes.
    pub(crate) fn reorder(&mut self, order: &[u64]) -> Result<()> {
        let why = "the new order has to name every chunk once";
        let refused = || Error::Refused {
            what: "reorder the chunks",
            why,
        };
        if order.len() as u64 != self.nchunks {
            return Err(refused());
        }
        let mut seen = vec![false; order.len()];
        for &nchunk in order {
            self.check_index(nchunk, self.nchunks)?;
            let place = usize::try_from(nchunk).ok().and_then(|at| seen.get_mut(at));
            match place {
                Some(seen @ false) => *seen = true,
                _ => return Err(refused()),
            }
        }
        if self.last_is_short() && order.last() != self.nchunks.checked_sub(1).as_ref() {
            self.chunksize = None;
        }
        Ok(())
    }

    fn check_index(&self, index: u64, len: u64) -> Result<()> {
        if index >= len {
            return Err(Error::OutOfBounds {
                what: "chunk",
                index,
                len: self.nchunks,
            });
        }
        Ok(())
    }
}

/// Frames cannot represent an empty chunk.
fn check_len(nbytes: usize) -> Result<()> {
    if nbytes == 0 {
        return Err(Error::Refused {
            what: "store the chunk",
            why: "it is empty",
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(chunksize: Option<usize>, nbytes: u64, nchunks: u64) -> Sizes {
        Sizes {
            chunksize,
            nbytes,
            nchunks,
        }
    }

    #[test]
    fn a_short_chunk_may_only_be_the_last() {
        let mut s = sizes(Some(0), 0, 0);
        s.insert(0, 100).unwrap();
        s.insert(1, 100).unwrap();
        s.insert(2, 40).unwrap();
        assert_eq!(s, sizes(Some(100), 240, 3));
        assert_eq!(
            (s.chunk_nbytes(1), s.chunk_nbytes(2)),
            (Some(100), Some(40))
        );
        s.insert(1, 100).unwrap();
        s.update(3, 40, 60).unwrap();
        s.delete(0, 100).unwrap();
        assert_eq!(s, sizes(Some(100), 260, 3));
        let fixed = s;
        for change in [
            |s: &mut Sizes| s.insert(3, 100),
            |s: &mut Sizes| s.insert(0, 99),
            |s: &mut Sizes| s.update(2, 60, 101),
            |s: &mut Sizes| s.update(0, 100, 99),
            |s: &mut Sizes| s.reorder(&[2, 1, 0]),
        ] {
            let mut s = fixed;
            change(&mut s).unwrap();
            assert_eq!(s.chunksize, None);
        }
        let mut s = fixed;
        s.reorder(&[1, 0, 2]).unwrap();
        assert_eq!(s, fixed);
    }

    #[test]
    fn nonsense_is_refused() {
        let mut s = sizes(Some(100), 240, 3);
        assert!(s.insert(4, 100).is_err());
        assert!(s.insert(0, 0).is_err());
        assert!(s.update(3, 100, 100).is_err());
        assert!(s.delete(3, 100).is_err());
        for order in [&[0, 1][..], &[0, 1, 1], &[0, 1, 3], &[0, 1, 2, 3]] {
            assert!(s.reorder(order).is_err(), "{order:?}");
        }
    }
}
