//! Super-chunks in memory to frames and back.

use super::writer::FrameWriter;
use crate::error::Result;
use crate::frame::layout::params::FrameParams;
use crate::frame::read::reader::FrameReader;
use crate::params::DParams;
use crate::schunk::{ChunkSource, SChunk, copy_chunks};

impl SChunk {
    /// The super-chunk as a contiguous frame ([format §9](crate::format#9)).
    ///
    /// ```
    /// use oxiblosc::{CParams, ChunkSource, DParams, SChunk};
    /// # fn main() -> oxiblosc::Result<()> {
    /// let mut schunk = SChunk::new(CParams::new(4), 4000)?;
    /// schunk.append(&[7; 10_000])?;
    /// let frame = schunk.to_cframe()?;
    /// let back = SChunk::from_cframe(&frame, DParams::new())?;
    /// assert_eq!(back.read_items(0..2500)?, [7; 10_000]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When the metalayers do not fit a frame.
    #[doc(alias = "blosc2_schunk_to_file")]
    #[doc(alias = "b2nd_to_cframe")]
    #[doc(alias = "b2nd_save")]
    #[doc(alias = "blosc2_schunk_to_buffer")]
    pub fn to_cframe(&self) -> Result<Vec<u8>> {
        let mut params = FrameParams::new(self.cparams().clone(), self.chunksize());
        params.metalayers = self.metalayers().clone();
        params.vlmetalayers = self.vlmetalayers().clone();
        let mut writer = FrameWriter::in_memory(params)?;
        writer.keep_chunksize(self.layout().chunksize);
        copy_chunks(self, &mut writer)?;
        writer.into_bytes()
    }

    /// A copy in memory of the super-chunk in a contiguous frame. New chunks get the parameters
    /// that the frame names ([format §9](crate::format#9)).
    ///
    /// # Errors
    /// As [`FrameReader::from_bytes`], and when a chunk is damaged.
    #[doc(alias = "blosc2_schunk_from_buffer")]
    pub fn from_cframe(frame: &[u8], dparams: DParams) -> Result<Self> {
        let reader = FrameReader::from_bytes(frame, dparams.clone())?;
        let mut schunk = Self::from_source(&reader, reader.header().cparams()?)?;
        *schunk.vlmetalayers_mut() = reader.vlmetalayers().clone();
        schunk.set_dparams(dparams);
        Ok(schunk)
    }
}
