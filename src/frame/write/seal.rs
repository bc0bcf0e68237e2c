//! Sealing a frame.

use super::writer::FrameWriter;
use crate::error::{Error, Result};
use crate::frame::layout::msgpack::Put;
use crate::frame::layout::seal::{CHECKSUM_LEN, metalayers_checksum};
use crate::frame::layout::trailer::{Fingerprint, SEAL, SEAL_KIND};
use crate::frame::store::traits::FrameStoreMut;

impl<S: FrameStoreMut> FrameWriter<S> {
    /// Commits with a seal: a checksum of every chunk and a fingerprint over header, index and
    /// trailer, for [`FrameReader::verify`](crate::frame::FrameReader::verify). The next change
    /// removes the seal ([format §9.5](crate::format#9.5)).
    ///
    /// ```
    /// use oxiblosc::frame::Verified;
    /// use oxiblosc::{CParams, DParams, FrameParams, FrameReader, FrameWriter};
    /// # fn main() -> oxiblosc::Result<()> {
    /// let mut writer = FrameWriter::in_memory(FrameParams::new(CParams::new(1), 1000))?;
    /// writer.append(&[7; 5000])?;
    /// writer.seal()?;
    /// let frame = writer.into_bytes()?;
    /// let reader = FrameReader::from_bytes(&frame, DParams::new())?;
    /// assert_eq!(reader.verify()?, Verified::Sealed);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`commit`](Self::commit), and when a chunk cannot be read back.
    pub fn seal(&mut self) -> Result<()> {
        self.change(Self::store_seal)?;
        self.commit()
    }

    fn store_seal(&mut self) -> Result<()> {
        self.flush_chunk()?;
        let checksums = self.reader.checksums()?;
        let len = checksums.len().saturating_add(CHECKSUM_LEN);
        let len = u32::try_from(len).map_err(|_| Error::Refused {
            what: "seal the frame",
            why: "there are too many chunks",
        })?;
        let mut seal = Vec::new();
        seal.put_bin32(len);
        seal.extend_from_slice(&metalayers_checksum(&self.reader.contents).to_le_bytes());
        seal.extend_from_slice(&checksums);
        self.reader.contents.vlmetalayers.set(SEAL, &seal)?;
        self.reader.contents.fingerprint = Fingerprint {
            kind: SEAL_KIND,
            value: [0; 16],
        };
        self.dirty = true;
        Ok(())
    }
}
