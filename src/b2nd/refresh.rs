//! Following changes of the shape by others ([format §11.5](crate::format#11.5)).

use crate::b2nd::array::Array;
use crate::b2nd::layout::grid::Grid;
use crate::b2nd::layout::meta::B2ndMeta;
use crate::error::{Error, Result};
use crate::schunk::ChunkSource;
use crate::threads::pool::Pool;

impl<C: ChunkSource> Array<C> {
    /// Follows a change of the shape by others: reads the metalayer of the chunks again, after
    /// [`ChunkSource::refresh`], and returns whether anything has changed.
    ///
    /// Without it, an index is compared with the shape that the array had when it was opened.
    ///
    /// # Errors
    /// As [`ChunkSource::refresh`]; [`Error::Mismatch`] when more than the shape has changed.
    #[doc(alias = "b2nd_refresh")]
    pub fn refresh(&mut self) -> Result<bool> {
        if !self.tail.is_empty() {
            return Err(Error::Refused {
                what: "refresh the array",
                why: "appended rows are not committed; commit first",
            });
        }
        let changed = self.chunks.refresh()?;
        Ok(self.follow()? || changed)
    }

    /// Reads the shape from the metalayer of the chunks; returns whether it has changed.
    pub(crate) fn follow(&mut self) -> Result<bool> {
        let content = self.chunks.metalayers().get(self.metalayer);
        let meta = B2ndMeta::parse(content.unwrap_or_default())?;
        if meta == self.meta {
            return Ok(false);
        }
        let of = |meta: &B2ndMeta| {
            let B2ndMeta {
                chunkshape,
                blockshape,
                dtype,
                ..
            } = meta;
            format!("{chunkshape:?}, {blockshape:?}, {dtype:?}")
        };
        if of(&meta) != of(&self.meta) {
            return Err(Error::Mismatch {
                what: "partition and dtype of the array",
                stored: of(&meta).into(),
                asked: of(&self.meta).into(),
            });
        }
        self.grid = Grid::new(
            self.typesize(),
            &meta.shape,
            &meta.chunkshape,
            &meta.blockshape,
        )?;
        self.dparams = self.dparams.clone().b2nd(meta.to_bytes()?);
        self.meta = meta;
        self.workspaces = [Pool::new(), Pool::new()];
        self.builders = [Pool::new(), Pool::new()];
        Ok(true)
    }
}
