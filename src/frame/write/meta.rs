//! Metadata of a frame that is being written.

use super::writer::FrameWriter;
use crate::error::{Error, Result};
use crate::frame::layout::header::FrameType;
use crate::frame::store::traits::FrameStoreMut;
use crate::num::to_u64;
use crate::params::CParams;

impl<S: FrameStoreMut> FrameWriter<S> {
    /// Adds a fixed metalayer to a frame that has no chunk bytes yet, as C does it after the frame
    /// was begun; [`FrameParams::metalayer`](crate::frame::FrameParams::metalayer) names them
    /// before. In a sparse frame, whose header is a file of its own, it may have chunks.
    ///
    /// ```
    /// use oxiblosc::{CParams, ChunkSource, DParams, FrameParams, FrameReader, FrameWriter};
    /// # fn main() -> oxiblosc::Result<()> {
    /// let params = FrameParams::new(CParams::new(1), 1000).in_place(true);
    /// let mut writer = FrameWriter::in_memory(params)?;
    /// writer.commit()?;
    /// writer.add_metalayer("unit", b"kelvin")?;
    /// writer.append(&[7; 3000])?;
    /// assert!(writer.add_metalayer("late", b"").is_err());
    /// let reader = FrameReader::from_bytes(writer.into_bytes()?, DParams::new())?;
    /// assert_eq!(reader.metalayers().get("unit"), Some(&b"kelvin"[..]));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Metalayers::insert`](crate::schunk::Metalayers::insert); [`Error::Refused`] when the
    /// chunks begin directly after the header, or a committed frame would be overwritten because
    /// the writer does not work [in place](crate::frame::FrameParams::in_place).
    #[doc(alias = "blosc2_meta_add")]
    pub fn add_metalayer(&mut self, name: &str, content: &[u8]) -> Result<()> {
        self.change(|writer| {
            writer.flush_chunk()?;
            let contiguous = S::FRAME_TYPE == FrameType::Contiguous;
            let why = if contiguous && writer.reader.contents.header.cbytes > 0 {
                "the chunks begin directly after the header"
            } else if contiguous && writer.turn.committed && !writer.mode.in_place {
                "it would overwrite what is committed"
            } else {
                ""
            };
            if !why.is_empty() {
                let what = "add the metalayer";
                return Err(Error::Refused { what, why });
            }
            let mut metalayers = writer.reader.contents.metalayers.clone();
            metalayers.insert(name, content)?;
            let contents = &mut writer.reader.contents;
            contents.header.header_len = to_u64(contents.header.write(&metalayers)?.len());
            contents.metalayers = metalayers;
            contents.unseal();
            writer.dirty = true;
            Ok(())
        })
    }

    /// [`set_vlmetalayer`](crate::ChunkSink::set_vlmetalayer) with other parameters for compressing
    /// the content.
    ///
    /// # Errors
    /// As [`VlMetalayers::set_with`](crate::schunk::VlMetalayers::set_with), and when the storage
    /// fails.
    pub fn set_vlmetalayer_with(
        &mut self,
        name: &str,
        content: &[u8],
        cparams: &CParams,
    ) -> Result<()> {
        self.change(|writer| {
            let contents = &mut writer.reader.contents;
            contents.vlmetalayers.set_with(name, content, cparams)?;
            contents.unseal();
            writer.dirty = true;
            Ok(())
        })
    }
}
